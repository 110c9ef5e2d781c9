"""`torch.Size`, and shapes as torch writes them in messages."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any


class Size(tuple):
    """The shape of a tensor: a tuple of ints that prints as `torch.Size([2, 3])`.

    Source: https://docs.pytorch.org/docs/stable/size.html

    >>> Size([2, 3]).numel()
    6
    """

    __slots__ = ()
    __module__ = "torch"

    def __new__(cls, sizes: Iterable[Any] = ()) -> Size:
        """Make a Size of ints, or raise TypeError for anything that is none."""
        sizes = tuple(sizes)
        for k, size in enumerate(sizes):
            if type(size) is not int and not _is_whole(size):
                raise TypeError(f"torch.Size() takes an iterable of 'int' (item {k} is '{type(size).__name__}')")
        return tuple.__new__(cls, [int(size) for size in sizes])

    def numel(self) -> int:
        """Return the number of elements of a tensor of this size."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"torch.Size([{', '.join(map(str, self))}])"

    def __getitem__(self, index: Any) -> Any:
        found = tuple.__getitem__(self, index)
        return Size(found) if isinstance(index, slice) else found

    def __add__(self, other: Any) -> Any:
        return Size(tuple.__add__(self, tuple(other))) if isinstance(other, tuple) else NotImplemented

    def __radd__(self, other: Any) -> Any:
        return Size(tuple(other) + tuple(self)) if isinstance(other, tuple) else NotImplemented

    def __mul__(self, times: Any) -> Any:
        found = tuple.__mul__(self, times)
        return Size(found) if isinstance(found, tuple) else found

    __rmul__ = __mul__

    def __reduce__(self) -> Any:
        return make_size, (tuple(self),)


def _is_whole(size: Any) -> bool:
    """Say whether something counts as an int; a tensor of floats has `__index__` and does not."""
    try:
        size.__index__()
    except (AttributeError, TypeError):
        return False
    return True


def make_size(shape: tuple[int, ...]) -> Size:
    """Return a Size from a tuple known to hold plain ints."""
    return tuple.__new__(Size, shape)


def size_text(shape: Iterable[int]) -> str:
    """Return a shape as torch's C++ messages write it: [2, 3]."""
    return f"[{', '.join(map(str, shape))}]"
