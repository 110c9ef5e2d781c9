"""Random inputs that many exercises use: seeded, small first, and of more than one kind."""

from __future__ import annotations

from typing import Any

import autograd_lab as torch


def number(rng: Any, low: float = -3.0, high: float = 3.0) -> float:
    """Return one number with a single decimal, so that a learner can check it in the head."""
    return round(float(rng.uniform(low, high)), 1)


def numbers(rng: Any, size: int, low: float = -3.0, high: float = 3.0) -> list[float]:
    """Return a list of such numbers."""
    return [number(rng, low, high) for _ in range(size)]


def vector(rng: Any, size: int, low: float = -3.0, high: float = 3.0, dtype: Any = torch.float32) -> Any:
    """Return a 1-d tensor of such numbers."""
    return torch.tensor(numbers(rng, size, low, high), dtype=dtype)


def matrix(rng: Any, rows: int, columns: int, low: float = -3.0, high: float = 3.0, dtype: Any = torch.float32) -> Any:
    """Return a 2-d tensor of such numbers."""
    return torch.tensor([numbers(rng, columns, low, high) for _ in range(rows)], dtype=dtype)


def named(words: str, function: Any) -> Any:
    """Return a function that a verdict shows as these words."""
    function.shown_as = words
    return function
