"""Bags of embeddings: rows of a matrix, looked up and reduced bag by bag."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op
from autograd_lab.ops.refusals import no_derivative, not_differentiated

HIDDEN = {"function": False, "method": False, "out": False}
SUM, MEAN, MAX = range(3)


def check_indices(indices, offsets, rows, swift):
    """Raise as torch's kernel does for indices and offsets that do not fit."""
    for name, one in (("indices", indices), ("offsets", offsets)):
        if one.dtype not in (np.int64, np.int32):
            raise RuntimeError(f"Expected tensor for argument #1 '{name}' to have one of the following scalar types: "
                               f"Long, Int; but got torch.{from_numpy(one.dtype).scalar_name}Tensor instead (while checking "  # noqa: E501
                               "arguments for embedding_bag)")  # fmt: skip
    if offsets.size:
        if offsets[0] != 0:
            raise RuntimeError("offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. "  # noqa: E501
                               f"However, got {offsets[0]}")  # fmt: skip
        if offsets[-1] > indices.size:
            raise RuntimeError(f"offsets[-1] can not be greater than input's length {indices.size} but got offsets[-1] of "  # noqa: E501
                               f"{offsets[-1]}")  # fmt: skip
    outside = np.flatnonzero((indices < 0) | (indices >= rows))
    if outside.size:
        if not swift:
            raise RuntimeError("embedding_bag: Expected idx >= 0 && idx < num_embeddings but found idx to be "
                               f"{indices[outside[0]]}")  # fmt: skip
        raise RuntimeError(f"Index {outside[0]} of input takes value {indices[outside[0]]} which is not in the valid range "  # noqa: E501
                           f"[0, {rows})")  # fmt: skip


@op(
    r"y_b = \mathrm{reduce}_{i \in b}\, p_i\, w_{I_i}",
    node="EmbeddingBagBackward0",
    outputs=("result0", "result1", "result2", "result3"),
    differentiable=("result0",),
    optional=("per_sample_weights",),
    tensors=("indices", "offsets"),
    weight=Vjp(
        lambda grad, indices, offsets, result1, result2, result3, weight_argsize_0, scale_grad_by_freq, mode, sparse,
        per_sample_weights, padding_idx, xp: xp._embedding_bag_backward(
            grad, indices, offsets, result1, result2, result3, weight_argsize_0, scale_grad_by_freq, mode, sparse,
            per_sample_weights, padding_idx
        ),
        r"\bar w_{I_i} \mathrel{+}= p_i\, \bar y_b",
    ),
    per_sample_weights=Vjp(
        lambda grad, weight, indices, offsets, result1, mode, padding_idx, xp: (
            xp._embedding_bag_per_sample_weights_backward(grad, weight, indices, offsets, result1, mode, padding_idx)
        ),
        r"\bar p_i = \bar y_b^\top w_{I_i}",
    ),
    **HIDDEN,
)  # fmt: skip
def _embedding_bag(weight, indices, offsets, scale_grad_by_freq=False, mode=0, sparse=False, per_sample_weights=None,
                   include_last_offset=False, padding_idx=-1):  # fmt: skip
    """Sum, mean or maximum of the rows of each bag; also each row's bag, the bags' sizes, and where the maxima were."""
    check_indices(indices, offsets, len(weight), mode != MAX and weight.dtype.itemsize < 8)
    bags = len(offsets) - include_last_offset
    bag = np.searchsorted(offsets[:bags], np.arange(indices.size), "right").astype(np.int64) - 1
    there = indices != padding_idx
    sizes = np.bincount(bag[there], minlength=bags).astype(np.int64)
    rows = weight[indices]
    if per_sample_weights is not None:
        rows = rows * per_sample_weights[:, None]
    made = np.zeros((bags, weight.shape[1]), weight.dtype)
    places = np.zeros((bags, weight.shape[1]) if mode == MAX else (0,), np.int64)
    if mode == MAX:
        for one in range(bags):
            inside = np.flatnonzero((bag == one) & there)
            if inside.size:
                best = rows[inside].argmax(0)
                made[one] = rows[inside].max(0)
                places[one] = indices[inside][best]
        return made, bag, sizes, places
    np.add.at(made, bag[there], rows[there])
    if mode == MEAN:
        made = made / np.maximum(sizes, 1).astype(weight.dtype)[:, None]
    return made, bag, sizes, places


def frequencies(indices):
    """Return by what each row's gradient is divided.

    For the i-th of the rows that occur, torch's kernel takes the count of the i-th lookup, in the order of the rows:
    that is the row's own count only while no row before it came twice.
    """
    counts, rows = np.bincount(indices), np.unique(indices)
    found = np.ones(len(counts), np.int64)
    found[rows] = counts[np.sort(indices)[: len(rows)]]
    return found


@op(
    r"\bar w_{I_i} \mathrel{+}= p_i\, \bar y_b",
    node="EmbeddingBagBackwardBackward0",
    optional=("per_sample_weights",),
    tensors=("indices", "offsets", "offset2bag", "bag_size", "maximum_indices"),
    grad_output=Vjp(lambda grad: not_differentiated("_embedding_bag_backward")),
    per_sample_weights=Vjp(lambda grad: not_differentiated("_embedding_bag_backward")),
    **HIDDEN,
)
def _embedding_bag_backward(grad_output, indices, offsets, offset2bag, bag_size, maximum_indices, num_weights,
                            scale_grad_by_freq, mode, sparse, per_sample_weights, padding_idx):  # fmt: skip
    """Add each bag's gradient to the rows that were looked up for it."""
    made = np.zeros((num_weights, grad_output.shape[1]), grad_output.dtype)
    if mode == MAX:
        full = np.flatnonzero(bag_size)
        np.add.at(made, (maximum_indices[full], np.arange(grad_output.shape[1])), grad_output[full])
        return made
    there = indices != padding_idx
    rows, bag = indices[there], offset2bag[there]
    part = grad_output[bag]
    if mode == MEAN:
        part = part / bag_size[bag].astype(grad_output.dtype)[:, None]
    if per_sample_weights is not None:
        part = part * per_sample_weights[there][:, None]
    if scale_grad_by_freq:
        part = part / frequencies(indices)[rows].astype(grad_output.dtype)[:, None]
    np.add.at(made, rows, part)
    return made


@op(
    r"\bar p_i = \bar y_b^\top w_{I_i}",
    node="NotImplemented",
    tensors=("indices", "offsets", "offset2bag"),
    grad_output=Vjp(lambda grad: no_derivative("_embedding_bag_per_sample_weights_backward")),
    weight=Vjp(lambda grad: no_derivative("_embedding_bag_per_sample_weights_backward")),
    **HIDDEN,
)
def _embedding_bag_per_sample_weights_backward(grad_output, weight, indices, offsets, offset2bag, mode, padding_idx):
    """The gradient of each row's own weight."""
    found = (grad_output[offset2bag] * weight[indices]).sum(-1)
    return np.where(indices == padding_idx, 0, found).astype(grad_output.dtype)
