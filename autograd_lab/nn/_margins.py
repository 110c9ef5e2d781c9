"""Losses made of other operations: margins between scores, pairs and triplets; likelihoods of counts and of noise."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.core.op import functions, tensors
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor
from autograd_lab.nn._losses import _applied, _reduction, pairwise_distance
from autograd_lab.ops.numbers import add_number, mul_number


def _plus(values: Tensor, number: float) -> Tensor:
    """Add a number as torch's C++ code does."""
    return add_number(values, number) if values._array.dtype.kind == "f" else values + number


def _less(number: float, values: Tensor) -> Tensor:
    """Return a number minus a tensor as torch's C++ code does: the number takes the tensor's dtype."""
    return functions["sub"](functions["full"]((), number, dtype=values.dtype), values)


def soft_margin_loss(input: Tensor, target: Tensor, size_average: bool | None = None, reduce: bool | None = None,
                     reduction: str = "mean") -> Tensor:  # fmt: skip
    """Logistic loss of scores and of classes -1 and 1.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.soft_margin_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    if target._node is not None:
        raise RuntimeError("The function 'soft_margin_loss' is not differentiable with respect to argument 'target'. This input "  # noqa: E501
                           "cannot have requires_grad True.")  # fmt: skip
    if input.is_floating_point() and target._array.dtype.kind != "b":
        target = target.to(input.dtype)     # the result is computed in the input's dtype, and so is its derivative
    return tensors.soft_margin_loss(input, target, kind)


def multi_margin_loss(input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0, weight: Tensor | None = None,
                      size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip  # noqa: E501
    """How near the scores of wrong classes come to that of the right one.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.multi_margin_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    if p not in (1, 2):
        raise ValueError("only p == 1 and p == 2 supported")
    if weight is not None and weight.dim() != 1:
        raise ValueError("weight must be one-dimensional")
    return tensors.multi_margin_loss(input, target, p, margin, weight, kind)


def hinge_embedding_loss(input: Tensor, target: Tensor, margin: float = 1.0, size_average: bool | None = None,
                         reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip
    """The distance of like pairs (target 1), what unlike ones (target -1) lack to the margin.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.hinge_embedding_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    zeros = functions["zeros_like"](input)
    lacking = _less(margin, input).clamp_min_(0)
    apart = tensors.where(target != 1, lacking, zeros)
    return _applied(apart + tensors.where(target != -1, input, zeros), kind)


def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0, size_average: bool | None = None,  # noqa: E501
                        reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip
    """What the first score lacks to exceed the second (target 1; -1: the other way round) by the margin.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.margin_ranking_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    if input1.dim() != input2.dim() or input1.dim() != target.dim():
        raise RuntimeError("margin_ranking_loss : All input tensors should have same dimension but got sizes: input1: "
                           f"{input1.size()}, input2: {input2.size()}, target: {target.size()} ")  # fmt: skip
    apart = input1 - input2
    return _applied(_plus(functions["neg"](target) * apart, float(margin)).clamp_min_(0), kind)


def triplet_margin_loss(anchor: Tensor, positive: Tensor, negative: Tensor, margin: float = 1.0, p: float = 2,
                        eps: float = 1e-6, swap: bool = False, size_average: bool | None = None, reduce: bool | None = None,  # noqa: E501
                        reduction: str = "mean") -> Tensor:  # fmt: skip
    """What the anchor's distance from the negative lacks to exceed that from the positive by the margin.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.triplet_margin_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    if margin <= 0:
        raise ValueError(f"margin must be greater than 0, got {margin}")
    ranks = [one._array.ndim for one in (anchor, positive, negative)]
    if len(set(ranks)) > 1:
        raise RuntimeError("The anchor, positive, and negative tensors are expected to have the same number of dimensions, but "  # noqa: E501
                           f"got: anchor {ranks[0]}D, positive {ranks[1]}D, and negative {ranks[2]}D inputs")  # fmt: skip  # noqa: E501
    near, far = pairwise_distance(anchor, positive, p, eps), pairwise_distance(anchor, negative, p, eps)
    if swap:
        far = tensors.minimum(far, pairwise_distance(positive, negative, p, eps))
    return _applied(tensors.clamp_min(add_number(near, margin) - far, 0), kind)


def cosine_embedding_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0,
                          size_average: bool | None = None, reduce: bool | None = None, reduction: str = "mean") -> Tensor:  # fmt: skip  # noqa: E501
    """One minus the cosine of like vectors (target 1); by how much that of unlike ones (-1) exceeds the margin.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.cosine_embedding_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    rank = target._array.ndim
    if rank > 1:
        raise RuntimeError("0D or 1D target tensor expected, multi-target not supported")
    if not input1._array.ndim == input2._array.ndim == rank + 1:
        raise RuntimeError(f"{rank}D target tensor expects {rank + 1}D input tensors, but found inputs with sizes "
                           f"{size_text(input1._array.shape)} and {size_text(input2._array.shape)}.")  # fmt: skip
    product = (input1 * input2).sum(rank)
    sizes = [_plus((one * one).sum(rank), 1e-12) for one in (input1, input2)]
    cosine = product / (sizes[0] * sizes[1]).sqrt_()
    zeros = functions["zeros_like"](cosine)
    like = tensors.where(target == 1, _less(1, cosine), zeros)
    return _applied(like + tensors.where(target == -1, (cosine - margin).clamp_min_(0), zeros), kind)


def poisson_nll_loss(input: Tensor, target: Tensor, log_input: bool = True, full: bool = False,
                     size_average: bool | None = None, eps: float = 1e-8, reduce: bool | None = None,
                     reduction: str = "mean") -> Tensor:  # fmt: skip
    """Negative log-likelihood of counts, whose mean (or its logarithm) is the input.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.poisson_nll_loss.html
    """
    kind = _reduction(reduction, size_average, reduce)
    if log_input:
        loss = input.exp() - target * input
    else:
        loss = input - target * _plus(input, eps).log()
    if full:        # Stirling's approximation of ln t!
        stirling = target * target.log() - target + mul_number(mul_number(target, 2 * math.pi).log(), 0.5)
        loss = loss.add_(stirling.masked_fill(target <= 1, 0))
    return _applied(loss, kind)


def gaussian_nll_loss(input: Tensor, target: Tensor, var: Any, full: bool = False, eps: float = 1e-6,
                      reduction: str = "mean") -> Tensor:  # fmt: skip
    """Negative log-likelihood of targets that scatter about the input with a variance of their own.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.gaussian_nll_loss.html
    """
    if isinstance(var, float):
        if var < 0:
            raise ValueError("var has negative entry/entries")
        var = var * functions["ones_like"](input)
    elif bool((var < 0).any()):
        raise ValueError("var has negative entry/entries")
    if var.size() != input.size():
        if input.size()[:-1] == var.size():
            var = var.unsqueeze(-1)
        elif not (input.dim() and var.dim() and input.size()[:-1] == var.size()[:-1] and var.size(-1) == 1):
            raise ValueError("var is of incorrect size")
    if reduction not in ("none", "mean", "sum"):
        raise ValueError(reduction + " is not valid")
    var = var.clone()
    var.detach().clamp_(min=eps)
    loss = 0.5 * (var.log() + (input - target) ** 2 / var)
    if full:
        loss = loss + 0.5 * math.log(2 * math.pi)
    return _applied(loss, _reduction(reduction))


__all__ = [
    "cosine_embedding_loss", "gaussian_nll_loss", "hinge_embedding_loss", "margin_ranking_loss", "multi_margin_loss",
    "poisson_nll_loss", "soft_margin_loss", "triplet_margin_loss",
]  # fmt: skip
