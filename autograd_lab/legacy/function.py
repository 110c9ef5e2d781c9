"""The old-style Function: an instance that is called once, with its state on itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import autograd_lab as torch
from autograd_lab.legacy.lifting import refuse_tensors
from autograd_lab.legacy.node import Exhibit, in_variables
from autograd_lab.legacy.variable import Variable


class Function:
    """Define an operation by its forward and its backward, both on plain tensors.

    Subclasses take what is no tensor in `__init__`; an instance is called with Variables, once:

    >>> import autograd_lab as torch
    >>> class Scale(Function):
    ...     def __init__(self, factor):
    ...         super().__init__()
    ...         self.factor = factor
    ...     def forward(self, x):
    ...         return x * self.factor
    ...     def backward(self, grad_output):
    ...         return grad_output * self.factor
    >>> x = Variable(torch.ones(2), requires_grad=True)
    >>> Scale(3)(x).backward(torch.ones(2))
    >>> x.grad.data
    tensor([3., 3.])
    """

    _node: Any = None                       # today's ctx; a subclass need not call __init__
    _inputs: tuple = ()                      # the inputs of forward as it saw them, with the recorded ones
    needs_input_grad: tuple = ()

    def __init__(self) -> None:
        pass

    @classmethod
    def apply(cls, *variables: Any) -> Any:
        """Refuse to run: an old-style Function is called by instance."""
        error = AttributeError(f"type object {cls.__name__!r} has no attribute 'apply'")
        error.add_note("An old-style Function is an instance that is called: F(arguments)(variables). Those with "
                       "static methods are today's: from autograd_lab.autograd import Function.")  # fmt: skip
        raise error

    def __call__(self, *variables: Any) -> Any:
        """Run forward on the tensors of the Variables, and record it unless one of them is volatile."""
        for value in variables:
            if not isinstance(value, Variable):
                refuse_tensors((value,), type(self).__name__)
                raise TypeError(f"expected a Variable argument, but got {type(value).__name__}")
        tensors = [variable._tensor for variable in variables]
        volatile = any(variable.volatile for variable in variables)
        self.needs_input_grad = tuple(variable.requires_grad and not volatile for variable in variables)
        if volatile:
            with torch.no_grad():
                results = today(type(self)).apply(self, *tensors)
        else:
            results = today(type(self)).apply(self, *tensors)
        if isinstance(results, tuple):
            return tuple(Variable._of(result, volatile) for result in results)
        return Variable._of(results, volatile)

    def forward(self, *tensors: Any) -> Any:
        """Compute the result; every subclass defines it."""
        raise NotImplementedError

    def backward(self, *grad_outputs: Any) -> Any:
        """Return a gradient for each argument of forward; every subclass defines it."""
        raise NotImplementedError

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep inputs or outputs of forward for backward."""
        self._node.save_for_backward(*[self._recorded(tensor) for tensor in tensors])

    @property
    def saved_tensors(self) -> tuple:
        """What `save_for_backward` kept."""
        return tuple(None if tensor is None else tensor.detach() for tensor in self._node.saved_tensors)

    @property
    def saved_variables(self) -> tuple:
        """What `save_for_backward` kept, as Variables."""
        return in_variables(tuple(self._node.saved_tensors))

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs forward has written in place."""
        self._node.mark_dirty(*[self._recorded(tensor) for tensor in tensors])

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which outputs have no gradient."""
        self._node.mark_non_differentiable(*[self._recorded(tensor) for tensor in tensors])

    def _recorded(self, tensor: Any) -> Any:
        """Return the input that a plain tensor of forward stands for, or the tensor itself."""
        return next((recorded for plain, recorded in self._inputs if plain is tensor), tensor)

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Accept pairs of inputs and outputs that share memory; today's engine sees that by itself."""

    @property
    def next_functions(self) -> tuple:
        """The nodes that the inputs come from, with the number of their output."""
        return Exhibit(self._node).next_functions

    @property
    def previous_functions(self) -> tuple:
        """The name that `next_functions` had in 0.1."""
        return self.next_functions

    def register_hook(self, hook: Callable) -> Any:
        """Call `hook(grad_inputs, grad_outputs)`, tuples of Variables, after backward."""
        return Exhibit(self._node).register_hook(hook)


_classes: dict[type, Any] = {}


def today(cls: type) -> Any:
    """Return the Function of today that runs instances of an old one; its node has the old class's name."""
    if cls not in _classes:
        _classes[cls] = type(cls.__name__, (torch.autograd.Function,), {"forward": _forward, "backward": _backward})
    return _classes[cls]


@staticmethod  # type: ignore[misc]
def _forward(ctx: Any, instance: Function, *tensors: Any) -> Any:
    ctx.museum_function = instance
    instance._node = ctx
    # Forward saw plain tensors then. Today's engine must see its own again where they are saved or returned.
    plain = [tensor.detach() for tensor in tensors]
    instance._inputs = tuple(zip(plain, tensors, strict=True))
    result = instance.forward(*plain)
    if isinstance(result, tuple):
        result = tuple(instance._recorded(one) for one in result)
    else:
        result = instance._recorded(result)
    instance._inputs = ()
    return result


@staticmethod  # type: ignore[misc]
@torch.autograd.function.once_differentiable
def _backward(ctx: Any, *grads: Any) -> Any:
    instance = ctx.museum_function
    instance._node = ctx
    result = instance.backward(*grads)
    result = result if isinstance(result, tuple) else (result,)
    expected = len(ctx.needs_input_grad) - 1
    if len(result) != expected:
        raise RuntimeError(f"{type(instance).__name__} returned an invalid number of gradient tensors (expected "
                           f"{expected}, but got {len(result)})")  # fmt: skip
    return None, *result
