"""A small neural-network layer on top of the engine, under torch's names: `import autograd_lab.nn as nn`.

`dir(nn)` lists what there is. Source: https://docs.pytorch.org/docs/stable/nn.html
"""

from __future__ import annotations

from importlib import import_module as _import_module
from typing import Any

from autograd_lab.nn import functional, init
from autograd_lab.nn.modules import *  # noqa: F403
from autograd_lab.nn.modules import __all__ as _layers
from autograd_lab.nn.parameter import Parameter

__all__ = ["Parameter", "functional", "init", *_layers]


def __getattr__(name: str) -> Any:
    if name == "utils":
        return _import_module("autograd_lab.nn.utils")
    from autograd_lab.core.missing import explain_missing

    raise explain_missing(name, __all__, "torch.nn")


def __dir__() -> list[str]:
    return sorted({*__all__, "utils"})
