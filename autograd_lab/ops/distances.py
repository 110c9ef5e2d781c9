"""Distances between all rows of a matrix (pdist) or of two batches of matrices (cdist)."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.ops.refusals import not_differentiated, not_implemented

HIDDEN = {"function": False, "method": False, "out": False}


def lengths(apart, p):
    """Return the p-norms of differences along the last axis."""
    apart = np.abs(apart)
    if p == 0:
        return np.minimum(np.ceil(apart), 1).sum(-1)
    if p == 1:
        return apart.sum(-1)
    if p == 2:
        return np.sqrt((apart * apart).sum(-1))
    if math.isinf(p):
        return apart.max(-1, initial=0)
    return ((apart**p).sum(-1) ** (1 / p)).astype(apart.dtype)


def slopes(apart, distance, p):
    """Return how each distance grows with each difference; 0 where it has a kink, as in torch."""
    distance, size, sign = distance[..., None], np.abs(apart), np.sign(apart)
    if p == 0:
        return np.zeros_like(apart)
    if p == 1:
        return sign
    if math.isinf(p):
        return sign * (size == distance)
    kink = (distance == 0) | ((apart == 0) & (p < 1))
    if p == 2:
        return np.where(kink, 0, apart / np.where(kink, 1, distance))
    return np.where(kink, 0, sign * np.where(kink, 1, size) ** (p - 1) / np.where(kink, 1, distance) ** (p - 1))


# ------------------------------------------------------------------ within one matrix
@op(
    r"y_{ij} = \lVert a_i - a_j \rVert_p,\ i < j",
    node="PdistBackward0",
    self=Vjp(
        lambda grad, self, p, result, xp: xp._pdist_backward(grad, self, p, result),
        r"\bar a_i \mathrel{+}= \bar y_{ij}\, \partial y_{ij} / \partial a_i",
    ),
    **HIDDEN,
)
def _pdist_forward(self, p=2.0):
    """The distances between the rows, each pair once."""
    if self.dtype.itemsize < 4:
        raise not_implemented("pdist", self)
    one, other = np.triu_indices(len(self), 1)
    return lengths(self[one] - self[other], p)


@op(
    r"\bar a_i \mathrel{+}= \bar y_{ij}\, \partial y_{ij} / \partial a_i",
    node="PdistBackwardBackward0",
    grad_output=Vjp(lambda grad: not_differentiated("_pdist_backward")),
    self=Vjp(lambda grad: not_differentiated("_pdist_backward")),
    pdist=Vjp(lambda grad: not_differentiated("_pdist_backward")),
    **HIDDEN,
)
def _pdist_backward(grad_output, self, p, pdist):
    """Give each distance's gradient to both of its rows."""
    one, other = np.triu_indices(len(self), 1)
    part = grad_output[:, None] * slopes(self[one] - self[other], pdist, p)
    made = np.zeros_like(self)
    np.add.at(made, one, part)
    np.subtract.at(made, other, part)
    return made.astype(self.dtype)


@composed(method=False)
def pdist(input, p=2.0):
    """Return the p-norm distances between all rows of a matrix, each pair once.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.pdist.html
    """
    array = input._array
    if array.ndim != 2:
        raise RuntimeError(f"pdist only supports 2D tensors, got: {array.ndim}D")
    if array.dtype.kind != "f":
        raise RuntimeError("pdist only supports floating-point dtypes")
    if p < 0:
        raise RuntimeError("pdist only supports non-negative p values")
    return tensors._pdist_forward(input.contiguous(), float(p))


# ------------------------------------------------------------------ between two matrices
@op(
    r"y_{ij} = \lVert a_i - b_j \rVert_p",
    node="CdistBackward0",
    fix="always",
    x1=Vjp(
        lambda grad, x1, x2, p, result, xp: xp._cdist_backward(grad, x1, x2, p, result),
        r"\bar a_i = \textstyle\sum_j \bar y_{ij}\, \partial y_{ij} / \partial a_i",
    ),
    x2=Vjp(
        lambda grad, x1, x2, p, result, xp: xp._cdist_backward(turned(grad, xp), x2, x1, p, turned(result, xp)),
        r"\bar b_j = \textstyle\sum_i \bar y_{ij}\, \partial y_{ij} / \partial b_j",
    ),
    row_order=True,
    **HIDDEN,
)
def _cdist_forward(x1, x2, p):
    """The distances between the rows of two matrices."""
    if x1.dtype.itemsize < 4:
        raise not_implemented("cdist", x1)
    return lengths(x1[..., :, None, :] - x2[..., None, :, :], p)


def turned(matrix, xp):
    """Return a copy with the last two dimensions exchanged."""
    return xp.clone(xp.transpose(matrix, -2, -1))


