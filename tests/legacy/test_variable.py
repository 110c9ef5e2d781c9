"""The Variable: what it holds, how volatile spreads, what it refuses."""

import copy

import pytest

import autograd_lab as torch
from autograd_lab import legacy
from autograd_lab.legacy import Variable


def ones(*shape, **flags):
    return Variable(torch.ones(*shape), **flags)


def test_the_second_document_before_0_4():
    a = ones(3, 4, requires_grad=True)
    b = Variable(torch.zeros(3, 4))
    c = a + b
    d = c.sum()
    d.backward()
    assert repr(a.grad) == ("Variable containing:\n 1  1  1  1\n 1  1  1  1\n 1  1  1  1\n"
                            "[torch.FloatTensor of size 3x4]\n")  # fmt: skip
    assert (a.requires_grad, b.requires_grad, c.requires_grad) == (True, False, True)
    assert (a.is_leaf, b.is_leaf, c.is_leaf) == (True, True, False)
    assert a.grad_fn is None
    assert type(c.grad_fn).__name__ == "AddBackward0"


def test_data_is_the_tensor_and_grad_a_variable():
    tensor = torch.ones(2)
    x = Variable(tensor, requires_grad=True)
    assert x.data is tensor
    (x * x).backward(torch.ones(2))
    assert isinstance(x.grad, Variable)
    assert isinstance(x.grad.data, torch.Tensor)
    assert x.grad is x.grad
    assert x.grad.volatile
    x.data.mul_(3)
    assert x._tensor.tolist() == [3.0, 3.0]


def test_creator_is_the_name_of_0_1():
    y = ones(2, requires_grad=True) * 2
    assert y.creator is y.grad_fn


def test_a_sum_has_one_dimension():
    loss = ones(2).sum()
    assert loss.size() == (1,)
    assert loss.dim() == 1
    assert float(loss.data[0]) == 2.0
    assert repr(loss) == "Variable containing:\n 2\n[torch.FloatTensor of size 1]\n"
    assert loss[0].data.tolist() == [2.0]


def test_both_flags_are_refused():
    with pytest.raises(RuntimeError, match=r"^Variable can't be volatile and require_grad at the same time!$"):
        ones(2, requires_grad=True, volatile=True)


def test_volatile_spreads():
    v, w = ones(2, volatile=True), ones(2, requires_grad=True)
    for result in (v * w, w + v, (v + 1).exp(), legacy.cat([w, v]), v[0] * w, v.view(2, 1), legacy.mul(w, v)):
        assert result.volatile
        assert not result.requires_grad
        assert result.grad_fn is None


def test_backward_refuses_volatile():
    y = (ones(2, volatile=True) * ones(2, requires_grad=True)).sum()
    with pytest.raises(RuntimeError, match=r"^element 0 of variables tuple is volatile\n"):
        y.backward()
    with pytest.raises(RuntimeError, match=r"^element 1 of variables tuple is volatile\n"):
        legacy.backward([ones(1, requires_grad=True) * 2, y])
    with pytest.raises(RuntimeError, match=r"^element 0 of variables tuple is volatile\n"):
        legacy.grad(y, ones(2, requires_grad=True))


def test_a_volatile_operand_makes_the_written_variable_volatile():
    x = ones(2, requires_grad=True) * 2
    same = x.add_(ones(2, volatile=True))
    assert same is x
    assert x.volatile
    assert not x.requires_grad


def test_flags_belong_to_leaves():
    x = ones(2, requires_grad=True)
    y = x * 2
    with pytest.raises(RuntimeError, match=r"^you can only change requires_grad flags of leaf variables. If you want"):
        y.requires_grad = False
    with pytest.raises(RuntimeError, match=r"^you can only change requires_grad flags of leaf variables.$"):
        y.requires_grad = True
    with pytest.raises(RuntimeError, match=r"^volatile can only be set on leaf variables$"):
        y.volatile = True
    z = ones(2)
    z.volatile = True
    assert (z * x).volatile
    assert not y.detach().requires_grad


def test_hooks_get_variables():
    x = ones(2, requires_grad=True)
    seen = []
    handle = x.register_hook(lambda grad: seen.append(grad) or grad * 2)
    (x * 3).backward(torch.ones(2))
    assert isinstance(seen[0], Variable)
    assert x.grad.data.tolist() == [6.0, 6.0]
    handle.remove()
    with pytest.raises(RuntimeError, match=r"^cannot register a hook on a volatile variable$"):
        ones(2, volatile=True).register_hook(print)


def test_tensors_and_variables_do_not_mix():
    with pytest.raises(TypeError, match=r"add received an invalid combination of arguments"):
        ones(2) + torch.ones(2)
    with pytest.raises(TypeError, match=r"^Variable data has to be a tensor, but got Variable$"):
        Variable(ones(2))


@pytest.mark.parametrize("function", ["exp", "sum", "mm", "t", "relu"])
def test_functions_of_today_refuse_a_variable(function):
    x = ones(2, 2, requires_grad=True)
    arguments = (x, x) if function == "mm" else (x,)
    with pytest.raises(TypeError, match=r"must be Tensor, not Variable") as caught:
        getattr(torch, function)(*arguments)
    assert f"autograd_lab.legacy.{function}." in caught.value.__notes__[0]
    assert isinstance(getattr(legacy, function)(*arguments), Variable)


@pytest.mark.parametrize("name", ["item", "numpy", "requires_grad_", "tolist"])
def test_what_came_with_0_4_is_missing(name):
    with pytest.raises(AttributeError, match=rf"^'Variable' object has no attribute '{name}'\n"):
        getattr(ones(2), name)


def test_truth_is_ambiguous():
    with pytest.raises(RuntimeError, match=r"non-empty torch.FloatTensor is ambiguous$"):
        bool(ones(1))
    assert not Variable(torch.ones(0))


def test_operators_and_methods():
    x = Variable(torch.tensor([[1.0, 2.0], [3.0, 4.0]]), requires_grad=True)
    y = (2 * x - 1 + x / 2) ** 2
    z = (1 - y).matmul(x).t()[0].sum() + sum(row.sum() for row in x)
    z.backward()
    t = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
    s = (1 - (2 * t - 1 + t / 2) ** 2).matmul(t).t()[0].sum() + t.sum()
    s.backward()
    assert x.grad.data.tolist() == t.grad.tolist()
    x = x.detach()
    x[0] = 7
    assert x.data[0].tolist() == [7.0, 7.0]


def test_deepcopy_of_leaves_only():
    x = ones(2, requires_grad=True)
    assert copy.deepcopy(x).requires_grad
    with pytest.raises(RuntimeError, match=r"^Only Variables created explicitly by the user"):
        copy.deepcopy(x * 2)


def test_names_that_nothing_has():
    with pytest.raises(AttributeError):
        legacy.no_such_function  # noqa: B018
    with pytest.raises(AttributeError):
        ones(2).no_such_method  # noqa: B018
