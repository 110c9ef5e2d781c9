"""Lead every edge from card to card in horizontal and vertical runs, in lanes of their own between two layers."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from autograd_lab.introspect.layout.ranks import Layers

CHIP = 132.0  # width that a chip with a gradient may take
Point = tuple[float, float]


@dataclass
class Sizes:
    """Widths and heights of the cards, and how much room the graph may use."""

    widths: list[float]
    heights: list[float]
    roomy: bool

    @property
    def gap(self) -> float:
        """Space between two cards of one layer."""
        return 80.0 if self.roomy else 24.0

    @property
    def lane(self) -> float:
        """Space between two lanes."""
        return 26.0 if self.roomy else 8.0

    @property
    def rim(self) -> float:
        """Space between a card and the nearest lane."""
        return 22.0 if self.roomy else 16.0


@dataclass
class Routed:
    """Tops of the layers, ways of the links with the middle of their chip, outermost x on both sides."""

    tops: list[float] = field(default_factory=list)
    wires: list[tuple[list[Point], Point]] = field(default_factory=list)
    left: list[float] = field(default_factory=list)
    right: list[float] = field(default_factory=list)
    height: float = 0.0


@dataclass
class Run:
    """One edge's part between two layers: where it leaves, where it arrives, in which lane it runs across."""

    link: int
    step: int
    leave: float
    arrive: float
    lane: int = 0

    @property
    def straight(self) -> bool:
        """Whether the run needs no lane."""
        return abs(self.leave - self.arrive) < 0.5


def route_wires(layers: Layers, middles: list[float], sizes: Sizes) -> Routed:
    """Return the ways of all links."""
    routed = Routed()
    runs = _runs(layers, middles, sizes)
    y, lanes_of = 0.0, []
    for index, row in enumerate(layers.rows):
        routed.tops.append(y)
        tall = max((sizes.heights[node] for node in row if node < layers.count), default=0.0)
        lanes = _assign(runs[index], sizes.roomy)
        lanes_of.append(y + tall + sizes.rim)
        y += tall + (2 * sizes.rim + sizes.lane * max(0, lanes - 1) if runs[index] else 0.0)
    routed.height = y
    by_link: dict[tuple[int, int], tuple[Run, float]] = {}
    for index, layer in enumerate(runs):
        for run in layer:
            by_link[run.link, run.step] = run, lanes_of[index] + sizes.lane * run.lane
    for link, chain in enumerate(layers.chains):
        routed.wires.append(_wire(link, chain, by_link, layers, routed.tops, sizes))
    for node in range(layers.count):
        routed.left.append(middles[node] - sizes.widths[node] / 2)
        routed.right.append(middles[node] + sizes.widths[node] / 2)
    for points, _ in routed.wires:
        routed.left.append(min(x for x, _ in points) - 4)
        routed.right.append(max(x for x, _ in points) + 4)
    return routed


def _wire(
    link: int,
    chain: list[int],
    runs: dict[tuple[int, int], tuple[Run, float]],
    layers: Layers,
    tops: list[float],
    sizes: Sizes,
) -> tuple[list[Point], Point]:
    source, target = chain[0], chain[-1]
    first, lane = runs[link, 0]
    points: list[Point] = [(first.leave, tops[layers.rank[source]] + sizes.heights[source])]
    for step in range(len(chain) - 1):
        run, y = runs[link, step]
        if not run.straight:
            points += [(run.leave, y), (run.arrive, y)]
    last, _ = runs[link, len(chain) - 2]
    points.append((last.arrive, tops[layers.rank[target]]))
    return points, ((first.leave + first.arrive) / 2, lane)


def _runs(layers: Layers, middles: list[float], sizes: Sizes) -> list[list[Run]]:
    """Return the runs below each layer, with ports spread along the cards' edges."""
    found: list[list[Run]] = [[] for _ in layers.rows]
    leaving: dict[int, list[tuple[int, int, int]]] = {}
    arriving: dict[int, list[Run]] = {}
    for link, chain in enumerate(layers.chains):
        for step, (node, other) in enumerate(pairwise(chain)):
            leaving.setdefault(node, []).append((link, step, other))
    for node, parts in leaving.items():
        parts.sort(key=lambda part: (middles[part[2]], part[0]))
        xs = _spread(node, len(parts), layers, middles, sizes)
        for x, (link, step, other) in zip(xs, parts):
            run = Run(link, step, x, middles[other])
            found[layers.rank[node]].append(run)
            arriving.setdefault(other, []).append(run)
    for node, group in arriving.items():
        if node < layers.count:
            _arrive(node, group, middles, sizes)
    return found


def _spread(node: int, count: int, layers: Layers, middles: list[float], sizes: Sizes) -> list[float]:
    if count == 1 or node >= layers.count:
        return [middles[node]] * count
    room = sizes.widths[node] - 40
    step = min(104.0, room / (count - 1))
    return [middles[node] + step * (i - (count - 1) / 2) for i in range(count)]


def _arrive(node: int, group: list[Run], middles: list[float], sizes: Sizes) -> None:
    """Choose the ports on a card's upper edge: straight above where possible, never nearer than a finger's width."""
    group.sort(key=lambda run: (run.leave, run.link))
    middle, half = middles[node], sizes.widths[node] / 2 - 16
    if len(group) == 1 and abs(group[0].leave - middle) > half:
        group[0].arrive = middle
        return
    gap = min(64.0, half, 2 * half / max(1, len(group) - 1))  # two beside each other: one may stand in the middle
    wanted = [
        run.leave if abs(run.leave - middle) <= half else middle + (half / 3 if run.leave > middle else -half / 3)
        for run in group
    ]
    anchor = min(range(len(group)), key=lambda i: (abs(group[i].leave - wanted[i]), abs(wanted[i] - middle)))
    for i in range(anchor + 1, len(wanted)):
        wanted[i] = max(wanted[i], wanted[i - 1] + gap)
    for i in range(anchor - 1, -1, -1):
        wanted[i] = min(wanted[i], wanted[i + 1] - gap)
    if wanted[-1] - wanted[0] > 2 * half:  # more than the card is wide: spread evenly
        wanted = [middle - half + 2 * half * i / (len(wanted) - 1) for i in range(len(wanted))]
    shift = max(0.0, middle - half - wanted[0]) - max(0.0, wanted[-1] - middle - half)
    wanted = [x + shift for x in wanted]
    for run, x in zip(group, wanted):
        run.arrive = x


def _assign(runs: list[Run], roomy: bool) -> int:
    """Give each run of a channel a lane and return how many lanes there are.

    Runs to the right are stacked from the rightmost start, runs to the left from the leftmost: then two runs in the
    same direction never cross twice. Where chips are shown, a straight run takes part with the room of its chip.
    """
    wide = CHIP / 2 if roomy else 3.0
    order = sorted(
        (run for run in runs if roomy or not run.straight),
        key=lambda run: (run.straight, -run.leave if run.arrive > run.leave else run.leave),
    )
    taken: list[list[tuple[float, float]]] = []
    for run in order:
        low, high = sorted((run.leave, run.arrive))
        middle = (low + high) / 2
        low, high = min(low - 6, middle - wide), max(high + 6, middle + wide)
        lane = 0
        while lane < len(taken) and any(low < b and a < high for a, b in taken[lane]):
            lane += 1
        if lane == len(taken):
            taken.append([])
        taken[lane].append((low, high))
        run.lane = lane
    return len(taken)
