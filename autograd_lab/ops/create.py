"""Factories: tensors of zeros, of ones, of one value, like another tensor or of a given size."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.inplace import overwrite
from autograd_lab.core.memory_formats import arranged, preserve_format
from autograd_lab.core.op import functions
from autograd_lab.core.tensor import Tensor, fresh, set_array, wrap
from autograd_lab.ops.data import check_device, check_dtype


def sizes(op: str, given: tuple, size: Any = None) -> tuple[int, ...]:
    """Return the sizes that a factory was given, one by one or in one sequence, checked as torch checks them."""
    if size is not None:
        given = (size,)
    elif not given:
        raise TypeError(f'{op}() missing 1 required positional arguments: "size"')
    if len(given) == 1 and isinstance(given[0], (tuple, list)):
        given = tuple(given[0])
        kind = None
    else:
        kind = given[0].__class__.__name__
    found = []
    for position, one in enumerate(given):
        if type(one) is not int:
            if isinstance(one, bool) or not hasattr(one, "__index__"):
                if position == 0 and kind is not None:
                    raise TypeError(f"{op}(): argument 'size' (position 1) must be tuple of ints, not {kind}")
                raise TypeError(
                    f"{op}(): argument 'size' failed to unpack the object at pos {position + 1} with error "
                    f"\"type must be tuple of ints,but got {type(one).__name__}\""
                )
            one = one.__index__()
        if not -(2**63) <= one < 2**63:
            raise TypeError(f"{op}(): argument 'size' failed to unpack the object at pos {position + 1} with error "
                            '"Overflow when unpacking long long')  # fmt: skip
        found.append(one)
    if found and min(found) < 0:
        if op == "zeros":
            raise RuntimeError(f"{op}: Dimension size must be non-negative.")
        bad = next(one for one in found if one < 0)
        raise RuntimeError(f"Trying to create tensor with negative dimension {bad}: [{', '.join(map(str, found))}]")
    return tuple(found)


def deliver(op: str, array: Any, out: Any, requires_grad: bool) -> Tensor:
    """Return a new array as a tensor, or put it into `out`."""
    if out is None:
        return fresh(array if array.ndim else array[()], requires_grad)
    if out._node is not None:
        from autograd_lab.core.outs import refuse_recorded

        refuse_recorded(f"aten::{op}", out)
    if out._array.shape != array.shape:     # factories resize without the warning that other operations give
        set_array(out, np.empty(array.shape, out._array.dtype))
    overwrite(out, wrap(array), op)
    return out.requires_grad_() if requires_grad else out


def _filled(name: str, make: Any) -> None:
    def factory(*size: Any, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
                requires_grad: bool = False, pin_memory: bool = False, memory_format: Any = None,
                **more: Any) -> Tensor:  # fmt: skip
        if more.keys() - {"size"}:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(more))}'")
        check_device(device)
        target = check_dtype(name, dtype) or (dtypes.get_default_dtype() if out is None else out.dtype)
        return deliver(name, make(sizes(name, size, more.get("size")), target.numpy), out, requires_grad)

    def like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
             memory_format: Any = None) -> Tensor:  # fmt: skip
        if not isinstance(input, Tensor):
            raise fail.bad_argument(f"{name}_like", "input", input, 1)
        check_device(device)
        kind = check_dtype(f"{name}_like", dtype)
        return deliver(name, same_layout(input._array, make, kind, memory_format), None, requires_grad)

    def new(self: Tensor, *size: Any, dtype: Any = None, device: Any = None, requires_grad: bool = False,
            layout: Any = None, pin_memory: bool = False, **more: Any) -> Tensor:  # fmt: skip
        check_device(device)
        target = check_dtype(f"new_{name}", dtype) or self.dtype
        return deliver(name, make(sizes(f"new_{name}", size, more.get("size")), target.numpy), None, requires_grad)

    what = {"zeros": "zeros", "ones": "ones", "empty": "memory that is not set (zeros here)"}[name]
    for function, public in ((factory, name), (like, f"{name}_like"), (new, f"new_{name}")):
        function.__name__ = function.__qualname__ = public
        function.__doc__ = f"Make a tensor of {what}."
        function.__module__ = "autograd_lab"
    functions[name], functions[f"{name}_like"] = factory, like
    setattr(Tensor, f"new_{name}", new)


def same_layout(array: Any, make: Any, dtype: Any, memory_format: Any = None) -> Any:
    """Make an array with the shape of another, and its order in memory where that has no gaps, or the one asked for."""
    kind = array.dtype if dtype is None else dtype.numpy
    if memory_format is not None and memory_format is not preserve_format:
        return arranged(make(array.shape, kind), memory_format)
    if type(array) is not np.ndarray or array.flags.c_contiguous or 0 in array.strides:
        return make(array.shape, kind)
    made = np.empty_like(array, dtype=kind)
    made[...] = make((), kind)
    return made


_filled("zeros", np.zeros)
_filled("ones", np.ones)
_filled("empty", np.zeros)


def _value(fill_value: Any, dtype: Any) -> tuple[Any, Any]:
    if isinstance(fill_value, Tensor):
        dtype = dtype or fill_value.dtype
        fill_value = fill_value.item()
    if isinstance(fill_value, complex):
        raise fail.complex_number()
    if not isinstance(fill_value, (bool, int, float)):
        raise TypeError(f"full(): argument 'fill_value' (position 2) must be Number, not {type(fill_value).__name__}")
    if dtype is None:
        kind = dtypes.bool if isinstance(fill_value, bool) else dtypes.int64
        dtype = dtypes.get_default_dtype() if isinstance(fill_value, float) else kind
    return fill_value, dtype


def filled_array(shape: tuple, value: Any, kind: np.dtype) -> np.ndarray:
    """Return an array of one value, converted as torch converts it."""
    if isinstance(value, (int, float)):
        check_fits(value, kind)
    value = np.asarray(value)
    if kind.kind in "iu" and value.dtype.kind == "f" and not np.isfinite(value):
        raise fail.number_overflow(value, kind)
    return np.full(shape, value.astype(kind))


def full(size: Any = None, fill_value: Any = ..., *, out: Any = None, dtype: Any = None, layout: Any = None,
         device: Any = None, requires_grad: bool = False, pin_memory: bool = False,
         names: Any = None) -> Tensor:  # fmt: skip
    """Make a tensor of one value; its dtype follows the value."""
    if fill_value is ...:
        raise TypeError('full() missing 1 required positional arguments: "fill_value"')
    if not isinstance(size, (tuple, list)):
        raise TypeError(f"full(): argument 'size' (position 1) must be tuple of ints, not {type(size).__name__}")
    check_device(device)
    given = check_dtype("full", dtype) or (out.dtype if out is not None else None)
    value, target = _value(fill_value, given)
    return deliver("full", filled_array(sizes("full", (size,)), value, target.numpy), out, requires_grad)


def full_like(input: Tensor, fill_value: Any, *, dtype: Any = None, layout: Any = None, device: Any = None,
              requires_grad: bool = False, memory_format: Any = None) -> Tensor:  # fmt: skip
    """Make a tensor of one value with another tensor's shape and dtype."""
    if not isinstance(input, Tensor):
        raise fail.bad_argument("full_like", "input", input, 1)
    check_device(device)
    value, _ = _value(fill_value, dtypes.float64)
    array = same_layout(input._array, lambda shape, kind: filled_array(shape, value, kind),
                        check_dtype("full_like", dtype), memory_format)
    return deliver("full_like", array, None, requires_grad)


