"""Losses with a declaration of their own: mse, smooth l1, huber, negative log-likelihood, binary cross-entropy."""

from __future__ import annotations

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.promotion import can_cast, promote
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.sizes import size_text
from autograd_lab.core.slopes import slope
from autograd_lab.ops.refusals import bool_subtraction, not_implemented, require_float

HIDDEN = {"function": False, "method": False}
NONE, MEAN, SUM = 0, 1, 2
REDUCTIONS = {"none": NONE, "mean": MEAN, "sum": SUM}


def reduced(values, reduction):
    """Return values as they are, their mean or their sum."""
    if reduction == NONE:
        return values
    if reduction == MEAN:
        return values.mean() if values.size else values.dtype.type(np.nan)
    return values.sum()


def count(array):
    """Return the number of elements of an array or a tensor."""
    return array._array.size if hasattr(array, "_array") else array.size


def share(grad, array, reduction):
    """Return the gradient of the reduced loss as every element sees it."""
    return grad * (1 / count(array)) if reduction == MEAN and count(array) else grad


def shared(slope, array, reduction, xp):
    """Return the same for a gradient that is already multiplied by the derivative, divided as torch divides it."""
    return xp.div_number(slope, count(array)) if reduction == MEAN and count(array) else slope


# What the derivatives of the three errors of a prediction have in common.
INPUTS = ("grad_output", "self", "target")


@slope(r"y = \tfrac{2}{n} (a - b)\,g", "MseLossBackwardBackward0", INPUTS, fix="always")
def mse_loss_backward(grad_output, self, target, reduction, xp):
    """Return the gradient of the squared error."""
    return share(grad_output * 2, self, reduction) * (self - target)


@op(
    r"y = \tfrac{1}{n} \textstyle\sum (a - b)^2",
    name="mse_loss",
    dtype="promote",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, target, reduction, xp: xp.mse_loss_backward(grad, self, target, reduction),
        r"\bar a = \tfrac{2}{n} (a - b)\,\bar y",
    ),
    target=Vjp(
        lambda grad, self, target, reduction, xp: xp.mse_loss_backward(grad, target, self, reduction),
        r"\bar b = \tfrac{2}{n} (b - a)\,\bar y",
    ),
)
def mse_loss(self, target, reduction=MEAN):
    """Squared error."""
    if self.dtype.kind != "f":
        raise not_implemented("mse_cpu", self)
    difference = self - target
    return reduced(difference * difference, reduction)


@slope(r"y = \tfrac{1}{n} \ell_\beta'(a - b)\,g", "SmoothL1LossBackwardBackward0", INPUTS, fix="always")
def smooth_l1_loss_backward(grad_output, self, target, reduction, beta, xp):
    """Return the gradient of the smooth absolute error."""
    difference = self - target
    inner = difference * (1 / beta)
    outside = xp.abs(difference) >= beta     # NaN is inside
    return share(grad_output, self, reduction) * xp.where(outside, xp.sign(difference), inner)


@op(
    r"y = \tfrac{1}{n} \textstyle\sum \ell_\beta(a - b)",
    name="smooth_l1_loss",
    node="SmoothL1LossBackward0",
    dtype="promote",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, target, reduction, beta, xp: xp.smooth_l1_loss_backward(
            grad, self, target, reduction, beta
        ),
        r"\bar a = \tfrac{1}{n} \ell_\beta'(a - b)\,\bar y",
    ),
    target=Vjp(
        lambda grad, self, target, reduction, beta, xp: xp.smooth_l1_loss_backward(
            grad, target, self, reduction, beta
        ),
        r"\bar b = \tfrac{1}{n} \ell_\beta'(b - a)\,\bar y",
    ),
)
def smooth_l1_loss(self, target, reduction=MEAN, beta=1.0):
    """Squared error near zero, absolute error beyond beta."""
    require_float("smooth_l1_cpu", self)
    size = np.abs(self - target)
    half, width = self.dtype.type(0.5), self.dtype.type(beta)
    return reduced(np.where(size < width, half * size * size / width, size - half * width), reduction)


def same_dtype(self, target):
    """Raise unless two arrays or tensors have one dtype, as torch's kernels do that do not promote."""
    if self.dtype != target.dtype:
        raise RuntimeError(f"Found dtype {scalar_name(target)} but expected {scalar_name(self)}")


