"""`nn.functional.embedding_bag`: rows of a matrix, looked up and reduced bag by bag."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.op import tensors
from autograd_lab.core.tensor import Tensor, fresh

MODES = {"sum": 0, "mean": 1, "max": 2}


def embedding_bag(input: Tensor, weight: Tensor, offsets: Tensor | None = None, max_norm: float | None = None,
                  norm_type: float = 2, scale_grad_by_freq: bool = False, mode: str = "mean", sparse: bool = False,
                  per_sample_weights: Tensor | None = None, include_last_offset: bool = False,
                  padding_idx: int | None = None) -> Tensor:  # fmt: skip
    """Return the mean, sum or maximum of the rows of each bag.

    Args:
        input: the numbers of the rows: (bags, size) for bags of one size, or (N,) with
        offsets: where in `input` each bag begins.
        weight: (rows, width), the matrix.
        max_norm, norm_type, sparse: outside the lab's scope.
        scale_grad_by_freq: whether a row's gradient is divided by how often it was looked up.
        mode: "mean", "sum" or "max".
        per_sample_weights: what each row is multiplied by, for "sum" only.
        include_last_offset: whether the last offset is the end of the last bag.
        padding_idx: a row that does not count.

    Raises ValueError for shapes and modes that do not go together, RuntimeError for numbers that are no rows.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.embedding_bag.html

    >>> import autograd_lab as torch
    >>> torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), torch.tensor([[1.0, 2.0], [3.0, 6.0]]))
    tensor([[2., 4.]])
    """
    if weight._array.dtype == np.int64 and input._array.dtype.kind == "f":
        input, weight = weight, input       # their order of long ago, with a warning in torch
    shape = input._array.shape
    if per_sample_weights is not None and per_sample_weights._array.shape != shape:
        raise ValueError(f"embedding_bag: If per_sample_weights ({per_sample_weights.shape}) is not None, then it must have the "  # noqa: E501
                         f"same shape as the input ({input.shape})")  # fmt: skip
    if len(shape) == 2:
        if offsets is not None:
            raise ValueError("if input is 2D, then offsets has to be None, as input is treated is a mini-batch of fixed length "  # noqa: E501
                             f"sequences. However, found offsets of type {type(offsets)}")  # fmt: skip
        offsets = fresh(np.arange(0, input._array.size, shape[1], dtype=input._array.dtype))
        input = input.reshape(-1)
        if per_sample_weights is not None:
            per_sample_weights = per_sample_weights.reshape(-1)
    elif len(shape) == 1:
        if offsets is None:
            raise ValueError("offsets has to be a 1D Tensor but got None")
        if offsets._array.ndim != 1:
            raise ValueError("offsets has to be a 1D Tensor")
    else:
        raise ValueError(f"input has to be 1D or 2D Tensor, but got Tensor of dimension {len(shape)}")
    if mode not in MODES:
        raise ValueError("mode has to be one of sum, mean or max")
    if mode == "max":
        for wrong, what in ((scale_grad_by_freq, "scaling the gradient by the frequency"), (sparse, "sparse weights")):
            if wrong:
                raise ValueError(f"max mode does not support {what}")
    if per_sample_weights is not None and mode != "sum":
        raise NotImplementedError("embedding_bag: per_sample_weights was not None. per_sample_weights is only supported for "  # noqa: E501
                                  f"mode='sum' (got mode='{mode}'). Please open a feature request on GitHub.")  # fmt: skip  # noqa: E501
    if max_norm is not None or sparse:
        raise NotImplementedError("embedding_bag: max_norm and sparse are outside the lab's scope.")
    rows = weight._array.shape[0]
    if padding_idx is not None:
        if not -rows <= padding_idx < rows:
            raise RuntimeError(f"padding_idx must be within the number of embeddings, {-rows} through {rows - 1}, but got "  # noqa: E501
                               f"{padding_idx}")  # fmt: skip
        padding_idx %= rows
    return tensors._embedding_bag(weight, input, offsets, scale_grad_by_freq, MODES[mode], sparse, per_sample_weights,
                                  include_last_offset, -1 if padding_idx is None else padding_idx)[0]  # fmt: skip


__all__ = ["embedding_bag"]
