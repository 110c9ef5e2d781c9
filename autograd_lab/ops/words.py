"""Words of the formulas' vocabulary that are no operations: zeros, constants, a derivative that is zero."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.op import arrays, tensors
from autograd_lab.core.tensor import wrap


def _zeros_like(tensor: Any) -> Any:
    return wrap(np.zeros_like(tensor._array))


def _constant(array: np.ndarray, like: Any) -> Any:
    """Return a plain array for a formula: as it is in an ordinary backward, as a tensor in a recorded one."""
    return wrap(array)


def vanishing(grad: Any, xp: Any) -> Any:
    """Return zeros: the derivative of what is constant, piece by piece at least."""
    return xp.zeros_like(grad)


arrays.zeros_like, tensors.zeros_like = np.zeros_like, _zeros_like
arrays.constant, tensors.constant = lambda array, like: array, _constant
