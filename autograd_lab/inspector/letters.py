"""Write text as outlines of DejaVu Sans: a picture with hundreds of labels is then drawn in a few milliseconds."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

SIZE = 100.0  # the size at which outlines are kept
MIDDLE = 0.36  # of the size: how far the baseline stands below the middle of a line


@cache
def _font(bold: bool, slanted: bool) -> Any:
    from matplotlib.font_manager import FontProperties, findfont, get_font

    style = FontProperties(
        family="DejaVu Sans", weight="bold" if bold else "normal", style="oblique" if slanted else "normal"
    )
    return get_font(findfont(style))


@cache
def _letter(letter: str, bold: bool, slanted: bool) -> tuple[np.ndarray, np.ndarray, float]:
    """Return vertices, codes and advance of one letter."""
    from matplotlib.ft2font import LoadFlags

    font = _font(bold, slanted)
    font.set_size(SIZE, 72)
    glyph = font.load_char(ord(letter), flags=LoadFlags.NO_HINTING)
    vertices, codes = font.get_path()
    return vertices, codes, glyph.linearHoriAdvance / 65536


def outline(x: float, y: float, words: str, size: float, bold: bool, slanted: bool, side: str) -> Any:
    """Return a line of text as a matplotlib path; `x`, `y` is its left, middle or right; y grows downwards."""
    from matplotlib.path import Path

    letters = [_letter(letter, bold, slanted) for letter in words]
    scale = size / SIZE
    starts = np.concatenate(([0.0], np.cumsum([advance for _, _, advance in letters])))
    shift = {"left": 0.0, "center": 0.5, "right": 1.0}[side] * starts[-1]
    parts = [vertices + (start - shift, 0.0) for (vertices, _, _), start in zip(letters, starts) if len(vertices)]
    codes = [code for _, code, _ in letters if len(code)]
    vertices = np.concatenate(parts) * (scale, -scale) + (x, y + MIDDLE * size)
    return Path(vertices, np.concatenate(codes))
