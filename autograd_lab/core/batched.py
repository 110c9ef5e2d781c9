"""`is_grads_batched`: one backward for each row of the weights, the results stacked.

torch runs them at once by vmap; the lab runs them one after another, with the same results and errors.
"""

from __future__ import annotations

from autograd_lab.core.entry import _run_grad
from autograd_lab.core.op import tensors
from autograd_lab.core.tensor import Tensor

NO_BATCH = (
    "vmap(vjp, in_dims=0, ...)(<inputs>): Got in_dim=0 for some input, but that input is a Tensor of dimensionality 0 "
    "so expected in_dim to satisfy 0 <= in_dim < 0."
)
SIZES = (
    "vmap: Expected all tensors to have the same size in the mapped dimension, got sizes {} for the mapped dimension"
)


def batched_grad(outputs: tuple, grads: list, wanted: tuple, retain: bool, create: bool, allow_unused: bool) -> tuple:
    """Return the gradients for each row of the weights, stacked along a new first dimension."""
    for grad in grads:
        if not grad._array.ndim:
            raise ValueError(NO_BATCH)
    sizes = [grad._array.shape[0] for grad in grads]
    if len(set(sizes)) > 1:
        raise ValueError(SIZES.format(sizes))
    if not sizes:
        return _run_grad(outputs, grads, wanted, retain, create, allow_unused)
    count = sizes[0]
    rows = []
    for row in range(count):
        weights = [tensors.select(grad, 0, row) for grad in grads]
        last = row == count - 1
        rows.append(_run_grad(outputs, weights, wanted, retain or not last, create, allow_unused))
    return tuple([_stack(column) for column in zip(*rows, strict=True)])


def _stack(column: tuple) -> Tensor | None:
    return None if any(one is None for one in column) else tensors.stack(list(column), 0)
