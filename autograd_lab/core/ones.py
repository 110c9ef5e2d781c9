"""Tensors of ones and zeros shaped like another, outside any graph: the seeds of a backward run."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.tensor import wrap

_ONE = {np.dtype(name): np.dtype(name).type(1) for name in ("float16", "float32", "float64")}


def ones_array(shape: tuple, dtype: Any) -> Any:
    """Return ones; a NumPy scalar for a 0-d shape."""
    if not shape:
        dtype = np.dtype(dtype or np.float32)
        return _ONE.get(dtype) or dtype.type(1)
    return np.ones(shape, dtype or np.float32)


def ones_like(tensor: Any) -> Any:
    """Return a tensor of ones with the shape and dtype of `tensor`."""
    return wrap(ones_array(tensor._array.shape, tensor._array.dtype))




def zeros_like(tensor: Any) -> Any:
    """Return a tensor of zeros with the shape and dtype of `tensor`."""
    return wrap(np.zeros(tensor._array.shape, tensor._array.dtype))
