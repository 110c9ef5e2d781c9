"""Small helpers that the layers share: fresh parameters, and sizes given as one number or several."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.parameter import Parameter
from autograd_lab.core.tensor import Tensor, wrap


def blank(*shape: int, dtype: Any = None) -> Tensor:
    """Return a tensor that its module fills next."""
    return wrap(np.zeros(shape, (dtype or dtypes.get_default_dtype()).numpy))


def new_parameter(*shape: int, dtype: Any = None) -> Parameter:
    """Return a parameter that its module fills next."""
    return Parameter(blank(*shape, dtype=dtype))


def several(value: Any, count: int) -> tuple:
    """Return a size for each of `count` dimensions; one number stands for all.

    >>> several(3, 2)
    (3, 3)
    """
    return tuple(value) if isinstance(value, Iterable) else (value,) * count
