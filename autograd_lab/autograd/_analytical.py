"""Jacobians as autograd computes them, row by row, each twice: a backward that differs from run to run is found out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lab.autograd._errors import NONDETERMINISTIC, GradcheckError
from autograd_lab.autograd._numerical import tensors_in
from autograd_lab.core.entry import grad
from autograd_lab.core.tensor import Tensor, wrap


def vjp_of(output: Tensor, inputs: list) -> Callable:
    """Return the function from weights to gradients of one output."""
    return lambda weights: grad(output, inputs, weights, retain_graph=True, allow_unused=True)


def rows(vjp: Callable, output: Tensor) -> list[list]:
    """Return for each input the gradients of all elements of the output, one backward each."""
    found: list[list] = []
    for element in range(output.numel()):
        weights = np.zeros(output._array.shape, output._array.dtype)
        weights.reshape(-1)[element] = 1
        for position, one in enumerate(vjp(wrap(weights))):
            if element == 0:
                found.append([])
            found[position].append(one.clone() if isinstance(one, Tensor) else None)
    return found


def stacked(gradients: list[list], inputs: list, columns: int) -> tuple[list[np.ndarray], bool, bool]:
    """Return the Jacobians [input elements, output elements], and whether sizes and dtypes were right."""
    blocks = [np.zeros((one.numel(), columns), one._array.dtype) for one in inputs]
    sizes = types = True
    for block, row, source in zip(blocks, gradients, inputs, strict=False):
        for column, one in enumerate(row):
            if one is None:
                continue
            if one.shape != source.shape:
                sizes = False
            elif one.dtype != source.dtype:
                types = False
            if source.numel() != one.numel():
                raise AssertionError(f"Expected out_jacobian column to have {one.numel()} elements, but got "
                                     f"{source.numel()}")  # fmt: skip
            block[:, column] = one.detach().reshape(-1)._array
    return blocks, sizes, types


def differ(first: list, second: list, tolerance: float) -> bool:
    """Say whether two lists of arrays differ anywhere by more than the tolerance."""
    return any(a.size and np.abs(a - b).max() > tolerance for a, b in zip(first, second, strict=True))


def twice(inputs: Any, output: Tensor, weights: Tensor | None = None) -> tuple[list, list, bool, bool]:
    """Return the Jacobians computed twice, and whether sizes and dtypes were right."""
    sources = list(tensors_in(inputs))
    vjp = vjp_of(output, sources)
    found = []
    for _ in range(2):
        sample = output.clone()
        if weights is None:
            found.append(rows(vjp, sample))
        else:
            found.append([[one.clone() if isinstance(one, Tensor) else None] for one in
                          vjp(weights.reshape(sample.shape))])  # fmt: skip
    columns = output.numel() if weights is None else 1
    first, sizes, types = stacked(found[0], sources, columns)
    second, _, _ = stacked(found[1], sources, columns)
    return first, second, sizes, types


def checked(inputs: Any, output: Tensor, nondet_tol: float, check_grad_dtypes: bool,
            weights: Tensor | None = None) -> list[Tensor]:  # fmt: skip
    """Return the analytical Jacobians by each input, after the checks of size, dtype and reentrancy."""
    first, second, sizes, types = twice(inputs, output, weights)
    if not sizes and check_grad_dtypes:
        raise GradcheckError("Gradient has dtype mismatch")
    if not types:
        raise GradcheckError("Analytical gradient has incorrect size")
    if differ(first, second, nondet_tol):
        raise GradcheckError(
            "Backward is not reentrant, i.e., running backward with same input and grad_output multiple times gives "
            "different values, although analytical gradient matches numerical gradient.The tolerance for "
            f"nondeterminism was {nondet_tol}." + NONDETERMINISTIC
        )
    return [wrap(one) for one in first]
