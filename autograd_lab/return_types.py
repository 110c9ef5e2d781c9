"""The named tuples that operations with several results return, under torch's names."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.returns import FIELDS, return_type

__all__ = sorted(FIELDS)  # pyright: ignore[reportUnsupportedDunderAll]


def __getattr__(name: str) -> Any:
    if name in FIELDS:
        return return_type(name)
    raise AttributeError(f"module 'torch.return_types' has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)
