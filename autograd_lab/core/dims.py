"""Dimension numbers: negative ones counted from the back, bad ones refused with torch's words."""

from __future__ import annotations

from typing import Any


def wrap_dim(dim: Any, ndim: int) -> int:
    """Return a dimension number in 0 … ndim-1; a 0-d tensor counts as having one dimension.

    >>> wrap_dim(-1, 3)
    2
    """
    if type(dim) is not int:
        if not hasattr(dim, "__index__"):
            raise TypeError(f"argument 'dim' must be int, not {type(dim).__name__}")
        dim = dim.__index__()
    count = ndim or 1
    if not -count <= dim < count:
        raise IndexError(
            f"Dimension out of range (expected to be in range of [{-count}, {count - 1}], but got {dim})"
        )
    return dim % count


def sized(tensor: Any, dim: int) -> int:
    """Return a tensor's size along a dimension; a 0-d tensor has none, with torch's words for that."""
    array = tensor._array
    if not array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return array.shape[wrap_dim(dim, array.ndim)]


def wrap_dims(dims: Any, ndim: int) -> tuple[int, ...]:
    """Return dimension numbers (one, several, or None for all) as a tuple without negative ones or repeats."""
    if dims is None:
        return tuple(range(ndim))
    if isinstance(dims, (tuple, list)):
        found = tuple(wrap_dim(dim, ndim) for dim in dims)
        for k, dim in enumerate(found):
            if dim in found[:k]:
                raise RuntimeError(f"dim {dim} appears multiple times in the list of dims")
        return found
    return (wrap_dim(dims, ndim),)


def axes(dims: Any, ndim: int) -> tuple[int, ...]:
    """Return NumPy's axes for reduction dims; an empty list means all, and a 0-d tensor has none."""
    if type(dims) is tuple and len(dims) == 1 and type(dims[0]) is int and 0 <= dims[0] < ndim:
        return dims     # the common case
    if isinstance(dims, (tuple, list)) and not dims:
        dims = None
    found = wrap_dims(dims, ndim)
    return found if ndim else ()
