"""Strides and offsets: where the elements of a view lie in the memory of its base."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.lib.stride_tricks import as_strided


def strides_of(array: Any) -> tuple[int, ...]:
    """Return an array's strides in elements; a fresh one's are those that torch gives, sizes of 1 included."""
    if type(array) is not np.ndarray:
        return ()
    size, shape = array.dtype.itemsize, array.shape
    if array.flags.c_contiguous and (array.base is None or (1 not in shape and array.size) or not any(array.strides)):
        if len(shape) == 2:     # the common case, without a loop
            return (shape[1] or 1, 1)
        return contiguous_strides(shape)
    return tuple(stride // size for stride in array.strides)


def contiguous_strides(shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return the strides of a contiguous tensor.

    >>> contiguous_strides((2, 3, 4))
    (12, 4, 1)
    """
    strides, step = [], 1
    for size in reversed(shape):
        strides.append(step)
        step *= max(size, 1)
    return tuple(reversed(strides))


def fills(array: Any) -> bool:
    """Say whether an array's elements fill a piece of memory, each once and without gaps, in whatever order."""
    step = 1
    for stride, size in sorted(zip(strides_of(array), array.shape, strict=True)):
        if size != 1:
            if stride != step:
                return False
            step *= size
    return True


def layout(like: np.ndarray, dtype: Any = None) -> np.ndarray:
    """Return an array without values whose elements lie in memory in the order of another's.

    They do if the other's elements fill a piece of memory without gaps; else they lie in the order of the indices. So
    does torch's `preserve_format`, and a leaf's `.grad`.
    """
    dtype = like.dtype if dtype is None else dtype
    return np.empty_like(like, dtype, subok=False) if fills(like) else np.empty(like.shape, dtype)


def in_strides_of(like: Any, values: Any) -> Any:
    """Return a copy of `values`, of the same shape as `like`, in the order in memory that `like` has."""
    if type(like) is not np.ndarray:
        return values.copy()
    made = layout(like, values.dtype)
    made[...] = values
    return made


def dimension_order(shape: tuple[int, ...], arrays: tuple) -> list[int]:
    """Return the dimensions of a result in the order in which torch lays them in memory, the fastest first.

    The first array decides, as long as it can: a dimension along which it is broadcast says nothing, equal strides
    leave it to the sizes, and then the next array is asked. Source: `reorder_dimensions` of torch's TensorIterator.
    """
    count = len(shape)
    steps = []
    for array in arrays:
        own, missing = getattr(array, "shape", ()), count - getattr(array, "ndim", 0)
        steps.append([0] * missing + [0 if size == 1 != shape[missing + k] else stride for k, (size, stride)
                                      in enumerate(zip(own, getattr(array, "strides", ()), strict=True))])  # fmt: skip

    def compared(one: int, two: int) -> int:
        for own in steps:
            if own[one] == 0 or own[two] == 0:
                continue
            if own[one] != own[two]:
                return -1 if own[one] < own[two] else 1
            if shape[one] > shape[two]:
                return 1
        return 0

    order = list(range(count - 1, -1, -1))
    for k in range(1, count):
        moving = k
        for before in range(k - 1, -1, -1):
            verdict = compared(order[before], order[moving])
            if verdict > 0:
                order[before], order[moving] = order[moving], order[before]
                moving = before
            elif verdict < 0:
                break
    return order


def in_order(made: np.ndarray, order: list[int]) -> np.ndarray:
    """Return an array whose dimensions lie in memory in the given order, the fastest first; the same one if it does."""
    slowest_first = order[::-1]
    laid = made.transpose(slowest_first)
    if laid.flags.c_contiguous:
        return made
    return np.ascontiguousarray(laid).transpose(np.argsort(slowest_first))


def owner_of(array: np.ndarray) -> np.ndarray:
    """Return the array of which all the others that share this memory are views."""
    while isinstance(array.base, np.ndarray):
        array = array.base
    return array


