"""Order the nodes inside each layer so that few edges cross: barycentre sweeps, then exchanges of neighbours."""

from __future__ import annotations

from autograd_lab.introspect.layout.ranks import Layers

SWEEPS = 24
PATIENCE = 5  # sweeps without improvement before a start is given up
STARTS_UP_TO = 3_000  # nodes; larger graphs get one start
EXCHANGE_UP_TO = 8_000  # nodes; larger graphs get no exchange of neighbours


def order_layers(layers: Layers) -> int:
    """Reorder `layers.rows` in place and return the number of crossings that are left."""
    size = len(layers.rank)
    best: tuple[int, list[list[int]]] | None = None
    for start in range(4 if size <= STARTS_UP_TO else 1):
        rows, crossings = _improve(layers, _start(layers, start), size)
        if best is None or crossings < best[0]:
            best = crossings, rows
        if crossings == 0:
            break
    assert best is not None
    layers.rows[:] = best[1]
    return best[0]


def _start(layers: Layers, kind: int) -> list[list[int]]:
    """Fill the rows in depth-first order, from the top or the bottom, first or last neighbour first."""
    rows: list[list[int]] = [[] for _ in layers.rows]
    down = kind < 2
    neighbours = layers.below if down else layers.above
    seen = bytearray(len(layers.rank))
    for row in layers.rows if down else reversed(layers.rows):
        for root in row:
            stack = [root]
            while stack:
                node = stack.pop()
                if seen[node]:
                    continue
                seen[node] = 1
                rows[layers.rank[node]].append(node)
                stack.extend(reversed(neighbours[node]) if kind % 2 == 0 else neighbours[node])
    return rows


def _improve(layers: Layers, rows: list[list[int]], size: int) -> tuple[list[list[int]], int]:
    position = [0] * size
    for row in rows:
        for place, node in enumerate(row):
            position[node] = place
    least = count_crossings(layers, rows, position)
    best, idle = [row[:] for row in rows], 0
    for sweep in range(SWEEPS):
        if least == 0 or idle >= PATIENCE:
            break
        down = sweep % 2 == 0
        indices = range(1, len(rows)) if down else range(len(rows) - 2, -1, -1)
        for index in indices:
            _sort(rows[index], layers.above if down else layers.below, position, sweep)
        if size <= EXCHANGE_UP_TO:
            for _ in range(3):
                if not _exchange(layers, rows, position):
                    break
        crossings = count_crossings(layers, rows, position)
        if crossings < least:
            least, best, idle = crossings, [row[:] for row in rows], 0
        else:
            idle += 1
    return best, least


def _sort(row: list[int], neighbours: list[list[int]], position: list[int], sweep: int) -> None:
    keys = {}
    for place, node in enumerate(row):
        near = neighbours[node]
        if not near:
            keys[node] = float(place)
        elif sweep % 4 < 2:
            ordered = sorted(position[other] for other in near)
            half = len(ordered) // 2
            keys[node] = ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2
        else:
            keys[node] = sum(position[other] for other in near) / len(near)
    flip = -1 if sweep % 8 >= 4 else 1  # equal keys change sides in later sweeps, which frees stuck pairs
    row.sort(key=lambda node: (keys[node], flip * position[node]))
    for place, node in enumerate(row):
        position[node] = place


def _exchange(layers: Layers, rows: list[list[int]], position: list[int]) -> bool:
    moved = False
    for row in rows:
        for i in range(len(row) - 1):
            left, right = row[i], row[i + 1]
            if _gain(layers.above, left, right, position) + _gain(layers.below, left, right, position) > 0:
                row[i], row[i + 1] = right, left
                position[left], position[right] = i + 1, i
                moved = True
    return moved


def _gain(neighbours: list[list[int]], left: int, right: int, position: list[int]) -> int:
    """Return how many crossings an exchange of two neighbours would save on one side."""
    gain = 0
    for a in neighbours[left]:
        at = position[a]
        for b in neighbours[right]:
            other = position[b]
            gain += (at > other) - (at < other)
    return gain


def count_crossings(layers: Layers, rows: list[list[int]], position: list[int]) -> int:
    """Count the crossings of all edges, two layers at a time, with a Fenwick tree."""
    total = 0
    for index, row in enumerate(rows[:-1]):
        ends = [place for node in row for place in sorted(position[other] for other in layers.below[node])]
        if len(ends) < 2:
            continue
        size = len(rows[index + 1])
        tree = [0] * (size + 1)
        for seen, end in enumerate(ends):
            smaller, i = 0, end + 1
            while i:
                smaller += tree[i]
                i &= i - 1
            total += seen - smaller
            i = end + 1
            while i <= size:
                tree[i] += 1
                i += i & -i
    return total
