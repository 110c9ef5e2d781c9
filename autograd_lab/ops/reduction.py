"""Sums, means and products, over everything or along dimensions, and the questions any, all and count_nonzero."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.dims import axes
from autograd_lab.core.op import Vjp, arrays, functions, op, tensors
from autograd_lab.core.public import absent
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.along import dims_argument, restore, result_dtype


# ------------------------------------------------------------------ sum
def _sum_along(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Any:
    if not isinstance(input, Tensor):
        raise fail.bad_argument("sum", "input", input, 1)
    if dim is absent:
        if keepdim:
            raise TypeError("sum(): dim is needed where keepdim is given")
        return tensors._sum_as(input, dtype, out=out)
    if out is not None and dtype is None:
        dtype = out.dtype
    return tensors._sum_dim(input, dims_argument("sum", dim), keepdim, dtype, out=out)


@op(r"y = \textstyle\sum_i a_i", redirect=("dim is not dim_default or keepdim or dtype is not None", _sum_along),
    self=Vjp(lambda grad, self_sizes, xp: xp.expand(grad, self_sizes), r"\bar a_i = \bar y"))
def sum(self, dim=absent, keepdim=False, *, dtype=None):
    """Add all elements, or those along the given dimensions; integers give int64."""
    kind = self.dtype
    if kind.kind != "f":
        return np.add.reduce(self, None, np.int64)
    return np.add.reduce(self, None) if kind.itemsize > 2 else np.add.reduce(self, None, np.float32).astype(kind)


def _sum_arrays(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
    return total(self, None if dim is None else axes(dim, self.ndim), keepdim)


arrays.sum = _sum_arrays    # the array vocabulary has one `sum` for what the table keeps in three rows


@op(r"y = \textstyle\sum_i a_i", function=False, method=False, node="SumBackward0", fix="always",
    self=Vjp(lambda grad, self_sizes, xp: xp.expand(grad, self_sizes), r"\bar a_i = \bar y"))
def _sum_as(self, dtype):
    """Add all elements in another dtype."""
    return total(self, None, False, dtype)


@op(r"y = \textstyle\sum_{i \in d} a_i", function=False, method=False, row_order=True,
    node="SumBackward1", fix="always",
    self=Vjp(lambda grad, self_sizes, dim, keepdim, xp: xp.expand(restore(grad, dim, keepdim, self_sizes, xp),
                                                                  self_sizes),
             r"\bar a_i = \bar y"))
def _sum_dim(self, dim, keepdim, dtype):
    """Add along dimensions."""
    return total(self, axes(dim, self.ndim), keepdim, dtype)


def total(self: Any, axis: Any, keepdim: bool, dtype: Any = None) -> Any:
    """Return the sum along axes in the dtype that torch gives it."""
    kind = self.dtype
    if dtype is None and kind.kind == "f" and kind.itemsize > 2:
        return np.add.reduce(self, axis, None, None, keepdim)
    target = result_dtype(self, dtype)
    if self.dtype is not target and (target.kind != "f" or self.dtype.kind == "f"):
        self = self.astype(target)
    if target.itemsize == 2 and target.kind == "f":
        return np.add.reduce(self, axis, np.float32, keepdims=keepdim).astype(target)
    return np.add.reduce(self, axis, target, keepdims=keepdim)


@op(r"y = \textstyle\sum_{a_i \text{ a number}} a_i", method=False, function=False, row_order=True,
    node="NansumBackward0",
    fix="always",
    self=Vjp(lambda grad, self, dim, keepdim, xp: restore(grad, dim, keepdim, self.shape, xp) * (self == self),
             r"\bar a_i = [a_i \text{ a number}] \, \bar y"))
def _nansum(self, dim, keepdim, dtype):
    """Add the elements that are numbers."""
    if self.dtype.kind == "f":
        self = np.where(self == self, self, self.dtype.type(0))
    return total(self, axes(dim, self.ndim), keepdim, dtype)


def nansum(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Any:
    """Add all elements that are numbers, or those along the given dimensions."""
    return tensors._nansum(input, dims_argument("nansum", dim), keepdim, dtype, out=out)


# ------------------------------------------------------------------ mean
def _mean_along(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None) -> Any:
    if not isinstance(input, Tensor):
        raise fail.bad_argument("mean", "input", input, 1)
    if dim is absent:
        if keepdim:
            raise TypeError("mean(): dim is needed where keepdim is given")
        return tensors._mean_as(input, dtype, out=out)
    return tensors._mean_dim(input, dims_argument("mean", dim), keepdim, dtype, out=out)


@op(r"y = \tfrac1n \textstyle\sum_i a_i",
    redirect=("dim is not dim_default or keepdim or dtype is not None", _mean_along),
    self=Vjp(lambda grad, self_sizes, self_numel, xp: xp.expand(grad, self_sizes) / self_numel,
             r"\bar a_i = \bar y / n"))
def mean(self, dim=absent, keepdim=False, *, dtype=None):
    """Average all elements, or those along the given dimensions."""
    kind = self.dtype
    if kind.kind != "f" or kind.itemsize == 2:
        return average(self, None, False, None)
    return np.add.reduce(self, None) / self.size


@op(r"y = \tfrac1n \textstyle\sum_i a_i", function=False, method=False, node="MeanBackward0", fix="always",
    self=Vjp(lambda grad, self_sizes, self_numel, xp: xp.expand(grad, self_sizes) / self_numel,
             r"\bar a_i = \bar y / n"))
def _mean_as(self, dtype):
    """Average all elements in another dtype."""
    return average(self, None, False, dtype)


def _mean_slope(grad, self_sizes, self_numel, dim, keepdim, xp):
    count = 1
    for k in axes(dim, len(self_sizes)):
        count *= self_sizes[k]
    return xp.expand(restore(grad, dim, keepdim, self_sizes, xp), self_sizes) / max_1(count)


def max_1(count: int) -> int:
    """Return the count, at least 1: an empty mean has an empty gradient."""
    return count or 1


@op(r"y = \tfrac1n \textstyle\sum_{i \in d} a_i", function=False, method=False, node="MeanBackward1",
    row_order=True, fix="always",
    self=Vjp(_mean_slope, r"\bar a_i = \bar y / n"))
def _mean_dim(self, dim, keepdim, dtype):
    """Average along dimensions."""
    check_mean(self, dtype)
    return average(self, axes(dim, self.ndim), keepdim, dtype)


def check_mean(self: Any, dtype: Any) -> np.dtype:
    """Return the dtype of a mean; refuse integers as torch does."""
    target = self.dtype if dtype is None else dtype.numpy
    if target.kind != "f":
        what = ("could not infer output dtype. Input dtype must be either a floating point or complex dtype. Got: "
                if dtype is None else "could not infer output dtype. Optional dtype must be either a floating point or complex dtype. Got: ")  # noqa: E501
        raise RuntimeError(f"mean(): {what}{dtypes.from_numpy(target).scalar_name}")
    return target


def average(self: Any, axis: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the mean along axes."""
    target = check_mean(self, dtype)
    self = self.astype(target) if self.dtype is not target else self
    wide = np.float32 if target.itemsize == 2 else target
    found = np.add.reduce(self, axis, wide, keepdims=keepdim)
    count = self.size // found.size if found.size else 1
    if not self.size and found.size:
        count = 0
    return (found / count).astype(target, copy=False)


