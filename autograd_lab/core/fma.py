"""The fused multiply-add of processors: a product and a sum, rounded once.

torch's kernels for `add` with alpha, `addcmul` and `lerp` use it; so the lab's must, to agree in the last digit.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.normals import fused


def multiply_add(a: Any, b: Any, c: Any) -> Any:
    """Return a · b + c, rounded once for float32 and float64; a, b and c are arrays or numbers of one dtype.

    >>> float(multiply_add(np.float32(0.1), np.float32(10), np.float32(-1)))
    1.4901161193847656e-08
    """
    kind = np.result_type(a, b, c)
    if kind == np.float32:
        if not np.ndim(a) + np.ndim(b) + np.ndim(c):
            return np.float32(float(a) * float(b) + float(c))
        # The product of two float32 is exact in float64.
        total = np.multiply(a, b, dtype=np.float64)
        return np.add(total, c, dtype=np.float64).astype(np.float32)
    plain = a * b + c
    if kind != np.float64:
        return plain
    found = fused(a, b, c)
    # The exact rounding error is no number where the result is infinite or nearly so.
    return found if np.isfinite(found).all() else np.where(np.isfinite(found), found, plain)[()]
