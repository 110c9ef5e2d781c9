"""Old-style Functions: instances with forward and backward on plain tensors."""

import pytest

import autograd_lab as torch
from autograd_lab.legacy import Function, Variable, grad


class Exp(Function):
    def forward(self, x):
        assert not x.requires_grad
        result = x.exp()
        self.save_for_backward(result)
        return result

    def backward(self, grad_output):
        assert isinstance(grad_output, torch.Tensor)
        (result,) = self.saved_tensors
        return grad_output * result


class MulConstant(Function):
    def __init__(self, constant):
        super().__init__()
        self.constant = constant

    def forward(self, tensor):
        return tensor * self.constant

    def backward(self, grad_output):
        return grad_output * self.constant


class Two(Function):
    def forward(self, a, b):
        self.save_for_backward(a, b)
        return a * b, a + b

    def backward(self, product, total):
        a, b = self.saved_tensors
        self.seen = self.needs_input_grad
        return product * b + total, product * a + total


class Double(Function):
    def forward(self, x):
        x.mul_(2)
        self.mark_dirty(x)
        return x

    def backward(self, grad_output):
        return grad_output * 2


def leaf(*values):
    return Variable(torch.tensor(values), requires_grad=True)


def test_forward_and_backward():
    x = leaf(1.0, 2.0)
    function = Exp()
    y = function(x)
    assert y.grad_fn is function
    assert y.creator is function
    y.backward(torch.ones(2))
    assert x.grad.data.tolist() == x.data.exp().tolist()


def test_arguments_go_to_init():
    x = leaf(1.0, 2.0)
    MulConstant(5)(x).backward(torch.ones(2))
    assert x.grad.data.tolist() == [5.0, 5.0]


def test_several_inputs_and_outputs():
    a, b = leaf(2.0), Variable(torch.tensor([3.0]))
    function = Two()
    product, total = function(a, b)
    assert product.creator is total.creator is function
    assert function.needs_input_grad == (True, False)
    (product + total).backward()
    assert a.grad.data.tolist() == [4.0]
    assert b.grad is None


def test_the_graph_leads_on():
    x = leaf(2.0)
    y = MulConstant(3)(x * x)
    assert type(y.creator.previous_functions[0][0]).__name__ == "MulBackward0"
    assert type(y._tensor.grad_fn).__name__ == "MulConstantBackward"
    assert grad(y * y, x)[0].data.tolist() == [288.0]


def test_volatile_is_not_recorded():
    y = Exp()(Variable(torch.ones(2), volatile=True))
    assert y.volatile
    assert y.creator is None


def test_written_in_place():
    x = leaf(1.0, 2.0)
    y = x * 1
    z = Double()(y)
    z.backward(torch.ones(2))
    assert z.data.tolist() == [2.0, 4.0]
    assert x.grad.data.tolist() == [2.0, 2.0]


def test_a_wrong_number_of_gradients():
    class Wrong(MulConstant):
        def backward(self, grad_output):
            return grad_output, grad_output

    y = Wrong(2)(leaf(1.0))
    with pytest.raises(RuntimeError, match=r"^Wrong returned an invalid number of gradient tensors"):
        y.backward()


def test_tensors_must_be_wrapped():
    with pytest.raises(TypeError, match=r"invalid combination of arguments"):
        Exp()(torch.ones(2))
    with pytest.raises(TypeError, match=r"^expected a Variable argument, but got int$"):
        Exp()(3)


def test_no_second_derivative():
    x = leaf(1.0)
    y = Exp()(x)
    (first,) = grad(y * x, x, create_graph=True)
    with pytest.raises(RuntimeError, match=r"once_differentiable"):
        first.backward()


def test_static_functions_are_those_of_today():
    with pytest.raises(AttributeError, match=r"^type object 'Exp' has no attribute 'apply'\n") as caught:
        Exp.apply(leaf(1.0))
    assert "from autograd_lab.autograd import Function" in caught.value.__notes__[0]
