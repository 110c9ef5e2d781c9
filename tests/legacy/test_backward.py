"""backward and grad with the arguments of their day."""

import warnings

import pytest

import autograd_lab as torch
from autograd_lab.legacy import Variable, backward, grad


def leaf(*values):
    return Variable(torch.tensor(values), requires_grad=True)


def test_grad_variables_by_either_name_and_as_a_sequence():
    x = leaf(1.0, 2.0)
    (x * 2).backward(torch.ones(2))
    (x * 2).backward(grad_variables=Variable(torch.ones(2), volatile=True))
    (x * 2).backward([1.0, 1.0])
    (x * 2).backward(grad_variables=[torch.ones(2)])
    assert x.grad.data.tolist() == [8.0, 8.0]
    with pytest.raises(ValueError, match=r"only one of gradient and grad_variables"):
        (x * 2).backward(torch.ones(2), grad_variables=torch.ones(2))


def test_several_roots():
    x = leaf(1.0, 2.0)
    backward([x * 2, x * x], [torch.ones(2), torch.ones(2)])
    assert x.grad.data.tolist() == [4.0, 6.0]


def test_gradients_of_many_elements_are_asked_for():
    with pytest.raises(RuntimeError, match=r"^grad can be implicitly created only for scalar outputs$"):
        (leaf(1.0, 2.0) * 2).backward()
    with pytest.raises(RuntimeError, match=r"^element 0 of variables tuple does not require grad and does not have a"):
        Variable(torch.ones(1)).backward()
    with pytest.raises(RuntimeError, match=r"^element 0 of variables tuple is not a Variable$"):
        backward(torch.ones(1))


def test_a_graph_is_freed_unless_retained():
    y = (leaf(1.0, 2.0) ** 2).sum()
    y.backward(retain_graph=True)
    with pytest.warns(UserWarning, match=r"^retain_variables option is deprecated and will be removed in 0.3."):
        y.backward(retain_variables=True)
    y.backward()
    with pytest.raises(RuntimeError, match=r"second time"):
        y.backward()
    with pytest.raises(ValueError, match=r"^only one of retain_graph and retain_variables can be specified$"):
        y.backward(retain_graph=True, retain_variables=True)


def test_a_non_volatile_gradient_records_the_backward():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for given, recorded in (
            (Variable(torch.ones(1)), True), (Variable(torch.ones(1), volatile=True), False), (torch.ones(1), False),
        ):  # fmt: skip
            x = leaf(3.0)
            (x * x).backward(given)
            assert x.grad.requires_grad is recorded
            assert x.grad.volatile is not recorded
        x = leaf(3.0)
        (x * x).backward(create_graph=True)
        assert x.grad.requires_grad


def test_grad_of_grad():
    x = leaf(2.0)
    (first,) = grad(x**3, x, create_graph=True)
    assert first.data.tolist() == [12.0]
    (second,) = grad(first, x)
    assert second.data.tolist() == [12.0]
    assert second.volatile
    assert x.grad is None


def test_only_inputs_false_fills_the_other_leaves():
    x, u, w = leaf(2.0), leaf(3.0), leaf(4.0)
    (found,) = grad(x * x * u + w, x, only_inputs=False)
    assert found.data.tolist() == [12.0]
    assert x.grad is None
    assert u.grad.data.tolist() == [4.0]
    assert w.grad.data.tolist() == [1.0]
    grad(x * x * u + w, x, only_inputs=False)
    assert u.grad.data.tolist() == [8.0]
    grad(x * x * u + w, x)
    assert u.grad.data.tolist() == [8.0]


def test_only_inputs_false_from_a_computed_input():
    x, u = leaf(2.0), leaf(3.0)
    y = x * x
    (found,) = grad((y * u).sum(), y, only_inputs=False)
    assert found.data.tolist() == [3.0]
    assert u.grad.data.tolist() == [4.0]


def test_unused_inputs():
    x, u = leaf(2.0), leaf(3.0)
    with pytest.raises(RuntimeError, match=r"^One of the differentiated Variables appears to not have been used"):
        grad(x * 2, u)
    assert grad(x * 2, [x, u], allow_unused=True)[1] is None
    with pytest.raises(RuntimeError, match=r"^One of the differentiated Variables does not require grad$"):
        grad(x * 2, Variable(torch.ones(1)))
