"""Custom operations: `Function` with a hand-written forward and backward.

Source: https://docs.pytorch.org/docs/stable/autograd.html#function
"""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any

from autograd_lab.autograd import _forward
from autograd_lab.autograd._context import BackwardCFunction, FunctionCtx, _FunctionBase, _HookMixin
from autograd_lab.core.missing import answers_for
from autograd_lab.core.node import Output, node_class
from autograd_lab.core.provenance import user_frame
from autograd_lab.core.state import local, mode, sequence, set_grad
from autograd_lab.core.tensor import Tensor, wrap

__all__ = [
    "BackwardCFunction",
    "Function",
    "FunctionCtx",
    "FunctionMeta",
    "InplaceFunction",
    "NestedIOFunction",
    "once_differentiable",
]  # fmt: skip
__getattr__ = answers_for("torch.autograd.function", __all__)

LEGACY = (
    "Legacy autograd function with non-static forward method is deprecated. Please use new-style autograd function "
    "with static forward method. (Example: https://pytorch.org/docs/stable/autograd.html#torch.autograd.Function)"
)


class FunctionMeta(type):
    """Gives each Function the class of its ctx, `_backward_cls`."""

    def __init__(cls, name: str, bases: tuple, attrs: dict) -> None:
        cls._backward_cls = type(name + "Backward", (BackwardCFunction,), {"_forward_cls": cls, "__module__": __name__})
        super().__init__(name, bases, attrs)


class _SingleLevelFunction(_FunctionBase, FunctionCtx, _HookMixin, metaclass=FunctionMeta):
    """The methods that a Function overrides."""

    clear_saved_tensors_on_access = False
    boxed_grads_call = False

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs: `forward(ctx, *args)`, or `forward(*args)` beside a `setup_context`."""
        raise NotImplementedError("You must implement the forward function for custom autograd.Function.")

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple, output: Any) -> Any:
        """Prepare ctx for backward from what forward got and returned."""
        raise NotImplementedError("setup_context is not implemented.")

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """Return one gradient for each argument of forward (None for what is no tensor)."""
        raise NotImplementedError(
            "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
            "backward mode AD."
        )

    vjp = backward

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """Return the directional derivative of each output."""
        raise NotImplementedError("You must implement the jvp function for custom autograd.Function to use it with "
                                  "forward mode AD.")  # fmt: skip


class Function(_SingleLevelFunction):
    """A custom operation: subclass it, write `forward` and `backward` as static methods, call `apply`.

    `forward(ctx, *args)` computes; `backward(ctx, *grads)` gets one gradient for each output and returns one for each
    argument of forward. In the second form `forward(*args)` has no ctx and `setup_context(ctx, inputs, output)` keeps
    what backward needs. Instances are never made.
    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.Function

    >>> import autograd_lab as torch
    >>> class Double(torch.autograd.Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, grad):
    ...         return grad * 2
    >>> x = torch.ones(1, requires_grad=True)
    >>> Double.apply(x)
    tensor([2.], grad_fn=<DoubleBackward>)
    """

    generate_vmap_rule = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{self.__class__} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch.",
            DeprecationWarning, stacklevel=2,
        )  # fmt: skip

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: instances are of the time before static methods."""
        raise RuntimeError(LEGACY)

    @staticmethod
    def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
        """Not in the lab, as in a Function of torch that does not define it."""
        raise NotImplementedError("To use autograd.Function with vmap, you must either override the vmap staticmethod "
                                  "or set generate_vmap_rule=True.")  # fmt: skip

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:  # noqa: D102 (torch's has no docstring either)
        has_setup = cls.setup_context is not _SingleLevelFunction.setup_context
        if has_setup:
            args = _forward.with_defaults(cls.forward, args, kwargs)
        elif kwargs:
            args = _forward.with_keywords(cls.forward, 1, args, kwargs)
        return _forward.apply(cls, cls._backward_cls(), args, has_setup)


def _fail_later(node: Any, grads: Any) -> tuple:
    raise RuntimeError(node.saved[0])


@functools.cache
def _error_class(outputs: int) -> type:
    """Return the class of the nodes that raise, for a number of outputs."""
    return node_class("Error", outputs=outputs, backward=_fail_later, backward_recorded=_fail_later)


def delayed_error(message: str, tensors: tuple) -> list:
    """Return the tensors (or None) behind one node that raises when backward reaches it."""
    count = len(tensors)
    node = _error_class(count)()
    node.seq, node.clock, node.extra, node.fix = sequence(), mode.clock, None, None
    node.saved, node.site = (message,), user_frame(2)
    node.edges = tuple([None if one is None else one._node for one in tensors])
    found: list[Any] = []
    for nr, one in enumerate(tensors):
        made = None if one is None else wrap(one._array)
        if made is not None and made._array.dtype.kind == "f":
            made._node = node if count == 1 else Output(node, nr)
        found.append(made)
    return found


def _fresh_leaf(tensor: Any) -> Any:
    return None if tensor is None else tensor.detach().requires_grad_(tensor._array.dtype.kind == "f")


def once_differentiable(fn: Callable) -> Callable:
    """Decorate a backward whose own result cannot be differentiated: it runs unrecorded, a second derivative raises.

    Source: torch.autograd.function.once_differentiable.
    """

    @functools.wraps(fn)
    def wrapper(ctx: Any, *args: Any) -> Any:
        before = set_grad(False)
        try:
            outputs = fn(ctx, *args)
        finally:
            set_grad(before)
        if not local.grad or not any(isinstance(arg, Tensor) and arg._node is not None for arg in args):
            return outputs
        message = "trying to differentiate twice a function that was marked with @once_differentiable"
        if not isinstance(outputs, tuple):
            return delayed_error(message, (_fresh_leaf(outputs),))[0]
        return tuple(delayed_error(message, tuple([_fresh_leaf(one) for one in outputs])))

    return wrapper


class InplaceFunction(Function):
    """A Function with a flag `inplace`; kept for old code."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace


class NestedIOFunction(Function):
    """A Function of nested inputs, from before static methods; torch keeps its name, but it can no longer be called."""

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Fail as torch's does."""
        raise AttributeError("'super' object has no attribute '_do_forward'")

    def forward_extended(self, *input: Any) -> None:
        """Compute the nested outputs."""
        raise NotImplementedError

    def backward_extended(self, *grad_output: Any) -> None:
        """Compute the nested gradients."""
        raise NotImplementedError
