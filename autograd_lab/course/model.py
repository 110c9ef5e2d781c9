"""What a question and an exercise are: plain data, declared once a chapter in `course.exercises`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

SURE = {1: "a guess", 2: "I think so", 3: "certain"}
"""How sure a learner can be of a prediction."""


@dataclass(frozen=True)
class Prediction:
    """One question about what a program will print; the question's words stand in the notebook."""

    key: str
    options: int
    right: str
    because: str


@dataclass(frozen=True)
class Exercise:
    """One task: a right answer to compare with, random cases to try, and help for whoever is stuck.

    `families` maps the name of a kind of input to a function `(generator, size) -> arguments`; `size` grows from 1,
    so that the first failure found is also the smallest. `observe(function, *arguments)` turns a call into what is
    compared: by default the value that it returns.
    """

    key: str
    title: str
    kind: str
    solution: str
    families: dict[str, Callable[[Any, int], tuple[Any, ...]]]
    hint: str
    function: str = ""
    lines: dict[str, str] = field(default_factory=dict)
    header: str = ""
    observe: Callable[..., Any] | None = None
    show: tuple[str, ...] = ()
    part: str = ""

    def __post_init__(self) -> None:
        if self.kind not in ("order", "fill", "blank"):
            raise ValueError(f"exercise {self.key}: unknown kind {self.kind!r}")
        if len(self.families) < 3:
            raise ValueError(f"exercise {self.key}: a check needs at least three families of inputs")


@dataclass(frozen=True)
class Verdict:
    """What a check found: `state` is "untouched", "broken", "wrong" or "right"; `lines` say it in words."""

    state: str
    lines: tuple[str, ...] = ()


@dataclass(frozen=True)
class Mutant:
    """One thing with one fault: where it belongs, what it breaks, a hint, and a test that kills it.

    `parts()` gives the wrong parts. Of the learner's engine (`of="engine"`) it is a list of functions and classes;
    of the lab's `torch` or `legacy` it is a dictionary: dotted name → what stands there instead.
    """

    chapter: str
    parts: Callable[[], Any]
    hint: str
    test: str
    of: str = "engine"
