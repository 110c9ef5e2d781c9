"""Backward runs inside backward runs, as deep as the user likes, and callbacks for the end of a run.

A nested run costs a dozen Python frames, so a few dozen nested runs would meet the recursion limit. Every `LEVELS`
levels the next run therefore goes on in a fresh thread, with the modes of the thread that waits for it.
"""

from __future__ import annotations

import contextvars
import threading
from collections.abc import Callable
from typing import Any

from autograd_lab.core.state import local, refresh, set_grad

LEVELS = 40
MODES = (
    "grad", "asked", "inference", "pack_hooks", "hooks_disabled", "observer", "run", "depth", "task", "selective",
    "creating_graph", "mutation_guard", "preserved_versions", "evaluating",
)  # fmt: skip


def in_fresh_thread(function: Callable, *args: Any) -> Any:
    """Return `function(*args)`, computed in a new thread that has this thread's modes; raise what it raises."""
    modes = {name: getattr(local, name) for name in MODES if hasattr(local, name)}
    outcome: list[Any] = [None, None]

    def work() -> None:
        for name, value in modes.items():
            setattr(local, name, value)
        local.spawned = local.depth
        refresh()
        try:
            outcome[0] = function(*args)
        except BaseException as error:
            outcome[1] = error
        finally:
            modes["observer"] = local.observer
            local.grad, local.inference, local.pack_hooks, local.mutation_guard = True, False, (), None
            refresh()

    thread = threading.Thread(target=contextvars.copy_context().run, args=(work,), name="autograd_lab nested backward")
    thread.start()
    thread.join()
    local.observer = modes["observer"]
    if outcome[1] is not None:
        raise outcome[1]
    return outcome[0]


def queue_callback(callback: Callable[[], Any]) -> None:
    """Call `callback()` when the innermost backward run of this thread has finished.

    Raises RuntimeError when no backward run is going on.
    """
    if not local.depth:
        raise RuntimeError("Final callbacks can only be installed during backward pass.")
    if local.callbacks is None:
        local.callbacks = []
    local.callbacks.append(callback)


def run_callbacks(recorded: bool) -> None:
    """Call what was queued during the run, and what those calls queue."""
    before = set_grad(recorded)
    try:
        while local.callbacks:
            local.callbacks.pop(0)()
    finally:
        set_grad(before)
