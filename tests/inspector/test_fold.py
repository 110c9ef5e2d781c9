"""Large graphs fold: repeats into stacks, leaves into families; nothing is lost and no circle is made."""

import pytest

from autograd_lab.inspector.fold import common_name, fold
from autograd_lab.inspector.view import picture_of, view_of
from autograd_lab.inspector.widget import GraphInspector
from autograd_lab.introspect import record, snapshot


def blocks(torch, count):
    """Build a deep network with a shared weight and a bias of its own for each block."""
    W = (torch.eye(4) * 0.5).requires_grad_()
    biases = [torch.zeros(4, requires_grad=True) for _ in range(count)]
    h = torch.ones(2, 4)
    for b in biases:
        h = torch.relu(h @ W + b)
    return h.sum(), {"W": W, "biases": biases}


def test_a_small_graph_stays_open(torch):
    loss, names = blocks(torch, 12)
    assert fold(snapshot(loss, names=names)) == []


def test_repeats_become_one_stack_and_their_leaves_one_family(torch):
    loss, names = blocks(torch, 120)
    graph = snapshot(loss, names=names)
    folds = fold(graph)
    stack = next(item for item in folds if not item.leaves)
    assert len(stack.blocks) >= 118
    assert len(stack.blocks[0]) == 3
    family = next(item for item in folds if item.leaves)
    assert common_name(family.nodes) == "biases"
    scene = view_of(graph)
    names = {card["name"] for card in scene["pictures"]["folded"]["cards"]}
    assert {"W", "biases"} <= names
    assert len(scene["pictures"]["folded"]["cards"]) < 12


def test_every_node_stands_on_exactly_one_card(torch):
    loss, names = blocks(torch, 200)
    graph = snapshot(loss, names=names)
    cards = picture_of(graph, fold(graph))["cards"]
    assert sorted(n for card in cards for n in card["nodes"]) == sorted(node.id for node in graph.nodes)


def test_an_opened_stack_shows_its_nodes(torch):
    loss, names = blocks(torch, 110)
    graph = snapshot(loss, names=names)
    stack = next(item for item in fold(graph) if not item.leaves)
    cards = picture_of(graph, fold(graph, frozenset({stack.id})))["cards"]
    assert len(cards) > 300
    inspector = GraphInspector(graph)
    assert inspector.picture == {}
    inspector.expanded = [stack.id]
    assert len(inspector.picture["cards"]) == len(cards)
    inspector.expanded = []
    assert inspector.picture == {}


def test_a_folded_nodes_panel_is_sent_when_it_is_asked_for(torch):
    loss, names = blocks(torch, 110)
    inspector = GraphInspector(snapshot(loss, names=names))
    sent = inspector.scene["panels"].keys() | inspector.more.keys()
    hidden = next(node.id for node in inspector.snapshot.nodes if node.id not in sent)
    inspector.selected = hidden
    assert set(inspector.asked) == {hidden}


def test_a_recorded_run_gives_each_block_its_norm(torch):
    loss, names = blocks(torch, 110)
    scene = view_of(record(loss, names=names))
    stack = next(s for s in scene["stacks"].values() if "×" in s["op"] and "Relu" in s["op"])
    assert all(block["norm"] != "–" for block in stack["blocks"])


@pytest.mark.parametrize("size", [400, 3000])
def test_a_graph_without_repeats_folds_too(torch, size):
    x = torch.ones(1, requires_grad=True)
    y, kinds = x, ("sin", "cos", "exp", "tanh", "sigmoid", "abs")
    for number in range(size):
        y = getattr(y, kinds[(number * number + number // 7) % 6])()
    graph = snapshot(y, names={"x": x})
    assert len(picture_of(graph, fold(graph))["cards"]) <= 320
