"""Tensors from Python numbers, nested lists and NumPy arrays."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.op import functions, tensors
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor, fresh, wrap
from autograd_lab.core.tensor_python import SCALAR_WARNING

_NUMPY_TYPES = ("float64, float32, float16, complex64, complex128, int64, int32, int16, int8, uint64, uint32, uint16, "
                "uint8, and bool")  # fmt: skip


def check_dtype(op: str, dtype: Any) -> Any:
    """Return a dtype argument; Python's float, int and bool stand for float64, int64 and bool."""
    if dtype is None or isinstance(dtype, dtypes.dtype):
        return dtype
    try:
        if dtype in dtypes.OF_PYTHON:
            return dtypes.OF_PYTHON[dtype]
    except TypeError:
        pass
    raise TypeError(f"{op}(): argument 'dtype' must be torch.dtype, not {type(dtype).__name__}")


def check_device(device: Any) -> None:
    """Accept the CPU; refuse other devices."""
    if device is not None:
        from autograd_lab.core.tensor import device as device_class

        device_class(device)


def infer(data: Any) -> dtypes.dtype:
    """Return the dtype that torch gives to Python data: the highest kind among its elements."""
    kind = type(data)
    if kind is float:
        return dtypes.get_default_dtype()
    if kind is int:
        return dtypes.int64
    if kind is bool:
        return dtypes.bool
    if isinstance(data, Tensor):
        return data.dtype
    if isinstance(data, (np.ndarray, np.generic)):
        return dtypes.from_numpy(data.dtype)
    if isinstance(data, str):
        raise ValueError("too many dimensions 'str'")
    if isinstance(data, (float, int)):
        return dtypes.get_default_dtype() if isinstance(data, float) else dtypes.int64
    if isinstance(data, complex):
        raise fail.complex_number()
    if isinstance(data, (list, tuple, range)):
        found: Any = None
        for item in _samples(data):
            one = infer(item)
            found = one if found is None else _higher(found, one)
        return found or dtypes.get_default_dtype()
    if fail.is_foreign(data):
        raise fail.foreign_tensor("tensor", data)
    raise RuntimeError(f"Could not infer dtype of {kind.__name__}")


def _samples(data: Any) -> Any:
    """Return the elements, of Python numbers only one of each type."""
    kinds = set(map(type, data))
    if kinds <= {float, int, bool}:
        return [0.0 if kind is float else kind(0) for kind in kinds]
    if any(item is data for item in data):
        if data[0] is data:
            raise ValueError(f"too many dimensions '{type(data).__name__}'")
        raise TypeError("new(): self-referential lists are incompatible")
    return data


def _higher(a: dtypes.dtype, b: dtypes.dtype) -> dtypes.dtype:
    from autograd_lab.core.promotion import promote_types

    return a if a is b else promote_types(a, b)


def _plain(data: Any) -> Any:
    """Return nested data with tensors and arrays turned into Python values."""
    if isinstance(data, (list, tuple, range)):
        return [_plain(item) for item in data]
    if isinstance(data, Tensor):
        if data._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        if data._node is not None:
            warn_once("scalar", SCALAR_WARNING, stacklevel=5)
        return data._array.item()
    return data.tolist() if isinstance(data, (np.ndarray, np.generic)) else data


def _needs_plain(data: Any) -> bool:
    if isinstance(data, (list, tuple)):
        kinds = set(map(type, data))
        return not kinds <= {float, int, bool} and any(_needs_plain(item) for item in data)
    return isinstance(data, (Tensor, np.ndarray, np.generic, range))


