"""What reductions share: the dims they are given, the shape before, the gradient spread out again."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dims import axes


def dims_argument(op: str, dim: Any) -> Any:
    """Return the dims as the node keeps them: a tuple of ints, or None for all."""
    if dim is None:
        return None
    if type(dim) is int:
        return (dim,)
    if isinstance(dim, (tuple, list)):
        return tuple(one if type(one) is int else one.__index__() for one in dim)
    if isinstance(dim, bool) or not hasattr(dim, "__index__"):
        kind = type(dim).__name__
        raise TypeError(
            f"{op}() received an invalid combination of arguments - got ({kind}), but expected one of:\n"
            " * (*, torch.dtype dtype = None)\n * (tuple of ints dim, bool keepdim = False, *, torch.dtype "
            "dtype = None)\n"
        )
    return (dim.__index__(),)


def restore(grad: Any, dim: Any, keepdim: bool, sizes: tuple, xp: Any) -> Any:
    """Give a reduced gradient its dimensions of size 1 back."""
    if keepdim or not sizes:
        return grad
    if dim is None or len(dim) == 0:
        return grad
    for axis in sorted(axes(dim, len(sizes))):
        grad = xp.unsqueeze(grad, axis)
    return grad


def result_dtype(array: Any, dtype: Any) -> np.dtype:
    """Return the dtype of a sum: the one asked for, int64 for integers and bools, else the array's own."""
    if dtype is not None:
        return dtype.numpy
    return array.dtype if array.dtype.kind == "f" else np.dtype(np.int64)
