"""Fold a large graph: repeats become stacks, then lines of source, then runs, until few enough cards are left."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.introspect.model import ACCUMULATOR, REST, GraphSnapshot, NodeInfo

FOLD_ABOVE = 300  # cards
FEWEST_REPEATS = 3
LONGEST_BLOCK = 120  # nodes of one repeated block


@dataclass(frozen=True)
class Fold:
    """Nodes that one card stands for: `blocks` of a repeat, or one run of neighbours."""

    id: str
    blocks: tuple[tuple[NodeInfo, ...], ...]
    leaves: bool = False

    @property
    def nodes(self) -> tuple[NodeInfo, ...]:
        """All nodes of the card, the nearest to the output first."""
        return tuple(node for block in self.blocks for node in block)


def fold(graph: GraphSnapshot, opened: frozenset[str] = frozenset(), most: int = FOLD_ABOVE) -> list[Fold]:
    """Return the folds of a graph, none when it is small enough to be drawn open.

    A fold is a stretch of the engine's order of execution, so folding can never make a circle. The leaves that only
    one fold uses become a card of their own.

    Args:
        graph: the graph.
        opened: ids of folds that the reader opened: those stay open.
        most: the number of cards up to which nothing is folded.
    """
    if len(graph.nodes) <= most:
        return []
    line = sorted(
        (node for node in graph.nodes if node.kind != ACCUMULATOR and node.op != REST),
        key=lambda node: (-(node.order if node.order is not None else -int(node.id[1:])), int(node.id[1:])),
    )
    stretches = _repeats(line)
    taken = sum((end - start for start, end, _ in stretches), 0)
    if len(line) - taken > most // 2:
        stretches = _scopes(line, stretches, most)
    folds = []
    for start, end, period in sorted(stretches):
        blocks = tuple(tuple(line[i : i + period]) for i in range(start, end, period))
        folds.append(Fold(f"g{line[start].id[1:]}", blocks))
    kept = [item for item in folds if item.id not in opened]
    return kept + [leaves for leaves in _leaves(graph, folds) if leaves.id not in opened]


def _repeats(line: list[NodeInfo]) -> list[tuple[int, int, int]]:
    """Find stretches (start, end, period) in which the same block of operations stands at least three times.

    Greedy: the repeat that covers most nodes first, the shorter block when two cover the same.
    """
    names: dict[Any, int] = {}
    tokens = np.array([names.setdefault((node.op, node.shape), len(names)) for node in line])
    size = len(tokens)
    found = []
    for period in range(1, min(LONGEST_BLOCK, size // FEWEST_REPEATS) + 1):
        same = np.concatenate(([0], (tokens[:-period] == tokens[period:]).astype(np.int8), [0]))
        change = np.flatnonzero(np.diff(same))
        for first, last in zip(change[::2], change[1::2]):
            count = (int(last) - int(first)) // period + 1
            if count >= FEWEST_REPEATS and count * period >= 6:
                found.append((-count * period, period, int(first)))
    found.sort()
    free = np.ones(size, bool)
    chosen = []
    for covered, period, start in found:
        end = start - covered
        while start + FEWEST_REPEATS * period <= end and not free[start:end].all():
            taken = np.flatnonzero(~free[start:end])  # keep the longer side of what an earlier choice took
            left, right = int(taken[0]), end - start - int(taken[-1]) - 1
            if left >= right:
                end = start + left // period * period
            else:
                start = end - right // period * period
        if end - start >= FEWEST_REPEATS * period and free[start:end].all():
            free[start:end] = False
            chosen.append((start, end, period))
    return chosen


def _scopes(line: list[NodeInfo], stretches: list[tuple[int, int, int]], most: int) -> list[tuple[int, int, int]]:
    """Add a fold for every run of neighbours that one line of source made, or simply for every so many nodes."""
    inside = np.zeros(len(line), bool)
    for start, end, _ in stretches:
        inside[start:end] = True
    loose = int((~inside).sum())
    chunk = max(2, -(-loose // (most // 2)))
    found, start = list(stretches), 0
    while start < len(line):
        if inside[start]:
            start += 1
            continue
        end = start + 1
        place = line[start].place
        key = (place.file, place.line) if place is not None else None
        while end < len(line) and not inside[end]:
            other = line[end].place
            same = key is not None and other is not None and (other.file, other.line) == key
            if not same and end - start >= chunk:
                break
            end += 1
        if end - start > 1:
            found.append((start, end, end - start))
        start = end
    return found


def _leaves(graph: GraphSnapshot, folds: list[Fold]) -> list[Fold]:
    home = {node.id: item.id for item in folds for node in item.nodes}
    groups: dict[Any, list[NodeInfo]] = {}
    for node in graph.nodes:
        if node.kind == ACCUMULATOR:
            users = {home.get(edge.source) for edge in graph.arriving[node.id]}
            if len(users) == 1 and None not in users:
                groups.setdefault((users.pop(), node.shape), []).append(node)
    shared = [nodes for nodes in groups.values() if len(nodes) > 1]
    return [Fold(f"g{nodes[0].id[1:]}", tuple((node,) for node in nodes), True) for nodes in shared]


def common_name(nodes: tuple[NodeInfo, ...]) -> str:
    """Return what several leaves have in common in their names: `biases`, `layers.weight`."""
    names = [node.label for node in nodes if node.label]
    if not names:
        return ""
    stems = Counter(name.split("[")[0] for name in names)
    stem, times = stems.most_common(1)[0]
    if times == len(names):
        return stem
    parts = [name.split(".") for name in names]
    if len({len(part) for part in parts}) == 1:
        return ".".join(words[0] if len(set(words)) == 1 else "*" for words in zip(*parts))
    return names[0] + ", …"
