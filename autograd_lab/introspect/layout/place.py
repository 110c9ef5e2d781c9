"""Choose the horizontal place of every node: four alignments in the manner of Brandes and Köpf.

Each alignment draws nodes that are each other's median neighbour onto one vertical line, long edges first, and then
packs the lines. Their average centres a node over its children, but drifts sideways on long residual chains; where it
is clearly wider, the narrowest of the four is taken.

Source: Brandes and Köpf, "Fast and Simple Horizontal Coordinate Assignment", Graph Drawing 2001.
"""

from __future__ import annotations

from itertools import pairwise

from autograd_lab.introspect.layout.ranks import Layers

DRIFT = 1.25  # how much wider than the narrowest alignment the average may be
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
    spreads = [max(p) - min(p) if p else 0.0 for p in passes]
    narrow = min(range(4), key=spreads.__getitem__)
    low, high = min(passes[narrow], default=0.0), max(passes[narrow], default=0.0)
    shifted = []
    for index, middles in enumerate(passes):
        shift = low - min(middles, default=0.0) if index % 2 == 0 else high - max(middles, default=0.0)
        shifted.append([x + shift for x in middles])
    average = [sum(sorted(four)[1:3]) / 2 for four in zip(*shifted)]
    if average and max(average) - min(average) > DRIFT * max(high - low, 1.0):
        return passes[narrow]
    return average


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
