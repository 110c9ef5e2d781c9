"""Derivatives by finite differences: move one element, or all along a vector, both ways; compare the outputs."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.core.versions import materialize


def as_tuple(given: Any) -> tuple:
    """Return a tuple of what is one, a list, or a single thing."""
    return given if isinstance(given, tuple) else tuple(given) if isinstance(given, list) else (given,)


def tensors_in(given: Any) -> Iterable[Tensor]:
    """Give every tensor that requires grad, out of nested sequences."""
    if isinstance(given, Tensor):
        if given.requires_grad:
            yield given
    elif hasattr(given, "__iter__") and not isinstance(given, str):
        for one in given:
            yield from tensors_in(one)


def wanting(given: tuple) -> list[int]:
    """Return the positions of the tensors that require grad."""
    return [k for k, one in enumerate(given) if isinstance(one, Tensor) and one.requires_grad]


def is_float(value: Any) -> bool:
    """Say whether an output is a tensor of floats."""
    return isinstance(value, Tensor) and value.is_floating_point()


def check_same(before: Tensor, after: Tensor, eps: Any, index: tuple | None) -> None:
    """Raise when a small change of the input changed the output's shape or dtype."""
    place = f"on index {index} " if index is not None else ""
    for what, a, b in (("shape", before.shape, after.shape), ("dtype", before.dtype, after.dtype)):
        if a != b:
            raise AssertionError(f"Expected `func` to return outputs with the same {what} when inputs are perturbed "
                                 f"{place}by {eps}, but got: {what}s {a} and {b}.")  # fmt: skip


def difference(func: Callable, inputs: tuple, memory: np.ndarray, index: Any, step: Any, eps: float,
               shown: tuple | None) -> list[np.ndarray]:  # fmt: skip
    """Return (func(x + step) - func(x - step)) / 2 eps for each output, flat; the input's memory ends as it began."""
    before = memory[index].copy()
    memory[index] = before - step
    low = [one.clone() for one in as_tuple(func(*inputs))]
    memory[index] = before + step
    high = [one.clone() for one in as_tuple(func(*inputs))]
    memory[index] = before
    found = []
    for a, b in zip(low, high, strict=False):
        check_same(a, b, eps, shown)
        found.append(((b - a) / (2 * eps)).detach().reshape(-1)._array)
    return found


def jacobian_of_one(func: Callable, position: int, inputs: tuple, outputs: tuple, eps: float,
                    target: Tensor | None = None) -> tuple[Tensor, ...]:  # fmt: skip
    """Return, for each float output, the numerical Jacobian [input elements, output elements] by one input."""
    target = inputs[position] if target is None else target
    if not target.requires_grad:
        raise AssertionError("Expected input to have requires_grad=True")
    memory = materialize(target)
    blocks = [np.zeros((target.numel(), one.numel()), one._array.dtype) for one in outputs if is_float(one)]
    for row, index in enumerate(itertools.product(*[range(size) for size in target.shape])):
        columns = difference(func, inputs, memory, index, memory.dtype.type(eps), eps, index)
        for block, column in zip(blocks, columns, strict=False):
            block[row] = column
    return tuple([wrap(block) for block in blocks])


def jacobians(func: Callable, inputs: tuple, outputs: Any = None, target: Any = None, eps: float = 1e-3) -> list:
    """Return the numerical Jacobians: a list over the inputs (or targets) of tuples over the float outputs."""
    outputs = as_tuple(func(*as_tuple(inputs))) if outputs is None else as_tuple(outputs)
    target = inputs if target is None else target
    positions = wanting(as_tuple(target))
    return [
        jacobian_of_one(func, position, as_tuple(inputs), outputs, eps, one)
        for one, position in zip(tensors_in(target), positions, strict=False)
    ]


def along(func: Callable, position: int, inputs: tuple, direction: Tensor, eps: float) -> list[Tensor]:
    """Return the numerical derivative of each output along one direction of one input."""
    memory = materialize(inputs[position])
    step = (direction.reshape(inputs[position].shape) * eps)._array
    return [wrap(one) for one in difference(func, inputs, memory, ..., step, eps, None)]
