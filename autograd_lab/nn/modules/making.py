"""Small helpers that the layers share: fresh parameters, and sizes given as one number or several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_lab.core.op import functions
from autograd_lab.core.parameter import Parameter
from autograd_lab.core.tensor import Tensor


def blank(*shape: int, dtype: Any = None) -> Tensor:
    """Return a tensor that its module fills next."""
    return functions["empty"](shape[0] if len(shape) == 1 else shape, dtype=dtype)


def new_parameter(*shape: int, dtype: Any = None) -> Parameter:
    """Return a parameter that its module fills next."""
    return Parameter(blank(*shape, dtype=dtype))


def several(value: Any, count: int) -> tuple:
    """Return a size for each of `count` dimensions; one number stands for all.

    >>> several(3, 2)
    (3, 3)
    """
    return tuple(value) if isinstance(value, Iterable) else (value,) * count
