"""The gradient of a function, as a function: what gradgradcheck checks the derivatives of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lab.autograd._checks import differentiable
from autograd_lab.autograd._numerical import as_tuple, wanting
from autograd_lab.core.distributions import uniform
from autograd_lab.core.entry import grad
from autograd_lab.core.tensor import Tensor, fresh


def _random_like(tensor: Tensor, with_gaps: bool) -> Tensor:
    shape, dtype = tensor._array.shape, tensor._array.dtype
    values = uniform(shape, dtype, -1.0, 1.0)
    if with_gaps and values.ndim and values.size > 1:
        wide = np.empty((*shape[:-1], shape[-1] * 2), dtype)
        wide[..., ::2] = values
        values = wide[..., ::2]
    return fresh(values if values.ndim else values[()], True)


def gradient_function(func: Callable, inputs: Any, grad_outputs: Any, with_gaps: bool) -> tuple[tuple, tuple, Callable]:
    """Return the inputs, the weights, and the function of both that computes the gradients of `func`."""
    given = as_tuple(inputs)
    if grad_outputs is None:
        weights = tuple([_random_like(one, with_gaps) for one in differentiable(func(*given))])
    else:
        weights = as_tuple(grad_outputs)
    sources, moving = wanting(given), {k for k, one in enumerate(weights) if one.requires_grad}

    def gradient(*args: Any) -> tuple:
        own, last = args[: len(args) - len(weights)], args[len(args) - len(weights):]
        own = tuple([one.requires_grad_() if k in sources else one for k, one in enumerate(own)])
        outputs = differentiable(func(*own))
        last = tuple([one.requires_grad_() if k in moving else one for k, one in enumerate(last)])
        found = grad(outputs, tuple([own[k] for k in sources]), last, create_graph=True, allow_unused=True)
        return tuple([one for one in found if one is not None])

    return given, weights, gradient
