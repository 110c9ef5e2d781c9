"""How samples become a batch: tensors are stacked, numbers become tensors, containers keep their shape."""

from __future__ import annotations

import copy
from collections.abc import Mapping, MutableMapping, MutableSequence, Sequence
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import float64
from autograd_lab.core.op import functions
from autograd_lab.core.tensor import Tensor

NOTHING = "default_collate: batch must contain tensors, numpy arrays, numbers, dicts or lists; found {}"


def default_collate(batch: Sequence[Any]) -> Any:
    """Return a list of samples as a batch.

    Raises TypeError for samples that cannot be put together, RuntimeError for sequences of different lengths.

    >>> default_collate([(0, 1.5), (2, 2.5)])
    [tensor([0, 2]), tensor([1.5000, 2.5000], dtype=torch.float64)]
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return functions["stack"](list(batch), 0)
    if isinstance(first, np.ndarray) and first.shape:
        if first.dtype.kind in "SUOM":
            raise TypeError(NOTHING.format(first.dtype))
        return functions["stack"]([functions["as_tensor"](one) for one in batch], 0)
    if isinstance(first, (np.ndarray, np.generic)):
        return functions["as_tensor"](np.array(batch))
    if isinstance(first, float):
        return functions["tensor"](list(batch), dtype=float64)
    if isinstance(first, int):
        return functions["tensor"](list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return _mapping(first, {key: default_collate([sample[key] for sample in batch]) for key in first})
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(default_collate(samples) for samples in zip(*batch, strict=False)))
    if isinstance(first, Sequence):
        if any(len(sample) != len(first) for sample in batch):
            raise RuntimeError("each element in list of batch should be of equal size")
        parts = [default_collate(samples) for samples in zip(*batch, strict=True)]
        return parts if isinstance(first, tuple) else _sequence(first, parts)
    raise TypeError(NOTHING.format(type(first)))


def _mapping(like: Mapping, parts: dict) -> Any:
    """Return a mapping of the samples' own class, if it can be made."""
    try:
        if isinstance(like, MutableMapping):
            made = copy.copy(like)
            made.update(parts)
            return made
        return type(like)(parts)  # type: ignore[call-arg]
    except TypeError:
        return parts


def _sequence(like: Sequence, parts: list) -> Any:
    try:
        if isinstance(like, MutableSequence):
            made = copy.copy(like)
            made[:] = parts
            return made
        return type(like)(parts)  # type: ignore[call-arg]
    except TypeError:
        return parts
