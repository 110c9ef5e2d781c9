"""Where a number belongs among sorted ones, whether it is among others, and what a flat index means."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import overwrite
from autograd_lab.core.op import functions
from autograd_lab.core.promotion import promote_many
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.ops.refusals import not_implemented


def _array(value: Any) -> Any:
    return np.asarray(value._array) if isinstance(value, Tensor) else np.asarray(value)


def searchsorted(sorted_sequence: Tensor, input: Any, *, out_int32: bool = False, right: bool = False,
                 side: str | None = None, sorter: Tensor | None = None, out: Any = None) -> Tensor:  # fmt: skip
    """Return where each number would have to be put into sorted ones, row by row.

    `right=True` (or side="right") gives the place behind equal numbers. The result is int64, or int32 if asked for.
    Raises RuntimeError for shapes that do not fit.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.searchsorted.html
    """
    if out is not None:     # nothing to differentiate: `out=` is welcome beside inputs that require grad
        overwrite(out, searchsorted(sorted_sequence, input, out_int32=out_int32, right=right, side=side, sorter=sorter),
                  "searchsorted")  # fmt: skip
        return out
    bounds, values = _array(sorted_sequence), _array(input)
    prefix = "torch.searchsorted(): "
    if side is not None and side not in ("left", "right"):
        raise RuntimeError(f"{prefix}side can only be 'left' or 'right' but got {side}")
    if side == "left" and right:
        raise RuntimeError(f"{prefix}side and right can't be set to opposites, got side of left while right was True")
    if values.ndim == 0 and bounds.ndim != 1:
        raise RuntimeError(f"{prefix}input value can be a scalar only when boundaries tensor dimension is 1, but we "
                           f"got boundaries tensor dim({bounds.ndim}) and input value's dim(0) numel(1)")  # fmt: skip
    if bounds.ndim == 0:
        raise RuntimeError(f"{prefix}boundaries tensor should have positive dimension, but got 0 dimension")
    if bounds.ndim != 1 and bounds.shape[:-1] != values.shape[:-1]:
        raise RuntimeError(
            f"{prefix}boundaries tensor should be 1 dimension or the first N-1 dimensions of boundaries tensor and "
            f"input value tensor must match, but we got boundaries tensor {list(bounds.shape)} and input value tensor "
            f"{list(values.shape)}"
        )
    if sorter is not None:
        order = _array(sorter)
        if order.shape != bounds.shape:
            raise RuntimeError(f"{prefix}boundary and sorter must have the same size, but got boundary tensor "
                               f"{list(bounds.shape)}and got sorter tensor {list(order.shape)}")  # fmt: skip
        bounds = np.take_along_axis(bounds, order, -1)
    return fresh(_places(bounds, values, side == "right" or right, np.int32 if out_int32 else np.int64))


def _places(bounds: np.ndarray, values: np.ndarray, right: bool, kind: Any) -> Any:
    """Halve the stretch where each number may belong, as torch does, also for bounds that are not sorted or NaN."""
    if values.dtype.kind == "b" == bounds.dtype.kind and values.size:
        raise not_implemented("searchsorted_out_cpu", values)
    low, high = np.zeros(values.shape, np.int64), np.full(values.shape, bounds.shape[-1], np.int64)
    while (open_ := low < high).any():
        middle = low + (high - low) // 2
        at = np.where(open_, middle, 0)
        found = bounds[at] if bounds.ndim == 1 else np.take_along_axis(bounds, at, -1)
        beyond = ~(found > values) if right else ~(found >= values)
        low, high = np.where(open_ & beyond, middle + 1, low), np.where(open_ & ~beyond, middle, high)
    return low.astype(kind)[()]


def bucketize(input: Any, boundaries: Tensor, *, out_int32: bool = False, right: bool = False,
              out: Any = None) -> Tensor:  # fmt: skip
    """Return the number of the stretch between boundaries that each element lies in.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.bucketize.html
    """
    if boundaries._array.ndim != 1:
        raise RuntimeError(f"boundaries tensor must be 1 dimension, but got dim({boundaries._array.ndim})")
    return searchsorted(boundaries, input, out_int32=out_int32, right=right, out=out)


def isin(elements: Any, test_elements: Any, *, assume_unique: bool = False, invert: bool = False,
         out: Any = None) -> Tensor:  # fmt: skip
    """Say of each element whether it is among the others; NaN is among none.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.isin.html
    """
    if out is not None:
        overwrite(out, isin(elements, test_elements, assume_unique=assume_unique, invert=invert), "isin")
        return out
    given = [_array(one) for one in (elements, test_elements)]
    for one in given:
        if one.dtype.kind == "b":
            raise RuntimeError(f"Unsupported input type encountered for isin(): {from_numpy(one.dtype).scalar_name}")
    kind = promote_many([one for one, value in zip(given, (elements, test_elements), strict=True)
                         if isinstance(value, Tensor)])  # fmt: skip
    first, others = (one.astype(kind) for one in given)
    return fresh(np.isin(first, others, invert=invert)[()])


def unravel_index(indices: Tensor, shape: Any) -> tuple[Tensor, ...]:
    """Return, for flat indices into a tensor of this shape, the index along each of its dimensions.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.unravel_index.html
    """
    if indices.is_floating_point() or indices._array.dtype.kind == "b":
        raise TypeError(f"expected 'indices' to be integer dtype, but got {indices.dtype}")
    if not isinstance(shape, (int, tuple, list)):
        raise TypeError(f"expected 'shape' to be int or sequence of ints, but got {type(shape)}")
    sizes = (shape,) if isinstance(shape, int) else tuple(shape)
    if any(size < 0 for size in sizes):
        raise ValueError(f"'shape' cannot have negative values, but got {sizes}")
    rest, found = _array(indices).astype(np.int64), []
    for size in reversed(sizes):        # an index beyond the shape wraps around, as in torch
        found.append(fresh((rest % size)[()]))
        rest = rest // size
    return tuple(reversed(found))


functions |= {"searchsorted": searchsorted, "bucketize": bucketize, "isin": isin, "unravel_index": unravel_index}
