"""Engines with one fault each. The learner writes a test that the right engine passes and the broken one fails.

From chapter 04 to 12 the engine is the learner's own; elsewhere it is the lab's `torch`, in the museum `legacy`.

from autograd_lab.course import mutants
mutants.hunt("assigns", test)
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable
from typing import Any

from autograd_lab.course import engine
from autograd_lab.course import record as store
from autograd_lab.course.faults import OF_ENGINE
from autograd_lab.course.faults_of_torch import OF_TORCH, pane
from autograd_lab.course.judge import is_untouched
from autograd_lab.course.model import Mutant

MUTANTS: dict[str, Mutant] = dict(sorted((OF_TORCH | OF_ENGINE).items(), key=lambda pair: pair[1].chapter))

LINES = 6
"""A test that kills is short."""


def names() -> tuple[str, ...]:
    """Return the names of all mutants, in the order of their chapters."""
    return tuple(MUTANTS)


def load(name: str) -> Any:
    """Return a broken engine: `Value`, `backward`, `exp` and the rest, as in my_grad; or a broken `torch`.

    Raises KeyError with the names that exist.
    """
    mutant = _mutant(name)
    return engine.build(mutant.parts()) if mutant.of == "engine" else pane(mutant.of, mutant.parts())


def right(name: str | None = None) -> Any:
    """Return the engine without a fault: the one that this mutant was made of, the small engine without a name."""
    of = "engine" if name is None else _mutant(name).of
    return engine.build() if of == "engine" else pane(of)


def hunt(name: str, test: Callable[[Any], Any]) -> None:
    """Print whether a test kills a mutant: it passes on the right engine and fails on the broken one.

    name: a mutant, such as "assigns". test: a function of at most six lines that takes an engine and asserts.
    Raises KeyError with the names that exist.
    """
    mutant = _mutant(name)
    if is_untouched(test):
        print(f"{name}: not hunted yet.")
        return
    words = verdict(name, test)
    record = store.update(lambda kept: _note(kept, name, words is None))
    if words is None:
        print(f"{name} ✓ killed: the right engine passes your test, the mutant does not.")
        return
    print(f"{name} ✗ lives. {words}")
    tries = record["exercises"][_key(name)]["tries"]
    if tries >= 2:
        print(textwrap.fill(f"Hint: {mutant.hint}", 100))
    if tries >= 3:
        print(f"A test that kills it:\n\n{textwrap.indent(mutant.test.strip(), '    ')}")


def verdict(name: str, test: Callable[[Any], Any]) -> str | None:
    """Return why a test does not kill a mutant, or None when it does."""
    length = _length(test)
    if length > LINES:
        return f"Your test has {length} lines; {LINES} are enough."
    try:
        test(right(name))
    except Exception as error:
        return f"Your test fails on the right engine too: {_words(error)}"
    try:
        test(load(name))
    except Exception:
        return None
    return "Your test passes on the right engine, and on the mutant as well."


def page() -> None:
    """Print which mutants are killed and which live, chapter by chapter."""
    record = store.load()
    for name, mutant in MUTANTS.items():
        entry = record["exercises"].get(_key(name), {})
        state = "killed" if entry.get("solved") else "lives" if entry.get("tries") else "not hunted"
        print(f"chapter {mutant.chapter}  {name:<22} {state}")


def _mutant(name: str) -> Mutant:
    if name not in MUTANTS:
        raise KeyError(f"there is no mutant {name!r}; there are {', '.join(MUTANTS)}")
    return MUTANTS[name]


def _key(name: str) -> str:
    return f"mutant {name}"


def _note(record: dict, name: str, killed: bool) -> None:
    entry = record["exercises"].setdefault(_key(name), {"tries": 0})
    if killed:
        entry.setdefault("solved", store.now())
    elif not entry.get("solved"):
        entry["tries"] += 1


def _words(error: Exception) -> str:
    text = str(error).split("\n")[0]
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


def _length(test: Callable[[Any], Any]) -> int:
    """Return the number of a test's lines, without its head, its docstring and blank lines; 0 if nobody can tell."""
    try:
        source = textwrap.dedent(inspect.getsource(test))
    except (OSError, TypeError):
        return 0
    lines = [line.strip() for line in source.splitlines()[1:]]
    return len([line for line in lines if line and not line.startswith(('"""', "#"))])