def scalar_name(value):
    """Return what torch's C++ messages call the dtype of an array or a tensor."""
    return (value.dtype if hasattr(value, "_array") else from_numpy(value.dtype)).scalar_name


@slope(r"y = \tfrac{1}{n} h_\delta'(a - b)\,g", "HuberLossBackwardBackward0", INPUTS, fix="always")
def huber_loss_backward(grad_output, self, target, reduction, delta, xp):
    """Return the gradient of the Huber loss."""
    same_dtype(self, target)
    difference = self - target
    outside = xp.abs(difference) > delta     # NaN is inside
    return share(grad_output, self, reduction) * xp.where(outside, xp.sign(difference) * delta, difference)


@op(
    r"y = \tfrac{1}{n} \textstyle\sum h_\delta(a - b)",
    name="huber_loss",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, target, reduction, delta, xp: xp.huber_loss_backward(
            grad, self, target, reduction, delta
        ),
        r"\bar a = \tfrac{1}{n} h_\delta'(a - b)\,\bar y",
    ),
    target=Vjp(
        lambda grad, self, target, reduction, delta, xp: xp.huber_loss_backward(
            grad, target, self, reduction, delta
        ),
        r"\bar b = \tfrac{1}{n} h_\delta'(b - a)\,\bar y",
    ),
)
def huber_loss(self, target, reduction=MEAN, delta=1.0):
    """Squared error up to delta, linear beyond."""
    if delta <= 0:
        raise RuntimeError("huber_loss does not support non-positive values for delta.")
    kept, kind = self.dtype, promote(self, target)
    if not can_cast(from_numpy(kind), from_numpy(kept)):
        raise fail.result_cast(from_numpy(kind), from_numpy(kept))
    self, target = self.astype(kind, copy=False), target.astype(kind, copy=False)
    require_float("huber_cpu", self)
    size = np.abs(self - target)
    half, width = kind.type(0.5), kind.type(delta)
    losses = np.where(size <= width, half * size * size, width * (size - half * width))
    return reduced(losses.astype(kept), reduction)      # torch writes them into a tensor like the first one


# ------------------------------------------------------------------ negative log-likelihood
def check_classes(self, target, weight, ignore_index, kernel):
    """Raise unless input, target and weights of a classification loss fit together."""
    if target.dtype.kind not in "iu" or target.dtype not in (np.int64, np.uint8):
        raise RuntimeError(f"expected target dtype to be Long or Byte, but got {from_numpy(target.dtype).scalar_name}")
    classes = self.shape[1] if self.ndim > 1 else self.shape[0]
    if weight is not None and (weight.ndim != 1 or weight.shape[0] != classes):
        raise RuntimeError(f"weight tensor should be defined either for all {classes} classes or no classes but got weight "  # noqa: E501
                           f"tensor of shape: {size_text(weight.shape)}")  # fmt: skip
    if self.ndim == 1 and target.ndim == 1 and target.size != 1:
        raise ValueError(f"For 1D input, 1D target must have size 1, but got target size: {target.size}")
    require_float(kernel, self)
    if weight is not None and weight.dtype is not self.dtype:
        raise RuntimeError(f"expected scalar type {scalar_name(self)} but found {scalar_name(weight)}")
    kept = target[target != ignore_index] if target.ndim else target.reshape(1)[target.reshape(1) != ignore_index]
    bad = kept[(kept < 0) | (kept >= classes)]
    if bad.size:
        raise IndexError(f"Target {bad.flat[0]} is out of bounds.")


def class_weights(self, target, weight, ignore_index):
    """Return the index of each element's class (0 for ignored ones) and its weight (0 for ignored ones)."""
    kept = target != ignore_index
    classes = np.where(kept, target, 0)
    weights = np.ones(classes.shape, self.dtype) if weight is None else weight[classes]
    return classes, np.where(kept, weights, self.dtype.type(0))


def picked(self, classes):
    """Return the NumPy index that picks each element's class (the class is dimension 1, or 0 of a single sample)."""
    if self.ndim == 1:
        return (classes,)
    grid = np.ogrid[tuple(slice(n) for n in classes.shape)]
    return (grid[0], classes, *grid[1:])


def nll_kernel(self, target, weight, reduction, ignore_index, kernel="nll_loss_out_frame"):
    """Return the loss and the total weight."""
    check_classes(self, target, weight, ignore_index, kernel)
    classes, weights = class_weights(self, target, weight, ignore_index)
    values = -self[picked(self, classes)] * weights
    values = np.where(weights == 0, self.dtype.type(0), values) if weight is None else values
    total = np.sum(weights, dtype=self.dtype)
    if reduction == NONE:
        return values, self.dtype.type(0)
    if reduction == SUM:
        return np.sum(values), total
    return np.sum(values) / total, total


