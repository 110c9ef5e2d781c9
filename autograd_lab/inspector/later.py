"""Do what the first picture can do without after the cell's output is on its way, but before the cell is done."""

from __future__ import annotations

import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any


class _Cell:
    """What waits for the end of the running notebook cell."""

    def __init__(self) -> None:
        self.shell: Any = None
        self.running = False
        self.waiting: list[Callable[[], None]] = []

    def follow(self) -> None:
        """Listen to the notebook's shell; the import that brings us here is itself in a cell."""
        ipython = sys.modules.get("IPython")
        shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
        if shell is self.shell or shell is None or not hasattr(shell, "kernel"):
            return
        self.shell, self.running = shell, True
        shell.events.register("pre_run_cell", self.begin)
        shell.events.register("post_run_cell", self.end)

    def begin(self, _: Any = None) -> None:
        self.running = True

    def end(self, _: Any = None) -> None:
        self.running = False
        waiting, self.waiting = self.waiting, []
        for call in waiting:
            with suppress(Exception):  # the user's cell has run, and what it shows stands
                call()


_cell = _Cell()


def after_cell(call: Callable[[], None]) -> None:
    """Call when the running cell has shown its output; at once where no cell runs, or no notebook.

    It still belongs to the cell: whoever executes notebooks without a browser waits for it.
    """
    _cell.follow()
    if _cell.running:
        _cell.waiting.append(call)
    else:
        call()
