"""What a snapshot says about a graph."""

import dataclasses

import numpy as np
import pytest

from autograd_lab.introspect import NoGraph, NotATensor, record, snapshot
from autograd_lab.introspect.adapters import TorchAdapter
from autograd_lab.introspect.problems import TooLarge
from tests.support import require_torch


def small(torch):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    return x, w, y, y.mean()


def test_ids_stand_in_walk_order_and_names_come_from_the_caller(torch):
    x, w, y, loss = small(torch)
    assert None not in (x, w, y)
    graph = snapshot(loss)
    assert [node.id for node in graph.nodes] == [f"n{i}" for i in range(6)]
    assert [node.op for node in graph.nodes] == [
        "MeanBackward0", "AddBackward0", "MulBackward0", "SinBackward0", "AccumulateGrad", "AccumulateGrad",
    ]  # fmt: skip
    names = {node.op: node.names for node in graph.nodes if node.op != "AccumulateGrad"}
    assert names["MeanBackward0"] == ("loss",)
    assert names["AddBackward0"] == ("y",)
    assert names["MulBackward0"] == ()
    assert {node.names for node in graph.nodes if node.kind == "accumulator"} == {("x",), ("w",)}
    assert graph.roots == ("n0",)
    assert graph.title == "loss"


def test_several_names_are_all_kept(torch):
    x = torch.ones(2, requires_grad=True)
    loss = total = (x * 2).sum()
    assert snapshot(loss).nodes[0].names == ("loss", "total")
    assert total is loss


def test_names_in_containers_and_given_names(torch):
    weights = [torch.ones(2, requires_grad=True), torch.ones(2, requires_grad=True)]
    loss = (weights[0] * weights[1]).sum()
    labels = {node.label for node in snapshot(loss).nodes if node.kind == "accumulator"}
    assert labels == {"weights[0]", "weights[1]"}
    graph = snapshot(loss, names={"left": weights[0], "right": weights[1]})
    assert {node.label for node in graph.nodes if node.kind == "accumulator"} == {"left", "right"}


