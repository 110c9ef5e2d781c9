"""How tensors were printed before 0.4: rows of numbers, then a line with type and size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np

PRECISION, THRESHOLD, EDGE, WIDTH = 4, 1000, 3, 80


@dataclass(frozen=True)
class Style:
    """How the numbers of one tensor are written: all alike, so that columns stand below each other."""

    format: str
    scale: float
    width: int

    def number(self, value: float) -> str:
        """Return one number as text."""
        return self.format.format(value / self.scale)


def style_of(values: np.ndarray, least: int = 2) -> Style:
    """Choose the style: whole numbers without a point, others with four digits, a common factor for long ones."""
    numbers = np.abs(np.asarray(values, np.float64).reshape(-1))
    finite = numbers[np.isfinite(numbers)]
    if finite.size < numbers.size:
        least = max(least, 3)
    if not finite.size:
        finite = np.zeros(1)
    low, high = (_digits(float(one)) for one in (finite.min(), finite.max()))
    if bool((finite == np.ceil(finite)).all()):
        if high > PRECISION + 1:
            return Style(f"{{:11.{PRECISION}e}}", 1, max(least, 7 + PRECISION))
        width = max(least, high + 1)
        return Style(f"{{:{width}.0f}}", 1, width)
    if high - low > PRECISION:
        width = max(least, 7 + PRECISION + (abs(high) > 99 or abs(low) > 99))
        return Style(f"{{:{width}.{PRECISION}e}}", 1, width)
    if high > PRECISION + 1 or high < 0:
        width = max(least, 7)
        return Style(f"{{:{width}.{PRECISION}f}}", math.pow(10, high - 1), width)
    width = max(least, 7 if high == 0 else high + 6)
    return Style(f"{{:{width}.{PRECISION}f}}", 1, width)


def _digits(value: float) -> int:
    """Return the digits before the point."""
    return math.floor(math.log10(value)) + 1 if value else 1


def old_text(tensor: Any) -> str:
    """Return what `print(tensor)` showed before 0.4, as `repr` gave it: with a line break at both ends.

    >>> import autograd_lab as torch
    >>> print(old_text(torch.ones(2, 3)))
    <BLANKLINE>
     1  1  1
     1  1  1
    [torch.FloatTensor of size 2x3]
    <BLANKLINE>
    """
    values = np.asarray(tensor.detach().numpy())
    if values.ndim == 0:
        values = values.reshape(1)
    size = "x".join(map(str, values.shape))
    # There were no bool tensors: a comparison gave bytes.
    kind = tensor.type().replace("Bool", "Byte")
    last_line = f"[{kind} of size {size}]\n"
    if values.size == 0:
        return f"[{kind} with no dimension]\n"
    if values.ndim == 1:
        return "\n" + _vector(values) + last_line
    if values.ndim == 2:
        return "\n" + _matrix(values, style_of(values), "") + last_line
    style = style_of(values, 3 if values.size >= THRESHOLD else 2)
    blocks = []
    for place in _places(values.shape[:-2], values.size >= THRESHOLD):
        if place is None:
            blocks.append("...\n")
            continue
        head = ",".join(f"{number} " for number in place)
        blocks.append(f"({head},.,.) = \n" + _matrix(values[place], style, " "))
    return "\n" + "\n".join(blocks) + last_line


def _vector(values: np.ndarray) -> str:
    style = style_of(values, 3 if values.size >= THRESHOLD else 2)
    shown = [style.number(value) for value in values.tolist()] if values.size < THRESHOLD else [
        *(style.number(value) for value in values[:EDGE].tolist()), " " * max(0, style.width // 2 - 1) + "⋮",
        *(style.number(value) for value in values[-EDGE:].tolist()),
    ]  # fmt: skip
    indent = " " if style.scale != 1 else ""
    return _factor(style) + "".join(f"{indent}{text}\n" for text in shown)


def _matrix(values: np.ndarray, style: Style, indent: str) -> str:
    rows, columns = values.shape
    if values.size >= THRESHOLD:
        return _factor(style) + "".join(_cut_row(values, row, style, indent) for row in _few(rows))
    fit = max(1, (WIDTH - len(indent)) // (style.width + 1))
    text = ""
    for first in range(0, columns, fit):
        last = min(first + fit, columns) - 1
        if fit < columns:
            text += f"\nColumns {first} to {last} \n{indent}"
        text += _factor(style)
        for row in values[:, first:last + 1].tolist():
            text += indent + (" " if style.scale != 1 else "") + " ".join(map(style.number, row)) + "\n"
    return text


def _cut_row(values: np.ndarray, row: int | None, style: Style, indent: str) -> str:
    """Return one row of a large matrix, the middle left out."""
    dots = "…" if row is not None else "⋱"
    columns = _few(values.shape[1])
    if row is None:
        return indent + " ".join(dots if column is None else "...".rjust(style.width) for column in columns) + "\n"
    parts = ["  " + dots + " " if column is None else style.number(float(values[row, column])) for column in columns]
    return indent + (" " if style.scale != 1 else "") + " ".join(parts) + "\n"


def _few(size: int) -> list[int | None]:
    """Return all indices, or the first and the last with None between."""
    return list(range(size)) if size <= 2 * EDGE else [*range(EDGE), None, *range(size - EDGE, size)]


def _places(sizes: tuple, cut: bool) -> list:
    """Return the indices of the matrices in a tensor of three or more dimensions."""
    if not cut:
        return list(product(*(range(size) for size in sizes)))
    found: list = []
    for place in product(*(_few(size) for size in sizes)):
        if None not in place:
            found.append(place)
        elif not found or found[-1] is not None:
            found.append(None)
    return found


def _factor(style: Style) -> str:
    return f"{style.scale:.5e} *\n" if style.scale != 1 else ""
