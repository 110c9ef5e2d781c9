"""Replace far edges by reference chips: a weight used at two hundred places would otherwise ruin every layout."""

from __future__ import annotations

from dataclasses import dataclass, field

from autograd_lab.introspect.layout.ranks import Link, rank_nodes

FAR = 5  # layers that a real edge to a shared leaf may span
PIECES_PER_NODE = 6  # pieces of long edges that a layout may hold, before the longest become references


@dataclass
class Chip:
    """A reference to `target`; `edges` are the numbers of the links it stands for."""

    source: int
    target: int
    edges: list[int] = field(default_factory=list)


def far_references(count: int, links: list[Link]) -> tuple[int, list[Link], list[Chip]]:
    """Return (node count with chips, links with far ones led to chips, the chips).

    A shared leaf keeps its edges to the consumers near it and gets one chip at each far consumer. Should the long
    edges between operations still need too many pieces, the longest of them become references too.
    """
    rank = rank_nodes(count, links)
    leaf = [True] * count
    users: list[list[int]] = [[] for _ in range(count)]
    for number, (source, target) in enumerate(links):
        leaf[source] = False
        users[target].append(number)
    far = set()
    for target in range(count):
        if leaf[target] and len(users[target]) > 1:
            home = max(users[target], key=lambda e: rank[links[e][0]])
            far |= {e for e in users[target] if rank[links[home][0]] - rank[links[e][0]] >= FAR}
    far |= _too_long(count, links, rank, far)
    chips: dict[Link, Chip] = {}
    moved = list(links)
    for number in sorted(far):
        source, target = links[number]
        if (source, target) not in chips:
            chips[source, target] = Chip(source, target)
        chips[source, target].edges.append(number)
    for index, chip in enumerate(chips.values()):
        for number in chip.edges:
            moved[number] = (chip.source, count + index)
    return count + len(chips), moved, list(chips.values())


def _too_long(count: int, links: list[Link], rank: list[int], far: set[int]) -> set[int]:
    spans = [(rank[t] - rank[s] - 1, -e) for e, (s, t) in enumerate(links) if e not in far and rank[t] - rank[s] > FAR]
    total, found = sum(span for span, _ in spans), set()
    for span, number in sorted(spans, reverse=True):
        if total <= PIECES_PER_NODE * count + 200:
            break
        found.add(-number)
        total -= span
    return found
