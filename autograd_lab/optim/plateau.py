"""The scheduler that looks at a metric: smaller steps when it stops getting better."""

from __future__ import annotations

import math
import warnings
from typing import Any, SupportsFloat

from autograd_lab.core.tensor import Tensor
from autograd_lab.optim.optimizer import Optimizer, number

EPOCH = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler. During the deprecation, if epoch is different from None, the closed "
    "form is used instead of the new chainable form, where available. Please open an issue if you are unable to "
    "replicate your use case: https://github.com/pytorch/pytorch/issues/new/choose."
)


def rates(optimizer: Optimizer, name: str = "lr") -> list:
    """Return an option of every group; tensors are copied."""
    found = [group[name] for group in optimizer.param_groups]
    return [value.clone() if isinstance(value, Tensor) else value for value in found]


def set_rate(group: dict[str, Any], rate: Any) -> None:
    """Give a group another learning rate."""
    if isinstance(group["lr"], Tensor):
        group["lr"].fill_(number(rate))
    else:
        group["lr"] = rate


class ReduceLROnPlateau:
    """Multiply the rate by `factor` when a metric has not improved for more than `patience` epochs.

    Args:
        optimizer: whose rates are set.
        mode: "min" if a smaller metric is better, else "max".
        factor: what the rate is multiplied by, less than 1.
        patience: how many epochs without improvement are accepted.
        threshold, threshold_mode: how much better counts as better; "rel" or "abs".
        cooldown: epochs after a change in which nothing is counted.
        min_lr: the least rate, one for all groups or one for each.
        eps: changes smaller than this are not made.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.optim.lr_scheduler.ReduceLROnPlateau.html
    """

    def __init__(self, optimizer: Optimizer, mode: str = "min", factor: float = 0.1, patience: int = 10,
                 threshold: float = 1e-4, threshold_mode: str = "rel", cooldown: int = 0, min_lr: Any = 0,
                 eps: float = 1e-8) -> None:  # fmt: skip
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if not isinstance(optimizer, Optimizer):
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")
        self.factor = factor
        self.optimizer = optimizer
        groups = len(optimizer.param_groups)
        one_each = isinstance(min_lr, (list, tuple))
        if one_each and len(min_lr) != groups:
            raise ValueError(f"expected {groups} min_lrs, got {len(min_lr)}")
        self.default_min_lr = None if one_each else min_lr
        self.min_lrs = list(min_lr) if one_each else [min_lr] * groups
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = rates(optimizer)
        self._init_is_better(mode, threshold, threshold_mode)
        self._reset()

    def _init_is_better(self, mode: str, threshold: float, threshold_mode: str) -> None:
        if mode not in ("min", "max"):
            raise ValueError("mode " + mode + " is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError("threshold mode " + threshold_mode + " is unknown!")
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode

    def _reset(self) -> None:
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @property
    def in_cooldown(self) -> bool:
        """Whether a change of the rate is so fresh that nothing is counted."""
        return self.cooldown_counter > 0

    def get_last_lr(self) -> list:
        """Return the rates that the last step set."""
        return self._last_lr

    def step(self, metrics: SupportsFloat, epoch: int | None = None) -> None:
        """Look at the metric of the epoch that has ended."""
        current = float(metrics)
        if epoch is not None:
            warnings.warn(EPOCH, UserWarning, stacklevel=2)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best, self.num_bad_epochs = current, 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce_lr()
            self.cooldown_counter, self.num_bad_epochs = self.cooldown, 0
        self._last_lr = rates(self.optimizer)

    def _is_better(self, a: float, best: float) -> bool:
        sign = 1 if self.mode == "max" else -1
        bar = best * (1.0 + sign * self.threshold) if self.threshold_mode == "rel" else best + sign * self.threshold
        return a > bar if self.mode == "max" else a < bar

    def _reduce_lr(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from when "
                    f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due to a new param group "
                    "being added to the optimizer. Please modify the `min_lrs` field to match the length of the "
                    "`optimizer` param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                set_rate(group, new)

    def state_dict(self) -> dict[str, Any]:
        """Return everything but the optimizer."""
        return {name: value for name, value in self.__dict__.items() if name != "optimizer"}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Go on from a state dict."""
        self.__dict__.update(state_dict)
        self._init_is_better(self.mode, self.threshold, self.threshold_mode)
