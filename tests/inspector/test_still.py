"""The picture that a notebook stores: what a reader without a kernel sees, made in a few milliseconds."""

import base64
import io

import numpy as np
import pytest
from PIL import Image

from autograd_lab.inspector import figure, sketch, strokes
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


def test_a_node_that_let_go_of_its_tensors_has_a_sign(loss):
    film = view_of(record(loss))
    last = film["film"]["last"]
    assert "freed" not in dict(strokes._kinds(film["pictures"]["open"], film, 0))
    told = any(step["kind"] == "release" for step in film["film"]["steps"])  # torch does not tell it during the run
    assert ("freed" in dict(strokes._kinds(film["pictures"]["open"], film, last))) is told
    after = view_of(snapshot(loss))
    assert "freed" in dict(strokes._kinds(after["pictures"]["open"], after, 0))


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


def test_every_kind_of_node_has_its_own_outline_on_both_pictures(monkeypatch):
    kinds = ["operation", "accumulator", "view", "inplace", "custom"]
    monkeypatch.setattr(strokes, "_kinds", lambda *_: [])  # the words of the legend would differ anyway
    for make in (sketch.png, lambda scene: figure.image(scene, 0, "png")):
        assert len({make(_alone(kind)) for kind in kinds}) == len(kinds)


def _alone(kind):
    card = {"id": "n0", "nodes": ["n0"], "kind": kind, "name": "a", "unnamed": False, "op": "b", "shape": "()",
            "dtype": "float32", "foot": None, "x": 0.0, "y": 0.0, "w": 160.0, "h": 40.0}  # fmt: skip
    sheet = {"cards": [card], "wires": [], "references": [], "width": 400.0, "height": 60.0, "roomy": True}
    return {"title": "a", "subtitle": "", "findings": [], "film": None, "picture": "open", "pictures": {"open": sheet}}
