"""Losses as modules: each applies the function of `nn.functional` that has its name."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.module import Module

_OLD = "size_average and reduce args will be deprecated, please use reduction='{}' instead."


def old_reduction(size_average: bool | None, reduce: bool | None) -> str:
    """Return the reduction that torch's two flags of old mean, with torch's warning."""
    import warnings

    size_average = True if size_average is None else size_average
    reduce = True if reduce is None else reduce
    meant = "none" if not reduce else "mean" if size_average else "sum"
    warnings.warn(_OLD.format(meant), stacklevel=4)
    return meant


class _Loss(Module):
    """A loss: `reduction` says whether the elements are averaged ("mean"), added ("sum") or kept ("none")."""

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> None:
        super().__init__()
        old = size_average is not None or reduce is not None
        self.reduction = old_reduction(size_average, reduce) if old else reduction


class _WeightedLoss(_Loss):
    """A loss with one weight for each class or element."""

    def __init__(self, weight: Any = None, size_average: bool | None = None, reduce: bool | None = None,
                 reduction: str = "mean") -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)


class MSELoss(_Loss):
    """The squared difference."""

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.mse_loss(input, target, reduction=self.reduction)


class L1Loss(_Loss):
    """The absolute difference."""

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.l1_loss(input, target, reduction=self.reduction)


class SmoothL1Loss(_Loss):
    """Half the squared difference over beta up to beta, the absolute difference less beta / 2 beyond."""

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
                 beta: float = 1.0) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.beta = beta

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.smooth_l1_loss(input, target, reduction=self.reduction, beta=self.beta)


class HuberLoss(_Loss):
    """Half the squared difference up to delta, linear beyond."""

    def __init__(self, reduction: str = "mean", delta: float = 1.0) -> None:
        super().__init__(reduction=reduction)
        self.delta = delta

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.huber_loss(input, target, reduction=self.reduction, delta=self.delta)


class KLDivLoss(_Loss):
    """The Kullback-Leibler divergence; `input` holds logarithms of probabilities."""

    def __init__(self, size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean",
                 log_target: bool = False) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.log_target = log_target

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.kl_div(input, target, reduction=self.reduction, log_target=self.log_target)


class NLLLoss(_WeightedLoss):
    """Minus the logarithm of the probability that `input` gives to the right class.

    Shapes: input (N, C, …) or (C,), target (N, …) or () of class numbers.
    """

    def __init__(self, weight: Any = None, size_average: bool | None = None, ignore_index: int = -100,
                 reduce: bool | None = None, reduction: str = "mean") -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.nll_loss(input, target, weight=self.weight, ignore_index=self.ignore_index, reduction=self.reduction)


class CrossEntropyLoss(_WeightedLoss):
    """`LogSoftmax` and `NLLLoss` in one.

    Shapes: input (N, C, …) or (C,); target (N, …) of class numbers, or the input's shape of probabilities.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.CrossEntropyLoss.html
    """

    def __init__(self, weight: Any = None, size_average: bool | None = None, ignore_index: int = -100,
                 reduce: bool | None = None, reduction: str = "mean", label_smoothing: float = 0.0,
                 ) -> None:  # fmt: skip
        super().__init__(weight, size_average, reduce, reduction)
        self.ignore_index = ignore_index
        self.label_smoothing = label_smoothing

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.cross_entropy(input, target, weight=self.weight, ignore_index=self.ignore_index,
                               reduction=self.reduction, label_smoothing=self.label_smoothing)  # fmt: skip


class BCELoss(_WeightedLoss):
    """The cross entropy of two classes; `input` holds probabilities."""

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.binary_cross_entropy(input, target, weight=self.weight, reduction=self.reduction)


class BCEWithLogitsLoss(_Loss):
    """`Sigmoid` and `BCELoss` in one, without their overflow."""

    def __init__(self, weight: Any = None, size_average: bool | None = None, reduce: bool | None = None,
                 reduction: str = "mean", pos_weight: Any = None) -> None:  # fmt: skip
        super().__init__(size_average, reduce, reduction)
        self.register_buffer("weight", weight)
        self.register_buffer("pos_weight", pos_weight)

    def forward(self, input: Any, target: Any) -> Any:
        """Return the loss."""
        return F.binary_cross_entropy_with_logits(input, target, self.weight, pos_weight=self.pos_weight,
                                                  reduction=self.reduction)  # fmt: skip
