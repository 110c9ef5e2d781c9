"""Gaussian elimination with row exchanges, on plain arrays: LU factors, pivots and where one is zero."""

from __future__ import annotations

import numpy as np


def eliminated(matrix):
    """Return the LU factors of a matrix in one array, and the rows that were exchanged (counted from 1, as LAPACK does)."""  # noqa: E501
    lu = np.array(matrix)
    count = min(lu.shape)
    pivots = np.arange(1, count + 1, dtype=np.int32)
    for k in range(count):
        best = k + int(np.argmax(np.abs(lu[k:, k])))
        pivots[k] = best + 1
        if lu[best, k] == 0:
            continue
        if best != k:
            lu[[k, best]] = lu[[best, k]]
        lu[k + 1 :, k] /= lu[k, k]
        lu[k + 1 :, k + 1 :] -= np.outer(lu[k + 1 :, k], lu[k, k + 1 :])
    return lu, pivots


def zero_pivot(matrix):
    """Return the number of the first zero on the diagonal of U, from 1; 0 if there is none."""
    zero = np.flatnonzero(np.diagonal(eliminated(matrix)[0]) == 0)
    return int(zero[0]) + 1 if zero.size else 0


def lu_of(array):
    """Return the LU factors and pivots of a batch of matrices."""
    batch = array.shape[:-2]
    parts = [eliminated(matrix) for matrix in array.reshape(-1, *array.shape[-2:])] if array.size else []
    count = min(array.shape[-2:])
    if not array.size:
        return np.array(array), np.zeros((*batch, count), np.int32)
    return (
        np.stack([lu for lu, _ in parts]).reshape(array.shape),
        np.stack([p for _, p in parts]).reshape(*batch, count),
    )