def nanmean(input: Any, dim: Any = None, keepdim: bool = False, *, dtype: Any = None) -> Any:
    """Average the elements that are numbers."""
    if input._array.dtype.kind != "f":
        raise RuntimeError("nanmean(): expected input to have floating point or complex dtype but got "
                           f"{input.dtype.scalar_name}")  # fmt: skip
    numbers = tensors.sum(tensors.logical_not(tensors.isnan(input.detach())), dim, keepdim)
    return tensors.div(nansum(input, dim, keepdim, dtype=dtype), numbers)


# ------------------------------------------------------------------ questions
def _question(name: str, ufunc: Any) -> None:
    def kernel(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        over = None if dim is None else () if isinstance(dim, (tuple, list)) and not dim else axes(dim, self.ndim)
        found = ufunc.reduce(self != 0, over, keepdims=keepdim)
        return found.astype(np.uint8) if self.dtype == np.uint8 else found

    kernel.__name__ = name
    kernel.__doc__ = f"Say whether {'all elements are' if name == 'all' else 'any element is'} nonzero."
    op(rf"y = \operatorname{{{name}}}_i a_i", tensors=("self",), row_order=True)(kernel)


_question("any", np.logical_or)
_question("all", np.logical_and)


@op(r"y = |\{i : a_i \ne 0\}|", tensors=("self",), row_order=True, out=False)
def count_nonzero(self, dim=None):
    """Count the elements that are not zero."""
    return np.add.reduce(self != 0, axes(dim, self.ndim) if dim is not None else None, np.int64)


functions |= {"nansum": nansum, "nanmean": nanmean}
Tensor.nansum, Tensor.nanmean = nansum, nanmean
