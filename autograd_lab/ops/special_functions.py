"""The error function and its complement on arrays, to the last digits of float64 (NumPy has neither).

Rational approximations on three intervals: W. J. Cody, "Rational Chebyshev approximation for the error function",
Mathematics of Computation 23 (1969).
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

# Numerator and denominator, highest power first: erf(x)/x in x², for |x| <= 0.46875.
_SMALL = (
    (1.85777706184603153e-1, 3.16112374387056560e0, 1.13864154151050156e2, 3.77485237685302021e2,
     3.20937758913846947e3),
    (1.0, 2.36012909523441209e1, 2.44024637934444173e2, 1.28261652607737228e3, 2.84423683343917062e3),
)
# erfc(x) e^(x²) in x, up to 4.
_MIDDLE = (
    (2.15311535474403846e-8, 5.64188496988670089e-1, 8.88314979438837594e0, 6.61191906371416295e1,
     2.98635138197400131e2, 8.81952221241769090e2, 1.71204761263407058e3, 2.05107837782607147e3, 1.23033935479799725e3),
    (1.0, 1.57449261107098347e1, 1.17693950891312499e2, 5.37181101862009858e2, 1.62138957456669019e3,
     3.29079923573345963e3, 4.36261909014324716e3, 3.43936767414372164e3, 1.23033935480374942e3),
)  # fmt: skip
# (1/√π − x erfc(x) e^(x²)) x² in 1/x², beyond 4.
_LARGE = (
    (1.63153871373020978e-2, 3.05326634961232344e-1, 3.60344899949804439e-1, 1.25781726111229246e-1,
     1.60837851487422766e-2, 6.58749161529837803e-4),
    (1.0, 2.56852019228982242e0, 1.87295284992346725e0, 5.27905102951428412e-1, 6.05183413124413191e-2,
     2.33520497626869185e-3),
)  # fmt: skip


def _ratio(coefficients: tuple, at: np.ndarray) -> np.ndarray:
    above, below = coefficients
    return np.polyval(above, at) / np.polyval(below, at)


def _both(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return (erf, erfc) of a float64 array."""
    size = np.abs(x)
    small = size <= 0.46875
    near = x * _ratio(_SMALL, np.where(small, x * x, 0.0))
    middle = _ratio(_MIDDLE, np.clip(size, 0.46875, 4.0))
    beyond = np.where(size > 4.0, size, 5.0)
    inverse = 1 / (beyond * beyond)
    large = (1 / math.sqrt(math.pi) - inverse * _ratio(_LARGE, inverse)) / beyond
    # e^(-x²) in two factors: x² itself would lose digits.
    coarse = np.where(np.isfinite(size), np.trunc(size * 16) / 16, size)
    decay = np.exp(-coarse * coarse) * np.exp(-np.where(np.isfinite(size), (size - coarse) * (size + coarse), 0.0))
    tail = np.where(size <= 4.0, middle, large) * decay
    far = np.where(x < 0, tail - 1, 1 - tail)
    erf = np.where(small, near, far)
    erfc = np.where(small, 1 - near, np.where(x < 0, 2 - tail, tail))
    return np.where(np.isnan(x), x, erf), np.where(np.isnan(x), x, erfc)


def erf_array(x: Any) -> Any:
    """Return the error function of an array or NumPy scalar, in its dtype.

    >>> float(erf_array(np.float64(0.5)).round(6))
    0.5205
    """
    return _both(np.asarray(x, np.float64))[0].astype(x.dtype)


def erfc_array(x: Any) -> Any:
    """Return the complementary error function of an array or NumPy scalar, in its dtype."""
    return _both(np.asarray(x, np.float64))[1].astype(x.dtype)