def test_a_square_has_two_edges_to_one_node(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    graph = snapshot(y)
    assert [(edge.source, edge.target, edge.index) for edge in graph.edges] == [("n0", "n1", 0), ("n0", "n1", 1)]
    assert [edge.name for edge in graph.edges] == ["self", "other"]


def test_saved_tensors_have_name_source_versions_and_bytes(torch):
    x, w, _, loss = small(torch)
    assert x is not w
    mul = next(node for node in snapshot(loss).nodes if node.op == "MulBackward0")
    saved = {entry.name: entry for entry in mul.saved}
    assert (saved["self"].source, saved["other"].source) == ("x", "w")
    assert {entry.state for entry in mul.saved} == {"fresh"}
    told = 0 if torch.__name__ == "autograd_lab" else None  # torch keeps the version at save time to itself
    assert (saved["self"].version_saved, saved["self"].version_now) == (told, 0)
    assert saved["self"].nbytes == 12
    assert saved["self"].value.rows == (("0.5", "1", "2"),)


def test_a_later_write_makes_a_saved_tensor_stale(torch):
    a = torch.ones(3, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    c = a * b
    with torch.no_grad():
        a.mul_(2)
    mul = snapshot(c).nodes[0]
    saved = {entry.name: entry for entry in mul.saved}
    assert (saved["self"].state, saved["other"].state) == ("stale", "fresh")
    assert (saved["self"].version_saved, saved["self"].version_now) == (0, 1)
    assert mul.stale


def test_a_used_graph_is_freed_and_its_snapshot_still_opens(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x.exp()
    y.sum().backward()
    entry = next(entry for entry in snapshot(y).nodes[0].saved if entry.is_tensor)
    assert entry.state == "freed"
    assert entry.nbytes == 0


def test_a_leaf_is_a_graph_of_one_accumulator(torch):
    x = torch.ones(2, requires_grad=True)
    graph = snapshot(x)
    assert [node.kind for node in graph.nodes] == ["accumulator"]
    assert graph.nodes[0].names == ("x",)


def test_views_share_a_storage(torch):
    x = torch.ones(4, requires_grad=True)
    y = x * 2
    z = y.view(2, 2)
    graph = snapshot(z.sum())
    y_node, z_node = (next(n for n in graph.nodes if n.label == name) for name in ("y", "z"))
    assert z_node.kind == "view"
    assert y_node.storage == z_node.storage
    aliases = next(s for s in graph.storages if s.id == y_node.storage).aliases
    assert {alias.label for alias in aliases} == {"y", "z"}


def test_tensors_outside_the_graph_that_share_memory_are_told(torch):
    a = torch.ones(3, requires_grad=True)
    alias = a.detach()
    graph = snapshot(a * 2)
    leaf = next(node for node in graph.nodes if node.kind == "accumulator")
    storage = next(s for s in graph.storages if s.id == leaf.storage)
    assert [(x.label, x.in_graph) for x in storage.aliases] == [("a", True), ("alias", False)]
    assert alias is not a


def test_a_snapshot_is_frozen_and_holds_no_tensor(torch):
    _, _, _, loss = small(torch)
    graph = snapshot(loss)
    with pytest.raises(dataclasses.FrozenInstanceError):
        graph.title = "other"
    assert all(not hasattr(value, "grad_fn") for node in graph.nodes for value in dataclasses.asdict(node).values())


def test_nothing_is_touched(torch):
    x, w, _, loss = small(torch)
    snapshot(loss)
    assert x.grad is None
    loss.backward()
    assert np.allclose(w.grad, [0.5 / 3, 1 / 3, 2 / 3])


def test_repr_is_deterministic(torch):
    _, _, _, loss = small(torch)
    assert repr(snapshot(loss)) == "<GraphSnapshot of loss: 6 nodes, 6 edges>"
    assert repr(snapshot(loss)) == repr(snapshot(loss))


def test_a_long_chain_does_not_recurse(torch):
    x = torch.ones(1, requires_grad=True)
    y = x
    size = 100_000 if torch.__name__ == "autograd_lab" else 10_000  # torch overflows the stack when it frees more
    for _ in range(size):
        y = y + 1
    graph = snapshot(y)
    assert len(graph.nodes) == size + 1
    assert graph.nodes[-1].kind == "accumulator"


def test_a_storage_written_counts_once_in_the_bytes_that_a_graph_keeps(torch):
    x = torch.ones(1000, requires_grad=True)
    y = (x * x + x.sin()).sum()
    assert snapshot(y).kept_bytes == 4000


def test_a_users_own_function_is_told_apart_and_shows_what_it_saved(torch):
    class Cube(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x**3

        @staticmethod
        def backward(ctx, grad):
            (x,) = ctx.saved_tensors
            return 3 * x**2 * grad

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = Cube.apply(x)
    node = snapshot(y).nodes[0]
    assert (node.kind, node.op, node.label) == ("custom", "CubeBackward", "y")
    assert [entry.source for entry in node.saved if entry.is_tensor] == ["x"]
    trace = record(y.sum())
    assert "CubeBackward" in {trace.snapshot.index[step.node].op for step in trace.steps if step.kind == "exit"}


def test_hooks_are_named(torch):
    def double(grad):
        return grad * 2

    x = torch.ones(2, requires_grad=True)
    y = x * 3
    y.register_hook(double)
    assert any("double" in name for name in snapshot(y.sum(), names={"x": x, "y": y}).nodes[1].hooks)


def test_the_loss_of_a_real_torch_model_is_walked_whole():
    torch = require_torch()
    torch.manual_seed(0)
    model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
    loss = torch.nn.functional.cross_entropy(model(torch.randn(5, 4)), torch.tensor([0, 1, 2, 0, 1]))
    seen, stack = set(), [loss.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [following for following, _ in node.next_functions]
    graph = snapshot(loss)
    assert len(graph.nodes) == len(seen)
    assert {node.label for node in graph.nodes if node.kind == "accumulator"} == {
        "model.0.weight", "model.0.bias", "model.2.weight", "model.2.bias",
    }  # fmt: skip


def test_of_a_torch_chain_that_torch_could_not_free_only_the_beginning_is_looked_at(monkeypatch):
    torch = require_torch()
    monkeypatch.setattr(TorchAdapter, "most_nodes", 50)
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(60):
        y = y + 1
    graph = snapshot(y)
    assert graph.cut
    assert [node.op for node in graph.nodes] == ["AddBackward0"] * 50 + ["MoreNodes"]
    assert graph.edges[-1].target == "n50"
    with pytest.raises(TooLarge, match=r"more than 50 nodes.*step_through\(\) needs a shorter part"):
        record(y, call="step_through")


class Pretender:
    """Looks like a graph and goes in a circle."""

    requires_grad = True

    def __init__(self):
        self.grad_fn = self
        self.next_functions = ((self, 0),)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (3, "the int 3"), (None, "None"), ("loss", "the str 'loss'"), (Pretender(), "Pretender"),
        (Pretender, "the class"), ([1, 2], "a list of 2"), (np.ones(2), "numpy.ndarray"),
    ],
)  # fmt: skip
def test_a_foreign_object_gets_a_sentence(given, words):
    with pytest.raises(NotATensor, match=r"opens the graphs of tensors\. Pass the result of a calculation") as raised:
        snapshot(given)
    assert words in str(raised.value)


def test_a_list_that_contains_itself_is_only_described():
    circle = []
    circle.append(circle)
    with pytest.raises(NotATensor, match="a list of 1"):
        snapshot(circle)


def test_a_tensor_without_graph_and_an_empty_call(torch):
    lonely = torch.ones(2)
    with pytest.raises(NoGraph, match=r"the tensor lonely without a graph.*requires_grad=True"):
        snapshot(lonely)
    with pytest.raises(NoGraph, match=r"got nothing to open\. Pass one or several tensors"):
        snapshot()


def test_empty_tensors_nan_and_zero_dimensions(torch):
    x = torch.tensor([float("nan"), float("inf")], requires_grad=True)
    empty = torch.zeros(0, requires_grad=True)
    graph = snapshot((x * x).sum() + (empty * empty).sum())
    by_name = {node.label: node for node in graph.nodes if node.kind == "accumulator"}
    assert by_name["x"].value.bad == 2
    assert by_name["x"].value.first_bad == (0,)
    assert by_name["empty"].value.text == "(0,), empty"


def test_an_object_that_breaks_when_it_is_looked_at_disturbs_nobody(torch):
    class Hostile:
        def __getattribute__(self, name):
            raise RuntimeError(f"not now: {name}")

    class Text(str):
        def __repr__(self):
            raise RuntimeError("no")

    beside, x = Hostile(), torch.ones(2, requires_grad=True)
    assert len(snapshot((x * 2).sum()).nodes) == 3
    for value in (beside, Text("x"), 10**5000):
        with pytest.raises(NotATensor, match=r"snapshot\(\) got .* as argument 1"):
            snapshot(value)
