"""What torch keeps under `torch.utils`: hook handles, the base of the grad-mode decorators, a small `data`,
`checkpoint`."""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from autograd_lab.core.missing import explain_missing

_SUBMODULES = frozenset(("checkpoint", "data", "hooks"))


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return _import_module(f"autograd_lab.utils.{name}")
    raise explain_missing(name, _SUBMODULES, "torch.utils")


def __dir__() -> list[str]:
    return sorted(_SUBMODULES)
