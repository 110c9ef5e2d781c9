"""Adagrad: steps scaled by the sum of all squared gradients so far."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.tensor import Tensor
from autograd_lab.optim.making import count, zeros_like
from autograd_lab.optim.optimizer import EachParameter, check_execution, check_lr, number


class Adagrad(EachParameter):
    """Adagrad: s ← s + g², p ← p − lr · g / (√s + eps).

    Args:
        params: what to change.
        lr: the size of a step.
        lr_decay: by how much steps shrink with their number.
        weight_decay: what is added to the gradient for each unit of the parameter.
        initial_accumulator_value: where the sum starts.
        eps: keeps the quotient finite.
        maximize: climb instead.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.Adagrad.html
    """

    def __init__(self, params: Any, lr: Any = 1e-2, lr_decay: float = 0, weight_decay: float = 0,
                 initial_accumulator_value: float = 0, eps: float = 1e-10, foreach: bool | None = None, *,
                 maximize: bool = False, differentiable: bool = False, fused: bool | None = None) -> None:  # fmt: skip
        check_lr(lr)
        for name, value in (("lr_decay", lr_decay), ("weight_decay", weight_decay),
                            ("initial_accumulator_value", initial_accumulator_value), ("epsilon", eps)):  # fmt: skip
            if not value >= 0.0:
                raise ValueError(f"Invalid {name} value: {value}")
        defaults = {"lr": lr, "lr_decay": lr_decay, "eps": eps, "weight_decay": weight_decay,
                    "initial_accumulator_value": initial_accumulator_value, "foreach": foreach, "maximize": maximize,
                    "differentiable": differentiable, "fused": fused}  # fmt: skip
        super().__init__(params, defaults)
        check_execution(differentiable, fused, foreach)
        for group in self.param_groups:
            for param in group["params"]:
                self.state[param]["step"] = count()
                self.state[param]["sum"] = zeros_like(param, initial_accumulator_value)

    def share_memory(self) -> None:
        """Do nothing: one process has nothing to share."""

    def _update(self, group: dict[str, Any], param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        state["step"] += 1
        if group["weight_decay"] != 0:
            grad = grad.add(param, alpha=group["weight_decay"])
        rate = number(group["lr"]) / (1 + (state["step"].item() - 1) * group["lr_decay"])
        total = state["sum"]
        total.addcmul_(grad, grad, value=1)
        param.addcdiv_(grad, total.sqrt().add_(group["eps"]), value=-rate)
