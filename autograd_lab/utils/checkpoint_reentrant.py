"""Checkpointing as torch did it first: a node whose backward runs a backward of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lab import autograd
from autograd_lab.autograd import Function, enable_grad, no_grad
from autograd_lab.core.tensor import Tensor

SELECTIVE = (
    "When use_reentrant=True, torch.utils.checkpoint is incompatible with .grad() or passing an `inputs` parameter to "
    ".backward(). To resolve this error, you can either set use_reentrant=False, or call .backward() without passing "
    "the `inputs` argument."
)
UNUSED = "none of output has requires_grad=True, this checkpoint() is not necessary"


class CheckpointFunction(Function):
    """Run a function without recording it; backward runs it again, recorded, and goes back through it."""

    @staticmethod
    def forward(ctx: Any, function: Callable, random_state: Callable, *args: Any) -> Any:
        """Return the function's result."""
        ctx.function, ctx.random_state = function, random_state
        ctx.plain = [None if isinstance(value, Tensor) else value for value in args]
        ctx.positions = [position for position, value in enumerate(args) if isinstance(value, Tensor)]
        ctx.save_for_backward(*[args[position] for position in ctx.positions])
        with no_grad():
            return function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        """Return the gradients of the function's arguments."""
        if not autograd.Variable._execution_engine.is_checkpoint_valid():
            raise RuntimeError(SELECTIVE)
        args = list(ctx.plain)
        for position, tensor in zip(ctx.positions, ctx.saved_tensors, strict=True):
            args[position] = tensor.detach().requires_grad_(tensor.requires_grad)
        with ctx.random_state(), enable_grad():
            results = ctx.function(*args)
        results = (results,) if isinstance(results, Tensor) else results
        pairs = [(result, grad) for result, grad in zip(results, grads, strict=True)
                 if isinstance(result, Tensor) and result.requires_grad]  # fmt: skip
        if not pairs:
            raise RuntimeError(UNUSED)
        autograd.backward([result for result, _ in pairs], [grad for _, grad in pairs])
        return None, None, *(value.grad if isinstance(value, Tensor) else None for value in args)
