"""Let one walker read two engines: each adapter answers the same questions about its own tensors and nodes."""

from __future__ import annotations

from typing import Any

from autograd_lab.introspect.adapters.base import Adapter, SavedRaw
from autograd_lab.introspect.adapters.lab import LabAdapter
from autograd_lab.introspect.adapters.torch import TorchAdapter
from autograd_lab.introspect.problems import NotATensor, describe

__all__ = ["Adapter", "LabAdapter", "SavedRaw", "TorchAdapter", "adapter_for", "adapters"]

_ADAPTERS: tuple[Adapter, ...] = (LabAdapter(), TorchAdapter())


def adapters() -> tuple[Adapter, ...]:
    """Return the adapters of every engine that is loaded."""
    return tuple(adapter for adapter in _ADAPTERS if adapter.loaded())


def adapter_for(value: Any, call: str = "inspect", position: int = 1) -> Adapter:
    """Return the adapter that reads `value`, or raise a sentence that says what was given and what to pass."""
    for adapter in adapters():
        if adapter.is_tensor(value):
            return adapter
    raise NotATensor(
        f"{call}() got {describe(value)} as argument {position}; it opens the graphs of tensors. "
        f"Pass the result of a calculation on tensors, for example {call}(loss)."
    )
