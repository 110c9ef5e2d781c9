"""The orders in which torch lays a tensor's elements in memory: by rows, as they are, or with the channels last."""

from __future__ import annotations

from typing import Any

import numpy as np


class memory_format:
    """Name an order of elements in memory.

    Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#torch.memory_format
    """

    def __init__(self, name: str = "") -> None:
        if not name:
            raise TypeError("cannot create 'torch.memory_format' instances")
        self._name = name

    def __repr__(self) -> str:
        return f"torch.{self._name}"

    def __reduce__(self) -> str:
        return self._name


memory_format.__module__ = "autograd_lab"
contiguous_format, preserve_format = memory_format("contiguous_format"), memory_format("preserve_format")
channels_last, channels_last_3d = memory_format("channels_last"), memory_format("channels_last_3d")
_RANKS = {channels_last: 4, channels_last_3d: 5}


def arranged(array: np.ndarray, order: Any) -> np.ndarray:
    """Return a copy of the array in an order; raise RuntimeError for a number of dimensions that it does not fit.

    >>> arranged(np.zeros((1, 2, 3, 4)), channels_last).strides
    (192, 8, 64, 16)
    """
    if order not in _RANKS:
        return np.array(array, order="C")
    rank = _RANKS[order]
    if array.ndim != rank:
        raise RuntimeError(f"required rank {rank} tensor to use {order!r}".replace("torch.", "") + " format")
    return np.array(np.moveaxis(array, 1, -1), order="C").transpose(0, -1, *range(1, rank - 1))


def is_arranged(array: np.ndarray, order: Any) -> bool:
    """Say whether the elements lie in an order, without gaps."""
    if order not in _RANKS:
        return bool(array.flags.c_contiguous)
    return array.ndim == _RANKS[order] and bool(np.moveaxis(array, 1, -1).flags.c_contiguous)
