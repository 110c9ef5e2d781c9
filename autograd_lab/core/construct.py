"""`torch.Tensor(...)` and the typed constructors of old: sizes or data, by position."""

from __future__ import annotations

import operator
from functools import cache
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.foreign import refuse_strangers

_CLASSIC = {
    "FloatTensor": dtypes.float32, "DoubleTensor": dtypes.float64, "HalfTensor": dtypes.float16,
    "LongTensor": dtypes.int64, "IntTensor": dtypes.int32, "ShortTensor": dtypes.int16, "CharTensor": dtypes.int8,
    "ByteTensor": dtypes.uint8, "BoolTensor": dtypes.bool,
}  # fmt: skip
_OVERLOADS = """ * (*, torch.device device = None){device}
 * (torch.Storage storage){storage}
 * (Tensor other){other}
 * (tuple of ints size, *, torch.device device = None)
 * (object data, *, torch.device device = None)
"""
_KEYWORDS = "\n      didn't match because some of the keywords were incorrect: "
_OPTIONS = (
    "TensorOptions(dtype={}, device=cpu, layout=Strided, requires_grad=false (default), pinned_memory=false (default), "
    "memory_format=(nullopt))"
)


def legacy_tensor(cls: type, args: tuple, kwargs: dict, dtype: Any = None) -> Any:
    """Return what `torch.Tensor(*args)` makes: uninitialised memory of a size, or data, or an alias.

    Args:
        cls: the class of the result, a Tensor or a subclass.
        args: sizes as integers or one sequence, or one sequence of data, or one tensor.
        kwargs: `device`, and instead of `args` `data` or `size`.
        dtype: the result's dtype; without it the default dtype, and a tensor keeps its own.

    Raises TypeError for arguments of other kinds, ValueError for ragged data, RuntimeError for negative sizes.
    """
    from autograd_lab.core.tensor import Tensor, wrap

    kwargs = {name: value for name, value in kwargs.items() if name != "device"}
    if kwargs and (args or len(kwargs) > 1 or next(iter(kwargs)) not in ("data", "size")):
        raise _bad_call(args, kwargs)
    args = args or tuple(kwargs.values())
    numpy_dtype = (dtype or dtypes.get_default_dtype()).numpy
    first = args[0] if args else None
    if len(args) == 1 and isinstance(first, Tensor):
        if dtype is not None and first._array.dtype is not numpy_dtype:
            names = _OPTIONS.format(dtype.cpp_name), _OPTIONS.format(first.dtype.cpp_name)
            raise TypeError("expected {} (got {})".format(*names))
        made = first.detach()
    elif len(args) == 1 and not _is_integer(first) and not _is_size(first) and "size" not in kwargs:
        made = wrap(from_data(first, numpy_dtype, "new()"))
    else:
        made = wrap(np.zeros(_sizes(args), numpy_dtype))
    if cls is not Tensor:
        made.__class__ = cls
    return made


def _sizes(args: tuple) -> tuple[int, ...]:
    """Return the sizes that were given by position, checked."""
    from autograd_lab.core.sizes import size_text

    if not args:
        return (0,)
    if isinstance(args[0], (tuple, list)):
        if len(args) > 1:
            raise _bad_call(args, {})
        args = tuple(args[0])
    for position, value in enumerate(args):
        if not _is_integer(value):
            raise TypeError(
                f"new(): argument 'size' failed to unpack the object at pos {position + 1} with error "
                f'"type must be tuple of ints,but got {type(value).__name__}"'
            )
    sizes = tuple(operator.index(value) for value in args)
    for size in sizes:
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {size_text(sizes)}")
    return sizes


