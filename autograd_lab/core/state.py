"""What a thread may switch on and off: gradient recording, inference, anomaly checks, saved-tensor hooks, an observer.

Reading a thread-local for every operation would cost more than the rest of its bookkeeping. So one plain attribute,
`mode.plain`, says that *no* thread is in any special mode; only when it is False does an operation ask the
thread-local `local` for the truth.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any


class Mode:
    """Process-wide switches that the hot path reads."""

    __slots__ = ("anomaly", "check_nan", "clock", "extras", "forbidden", "pinned", "plain", "special")

    def __init__(self) -> None:
        self.plain = True       # no thread is in a special mode
        self.clock = 0          # in-place writes so far, all tensors together
        self.extras = 0         # nodes alive that carry hooks, retained gradients or metadata
        self.forbidden = 0      # views that may no longer be used, because their base was written
        self.special = 0        # threads in a special mode
        self.pinned = False     # something that outlives its mode exists (an inference tensor)
        self.anomaly = False
        self.check_nan = True


class Local(threading.local):
    """The modes of one thread."""

    grad = True
    inference = False
    asked = False               # what set_grad was given in inference mode
    besides = False             # some mode other than grad is special
    counted = False             # this thread is counted in mode.special
    pack_hooks: tuple = ()      # the stack of (pack, unpack) pairs
    hooks_disabled: str | None = None
    observer: Any = None
    site: Any = None            # the line that started the recorded backward run that this thread is in
    run: Any = None             # the backward run that this thread is in
    depth = 0                   # how many backward runs are open in this thread
    task = -1                   # the number of the innermost of them
    selective = False           # one of them stops at wanted inputs: no checkpoint of the reentrant kind can work
    spawned = 0                 # the depth at which this thread took over from another one
    inside: Any = None          # the node that a recorded CopySlices is running, and the edge of the view it wrote
    callbacks: Any = None       # what the user queued for the end of the innermost of them
    late: Any = None            # the warnings that `backward` gives when it is over, as torch's C++ side does
    creating_graph = False
    mutation_guard: Any = None  # set by allow_mutation_on_saved_tensors
    preserved_versions = False


mode = Mode()
local = Local()
sequence = count().__next__
next_task = count().__next__
_lock = threading.Lock()


def refresh() -> None:
    """Recompute `mode.plain` after this thread changed one of its modes."""
    local.besides = local.inference or bool(local.pack_hooks) or local.mutation_guard is not None
    _publish(not local.grad or local.besides)


def _publish(special: bool) -> None:
    """Count this thread in or out of the threads that are in a special mode."""
    with _lock:
        if special != local.counted:
            mode.special += 1 if special else -1
            local.counted = special
        mode.plain = not (mode.special or mode.pinned or mode.anomaly or mode.forbidden)


def count_forbidden(change: int) -> None:
    """Count the views that may no longer be used; while there are any, recording asks each input."""
    mode.forbidden += change
    _publish(local.counted)


def grad_enabled() -> bool:
    """Say what the user has set: in inference mode nothing is recorded, whatever that is."""
    return local.asked if local.inference else local.grad


def set_grad(enabled: bool) -> bool:
    """Switch gradient recording for this thread; return what it was."""
    if local.inference:
        before, local.asked = local.asked, enabled
        return before
    before = local.grad
    if before is not enabled:
        local.grad = enabled
        _publish(not enabled or local.besides)
    return before


def set_inference(enabled: bool) -> tuple[bool, bool]:
    """Enter or leave inference mode; return (inference, grad) as they were."""
    before = local.inference, grad_enabled()
    local.inference = enabled
    if enabled:
        mode.pinned = True      # tensors made from now on may be inference tensors for as long as they live
    local.grad, local.asked = not enabled, False
    refresh()
    return before


def set_anomaly(enabled: bool, check_nan: bool = True) -> None:
    """Switch anomaly detection for the whole process, as torch does."""
    mode.anomaly, mode.check_nan = enabled, check_nan
    refresh()


def recording() -> bool:
    """Say whether operations of this thread build a graph."""
    return mode.plain or local.grad


@contextmanager
def observing(observer: Any) -> Iterator[Any]:
    """Let `observer` see every event of the backward runs that this thread starts inside the block."""
    before = local.observer
    local.observer = observer
    try:
        yield observer
    finally:
        local.observer = before
