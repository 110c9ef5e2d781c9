"""Singular and symmetric decompositions along the paths that torch's LAPACK takes, so that vectors get its signs.

A singular or eigenvector is as right as its negative; which of the two comes out follows from the order of
reflections and rotations. torch is built on Intel's MKL, which leaves the reference LAPACK in three places: a tall
matrix goes through QR from 1.5 times as many rows on, a wide one through LQ only from 20 times as many columns on, and
the rotations of the symmetric QL iteration follow the sign rule of LAPACK before 3.10. NumPy does the rest.

Source: https://www.netlib.org/lapack/explore-html (gesdd, gebrd, sytd2, steqr, laev2), measured against torch 2.13.0.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

SMALL = 64          # wide matrices of so many rows are reduced here, larger ones as NumPy does it
SHORT = 25          # symmetric matrices of this size are iterated, larger ones divided


def over_batch(function: Any, array: np.ndarray, *args: Any) -> tuple:
    """Run a function of one matrix on each of a batch."""
    if array.ndim == 2:
        return function(array, *args)
    found = [function(one, *args) for one in array.reshape(-1, *array.shape[-2:])]
    return tuple(np.stack(part).reshape(*array.shape[:-2], *part[0].shape) for part in zip(*found, strict=True))


# ------------------------------------------------------------------ singular values
def svd(array: np.ndarray, full: bool) -> tuple:
    """Return U, S, Vh of a matrix or a batch."""
    rows, columns = array.shape[-2:]
    small = min(rows, columns)
    if not array.size or not np.isfinite(array).all():
        return tuple(np.linalg.svd(array, full_matrices=full))
    if int(1.5 * columns) <= rows < 11 * columns // 6:
        return over_batch(through_qr, np.asarray(array, np.float64), full)
    if 11 * rows // 6 <= columns < 20 * rows and 1 < small <= SMALL:
        return over_batch(straight, np.asarray(array, np.float64), full)
    return tuple(np.linalg.svd(array, full_matrices=full))


def through_qr(A: np.ndarray, full: bool) -> tuple:
    """Decompose a tall matrix by way of its triangular factor."""
    columns = A.shape[1]
    Q, R = np.linalg.qr(A, "complete" if full else "reduced")
    U, S, Vh = np.linalg.svd(R[:columns])
    return np.hstack([Q[:, :columns] @ U, Q[:, columns:]]), S, Vh


def straight(A: np.ndarray, full: bool) -> tuple:
    """Decompose a wide matrix without a triangular factor: to a lower bidiagonal, by rotations to an upper one."""
    rows, columns = A.shape
    A, left, right = A.copy(), np.eye(rows), np.eye(columns)
    for k in range(rows):
        H = reflection(A[k, k:])
        A[:, k:], right[:, k:] = A[:, k:] @ H, right[:, k:] @ H
        if k < rows - 1:
            H = reflection(A[k + 1 :, k])
            A[k + 1 :], left[:, k + 1 :] = H @ A[k + 1 :], left[:, k + 1 :] @ H
    main, below = A.diagonal().copy(), A.diagonal(-1).copy()
    for k in range(rows - 1):
        length = math.copysign(math.hypot(main[k], below[k]), main[k])
        c, s = (main[k] / length, below[k] / length) if length else (1.0, 0.0)
        turn(left, k, c, s)
        main[k], below[k], main[k + 1] = length, s * main[k + 1], c * main[k + 1]
    U, S, Vh = np.linalg.svd(np.diag(main) + np.diag(below, 1))     # on a bidiagonal, LAPACK only iterates
    Vh = Vh @ right[:, :rows].T
    return left @ U, S, np.vstack([Vh, right[:, rows:].T]) if full else Vh


def reflection(column: np.ndarray) -> np.ndarray:
    """Return Householder's matrix that turns a vector into a multiple of the first unit vector."""
    size, rest = len(column), float(np.linalg.norm(column[1:]))
    if not rest:
        return np.eye(size)
    beta = -math.copysign(math.hypot(column[0], rest), column[0])
    v = column / (column[0] - beta)
    v[0] = 1
    return np.eye(size) - (beta - column[0]) / beta * np.outer(v, v)


def turn(matrix: np.ndarray, k: int, c: float, s: float) -> None:
    """Rotate two neighbouring columns."""
    later = matrix[:, k + 1].copy()
    matrix[:, k + 1] = c * later - s * matrix[:, k]
    matrix[:, k] = s * later + c * matrix[:, k]


# ------------------------------------------------------------------ symmetric matrices
def eigh(array: np.ndarray, triangle: str) -> tuple:
    """Return the eigenvalues, ascending, and the eigenvectors of a symmetric matrix or a batch."""
    size = array.shape[-1]
    if size < 3 or size > SHORT or not array.size or not np.isfinite(array).all():
        return tuple(np.linalg.eigh(array, triangle))
    values, _ = np.linalg.eigh(array, triangle)     # raises what there is to raise
    limits = np.finfo(array.dtype)      # of single precision too: they say when a sweep was the last
    _, vectors = over_batch(iterate, np.asarray(array, np.float64), triangle.upper(), limits.eps / 2, limits.tiny)
    return values, vectors