def _is_integer(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_size(value: Any) -> bool:
    from autograd_lab.core.sizes import Size

    return isinstance(value, Size)


def _bad_call(args: tuple, kwargs: dict) -> TypeError:
    """Return torch's error for a call that fits none of the constructor's forms."""
    given = [type(value).__name__ for value in args]
    given += [f"{name}={type(value).__name__}" for name, value in kwargs.items()]
    shown = f"({', '.join(given)}, )" if len(given) == 1 else f"({', '.join(given)})"
    words = {"device": "", "storage": "", "other": ""}
    if kwargs:
        wrong = _KEYWORDS + ", ".join(kwargs)
        words |= {"device": wrong} if args else {"storage": wrong, "other": wrong}
    elif len(args) == 2:
        kinds = ", ".join(f"!{'tuple of (int,)' if isinstance(v, tuple) else type(v).__name__}!" for v in args)
        words["device"] = f"\n      didn't match because some of the arguments have invalid types: ({kinds})"
    return TypeError(
        f"new() received an invalid combination of arguments - got {shown}, but expected one of:\n"
        + _OVERLOADS.format(**words)
    )


def from_data(data: Any, dtype: np.dtype, caller: str) -> np.ndarray:
    """Return nested sequences, an ndarray or anything array-like as a new array of this dtype, with torch's errors."""
    refuse_strangers(caller.removesuffix("()"), data)
    if isinstance(data, str):
        raise TypeError(f"{caller}: invalid data type 'str'")
    if not hasattr(data, "__len__") or not hasattr(data, "__getitem__"):
        raise TypeError(f"{caller}: data must be a sequence (got {type(data).__name__})")
    if isinstance(data, np.ndarray):
        return data.astype(dtype)
    sizes: list[int] = []
    inner = data
    while hasattr(inner, "__len__") and not isinstance(inner, str) and not _is_scalar(inner):
        sizes.append(len(inner))
        if len(sizes) > 128:
            raise ValueError(f"too many dimensions '{type(inner).__name__}'")
        if not sizes[-1]:
            break
        inner = inner[0]
    made = np.empty(tuple(sizes), dtype)
    if made.size:
        _fill(made, data, 0)
    return made


def _is_scalar(value: Any) -> bool:
    return hasattr(value, "ndim") and value.ndim == 0


def _fill(target: np.ndarray, data: Any, dim: int) -> None:
    """Copy one level of nested sequences into the array."""
    if len(data) != target.shape[0]:
        raise ValueError(f"expected sequence of length {target.shape[0]} at dim {dim} (got {len(data)})")
    if target.ndim == 1:
        target[...] = [_element(value, target.dtype) for value in data]
        return
    for part, values in zip(target, data, strict=True):
        if not hasattr(values, "__len__"):
            raise TypeError(f"new(): invalid data type '{type(values).__name__}'")
        _fill(part, values, dim + 1)


def _element(value: Any, dtype: np.dtype) -> Any:
    """Return one element as a number that the dtype can hold."""
    if hasattr(value, "item") and getattr(value, "ndim", 1) == 0:
        value = value.item()
    if not isinstance(value, (int, float)):
        raise TypeError(f"must be real number, not {type(value).__name__}")
    if dtype.kind in "iu":
        value = int(value)
        if not np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
            name = dtypes.from_numpy(dtype).cpp_name if dtype.itemsize == 8 else dtype.name
            raise RuntimeError(f"value cannot be converted to type {name} without overflow")
    return value


class TensorType(type):
    """The class of the typed constructors: an instance check asks for a tensor of the dtype."""

    dtype: Any

    def __instancecheck__(cls, value: Any) -> bool:
        from autograd_lab.core.tensor import Tensor

        return isinstance(value, Tensor) and value._array.dtype is cls.dtype.numpy

    def __call__(cls, *args: Any, **kwargs: Any) -> Any:
        """Return a new tensor of the dtype."""
        from autograd_lab.core.tensor import Tensor

        return legacy_tensor(Tensor, args, kwargs, cls.dtype)

    def __getattr__(cls, name: str) -> Any:
        from autograd_lab.core.tensor import Tensor

        if name.startswith("__") or not hasattr(Tensor, name):
            raise AttributeError(f"type object 'torch.{cls.__name__}' has no attribute '{name}'")
        return getattr(Tensor, name)


# What `type(torch.FloatTensor)` shows.
TensorType.__name__ = TensorType.__qualname__ = "tensortype"
TensorType.__module__ = "torch"


@cache
def typed_constructor(name: str) -> Any:
    """Return a typed constructor: `FloatTensor`, `LongTensor` and their like.

    Called, it makes tensors of its dtype as `torch.Tensor` makes float ones; `isinstance(t, FloatTensor)` asks for
    the dtype.

    >>> typed_constructor("LongTensor")([1, 2])
    tensor([1, 2])
    """
    from autograd_lab.core.tensor import strided

    doc = f"Make tensors of dtype {_CLASSIC[name]}, from sizes or data."
    members = {"dtype": _CLASSIC[name], "is_cuda": False, "is_sparse": False, "layout": strided, "__doc__": doc}
    return TensorType(name, (), members | {"__module__": "torch"})
