"""Custom Functions: what a page of printed output cannot show: lifetimes, depth, memory, threads, attributes."""

from __future__ import annotations

import gc
import sys
import threading
import weakref

import autograd_lab as torch
from autograd_lab.autograd import Function
from autograd_lab.core import provenance, saved
from autograd_lab.core.state import observing


class Scale(Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x)
        ctx.k = k
        return x * k

    @staticmethod
    def backward(ctx, grad):
        assert len(ctx.saved_tensors) == 1
        return grad * ctx.k, None


class Exponential(Function):
    @staticmethod
    def forward(ctx, x):
        y = x.exp()
        ctx.save_for_backward(y)
        return y

    @staticmethod
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        return grad * y


def leaf() -> torch.Tensor:
    return torch.ones(2, requires_grad=True)


def test_the_ctx_is_the_node_everywhere():
    x = leaf()
    y = Scale.apply(x, 2.0)
    node = y.grad_fn
    assert (y * 2).grad_fn.next_functions[0][0] is node
    assert torch.autograd.graph.get_gradient_edge(y).node is node
    assert node.k == 2.0
    seen = []
    y.register_hook(lambda grad: seen.append(y.grad_fn is node))
    y.sum().backward()
    assert seen == [True]


def test_a_ctx_outlives_its_tensor():
    x = leaf()
    y = Scale.apply(x, 2.0)
    node, edges = y.grad_fn, y.grad_fn.next_functions
    del y
    gc.collect()
    assert node.next_functions == edges
    assert node.saved_tensors[0] is x


def test_the_user_may_call_an_attribute_as_the_engine_does():
    class Greedy(Function):
        @staticmethod
        def forward(ctx, x):
            ctx.edges = ctx.saved = ctx.outputs = ctx.seq = ctx.kind = ctx.frees = ctx.extra = ctx.custom = "mine"
            return x * 3

        @staticmethod
        def backward(ctx, grad):
            assert ctx.edges == ctx.outputs == ctx.custom == "mine"
            return grad * 3

    x = leaf()
    y = Greedy.apply(x)
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]
    assert y.grad_fn.saved == "mine"


def test_a_saved_output_makes_no_cycle():
    gc.collect()
    gc.disable()
    try:
        x = leaf()
        y = Exponential.apply(x)
        gone = weakref.ref(y.grad_fn)
        y.sum().backward()
        del y
        assert gone() is None
    finally:
        gc.enable()


def test_a_long_chain_of_custom_nodes_runs_and_is_freed():
    x = leaf()
    y = x
    for _ in range(20_000):
        y = Scale.apply(y, 1.0)
    y.sum().backward()
    assert x.grad.tolist() == [1.0, 1.0]
    del y


def test_threads_have_their_own_modes():
    found = {}

    def work(number: int) -> None:
        w = torch.full((2,), float(number), requires_grad=True)
        for _ in range(20):
            with torch.no_grad():
                assert not Scale.apply(w, 2.0).requires_grad
            (Scale.apply(w, 2.0) * w).sum().backward()
        found[number] = w.grad.tolist()

    threads = [threading.Thread(target=work, args=(number,)) for number in (1, 2, 3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [80.0 * number] * 2 for number in (1, 2, 3)}


def test_inspectors_can_ask_a_custom_node():
    x = leaf()
    y = Scale.apply(x, 2.0)
    (entry,) = saved.entries(y.grad_fn)
    assert entry.name == "saved_tensors[0]"
    assert entry.state == "fresh"
    assert provenance.where(y.grad_fn).text.startswith("y = Scale.apply")
    x.detach().add_(1)
    assert saved.entries(y.grad_fn)[0].state == "stale"


def test_an_observer_sees_the_ctx():
    class Observer:
        def __init__(self):
            self.entered = []

        def enter(self, node, grads):
            self.entered.append(node)

        def __getattr__(self, name):
            return lambda *args: None

    y = Scale.apply(leaf(), 2.0)
    observer = Observer()
    with observing(observer):
        y.sum().backward()
    assert y.grad_fn in observer.entered


def test_nested_runs_deeper_than_the_recursion_limit():
    class Deep(Function):
        @staticmethod
        def forward(ctx, x):
            with torch.enable_grad():
                ctx.x = x.detach().requires_grad_() - 1
            return ctx.x.detach()

        @staticmethod
        def backward(ctx, grad):
            if ctx.x < 0:
                return grad
            with torch.enable_grad():
                Deep.apply(ctx.x).sum().backward()
            return grad

    v = torch.tensor(300.0, requires_grad=True)
    Deep.apply(v).sum().backward()
    assert v.grad.item() == 1.0
    assert threading.active_count() < 10


def test_runs_of_several_threads_meet_at_a_leaf():
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    x = torch.ones(50, 50, requires_grad=True)

    def work() -> None:
        for _ in range(20):
            ((x + 3) * (x + 4) * 0.5).sum().backward()

    threads = [threading.Thread(target=work) for _ in range(6)]
    try:
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    finally:
        sys.setswitchinterval(before)
    assert bool((x.grad == 6 * 20 * 4.5).all())
