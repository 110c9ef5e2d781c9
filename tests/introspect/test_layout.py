"""The layout: same graph, same picture; no overlap; no edge through a box; far leaves become chips."""

from itertools import combinations, pairwise

import pytest

from autograd_lab.introspect.layout import layout
from autograd_lab.introspect.problems import CyclicGraph


class Family:
    """A graph under construction."""

    def __init__(self):
        self.count, self.links = 0, []

    def node(self, *sources):
        self.count += 1
        self.links += [(source, self.count - 1) for source in sources]
        return self.count - 1


def chain(size):
    graph = Family()
    last = graph.node()
    while graph.count < size:
        last = graph.node(last)
    return graph


def residual(size):
    graph = Family()
    last = graph.node()
    while graph.count < size:
        inner = graph.node(last)
        graph.node(inner)
        last = graph.node(graph.node(inner), last)
    return graph


def attention(size):
    graph = Family()
    last = graph.node()
    while graph.count < size:
        out = graph.node(last)
        scores = graph.node(out)
        query, key, value = graph.node(scores), graph.node(scores), graph.node(out)
        for part in (query, key, value):
            graph.node(part)
        last = graph.node(query, key, value, last)
    return graph


def shared(size):
    graph = Family()
    last, weight = graph.node(), graph.node()
    while graph.count < size:
        product = graph.node(last)
        graph.links.append((product, weight))
        last = graph.node(product)
    return graph


def regularised(size):
    graph = Family()
    loss = graph.node()
    last, penalty = graph.node(loss), graph.node(loss)
    leaves = []
    while graph.count < size * 0.55:
        product = graph.node(graph.node(last))
        leaves += [graph.node(product), graph.node(graph.node(product))]
        last = graph.node(product)
    for leaf in leaves:
        following = graph.node(penalty)
        square = graph.node(graph.node(penalty))
        graph.links.append((square, leaf))
        penalty = following
    return graph


FAMILIES = [chain, residual, attention, shared, regularised]


def lay(graph, width=150.0, height=42.0):
    nodes = [(f"n{i}", width, height) for i in range(graph.count)]
    edges = [(f"e{i}", f"n{a}", f"n{b}") for i, (a, b) in enumerate(graph.links)]
    return layout(nodes, edges), edges


@pytest.mark.parametrize("size", [7, 60, 300])
@pytest.mark.parametrize("family", FAMILIES)
def test_no_box_overlaps_and_no_wire_runs_through_a_box(family, size):
    plan, edges = lay(family(size))
    boxes = list(plan.boxes.items())
    by_rank = {}
    for name, box in boxes:
        by_rank.setdefault(box.rank, []).append((name, box))
    for row in by_rank.values():
        for (_, a), (_, b) in combinations(row, 2):
            assert a.x + a.width <= b.x or b.x + b.width <= a.x
    for name, _, _ in edges:
        for (x1, y1), (x2, y2) in pairwise(plan.wires[name].points):
            assert x1 == x2 or y1 == y2, "wires are orthogonal"
            left, right, top, bottom = min(x1, x2), max(x1, x2), min(y1, y2), max(y1, y2)
            for _, box in boxes:
                inside = right > box.x + 1 and left < box.x + box.width - 1
                assert not (inside and bottom > box.y + 1 and top < box.y + box.height - 1)


@pytest.mark.parametrize("family", FAMILIES)
def test_the_same_graph_gets_the_same_picture(family):
    assert lay(family(80))[0] == lay(family(80))[0]


@pytest.mark.parametrize("family", FAMILIES)
def test_a_thousand_nodes_stay_narrow(family):
    assert lay(family(1000))[0].width < 1300, "height is scrolled, width is not"


def test_one_penalty_for_every_parameter_is_a_ladder():
    plan, _ = lay(regularised(200))
    rungs = [box for name, box in plan.boxes.items() if name in {"n5", "n11", "n17", "n23"}]
    assert len({round(box.x) for box in rungs}) == 1, "leaves stand below one another"
    assert not plan.references


def three_into_one(_):
    graph = Family()
    root = graph.node()
    product, total = graph.node(root), graph.node(root)
    exponent = graph.node(total)
    graph.node(product, product, exponent)
    return graph


@pytest.mark.parametrize("family", [*FAMILIES, three_into_one])
def test_wires_end_at_their_cards(family):
    plan, edges = lay(family(40))
    references = {edge for ref in plan.references for edge in ref.edges}
    for name, source, target in edges:
        (x1, y1), (x2, y2) = plan.wires[name].points[0], plan.wires[name].points[-1]
        assert plan.boxes[source].x <= x1 <= plan.boxes[source].x + plan.boxes[source].width
        assert abs(y1 - plan.boxes[source].y - plan.boxes[source].height) < 0.2
        if name not in references:
            assert plan.boxes[target].x <= x2 <= plan.boxes[target].x + plan.boxes[target].width
            assert abs(y2 - plan.boxes[target].y) < 0.2


def test_a_leaf_that_is_used_everywhere_becomes_chips():
    plan, _ = lay(shared(200))
    assert {ref.target for ref in plan.references} == {"n1"}
    assert len(plan.references) > 80
    near, _ = lay(shared(8))
    assert not near.references


def test_a_lone_node_and_nothing_at_all():
    plan = layout([("n0", 100, 40)], [])
    assert (plan.boxes["n0"].width, plan.width) == (100, 140)
    assert layout([], []).boxes == {}


def test_parallel_edges_keep_their_own_wires():
    plan = layout([("a", 100, 40), ("b", 100, 40)], [("e0", "a", "b"), ("e1", "a", "b")])
    assert plan.wires["e0"] != plan.wires["e1"]


def test_a_circle_is_refused():
    with pytest.raises(CyclicGraph, match="form a circle"):
        layout([("a", 1, 1), ("b", 1, 1)], [("e0", "a", "b"), ("e1", "b", "a")])
