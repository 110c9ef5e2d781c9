"""Choose the horizontal place of every node: four alignments in the manner of Brandes and Köpf.

Each alignment draws nodes that are each other's median neighbour onto one vertical line, long edges first, and then
packs the lines. Their average centres a node over its children, but drifts sideways on long residual chains; where it
is clearly wider, the narrowest of the four is taken.

Source: Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment", Graph Drawing 2001.
"""

from __future__ import annotations

from bisect import bisect_left
from itertools import pairwise

from autograd_lab.introspect.layout.ranks import Layers

DRIFT = 1.25  # how much wider than the narrowest alignment the average may be
STRAIGHT_ABOVE = 1000.0  # CSS pixels; wider graphs are also tried with their longest ways straight
PIECE = 4.0  # width of a piece of a long edge


def place_layers(layers: Layers, widths: list[float], gap: float) -> list[float]:
    """Return the x of each node's middle; inside a row the order of `layers.rows` and the gaps are kept."""
    size = len(layers.rank)
    wide = [widths[node] if node < layers.count else PIECE for node in range(size)]
    bad = _conflicts(layers)
    passes = []
    for down in (True, False):
        for right in (False, True):
            middles = _align(layers, wide, gap, bad, down, right)
            passes.append([-x for x in middles] if right else middles)
    narrow = min(range(4), key=[_spread(middles) for middles in passes].__getitem__)
    low, high = min(passes[narrow], default=0.0), max(passes[narrow], default=0.0)
    shifted = []
    for index, middles in enumerate(passes):
        shift = low - min(middles, default=0.0) if index % 2 == 0 else high - max(middles, default=0.0)
        shifted.append([x + shift for x in middles])
    average = [sum(sorted(four)[1:3]) / 2 for four in zip(*shifted)]
    if _spread(average) > STRAIGHT_ABOVE:
        passes.append(_spines(layers, wide, gap))
        narrow = min(range(5), key=[_spread(middles) for middles in passes].__getitem__)
    return passes[narrow] if _spread(average) > DRIFT * max(_spread(passes[narrow]), 1.0) else average


def _spread(middles: list[float]) -> float:
    return max(middles) - min(middles) if middles else 0.0


def _spines(layers: Layers, wide: list[float], gap: float) -> list[float]:
    """Draw the longest ways straight down: where one node goes on into two chains, the longer one stays below it.

    The four alignments prefer the left, the middle or the right neighbour, so that of two chains side by side, each
    with branches between them, one always walks sideways.
    """
    size = len(layers.rank)
    height, depth = [0] * size, [0] * size
    for row in reversed(layers.rows):
        for node in row:
            height[node] = max((height[other] + 1 for other in layers.below[node]), default=0)
    for row in layers.rows:
        for node in row:
            depth[node] = max((depth[other] + 1 for other in layers.above[node]), default=0)
    position = {node: place for row in layers.rows for place, node in enumerate(row)}
    root = list(range(size))
    for row in layers.rows[:-1]:
        wanted = sorted(
            ((upper, max(layers.below[upper], key=height.__getitem__)) for upper in row if layers.below[upper]),
            key=lambda edge: (-height[edge[1]] - depth[edge[0]], position[edge[0]]),
        )
        taken: list[tuple[int, int]] = []
        for upper, lower in wanted:
            place = position[upper], position[lower]
            at = bisect_left(taken, place)
            left, right = taken[at - 1] if at else (-1, -1), taken[at] if at < len(taken) else (size, size)
            if left[1] < place[1] < right[1] and left[0] < place[0] < right[0]:
                taken.insert(at, place)
                root[lower] = root[upper]
    return _pack(layers, layers.rows, root, wide, gap)


def _conflicts(layers: Layers) -> set[tuple[int, int]]:
    """Return the edges that cross the inside of a long edge: there the long edge stays straight."""
    bad = set()
    position = {node: place for row in layers.rows for place, node in enumerate(row)}
    for index in range(1, len(layers.rows) - 1):
        row, first, done = layers.rows[index + 1], 0, 0
        for place, node in enumerate(row):
            inner = next((u for u in layers.above[node] if layers.piece(u) and layers.piece(node)), None)
            if inner is None and place < len(row) - 1:
                continue
            last = position[inner] if inner is not None else len(layers.rows[index]) - 1
            while done <= place:
                lower = row[done]
                for upper in layers.above[lower]:
                    if not first <= position[upper] <= last and not (layers.piece(upper) and layers.piece(lower)):
                        bad.add((upper, lower))
                done += 1
            first = last
    return bad


def _align(
    layers: Layers, wide: list[float], gap: float, bad: set[tuple[int, int]], down: bool, right: bool
) -> list[float]:
    rows = layers.rows if down else layers.rows[::-1]
    rows = [row[::-1] for row in rows] if right else rows
    neighbours = layers.above if down else layers.below
    position = [0] * len(wide)
    for row in rows:
        for place, node in enumerate(row):
            position[node] = place
    root = list(range(len(wide)))
    linked = list(range(len(wide)))
    for row in rows:
        reach = -1
        for node in row:
            near = sorted(neighbours[node], key=position.__getitem__)
            if not near:
                continue
            for middle in {(len(near) - 1) // 2, len(near) // 2}:
                other = near[middle]
                edge = (other, node) if down else (node, other)
                if linked[node] == node and edge not in bad and reach < position[other]:
                    linked[other] = node
                    root[node] = root[other]
                    linked[node] = root[node]
                    reach = position[other]
    return _pack(layers, rows, root, wide, gap)


def _pack(layers: Layers, rows: list[list[int]], root: list[int], wide: list[float], gap: float) -> list[float]:
    """Push the lines as far left as their neighbours allow, then each as far right as nothing hinders."""
    distance: dict[tuple[int, int], float] = {}
    after: list[list[int]] = [[] for _ in wide]
    waiting = [0] * len(wide)
    for row in rows:
        for a, b in pairwise(row):
            left, right = root[a], root[b]
            pieces = layers.piece(a) + layers.piece(b)
            needed = (wide[a] + wide[b]) / 2 + (gap, gap * 0.6, gap * 0.4)[pieces]
            if (left, right) not in distance:
                after[left].append(right)
                waiting[right] += 1
                distance[left, right] = needed
            else:
                distance[left, right] = max(distance[left, right], needed)
    queue = [node for node in range(len(wide)) if root[node] == node and not waiting[node]]
    x = [0.0] * len(wide)
    for line in queue:
        for other in after[line]:
            x[other] = max(x[other], x[line] + distance[line, other])
            waiting[other] -= 1
            if not waiting[other]:
                queue.append(other)
    for line in reversed(queue):
        if after[line]:
            x[line] = max(x[line], min(x[other] - distance[line, other] for other in after[line]))
    return [x[root[node]] for node in range(len(wide))]
