"""Variance and standard deviation, logsumexp, prod, and the median."""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import axes, wrap_dim
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.along import dims_argument, restore, result_dtype


# ------------------------------------------------------------------ variance
def _count(sizes: tuple, dim: Any) -> int:
    return math.prod(sizes[k] for k in axes(dim, len(sizes)))


def _mean_again(self: Any, dim: Any, xp: Any) -> Any:
    if dim is None or not self.shape:
        return xp.mean(self)
    return xp._mean_dim(self, dim or None, True, None)


def _deviations(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool, xp: Any) -> Any:
    """Return 2/(n - c) * grad * (a - mean)."""
    free = max(0, _count(self.shape, dim) - (1 if correction is None else correction))
    if free == 0 and (dim is None or not self.shape):
        return grad * xp.where(self == _mean_again(self, dim, xp), math.nan, math.inf)
    scale = 2.0 / free if free else math.inf
    return scale * restore(grad, dim, keepdim, self.shape, xp) * (self - _mean_again(self, dim, xp))


def _std_slope(grad: Any, self: Any, dim: Any, correction: Any, keepdim: bool, result: Any, xp: Any) -> Any:
    return _deviations(xp.masked_fill(grad / (result * 2), result == 0, 0), self, dim, correction, keepdim, xp)


