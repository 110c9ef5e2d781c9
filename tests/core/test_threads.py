"""Threads at once: each has its own modes, and what they add to a shared leaf is neither lost nor counted twice."""

import threading

import pytest

import autograd_lab as torch

THREADS, ROUNDS = 4, 150


def run_in_threads(work):
    """Run `work(number)` in several threads that start together; raise what one of them raised."""
    start, errors = threading.Barrier(THREADS), []

    def body(number):
        start.wait()
        try:
            work(number)
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=body, args=(number,)) for number in range(THREADS)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    if errors:
        raise errors[0]


def test_each_thread_computes_and_goes_backward_alone():
    def work(number):
        for step in range(ROUNDS):
            x = torch.full((3,), float(number + 1), requires_grad=True)
            y = (x * x + x.neg().neg() * step).view(-1)[1:]
            y.sum().backward()
            assert x.grad.tolist() == torch.tensor([0.0] + [2.0 * (number + 1) + step] * 2).tolist()
            assert y._version == 0

    run_in_threads(work)


def test_modes_belong_to_a_thread():
    def work(number):
        x = torch.ones(2, requires_grad=True)
        for _ in range(ROUNDS):
            if number % 2:
                with torch.no_grad():
                    assert not (x * 2).requires_grad
                    with torch.enable_grad():
                        assert (x * 2).requires_grad
                    assert not torch.is_grad_enabled()
            elif number:
                with torch.inference_mode():
                    assert (x * 2).is_inference()
            packed = []
            with torch.autograd.graph.saved_tensors_hooks(lambda t, kept=packed: kept.append(t) or t, lambda t: t):
                y = x * x
            assert len(packed) == 2
            assert (x * 2).requires_grad
            assert not (x * 2).is_inference()
            y.sum().backward()
        assert x.grad.tolist() == [2.0 * ROUNDS] * 2

    run_in_threads(work)
    assert torch.is_grad_enabled()


def test_a_shared_leaf_gets_every_gradient():
    leaf = torch.zeros(3, requires_grad=True)
    seen = []
    leaf.register_hook(lambda grad: seen.append(grad.sum().item()))

    def work(number):
        for _ in range(ROUNDS):
            (leaf * (number + 1)).sum().backward()

    run_in_threads(work)
    assert leaf.grad.tolist() == [float(ROUNDS * sum(range(1, THREADS + 1)))] * 3
    assert len(seen) == ROUNDS * THREADS


def test_writes_in_one_thread_are_found_in_another():
    def work(number):
        for _ in range(ROUNDS):
            base = torch.ones(4, requires_grad=True).clone()
            view, result = base[1:], base * base
            view.mul_(2)
            assert base._version == view._version == 1
            assert type(base.grad_fn).__name__ == "CopySlices"
            with pytest.raises(RuntimeError, match="is at version 1; expected version 0"):
                result.sum().backward()

    run_in_threads(work)


def test_one_graph_in_many_threads():
    x = torch.ones(3, requires_grad=True)
    y = (x * x).sum()
    grads = [None] * THREADS

    def work(number):
        for _ in range(ROUNDS):
            (grads[number],) = torch.autograd.grad(y, x, retain_graph=True)

    run_in_threads(work)
    assert [grad.tolist() for grad in grads] == [[2.0, 2.0, 2.0]] * THREADS
