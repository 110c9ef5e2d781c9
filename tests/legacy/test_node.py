"""Nodes in the museum: hooks and leaves are Variables, as they were before 0.4."""

import pytest

import autograd_lab as torch
from autograd_lab.legacy import Function, Variable


@pytest.fixture
def x():
    return Variable(torch.ones(2), requires_grad=True)


def test_a_node_hook_sees_variables_and_replaces_the_gradients(x):
    seen = []

    def hook(grad_inputs, grad_outputs):
        seen.append((grad_inputs, grad_outputs))
        return tuple([grad * 10 if grad is not None else None for grad in grad_inputs])

    y = x * 3
    y.grad_fn.register_hook(hook)
    y.backward(torch.ones(2))
    ((inputs, outputs),) = seen
    assert all(isinstance(one, Variable) for one in (inputs[0], outputs[0]))
    assert x.grad.data.tolist() == [30, 30]


def test_a_hook_can_be_removed(x):
    y = x * 3
    y.grad_fn.register_hook(lambda *grads: 1 / 0).remove()
    y.backward(torch.ones(2))
    assert x.grad.data.tolist() == [3, 3]


def test_a_leaf_node_names_the_variable_that_the_user_made(x):
    (leaf, number), *_ = (x * 3).grad_fn.next_functions
    assert type(leaf).__name__ == "AccumulateGrad"
    assert leaf.variable is x
    assert number == 0
    with pytest.raises(AttributeError):
        (x * 3).grad_fn.variable  # noqa: B018


def test_the_graph_is_walked_as_then(x):
    y = (x * 3 + 1) * 2
    names, node = [], y.creator
    while node is not None:
        names.append(type(node).__name__)
        node = node.next_functions[0][0] if node.next_functions else None
    assert names == ["MulBackward0", "AddBackward0", "MulBackward0", "AccumulateGrad"]
    assert y.grad_fn == y.grad_fn
    assert len({y.grad_fn, y.grad_fn}) == 1
    assert repr(y.grad_fn).startswith("<MulBackward0 object at 0x")


def test_a_node_runs_on_variables(x):
    y = x * 3
    grad, *_ = y.grad_fn(Variable(torch.ones(2)))
    assert isinstance(grad, Variable)
    assert grad.data.tolist() == [3, 3]


def test_an_old_function_has_hooks_and_saved_variables_too(x):
    class Square(Function):
        def forward(self, value):
            self.save_for_backward(value)
            return value * value

        def backward(self, grad):
            return grad * self.saved_tensors[0] * 2

    function = Square()
    y = function(x)
    assert function.saved_variables[0] is x
    seen = []
    function.register_hook(lambda inputs, outputs: seen.append((inputs, outputs)))
    y.backward(torch.ones(2))
    assert isinstance(seen[0][1][0], Variable)
    assert x.grad.data.tolist() == [2, 2]
