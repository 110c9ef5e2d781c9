"""Stochastic gradient descent, with momentum if wanted."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.tensor import Tensor
from autograd_lab.optim.optimizer import EachParameter, check_execution, check_lr, number


class SGD(EachParameter):
    """Go a step against the gradient: p ← p − lr · g.

    Args:
        params: what to change.
        lr: the size of a step.
        momentum: how much of the direction so far is kept: b ← momentum · b + (1 − dampening) · g, p ← p − lr · b.
        dampening: how much less the gradient counts then.
        weight_decay: what is added to the gradient for each unit of the parameter.
        nesterov: look ahead along the momentum.
        maximize: climb instead.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.SGD.html

    >>> import autograd_lab as torch
    >>> p = torch.tensor([1.0], requires_grad=True)
    >>> optimizer = torch.optim.SGD([p], lr=0.1)
    >>> (3 * p).sum().backward()
    >>> optimizer.step()
    >>> p
    tensor([0.7000], requires_grad=True)
    """

    def __init__(self, params: Any, lr: Any = 1e-3, momentum: float = 0, dampening: float = 0, weight_decay: Any = 0,
                 nesterov: bool = False, *, maximize: bool = False, foreach: bool | None = None,
                 differentiable: bool = False, fused: bool | None = None) -> None:  # fmt: skip
        check_lr(lr)
        if momentum < 0.0:
            raise ValueError(f"Invalid momentum value: {momentum}")
        if weight_decay < 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay,
                    "nesterov": nesterov, "maximize": maximize, "foreach": foreach, "differentiable": differentiable,
                    "fused": fused}  # fmt: skip
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("Nesterov momentum requires a momentum and zero dampening")
        super().__init__(params, defaults)
        check_execution(differentiable, fused, foreach)

    def _update(self, group: dict[str, Any], param: Tensor, grad: Tensor) -> None:
        weight_decay, momentum = number(group["weight_decay"]), group["momentum"]
        if weight_decay != 0:
            grad = grad.add(param, alpha=weight_decay)
        if momentum != 0:
            state = self.state[param]
            buffer = state.get("momentum_buffer")
            if buffer is None:
                buffer = state["momentum_buffer"] = grad.detach().clone()
            else:
                buffer.mul_(momentum).add_(grad, alpha=1 - group["dampening"])
            grad = grad.add(buffer, alpha=momentum) if group["nesterov"] else buffer
        param.add_(grad, alpha=-number(group["lr"]))
