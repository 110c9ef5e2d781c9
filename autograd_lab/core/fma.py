"""The fused multiply-add of processors: a product and a sum, rounded once.

torch's kernels for `add` with alpha, `addcmul` and `lerp` use it; so the lab's must, to agree in the last digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.normals import fused

_SINGLE, _DOUBLE = np.dtype(np.float32), np.dtype(np.float64)


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """Return a · b + c, rounded once for float32 and float64; a, b and c are arrays or numbers of one dtype.

    >>> float(multiply_add(np.float32(0.1), np.float32(10), np.float32(-1)))
    1.4901161193847656e-08
    """
    kind = np.result_type(a, b, c)
    if kind is _SINGLE:
        if type(a) is not np.ndarray and type(b) is not np.ndarray and type(c) is not np.ndarray:
            return np.float32(float(a) * float(b) + float(c))
        # The product of two float32 is exact in float64.
        return np.add(np.multiply(a, b, dtype=_DOUBLE), c, dtype=_DOUBLE).astype(_SINGLE)
    plain = a * b + c
    if kind is not _DOUBLE:
        return plain
    found = fused(a, b, c)
    # The exact rounding error is no number where the result is infinite or nearly so.
    return found if np.isfinite(found).all() else np.where(np.isfinite(found), found, plain)[()]
