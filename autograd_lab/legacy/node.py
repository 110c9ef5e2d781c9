"""What `grad_fn` shows: a node of the engine, seen from the time when gradients and leaves were Variables."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

import autograd_lab as torch
from autograd_lab.legacy.lifting import unwrap

# The Variable of each tensor that a user wrapped, so that a leaf's node names the very Variable; both die together.
_variables: WeakValueDictionary[int, Any] = WeakValueDictionary()
_exhibits: WeakValueDictionary[int, Any] = WeakValueDictionary()    # so that `y.grad_fn is y.grad_fn`
_classes: dict[type, type] = {}


class Exhibit:
    """A node: its hooks take and return Variables, its `variable` is one, `next_functions` leads to others.

    >>> import autograd_lab as torch
    >>> from autograd_lab.legacy import Variable
    >>> x = Variable(torch.ones(1), requires_grad=True)
    >>> (x * 2).grad_fn.next_functions[0][0].variable is x
    True
    """

    __slots__ = ("__weakref__", "_node")

    def __init__(self, node: Any) -> None:
        self._node = node

    @property
    def variable(self) -> Any:
        """The leaf to whose `.grad` this node adds; AttributeError for any other node."""
        return variable_of(self._node.variable)

    @property
    def next_functions(self) -> tuple:
        """What the gradients of the inputs are sent to: (node or None, which of its outputs)."""
        return tuple([(shown(node), nr) for node, nr in self._node.next_functions])

    @property
    def previous_functions(self) -> tuple:
        """The name that `next_functions` had in 0.1."""
        return self.next_functions

    def register_hook(self, hook: Callable) -> Any:
        """Call `hook(grad_inputs, grad_outputs)`, tuples of Variables; what it returns replaces the first."""

        def with_variables(grad_inputs: tuple, grad_outputs: tuple) -> Any:
            return unwrap(hook(in_variables(grad_inputs), in_variables(grad_outputs)))

        return self._node.register_hook(with_variables)

    def name(self) -> str:
        """Return the name of the node's class."""
        return self._node.name()

    def __call__(self, *grads: Any) -> Any:
        """Run the node on the gradients of its outputs; return those of its inputs."""
        return in_variables(self._node(*[unwrap(one) for one in grads]))

    def __getattr__(self, name: str) -> Any:
        return in_variables(getattr(self._node, name))

    def __repr__(self) -> str:
        return repr(self._node)


def shown(node: Any) -> Any:
    """Return what a Variable shows of a node: the Function that a user called, or the node in its glass case."""
    if node is None:
        return None
    if hasattr(node, "museum_function"):
        return node.museum_function
    found = _exhibits.get(id(node))
    if found is None or found._node is not node:
        kind = type(node)
        if kind not in _classes:
            _classes[kind] = type(kind.__name__, (Exhibit,), {"__slots__": ()})
        found = _exhibits[id(node)] = _classes[kind](node)
    return found


def remember(variable: Any) -> None:
    """Let the tensor inside lead back to its Variable."""
    _variables[id(variable._tensor)] = variable


def variable_of(tensor: Any) -> Any:
    """Return the Variable that a tensor is the inside of, or one made for it."""
    from autograd_lab.legacy.variable import Variable

    known = _variables.get(id(tensor))
    if known is not None and known._tensor is tensor:
        return known
    return Variable._of(tensor, volatile=not tensor.requires_grad)


def in_variables(value: Any) -> Any:
    """Return a value with Variables in place of its tensors."""
    if isinstance(value, torch.Tensor):
        return variable_of(value)
    if type(value) in (tuple, list):
        return type(value)(in_variables(one) for one in value)
    return value
