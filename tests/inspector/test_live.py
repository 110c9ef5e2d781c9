"""watch(): a visible difference from look to look, no graph kept alive, no cell ever broken."""

import gc
import weakref

import pytest
from IPython.core.interactiveshell import InteractiveShell

from autograd_lab.inspector import watch
from autograd_lab.inspector.live import compare
from autograd_lab.introspect import NotATensor, snapshot


@pytest.fixture
def shell(torch):
    """Return an IPython in which cells can be run."""
    InteractiveShell.clear_instance()
    shell = InteractiveShell.instance()
    shell.run_cell(f"import {torch.__name__} as torch\nfrom autograd_lab.inspector import watch")
    yield shell
    InteractiveShell.clear_instance()


def marks(view):
    return {card["name"]: card.get("mark") for card in view.scene["pictures"][view.scene["picture"]]["cards"]}


def test_cell_by_cell(shell):
    shell.run_cell("x = torch.tensor([1., 2.], requires_grad=True)\nloss = (x * x).sum()\nview = watch(loss)")
    view = shell.user_ns["view"]
    assert view.snapshot.title == "loss"
    shell.run_cell("1 + 1")
    assert view.scene["note"] == "unchanged"
    shell.run_cell("loss.backward()")
    assert "freed" in view.scene["note"]
    assert marks(view)["x"] == "changed"
    shell.run_cell("loss = x.exp().sum()")
    assert "new" in view.scene["note"]
    assert "gone" in view.scene["note"]
    shell.run_cell("view.stop()")
    shell.run_cell("loss = x.sin().sum()")
    assert "ExpBackward0" in {node.op for node in view.snapshot.nodes}


def test_an_error_in_a_cell_and_a_name_that_goes(shell):
    shell.run_cell("x = torch.ones(2, requires_grad=True)\nview = watch()")
    view = shell.user_ns["view"]
    shell.run_cell("y = x * 2")
    assert {node.label for node in view.snapshot.nodes} == {"x", "y"}
    shell.run_cell("del x, y")
    assert view.snapshot.nodes == ()
    shell.run_cell("view.stop()")


def test_nothing_is_kept_alive():
    notebook = {}
    exec(
        "import autograd_lab as torch\nfrom autograd_lab.inspector import watch\n"
        "x = torch.ones(2, requires_grad=True)\ny = x * 2\nview = watch(y)",
        notebook,
    )
    node = weakref.ref(notebook["y"].grad_fn)
    del notebook["y"]
    gc.collect()
    assert node() is None
    notebook["view"].stop()


def test_what_changed_in_words(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    names = {"x": x, "loss": loss}
    before = snapshot(loss, names=names)
    assert compare(before, snapshot(loss, names=names)) == ({}, "unchanged")
    loss.backward()
    found, words = compare(before, snapshot(loss, names=names))
    assert words == "1 changed, 1 freed"
    assert set(found.values()) == {"changed", "freed"}


def test_bad_input():
    with pytest.raises(NotATensor, match=r"watch\(\) got the int 3"):
        watch(3)
