"""Put every node into a layer, and cut edges that span several layers into pieces of one layer each."""

from __future__ import annotations

from dataclasses import dataclass

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


def rank_nodes(count: int, links: list[Link]) -> list[int]:
    """Return the layer of each node: the longest way from a source, then pulled towards where most edges are."""
    above: list[list[int]] = [[] for _ in range(count)]
    below: list[list[int]] = [[] for _ in range(count)]
    for source, target in links:
        below[source].append(target)
        above[target].append(source)
    waiting = [len(sources) for sources in above]
    queue = [node for node in range(count) if not waiting[node]]
    rank = [0] * count
    for node in queue:
        for target in below[node]:
            rank[target] = max(rank[target], rank[node] + 1)
            waiting[target] -= 1
            if not waiting[target]:
                queue.append(target)
    if len(queue) < count:
        raise CyclicGraph(
            "These edges form a circle, so no backward could ever run through them; a graph of operations has none."
        )
    for node in reversed(queue):
        if below[node] and len(below[node]) > len(above[node]):
            rank[node] = max(rank[node], min(rank[target] for target in below[node]) - 1)
    return rank


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
