"""Turn an array into the few numbers and words that a reader can take in, so that no large array ever leaves Python."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np

from autograd_lab.introspect.model import ArrayDigest

SMALL = 16  # elements that are shown in full
FEWEST = 4  # the same in a graph of thousands of nodes
ROW = 3  # numbers that a one-line text spells out


def number(value: Any) -> str:
    """Write one number with four significant digits, as short as it gets."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value))
    if isinstance(value, (int, np.integer)):
        return str(int(value))
    if isinstance(value, (complex, np.complexfloating)):
        return f"{value.real:.4g}{value.imag:+.4g}j"
    return f"{float(value):.4g}"


def shape_text(shape: tuple[int, ...] | None) -> str:
    """Write a shape as torch users say it: `()`, `(3,)`, `(3, 4)`."""
    return "" if shape is None else str(tuple(int(size) for size in shape))


def size_text(nbytes: int) -> str:
    """Write a number of bytes: `48 B`, `120 KiB`, `1.5 MiB`."""
    size = float(nbytes)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if size < 1024 or unit == "GiB":
            break
        size /= 1024
    return f"{size:.0f} {unit}" if unit == "B" or size >= 10 else f"{size:.1f} {unit}"


def digest(array: Any, dtype: str | None = None, brief: bool = False) -> ArrayDigest:
    """Summarise a NumPy array or scalar.

    Args:
        array: ndarray or NumPy scalar; it is read, never kept.
        dtype: the engine's own name of the dtype, where NumPy has none (`bfloat16`).
        brief: leave single numbers and statistics out; a graph of thousands of nodes has no room for them.
    """
    array = np.asarray(array)
    shape, name, size = array.shape, dtype or _name(array.dtype), array.size
    if size == 0:
        return ArrayDigest(shape, name, 0, f"{shape}, empty")
    if size <= (FEWEST if brief else SMALL):
        return _small(array, shape, name)
    if brief and array.dtype.kind == "f":
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            total = float(np.dot(flat, flat))
        if math.isfinite(total):
            norm = math.sqrt(total)
            return ArrayDigest(shape, name, array.nbytes, _summary(shape, norm, 0), (), False, norm)
    return _small(array, shape, name) if size <= SMALL else _large(array, shape, name)


@cache
def _name(dtype: np.dtype) -> str:
    return str(dtype)


def _small(array: np.ndarray, shape: tuple[int, ...], name: str) -> ArrayDigest:
    values = array.ravel().tolist()
    words = [number(value) for value in values]
    if array.dtype.kind in "fiub":
        good = [float(value) for value in values if math.isfinite(value)]
    else:
        good = []
    bad = 0 if array.dtype.kind not in "fc" else sum(not _finite(value) for value in values)
    norm = math.sqrt(sum(value * value for value in good)) if good and not bad else None
    first = next(i for i, v in enumerate(values) if not _finite(v)) if bad else None
    if len(words) == 1 and not shape:
        text = words[0]
    elif all(word == words[0] for word in words):
        text = f"all {words[0]}" if len(words) > 1 else f"[{words[0]}]"
    elif len(words) <= ROW and len(shape) == 1:
        text = f"[{', '.join(words)}]"
    else:
        text = _summary(shape, norm, bad)
    width = shape[-1] if shape else 1
    rows = tuple(tuple(words[i : i + width]) for i in range(0, len(words), width))
    return ArrayDigest(
        shape,
        name,
        array.nbytes,
        text,
        rows,
        True,
        norm,
        min(good, default=None),
        max(good, default=None),
        sum(good) / len(good) if good else None,
        bad,
        None if first is None else tuple(int(i) for i in np.unravel_index(first, shape)),
    )


def _large(array: np.ndarray, shape: tuple[int, ...], name: str) -> ArrayDigest:
    kind = array.dtype.kind
    bad, first, norm, low, high, mean = 0, None, None, None, None, None
    if kind in "fiub":
        flat = array.reshape(-1)
        with np.errstate(all="ignore"):
            total = float(np.dot(flat, flat)) if kind == "f" else float(np.square(flat, dtype=np.float64).sum())
            if not math.isfinite(total) and kind == "f":
                finite = np.isfinite(flat)
                bad = int(flat.size - finite.sum())
                if bad:
                    first = tuple(int(i) for i in np.unravel_index(int(np.argmin(finite)), shape))
                    flat = flat[finite]
                else:
                    total = float(np.square(flat, dtype=np.float64).sum())
            norm = math.sqrt(total) if not bad and math.isfinite(total) else None
            if flat.size:
                low, high, mean = float(flat.min()), float(flat.max()), float(flat.mean(dtype=np.float64))
    if low is not None and low == high and not bad:
        text = f"all {number(array.flat[0])}"
    else:
        text = _summary(shape, norm, bad)
    return ArrayDigest(shape, name, array.nbytes, text, _corners(array), False, norm, low, high, mean, bad, first)


def _summary(shape: tuple[int, ...], norm: float | None, bad: int) -> str:
    if bad:
        return f"{shape}, {bad} not finite"
    return f"{shape}, norm {number(norm)}" if norm is not None else f"{shape}"


def _finite(value: Any) -> bool:
    return (
        math.isfinite(value.real) and math.isfinite(value.imag) if isinstance(value, complex) else math.isfinite(value)
    )


def _corners(array: np.ndarray) -> tuple[tuple[str, ...], ...]:
    """Return the corners of the array's first matrix as text."""
    while array.ndim > 2:
        array = array[0]
    if array.ndim < 2:
        array = array.reshape(1, -1)
    rows, columns = array.shape
    picked_rows: list[int | None] = list(range(rows)) if rows <= 5 else [0, 1, None, rows - 2, rows - 1]
    picked: list[int | None] = list(range(columns)) if columns <= 5 else [0, 1, None, columns - 2, columns - 1]
    return tuple(tuple("…" if r is None or c is None else number(array[r, c]) for c in picked) for r in picked_rows)
