"""What a recorded backward says, and that recording changes nothing."""

import numpy as np
import pytest

from autograd_lab.introspect import NotATensor, UnknownKeyword, record


def test_the_steps_of_a_small_run(torch):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    loss = y.mean()
    trace = record(loss)
    kinds = [step.kind for step in trace.steps if step.kind != "release"]
    assert kinds[:4] == ["seed", "enter", "exit", "route"]
    assert kinds[-1] == "finish"
    assert kinds.count("route") == 6
    assert kinds.count("accumulate") == 2
    routes = [step for step in trace.steps if step.kind == "route" and step.expected == 2]
    assert [(step.arrived, step.expected) for step in routes] == [(1, 2), (2, 2)]
    last = next(step for step in trace.steps if step.kind == "accumulate" and step.expected == 0)
    assert last.before is None
    assert np.allclose(x.grad, [0.62585, 0.84677, 0.86128], atol=1e-4)
    assert np.allclose(w.grad, [0.5 / 3, 1 / 3, 2 / 3])


def test_the_sum_so_far_is_kept_at_a_node_that_waits(torch):
    x = torch.tensor(3.0, requires_grad=True)
    trace = record(x * x)
    routes = [step for step in trace.steps if step.kind == "route"]
    assert [step.total.text for step in routes] == ["3", "6"]


def test_accumulating_says_before_and_after(torch):
    x = torch.tensor(3.0, requires_grad=True)
    record(x * 2)
    trace = record(x * 5)
    step = next(step for step in trace.steps if step.kind == "accumulate")
    assert (step.before.text, step.after.text) == ("2", "7")


def test_the_snapshot_of_a_run_shows_the_graph_before_it(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    trace = record(x.exp().sum())
    entry = next(e for n in trace.snapshot.nodes if n.op == "ExpBackward0" for e in n.saved if e.is_tensor)
    assert entry.state == "fresh"


def test_gradient_retain_graph_and_inputs_are_passed_on(torch):
    x = torch.ones(2, requires_grad=True)
    w = torch.ones(2, requires_grad=True)
    y = x * w
    trace = record(y, gradient=torch.tensor([1.0, 3.0]), retain_graph=True, inputs=[x])
    assert trace.retained
    assert np.allclose(x.grad, [1, 3])
    assert w.grad is None
    record(y, gradient=torch.tensor([1.0, 3.0]))
    assert np.allclose(x.grad, [2, 6])


def test_an_error_is_the_last_step(torch):
    a = torch.ones(3, requires_grad=True)
    b = torch.ones(3, requires_grad=True)
    c = a * b
    loss = c.sum()
    with torch.no_grad():
        a.mul_(2)
    trace = record(loss)
    assert trace.steps[-1].kind == "error"
    assert trace.steps[-1].node == next(node.id for node in trace.snapshot.nodes if node.op == "MulBackward0")
    assert "modified by an inplace operation" in trace.steps[-1].message
    assert isinstance(trace.error, RuntimeError)
    assert a.grad is None


def test_a_used_graph_is_an_error_of_the_film(torch):
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    loss.backward()
    trace = record(loss)
    assert trace.steps[-1].kind == "error"
    assert "second time" in trace.steps[-1].message


def test_a_hook_that_raises_is_an_error_of_the_film(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 2

    def strict(grad):
        raise ValueError("too large")

    y.register_hook(strict)
    trace = record(y.sum())
    assert trace.steps[-1].kind == "error"
    assert trace.steps[-1].error == "ValueError"
    assert isinstance(trace.error, ValueError)


def test_hooks_run_once_and_change_the_gradient_as_ever(torch):
    calls = []
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    y.register_hook(lambda grad: calls.append(1) or grad * 10)
    record(y.sum())
    assert calls == [1]
    assert np.allclose(x.grad, [20, 20])


def test_what_backward_refuses_before_it_begins_comes_out(torch):
    x = torch.ones(3, requires_grad=True)
    with pytest.raises(RuntimeError, match="grad can be implicitly created only for scalar outputs"):
        record(x * 2)


def test_an_unknown_keyword_and_a_foreign_object(torch):
    x = torch.tensor(1.0, requires_grad=True)
    with pytest.raises(UnknownKeyword, match=r"does not know the keyword retain=; it takes gradient=, retain_graph="):
        record(x * 2, retain=True)
    with pytest.raises(NotATensor):
        record(5)


def test_nothing_is_left_behind(torch):
    x = torch.ones(2, requires_grad=True)
    loss = (x * x).sum()
    trace = record(loss, retain_graph=True)
    steps = len(trace.steps)
    loss.backward()
    assert len(trace.steps) == steps
    assert np.allclose(x.grad, [4, 4])


def test_two_runs_of_one_program_are_recorded_alike(torch):
    def run():
        x = torch.tensor([1.0, 2.0], requires_grad=True)
        loss = (x * x).sum()
        return record(loss)

    assert run().steps == run().steps


def test_the_lab_tells_when_buffers_are_let_go():
    import autograd_lab as torch

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    trace = record((x * x).sum())
    release = next(step for step in trace.steps if step.kind == "release")
    assert release.nbytes == 8, "x is one tensor, though self and other both are it"
    kept = record((x * x).sum(), retain_graph=True)
    assert "release" not in [step.kind for step in kept.steps]
