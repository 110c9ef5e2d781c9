"""Opening the rest of the op table: what happens when a name is asked for whose room was not imported yet."""

from __future__ import annotations

from collections.abc import Callable
from threading import RLock
from typing import Any

open_the_rest: Callable[[], None] | None = None     # set by `ops`: imports the rooms that are not imported yet
_lock = RLock()


def open_all() -> None:
    """Import the rooms that are still closed; wait if another thread is importing them."""
    global open_the_rest
    with _lock:
        opener, open_the_rest = open_the_rest, None
        if opener is not None:
            opener()


class Table(dict):
    """The declarations by name; a name that is missing opens the rooms that may hold it."""

    def __missing__(self, name: str) -> Any:
        open_all()
        if name in self:
            return self[name]
        raise KeyError(name)


class Vocabulary:
    """The functions that a derivative's formula may call, as attributes; a missing one opens the rooms, too."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("__"):
            open_all()
            if name in vars(self):
                return vars(self)[name]
        raise AttributeError(f"no operation is called {name!r}")
