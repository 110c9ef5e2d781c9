"""Hooks in the film: one that changes a gradient has a step of its own, one that raises is named, none notices."""

import pytest

from autograd_lab.inspector.text import trace_text
from autograd_lab.introspect import record


def parts(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    w = torch.tensor([3.0, 4.0], requires_grad=True)
    h = x * w
    return x, w, h


def test_a_changed_gradient_is_a_step(torch):
    x, w, h = parts(torch)

    def double(grad):
        return grad * 2

    h.register_hook(double)
    w.register_hook(lambda grad: None)
    trace = record(h.sum(), names={"x": x, "w": w, "h": h})
    (step,) = [step for step in trace.steps if step.kind == "hook"]
    assert (step.hook, step.before.text, step.after.text) == ("double", "all 1", "all 2")
    assert "Hook double on h changed the gradient from all 1 to all 2." in trace_text(trace)
    following = trace.steps[trace.steps.index(step) + 1]
    assert (following.kind, following.node, following.values[0].text) == ("enter", step.node, "all 2")
    assert list(h._backward_hooks.values()) == [double], "the hook itself is back"


def test_a_hook_on_a_leaf_comes_before_it_accumulates(torch):
    x, w, h = parts(torch)
    w.register_hook(lambda grad: grad.clamp(max=1))
    trace = record(h.sum(), names={"x": x, "w": w, "h": h})
    leaf = next(node.id for node in trace.snapshot.nodes if "w" in node.names)
    kinds = [step.kind for step in trace.steps if step.node == leaf]
    assert kinds[-2:] == ["hook", "accumulate"]
    assert w.grad.tolist() == [1, 1]


def test_a_hook_that_writes_into_the_gradient_is_seen(torch):
    _, _, h = parts(torch)

    def triple(grad):
        grad.mul_(3)

    h.register_hook(triple)
    assert [step.kind for step in record((h * 2).sum()).steps].count("hook") == 1


def test_a_hook_that_raises_is_named(torch):
    x, w, h = parts(torch)

    def fails(grad):
        raise ValueError("no")

    h.register_hook(fails)
    trace = record(h.sum(), names={"x": x, "w": w, "h": h})
    assert trace.steps[-1].kind == "error"
    assert "Hook fails on h raised ValueError: no" in trace_text(trace)
    assert list(h._backward_hooks.values()) == [fails]


def test_a_hook_that_removes_itself_stays_removed(torch):
    _, _, h = parts(torch)

    def once(grad):
        handle.remove()

    handle = h.register_hook(once)
    record(h.sum())
    assert not h._backward_hooks


@pytest.mark.parametrize("torch", ["autograd_lab"], indirect=True)
def test_hooks_on_nodes_and_behind_the_leaf(torch):
    x, w, h = parts(torch)
    h.grad_fn.register_prehook(lambda grads: (grads[0] * 2,))
    h.grad_fn.register_hook(lambda inputs, outputs: (inputs[0] * 10, inputs[1]))

    def clear(leaf):
        leaf.grad = None

    w.register_post_accumulate_grad_hook(clear)
    trace = record(h.sum(), names={"x": x, "w": w, "h": h})
    found = [(step.before.text, step.after and step.after.text) for step in trace.steps if step.kind == "hook"]
    assert found == [("all 1", "all 2"), ("[6, 8]", "[60, 80]"), ("[2, 4]", None)]
    assert x.grad.tolist() == [60, 80]
    assert w.grad is None


def test_an_object_without_a_name_is_a_hook_too(torch):
    class Halve:
        def __call__(self, grad):
            return grad / 2

    _, _, h = parts(torch)
    h.register_hook(Halve())
    (step,) = [step for step in record(h.sum()).steps if step.kind == "hook"]
    assert step.hook == "Halve"
