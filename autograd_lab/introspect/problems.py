"""The sentences for what cannot be opened: what was given, and what to pass instead."""

from __future__ import annotations

from typing import Any


class NotATensor(TypeError):
    """Something that is no tensor was handed to a call that opens graphs."""


class NoGraph(ValueError):
    """A tensor was given that no graph hangs on, or no tensor at all."""


class TooLarge(ValueError):
    """A graph of an engine that cannot survive being looked at whole."""


class UnknownKeyword(TypeError):
    """A keyword that the call does not know."""


class CyclicGraph(ValueError):
    """An object that looks like a graph, but whose edges come back to where they began."""


def describe(value: Any) -> str:
    """Say what a value is, in a few words that cannot fail and never flood the screen."""
    if value is None:
        return "None"
    kind = type(value)      # never isinstance: that asks the object, and a stranger may answer with an error
    if kind in (bool, int, float, str):
        try:
            words = repr(value)
        except ValueError:      # Python writes no int of more than 4300 digits
            return "a very large int"
        return f"the {kind.__name__} {words if len(words) <= 40 else words[:37] + '…'}"
    if kind in (list, tuple, dict, set):
        return f"a {kind.__name__} of {len(value)}"
    is_class = issubclass(kind, type)
    named = value if is_class else kind
    home = f"{named.__module__}." if named.__module__ not in ("builtins", "__main__") else ""
    return f"{'the class' if is_class else 'an object of type'} {home}{named.__qualname__}"


def no_graph(call: str, position: int, leaf: str = "") -> NoGraph:
    """Return the error for a tensor without a graph."""
    who = f"the tensor {leaf}" if leaf else f"a tensor (argument {position})"
    return NoGraph(
        f"{call}() got {who} without a graph: no recorded operation made it and it does not require a gradient. "
        f"Pass the result of a calculation on tensors made with requires_grad=True, for example {call}(loss)."
    )


def reject(call: str, given: dict[str, Any], known: tuple[str, ...]) -> None:
    """Raise when a keyword is given that the call does not know."""
    for name in given:
        if name not in known:
            options = ", ".join(f"{word}=" for word in known) or "no keywords"
            raise UnknownKeyword(f"{call}() does not know the keyword {name}=; it takes {options}.")
