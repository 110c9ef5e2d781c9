"""Python numbers that are to be written into a dtype: torch refuses those that it cannot hold."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import failures as fail


def check_fits(value: Any, dtype: np.dtype) -> None:
    """Raise torch's error for a number that overflows a dtype; unsigned integers also take what wraps once around.

    >>> check_fits(-1, np.dtype(np.uint8))
    >>> check_fits(300, np.dtype(np.uint8))
    Traceback (most recent call last):
    RuntimeError: value cannot be converted to type uint8_t without overflow
    """
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise OverflowError("int too big to convert")
    if dtype.kind == "f":
        number = float(value)
        if abs(number) > np.finfo(dtype).max and abs(number) != float("inf"):
            raise fail.number_overflow(value, dtype)
        return
    if dtype.kind == "b":
        return
    limits = np.iinfo(dtype)
    wraps = dtype.kind == "u" and not isinstance(value, float)
    least = -int(limits.max) if wraps else int(limits.min)
    if not least <= value <= int(limits.max):      # nan is in no range
        raise fail.number_overflow(value, dtype)
