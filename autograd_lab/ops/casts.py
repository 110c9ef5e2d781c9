"""Copies and changes of dtype: clone, to, float, long, type and their relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.accumulate import in_layout
from autograd_lab.core.composed import composed
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.memory_formats import arranged, preserve_format
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.tensor import Tensor, device
from autograd_lab.ops.words import vanishing


@op(r"y = a", self=Vjp(lambda grad: grad, r"\bar a = \bar y"), out=False)
def clone(self, *, memory_format=None):
    """Copy the elements; the gradient passes through."""
    if not self.ndim:
        return self.copy()
    if memory_format is not None and memory_format is not preserve_format:
        return arranged(self, memory_format)
    # The order in memory stays, unless several elements are one place.
    return np.array(self, order="C" if 0 in self.strides else "K")


@op(r"y = b", self=Vjp(vanishing, r"\bar a = 0"), src=Vjp(lambda grad: grad, r"\bar b = \bar y"), function=False,
    method=False,
    out=False, node="CopyBackwards")
def copy_of_gradient(self, src):
    """Copy a gradient that is itself part of a graph into the memory of a leaf's new `.grad`."""
    return in_layout(src, self) if src.ndim else src.copy()


@op(r"y = a \text{ as another dtype}", function=False, method=False, out=False, fix="always", node="ToCopyBackward0",
    unless="made.dtype.kind != 'f'",
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def _to_copy(self, dtype):
    """Copy into another dtype."""
    return self.astype(dtype.numpy)


def cast(input: Tensor, dtype: dtypes.dtype) -> Tensor:
    """Return the tensor itself if it has the dtype, else a copy in it."""
    return input if input._array.dtype is dtype.numpy else tensors._to_copy(input, dtype)


def _caster(name: str, dtype: dtypes.dtype) -> None:
    def method(self: Tensor, memory_format: Any = None) -> Tensor:
        return cast(self, dtype)

    method.__doc__ = f"Return the tensor as {dtype!r}: itself if it is, else a copy."
    composed(name=name, function=False, vocabulary=False)(method)


for _name, _dtype in (("half", dtypes.float16), ("float", dtypes.float32), ("double", dtypes.float64),
                      ("char", dtypes.int8),
                      ("byte", dtypes.uint8), ("short", dtypes.int16), ("int", dtypes.int32), ("long", dtypes.int64),
                      ("bool", dtypes.bool)):  # fmt: skip
    _caster(_name, _dtype)


@composed(function=False, vocabulary=False)
def to(self: Tensor, *args: Any, dtype: Any = None, device: Any = None, non_blocking: bool = False, copy: bool = False,
       memory_format: Any = None) -> Tensor:  # fmt: skip
    """Return the tensor in another dtype, or in that of another tensor; itself if nothing changes and not `copy`."""
    given, dtype = list(map(dtypes.of_python, args)), dtypes.of_python(dtype)
    if given:
        first = given.pop(0)
        if isinstance(first, Tensor):
            dtype = first.dtype
        elif isinstance(first, dtypes.dtype):
            dtype = first
        elif first is None or isinstance(first, (str, int)) or first.__class__.__name__ == "device":
            _check_device(first)
            if given and (given[0] is None or isinstance(given[0], dtypes.dtype)):
                dtype = given.pop(0) or dtype
        else:
            raise TypeError(
                "to() received an invalid combination of arguments - got "
                f"({first.__class__.__name__}), but expected one of:\n * (torch.device device = None, "
                f"torch.dtype dtype = "
                "None, bool non_blocking = False, bool copy = False, *, torch.memory_format memory_format = None)\n * "
                "(torch.dtype dtype, bool non_blocking = False, bool copy = False, *, torch.memory_format "
                "memory_format "
                "= None)\n * (Tensor tensor, bool non_blocking = False, bool copy = False, *, torch.memory_format "
                "memory_format = None)\n"
            )
        if len(given) > 1:
            copy = given[1]
    _check_device(device)
    target = self.dtype if dtype is None else dtype
    if self._array.dtype is target.numpy and not copy:
        return self if memory_format is None else self.contiguous(memory_format=memory_format)
    return tensors._to_copy(self, target)


@composed(function=False, vocabulary=False)
def to_dense(self: Tensor, dtype: Any = None, *, masked_grad: bool | None = None) -> Tensor:
    """Return the tensor itself, or its copy in another dtype: in the lab every tensor is dense already."""
    return self if dtype is None else to(self, dtype)


def _check_device(value: Any) -> None:
    if value is not None and not isinstance(value, int):
        device(value)


@composed(function=False, vocabulary=False)
def cpu(self: Tensor, memory_format: Any = None) -> Tensor:
    """Return the tensor itself: it lives on the CPU."""
    return self


_TYPE_NAMES = {one.tensor_type: one for one in dtypes.ALL}


@composed(function=False, vocabulary=False)
def type(self: Tensor, dtype: Any = None, non_blocking: bool = False, **kwargs: Any) -> Any:
    """Return the name of the tensor's type, or the tensor as another one (a dtype, a type's name or a constructor)."""
    if dtype is None:
        return self.dtype.tensor_type
    if not isinstance(dtype, dtypes.dtype):
        dtype = _named(dtype)
    return cast(self, dtype)


def _named(value: Any) -> dtypes.dtype:
    if not isinstance(value, str) and not hasattr(value, "__mro__"):
        refuse_strangers("type", value)
        raise TypeError("dtype must be a type, str, or dtype object")
    name = value if isinstance(value, str) else f"torch.{getattr(value, '__name__', value)}"
    if name == "torch.Tensor":
        return dtypes.get_default_dtype()
    found = _TYPE_NAMES.get(name)
    if found is None:
        raise ValueError(f"invalid type: '{name}'")
    return found


@composed(function=False, vocabulary=False)
def type_as(self: Tensor, other: Tensor) -> Tensor:
    """Return the tensor in the dtype of another one."""
    return cast(self, other.dtype)


@composed(method=False, vocabulary=False)
def is_floating_point(input: Tensor) -> Any:
    """Say whether the elements are floating-point numbers."""
    return input._array.dtype.kind == "f"


@composed(method=False, vocabulary=False)
def is_complex(input: Tensor) -> Any:
    """Return False: the lab has no complex numbers."""
    return False


@composed(method=False, vocabulary=False)
def numel(input: Tensor) -> Any:
    """Return the number of elements."""
    if not isinstance(input, Tensor):
        raise fail.bad_argument("numel", "input", input, 1)
    return input._array.size


@composed(method=False, vocabulary=False)
def is_nonzero(input: Tensor) -> Any:
    """Say whether the only element is not zero."""
    if input._array.size != 1:
        what = "more than one value" if input._array.size else "no values"
        raise RuntimeError(f"Boolean value of Tensor with {what} is ambiguous")
    return input._array.item() != 0


def _is_nonzero(self: Tensor) -> Any:
    return is_nonzero(self)


Tensor.is_nonzero = _is_nonzero
