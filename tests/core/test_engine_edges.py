"""Edges of the engine: who owns a gradient's memory, what root gradients become, what hooks and runs may change."""

import copy
import gc
import io
import pickle
import weakref

import pytest

import autograd_lab as torch
from tests.support import require_torch


class Both(torch.autograd.Function):
    """Send one gradient to two inputs."""

    @staticmethod
    def forward(ctx, a, b):
        return a + b

    @staticmethod
    def backward(ctx, grad):
        return grad, grad


def leaf(*values):
    return torch.tensor(values or (1.0, 1.0), requires_grad=True)


@pytest.mark.parametrize("hooked", [False, True])
@pytest.mark.parametrize("add", [Both.apply, lambda a, b: a + b])
def test_two_leaves_never_share_the_memory_of_their_gradients(add, hooked):
    a, b, weights = leaf(), leaf(), torch.ones(2)
    if hooked:
        a.register_hook(lambda grad: None)
    add(a, b).backward(weights)
    a.grad.mul_(5)
    assert b.grad.tolist() == weights.tolist() == [1, 1]
    a.grad = b.grad = None
    (add(a, b) * 2).sum().backward()
    a.grad.mul_(5)
    assert b.grad.tolist() == [2, 2]


def test_a_gradient_lies_in_memory_as_its_leaf_does():
    w = torch.ones(2, 3).t().requires_grad_()
    (w * 2).sum().backward()
    assert w.grad.stride() == w.stride() == (1, 3)
    x = torch.ones(2, 3, requires_grad=True)
    x.t().exp().sum().backward()
    assert x.grad.stride() == (3, 1)


def test_root_gradients_are_cast_to_the_dtype_of_the_output():
    a = torch.ones(2, dtype=torch.float64, requires_grad=True)
    (found,) = torch.autograd.grad(a * 1, a, torch.ones(2, dtype=torch.int64))
    assert found.dtype is torch.float64
    (rows,) = torch.autograd.grad(a * 1, a, torch.arange(6).reshape(3, 2), is_grads_batched=True)
    assert rows.dtype is torch.float64
    assert rows.tolist() == [[0, 1], [2, 3], [4, 5]]


def test_an_edge_knows_the_shape_of_its_output():
    x = leaf(1.0, 2.0)
    for make in (lambda: x.sin(), lambda: Both.apply(x, x)):
        edge = torch.autograd.graph.get_gradient_edge(make())
        with pytest.raises(RuntimeError, match="only for scalar outputs"):
            torch.autograd.grad(edge, (x,))
        with pytest.raises(RuntimeError, match="Mismatch in shape"):
            torch.autograd.backward(edge, torch.ones(3))
    one = Both.apply(torch.ones(1, requires_grad=True), 0 * x[:1])
    edge = torch.autograd.graph.get_gradient_edge(one)
    del one
    torch.autograd.backward(edge)
    metadata = (x * x).grad_fn._input_metadata[0]
    assert (metadata.shape, metadata.dtype) == ([2], torch.float32)


def test_materialized_zeros_of_a_recorded_run_require_grad():
    x = torch.tensor(0.5, requires_grad=True)
    first = torch.autograd.grad(x * 2, x, create_graph=True)
    second = torch.autograd.grad(first[0] * leaf(1.0).sum(), x, create_graph=True, materialize_grads=True)
    assert second[0].requires_grad
    assert torch.autograd.grad(second, x, materialize_grads=True)[0].item() == 0


def test_hooks_of_nodes_must_return_tuples():
    for register in ("register_prehook", "register_hook"):
        y = leaf() * 2
        getattr(y.grad_fn, register)(lambda *grads: grads[0][0])
        with pytest.raises(TypeError, match="expected tuple, but hook returned 'Tensor'"):
            y.sum().backward()


