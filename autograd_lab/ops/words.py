"""Words of the formulas' vocabulary that are no operations: zeros and ones of a shape."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.op import arrays, tensors
from autograd_lab.core.tensor import wrap


def _zeros_like(tensor: Any) -> Any:
    return wrap(np.zeros_like(tensor._array))


arrays.zeros_like, tensors.zeros_like = np.zeros_like, _zeros_like
