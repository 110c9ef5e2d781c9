"""The parts of gradcheck: compare Jacobians, whole or along random vectors, and test what every backward must obey."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.autograd import _analytical as analytical
from autograd_lab.autograd import _numerical as numerical
from autograd_lab.autograd._errors import (
    FAST_BUT_NOT_SLOW,
    IN_SLOW_MODE,
    STRIDE_0,
    UNDEFINED_NOTES,
    UNDEFINED_WARNING,
    GradcheckError,
    mismatch,
)
from autograd_lab.autograd._numerical import as_tuple, is_float, tensors_in, wanting
from autograd_lab.core.distributions import rand
from autograd_lab.core.entry import grad
from autograd_lab.core.node import node_class
from autograd_lab.core.random import Generator
from autograd_lab.core.state import mode, sequence
from autograd_lab.core.tensor import Tensor, wrap

NOT_ZERO = "Numerical gradient for function expected to be zero"


@dataclass(frozen=True)
class Tolerances:
    """How far a Jacobian may be off."""

    eps: float
    atol: float
    rtol: float
    nondet_tol: float
    check_grad_dtypes: bool


def differentiable(outputs: Any) -> tuple:
    """Return the outputs that require grad."""
    return tuple([one for one in as_tuple(outputs) if one.requires_grad])


def check_inputs(inputs: tuple) -> None:
    """Raise or warn where the inputs cannot be checked well."""
    positions = wanting(inputs)
    for position in positions:
        one = inputs[position]
        if one._array.dtype != np.float64:
            warnings.warn(
                f"Input #{position} requires gradient and is not a double precision floating point or complex. This "
                "check will likely fail if all the inputs are not of double precision floating point or complex. ",
                stacklevel=4,
            )
        if any(stride <= 0 and size > 1 for stride, size in zip(one.stride(), one.shape, strict=True)):
            raise RuntimeError(STRIDE_0.format(position))
    if not positions:
        raise ValueError("gradcheck expects at least one input tensor to require gradient, but none of them have "
                         "requires_grad=True.")  # fmt: skip


def close(a: Any, b: Any, rtol: float, atol: float) -> bool:
    """Compare two arrays elementwise, as torch.allclose does."""
    return bool(np.allclose(a, b, rtol, atol))


def slow(func: Callable, result: Any, inputs: tuple, outputs: tuple, limits: Tolerances) -> None:
    """Compare the whole Jacobians."""
    result = as_tuple(result)
    found = numerical.jacobians(func, inputs, result, eps=limits.eps)
    if not outputs:
        if any((block._array != 0).any() for blocks in found for block in blocks):
            raise GradcheckError(NOT_ZERO)
        return
    by_output = [blocks for one, blocks in zip(result, zip(*found, strict=True), strict=False) if one.requires_grad]
    for k, output in enumerate(outputs):
        exact = analytical.checked(inputs, output, limits.nondet_tol, limits.check_grad_dtypes)
        for j, (a, n) in enumerate(zip(exact, by_output[k], strict=True)):
            if not close(a._array, n._array, limits.rtol, limits.atol):
                raise GradcheckError(mismatch(k, j, n, a))


def _unit_vectors(tensors: Any, generator: Generator) -> list[Tensor]:
    found = []
    for one in tensors:
        values = rand((one.numel(),), np.float32, generator).astype(one._array.dtype)
        found.append(wrap(values / np.linalg.norm(values)))
    return found


def fast(func: Callable, result: Any, inputs: tuple, outputs: tuple, limits: Tolerances) -> None:
    """Compare v J u for one random pair of vectors an input and output."""
    result = as_tuple(result)
    positions = wanting(inputs)
    generator = Generator()
    directions = _unit_vectors([inputs[k] for k in positions], generator)
    weights = _unit_vectors(outputs, generator)
    steps = []
    for position, direction in zip(positions, directions, strict=True):
        moved = numerical.along(func, position, inputs, direction, limits.eps)
        steps.append([one for one, output in zip(moved, result, strict=True) if is_float(output)])
    if not outputs:
        for position, direction in zip(positions, directions, strict=True):
            for one in numerical.along(func, position, inputs, direction, limits.eps):
                if one.numel() and np.abs(one._array).max() > limits.nondet_tol:
                    raise GradcheckError(NOT_ZERO)
        return
    exact = [
        [column._array[:, 0].dot(direction._array) for column, direction in zip(
            analytical.checked(inputs, output, limits.nondet_tol, limits.check_grad_dtypes, weight), directions,
            strict=True)]
        for output, weight in zip(outputs, weights, strict=True)
    ]  # fmt: skip
    for i, moved in enumerate(steps):
        for j, (step, weight) in enumerate(zip(moved, weights, strict=False)):
            n, a = (weight * step).sum()._array, exact[j][i]
            atol = limits.atol * float(directions[i]._array.sum()) * float(weight._array.sum())
            if not close(a, n, limits.rtol, atol):
                text = _slow_after_fast(func, inputs, result, outputs, i, j, limits)
                raise GradcheckError(mismatch(j, i, n, a) + text)


def _slow_after_fast(func: Callable, inputs: tuple, result: tuple, outputs: tuple, i: int, j: int,
                     limits: Tolerances) -> str:  # fmt: skip
    n = numerical.jacobians(func, inputs, outputs, eps=limits.eps)[i][j]
    a = analytical.checked(inputs, outputs[j], float("inf"), False)[i]
    text = IN_SLOW_MODE.format(numerical=n, analytical=a, most=np.abs(n._array - a._array).max())
    return text + (FAST_BUT_NOT_SLOW if close(a._array, n._array, limits.rtol, limits.atol) else "")


def scaled_by_weights(outputs: tuple, inputs: tuple) -> None:
    """Raise unless zero weights give zero gradients of the right dtype and shape."""
    sources = list(tensors_in(inputs))
    if not outputs:
        return      # nothing is differentiable: then there is nothing to weigh either
    found = grad(outputs, sources, [_zeros(one) for one in outputs], allow_unused=True)
    for one, source in zip(found, sources, strict=True):
        if one is None:
            continue
        if (one._array != 0).any():
            raise GradcheckError("backward not multiplied by grad_output")
        if one.dtype != source.dtype:
            raise GradcheckError("grad is incorrect type")
        if one.shape != source.shape:
            raise GradcheckError("grad is incorrect size")


def _zeros(like: Tensor) -> Tensor:
    return wrap(np.zeros(like._array.shape, like._array.dtype))


UndefinedGradBackward = node_class(
    "UndefinedGradBackward",
    backward=lambda node, gradient: (None,),
    backward_recorded=lambda node, gradient: (None,),
)


def undefined_grad(tensor: Tensor) -> Tensor:
    """Return the tensor behind a node that lets no gradient through."""
    node = UndefinedGradBackward()
    node.seq, node.clock, node.extra, node.fix = sequence(), mode.clock, None, None
    node.edges, node.saved, node.site = (tensor._node,), (), None
    return wrap(tensor._array, node)


def survives_undefined(func: Callable, outputs: tuple, inputs: tuple) -> None:
    """Raise unless the backward works, and gives zeros, where gradients of outputs are undefined."""
    sources = list(tensors_in(inputs))
    cases = [[undefined_grad(one) for one in differentiable(func(*inputs))]]
    if len(cases[0]) > 1:
        for missing in range(len(outputs)):
            fresh = differentiable(func(*inputs))
            cases.append([undefined_grad(one) if k == missing else one for k, one in enumerate(fresh)])
    for case in cases:
        try:
            found = grad(case, sources, [_zeros(one) for one in case], allow_unused=True)
        except RuntimeError as error:
            warnings.warn(UNDEFINED_WARNING, stacklevel=2)
            raise GradcheckError(f"Expected backward function to handle undefined output grads. {UNDEFINED_NOTES}"
                                 ) from error  # fmt: skip
        if any(one is not None and (one._array != 0).any() for one in found):
            warnings.warn(UNDEFINED_WARNING, stacklevel=2)
            raise GradcheckError("Expected all input grads to be undefined or zero when all output grads are undefined "
                                 f"or zero. {UNDEFINED_NOTES}")  # fmt: skip