def test_what_a_hook_switches_ends_with_the_hook():
    seen = []
    x = leaf()
    y = x.clone()
    y.register_hook(lambda grad: torch.set_grad_enabled(True) and None)
    x.register_hook(lambda grad: seen.append(torch.is_grad_enabled()))
    y.sum().backward()
    assert seen == [False]


def test_saved_tensor_hooks_entered_during_backward_are_left_with_it():
    inner = torch.autograd.graph.saved_tensors_hooks(lambda t: t, lambda t: t)
    calls = []

    def unpack(tensor):
        inner.__enter__()
        return tensor

    with torch.autograd.graph.saved_tensors_hooks(lambda t: t, unpack):
        leaf().sin().sum().backward()
    with torch.autograd.graph.saved_tensors_hooks(lambda t: calls.append(1) or t, lambda t: t):
        leaf().sin()
    leaf().exp().grad_fn._raw_saved_result.register_hooks(lambda t: t, lambda t: t)
    assert calls == [1]


def test_views_made_before_their_base_required_grad_require_it_too():
    a = torch.ones(2)
    b = a[:]
    a.requires_grad_()
    assert b.requires_grad
    with pytest.raises(RuntimeError, match="a view of a leaf Variable that requires grad"):
        b.add_(1)
    (b * 3).sum().backward()
    assert a.grad is None
    assert b.grad is None
    a.requires_grad_(False)
    assert not b.requires_grad


