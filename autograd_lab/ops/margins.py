"""Losses of margins with a declaration of their own: the soft margin, and the margin among several classes."""

from __future__ import annotations

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.promotion import can_cast, promote
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.sizes import size_text
from autograd_lab.core.slopes import slope
from autograd_lab.ops.loss import HIDDEN, MEAN, NONE, reduced, share
from autograd_lab.ops.refusals import bool_negation, no_derivative, not_implemented


@slope(r"\bar a = -\tfrac{1}{n}\, t\, \sigma(-t a)\,g", "SoftMarginLossBackwardBackward0", ("grad_output", "self"),
       tensors=("target",), fix="always")  # fmt: skip
def soft_margin_loss_backward(grad_output, self, target, reduction, xp):
    """Return the gradient of the soft margin for its scores."""
    return -share(grad_output, self, reduction) * target * xp.sigmoid(-(target * self))


@op(
    r"y = \tfrac{1}{n} \textstyle\sum \ln(1 + e^{-t a})",
    name="soft_margin_loss",
    tensors=("target",),
    fix="always",
    self=Vjp(
        lambda grad, self, target, reduction, xp: xp.soft_margin_loss_backward(grad, self, target, reduction),
        r"\bar a = -\tfrac{1}{n}\, t\, \sigma(-t a)\,\bar y",
    ),
    **HIDDEN,
)
def soft_margin_loss(self, target, reduction=MEAN):
    """The logistic loss of scores and of classes -1 and 1, computed in the scores' dtype."""
    if self.dtype.kind == "b":
        raise bool_negation()
    kept, kind = from_numpy(self.dtype), from_numpy(promote(self, target))
    shape = broadcast_shapes(self.shape, target.shape)
    if shape != self.shape:
        raise fail.output_shape(self.shape, shape)
    if not can_cast(kind, kept):
        raise fail.result_cast(kind, kept)
    if self.dtype.kind != "f":
        raise fail.result_cast(from_numpy(np.dtype(np.float32)), kept)
    return reduced(np.log1p(np.exp((-self * target).astype(self.dtype, copy=False))), reduction)


def margins_of(self, target, p, margin, weight):
    """Return by how much each class comes too near the right one, to the power p - 1, and the classes as an index."""
    rows = self.reshape(-1, self.shape[-1] if self.ndim else 1)
    right = (np.arange(len(rows)), target.reshape(-1))
    short = margin - rows[right][:, None] + rows
    short = np.where(short > 0, short, 0)       # so that NaN is not short of anything
    short[right] = 0
    return rows, right, short, 1 if weight is None else weight[right[1]][:, None]


@op(
    r"y = \tfrac{1}{n C} \textstyle\sum_i \sum_{j \ne t_i} w_{t_i} \max(0, m - a_{i t_i} + a_{ij})^p",
    name="multi_margin_loss",
    tensors=("target", "weight"),
    optional=("weight",),
    self=Vjp(
        lambda grad, self, target, p, margin, weight, reduction, xp: xp.multi_margin_loss_backward(
            grad, self, target, p, margin, weight, reduction
        ),
        r"\bar a_{ij} = \tfrac{p}{n C} w_{t_i} \max(0, m - a_{i t_i} + a_{ij})^{p - 1}\,\bar y_i",
    ),
    **HIDDEN,
)
def multi_margin_loss(self, target, p=1, margin=1, weight=None, reduction=MEAN):
    """How much the scores of wrong classes come near that of the right one, or exceed it."""
    shape = self.shape
    if self.ndim > 2 or (self.ndim and not shape[-1]):
        raise RuntimeError("Expected non-empty vector or matrix with optional 0-dim batch size, but got: "
                           f"{size_text(shape)}")  # fmt: skip
    count, classes = shape[0] if self.ndim == 2 else 1, shape[-1] if self.ndim else 1
    if target.ndim > 1 or target.size != count:
        raise RuntimeError(
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            f"size). Expected target size [{count}], but got {size_text(target.shape)}. Input has shape "
            f"{size_text(shape)}."
        )
    if weight is not None and weight.shape != (classes,):
        raise RuntimeError(f"inconsistent weight size, expected {classes} but got {size_text(weight.shape)}")
    if self.dtype.kind != "f" or self.dtype.itemsize == 2:
        raise not_implemented("multi_margin_loss_cpu_kernel", self)
    if target.dtype != np.int64:
        raise RuntimeError(f"expected scalar type Long but found {from_numpy(target.dtype).scalar_name}")
    if target.size and (target.min() < 0 or target.max() >= classes):
        raise RuntimeError("target out of range")
    _, _, short, weights = margins_of(self, target, p, margin, weight)
    losses = ((short**p * weights).sum(-1) / classes).astype(self.dtype)
    return losses.reshape(target.shape) if reduction == NONE else reduced(losses, reduction)


@op(
    r"\bar a_{ij} = \tfrac{p}{n C} w_{t_i} \max(0, m - a_{i t_i} + a_{ij})^{p - 1}\,g_i",
    node="NotImplemented",
    tensors=("target", "weight"),
    optional=("weight",),
    grad_output=Vjp(lambda grad: no_derivative("multi_margin_loss_backward")),
    self=Vjp(lambda grad: no_derivative("multi_margin_loss_backward")),
    **HIDDEN,
)
def multi_margin_loss_backward(grad_output, self, target, p, margin, weight, reduction):
    """Push down the classes that come too near, and the right one up by their sum."""
    rows, right, short, weights = margins_of(self, target, p, margin, weight)
    slope = p * short ** (p - 1) * (short > 0) * weights / (rows.shape[1] * (len(rows) if reduction == MEAN else 1))
    slope[right] = -slope.sum(-1)
    each = grad_output.reshape(-1, 1) if reduction == NONE else grad_output
    return (slope * each).astype(self.dtype).reshape(self.shape)