# What the two rows of torch's one loss have in common: their nodes differ by name alone.
NLL = {
    **HIDDEN,
    "outputs": ("output", "total_weight"),
    "differentiable": ("output",),
    "tensors": ("target", "weight"),
    "optional": ("weight",),
    "self": Vjp(
        lambda grad, self, target, weight, reduction, ignore_index, total_weight, xp: xp.nll_loss_backward(
            grad, self, target, weight, reduction, ignore_index
        ),
        r"\bar a_{i,t_i} = -w_{t_i}\,\bar y / \textstyle\sum w",
    ),
}


@op(r"y = -\textstyle\sum_i w_{t_i} a_{i,t_i} / \sum_i w_{t_i}", node="NllLossBackward0", **NLL)
def nll_loss_forward(self, target, weight, reduction, ignore_index):
    """Negative log-likelihood of one class for each sample."""
    return nll_kernel(self, target, weight, reduction, ignore_index)


@op(r"y = -\textstyle\sum_i w_{t_i} a_{i,t_i} / \sum_i w_{t_i}", node="NllLoss2DBackward0", **NLL)
def nll_loss2d_forward(self, target, weight, reduction, ignore_index):
    """Negative log-likelihood of one class for each place of each sample."""
    return nll_kernel(self, target, weight, reduction, ignore_index, "nll_loss2d_forward_out_frame")


@op(
    r"y_{i,t_i} = -w_{t_i}\,g / \textstyle\sum w",
    tensors=("target", "weight"),
    optional=("weight",),
    node="NllLossBackwardBackward0",
    like=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar a = 0"),
    self=Vjp(
        lambda grad, like, target, weight, reduction, ignore_index, xp: xp.nll_loss_gather(
            grad, target, weight, reduction, ignore_index
        ),
        r"\bar g = -\textstyle\sum w_{t_i} \bar y_{i,t_i} / \sum w",
    ),
    **HIDDEN,
)
def nll_loss_backward(self, like, target, weight, reduction, ignore_index):
    """Put the gradient of the loss to each sample's class."""
    classes, weights = class_weights(like, target, weight, ignore_index)
    made = np.zeros(like.shape, self.dtype)
    scale = weights / np.sum(weights, dtype=like.dtype) if reduction == MEAN else weights
    made[picked(like, classes)] = np.where(weights == 0, self.dtype.type(0), -self * scale)
    return made


@op(
    r"g = -\textstyle\sum_i w_{t_i} a_{i,t_i} / \sum_i w_{t_i}",
    tensors=("target", "weight"),
    optional=("weight",),
    self=Vjp(
        lambda grad, self, target, weight, reduction, ignore_index, xp: xp.nll_loss_backward(
            grad, self, target, weight, reduction, ignore_index
        ),
        r"\bar a = \dots",
    ),
    **HIDDEN,
)
def nll_loss_gather(self, target, weight, reduction, ignore_index):
    """The loss itself: its derivative is linear."""
    return nll_kernel(self, target, weight, reduction, ignore_index)[0]


# ------------------------------------------------------------------ binary cross-entropy
@slope(r"y = \tfrac{1}{n} \frac{a - t}{a (1 - a)}\,g", "BinaryCrossEntropyBackwardBackward0",
       ("grad_output", "self", "target"), tensors=("weight",), optional=("weight",), fix="always")  # fmt: skip
def binary_cross_entropy_backward(grad_output, self, target, weight, reduction, xp):
    """Return the gradient of binary cross-entropy for its probabilities."""
    slope = (self - target) / xp.clamp(self * (1 - self), 1e-12)
    found = share(grad_output, self, reduction) * slope
    return found if weight is None else found * weight


def bce_target_slope(grad, self, target, weight, reduction, xp):
    """Return the gradient of binary cross-entropy for its targets."""
    slope = -xp.logit(self) * grad
    return shared(slope if weight is None else slope * weight, target, reduction, xp)


