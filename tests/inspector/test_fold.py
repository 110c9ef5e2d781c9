"""Large graphs fold: repeats into stacks, leaves into families; nothing is lost and no circle is made."""

import random

import pytest

import autograd_lab
from autograd_lab.inspector.fold import children, common_name, fold
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


def test_an_opened_stack_shows_its_blocks_and_an_opened_block_its_nodes(torch):
    loss, names = blocks(torch, 110)
    graph = snapshot(loss, names=names)
    stack = next(item for item in fold(graph) if not item.leaves)
    opened = [item for item in fold(graph, frozenset({stack.id})) if not item.leaves]
    assert len(opened) == len(stack.blocks)
    assert {len(item.nodes) for item in opened} == {3}
    assert opened[1].id == f"{stack.id}.2"
    further = fold(graph, frozenset({stack.id, opened[1].id}))
    assert opened[1].id not in {item.id for item in further}
    assert fold(graph, frozenset({"*"})) == []


def test_the_widget_answers_an_opening_with_a_picture_and_its_stacks(torch):
    loss, names = blocks(torch, 110)
    inspector = GraphInspector(snapshot(loss, names=names))
    assert inspector.picture == {}
    stack = next(iter(inspector.scene["stacks"]))
    inspector.expanded = [stack]
    assert f"{stack}.1" in inspector.picture["stacks"]
    assert f"{stack}.1" in {card["id"] for card in inspector.picture["cards"]}
    inspector.selected = f"{stack}.1"
    inspector.expanded = [stack, f"{stack}.1"]
    assert inspector.selected == inspector.scene["stacks"][stack]["id"].replace("g", "n"), "the first node in it"
    inspector.expanded = ["*"]
    assert all(len(card["nodes"]) == 1 for card in inspector.picture["cards"])
    inspector.expanded = []
    assert inspector.picture == {}


KINDS = ("sin", "cos", "exp", "tanh", "sigmoid", "abs")


def layer(h, chance, size):
    for _ in range(size):
        h = getattr(h, chance.choice(KINDS))()
    return h


def model(h, chance, sizes):
    for size in sizes:
        h = layer(h, chance, size)
        for _ in range(size):
            kind = chance.choice(KINDS)
            if kind == "abs":
                h = h * 1.5
            else:
                h = getattr(h, kind)()
    return h


def test_what_does_not_repeat_folds_by_function_and_line():
    x = autograd_lab.ones(1, requires_grad=True)
    graph = snapshot(model(x, random.Random(0), (150, 200, 120)), names={"x": x})
    found = [item for item in fold(graph, most=20) if len(item.scope) > 1]
    assert {item.scope[1] for item in found} == {"layer", "model"}
    large = max((item for item in found if len(item.blocks) == 1), key=lambda item: len(item.nodes))
    below = children(large)
    assert below
    assert all(len(item.nodes) < len(large.nodes) for item in below)
    assert sum(len(item.nodes) for item in below) <= len(large.nodes)


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
