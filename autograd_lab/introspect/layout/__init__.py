"""Give every card a place and every edge a way: the one layered layout that all renderers use."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from autograd_lab.introspect.layout.order import order_layers
from autograd_lab.introspect.layout.place import place_layers
from autograd_lab.introspect.layout.ranks import Layers, Link, rank_nodes, strands_apart, stretch
from autograd_lab.introspect.layout.references import far_references
from autograd_lab.introspect.layout.route import Sizes, route_wires

ROOMY_UP_TO = 80  # cards; up to here every edge has room for a chip with its gradient
MARGIN = 20.0
WIDE = 1200.0  # CSS pixels; a wider graph may use more layers instead


@dataclass(frozen=True, slots=True)
class Box:
    """Where a card stands: left, top, width, height, layer."""

    x: float
    y: float
    width: float
    height: float
    rank: int


@dataclass(frozen=True, slots=True)
class Wire:
    """The way of an edge: corner points from card to card, and the middle of its chip."""

    points: tuple[tuple[float, float], ...]
    chip: tuple[float, float]


@dataclass(frozen=True, slots=True)
class Reference:
    """A chip that stands for a far card, so that no edge has to go there; `edges` are the edges it replaces."""

    id: str
    target: str
    edges: tuple[str, ...]


@dataclass(frozen=True)
class Layout:
    """Boxes by node id (chips by reference id), wires by edge id, references, and the size of the whole."""

    boxes: dict[str, Box]
    wires: dict[str, Wire]
    references: tuple[Reference, ...]
    width: float
    height: float
    roomy: bool


def layout(
    nodes: Sequence[tuple[str, float, float]], edges: Sequence[tuple[str, str, str]], roomy: bool | None = None
) -> Layout:
    """Lay a directed acyclic graph out in layers, sources on top.

    The order of nodes and edges is the only tie-breaker, so the same graph always gets the same picture. Several
    edges between the same two cards keep their own wires.

    Args:
        nodes: (id, width, height) of each card.
        edges: (id, source, target); the target is drawn below the source.
        roomy: leave room for a chip on every edge; by default up to 80 cards.

    Raises:
        CyclicGraph: the edges come back to where they began.
    """
    number = {name: i for i, (name, _, _) in enumerate(nodes)}
    links = [(number[source], number[target]) for _, source, target in edges]
    roomy = len(nodes) <= ROOMY_UP_TO if roomy is None else roomy
    count, links, chips = far_references(len(nodes), links)
    names = [name for name, _, _ in nodes] + [f"r{i}" for i in range(len(chips))]
    widths = [width for _, width, _ in nodes] + [_chip_width(nodes[chip.target][0]) for chip in chips]
    heights = [height for _, _, height in nodes] + [20.0] * len(chips)

    sizes = Sizes(widths, heights, roomy)
    layers, middles = _stand(count, links, sizes)
    if max(middles, default=0.0) - min(middles, default=0.0) > WIDE:
        apart = strands_apart(layers, links)
        if apart:
            layers, middles = _stand(count, links, sizes, apart)
    routed = route_wires(layers, middles, sizes)

    left = min(routed.left, default=0.0) - MARGIN
    boxes = {
        names[i]: Box(
            middles[i] - widths[i] / 2 - left, routed.tops[layers.rank[i]] + MARGIN * 0.75, widths[i], heights[i],
            layers.rank[i],
        )
        for i in range(count)
    }
    wires = {}
    for (name, _, _), (points, chip) in zip(edges, routed.wires):
        moved = tuple((round(x - left, 1), round(y + MARGIN * 0.75, 1)) for x, y in points)
        wires[name] = Wire(moved, (round(chip[0] - left, 1), round(chip[1] + MARGIN * 0.75, 1)))
    references = tuple(
        Reference(f"r{i}", nodes[chip.target][0], tuple(edges[e][0] for e in chip.edges))
        for i, chip in enumerate(chips)
    )
    return Layout(
        boxes, wires, references, max(routed.right, default=0.0) - left + MARGIN, routed.height + MARGIN * 1.5, roomy
    )


def _stand(count: int, links: list[Link], sizes: Sizes, apart: Sequence[Link] = ()) -> tuple[Layers, list[float]]:
    """Return layers in order, and the middle of each node."""
    layers = stretch(count, links, rank_nodes(count, links, apart))
    order_layers(layers)
    return layers, place_layers(layers, sizes.widths, sizes.gap)


def _chip_width(_: str) -> float:
    return 92.0