@op(
    r"y = -\tfrac{1}{n} \textstyle\sum t \ln a + (1 - t) \ln(1 - a)",
    name="binary_cross_entropy",
    tensors=("weight",),
    optional=("weight",),
    fix="always",
    self=Vjp(
        lambda grad, self, target, weight, reduction, xp: xp.binary_cross_entropy_backward(
            grad, self, target, weight, reduction
        ),
        r"\bar a = \tfrac{1}{n} \frac{a - t}{a (1 - a)}\,\bar y",
    ),
    target=Vjp(
        lambda grad, self, target, weight, reduction, xp: bce_target_slope(grad, self, target, weight, reduction, xp),
        r"\bar t = \tfrac{1}{n} \ln\frac{1 - a}{a}\,\bar y",
    ),
    **HIDDEN,
)
def binary_cross_entropy(self, target, weight=None, reduction=MEAN):
    """Cross-entropy of probabilities and targets between 0 and 1; logarithms are cut off at -100."""
    same_dtype(self, target)
    require_float("binary_cross_entropy", self)
    outside = [np.flatnonzero(~((one >= 0) & (one <= 1))) for one in (self, target)]
    for name, bad, other in (("input", *outside), ("target", *outside[::-1])):
        if bad.size and (not other.size or bad[0] <= other[0]):     # torch looks at both, element by element
            raise RuntimeError(f"all elements of {name} should be between 0 and 1")
    floor = self.dtype.type(-100)
    values = (target - 1) * np.maximum(np.log1p(-self), floor) - target * np.maximum(np.log(self), floor)
    return reduced(values if weight is None else (values * weight).astype(self.dtype), reduction)


def logits_slope(grad, self, target, weight, pos_weight, reduction, xp):
    """Return the gradient of binary cross-entropy for its logits."""
    curve = xp.sigmoid(self)
    if pos_weight is None:
        slope = curve - target
    else:
        scaled = pos_weight * target
        slope = (scaled + 1 - target) * curve - scaled
    return shared(slope * grad if weight is None else slope * grad * weight, self, reduction, xp)


def logits_target_slope(grad, self, target, weight, pos_weight, reduction, xp):
    """Return the gradient of binary cross-entropy with logits for its targets."""
    if pos_weight is None:
        slope = -self
    else:
        slope = xp.log_sigmoid(-self)[0] - xp.log_sigmoid(self)[0] * pos_weight
    return shared(slope * grad if weight is None else slope * grad * weight, target, reduction, xp)


@op(
    r"y = \tfrac{1}{n} \textstyle\sum (1 - t) a + \ln(1 + e^{-a})",
    tensors=("weight", "pos_weight"),
    optional=("weight", "pos_weight"),
    method=False,
    fix="always",
    self=Vjp(
        lambda grad, self, target, weight, pos_weight, reduction, xp: logits_slope(
            grad, self, target, weight, pos_weight, reduction, xp
        ),
        r"\bar a = \tfrac{1}{n} (\sigma(a) - t)\,\bar y",
    ),
    target=Vjp(
        lambda grad, self, target, weight, pos_weight, reduction, xp: logits_target_slope(
            grad, self, target, weight, pos_weight, reduction, xp
        ),
        r"\bar t = -\tfrac{1}{n} a\,\bar y",
    ),
)
def binary_cross_entropy_with_logits(self, target, weight=None, pos_weight=None, reduction=MEAN):
    """Cross-entropy of the logistic function of the input and targets between 0 and 1."""
    require_float("log_sigmoid_cpu", self)
    logs = np.minimum(self, self.dtype.type(0)) - np.log1p(np.exp(-np.abs(self)))
    if pos_weight is not None:
        if pos_weight.dtype.kind == "b":
            raise bool_subtraction(False)
        broadcast_shapes(pos_weight.shape, target.shape)
        logs = scaled_into(logs, (pos_weight - 1) * target + 1)
    if target.dtype.kind == "b":
        raise bool_subtraction(True)
    values = scaled_into(1 - target, self)
    values = values - logs.astype(values.dtype, copy=False)
    return reduced(values if weight is None else scaled_into(values, weight), reduction)


def scaled_into(values, factor):
    """Return values times a factor in their own dtype and shape, as torch's `mul_` gives it."""
    kind = promote(values, factor)
    if not can_cast(from_numpy(kind), from_numpy(values.dtype)):
        raise fail.result_cast(from_numpy(kind), from_numpy(values.dtype))
    shape = broadcast_shapes(values.shape, factor.shape)
    if shape != values.shape:
        raise fail.output_shape(values.shape, shape)
    return (values * factor).astype(values.dtype, copy=False)
