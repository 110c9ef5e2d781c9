"""RMSprop: steps scaled by a running mean of the gradient's square."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.tensor import Tensor
from autograd_lab.optim.making import count, zeros_like
from autograd_lab.optim.optimizer import EachParameter, check_execution, check_lr, number


class RMSprop(EachParameter):
    """RMSprop: v ← alpha v + (1 − alpha) g², p ← p − lr · g / (√v + eps).

    Args:
        params: what to change.
        lr: the size of a step.
        alpha: how long the mean remembers.
        eps: keeps the quotient finite.
        weight_decay: what is added to the gradient for each unit of the parameter.
        momentum: how much of the direction so far is kept.
        centered: subtract the squared mean of the gradient, so that v is a variance.
        maximize: climb instead.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.RMSprop.html
    """

    def __init__(self, params: Any, lr: Any = 1e-2, alpha: float = 0.99, eps: float = 1e-8, weight_decay: float = 0,
                 momentum: float = 0, centered: bool = False, capturable: bool = False, foreach: bool | None = None,
                 maximize: bool = False, differentiable: bool = False) -> None:  # fmt: skip
        check_lr(lr)
        for name, value in (("epsilon", eps), ("momentum", momentum), ("weight_decay", weight_decay), ("alpha", alpha)):
            if not value >= 0.0:
                raise ValueError(f"Invalid {name} value: {value}")
        defaults = {"lr": lr, "momentum": momentum, "alpha": alpha, "eps": eps, "centered": centered,
                    "weight_decay": weight_decay, "capturable": capturable, "foreach": foreach, "maximize": maximize,
                    "differentiable": differentiable}  # fmt: skip
        super().__init__(params, defaults)
        check_execution(differentiable, None, foreach)

    def _update(self, group: dict[str, Any], param: Tensor, grad: Tensor) -> None:
        state, lr, alpha = self.state[param], number(group["lr"]), group["alpha"]
        if not state:
            state["step"] = count()
            state["square_avg"] = zeros_like(param)
            if group["momentum"] > 0:
                state["momentum_buffer"] = zeros_like(param)
            if group["centered"]:
                state["grad_avg"] = zeros_like(param)
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        squares = state["square_avg"]
        squares.mul_(alpha).addcmul_(grad, grad, value=1 - alpha)
        if group["centered"]:
            mean = state["grad_avg"]
            mean.lerp_(grad, 1 - alpha)
            scale = squares.addcmul(mean, mean, value=-1).sqrt_()
        else:
            scale = squares.sqrt()
        scale.add_(group["eps"])
        if group["momentum"] > 0:
            buffer = state["momentum_buffer"]
            buffer.mul_(group["momentum"]).addcdiv_(grad, scale)
            param.add_(buffer, alpha=-lr)
        else:
            param.addcdiv_(grad, scale, value=-lr)
