"""Shapes given by the user: sizes in one tuple or one by one, a size left open with -1, a shape to broadcast to."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core.sizes import size_text
from autograd_lab.core.strided import bytes_between, owner_of
from autograd_lab.errors import explain


def ints(args: tuple, op: str = "", name: str = "size") -> tuple[int, ...]:
    """Return the ints of `f(2, 3)`, `f((2, 3))` or `f([2, 3])` as a tuple.

    >>> ints(((2, 3),)), ints((2, 3))
    ((2, 3), (2, 3))
    """
    if len(args) == 1 and isinstance(args[0], (tuple, list)):
        args = tuple(args[0])
    for size in args:
        if type(size) is not int:
            break
    else:
        return args
    found = []
    for position, size in enumerate(args):
        if not hasattr(size, "__index__"):
            raise TypeError(f"{op}(): argument '{name}' (position 1) must be tuple of ints, but found element of type "
                            f"{type(size).__name__} at pos {position}")  # fmt: skip
        found.append(size.__index__())
    return tuple(found)


def infer(size: tuple[int, ...], count: int) -> tuple[int, ...]:
    """Fill in the size left open with -1; raise if `count` elements do not fit.

    >>> infer((2, -1), 6)
    (2, 3)
    """
    known, position = 1, None
    for k, one in enumerate(size):
        if one == -1:
            if position is not None:
                raise RuntimeError("only one dimension can be inferred")
            position = k
        elif one < 0:
            raise RuntimeError(f"invalid shape dimension {one} at index {k} of shape {size_text(size)}")
        else:
            known *= one
    if position is None:
        if known == count:
            return size
    elif known and count % known == 0:
        return (*size[:position], count // known, *size[position + 1 :])
    elif not known and not count:
        raise RuntimeError(f"cannot reshape tensor of 0 elements into shape {size_text(size)} because the unspecified "
                           "dimension size -1 can be any value and is ambiguous")  # fmt: skip
    raise explain(RuntimeError(f"shape '{size_text(size)}' is invalid for input of size {count}"), "shapes")


def without_copy(array: Any, size: tuple[int, ...]) -> Any:
    """Return the array in another shape as a view, or None if its elements would have to be copied."""
    try:
        return array.reshape(size, copy=False)
    except ValueError:
        return None
    except TypeError:   # NumPy 2.0 knows no `copy`: look whose memory comes back (an address tells nothing when empty)
        made = array.reshape(size)
        shared = array.flags.c_contiguous or made.base is array or made.base is array.base
        return made if shared else None


def expanded_size(array: Any, size: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape that `expand` gives, with torch's errors."""
    shape = array.shape
    extra = len(size) - len(shape)
    if extra < 0:
        from autograd_lab.core.dtypes import from_numpy

        raise RuntimeError(f"expand({from_numpy(array.dtype).shown_type}{{{size_text(shape)}}}, size={size_text(size)}): the number of "  # noqa: E501
                           f"sizes provided ({len(size)}) must be greater or equal to the number of dimensions in the "
                           f"tensor ({len(shape)})")  # fmt: skip
    if size == shape or (not shape and -1 not in size and min(size, default=0) >= 0):
        return size
    found = []
    for k in range(len(size) - 1, -1, -1):  # torch reports the last dimension that does not fit
        want = size[k]
        have = shape[k - extra] if k >= extra else 1
        if want == -1:
            if k < extra:
                raise RuntimeError(
                    f"The expanded size of the tensor (-1) isn't allowed in a leading, non-existing dimension {k}"
                )
            want = have
        if want != have and (have != 1 or want < 0):
            raise explain(RuntimeError(
                f"The expanded size of the tensor ({want}) must match the existing size ({have}) at non-singleton "
                f"dimension {k}.  Target sizes: {size_text(size)}.  Tensor sizes: {size_text(shape)}"),
                "shapes")  # fmt: skip
        found.append(want)
    found.reverse()
    return tuple(found)


def broadcast_shapes(*shapes: tuple[int, ...]) -> tuple[int, ...]:
    """Return the shape to which all the shapes broadcast.

    >>> broadcast_shapes((2, 1), (3,))
    (2, 3)
    """
    found: tuple[int, ...] = ()
    for shape in shapes:
        length = max(len(found), len(shape))
        a, b = (1,) * (length - len(found)) + found, (1,) * (length - len(shape)) + shape
        for k in reversed(range(length)):
            if a[k] != b[k] and a[k] != 1 and b[k] != 1:
                from autograd_lab.core.failures import size_mismatch

                raise size_mismatch(a[k], b[k], k)
        found = tuple(m if n == 1 else n for m, n in zip(a, b, strict=True))
    return found


def strided(array: np.ndarray, shape: tuple[int, ...], strides: tuple[int, ...], offset: int = 0) -> np.ndarray:
    """Return a view of the array's memory with strides and offset in bytes, the offset counted from its first element.

    Unlike NumPy's as_strided, the result's `base` is an ndarray, so that the place in the memory can be told from it.
    """
    owner = owner_of(array)
    if not owner.flags.c_contiguous:
        owner = owner.T if owner.flags.f_contiguous else array
    if not owner.flags.c_contiguous:
        return np.lib.stride_tricks.as_strided(array, shape, strides)
    if owner is not array:
        offset += bytes_between(array, owner)
    if 0 in shape:      # which may begin beyond the memory's end; NumPy refuses that
        offset = min(offset, owner.nbytes)
    made = np.ndarray(shape, array.dtype, owner, offset, strides)
    if not owner.flags.writeable:
        made.flags.writeable = False
    return made


def count(size: tuple[int, ...]) -> int:
    """Return the number of elements of a shape."""
    return math.prod(size)
