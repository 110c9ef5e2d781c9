"""What goes wrong in notebooks is shown like everything else: every renderer takes every one of these graphs."""

import json

import pytest

from autograd_lab.inspector import Drawing, sketch
from autograd_lab.inspector.view import view_of
from autograd_lab.introspect import record, snapshot
from autograd_lab.introspect.forecast import forecast


def nan_and_inf(torch):
    x = torch.tensor([float("nan"), float("inf"), -float("inf"), 0.0], requires_grad=True)
    return (x * x).sum(), {"x": x}


def empty(torch):
    x = torch.zeros(0, 3, requires_grad=True)
    return (x * 2).sum(), {"x": x}


def zero_dimensional(torch):
    x = torch.tensor(2.0, requires_grad=True)
    return x * x, {"x": x}


def ten_million_elements(torch):
    x = torch.ones(10_000_000, requires_grad=True)
    return (x * x).sum(), {"x": x}


def markup_in_a_name(torch):
    x = torch.ones(2, requires_grad=True)
    return (x * 2).sum(), {"<script>alert(1)</script>": x, 'a"b\\': x}


def hook_that_raises(torch):
    x = torch.ones(2, requires_grad=True)

    def fails(grad):
        raise ValueError("<b>no</b>")

    x.register_hook(fails)
    return (x * 2).sum(), {"x": x}


def function_without_a_name(torch):
    double = type(
        "", (torch.autograd.Function,),
        {"forward": staticmethod(lambda ctx, x: x * 2), "backward": staticmethod(lambda ctx, grad: grad * 2)},
    )  # fmt: skip
    x = torch.ones(2, requires_grad=True)
    return double.apply(x).sum(), {"x": x}


def freed(torch):
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    return loss, {"x": x}


def one_tensor_saved_twice_and_written(torch):
    w = torch.ones(3, requires_grad=True)
    loss = (w * w).sum()
    with torch.no_grad():
        w.mul_(2)
    return loss, {"w": w}


CASES = [nan_and_inf, empty, zero_dimensional, ten_million_elements, markup_in_a_name, hook_that_raises,
         function_without_a_name, freed, one_tensor_saved_twice_and_written]  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_every_renderer_takes_it(case, torch, tmp_path):
    loss, names = case(torch)
    trace = record(loss, names=names)
    drawing = Drawing(trace, len(trace.steps))
    scene = view_of(trace)
    assert len(json.dumps(scene, allow_nan=False)) < 40_000, "the message to the browser stays small"
    assert "<script>alert" not in drawing.to_html()
    assert str(drawing)
    assert sketch.png(scene, len(trace.steps))
    assert drawing.to_svg().startswith("<?xml")
    assert drawing.to_dot().startswith("digraph")
    assert "flowchart" in drawing.to_mermaid()
    again = Drawing.from_json(drawing.to_json())
    assert again.source.steps == trace.steps


def test_one_tensor_saved_twice_is_one_finding(torch):
    loss, names = one_tensor_saved_twice_and_written(torch)
    scene = view_of(record(loss, names=names))
    assert len(scene["findings"]) == 1
    mul = next(panel for panel in scene["panels"].values() if panel["op"] == "MulBackward0")
    assert len(mul["notes"]) == 1
    assert len(mul["saved"]) == 2


def test_bytes_count_once_and_agree(torch):
    w = torch.ones(3, requires_grad=True)
    scene = view_of(record((w * w).sum(), names={"w": w}))
    mul = next(panel for panel in scene["panels"].values() if panel["op"] == "MulBackward0")
    assert mul["bytes"] == scene["kept"] == "12 B"


def test_a_seed_that_is_no_scalar_is_told(torch):
    x = torch.ones(3, requires_grad=True)

    def opening(run):
        return "".join(text for text, _ in view_of(run)["film"]["steps"][0]["say"])

    run = record(x * 2, gradient=torch.tensor([1.0, 2.0, 3.0]), names={"x": x})
    assert opening(run).endswith("receives its seed: the gradient= you gave, [1, 2, 3].")
    assert opening(forecast(snapshot(x * 2))).endswith("needs a seed: pass gradient=, shape (3,).")
    assert opening(record(x.sum(0, keepdim=True), names={"x": x})).endswith("receives its seed, [1].")


def test_torch_is_not_said_to_tell_what_it_hides(torch):
    x = torch.ones(3, requires_grad=True)
    scene = view_of(record((x * x).sum(), names={"x": x}))
    mul = next(panel for panel in scene["panels"].values() if panel["op"] == "MulBackward0")
    assert {entry["saved"] for entry in mul["saved"]} == {"v0" if torch.__name__ == "autograd_lab" else "not told"}
