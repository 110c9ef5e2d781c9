"""Norms of vectors, and the distance between two tensors."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import axes, wrap_dim
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals
from autograd_lab.ops.along import dims_argument, restore


def norm_slope(grad: Any, self: Any, order: float, norm: Any, dim: Any, keepdim: bool, xp: Any) -> Any:
    """Return the gradient of a norm; where the norm is 0, the subgradient 0."""
    grad, norm = restore(grad, dim, keepdim, self.shape, xp), restore(norm, dim, keepdim, self.shape, xp)
    if order == 0:
        return xp.zeros_like(self)
    if order == 1:
        return xp.sgn(self) * grad
    if order == 2:
        return grad * xp.masked_fill(self / norm, norm == 0, 0)
    size = xp.abs(self)
    if math.isinf(order):
        mask = (size == norm) | ((size != size) & (norm != norm))
        return xp.sgn(self) * (grad / xp.count_along(mask, dim, grad) * mask)
    if order < 1:
        scaled = xp.sgn(self) * xp.masked_fill(xp.pow(size, order - 1), self == 0, 0)
        return scaled * grad * xp.pow(norm, 1 - order)
    scaled = xp.sgn(self) * xp.pow(size, order - 1) if order < 2 else self * xp.pow(size, order - 2)
    return scaled * xp.masked_fill(grad / xp.pow(norm, order - 1), norm == 0, 0)


def check_identity(array: Any, order: float, dim: Any) -> None:
    """Raise for a norm of nothing that is no number: the inf norm, and those of negative order."""
    if array.size or not (order < 0 or order == math.inf):
        return
    if dim is None or dim == ():
        raise RuntimeError(f"linalg.vector_norm cannot compute the {order:g} norm on an empty tensor because the "
                           "operation does not have an identity")  # fmt: skip
    for one in dim if isinstance(dim, (tuple, list)) else (dim,):
        if array.ndim and not array.shape[wrap_dim(one, array.ndim)]:
            raise RuntimeError(f"linalg.vector_norm cannot compute the {order:g} norm on the dimension {one}because "
                               "this dimension is empty and the operation does not have an identity")  # fmt: skip


def norm_of(array: Any, order: float, axis: tuple[int, ...], keepdim: bool) -> Any:
    """Return the norm of an array along axes."""
    wide = array.astype(np.float32) if array.itemsize == 2 else array
    size = np.abs(wide)
    if order == 2:
        found = np.sqrt(np.add.reduce(wide * wide, axis, keepdims=keepdim))
    elif order == 1:
        found = np.add.reduce(size, axis, keepdims=keepdim)
    elif order == 0:
        found = np.add.reduce(wide != 0, axis, wide.dtype, keepdims=keepdim)
    elif math.isinf(order):
        found = (np.maximum if order > 0 else np.minimum).reduce(size, axis, keepdims=keepdim)
    else:
        found = np.power(np.add.reduce(np.power(size, order), axis, keepdims=keepdim), 1 / order)
    return found.astype(array.dtype)


@op(r"y = \Bigl(\textstyle\sum_i |a_i|^p\Bigr)^{1/p}", function=False, method=False, row_order=True, fix="always",
    node="LinalgVectorNormBackward0",
    hidden=("dtype",),
    self=Vjp(lambda grad, self, ord, dim, keepdim, result, xp: norm_slope(grad, self, ord, result, dim, keepdim, xp),
             r"\bar a = \bar y \, |a|^{p-1} \operatorname{sgn} a / y^{p-1}"))
def linalg_vector_norm(self, ord=2, dim=None, keepdim=False, dtype=None):
    """Norm of a vector, or of the vectors along dims."""
    if dtype is not None:
        self = self.astype(dtype.numpy)
    if self.dtype.kind != "f":
        name = dtypes.from_numpy(self.dtype).scalar_name
        raise RuntimeError(f"linalg.vector_norm: Expected a floating point or complex tensor as input. Got {name}")
    check_identity(self, ord, dim)
    return norm_of(self, ord, axes(dim, self.ndim), keepdim)


@op(r"y = \Bigl(\textstyle\sum_i |a_i|^p\Bigr)^{1/p}", function=False, method=False, row_order=True,
    node="NormBackward1",
    self=Vjp(lambda grad, self, p, dim, keepdim, result, xp: norm_slope(grad, self, p, result, dim, keepdim, xp),
             r"\bar a = \bar y \, |a|^{p-1} \operatorname{sgn} a / y^{p-1}"))
def _norm_along(self, p, dim, keepdim):
    """Norm along dims, as torch's older operation of that name computes it."""
    return norm_of(self, p, axes(dim, self.ndim), keepdim)


def norm(input: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, out: Any = None,
         dtype: Any = None) -> Tensor:
    """Return a norm of all elements, or of those along dims: `p` is a number, "fro" or "nuc"."""
    if isinstance(p, str) and p not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {p} not supported.")
    if p == "nuc":
        from autograd_lab.ops.chains import matrix_norm_of

        dims = tuple(range(max(input.dim(), 2))) if dim is None else dims_argument("norm", dim)
        dims = (dims,) if isinstance(dims, int) else dims
        return matrix_norm_of(input if dtype is None else input.to(dtype), "nuc", dims, keepdim)
    order = 2 if p in ("fro", None) else p.item() if isinstance(p, Tensor) else p
    return tensors.linalg_vector_norm(input, order, dims_argument("norm", dim), keepdim, dtype, out=out)


def _norm_method(self: Tensor, p: Any = "fro", dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Tensor:
    """Return a norm of all elements, or of those along dims."""
    return norm(self, p, dim, keepdim, dtype=dtype)


composed(name="norm", method=False)(norm)
Tensor.norm = _norm_method


def _no_bool(self: Any, other: Any) -> None:
    if self.dtype.kind == "b" or other.dtype.kind == "b":
        raise refusals.bool_subtraction(False)


@op(r"y = \lVert a - b \rVert_p", dtype="promote", checks=_no_bool, numbers=False, out=False, fix="always",
    self=Vjp(lambda grad, self, other, p, result, xp: norm_slope(grad, self - other, p, result, None, False, xp),
             r"\bar a = \bar y \, \nabla \lVert a - b \rVert"),
    other=Vjp(lambda grad, self, other, p, result, xp: -norm_slope(grad, self - other, p, result, None, False, xp),
              r"\bar b = -\bar a"))
def dist(self, other, p=2):
    """Norm of the difference of two tensors."""
    if self.dtype.kind == "b":
        raise refusals.bool_subtraction(True)
    broadcast_shapes(self.shape, other.shape)
    if self.dtype.kind != "f":
        raise RuntimeError("norm(): input dtype should be either floating point or complex. Got "
                           f"{dtypes.from_numpy(self.dtype).scalar_name} instead.")
    apart = self - other
    check_identity(apart, p, None)
    return norm_of(apart, p, axes(None, max(self.ndim, other.ndim)), False)