@op(
    r"\bar a_i = \textstyle\sum_j \bar y_{ij}\, \partial y_{ij} / \partial a_i",
    node="CdistBackwardBackward0",
    grad_output=Vjp(lambda grad: not_differentiated("_cdist_backward")),
    x1=Vjp(lambda grad: not_differentiated("_cdist_backward")),
    x2=Vjp(lambda grad: not_differentiated("_cdist_backward")),
    cdist=Vjp(lambda grad: not_differentiated("_cdist_backward")),
    **HIDDEN,
)
def _cdist_backward(grad_output, x1, x2, p, cdist):
    """Give each distance's gradient to its row of the first matrix."""
    found = grad_output[..., None] * slopes(x1[..., :, None, :] - x2[..., None, :, :], cdist, p)
    return found.sum(-2).astype(x1.dtype)


def shared(grad, result, xp):
    """Return the gradient of each distance over the distance; 0 where that is 0."""
    return xp.masked_fill(grad / result, result == 0, 0)


@op(
    r"y_{ij} = \sqrt{\lVert a_i \rVert^2 + \lVert b_j \rVert^2 - 2 a_i^\top b_j}",
    node="EuclideanDistBackward0",
    x1=Vjp(
        lambda grad, x1, x2, result, xp: x1 * xp.sum(shared(grad, result, xp), -1, True)
        - xp.matmul(shared(grad, result, xp), x2),
        r"\bar a_i = \textstyle\sum_j \bar y_{ij} (a_i - b_j) / y_{ij}",
    ),
    x2=Vjp(
        lambda grad, x1, x2, result, xp: x2 * xp.unsqueeze(xp.sum(shared(grad, result, xp), -2, False), -1)
        - xp.matmul(xp.transpose(shared(grad, result, xp), -2, -1), x1),
        r"\bar b_j = \textstyle\sum_i \bar y_{ij} (b_j - a_i) / y_{ij}",
    ),
    **HIDDEN,
)
def _euclidean_dist(x1, x2):
    """The distances between the rows of two matrices by one matrix product: fast, and less exact where rows are close."""  # noqa: E501
    if x1.dtype.itemsize < 4:
        raise not_implemented("cdist", x1)
    squares = (x1 * x1).sum(-1)[..., :, None] + (x2 * x2).sum(-1)[..., None, :]
    return np.sqrt(np.maximum(squares - 2 * (x1 @ x2.swapaxes(-2, -1)), 0))


MODES = {"use_mm_for_euclid_dist_if_necessary": 0, "use_mm_for_euclid_dist": 1, "donot_use_mm_for_euclid_dist": 2}


@composed(method=False)
def cdist(x1, x2, p=2.0, compute_mode="use_mm_for_euclid_dist_if_necessary"):
    """Return the p-norm distances between the rows of two batches of matrices.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cdist.html
    """
    if compute_mode not in MODES:
        raise ValueError(f"{compute_mode} is not a valid value for compute_mode")
    one, other = x1._array, x2._array
    for name, array in (("X1", one), ("X2", other)):
        if array.ndim < 2:
            raise RuntimeError(f"cdist only supports at least 2D tensors, {name} got: {array.ndim}D")
    if one.shape[-1] != other.shape[-1]:
        raise RuntimeError(f"X1 and X2 must have the same number of columns. X1: {one.shape[-1]} X2: {other.shape[-1]}")
    for name, array in (("X1", one), ("X2", other)):
        if array.dtype.kind != "f":
            raise RuntimeError(f"cdist only supports floating-point dtypes, {name} got: {from_numpy(array.dtype).scalar_name}")  # noqa: E501
    if p < 0:
        raise RuntimeError("cdist only supports non-negative p values")
    if one.dtype is not other.dtype:
        raise RuntimeError(f"expected scalar type {from_numpy(one.dtype).scalar_name} but found "
                           f"{from_numpy(other.dtype).scalar_name}")  # fmt: skip
    lead = broadcast_shapes(one.shape[:-2], other.shape[:-2])
    rows, columns = one.shape[wrap_dim(-2, one.ndim)], other.shape[wrap_dim(-2, other.ndim)]
    many = rows > 25 or columns > 25
    if p == 2 and (compute_mode == "use_mm_for_euclid_dist" or (MODES[compute_mode] == 0 and many)) and one.size and other.size:  # noqa: E501
        return by_product(x1, x2, lead, rows, columns)
    return tensors._cdist_forward(x1, x2, float(p))


def by_product(x1, x2, lead, rows, columns):
    """Return Euclidean distances by a matrix product, batches made one as torch makes them."""
    count, width = math.prod(lead), x1._array.shape[-1]
    flat = (count,) if lead else ()
    x1 = x1.expand(*lead, rows, width).contiguous().view(*flat, rows, width) if x1._array.ndim > 2 or lead else x1
    x2 = x2.expand(*lead, columns, width).contiguous().view(*flat, columns, width) if x2._array.ndim > 2 or lead else x2
    return tensors._euclidean_dist(x1, x2).view(*lead, rows, columns)