def to_array(data: Any, dtype: Any) -> np.ndarray:
    """Return Python data as a new array of a dtype (inferred if None), or raise as torch does."""
    if isinstance(data, np.ndarray | np.generic):
        array = from_array(data)
        return array.astype(dtype.numpy if dtype is not None else array.dtype)
    if isinstance(data, str):
        raise TypeError("new(): invalid data type 'str'")
    target = infer(data) if dtype is None else dtype
    if isinstance(data, (list, tuple)) and data and isinstance(data[0], np.ndarray):
        warn_once("list_of_arrays",
                  "Creating a tensor from a list of numpy.ndarrays is extremely slow. Please consider "
                  "converting the list to a single numpy.ndarray with numpy.array() before converting to a tensor. "
                  "(Triggered internally at /__w/pytorch/pytorch/torch/csrc/utils/tensor_new.cpp:252.)", stacklevel=3)
    if dtype is not None:
        infer(data)
    if _needs_plain(data):
        data = _plain(data)
    try:
        return np.array(data, dtype=target.numpy)
    except OverflowError:
        if not target.is_floating_point and _holds_floats(data):
            raise _no_room(target) from None
        if target is dtypes.int64:
            raise ValueError("Overflow when unpacking long long") from None
        return _wrapped(data, target)
    except (ValueError, TypeError) as error:
        check_regular(data)
        if not target.is_floating_point and _holds_floats(data):
            raise _no_room(target) from None
        raise error


def _no_room(target: dtypes.dtype) -> Exception:
    return RuntimeError(f"value cannot be converted to type {target.name} without overflow")


def _holds_floats(data: Any) -> bool:
    return isinstance(data, float) or (isinstance(data, (list, tuple)) and any(map(_holds_floats, data)))


def _wrapped(data: Any, target: dtypes.dtype) -> np.ndarray:
    wide = np.array(data, dtype=np.int64)
    bits = target.itemsize * 8
    low = -(2**bits) + 1 if target is dtypes.uint8 else -(2 ** (bits - 1))
    high = 2**bits - 1 if target is dtypes.uint8 else 2 ** (bits - 1) - 1
    if wide.size and (wide.min() < low or wide.max() > high):
        raise _no_room(target)
    return wide.astype(target.numpy)


def check_regular(data: Any) -> None:
    """Raise torch's error for nested lists of unequal lengths."""
    sizes, first = [], data
    while isinstance(first, (list, tuple)):
        sizes.append(len(first))
        if not first:
            break
        first = first[0]
    _check_level(data, sizes, 0)


def _check_level(data: Any, sizes: list, dim: int) -> None:
    if dim == len(sizes):
        if isinstance(data, (list, tuple)):
            raise TypeError(f"'{type(data).__name__}' object cannot be interpreted as an integer")
        return
    if not isinstance(data, (list, tuple)):
        raise TypeError("not a sequence")
    if len(data) != sizes[dim]:
        raise ValueError(f"expected sequence of length {sizes[dim]} at dim {dim} (got {len(data)})")
    for item in data:
        _check_level(item, sizes, dim + 1)


def from_array(array: Any) -> Any:
    """Check a NumPy array as torch does before it shares its memory."""
    kind = array.dtype.kind
    if kind == "c":
        raise fail.complex_number()
    if kind not in "biuf" or array.dtype.itemsize > 8:
        name = f"numpy.{array.dtype.type.__name__}"
        raise TypeError(f"can't convert np.ndarray of type {name}. The only supported types are: {_NUMPY_TYPES}.")
    if not array.dtype.isnative:
        raise ValueError("given numpy array has byte order different from the native byte order. Conversion between "
                         "byte orders is currently not supported.")  # fmt: skip
    if any(stride < 0 for stride in array.strides):
        raise ValueError(
            "At least one stride in the given numpy array is negative, and tensors with negative strides are not "
            "currently supported. (You can probably work around this by making a copy of your array  with "
            "array.copy().) "
        )
    usual = dtypes.from_numpy(array.dtype).numpy
    # A pickled array brings a copy of its dtype; the engine compares dtypes by identity.
    return array if array.dtype is usual else array.view(usual)


COPY_WARNING = (
    "To copy construct from a tensor, it is recommended to use sourceTensor.detach().clone() or "
    "sourceTensor.detach().clone().requires_grad_(True), rather than {}(sourceTensor)."
)


