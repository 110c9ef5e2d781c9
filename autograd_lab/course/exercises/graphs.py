"""Small graphs for the learner's engine: a chain, a value that is used twice, a diamond, and more."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from autograd_lab.course.exercises.inputs import named


def chain(mine: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a * b + c."""
    return a * b + c


def twice(mine: Any, a: Any, b: Any, c: Any) -> Any:
    """Return a * a."""
    return a * a


def diamond(mine: Any, a: Any, b: Any, c: Any) -> Any:
    """Return s + s with s = a + a."""
    s = a + a
    return s + s


def shared(mine: Any, a: Any, b: Any, c: Any) -> Any:
    """Return (s + a) * s with s = a * b."""
    s = a * b
    return (s + a) * s


def late(mine: Any, a: Any, b: Any, c: Any) -> Any:
    """Return r * r * a with r = exp(a * c)."""
    r = mine.exp(a * c)
    return r * r * a


GRAPHS = {"chain": chain, "twice": twice, "diamond": diamond, "shared": shared, "late": late}
ARITHMETIC = {make: make.__doc__.removeprefix("Return ").rstrip(".") for make in GRAPHS.values() if make.__doc__}

for _make, _words in ARITHMETIC.items():
    named(_words, _make)


def families(case: Callable[[Any, Any, int], tuple]) -> dict[str, Callable[[Any, int], tuple]]:
    """Return one family of inputs a graph: `case(graph, generator, size)` gives the arguments."""
    return {name: partial(case, make) for name, make in GRAPHS.items()}
