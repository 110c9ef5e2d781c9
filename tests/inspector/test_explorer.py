"""explore(): values, gradients and the tangent follow the sliders."""

import numpy as np
import pytest

from autograd_lab.inspector import explore
from autograd_lab.inspector.explorer import DIM, WRONG


def test_value_gradients_and_graph_follow_a_slider(torch):
    view = explore(lambda x, y: x * x * y, x=torch.tensor(3.0), y=2.0)
    assert (view.value, view.gradients) == (18.0, {"x": 12.0, "y": 9.0})
    first = view.inspector
    view.sliders["x"].value = 1.0
    assert view.gradients["x"] == pytest.approx(4.0)
    assert view.inspector is first
    assert view.inspector.snapshot.engine == torch.__name__
    assert "gradient for x: 4" in view._words()


def test_the_curve_runs_along_the_leaf_that_moved(torch):
    view = explore(lambda x, y: x * y, x=torch.tensor(1.0), y=(2.0, 0.0, 4.0))
    view.sliders["y"].value = 3.0
    xs, ys = view.curve()
    assert (xs[0], xs[-1]) == (0.0, 4.0)
    assert np.allclose(ys, xs)
    assert len(view.figure().axes[0].lines) == 3


def test_outside_its_domain_the_view_says_so_and_lives_on():
    def root(x):
        if x.item() < 0:
            raise ValueError("no root of a negative number")
        return x.sqrt()

    view = explore(root, x=(1.0, -1.0, 4.0))
    view.sliders["x"].value = -0.5
    assert view.value is None
    assert "no root of a negative number" in view._numbers.value
    assert "of the last values that worked" in view._numbers.value
    assert all(DIM in part._dom_classes for part in (view._picture, view._place))
    view.sliders["x"].value = 4.0
    assert view.value == 2.0
    assert not any(DIM in part._dom_classes for part in (view._picture, view._place))
    assert "worked" not in view._numbers.value


def test_an_error_names_the_value_that_brought_it_about():
    def ratio(x, y):
        if y.item() == 0:
            raise ZeroDivisionError("y is zero")
        return x / y

    view = explore(ratio, x=(1.0, -1.0, 4.0), y=(2.0, 0.0, 4.0))
    view.sliders["y"].value = 0.0
    view.sliders["x"].value = 3.0
    assert view.cause == ("y",)
    assert "It comes from y = 0; with y = 2 the function worked." in view._numbers.value
    assert WRONG in view.sliders["y"]._dom_classes
    assert WRONG not in view.sliders["x"]._dom_classes
    view.sliders["y"].value = 1.0
    assert (view.value, view.cause) == (3.0, ())
    assert WRONG not in view.sliders["y"]._dom_classes


def test_still_outputs():
    data, metadata = explore(lambda x: x.sin(), x=1.0)._repr_mimebundle_()
    assert metadata["image/png"]["alt"] == data["text/plain"]
    assert {"image/png", "text/plain"} <= set(data)
    assert data["text/plain"].startswith("at x = 1\nvalue: 0.8415")


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: explore(3, x=1.0), "got the int 3; pass a function"),
        (lambda: explore(), "pass both: explore"),
        (lambda: explore(lambda: 1), "got no leaf"),
        (lambda: explore(lambda x: x, x="a"), "got the str 'a' for x; pass a number"),
        (lambda: explore(lambda x: x, x=(1.0, 2.0, 0.0)), "low must be below high"),
    ],
)
def test_bad_input(call, words):
    with pytest.raises(TypeError, match=words):
        call()


def test_a_function_that_gives_no_number_is_refused():
    import autograd_lab as torch

    with pytest.raises(TypeError, match="needs one number"):
        explore(lambda x: x * torch.ones(3), x=1.0)


@pytest.mark.parametrize(
    ("function", "words"),
    [
        (lambda x: 5, "returned the int 5; explore\\(\\) needs a tensor with one element"),
        (lambda x: None, "returned None"),
        (lambda x: x.detach(), "returned a tensor without a graph; explore\\(\\) needs one made of the leaves"),
    ],
)
def test_a_function_that_returns_no_such_tensor_is_told_what_it_returned(function, words):
    with pytest.raises((TypeError, ValueError), match=words):
        explore(function, x=1.0)
