"""The view model: pure data, the same for every renderer, and honest about each step."""

import json

import numpy as np

from autograd_lab.inspector.film import state_at
from autograd_lab.inspector.view import view_of
from autograd_lab.inspector.words import spoken
from autograd_lab.introspect import record, snapshot


def trace_of(torch):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    loss = y.mean()
    return record(loss)


def named(scene, name):
    return next(card for card in scene["pictures"]["open"]["cards"] if card["name"] == name)


def test_it_is_json_without_nan(torch):
    x = torch.tensor([float("nan"), 1.0], requires_grad=True)
    loss = (x * x).sum()
    json.dumps(view_of(record(loss)), allow_nan=False)


def test_cards_say_name_op_shape_dtype(torch):
    scene = view_of(trace_of(torch))
    card = named(scene, "loss")
    assert (card["op"], card["shape"], card["dtype"], card["kind"]) == ("MeanBackward0", "()", "float32", "operation")
    assert named(scene, "x")["kind"] == "accumulator"
    assert scene["subtitle"] == "6 nodes, 6 edges"


def test_the_first_step_waits_and_names_the_loss(torch):
    film = view_of(trace_of(torch))["film"]
    assert film["steps"][0]["kind"] == "ready"
    assert spoken(film["steps"][0]["say"]) == (
        "Nothing has moved yet. Press → for the first step: tensor loss receives its seed, 1."
    )


def test_a_route_counts_arrivals_in_words_and_on_the_card(torch):
    scene = view_of(trace_of(torch))
    number, step = next(
        (i, s) for i, s in enumerate(scene["film"]["steps"]) if s["kind"] == "route" and "1 of 2" in spoken(s["say"])
    )
    assert "sent tensor x a gradient of shape (3,): 1 of 2 arrived. tensor x keeps it and waits" in spoken(step["say"])
    card = named(scene, "x")["id"]
    assert state_at(scene["film"], number - 1)["cards"].get(card) is None
    assert state_at(scene["film"], number)["cards"][card] == {"left": "1 of 2 arrived", "have": [1, 2]}
    assert state_at(scene["film"], number)["edges"][step["edge"]]["text"] == "[0.2925, 0.1801, −0.1387]"


def test_stepping_back_is_the_state_of_the_earlier_step(torch):
    film = view_of(trace_of(torch))["film"]
    states = [state_at(film, k) for k in range(len(film["steps"]))]
    assert states[0] == {"edges": {}, "cards": {}, "leaves": {}, "freed": {}}
    assert [len(state["edges"]) for state in states] == sorted(len(state["edges"]) for state in states)
    assert states[5] == state_at(film, 5)


def test_leaves_show_sum_and_grad(torch):
    scene = view_of(trace_of(torch))
    last = state_at(scene["film"], len(scene["film"]["steps"]) - 1)
    x = named(scene, "x")["id"]
    assert last["leaves"][x] == {
        "arrived": "2 of 2", "sum": "[0.6259, 0.8468, 0.8613]", "grad": "[0.6259, 0.8468, 0.8613]",
    }  # fmt: skip


def test_spans_cover_every_step_but_the_last(torch):
    film = view_of(trace_of(torch))["film"]
    covered = [k for span in film["spans"] for k in range(span["from"], span["to"] + 1)]
    assert covered == list(range(1, len(film["steps"]) - 1))
    assert film["steps"][-1]["kind"] == "finish"


def test_a_second_backward_says_what_grad_was(torch):
    x = torch.tensor(3.0, requires_grad=True)
    (x * 2).backward()
    film = view_of(record(x * 5))["film"]
    assert any("x.grad was 2; this backward added to it, and it is now 7." in _said(step) for step in film["steps"])


def test_a_stale_tensor_is_a_finding_a_footer_and_the_end_of_the_film(torch):
    a = torch.ones(3, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    c = a * b
    loss = c.sum()
    with torch.no_grad():
        a.mul_(2)
    still = view_of(snapshot(loss))
    assert still["findings"][0]["code"] == "stale"
    assert named(still, "c")["foot"] == {"left": "STALE", "right": "a saved v0, now v1", "tone": "error"} or (
        torch.__name__ == "torch" and "saved v0, now v1" in named(still, "c")["foot"]["right"]
    )
    film = view_of(record(loss))["film"]
    assert film["steps"][-1]["kind"] == "error"
    assert "as saved at version 0" in spoken(film["steps"][-1]["say"])
    assert [fields.get("stop") for group, _, fields in film["steps"][-1]["set"] if group == "edges"] == [True, True]


def test_the_first_nan_is_told_where_it_is_born(torch):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    film = view_of(record((x.sqrt() * torch.tensor([0.0, 1.0])).sum()))["film"]
    born = [step for step in film["steps"] if step.get("bad")]
    assert len(born) == 1
    assert "Here the first nan or inf was born at [0]." in _said(born[0])


def test_a_broadcast_input_is_told_why_its_gradient_is_summed(torch):
    a = torch.ones(3, 4, requires_grad=True)
    b = torch.ones(4, requires_grad=True)
    film = view_of(record((a * b).sum()))["film"]
    assert any(
        "summed from (3, 4) to (4,), because tensor b was broadcast" in spoken(step["say"]) for step in film["steps"]
    )


def test_ten_million_elements_are_a_small_message(torch):
    x = torch.ones(10_000_000, requires_grad=True)
    scene = view_of(record((x * 2).sum()))
    assert len(json.dumps(scene)) < 40_000
    assert np.asarray(x.grad).shape == (10_000_000,)


def test_a_shared_leaf_becomes_references(torch):
    w = torch.ones(2, 2, requires_grad=True)
    h = torch.ones(2, 2)
    for _ in range(20):
        h = (h @ w).tanh()
    picture = view_of(snapshot(h.sum()))["pictures"]["open"]
    assert {ref["name"] for ref in picture["references"]} == {"w"}
    card = next(card for card in picture["cards"] if card["name"] == "w")
    assert card["refs"] == sum(ref["count"] for ref in picture["references"])


def _said(step):
    return "".join(text for text, _ in step["say"])


def test_a_run_over_no_elements_can_be_shown(torch):
    json.dumps(view_of(record(torch.zeros(0, requires_grad=True).exp().sum())), allow_nan=False)