def bytes_between(part: np.ndarray, whole: np.ndarray) -> int:
    """Return how many bytes after `whole` the array `part` begins."""
    return part.__array_interface__["data"][0] - whole.__array_interface__["data"][0]


def offset_within(part: np.ndarray, whole: np.ndarray) -> int:
    """Return how many elements after `whole` the array `part` begins."""
    if not part.size or not whole.size:
        return 0
    return bytes_between(part, whole) // part.dtype.itemsize


class Geometry(NamedTuple):
    """Where a view lies in its base, in elements: both shapes, both strides, the view's offset from the base."""

    base_shape: tuple[int, ...]
    base_strides: tuple[int, ...]
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    offset: int

    @classmethod
    def of(cls, base: np.ndarray, view: np.ndarray) -> Geometry:
        """Measure a view against its base."""
        offset = offset_within(view, base)
        if not 0 <= offset <= base.size and type(base) is type(view) is np.ndarray:
            ours, theirs = owner_of(view), owner_of(base)
            if ours is not theirs:      # set_ has moved one of them: torch compares the places in their memories
                offset = offset_within(view, ours) - offset_within(base, theirs)
        return cls(base.shape, strides_of(base), view.shape, strides_of(view), offset)

    def span(self) -> tuple[int, int]:
        """Return the first element used (relative to the base's first) and how many cells of memory are needed."""
        low, high = 0, 0
        for start, shape, strides in (
            (0, self.base_shape, self.base_strides), (self.offset, self.shape, self.strides),
        ):  # fmt: skip
            if 0 in shape:
                continue
            reach = [(size - 1) * stride for size, stride in zip(shape, strides, strict=True)]
            low = min(low, start + sum(step for step in reach if step < 0))
            high = max(high, start + sum(step for step in reach if step > 0))
        return low, high - low + 1


def _strided(memory: np.ndarray, start: int, shape: tuple, strides: tuple) -> np.ndarray:
    size = memory.dtype.itemsize
    if 0 in shape:
        return np.empty(shape, memory.dtype)
    return as_strided(memory[start:], shape, tuple(stride * size for stride in strides))


def scatter_into(geometry: Geometry, whole: Any) -> tuple[np.ndarray, np.ndarray]:
    """Return a copy of `whole` laid out like the base, and the part of that copy that the view covers."""
    low, length = geometry.span()
    memory = np.zeros(length, whole.dtype)
    copy = _strided(memory, -low, geometry.base_shape, geometry.base_strides)
    copy[...] = whole
    return copy, _strided(memory, geometry.offset - low, geometry.shape, geometry.strides)


def gather(geometry: Geometry, grad: Any) -> np.ndarray:
    """Return the gradient of the base from that of the view: zeros where the view does not reach, sums of repeats."""
    low, length = geometry.span()
    memory = np.zeros(length, grad.dtype)
    cells = np.arange(length)
    where = _strided(cells, geometry.offset - low, geometry.shape, geometry.strides)
    places = where.ravel()
    if np.unique(places).size == places.size:
        memory[places] = np.asarray(grad).ravel()
    else:
        np.add.at(memory, places, np.asarray(grad).ravel())
    whole = _strided(memory, -low, geometry.base_shape, geometry.base_strides)
    if any(not step and size > 1 for step, size in zip(geometry.base_strides, geometry.base_shape, strict=True)):
        # The base is expanded: its elements that are one place in memory share what that place gets, as in torch.
        places = _strided(cells, -low, geometry.base_shape, geometry.base_strides)
        return whole / np.bincount(places.ravel(), minlength=length)[places].astype(grad.dtype)
    return whole.copy()


def take(geometry: Geometry, whole: Any) -> np.ndarray:
    """Return the view's elements out of an array shaped like the base, as an array of their own."""
    return scatter_into(geometry, whole)[1].copy()


def put(geometry: Geometry, whole: Any, part: Any) -> np.ndarray:
    """Return a copy of `whole` in which the view's elements are `part`."""
    copy, place = scatter_into(geometry, whole)
    place[...] = part
    return np.array(copy, order="C")     # ascontiguousarray would make an array of a 0-d one
