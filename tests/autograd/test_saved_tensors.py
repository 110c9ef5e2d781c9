"""Saved tensors seen from outside: raw handles, hooks on lists, checkpoints, anomaly mode, the names of torch._C."""

import gc
import io
import sys
import warnings
import weakref

import pytest

import autograd_lab as torch
from autograd_lab.utils import checkpoint as ck


def leaf(*values):
    return torch.tensor(values or (1.0, 2.0), requires_grad=True)


def test_raw_saved_tensors_tell_their_data_and_hook():
    def unpack(tensor):
        return tensor

    a = leaf()
    with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, unpack):
        b = a**2
    saved = b.grad_fn._raw_saved_self
    assert saved.data is a
    assert saved.unpack_hook is unpack
    assert b.exp().grad_fn._raw_saved_result.unpack_hook is None
    with pytest.raises(RuntimeError, match="from Python is forbidden"):
        torch.autograd.SavedTensor()
    with pytest.raises(TypeError, match="incompatible function arguments"):
        saved.register_hooks(unpack)


def test_each_tensor_of_a_saved_list_takes_hooks():
    a = torch.ones(2, 2, requires_grad=True)
    y = a[:, torch.tensor([0, 0])]
    nothing, indices = y.grad_fn._raw_saved_indices
    with pytest.raises(RuntimeError, match="None is forbidden"):
        nothing.register_hooks(lambda t: t, lambda t: t)
    indices.register_hooks(lambda t: t + 1, lambda t: t)
    assert y.grad_fn._saved_indices[1].tolist() == [1, 1]
    y.sum().backward()
    assert a.grad.tolist() == [[0, 2], [0, 2]]


def test_identity_hooks_give_back_a_tensor_outside_the_graph_itself():
    a, c = leaf(), torch.ones(2)
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        y = a * c
    assert y.grad_fn._saved_other is c


def test_a_checkpoint_computes_again_once_for_each_run_and_refuses_to_unpack_twice():
    count = []

    def part(x):
        count.append(1)
        return x.sin().cos()

    x = leaf()
    y = ck.checkpoint(part, x, use_reentrant=False)
    for _ in range(2):
        _ = y.grad_fn._saved_self
    assert len(count) == 3
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert len(count) == 5

    class Twice(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.save_for_backward(x)
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            assert len(ctx.saved_tensors) == 1
            return ctx.saved_tensors[0]

    with pytest.raises(ck.CheckpointError, match="already unpacked once"):
        ck.checkpoint(Twice.apply, x, use_reentrant=False).sum().backward()


def test_a_group_of_runs_shares_what_a_checkpoint_computes_again():
    count = []

    def part(x):
        count.append(1)
        y = x.sin().cos()
        return y, y.sin().cos()

    x = leaf()
    y, z = ck.checkpoint(part, x, use_reentrant=False)
    with ck.GraphExecGroup():
        (grad,) = torch.autograd.grad(z, y, torch.ones(2))
        torch.autograd.grad(y, x, grad)
    assert len(count) == 2


def test_without_early_stop_a_checkpoint_that_saves_more_is_refused():
    calls = []

    def part(x):
        calls.append(1)
        return x.sin() if len(calls) == 1 else x.sin().exp()

    with ck.set_checkpoint_early_stop(False), pytest.raises(ck.CheckpointError, match="save more tensors"):
        ck.checkpoint(part, leaf(), use_reentrant=False).sum().backward()


def test_a_reentrant_checkpoint_refuses_grad():
    x = leaf()
    y = ck.checkpoint(torch.exp, x, use_reentrant=True).sum()
    with pytest.raises(RuntimeError, match=r"incompatible with \.grad\(\)"):
        torch.autograd.grad(y, x)
    ck.checkpoint(torch.exp, x, use_reentrant=True).sum().backward()


def test_anomaly_mode_hints_at_the_trace_and_prints_it_where_warnings_are_errors(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with torch.autograd.detect_anomaly():
            warnings.simplefilter("error")
            a = leaf() + 1
            b = a**2
            a += 1
            with pytest.raises(RuntimeError, match="backtrace further above"):
                b.sum().backward()
    assert "Error detected in PowBackward0" in stream.getvalue()


def test_pure_view_functions_may_be_written():
    class Part(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x, pure):
            ctx._is_pure_view = pure
            return x.narrow(0, 0, 1)

        @staticmethod
        def backward(ctx, grad):
            raise AssertionError("the write gave the view another history")

    x = leaf()
    view = Part.apply(x.clone(), True)
    view += 3
    view.sum().backward()
    assert x.grad.tolist() == [1, 0]
    view = Part.apply(x.clone(), False)
    with pytest.raises(RuntimeError, match="created inside a custom Function"):
        view += 3


def test_mark_dirty_refuses_a_view_that_was_no_input():
    class Wrong(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            made = x.clone().view_as(x)
            ctx.mark_dirty(made)
            return made

        @staticmethod
        def backward(ctx, grad):
            return grad

    with pytest.raises(RuntimeError, match="received a tensor that was not an input"):
        Wrong.apply(leaf().clone())


def test_once_differentiable_puts_all_results_behind_one_node():
    class Sum(torch.autograd.Function):
        @staticmethod
        def forward(ctx, a, number, b):
            return a + b

        @staticmethod
        @torch.autograd.function.once_differentiable
        def backward(ctx, grad):
            return grad * 2, None, grad * 3

    a, b = leaf(), leaf()
    y = Sum.apply(a, 1, b).sum() * torch.ones((), requires_grad=True)
    first = torch.autograd.grad(y, (a, b), create_graph=True)
    error = first[0].grad_fn
    assert type(error).__name__ == "Error"
    assert first[1].grad_fn is error
    assert [node is None for node, _ in error.next_functions] == [False, True, False]


def test_names_of_the_engine():
    numbers, names = [], []
    x = leaf()
    y = x.exp()
    y.register_hook(lambda grad: numbers.append(torch._C._current_graph_task_id()))
    y.register_hook(lambda grad: names.append(torch._C._current_autograd_node().name()))
    y.sum().backward(retain_graph=True)
    y.sum().backward()
    assert numbers[1] == numbers[0] + 1
    assert names == ["ExpBackward0"] * 2
    assert torch._C._current_graph_task_id() == -1
    assert type(x.clone().grad_fn.next_functions[0][0]) is torch._C._functions.AccumulateGrad
    with pytest.raises(RuntimeError, match="Boom"):
        torch._C._functions.DelayedError("Boom", 1)(x).sum().backward()


def test_attributes_refuse_deletion_in_torchs_words():
    x = leaf()
    for name in ("data", "requires_grad", "_grad_fn", "_backward_hooks"):
        with pytest.raises(RuntimeError):
            delattr(x, name)
    del x.grad
    assert x.grad is None


def test_gradcheck_has_nothing_to_weigh_without_outputs():
    assert torch.autograd.gradcheck(lambda x: (), (torch.ones(1, dtype=torch.float64, requires_grad=True),))


def test_a_checkpoint_that_stops_early_keeps_no_output_of_a_function_alive():
    made = []

    class Copy(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            y = x.clone()
            ctx.save_for_backward(y)
            made.append(weakref.ref(y))
            return y

        @staticmethod
        def backward(ctx, grad):
            return grad if ctx.saved_tensors else None

    gc.collect()
    gc.disable()
    try:
        ck.checkpoint(Copy.apply, leaf(), use_reentrant=False).sum().backward()
        assert [ref() for ref in made] == [None, None]
    finally:
        gc.enable()
