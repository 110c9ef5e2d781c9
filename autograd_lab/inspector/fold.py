"""Fold a large graph into a tree: repeats become stacks, the rest scopes of source, until few enough cards are left."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.inspector import scopes
from autograd_lab.introspect.model import ACCUMULATOR, REST, GraphSnapshot, NodeInfo

FOLD_ABOVE = 300  # cards
FEWEST_REPEATS = 3
LONGEST_BLOCK = 120  # nodes of one repeated block
INSIDE = 120  # cards that a fold shows when it is opened; what it holds beyond that stays folded in it
EVERYTHING = "*"  # among the opened folds: nothing is folded


@dataclass(frozen=True)
class Fold:
    """Nodes that one card stands for: `blocks` of a repeat, or one run of neighbours within `scope`."""

    id: str
    blocks: tuple[tuple[NodeInfo, ...], ...]
    leaves: bool = False
    scope: tuple[str, ...] = ()

    @property
    def nodes(self) -> tuple[NodeInfo, ...]:
        """All nodes of the card, the nearest to the output first."""
        return tuple(node for block in self.blocks for node in block)


def fold(graph: GraphSnapshot, opened: frozenset[str] = frozenset(), most: int = FOLD_ABOVE) -> list[Fold]:
    """Return the folds of a graph, none when it is small enough to be drawn open.

    A fold is a stretch of the engine's order of execution, so folding can never make a circle. The leaves that only
    one fold uses become a card of their own. A fold that is opened shows its blocks, its functions, its lines; what
    is still large inside it stays folded there, so that opening is a walk down a tree and no flood.

    Args:
        graph: the graph.
        opened: ids of folds that the reader opened: those show what is in them. `"*"` opens everything.
        most: the number of cards up to which nothing is folded.
    """
    if len(graph.nodes) <= most or EVERYTHING in opened:
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
        folds.append(_fold(f"g{line[start].id[1:]}", blocks))
    folds = [inner for item in folds for inner in _down(item, opened)]
    return folds + [leaves for leaves in _leaves(graph, folds) if leaves.id not in opened]


def _fold(name: str, blocks: tuple[tuple[NodeInfo, ...], ...]) -> Fold:
    return Fold(name, blocks, scope=scopes.common(blocks[0]) if len(blocks) == 1 else ())


def _down(fold: Fold, opened: frozenset[str]) -> list[Fold]:
    """Return the fold, or the folds inside it when the reader opened it."""
    if fold.id not in opened:
        return [fold]
    return [inner for child in children(fold) for inner in _down(child, opened)]


def children(fold: Fold) -> list[Fold]:
    """Return the folds that stand in a fold when it is opened: its blocks, its scopes; none when its nodes fit."""
    nodes = fold.nodes
    if len(nodes) <= INSIDE or fold.leaves:
        return []
    if len(fold.blocks) > 1:
        size = len(fold.blocks[0]) * max(1, -(-len(fold.blocks) // INSIDE))  # of very many blocks, several together
        pieces = [(start, min(len(nodes), start + size)) for start in range(0, len(nodes), size)]
    else:
        pieces = scopes.split(nodes, INSIDE)
    period = len(fold.blocks[0]) if len(fold.blocks) > 1 else 0
    found = []
    for number, (start, end) in enumerate(pieces, 1):
        if end - start > 1:
            step = period or end - start
            blocks = tuple(nodes[i : i + step] for i in range(start, end, step))
            found.append(_fold(f"{fold.id}.{number}", blocks))
    return found


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
    """Add folds for what stands between the repeats, by the scopes of source that made it."""
    gaps, at = [], 0
    for start, end, _ in [*sorted(stretches), (len(line), len(line), 1)]:
        if start > at:
            gaps.append((at, start))
        at = end
    loose = sum(end - start for start, end in gaps)
    found = list(stretches)
    for first, behind in gaps:
        room = max(1, (behind - first) * (most // 2) // loose)
        if behind - first > room:
            pieces = scopes.split(line[first:behind], room) if room > 1 else [(0, behind - first)]
            found += [(first + start, first + end, end - start) for start, end in pieces if end - start > 1]
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
