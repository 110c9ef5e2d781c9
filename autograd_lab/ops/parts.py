"""Parts that are no views, sums down to a size, and further names of what the table has already."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.many import cuts
from autograd_lab.core.op import Vjp, functions, table, tensors
from autograd_lab.core.shapes import ints
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.view_ops import joined, piece_length


@cuts(
    r"(y^{(1)}, \dots) = a",
    self=Vjp(lambda grads, dim, self_sizes, split_size, xp: joined(grads, dim, xp), r"\bar a = (\bar y^{(1)}, \dots)"),
)
def unsafe_split(self, split_size, dim=0):
    """Cut a dimension into pieces of one length, which autograd does not take for views: do not write to them."""
    return table["_split"].kernel(self, split_size, dim)


@cuts(
    r"(y^{(1)}, \dots) = a",
    self=Vjp(lambda grads, dim, self_sizes, split_sizes, xp: joined(grads, dim, xp), r"\bar a = (\bar y^{(1)}, \dots)"),
)
def unsafe_split_with_sizes(self, split_sizes, dim=0):
    """Cut a dimension into pieces of given lengths, which autograd does not take for views: do not write to them."""
    return table["split_with_sizes"].kernel(self, split_sizes, dim)


@composed(vocabulary=False)
def unsafe_chunk(input, chunks, dim=0):
    """Cut a dimension into so many pieces, which autograd does not take for views: do not write to them."""
    each = piece_length(input, chunks, dim)
    if not each:
        return tensors.unsafe_split_with_sizes(input, (0,) * chunks, dim)
    return tensors.unsafe_split(input, each, dim)


@composed(function=False, vocabulary=False)
def sum_to_size(self, *size):
    """Add up the dimensions along which a tensor of this size would be repeated to get this one."""
    size, shape = ints(size, "sum_to_size"), self._array.shape
    lead = len(shape) - len(size)
    if lead < 0 or any(want not in (1, have) for want, have in zip(size, shape[lead:], strict=True)):
        raise RuntimeError(f"size {{{size_text(size)}}} is not expandable to size {{{size_text(shape)}}}.")
    dims = [*range(lead), *(k for k in range(lead, len(shape)) if size[k - lead] == 1 != shape[k])]
    found = tensors.sum(self, tuple(dims), True) if dims else self
    return found.view(size) if lead else found


@composed(vocabulary=False)
def isreal(input):
    """Say where the elements are real numbers: everywhere."""
    return functions["ones_like"](input, dtype=functions["tensor"](True).dtype)


def is_signed(input: Tensor) -> bool:
    """Say whether a tensor's dtype has negative numbers."""
    return input.is_signed()


def detach(input: Tensor) -> Tensor:
    """Return a view of the tensor outside the graph."""
    return input.detach()


def _polygamma_in_place(self: Tensor, n: int) -> Tensor:
    """In-place version of polygamma."""
    return run_inplace(table["_polygamma"], self, (n,), {})


def _float_power_in_place(self: Tensor, exponent: Any) -> Tensor:
    """In-place version of float_power, for float64 only."""
    if self._array.dtype != np.float64:
        raise RuntimeError(f"the base given to float_power_ has dtype {self.dtype.scalar_name} but the operation's "
                           "result requires dtype Double")  # fmt: skip
    return run_inplace(table["pow"], self, (exponent,), {})


functions |= {"is_signed": is_signed, "detach": detach, "constant_pad_nd": tensors.constant_pad_nd}
Tensor.polygamma_, Tensor.float_power_ = _polygamma_in_place, _float_power_in_place  # type: ignore[attr-defined]
