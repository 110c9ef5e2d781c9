"""Version counters: how often a tensor's memory was written in place, and who wrote last.

A tensor that was never written, viewed or detached has no counter at all (`_cell is None`). The first alias or write
makes a `Cell`; views and `detach()` share it, `.data` gets a cell of its own but the same `Memory`.
"""

from __future__ import annotations

from bisect import bisect_right
from typing import Any

import numpy as np

from autograd_lab.core.provenance import user_frame
from autograd_lab.core.state import local, mode

LOG_LENGTH = 1024
regenerate: Any = None      # set by core.views: give the views of a base their new place in the graph


class Memory:
    """One piece of memory, shared by every alias of it: the last write, and the line that did it."""

    __slots__ = ("__weakref__", "last", "site")

    def __init__(self) -> None:
        self.last = 0
        self.site: tuple | None = None


class Cell:
    """A version counter.

    `last` is the global clock of the newest write. `log` holds the clocks of the last writes, so that the version at
    any earlier moment can be told without storing it in every node. `array` is set when a 0-d value, first kept as a
    NumPy scalar, had to become real memory after a node had saved it.
    """

    __slots__ = ("array", "bases", "last", "log", "memory", "version")

    def __init__(self) -> None:
        self.version = 0
        self.last = 0
        self.log: list[int] | None = None
        self.memory: Memory | None = None
        self.array: np.ndarray | None = None
        self.bases: list | None = None      # weak references to tensors of this counter that have views


def version_at(cell: Cell | None, clock: int) -> int:
    """Return the version that the counter showed when the global clock stood at `clock`."""
    if cell is None:
        return 0
    log = cell.log or []
    return cell.version - (len(log) - bisect_right(log, clock))


def cell_of(tensor: Any) -> Cell:
    """Return the tensor's counter, making it if need be."""
    cell = tensor._cell
    if cell is None:
        cell = tensor._cell = Cell()
        node = tensor._node
        if node is not None and node.kind == 1:
            node.cell = cell
    if cell.memory is None:
        cell.memory = Memory()
    return cell


def written_once(tensor: Any) -> None:
    """Let a new tensor begin at version 1, as one does whose memory torch has set after it was made."""
    cell_of(tensor).version = 1
    if local.inference:
        from autograd_lab.core.tensor import extra_of

        extra_of(tensor).inference = True


def memory_of(tensor: Any) -> Memory:
    """Return the memory record that every alias of the tensor shares."""
    return cell_of(tensor).memory  # type: ignore[return-value]  # cell_of made it where there was none


def materialize(tensor: Any) -> np.ndarray:
    """Return the tensor's data as an ndarray that aliases may share (a 0-d value may have been a NumPy scalar)."""
    array = tensor._array
    if type(array) is not np.ndarray:
        array = tensor._array = np.array(array)
        if tensor._cell is not None:
            tensor._cell.array = array
        node = tensor._node
        if node is not None and node.kind == 1:
            node.array = array
    return array


def touch(tensor: Any, by_backward: bool = False) -> None:
    """Count one in-place write to the tensor's memory, and remember the line unless a backward run wrote.

    An inference tensor has no count to raise, which torch finds out when the values are written already.
    """
    extra = tensor._extra
    if extra is not None and extra.inference and not extra.counted and not local.inference:
        from autograd_lab.core.failures import inference_write

        raise inference_write()
    cell = cell_of(tensor)
    mode.clock = clock = mode.clock + 1
    if not local.preserved_versions:
        cell.version += 1
        cell.last = clock
        log = cell.log
        if log is None:
            log = cell.log = []
        log.append(clock)
        if len(log) > LOG_LENGTH:
            del log[: LOG_LENGTH // 2]
    memory = cell.memory
    memory.last = clock
    memory.site = None if by_backward else user_frame()
    if cell.bases is not None:
        for ref in cell.bases:
            base = ref()
            if base is not None:
                regenerate(base)
