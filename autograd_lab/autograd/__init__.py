"""torch.autograd: the graph's entry points, custom Functions, modes, checks.

Source: https://docs.pytorch.org/docs/stable/autograd.html
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from autograd_lab.autograd import grad_mode
from autograd_lab.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from autograd_lab.autograd.function import Function
from autograd_lab.autograd.grad_mode import (
    _unsafe_preserve_version_counter,
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    is_multithreading_enabled,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from autograd_lab.autograd.gradcheck import gradcheck, gradgradcheck
from autograd_lab.autograd.variable import Variable, variable
from autograd_lab.core.entry import backward, grad

__all__ = [  # noqa: RUF022 (torch's order)
    "Variable",
    "Function",
    "backward",
    "grad_mode",
    "NestedIOFunction",
    "detect_anomaly",
    "enable_grad",
    "grad",
    "gradcheck",
    "gradgradcheck",
    "inference_mode",
    "no_grad",
    "set_detect_anomaly",
    "set_grad_enabled",
    "set_multithreading_enabled",
    "enforce_grad_layout_policy",
    "variable",
]

_SUBMODULES = frozenset(("anomaly_mode", "function", "functional", "graph"))


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return _import_module(f"autograd_lab.autograd.{name}")
    if name == "NestedIOFunction":
        from autograd_lab.autograd.function import NestedIOFunction

        return NestedIOFunction
    if name == "SavedTensor":
        from autograd_lab.core.saved_attributes import SavedTensor

        return SavedTensor
    raise AttributeError(f"module 'autograd_lab.autograd' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES, "_unsafe_preserve_version_counter", "is_multithreading_enabled"})