def test_grad_dtype_decides_what_a_gradient_is_cast_to():
    class Doubled(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            return x * 2

        @staticmethod
        def backward(ctx, grad):
            return grad.to(torch.float64)

    for wanted, found in ((None, torch.float64), (torch.float16, torch.float16), (torch.float32, torch.float32)):
        x = leaf()
        x.grad_dtype = wanted
        Doubled.apply(x).sum().backward()
        assert x.grad.dtype is found


@pytest.mark.filterwarnings("ignore:Using backward")
def test_recorded_gradients_show_torchs_graph():
    x = leaf()
    torch.set_warn_always(True)     # the warning counts as given only where it is given once
    try:
        (x * x).sum().backward(create_graph=True)
    finally:
        torch.set_warn_always(False)
    assert next(node for node, _ in x.grad.grad_fn.next_functions) is None
    assert len(x.grad.grad_fn.next_functions) == 2
    x.grad = None


def test_a_written_view_that_its_function_saves_keeps_nothing_alive():
    class Saves(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.mark_dirty(x)
            ctx.save_for_backward(x)
            return x

        @staticmethod
        def backward(ctx, grad):
            return grad

    def scope():
        x = torch.tensor(1.0, requires_grad=True).clone()
        view = x.view_as(x)
        Saves.apply(view)
        return weakref.ref(view)

    gc.collect()
    gc.disable()
    try:
        assert scope()() is None
    finally:
        gc.enable()


def test_operations_on_inference_tensors_alone_are_not_recorded():
    with torch.inference_mode():
        c = torch.ones(2, requires_grad=True)
        d = torch.ones(2)
    assert c.requires_grad
    for made in (c * c, c * d, c.sum(), c.exp(), torch.cat([c, d])):
        assert not made.requires_grad
        assert not torch.is_inference(made)
    for view in (c[0], c.view(-1), c.unbind()[0]):
        assert torch.is_inference(view)
        assert not view.requires_grad
    for made in (c + 1, 2 * c, c.clone(), c + torch.ones(2), c[torch.tensor([0])]):
        assert made.requires_grad
    (c + 1).sum().backward()
    assert c.grad.tolist() == [1, 1]
    with pytest.raises(RuntimeError, match="Inplace update to inference tensor"):
        c.unsqueeze_(0)


def test_a_deep_copy_shares_memory_where_the_original_did():
    a = torch.arange(6.0).reshape(2, 3)
    copied, row, turned = copy.deepcopy([a, a[1], a.t()])
    copied.mul_(0)
    assert row.tolist() == [0, 0, 0]
    assert turned.stride() == (1, 3)
    assert row.storage_offset() == 3
    assert a.sum().item() == 15


def test_as_strided_in_place_goes_into_the_history():
    x = torch.ones(4, requires_grad=True)
    y = x * 1
    y.as_strided_((2, 2), (1, 1))
    (y * torch.arange(4.0).reshape(2, 2)).sum().backward()
    assert x.grad.tolist() == [0, 3, 3, 0]


def test_a_computed_tensor_is_pickled_and_saved_as_a_leaf():
    y = leaf() * 2
    file = io.BytesIO()
    torch.save(y, file)
    file.seek(0)
    for made in (pickle.loads(pickle.dumps(y)), torch.load(file)):
        assert made.is_leaf
        assert made.requires_grad
        assert made.tolist() == [2, 2]


def test_a_gradient_of_another_shape_than_the_leaf_had():
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (x * 2).sum().backward()
    x.data = torch.zeros(3)
    with pytest.raises(RuntimeError, match=r"^The size of tensor a \(2\) must match the size of tensor b \(3\) at non"):
        (x * 2).sum().backward()


@pytest.mark.parametrize("wrong", [5, None, "a"])
def test_inputs_that_are_no_tensors_are_named_and_nothing_is_written(wrong):
    a = leaf()
    words = f"all inputs have to be Tensors or GradientEdges, but got {type(wrong).__name__}"
    with pytest.raises(RuntimeError, match=words):
        (a * 2).sum().backward(inputs=[a, wrong])
    with pytest.raises(RuntimeError, match=words):
        torch.autograd.grad((a * 2).sum(), [a, wrong])
    assert a.grad is None


@pytest.mark.parametrize(("dtype", "name"), [(torch.int64, "int64_t"), (torch.int32, "int"), (torch.uint8, "uint8_t")])
@pytest.mark.parametrize("value", [float("nan"), float("inf")])
def test_integers_hold_no_nan_and_no_infinity(dtype, name, value):
    ones = torch.ones(2, dtype=dtype)
    for write in (ones.fill_, lambda value: ones.__setitem__(0, value), lambda v: torch.full((2,), v, dtype=dtype)):
        with pytest.raises(RuntimeError, match=f"value cannot be converted to type {name} without overflow"):
            write(value)
    assert ones.tolist() == [1, 1]
    assert ones._version == 0


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda x: torch.cumsum(x, "a"), TypeError, "argument 'dim' .position 2. must be int, not str"),
        (lambda x: torch.numel(5), TypeError, "argument 'input' .position 1. must be Tensor, not int"),
        (lambda x: torch.nn.functional.linear("a", x), TypeError, "argument 'input' .position 1. must be Tensor, not"),
        (lambda x: x.resize_(-1), RuntimeError, "negative dimension -1"),
        (lambda x: torch.zeros(2**63), TypeError, "Overflow when unpacking long long"),
    ],
)
def test_an_odd_argument_gets_a_sentence(call, error, words):
    x = torch.ones(2)
    with pytest.raises(error, match=words):
        call(x)
    assert x.tolist() == [1, 1]


def test_a_tensor_of_real_torch_is_told_apart():
    real = require_torch().ones(2)
    x = torch.ones(2, requires_grad=True)
    for call in (
        lambda: torch.zeros_like(real), lambda: torch.nn.Linear(2, 2)(real), lambda: (x * 2).backward(real),
        lambda: torch.autograd.grad(x.sum(), real), lambda: torch.autograd.backward(real), lambda: torch.numel(real),
        lambda: torch.tensor([real, real]), lambda: torch.nn.functional.mse_loss(x, real),
        lambda: torch.nn.functional.cross_entropy(x, real), lambda: x.detach().copy_(real),
        lambda: x.detach().__setitem__(0, real),
    ):  # fmt: skip
        with pytest.raises(TypeError, match=r"expected a tensor of autograd_lab, got torch\.Tensor") as caught:
            call()
        assert any("import line" in note for note in caught.value.__notes__)
    assert x.grad is None
