"""The losses of `nn.functional`, with torch's arguments, defaults and complaints."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_lab.core import failures as fail
from autograd_lab.core.dims import sized
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import functions, tensors
from autograd_lab.core.promotion import promote
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.loss import MEAN, NONE, REDUCTIONS, SUM
from autograd_lab.ops.numbers import add_number, div_number, mul_number


def _reduction(reduction: str, size_average: bool | None = None, reduce: bool | None = None) -> int:
    """Return the number of a reduction, also from the two flags of old."""
    if size_average is not None or reduce is not None:
        size_average = True if size_average is None else size_average
        reduce = True if reduce is None else reduce
        reduction = ("mean" if size_average else "sum") if reduce else "none"
        warnings.warn(f"size_average and reduce args will be deprecated, please use reduction='{reduction}' instead.",
                      stacklevel=3)  # fmt: skip
    if reduction not in REDUCTIONS:
        raise ValueError(f"{reduction} is not a valid value for reduction")
    return REDUCTIONS[reduction]


def _applied(values: Tensor, reduction: int) -> Tensor:
    return values if reduction == NONE else values.mean() if reduction == MEAN else values.sum()


def _check_tensors(input: Any, target: Any) -> None:
    """Refuse a tensor of the real torch, before anything is read of it."""
    for position, (name, value) in enumerate((("input", input), ("target", target)), 1):
        if fail.is_foreign(value):
            raise fail.bad_argument("loss", name, value, position)


def _same_size(input: Tensor, target: Tensor) -> None:
    _check_tensors(input, target)
    if target.size() != input.size():
        warnings.warn(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}). This will "  # noqa: E501
                      "likely lead to incorrect results due to broadcasting. Please ensure they have the same size.",
                      stacklevel=3)  # fmt: skip


def mse_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
             reduction: str = "mean", weight: Tensor | None = None) -> Tensor:  # fmt: skip
    """Mean squared error."""
    _same_size(input, target)
    kind = _reduction(reduction, size_average, reduce)
    a, b = functions["broadcast_tensors"](input, target)
    if weight is not None:
        return _weighted(tensors.mse_loss(a, b, NONE), weight, kind)
    return tensors.mse_loss(a, b, kind)


def l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
            reduction: str = "mean", weight: Tensor | None = None) -> Tensor:  # fmt: skip
    """Mean absolute error."""
    _same_size(input, target)
    kind = _reduction(reduction, size_average, reduce)
    a, b = functions["broadcast_tensors"](input, target)
    if weight is not None:
        return _weighted((a - b).abs(), weight, kind)
    return _applied((a - b).abs(), kind)


def _weighted(values: Tensor, weight: Tensor, kind: int) -> Tensor:
    found = values * weight
    if kind == MEAN:
        return found.sum() / weight.sum()
    return _applied(found, kind)


def smooth_l1_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                   reduction: str = "mean", beta: float = 1.0) -> Tensor:  # fmt: skip
    """Squared error near zero, absolute error beyond beta."""
    _same_size(input, target)
    kind = _reduction(reduction, size_average, reduce)
    a, b = functions["broadcast_tensors"](input, target)
    if beta < 0:
        raise RuntimeError("smooth_l1_loss does not support negative values for beta.")
    return _applied((a - b).abs(), kind) if beta == 0.0 else tensors.smooth_l1_loss(a, b, kind, float(beta))


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0,
               weight: Tensor | None = None) -> Tensor:  # fmt: skip
    """Squared error up to delta, linear beyond."""
    _same_size(input, target)
    a, b = functions["broadcast_tensors"](input, target)
    kind = _reduction(reduction)
    if weight is not None:
        return _weighted(tensors.huber_loss(a, b, NONE, float(delta)), weight, kind)
    return tensors.huber_loss(a, b, kind, float(delta))


# ------------------------------------------------------------------ classification
def nll_loss(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
             ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip
    """Negative log-likelihood of one class for each sample."""
    return _nll(input, target, weight, _reduction(reduction, size_average, reduce), ignore_index)


def _nll(input: Tensor, target: Tensor, weight: Tensor | None, kind: int, ignore_index: int) -> Tensor:
    shape, wanted = input._array.shape, target._array.shape
    if weight is not None and weight._node is not None:
        raise RuntimeError("The function 'nll_loss_forward' is not differentiable with respect to argument 'weight'. This input "  # noqa: E501
                           "cannot have requires_grad True.")  # fmt: skip
    if not shape:
        raise ValueError("Expected 1 or more dimensions (got 0)")
    if len(shape) != 1 and (not wanted or shape[0] != wanted[0]):
        raise ValueError(f"Expected input batch_size ({shape[0]}) to match target batch_size "
                         f"({wanted[0] if wanted else 0}).")  # fmt: skip
    if len(shape) <= 2:
        if len(wanted) > 1:
            raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
        if len(shape) == 1 and wanted == (1,):
            target = target.squeeze(0)
        found = tensors.nll_loss_forward(input, target, weight, kind, ignore_index)[0]
        return found.unsqueeze(0) if len(shape) == 1 and wanted == (1,) and kind == NONE else found
    expected = (shape[0], *shape[2:])
    if wanted != expected:
        raise RuntimeError(
            f"Expected target size [{', '.join(map(str, expected))}], got [{', '.join(map(str, wanted))}]"
        )
    if len(shape) == 4:
        return tensors.nll_loss2d_forward(input, target, weight, kind, ignore_index)[0]
    flat = input.contiguous().view(shape[0], shape[1], 1, -1)
    found = tensors.nll_loss2d_forward(flat, target.contiguous().view(shape[0], 1, -1), weight, kind, ignore_index)[0]
    return found.view(expected) if kind == NONE else found


def cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                  ignore_index: int = -100, reduce: bool | None = None, reduction: str = "mean",
                  label_smoothing: float = 0.0) -> Tensor:  # fmt: skip
    """Cross-entropy of logits with classes or with class probabilities."""
    kind = _reduction(reduction, size_average, reduce)
    _check_tensors(input, target)
    dim = 0 if input._array.ndim == 1 else 1
    if not 0.0 <= label_smoothing <= 1.0:
        raise RuntimeError(f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing:g}")
    if input._array.shape == target._array.shape:
        return _with_probabilities(input, target, weight, kind, label_smoothing, dim)
    logs = tensors._log_softmax(input, dim)
    if label_smoothing == 0.0:
        return _nll(logs, target, weight, kind, ignore_index)
    return _smoothed(logs, target, weight, kind, ignore_index, label_smoothing, dim)


def _over_classes(weight: Tensor, like: Tensor, dim: int) -> Tensor:
    return weight.view([-1 if k == dim else 1 for k in range(like._array.ndim)])


def _with_probabilities(
    input: Tensor, target: Tensor, weight: Tensor | None, kind: int, smoothing: float, dim: int
) -> Tensor:
    if target._array.dtype.kind != "f":
        raise RuntimeError(
            f"Expected floating point type for target with class probabilities, got {target.dtype.scalar_name}"
        )
    classes = sized(input, dim)
    if weight is not None and (weight._array.ndim != 1 or weight._array.size != classes):
        raise RuntimeError(f"cross_entropy: weight tensor should be defined either for all {classes} classes or no classes but "  # noqa: E501
                           f"got weight tensor of shape: [{', '.join(map(str, weight._array.shape))}]")  # fmt: skip
    logs = tensors._log_softmax(input, dim)
    if smoothing:
        target = add_number(mul_number(target, 1 - smoothing), smoothing / classes)
    values = logs * target
    if weight is not None:
        values = values * _over_classes(weight, input, dim)
    if kind == NONE:
        return -values.sum(dim)
    if kind == SUM:
        return -values.sum()
    if not input._array.size:
        return -values.sum().fill_(float("nan"))
    return div_number(-values.sum(), input._array.size // classes)


def _smoothed(logs: Tensor, target: Tensor, weight: Tensor | None, kind: int, ignore_index: int, smoothing: float,
              dim: int) -> Tensor:  # fmt: skip
    classes = logs._array.shape[dim]
    main = _nll(logs, target, weight, kind, ignore_index)
    smooth = -(logs if weight is None else logs * _over_classes(weight, logs, dim)).sum(dim)
    ignored = tensors.eq(target, ignore_index)
    smooth = smooth.masked_fill_(ignored, 0.0)
    if kind == MEAN:
        if weight is not None:
            smooth = smooth.sum() / weight.gather(0, target.masked_select(~ignored).flatten()).sum()
        else:
            smooth = smooth.sum() / ignored.logical_not().sum()
    elif kind == SUM:
        smooth = smooth.sum()
    return mul_number(main, 1 - smoothing) + mul_number(smooth, smoothing / classes)


def binary_cross_entropy(input: Tensor, target: Tensor, weight: Tensor | None = None, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip
    """Cross-entropy of probabilities and targets between 0 and 1."""
    kind = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f"Using a target size ({target.size()}) that is different to the input size ({input.size()}) is "  # noqa: E501
                         "deprecated. Please ensure they have the same size.")  # fmt: skip
    if weight is not None:
        weight = weight.expand(broadcast_shapes(target._array.shape, weight._array.shape))
    return tensors.binary_cross_entropy(input, target, weight, kind)


def binary_cross_entropy_with_logits(input: Tensor, target: Tensor, weight: Tensor | None = None,
                                     size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",  # noqa: E501
                                     pos_weight: Tensor | None = None) -> Tensor:  # fmt: skip
    """Cross-entropy of the logistic function of the input and targets between 0 and 1."""
    kind = _reduction(reduction, size_average, reduce)
    if target.size() != input.size():
        raise ValueError(f"Target size ({target.size()}) must be the same as input size ({input.size()})")
    return tensors.binary_cross_entropy_with_logits(input, target, weight, pos_weight, kind)


# ------------------------------------------------------------------ made of other operations
def kl_div(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
           reduction: str = "mean", log_target: bool = False) -> Tensor:  # fmt: skip
    """Kullback-Leibler divergence; the input holds logarithms."""
    if size_average is not None or reduce is not None:
        kind = _reduction("mean", size_average, reduce)
    else:
        if reduction == "mean":
            warnings.warn("reduction: 'mean' divides the total loss by both the batch size and the support size.'batchmean' "  # noqa: E501
                          "divides only by the batch size, and aligns with the KL div math definition.'mean' will be changed "  # noqa: E501
                          "to behave the same as 'batchmean' in the next major release.", stacklevel=2)  # fmt: skip
        kind = SUM if reduction == "batchmean" else _reduction(reduction)
    if input._array.dtype.kind != "f" or target._array.dtype.kind != "f":
        raise RuntimeError("kl_div: Integral inputs not supported.")
    values = target.exp() * (target - input) if log_target else functions["xlogy"](target, target) - target * input
    found = _applied(values, kind)
    return found / input.size()[0] if reduction == "batchmean" and input.dim() != 0 else found


def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """Cosine of the angle between vectors along a dimension."""
    kind = from_numpy(promote(x1._array, x2._array))
    if not kind.is_floating_point:
        raise RuntimeError(f"expected common dtype to be floating point, yet common dtype is {kind.scalar_name}")
    a, b = (one if one._array.dtype.kind == "f" else one.to(kind) for one in (x1, x2))
    if a._array.shape != b._array.shape:
        shape = broadcast_shapes(a._array.shape, b._array.shape)
        a, b = a.expand(shape), b.expand(shape)
    lengths = []
    for one in (a, b):
        length = tensors.linalg_vector_norm(one, 2, (dim,), True, None).clone()
        length.detach().clamp_min_(eps)
        lengths.append(length)
    return tensors.sum((a / lengths[0]) * (b / lengths[1]), (dim,))


def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Tensor:
    """Distance between vectors along the last dimension."""
    apart = x1 - x2
    apart = add_number(apart, eps) if apart._array.dtype.kind == "f" else apart + eps
    return tensors._norm_along(apart, p, (max(x1.dim(), x2.dim()) - 1,), keepdim)


__all__ = [
    "binary_cross_entropy", "binary_cross_entropy_with_logits", "cosine_similarity", "cross_entropy", "huber_loss", "kl_div",  # noqa: E501
    "l1_loss", "mse_loss", "nll_loss", "pairwise_distance", "smooth_l1_loss",
]  # fmt: skip
