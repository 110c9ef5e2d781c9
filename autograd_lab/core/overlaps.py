"""Writes into memory from which the same operation still reads: torch goes element by element, and so does the lab.

torch refuses an operand that covers its target partly, but finds that only where both fill their memory without gaps.
Elsewhere its loop reads what it has written before, which one whole NumPy operation would not.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.strided import dimension_order


def in_turn(kernel: Any, target: np.ndarray, args: tuple, kwargs: dict) -> np.ndarray:
    """Return what the kernel makes of `target` when each element is written before the next one is read.

    The dimensions are walked in torch's order, the fastest first. `args` are arrays, some of them views of the same
    memory, and plain values; the target has its old values again when this returns.
    """
    before, shape = target.copy(), target.shape
    arrays = [np.broadcast_to(one, shape) if isinstance(one, np.ndarray) else one for one in args]
    order = dimension_order(shape, (target, target, *[one for one in arrays if isinstance(one, np.ndarray)]))[::-1]
    back = np.argsort(order)
    for index in np.ndindex(*[shape[dim] for dim in order]):
        place = tuple([index[k] for k in back])
        target[place] = kernel(target[place], *[one[place] if isinstance(one, np.ndarray) else one for one in arrays],
                               **kwargs)  # fmt: skip
    made = target.copy()
    target[...] = before
    return made


__all__ = ["in_turn"]
