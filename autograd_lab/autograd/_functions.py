"""What is left of torch's first, Python-written operations: `Resize`; and the comparison of shapes in `backward`."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.autograd.function import Function
from autograd_lab.core.edges import GradientEdge
from autograd_lab.core.sizes import Size


def calculate_shape(output: Any, grad: Any, is_grads_batched: bool) -> tuple[Any, Any]:
    """Return the shapes of an output, or of the gradient an edge expects, and of its gradient, less the batch's."""
    if isinstance(output, GradientEdge):
        if is_grads_batched:
            raise RuntimeError("Batched grads are not supported with GradientEdge")
        return Size(output.node._input_metadata[output.output_nr].shape), grad.shape
    return output.shape, grad.shape[1:] if is_grads_batched else grad.shape


class Resize(Function):
    """The same elements in another shape: `Resize.apply(tensor, sizes)`."""

    @staticmethod
    def forward(ctx: Any, tensor: Any, sizes: tuple) -> Any:
        """Return the tensor's elements in the sizes."""
        ctx.sizes = sizes
        ctx.numel = math.prod(sizes)
        if tensor.numel() != ctx.numel:
            raise RuntimeError(
                f"requested resize to {'x'.join(map(str, sizes))} ({ctx.numel} elements in total), but the given tensor has a "  # noqa: E501
                f"size of {'x'.join(map(str, tensor.size()))} ({tensor.numel()} elements). autograd's resize can only change "  # noqa: E501
                "the shape of a given tensor, while preserving the number of elements. "
            )
        ctx.input_sizes = tensor.size()
        return (tensor.new(tensor) if tensor.is_contiguous() else tensor.contiguous()).view(*sizes)

    @staticmethod
    def backward(ctx: Any, grad_output: Any) -> Any:
        """Return the gradient in the input's sizes."""
        return grad_output.contiguous().view(ctx.input_sizes), None