def tensor(data: Any = ..., *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
           pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Make a tensor from numbers, nested lists, an array or another tensor; the data is always copied.

    The dtype is inferred if None: Python floats give the default dtype, ints int64, bools bool.
    Raises ValueError for nested lists of unequal lengths, TypeError and RuntimeError for data that holds no numbers.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.tensor.html
    """
    if data is ...:
        raise TypeError('tensor() missing 1 required positional arguments: "data"')
    check_device(device)
    return made_from(data, check_dtype("tensor", dtype), requires_grad, "torch.tensor")


def made_from(data: Any, dtype: Any, requires_grad: bool, spelling: str) -> Tensor:
    """Make a tensor by copying data of any kind."""
    if isinstance(data, Tensor):
        warnings.warn(COPY_WARNING.format(spelling), UserWarning, stacklevel=3)
        array = np.array(data._array, dtype=None if dtype is None else dtype.numpy)
    else:
        array = to_array(data, dtype)
    return fresh(array if array.ndim else array[()], requires_grad)


def from_numpy(ndarray: Any, /) -> Tensor:
    """Make a tensor that shares an array's memory."""
    if not isinstance(ndarray, np.ndarray):
        raise TypeError(f"expected np.ndarray (got {type(ndarray).__name__})")
    array = from_array(ndarray)
    if not array.flags.writeable:
        warn_once("not_writable", "The given NumPy array is not writable, and PyTorch does not support non-writable "
                  "tensors. This means writing to this tensor will result in undefined behavior. You may want to copy "
                  "the array to protect its data or make it writable before converting it to a tensor. This type of "
                  "warning will be suppressed for the rest of this program. (Triggered internally at "
                  "/__w/pytorch/pytorch/torch/csrc/utils/tensor_numpy.cpp:213.)")
    return fresh(array)


def as_tensor(data: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Make a tensor, sharing memory where that is possible: a tensor of this dtype is returned as it is."""
    dtype = check_dtype("as_tensor", dtype)
    check_device(device)
    if isinstance(data, Tensor):
        return data if dtype is None or data._array.dtype is dtype.numpy else tensors._to_copy(data, dtype)
    if isinstance(data, np.ndarray):
        shared = from_array(data)
        return fresh(shared if dtype is None else shared.astype(dtype.numpy, copy=False))
    return made_from(data, dtype, False, "torch.tensor")


def asarray(obj: Any, *, dtype: Any = None, device: Any = None, copy: bool | None = None,
            requires_grad: bool = False) -> Tensor:
    """Make a tensor, copying only if `copy` says so or it is needed."""
    made = as_tensor(obj, dtype, device)
    made = made.detach() if isinstance(obj, Tensor) and not requires_grad and made is not obj else made
    made = wrap(np.array(made._array)) if copy else made
    return made.requires_grad_() if requires_grad else made


def new_tensor(self: Tensor, data: Any, *, dtype: Any = None, device: Any = None,
               requires_grad: bool = False) -> Tensor:
    """Make a tensor by copying data, in the dtype of this one unless another is given."""
    check_device(device)
    return made_from(data, check_dtype("new_tensor", dtype) or self.dtype, requires_grad, "tensor.new_tensor")


def new(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
    """Make a tensor of this one's dtype from sizes or data, as in torch's first years: `t.new(2, 3)`, `t.new([1, 2])`.

    >>> import autograd_lab as torch
    >>> torch.ones(1, dtype=torch.int64).new([2, 3])
    tensor([2, 3])
    """
    from autograd_lab.core.construct import legacy_tensor

    return legacy_tensor(Tensor, args, kwargs, self.dtype)


functions |= {"tensor": tensor, "as_tensor": as_tensor, "from_numpy": from_numpy, "asarray": asarray}
Tensor.new = new
Tensor.new_tensor = new_tensor
