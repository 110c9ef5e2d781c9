"""Overwriting a tensor as a whole: zero_, fill_, copy_, and giving it another size or other memory: resize_, set_."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.inplace import check_leaf, run_inplace
from autograd_lab.core.moored import keep_shape, renew
from autograd_lab.core.node import ACCUMULATE_SEQUENCE, node_class
from autograd_lab.core.op import Vjp, functions, op, table, tensors
from autograd_lab.core.provenance import user_frame
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.state import local, mode
from autograd_lab.core.strided import Geometry, contiguous_strides, layout
from autograd_lab.core.tensor import Tensor, set_array, wrap
from autograd_lab.core.versions import cell_of, materialize, memory_of, touch
from autograd_lab.core.views import rebase
from autograd_lab.ops.create import filled_array
from autograd_lab.ops.words import vanishing


@op(r"y = 0", function=False, method=False, out=False, overlaps=True, self=Vjp(vanishing, r"\bar a = 0"))
def zero(self):
    """Zeros."""
    return np.zeros_like(self)


@op(r"y = v", function=False, method=False, out=False, overlaps=True, node="FillBackward2",
    self=Vjp(vanishing, r"\bar a = 0"))
def _fill_number(self, value):
    """One number everywhere."""
    return filled_array(self.shape, value, self.dtype)


@op(r"y = v", function=False, method=False, out=False, overlaps=True, node="FillBackward3", fix="always",
    self=Vjp(vanishing, r"\bar a = 0"), value=Vjp(lambda grad: grad.sum(), r"\bar v = \textstyle\sum_i \bar y_i"))
def _fill_tensor(self, value):
    """The number of a 0-d tensor everywhere."""
    if value.ndim:
        raise RuntimeError(f"fill_ only supports 0-dimension value tensor but got tensor with {value.ndim} dimensions.")
    return filled_array(self.shape, value, self.dtype)


def _fill_row(name: str, value: Any) -> str:
    if isinstance(value, Tensor):
        return "_fill_tensor"
    if not isinstance(value, (bool, int, float, np.generic)):
        kind = type(value).__name__
        reason = f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n"
        raise TypeError(f"{name}() received an invalid combination of arguments - got ({kind}), but expected one of:\n"
                        f" * (Tensor value)\n{reason} * (Number value)\n{reason}")  # fmt: skip
    return "_fill_number"


def fill_(self: Tensor, value: Any) -> Tensor:
    """Set every element to one value."""
    return run_inplace(table[_fill_row("fill_", value)], self, (value,), {})


def fill(input: Tensor, value: Any) -> Tensor:
    """Return a tensor of one value in the shape of the input."""
    return getattr(tensors, _fill_row("fill", value))(input, value)


def zero_(self: Tensor) -> Tensor:
    """Set every element to zero."""
    return run_inplace(table["zero"], self, (), {})


@op(r"y = b", function=False, method=False, out=False, node="CopyBackwards", fix="always",
    unless="made.dtype.kind != 'f'",
    self=Vjp(vanishing, r"\bar a = 0"), src=Vjp(lambda grad: grad, r"\bar b = \bar y"))
def copy_into(self, src):
    """The elements of another tensor, in this one's shape and dtype."""
    try:
        return np.broadcast_to(src, self.shape).astype(self.dtype)
    except ValueError:
        raise fail.output_shape(self.shape, broadcast_shapes(self.shape, src.shape)) from None


def copy_(self: Tensor, src: Any, non_blocking: bool = False) -> Tensor:
    """Overwrite the elements with those of another tensor, which broadcasts and is cast, or with a number."""
    if isinstance(src, (bool, int, float)):
        src = wrap(np.asarray(src)[()])
    if not isinstance(src, Tensor):
        raise fail.bad_argument("copy_", "other", src, 1)
    return run_inplace(table["copy_into"], self, (src,), {})


def resize_(self: Tensor, *sizes: Any, memory_format: Any = None) -> Tensor:
    """Give the tensor another size; elements stay in order, what is new is zero here."""
    size = tuple(sizes[0]) if len(sizes) == 1 and isinstance(sizes[0], (tuple, list)) else sizes
    if self._node is not None and not local.inference:
        raise RuntimeError("cannot resize variables that require grad")
    if tuple(size) == self._array.shape:
        return self     # nothing changes, so no version is counted
    for one in size:
        if one < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {one}: {list(size)}")
    array = materialize(self)
    count = int(np.prod(size, dtype=np.int64)) if size else 1
    # torch gives the elements new places in the order in which they lie in memory, not in that of the indices.
    flat = np.lib.stride_tricks.as_strided(array, (array.size,), (array.itemsize,)) if layout(array).strides == \
        array.strides else array.ravel()
    if count <= flat.size:
        made = flat[:count].reshape(size)
    else:
        made = np.zeros(count, array.dtype)
        made[: flat.size] = flat
        made = made.reshape(size)
    set_array(self, made)
    cell_of(self).array = None
    touch(self)
    return self


def resize_as_(self: Tensor, other: Tensor) -> Tensor:
    """Give the tensor the size of another one."""
    return resize_(self, *other._array.shape)


def _no_derivative(node: Any, grad: Any) -> tuple:
    raise RuntimeError("derivative for set_ is not implemented")


SetNotImplemented = node_class(
    "NotImplemented", "torch::autograd::NotImplemented", backward=_no_derivative, backward_recorded=_no_derivative
)


def set_(self: Tensor, source: Tensor | None = None, storage_offset: int | None = None, size: Any = None,
         stride: Any = None) -> Tensor:  # fmt: skip
    """Let the tensor share the memory of another one: with its shape and strides, or at an offset with others."""
    if source is not None and not isinstance(source, Tensor):
        raise NotImplementedError("set_(): autograd_lab takes another tensor here, no storage")
    if source is not None and storage_offset is not None:
        size = () if size is None else tuple(size)
        steps = contiguous_strides(size) if stride is None else tuple(stride)
        source = functions["as_strided"](source.detach(), size, steps, storage_offset)
    edges = (self._node, None if source is None else source._node)
    recorded = local.grad and edges != (None, None)
    if source is not None and source._array.dtype is not self._array.dtype:
        raise RuntimeError("Could not set tensor of type "
                           f"{source.dtype.cpp_name} to a tensor of type {self.dtype.cpp_name}")  # fmt: skip
    check_leaf(self, recorded)
    array = np.empty(0, self._array.dtype) if source is None else materialize(source)
    base = None if self._extra is None else self._extra.base
    geometry = None if base is None else Geometry.of(base._array, self._array)
    node = self._node
    leaf = not recorded and node is not None and node.kind == 1 and not node.hidden
    if leaf:
        renew(self, array.shape)
    elif not recorded and node is not None:
        keep_shape(self, array.shape)
    set_array(self, array)
    cell = cell_of(self)
    cell.array = None
    if source is not None:
        cell.memory = memory_of(source)
    touch(self)
    if recorded:
        node = SetNotImplemented()
        node.seq, node.clock, node.extra, node.fix = ACCUMULATE_SEQUENCE, mode.clock, None, None   # torch's errors, too
        node.edges, node.saved, node.site = edges, (), user_frame(0)
        rebase(self, node, geometry)
    return self


functions |= {"fill": fill, "zero_": zero_, "fill_": fill_, "resize_as_": resize_as_}
Tensor.fill_, Tensor.zero_, Tensor.copy_, Tensor.resize_, Tensor.set_ = fill_, zero_, copy_, resize_, set_
Tensor.resize_as_ = resize_as_
