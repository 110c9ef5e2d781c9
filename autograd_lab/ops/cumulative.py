"""Running sums, products, extremes and logsumexp along a dimension, and differences of neighbours."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, functions, op, tensors
from autograd_lab.core.operands import put_out
from autograd_lab.core.public import absent
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.along import result_dtype
from autograd_lab.ops.refusals import not_implemented, require_float


def _flipped(grad, dim, xp):
    """Return the running sum from the far end."""
    if not grad.shape or grad.shape[dim] == 1:
        return grad
    return xp.flip(xp.cumsum(xp.flip(grad, (dim,)), dim), (dim,))


@op(r"y_k = \textstyle\sum_{i \le k} a_i", inplace=True, fix="always",
    self=Vjp(lambda grad, dim, xp: _flipped(grad, dim, xp), r"\bar a_i = \textstyle\sum_{k \ge i} \bar y_k"))
def cumsum(self, dim, *, dtype=None):
    """Running sum along a dimension; integers give int64."""
    made = running(np.add, self, dim, dtype)
    if made.ndim and made.dtype.kind == "f":
        made += 0       # torch starts from 0.0, so that no sum is -0.0
    return made


def running(ufunc: Any, self: Any, dim: int, dtype: Any) -> Any:
    """Accumulate along a dimension in the dtype that torch gives the result."""
    axis = wrap_dim(dim, self.ndim)
    target = result_dtype(self, dtype)
    if not self.ndim:
        return self.astype(target)
    if target.kind == "b" and self.size:
        raise not_implemented(f"{'cumsum' if ufunc is np.add else 'cumprod'}_out_cpu", np.empty(0, target))
    wide = np.float32 if target.itemsize == 2 and target.kind == "f" else target
    return ufunc.accumulate(self.astype(wide, copy=False), axis).astype(target, order="C", copy=False)


def _product_slope(grad, self, dim, result, xp):
    if math.prod(self.shape) <= 1 or self.shape[dim] == 1:
        return grad
    if not bool((self == 0).any()):
        return _flipped(grad * result, dim, xp) / self
    if type(self) is np.ndarray and not np.isnan(self).any():
        return _product_slope_with_zeros(grad, self, wrap_dim(dim, self.ndim), result)
    # With zeros: for each i the running products in which a_i is replaced by 1, one row for each i.
    axis, count = wrap_dim(dim, len(self.shape)), self.shape[dim]
    sizes = tuple(self.shape)
    rows = xp.expand(xp.unsqueeze(self, axis), (*sizes[:axis], count, *sizes[axis:]))
    shape = (count, count) + (1,) * (len(sizes) - axis - 1)
    here = xp.constant(np.eye(count, dtype=bool).reshape(shape), self)
    later = xp.constant(np.triu(np.ones((count, count), bool)).reshape(shape), self)
    others = xp.cumprod(xp.where(here, 1.0, rows), axis + 1)
    return xp._sum_dim(xp.unsqueeze(grad, axis) * others * later, (axis + 1,), False, None)


def _product_slope_with_zeros(grad, self, axis, result):
    """Return the gradient along rows with zeros: before the first as usual, a sum at it, and 0 beyond."""
    zeros = np.cumsum(self == 0, axis)

    def from_the_end(values: Any) -> Any:
        return np.flip(np.cumsum(np.flip(values, axis), axis), axis)

    before, between = zeros == 0, zeros == 1
    first = between & (self == 0)
    made = np.where(before, from_the_end(np.where(before, result * grad, 0)) / self, 0)
    beyond = np.cumprod(np.where(between & ~first, self, 1), axis) * np.where(between, grad, 0)
    at = np.argmax(first, axis, keepdims=True)
    ahead = np.where(at == 0, 1, np.take_along_axis(result, np.maximum(at - 1, 0), axis))
    return np.where(first, np.add.reduce(beyond, axis, keepdims=True) * ahead, made).astype(self.dtype)


@op(r"y_k = \textstyle\prod_{i \le k} a_i", inplace=True, fix="always",
    self=Vjp(_product_slope, r"\bar a_i = \textstyle\sum_{k \ge i} \bar y_k \, y_k / a_i"))
def cumprod(self, dim, *, dtype=None):
    """Running product along a dimension; integers give int64."""
    return running(np.multiply, self, dim, dtype)


def _bools_in_place(name: str) -> None:
    """Let the in-place form compute bools as bools, which torch then has no kernel for."""
    twin = getattr(Tensor, f"{name}_")

    def method(self: Any = absent, /, *args: Any, **kwargs: Any) -> Any:
        if isinstance(self, Tensor) and self._array.dtype.kind == "b" and kwargs.get("dtype") is None:
            kwargs["dtype"] = dtypes.bool
        return twin(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__, method.is_public = twin.__doc__, True  # type: ignore[attr-defined]
    setattr(Tensor, f"{name}_", method)


_bools_in_place("cumsum")
_bools_in_place("cumprod")


@op(r"\bar a_{i_k} \mathrel{+}= \bar y_k", function=False, method=False, out=False, tensors=("indices",),
    node="ScatterAddBackward0",
    self=Vjp(lambda grad, dim, indices, xp: xp.pick_along(grad, dim, indices, True), r"\bar g_k = \bar{\bar a}_{i_k}"))
def cummaxmin_backward(self, dim, indices, sizes):
    """Add the gradient of each running extreme at the place where the extreme stands."""
    made = np.zeros(sizes, self.dtype)
    if not sizes:
        return made + self
    places = list(np.indices(sizes, sparse=True))
    places[wrap_dim(dim, len(sizes))] = indices
    np.add.at(made, tuple(places), self)
    return made


def _extreme_row(name: str, ufunc: Any) -> None:
    def kernel(self: Any, dim: int) -> tuple:
        if not self.size:       # torch looks at no dimension then
            return self.copy(), np.empty(self.shape, np.int64)
        if not self.ndim:
            if dim not in (-1, 0):
                raise IndexError(f"{name}(): Expected reduction dim -1 or 0 for scalar but got {dim}")
            return self.copy(), np.int64(0)
        axis = wrap_dim(dim, self.ndim)
        values = ufunc.accumulate(self, axis)
        # An element that equals the extreme so far becomes the extreme: the latest index counts.
        count = np.arange(self.shape[axis]).reshape((-1,) + (1,) * (self.ndim - axis - 1))
        here = (self == values) | (self != self)
        return values, np.maximum.accumulate(np.where(here, count, 0), axis)

    kernel.__name__ = name
    what = "maximum" if name == "cummax" else "minimum"
    kernel.__doc__ = f"Return the running {what} along a dimension and where it stands."
    op(rf"y_k = \{name[3:]}_{{i \le k}} a_i", row_order=True, outputs=("values", "indices"), differentiable=("values",),
       return_type=name,
       self=Vjp(lambda grad, self, dim, indices, xp: xp.cummaxmin_backward(grad, dim, indices, tuple(self.shape))
                if math.prod(self.shape) else self,     # torch returns the empty input itself
                r"\bar a_{i_k} = \textstyle\sum_k \bar y_k"))(kernel)


_extreme_row("cummax", np.maximum)
_extreme_row("cummin", np.minimum)


def _logcumsumexp_slope(grad, self, dim, result, xp):
    if not self.shape or not math.prod(self.shape):
        return grad
    lowest = float(np.finfo(np.float32).min)

    def part(weights: Any) -> Any:
        logs = xp.where(weights > 0, xp.log(weights), lowest)
        return xp.exp(xp.flip(xp.logcumsumexp(xp.flip(logs - result, (dim,)), dim), (dim,)) + self)

    return part(grad) - part(-grad)


@op(r"y_k = \ln \textstyle\sum_{i \le k} e^{a_i}", row_order=True,
    self=Vjp(_logcumsumexp_slope, r"\bar a_i = e^{a_i} \textstyle\sum_{k \ge i} \bar y_k e^{-y_k}"))
def logcumsumexp(self, dim):
    """Running logarithm of the sum of exponentials along a dimension."""
    axis = wrap_dim(dim, self.ndim)
    require_float("logcumsumexp_out_cpu", self)
    return np.logaddexp.accumulate(self, axis) if self.ndim else self.copy()


def _check_beside(shape: tuple, more: tuple, axis: int) -> None:
    """Raise unless a tensor fits before or behind another one along an axis."""
    if len(more) != len(shape):
        raise RuntimeError("diff expects prepend or append to be the same dimension as input")
    for k, (have, size) in enumerate(zip(shape, more, strict=True)):
        if k != axis and have != size:
            raise RuntimeError(
                "diff expects the shape of tensor to prepend or append to match that of input except along the "
                f"differencing dimension; input.size({k}) = {have}, but got tensor.size({k}) = {size}"
            )


@composed(vocabulary=False)
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Any = None, append: Any = None, *,
         out: Any = None) -> Tensor:
    """Return the differences of neighbours along a dimension, `n` times."""
    if not input._array.ndim:
        raise RuntimeError("diff expects input to be at least one-dimensional")
    axis = wrap_dim(dim, input._array.ndim)
    parts = [part for part in (prepend, input, append) if part is not None]
    if n < 0:
        raise RuntimeError(f"order must be non-negative but got {n}")
    for part in parts:
        _check_beside(input._array.shape, part._array.shape, axis)
    if not n:
        return functions["zeros_like"](input).copy_(input)
    found = tensors.cat(parts, axis) if len(parts) > 1 else input
    if not found._array.shape[axis]:
        return found
    for _ in range(min(n, found._array.shape[axis])):
        size = found._array.shape[axis]
        later, earlier = (tensors.slice(found, axis, start, end, 1) for start, end in ((1, size), (0, size - 1)))
        found = tensors.logical_xor(later, earlier) if found._array.dtype.kind == "b" else tensors.sub(later, earlier)
    return put_out("diff", found, out)