def iterate(A: np.ndarray, triangle: str, eps: float, tiny: float) -> tuple:
    """Reduce a symmetric matrix to three diagonals, and these to one."""
    size, A, vectors = len(A), np.tril(A) if triangle == "L" else np.triu(A), np.eye(len(A))
    A = A + A.T - np.diag(A.diagonal())
    for k in range(size - 2):
        if triangle == "L":
            part, H = slice(k + 1, size), reflection(A[k + 1 :, k])
        else:
            last = size - 1 - k
            part, H = slice(0, last), reflection(A[:last, last][::-1])[::-1, ::-1]
        A[part] = H @ A[part]
        A[:, part] = A[:, part] @ H
        vectors[:, part] = vectors[:, part] @ H
    turns = np.eye(size)
    values = implicit_ql(A.diagonal().tolist(), [*A.diagonal(-1).tolist(), 0.0], turns, float(eps), float(tiny))
    order = np.argsort(values, kind="stable")
    return np.array(values)[order], (vectors @ turns)[:, order]


def implicit_ql(d: list[float], e: list[float], Z: np.ndarray, eps: float, tiny: float) -> list[float]:
    """Return the eigenvalues of a matrix of three diagonals, and turn the columns of Z with it."""
    start, size, rounds = 0, len(d), 30 * len(d)
    while start < size and rounds:
        if start:
            e[start - 1] = 0.0
        end = start
        while end < size - 1 and abs(e[end]) > math.sqrt(abs(d[end])) * math.sqrt(abs(d[end + 1])) * eps:
            end += 1
        e[end] = 0.0
        first, last, start = start, end, end + 1
        # The end with the smaller element is chased first: upwards (QL), or downwards (QR).
        here, goal, step = (last, first, -1) if abs(d[last]) < abs(d[first]) else (first, last, 1)
        while (goal - here) * step >= 0 and rounds:
            here, rounds = one_sweep(d, e, Z, here, goal, step, (eps, tiny)), rounds - 1
    return d


def one_sweep(d: list[float], e: list[float], Z: np.ndarray, here: int, goal: int, step: int,
              limits: tuple[float, float]) -> int:  # fmt: skip
    """Run one step of the iteration from an end of an unreduced block, and return where the rest begins."""
    def beside(k: int) -> int:
        return k if step == 1 else k - 1        # where the element between k and its neighbour stands in e

    cut = here
    while cut != goal:
        small = limits[0] ** 2 * abs(d[cut]) * abs(d[cut + step]) + limits[1]
        if e[beside(cut)] ** 2 <= small:
            e[beside(cut)] = 0.0
            break
        cut += step
    if cut == here:
        return here + step
    p, off = d[here], beside(here)
    if cut == here + step:
        low = min(here, cut)
        d[low], d[low + 1], c, s = two_by_two(d[low], e[off], d[low + 1])
        turn(Z, low, c, s)
        e[off] = 0.0
        return here + 2 * step
    g = (d[here + step] - p) / (2 * e[off])
    g = d[cut] - p + e[off] / (g + math.copysign(math.hypot(g, 1.0), g))
    s, c, p = 1.0, 1.0, 0.0
    for k in range(cut - step, here - step, -step):
        f, b = s * e[beside(k)], c * e[beside(k)]
        c, s, r = rotation(g, f)
        if k != cut - step:
            e[beside(k + step)] = r
        g = d[k + step] - p
        r = (d[k] - g) * s + 2 * c * b
        p = s * r
        d[k + step] = g + p
        g = c * r - b
        turn(Z, min(k, k + step), c, -s * step)
    d[here] -= p
    e[off] = g
    return here


def rotation(f: float, g: float) -> tuple[float, float, float]:
    """Return cosine, sine and length that turn (f, g) into (r, 0), with the signs of the older LAPACK."""
    if g == 0:
        return 1.0, 0.0, f
    if f == 0:
        return 0.0, 1.0, g
    r = math.hypot(f, g)
    sign = -1.0 if abs(f) > abs(g) and f < 0 else 1.0
    return sign * f / r, sign * g / r, sign * r


def two_by_two(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """Return both eigenvalues of [[a, b], [b, c]], the larger in size first, and the eigenvector of that one."""
    total, apart = a + c, a - c
    root = math.hypot(apart, 2 * b)
    large, little = (a, c) if abs(a) > abs(c) else (c, a)
    sign = -1 if total < 0 else 1
    first = 0.5 * (total + sign * root)
    second = large / first * little - b / first * b if total else -0.5 * root
    direction = 1 if apart >= 0 else -1
    cs = apart + direction * root
    if abs(cs) > abs(2 * b):
        ratio = -2 * b / cs
        sine = 1 / math.hypot(1, ratio)
        cosine = ratio * sine
    elif b == 0:
        cosine, sine = 1.0, 0.0
    else:
        ratio = -cs / (2 * b)
        cosine = 1 / math.hypot(1, ratio)
        sine = ratio * cosine
    if sign == direction:
        cosine, sine = -sine, cosine
    return first, second, cosine, sine
