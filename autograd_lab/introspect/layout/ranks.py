"""Put every node into a layer, and cut edges that span several layers into pieces of one layer each."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise

from autograd_lab.introspect.problems import CyclicGraph

Link = tuple[int, int]


@dataclass
class Layers:
    """The graph as the later phases see it: real nodes are 0 … count-1, pieces of long edges come after them."""

    count: int
    rank: list[int]
    above: list[list[int]]
    below: list[list[int]]
    chains: list[list[int]]  # per link: its nodes from source to target, pieces included
    rows: list[list[int]]

    def piece(self, node: int) -> bool:
        """Say whether a node is a piece of a long edge."""
        return node >= self.count


def rank_nodes(count: int, links: list[Link], apart: Iterable[Link] = ()) -> list[int]:
    """Return the layer of each node: the longest way from a source, then pulled down towards where its edges lead.

    Args:
        count: number of nodes.
        links: the edges.
        apart: pairs of nodes without an edge, of which the second must stand below the first.
    """
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        below[source].append(target)
        above[target].append(source)
    after: dict[int, list[int]] = {}
    waiting = [len(sources) for sources in above]
    for first, second in apart:
        after.setdefault(first, []).append(second)
        waiting[second] += 1
    queue = [node for node in range(count) if not waiting[node]]
    rank = [0] * count
    for node in queue:
        for target in below[node] + after.get(node, []):
            rank[target] = max(rank[target], rank[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                queue.append(target)
    if len(queue) < count:
        raise CyclicGraph(
            "These edges form a circle, so no backward could ever run through them; a graph of operations has none."
        )
    hangs = [not below[node] and len(set(above[node])) == 1 and node not in after for node in range(count)]
    for node in reversed(queue):
        holds = [target for target in below[node] if not hangs[target]] + after.get(node, [])
        if len(holds) >= len(above[node]) > 0 or (holds and not above[node]):
            rank[node] = max(rank[node], min(rank[target] for target in holds) - 1)
    for node in range(count):
        if hangs[node]:  # a leaf with one user goes where its user goes
            rank[node] = rank[above[node][0]] + 1
    return rank


def strands_apart(layers: Layers, links: list[Link]) -> list[Link]:
    """Return pairs that put neighbouring strands one below the other instead of side by side.

    A strand is a row of nodes that leads to one leaf and nowhere else, such as one parameter's part of a penalty. Where
    strands begin one layer below the other, each must stand beside the one before, and hundreds make a staircase that
    no screen is wide enough for. Their own layers cost height, of which there is enough.
    """
    count, rank = layers.count, layers.rank
    below: list[set[int]] = [set() for _ in range(count)]
    above: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        below[source].add(target)
        above[target].append(source)
    leaf = [-1] * count
    tops: dict[int, list[int]] = {}
    for row in reversed(layers.rows):
        for node in row:
            if node < count:
                leads = below[node]
                leaf[node] = node if not leads else leaf[next(iter(leads))] if len(leads) == 1 else -1
    for row in layers.rows:
        for node in row:
            if node < count and leaf[node] >= 0 and below[node] and all(leaf[other] < 0 for other in above[node]):
                tops.setdefault(leaf[node], []).append(node)
    begins = {end: min(rank[node] for node in nodes) for end, nodes in tops.items()}
    ends = sorted(tops, key=lambda end: (rank[end], begins[end]))
    return [
        (first, node)
        for first, second in pairwise(ends)
        if (begins[first], rank[first]) < (begins[second], rank[second]) and begins[second] <= rank[first]
        for node in tops[second]
    ]


def stretch(count: int, links: list[Link], rank: list[int]) -> Layers:
    """Insert a piece into every layer that a long edge passes; parallel edges share their pieces' order."""
    ranks = list(rank)
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    chains = []
    for source, target in links:
        chain, last = [source], source
        for layer in range(rank[source] + 1, rank[target]):
            piece = len(ranks)
            ranks.append(layer)
            above.append([last])
            below.append([])
            below[last].append(piece)
            chain.append(piece)
            last = piece
        below[last].append(target)
        above[target].append(last)
        chain.append(target)
        chains.append(chain)
    rows: list[list[int]] = [[] for _ in range(max(ranks, default=-1) + 1)]
    for node, layer in enumerate(ranks):
        rows[layer].append(node)
    return Layers(count, ranks, above, below, chains, rows)