def spread(name: str, self: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
    """Return the variance and the mean along dims, computed in double precision."""
    if self.dtype.kind != "f":
        which = name if name.endswith("mean") else "std and var"
        raise RuntimeError(f"{which} only support floating point and complex dtypes")
    along = axes(dim, self.ndim)
    wide = np.asarray(self, np.float64)
    count = _count(self.shape, dim)
    mean = np.add.reduce(wide, along, keepdims=True) / (count or math.nan)
    squares = np.add.reduce((wide - mean) ** 2, along, keepdims=keepdim)
    free = count - (1 if correction is None else correction)
    if free <= 0 or not squares.size:
        warnings.warn(f"{name}(): degrees of freedom is <= 0. Correction should be strictly less than the "
                      f"reduction factor "
                      "(input numel divided by output numel). (Triggered internally at "
                      "/__w/pytorch/pytorch/aten/src/ATen/native/ReduceOps.cpp:1861.)", stacklevel=5)  # fmt: skip
    variance = squares / np.float64(max(0, free))
    if count > 1 and np.isinf(mean).any():
        mean = running_mean(wide, mean, along)
    return variance, mean if keepdim else mean.reshape(np.shape(squares))


def running_mean(wide: Any, mean: Any, along: tuple[int, ...]) -> Any:
    """Return the means as torch's running average has them: no number once something follows an infinite element."""
    moved = np.moveaxis(wide, along, range(len(along))).reshape(-1, *[n for k, n in enumerate(wide.shape) if k not in along])  # noqa: E501
    early = np.isinf(moved[:-1]).any(0)
    return np.where(early.reshape(mean.shape), math.nan, mean)


def _declare(name: str, formula: str, rooted: bool, slope: Any, latex: str) -> None:
    def kernel(self: Any, dim: Any, correction: Any, keepdim: bool) -> Any:
        variance, _ = spread(name, self, dim, correction, keepdim)
        return (np.sqrt(variance) if rooted else variance).astype(self.dtype)

    kernel.__name__ = f"_{name}"
    kernel.__doc__ = "Spread of the elements along dims."
    op(formula, function=False, method=False, row_order=True, fix="always", node=f"{name.capitalize()}Backward0",
       self=Vjp(slope, latex))(kernel)


def _var_slope(grad, self, dim, correction, keepdim, xp):
    return _deviations(grad, self, dim, correction, keepdim, xp)


def _std_row(grad, self, dim, correction, keepdim, result, xp):
    return _std_slope(grad, self, dim, correction, keepdim, result, xp)


_declare("var", r"y = \tfrac{1}{n - c} \textstyle\sum_i (a_i - \bar a)^2", False, _var_slope,
         r"\bar a_i = \tfrac{2}{n - c} (a_i - \mathrm{mean}) \, \bar y")
_declare("std", r"y = \sqrt{\tfrac{1}{n - c} \textstyle\sum_i (a_i - \mathrm{mean})^2}", True, _std_row,
         r"\bar a_i = \tfrac{a_i - \mathrm{mean}}{(n - c) \, y} \, \bar y")


def _both_rows(rooted: bool) -> Any:
    def slope(grads: Any, self: Any, dim: Any, correction: Any, keepdim: bool, result0: Any, xp: Any) -> Any:
        found = None
        if grads[0] is not None:
            row = _std_slope if rooted else None
            found = (row(grads[0], self, dim, correction, keepdim, result0, xp) if row
                     else _deviations(grads[0], self, dim, correction, keepdim, xp))
        if grads[1] is not None:
            mean = xp.expand(restore(grads[1], dim, keepdim, self.shape, xp),
                             tuple(self.shape)) / (_count(self.shape, dim) or 1)
            found = mean if found is None else found + mean
        return found

    if rooted:
        return slope
    return lambda grads, self, dim, correction, keepdim, xp: slope(grads, self, dim, correction, keepdim, None, xp)


def _declare_both(name: str, rooted: bool) -> None:
    def kernel(self: Any, dim: Any, correction: Any, keepdim: bool) -> tuple[Any, Any]:
        variance, mean = spread(f"{name}_mean", self, dim, correction, keepdim)
        return (np.sqrt(variance) if rooted else variance).astype(self.dtype), mean.astype(self.dtype)

    kernel.__name__ = f"_{name}_mean"
    kernel.__doc__ = "Spread and mean along dims."
    op(rf"y = (\operatorname{{{name}}} a, \operatorname{{mean}} a)", function=False, method=False, out=False,
       row_order=True,
       fix="always",
       outputs=("result0", "result1"), node=f"{name.capitalize()}MeanBackward0", self=Vjp(_both_rows(rooted)))(kernel)


_declare_both("var", False)
_declare_both("std", True)


def _overloads(name: str, mean: bool) -> None:
    row = f"_{name}_mean" if mean else f"_{name}"

    def function(input: Tensor, dim: Any = None, unbiased: Any = None, keepdim: bool = False, *, correction: Any = ...,
                 out: Any = None, axis: Any = None, keepdims: Any = None) -> Any:  # fmt: skip
        if isinstance(dim, bool):           # var(unbiased)
            dim, unbiased = None, dim
        dim = axis if axis is not None else dim
        keepdim = keepdims if keepdims is not None else keepdim
        if unbiased is not None:
            correction = int(unbiased)
        elif correction is ...:
            correction = None if dim is None else 1
        arguments = (input, dims_argument(name, dim), correction, keepdim)
        return getattr(tensors, row)(*arguments) if mean else getattr(tensors, row)(*arguments, out=out)

    function.__doc__ = f"Return the {'variance' if name == 'var' else 'standard deviation'}{' and the mean' if mean else ''}, of all elements or along dims."  # noqa: E501
    composed(name=f"{name}_mean" if mean else name, method=not mean, vocabulary=False)(function)


for _name in ("var", "std"):
    _overloads(_name, False)
    _overloads(_name, True)


# ------------------------------------------------------------------ logsumexp
@op(r"y = \ln \textstyle\sum_i e^{a_i}", function=False, method=False, row_order=True,
    dtype="float", node="LogsumexpBackward0",
    self=Vjp(lambda grad, self, result, dim, keepdim, xp: restore(grad, dim, keepdim, self.shape, xp)
             * xp.exp(self - restore(result, dim, keepdim, self.shape, xp)), r"\bar a = \bar y \, e^{a - y}"))
def _logsumexp(self, dim, keepdim):
    """Logarithm of the sum of exponentials along dims."""
    along = axes(dim, self.ndim)
    if not self.size:
        return np.log(np.add.reduce(self, along, keepdims=keepdim))
    high = np.maximum.reduce(self, along, keepdims=True)
    high = np.where(np.abs(high) == np.inf, self.dtype.type(0), high)
    found = np.log(np.add.reduce(np.exp(self - high), along, keepdims=True)) + high
    return found if keepdim else found.reshape(tuple(size for k, size in enumerate(self.shape) if k not in along))


@composed()
def logsumexp(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None, axis: Any = None,
              keepdims: Any = None) -> Tensor:  # fmt: skip
    """Return the logarithm of the sum of exponentials along dims, without overflow."""
    dim, keepdim = axis if axis is not None else dim, keepdims if keepdims is not None else keepdim
    if dim is None:
        raise TypeError('logsumexp() missing 1 required positional arguments: "dim"')
    if not isinstance(dim, (tuple, list)) and not hasattr(dim, "__index__"):
        raise TypeError(f"logsumexp(): argument 'dim' (position 1) must be tuple of ints, not {type(dim).__name__}")
    if not isinstance(dim, int) and len(dim) == 0 and input._array.ndim:     # so it is in torch 2.13
        ones = ", ".join("1" * input._array.ndim)
        if not keepdim and input._array.size:
            raise RuntimeError(f"output with shape [] doesn't match the broadcast shape [{ones}]")
    return tensors._logsumexp(input, dims_argument("logsumexp", dim), keepdim, out=out)


# ------------------------------------------------------------------ products
def without_each(grad: Any, self: Any, axis: int, xp: Any) -> Any:
    """Return grad times the product of all other elements along an axis; right where elements are zero."""
    size = self.shape[axis]
    if size <= 1:
        return grad if self.shape == grad.shape else xp.expand(grad, tuple(self.shape))
    ones = xp.zeros_like(xp.slice(self, axis, 0, 1, 1)) + 1
    before = xp.cumprod(xp.cat([ones, xp.slice(self, axis, 0, size - 1, 1)], axis), axis)
    after = xp.cumprod(xp.cat([ones, xp.flip(xp.slice(self, axis, 1, size, 1), (axis,))], axis), axis)
    return grad * (before * xp.flip(after, (axis,)))


def _prod_slope(grad, self, result, xp):
    if not self.shape:
        return grad
    if not bool((self == 0).any()):
        return grad * (result / self)
    flat = xp.reshape(self, (-1,))
    return xp.reshape(without_each(grad, flat, 0, xp), tuple(self.shape))


def _prod_dim_slope(grad, self, dim, keepdim, result, xp):
    if not self.shape:
        return grad
    grad, result = restore(grad, (dim,), keepdim, self.shape, xp), restore(result, (dim,), keepdim, self.shape, xp)
    if not bool((self == 0).any()):
        return grad * (result / self)
    return without_each(grad, self, wrap_dim(dim, len(self.shape)), xp)


def multiplied(self: Any, axis: Any, keepdim: bool, dtype: Any) -> Any:
    """Return the product along an axis in the dtype that torch gives it."""
    target = result_dtype(self, dtype)
    self = self.astype(target) if self.dtype is not target else self
    wide = np.float32 if target.itemsize == 2 and target.kind == "f" else target
    return np.multiply.reduce(self, axis, wide, keepdims=keepdim).astype(target, copy=False)


@op(r"y = \textstyle\prod_i a_i", function=False, method=False, fix="always", hidden=("dtype",), node="ProdBackward0",
    self=Vjp(_prod_slope, r"\bar a_i = \bar y \textstyle\prod_{j \ne i} a_j"))
def _prod(self, dtype):
    """Product of all elements."""
    return multiplied(self, None, False, dtype)


@op(r"y = \textstyle\prod_i a_i", function=False, method=False, fix="always", node="ProdBackward1", row_order=True,
    self=Vjp(_prod_dim_slope, r"\bar a_i = \bar y \textstyle\prod_{j \ne i} a_j"))
def _prod_dim(self, dim, keepdim, dtype):
    """Product along a dimension."""
    axis = wrap_dim(dim, self.ndim)
    return multiplied(self, axis if self.ndim else None, keepdim, dtype)


@composed()
def prod(input: Tensor, dim: Any = None, keepdim: bool = False, *, dtype: Any = None, out: Any = None, axis: Any = None,
         keepdims: Any = None) -> Tensor:  # fmt: skip
    """Multiply all elements, or those along a dimension; integers give int64."""
    dim, keepdim = axis if axis is not None else dim, keepdims if keepdims is not None else keepdim
    if out is not None and dtype is None:
        dtype = out.dtype
    if dim is None:
        return tensors._prod(input, dtype, out=out)
    if not hasattr(dim, "__index__") or isinstance(dim, bool):
        raise TypeError(
            f"prod() received an invalid combination of arguments - got ({type(dim).__name__}), but expected one of:\n"
            " * (*, torch.dtype dtype = None)\n * (int dim, bool keepdim = False, *, torch.dtype dtype = None)\n"
        )
    return tensors._prod_dim(input, dim.__index__(), keepdim, dtype, out=out)
