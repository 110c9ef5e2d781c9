"""Adam: steps scaled by running means of the gradient and of its square; AdamW decays the weights apart."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.op import functions
from autograd_lab.core.tensor import Tensor
from autograd_lab.optim.making import count, zeros_like
from autograd_lab.optim.optimizer import EachParameter, check_execution, check_lr, number


class Adam(EachParameter):
    """Adam: m ← β₁ m + (1 − β₁) g, v ← β₂ v + (1 − β₂) g², p ← p − lr · m̂ / (√v̂ + eps).

    Args:
        params: what to change.
        lr: the size of a step.
        betas: how long both means remember.
        eps: keeps the quotient finite.
        weight_decay: what is added to the gradient for each unit of the parameter.
        amsgrad: use the largest mean of squares so far.
        maximize: climb instead.
        decoupled_weight_decay: shrink the parameter itself instead of adding to the gradient.

    Source: Kingma and Ba (2014); https://docs.pytorch.org/docs/stable/generated/torch.optim.Adam.html
    """

    def __init__(self, params: Any, lr: Any = 1e-3, betas: Any = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 0, amsgrad: bool = False, *, foreach: bool | None = None, maximize: bool = False,
                 capturable: bool = False, differentiable: bool = False, fused: bool | None = None,
                 decoupled_weight_decay: bool = False) -> None:  # fmt: skip
        check_lr(lr)
        if not eps >= 0.0:
            raise ValueError(f"Invalid epsilon value: {eps}")
        for position in (0, 1):
            if not 0.0 <= betas[position] < 1.0:
                raise ValueError(f"Invalid beta parameter at index {position}: {betas[position]}")
        if not weight_decay >= 0.0:
            raise ValueError(f"Invalid weight_decay value: {weight_decay}")
        defaults = {"lr": lr, "betas": betas, "eps": eps, "weight_decay": weight_decay, "amsgrad": amsgrad,
                    "maximize": maximize, "foreach": foreach, "capturable": capturable,
                    "differentiable": differentiable, "fused": fused,
                    "decoupled_weight_decay": decoupled_weight_decay}  # fmt: skip
        super().__init__(params, defaults)
        check_execution(differentiable, fused, foreach)

    def _update(self, group: dict[str, Any], param: Tensor, grad: Tensor) -> None:
        state = self.state[param]
        if not state:
            state["step"] = count()
            state["exp_avg"] = zeros_like(param)
            state["exp_avg_sq"] = zeros_like(param)
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = zeros_like(param)
        lr, beta1, beta2 = number(group["lr"]), number(group["betas"][0]), number(group["betas"][1])
        state["step"] += 1
        step = state["step"].item()
        weight_decay = group["weight_decay"]
        if weight_decay != 0:
            if group["decoupled_weight_decay"]:
                param.mul_(1 - lr * weight_decay)
            else:
                grad = grad.add(param, alpha=weight_decay)
        mean, squares = state["exp_avg"], state["exp_avg_sq"]
        mean.lerp_(grad, 1 - beta1)
        squares.mul_(beta2).addcmul_(grad, grad, value=1 - beta2)
        # The means start at zero; dividing by 1 − βᵗ makes up for it.
        correction1, correction2 = 1 - beta1**step, 1 - beta2**step
        if group["amsgrad"]:
            largest = state["max_exp_avg_sq"]
            squares = largest.copy_(functions["maximum"](largest, squares))
        scale = (squares.sqrt() / correction2**0.5).add_(group["eps"])
        param.addcdiv_(mean, scale, value=-(lr / correction1))


class AdamW(Adam):
    """Adam with weight decay apart from the gradient: p ← (1 − lr · weight_decay) p before each step.

    Source: Loshchilov and Hutter (2019); https://docs.pytorch.org/docs/stable/generated/torch.optim.AdamW.html
    """

    def __init__(self, params: Any, lr: Any = 1e-3, betas: Any = (0.9, 0.999), eps: float = 1e-8,
                 weight_decay: float = 1e-2, amsgrad: bool = False, *, maximize: bool = False,
                 foreach: bool | None = None, capturable: bool = False, differentiable: bool = False,
                 fused: bool | None = None) -> None:  # fmt: skip
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, foreach=foreach, maximize=maximize,
                         capturable=capturable, differentiable=differentiable, fused=fused,
                         decoupled_weight_decay=True)  # fmt: skip
