"""The queue of nodes that are ready to run, with torch's order also among nodes of equal number.

torch keeps its ready nodes in a C++ `std::priority_queue`; hooks can see in which order it gives back equal elements
(all AccumulateGrad nodes are equal). This is that heap, step for step.
"""

from __future__ import annotations

from typing import Any


class ReadyQueue:
    """A binary max-heap of (node, gradients) by the node's sequence number."""

    __slots__ = ("items",)

    def __init__(self) -> None:
        self.items: list[tuple[int, Any, list]] = []

    def __len__(self) -> int:
        return len(self.items)

    def push(self, node: Any, grads: list) -> None:
        """Add a ready node."""
        self.items.append((node.seq, node, grads))
        self._rise(len(self.items) - 1, 0, self.items[-1])

    def _rise(self, hole: int, top: int, item: tuple) -> None:
        items = self.items
        while hole > top:
            parent = (hole - 1) // 2
            if not items[parent][0] < item[0]:
                break
            items[hole] = items[parent]
            hole = parent
        items[hole] = item

    def pop(self) -> tuple[Any, list]:
        """Take the node that runs next."""
        items = self.items
        first = items[0]
        last = items.pop()
        length = len(items)
        if length:
            hole = 0
            child = 0
            while child < (length - 1) // 2:
                child = 2 * (child + 1)
                if items[child][0] < items[child - 1][0]:
                    child -= 1
                items[hole] = items[child]
                hole = child
            if length % 2 == 0 and child == (length - 2) // 2:
                child = 2 * child + 1
                items[hole] = items[child]
                hole = child
            self._rise(hole, 0, last)
        return first[1], first[2]
