"""torch.autograd: the graph's entry points, custom Functions, modes, checks.

Source: https://docs.pytorch.org/docs/stable/autograd.html
"""

from __future__ import annotations

import sys as _sys
from importlib import import_module as _import_module
from types import ModuleType
from typing import Any

from autograd_lab.autograd import grad_mode
from autograd_lab.autograd.anomaly_mode import detect_anomaly, set_detect_anomaly
from autograd_lab.autograd.function import Function, NestedIOFunction
from autograd_lab.autograd.grad_mode import (
    _unsafe_preserve_version_counter as _unsafe_preserve_version_counter,
)
from autograd_lab.autograd.grad_mode import (
    enable_grad,
    enforce_grad_layout_policy,
    inference_mode,
    no_grad,
    set_grad_enabled,
    set_multithreading_enabled,
)
from autograd_lab.autograd.grad_mode import (
    is_multithreading_enabled as is_multithreading_enabled,
)
from autograd_lab.autograd.gradcheck import gradcheck, gradgradcheck
from autograd_lab.autograd.variable import Variable, variable
from autograd_lab.core.entry import backward, grad
from autograd_lab.core.missing import explain_missing

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



class _Package(ModuleType):
    """This package: `gradcheck` and `variable` are functions here, though submodules have these names too.

    The import system sets a submodule as an attribute of its package, whenever it is first imported under any name.
    """

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("gradcheck", "variable") and isinstance(value, ModuleType):
            return
        super().__setattr__(name, value)


_sys.modules[__name__].__class__ = _Package
_SUBMODULES = frozenset(("anomaly_mode", "forward_ad", "function", "functional", "graph"))


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return _import_module(f"autograd_lab.autograd.{name}")
    if name == "SavedTensor":
        from autograd_lab.core.saved_attributes import SavedTensor

        return SavedTensor
    if name == "_calculate_shape":
        from autograd_lab.autograd._functions import calculate_shape

        return calculate_shape
    raise explain_missing(name, __dir__(), "torch.autograd")


def __dir__() -> list[str]:
    return sorted({*__all__, *_SUBMODULES, "_unsafe_preserve_version_counter", "is_multithreading_enabled"})
