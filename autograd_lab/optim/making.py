"""Fresh state for an optimizer: zeros like a parameter, and the count of steps."""

from __future__ import annotations

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.tensor import Tensor, wrap


def zeros_like(param: Tensor, value: float = 0.0) -> Tensor:
    """Return a tensor of the parameter's shape and dtype, filled with one value."""
    return wrap(np.full(param.shape, value, param.dtype.numpy))


def count() -> Tensor:
    """Return a count of steps: zero, as a 0-d float tensor."""
    kind = dtypes.float64 if dtypes.get_default_dtype() is dtypes.float64 else dtypes.float32
    return wrap(np.zeros((), kind.numpy))
