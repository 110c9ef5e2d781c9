"""The widget's Python side: traits, still outputs, bad input."""

import base64

import nbformat
import pytest
import traitlets

import autograd_lab
from autograd_lab.inspector import draw, inspect, step_through
from autograd_lab.introspect import NoGraph, NotATensor, UnknownKeyword
from tests.support import require_torch


@pytest.fixture
def loss(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    return (x * x).sum()


def test_inspect_opens_without_running(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    inspector = inspect(loss)
    assert repr(inspector) == "<GraphInspector of loss: 3 nodes, 3 edges>"
    assert inspector.selected == "n0"
    assert x.grad is None
    loss.backward()


def test_step_through_runs_once_and_starts_at_zero(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    film = step_through(loss)
    assert film.step == 0
    assert x.grad.tolist() == [2, 4]
    steps = len(film.trace.steps)
    assert repr(film) == f"<GraphInspector of loss: 3 nodes, 3 edges, {steps} steps>"


def test_steps_are_bounded_and_observable(loss):
    film = step_through(loss)
    seen = []
    film.observe(lambda change: seen.append(change.new), "step")
    film.step = 3
    film.step = 10_000
    assert seen == [3, len(film.trace.steps)]


def test_still_outputs_stand_beside_the_widget(loss):
    data, metadata = inspect(loss)._repr_mimebundle_()
    assert {"application/vnd.jupyter.widget-view+json", "image/png", "text/plain"} <= set(data)
    assert base64.b64decode(data["image/png"]).startswith(b"\x89PNG")
    assert data["text/plain"].startswith("Graph of ")
    assert metadata["image/png"]["alt"].startswith("Graph of ")


def test_text_and_picture_are_the_same_on_a_second_look(loss):
    first, second = inspect(loss)._repr_mimebundle_()[0], inspect(loss)._repr_mimebundle_()[0]
    assert first["text/plain"] == second["text/plain"]
    assert first["image/png"] == second["image/png"]


def test_a_notebook_without_a_kernel_shows_the_picture(loss):
    """What GitHub, nbconvert and an untrusted notebook show when no widget can come to life."""
    from nbconvert import HTMLExporter

    data, metadata = step_through(loss)._repr_mimebundle_()
    cell = nbformat.v4.new_code_cell("step_through(loss)")
    cell.outputs = [nbformat.v4.new_output("execute_result", data=data, metadata=metadata, execution_count=1)]
    page, _ = HTMLExporter().from_notebook_node(nbformat.v4.new_notebook(cells=[cell]))
    assert data["image/png"].strip() in page.replace("\n", "")


def test_the_film_leaves_the_notebook(loss, tmp_path):
    film = step_through(loss)
    film.step = 3
    path = film.drawing.to_html(tmp_path / "film.html")
    assert "Backward is done" in path.read_text(encoding="utf-8")
    assert film.drawing.step == 3


def test_two_inspectors_on_one_graph_are_independent(loss):
    first, second = inspect(loss), inspect(loss)
    first.selected = "n1"
    assert second.selected == "n0"
    assert first.scene == second.scene


@pytest.mark.parametrize("call", [inspect, step_through, draw])
def test_what_cannot_be_opened_gets_a_sentence(call):
    with pytest.raises(NotATensor, match=rf"{call.__name__}\(\) got the int 3.*for example {call.__name__}\(loss\)"):
        call(3)


@pytest.mark.parametrize("call", [inspect, draw])
def test_unknown_keywords(call, loss):
    with pytest.raises(UnknownKeyword, match=rf"{call.__name__}\(\) does not know the keyword colour="):
        call(loss, colour="red")
    with pytest.raises(UnknownKeyword, match=r"step_through\(\) does not know the keyword retain="):
        step_through(loss, retain=True)


def test_a_bare_inspect_opens_what_the_namespace_has(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    z = x * 3
    assert {node.label for node in inspect().snapshot.nodes} >= {"x", "y", "z"}
    assert y is not z


def test_a_bare_inspect_says_that_there_are_tensors_of_real_torch():
    real = require_torch()
    x = autograd_lab.tensor([1.0, 2.0], requires_grad=True)
    y = x * 2
    other = real.ones(2, requires_grad=True) * 3
    view = inspect()
    assert view.snapshot.engine == "autograd_lab"
    assert view.note == "there are torch tensors too: inspect(other) opens them"
    assert str(view).endswith(f"Note: {view.note}")
    assert view.scene["note"] == view.note
    assert y is not other


def test_a_selection_is_a_node_or_a_name(loss):
    film = step_through(loss)
    film.selected = "n1"
    film.selected = "loss"
    assert film.selected == "n0"
    film.breaks = ["loss"]
    assert film.breaks == ["n0"]
    with pytest.raises(traitlets.TraitError, match=r"no node 'nobody'.*\.selected.*n0 to n2, or a name: loss"):
        film.selected = "nobody"
    with pytest.raises(traitlets.TraitError, match=r"no node 'nobody'.*\.breaks"):
        film.breaks = ["nobody"]
    film.set_state({"selected": "n99", "breaks": ["n99", "n1"]})  # a click in a picture that has been replaced
    assert (film.selected, film.breaks) == ("n0", ["n1"])


def test_a_bare_inspect_without_any_tensor_says_so():
    with pytest.raises(NoGraph, match="found no tensor with a graph among your variables"):
        inspect()


def test_a_graph_freed_while_it_is_shown_stays_shown(loss):
    inspector = inspect(loss)
    before = str(inspector)
    loss.backward()
    assert str(inspector) == before
    assert "freed" in str(inspect(loss))


def test_a_film_is_drawn_and_a_call_without_arguments_says_what_to_pass(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    view = step_through((x * x).sum())
    assert draw(view).trace is view.trace
    with pytest.raises(TypeError, match=r"pass the result of a calculation, for example step_through\(loss\)"):
        step_through()