def new_full(self: Tensor, size: Any, fill_value: Any, *, dtype: Any = None, device: Any = None,
             requires_grad: bool = False, layout: Any = None, pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Make a tensor of one value and of this tensor's dtype."""
    check_device(device)
    value, _ = _value(fill_value, dtypes.float64)
    target = check_dtype("new_full", dtype) or self.dtype
    return deliver("new_full", filled_array(sizes("new_full", (size,)), value, target.numpy), None, requires_grad)


def scalar_tensor(s: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False, **more: Any) -> Tensor:
    """Make a 0-d tensor of the default dtype."""
    target = check_dtype("scalar_tensor", dtype) or dtypes.get_default_dtype()
    return deliver("scalar_tensor", filled_array((), s, target.numpy), None, requires_grad)


def empty_strided(size: Any, stride: Any, *, dtype: Any = None, device: Any = None, requires_grad: bool = False,
                  **more: Any) -> Tensor:  # fmt: skip
    """Make a tensor with given strides."""
    target = (check_dtype("empty_strided", dtype) or dtypes.get_default_dtype()).numpy
    length = 1 + sum((one - 1) * step for one, step in zip(size, stride, strict=True)) if 0 not in size else 0
    made = np.ndarray(tuple(size), target, np.zeros(length, target), 0,
                      tuple(step * target.itemsize for step in stride))
    return fresh(made, requires_grad)


functions |= {"full": full, "full_like": full_like, "scalar_tensor": scalar_tensor, "empty_strided": empty_strided}
Tensor.new_full = new_full
