"""Tensors as torch's C++ prints them, without brackets and with their type below: a few messages show them so.

Source: `print(std::ostream&, Tensor)` of ATen, as torch 2.13.0 shows it.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy

WIDTH = 80


def cpp_text(array: Any) -> str:
    """Return the text of an array.

    >>> print(cpp_text(np.array([[1.5, -2.0]], np.float32)))
     1.5000 -2.0000
    [ torch.FloatTensor{1,2} ]
    """
    array = np.asarray(array)
    shape = ",".join(map(str, array.shape))
    end = f"[ {from_numpy(array.dtype).shown_type}{{{shape}}} ]"
    if not array.size:
        return end
    if array.ndim < 2:
        scale, width, shown = _format(array)
        return "\n".join([shown(one / scale).rjust(width) for one in np.atleast_1d(array).tolist()] + [end])
    if array.ndim == 2:
        return "\n".join([*_matrix(array, ""), end])
    blocks: list[str] = []
    # The first of the leading dimensions runs fastest.
    for place in np.ndindex(*array.shape[-3::-1]):
        where = place[::-1]
        title = f"({''.join(f'{k + 1},' for k in where)}.,.) = "
        blocks += [*([""] if blocks else []), title, *_matrix(array[where], " ")]
    return "\n".join([*blocks, end])


def _format(array: np.ndarray) -> tuple[float, int, Any]:
    """Return what numbers are divided by, their width, and how one is written."""
    numbers = array.astype(np.float64)
    finite = np.abs(numbers[np.isfinite(numbers)])
    whole = bool((finite == np.ceil(finite)).all())
    low, high = (float(finite.min()), float(finite.max())) if finite.size else (1.0, 1.0)
    least, most = (math.floor(math.log10(one)) + 1 if one else 1 for one in (low, high))
    if whole and most <= 9:
        return 1.0, most + 1, lambda one: f"{one:g}"
    if whole or most - least > 4:
        return 1.0, 11 + (not whole and (abs(most) > 99 or abs(least) > 99)), lambda one: f"{one:.4e}"
    if most > 5 or most < 0:
        return 10.0 ** (most - 1), 7, lambda one: f"{one:.4f}"
    return 1.0, most + 6 if most else 7, lambda one: f"{one:.4f}"


def _matrix(array: np.ndarray, indent: str) -> list[str]:
    """Return the lines of a matrix; of a wide one a block of columns after the other.

    The first row follows what stands before it in the same line, as torch writes it.
    """
    scale, width, shown = _format(array)
    count = (WIDTH - len(indent)) // (width + 1)
    parts: list[str] = []
    for first in range(0, array.shape[1], count):
        last = min(first + count, array.shape[1])
        head = ""
        if count < array.shape[1]:
            head = f"Columns {first + 1} to {last}{indent}"
            parts += [""] if first else []
        if scale != 1:
            parts.append(f"{head}{scale:.10g} *")
            head = indent
        between = indent + (" " if scale != 1 else "")
        for k, row in enumerate(array[:, first:last].tolist()):
            parts.append((between if k else head) + " ".join(shown(one / scale).rjust(width) for one in row))
    return parts
