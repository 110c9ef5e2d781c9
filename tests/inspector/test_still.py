"""The picture that a notebook stores: what a reader without a kernel sees, made in a few milliseconds."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from autograd_lab.inspector import figure, sketch
from autograd_lab.inspector.strokes import extent, still
from autograd_lab.inspector.view import view_of
from autograd_lab.introspect import record, snapshot


def opened(scene, step=0):
    return Image.open(io.BytesIO(base64.b64decode(sketch.png(scene, step))))


@pytest.fixture
def loss(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    return (x * w).sum()


def test_it_is_a_picture_as_large_as_the_figure(loss):
    scene = view_of(snapshot(loss))
    picture, (width, height, _) = opened(scene), extent(scene, 0)
    assert abs(picture.width - width) <= 2
    assert abs(picture.height - height) <= 2
    ours = np.asarray(picture.convert("L")) / 255
    theirs = np.asarray(Image.open(io.BytesIO(figure.image(scene, 0, "png"))).convert("L")) / 255
    rows, columns = min(ours.shape[0], theirs.shape[0]), min(ours.shape[1], theirs.shape[1])
    assert abs(ours[:rows, :columns].mean() - theirs[:rows, :columns].mean()) < 0.02, "the same ink on both"


def test_a_film_is_stored_with_its_gradients(loss):
    scene = view_of(record(loss))
    last = len(scene["film"]["steps"]) - 1
    assert still(scene, 0) == last
    assert still(scene, 3) == 3, "a reader who stopped somewhere stores that step"
    assert sketch.png(scene, last) != sketch.png(scene, 0)


def test_a_forecast_is_stored_as_it_stands(loss):
    from autograd_lab.introspect.forecast import forecast

    assert still(view_of(forecast(snapshot(loss))), 0) == 0


def test_a_tall_graph_is_cut_and_says_so(torch):
    x = torch.ones(2, requires_grad=True)
    y = x
    for _ in range(200):
        y = y.sin()
    picture = opened(view_of(snapshot(y.sum())))
    assert picture.height < sketch.CUT + 100


def test_names_in_any_script_and_with_line_breaks_are_drawn(torch):
    x = torch.ones(2, requires_grad=True)
    opened(view_of(snapshot((x * 2).sum(), names={"größe": x})))
    opened(view_of(snapshot((x * 2).sum(), names={"重み\n<b>": x})))
