"""The backward run: values, depth, memory, order, and what an error leaves behind."""

from __future__ import annotations

import copy
import gc
import threading

import pytest

import autograd_lab as torch
from autograd_lab.core import state


def leaf(*values: float) -> torch.Tensor:
    return torch.tensor(list(values), requires_grad=True)


def test_the_same_input_twice_gives_two_edges_to_one_leaf():
    x = leaf(1.0, 2.0)
    y = x * x
    (first, _), (second, _) = y.grad_fn.next_functions
    assert first is second
    assert first.variable is x
    y.backward(torch.tensor([1.0, 1.0]))
    assert x.grad.tolist() == [2.0, 4.0]


@pytest.mark.parametrize("exact", [False, True])
def test_a_chain_of_a_million_nodes_runs_and_is_freed(exact: bool):
    x = leaf(1.0)
    one = torch.tensor([1.0])
    y = x
    for _ in range(1_000_000):
        y = y * one
    if exact:
        y.register_hook(lambda grad: None)
    assert repr(y) == "tensor([1.], grad_fn=<MulBackward0>)"
    with pytest.raises(RuntimeError, match="deepcopy protocol"):
        copy.deepcopy(y)
    (grad,) = torch.autograd.grad(y, x, retain_graph=True)
    assert grad.tolist() == [1.0]
    y.backward()
    assert x.grad.tolist() == [1.0]
    assert copy.deepcopy(x).grad.tolist() == [1.0]
    del y


def test_thirty_doublings_visit_each_node_once():
    x = leaf(1.0)
    y = x
    for _ in range(30):
        y = y + y
    assert torch.autograd.grad(y, x, retain_graph=True)[0].tolist() == [2.0**30]
    assert repr(y) == "tensor([1.0737e+09], grad_fn=<AddBackward0>)"
    with pytest.raises(RuntimeError, match="Only Tensors created explicitly by the user"):
        copy.deepcopy(y)
    y.backward()
    assert x.grad.tolist() == [2.0**30]


def test_memory_stays_flat_without_the_cyclic_collector():
    x, w = leaf(1.0, 2.0), leaf(0.5, 0.5)

    def step() -> None:
        loss = ((x * w).exp() + x.sin() * w).sum()
        loss.backward()
        x.grad = w.grad = None

    step()
    gc.collect()
    gc.disable()
    try:
        step()
        before = len(gc.get_objects())
        for _ in range(100_000):
            step()
        assert len(gc.get_objects()) - before < 50
    finally:
        gc.enable()


def test_an_error_leaves_no_half_written_gradient():
    x, w = leaf(1.0, 2.0), leaf(3.0, 4.0)
    y = x * w
    z = y.exp() * w
    y.detach().mul_(2)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        (z.sum() + y.exp().sum() + y.mul(y).sum() + z.exp().sum() + w.sum() * 0 + stale(y)).backward()
    assert x.grad is None


def stale(y: torch.Tensor) -> torch.Tensor:
    product = y * y
    y.detach().mul_(2)
    return product.sum()


def test_a_second_backward_says_which_line_made_the_node():
    x = leaf(1.0, 2.0)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="a second time") as caught:
        y.backward()
    notes = "\n".join(caught.value.__notes__)
    assert "y = (x * x).sum()" in notes
    assert "Chapter 04" in notes
    assert x.grad.tolist() == [2.0, 4.0]


def test_ready_leaves_run_before_older_nodes():
    order = []
    x, w = leaf(1.0), leaf(2.0)
    y = x * 2
    z = y * w
    x.register_hook(lambda grad: order.append("x"))
    w.register_hook(lambda grad: order.append("w"))
    y.register_hook(lambda grad: order.append("y"))
    z.register_hook(lambda grad: order.append("z"))
    z.backward()
    assert order == ["z", "w", "y", "x"]


def test_two_threads_run_backward_at_once_each_in_its_own_mode():
    results: dict[int, list] = {}
    barrier = threading.Barrier(2)

    def work(k: int) -> None:
        x = leaf(1.0, 2.0)
        barrier.wait()
        for _ in range(200):
            if k:
                with torch.no_grad():
                    results.setdefault(k, []).append((x * 2).requires_grad)
            else:
                y = (x * 2).sum()
                y.backward()
                results.setdefault(k, []).append(y.requires_grad)

    threads = [threading.Thread(target=work, args=(k,)) for k in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {k: set(seen) for k, seen in results.items()} == {0: {True}, 1: {False}}
    assert state.mode.special == 0
    assert torch.is_grad_enabled()


def test_hooks_gone_bring_the_plain_path_back():
    gc.collect()
    before = state.mode.extras
    x = leaf(1.0)
    y = x * 2
    handle = y.register_hook(lambda grad: None)
    assert state.mode.extras == before + 1
    handle.remove()
    del y, handle
    gc.collect()
    assert state.mode.extras == before


def test_an_observer_that_fails_does_not_change_the_result():
    class Bad:
        def begin(self, roots, grads):
            raise ValueError("no")

    x = leaf(3.0)
    with state.observing(Bad()), pytest.warns(UserWarning, match="detached"):
        (x * x).backward()
    assert x.grad.tolist() == [6.0]
