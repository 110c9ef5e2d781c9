"""Sorting and choosing by rank: sort, argsort, topk, kthvalue, median, mode, unique."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.operands import put_out
from autograd_lab.core.strided import in_strides_of
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import selecting
from autograd_lab.ops.extreme_values import _share, check_size, selected
from autograd_lab.ops.refusals import not_implemented


def ranked(self: Any, axis: int, descending: bool = False) -> np.ndarray:
    """Return the indices that sort along an axis; equal elements keep their order, NaN counts as the largest."""
    if not descending:
        return np.argsort(self, axis, kind="stable")
    backwards = np.flip(np.argsort(np.flip(self, axis), axis, kind="stable"), axis)
    return self.shape[axis] - 1 - backwards


def _sorted(self: Any, dim: int, descending: bool, stable: bool = False) -> tuple:
    axis = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return self.copy(), np.int64(0)
    indices = ranked(self, axis, descending)
    if not stable:
        indices = selecting.in_order(self, indices, axis, descending)
    values = np.take_along_axis(self, indices, axis)
    if self.ndim > 1 and not self.flags.c_contiguous:
        values, indices = in_strides_of(self, values), in_strides_of(self, indices)
    return values, indices


def _back(grad, self_sizes, dim, indices, xp):
    return xp.value_selecting_reduction_backward(grad, dim, indices, self_sizes, True)


def _back_kept(grad, self_sizes, dim, indices, keepdim, xp):
    return xp.value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)


_PAIR: dict[str, Any] = {"outputs": ("values", "indices"), "differentiable": ("values",)}


@op(r"y = \operatorname{sort} a", function=False, method=False, node="SortBackward0", return_type="sort", **_PAIR,
    self=Vjp(_back, r"\bar a_{i_k} = \bar y_k"))
def _sort(self, dim, descending):
    """Sort along a dimension."""
    return _sorted(self, dim, descending)


@op(r"y = \operatorname{sort} a", function=False, method=False, node="SortBackward1", return_type="sort", **_PAIR,
    self=Vjp(_back, r"\bar a_{i_k} = \bar y_k"))
def _sort_stable(self, dim, descending, stable):
    """Sort along a dimension, with the keyword that asks for stability."""
    return _sorted(self, dim, descending, stable)


@composed()
def sort(input: Tensor, dim: int = -1, descending: bool = False, stable: Any = None, *, out: Any = None,
         axis: Any = None) -> Any:
    """Sort along a dimension; return the sorted values and their indices."""
    dim = dim if axis is None else axis
    if stable is None:
        return tensors._sort(input, dim, descending, out=out)
    return tensors._sort_stable(input, dim, descending, stable, out=out)


@composed(vocabulary=False)
def msort(input: Tensor, *, out: Any = None) -> Any:
    """Sort along the first dimension."""
    return put_out("msort", tensors._sort(input, 0, False)[0], out)


@op(r"i = \operatorname{argsort} a", tensors=("self",), out=False)
def argsort(self, dim=-1, descending=False, stable=False):
    """Return the indices that sort along a dimension."""
    axis = wrap_dim(dim, self.ndim)
    if not self.ndim:
        return np.int64(0)
    indices = ranked(self, axis, descending)
    return in_strides_of(self, indices if stable else selecting.in_order(self, indices, axis, descending))


@op(r"y = \operatorname{topk} a", node="TopkBackward0", return_type="topk", **_PAIR,
    self=Vjp(_back, r"\bar a_{i_k} = \bar y_k"))
def topk(self, k, dim=-1, largest=True, sorted=True):
    """Return the `k` largest (or smallest) elements along a dimension and their indices."""
    axis = wrap_dim(dim, self.ndim)
    if not 0 <= k <= (self.shape[axis] if self.ndim else 1):
        raise RuntimeError("selected index k out of range")
    if self.dtype.kind == "b":
        raise RuntimeError("topk does not support bool dtypes on CPU")
    if not self.ndim:
        return self.copy(), np.int64(0)
    indices = np.take(ranked(self, axis, largest), np.arange(k), axis)
    indices = selecting.largest(self, indices, axis, largest, sorted)
    return np.take_along_axis(self, indices, axis), indices


@op(r"y = \text{the } k\text{th smallest } a_i", node="KthvalueBackward0", return_type="kthvalue", **_PAIR,
    self=Vjp(_back_kept, r"\bar a_{i_k} = \bar y"))
def kthvalue(self, k, dim=-1, keepdim=False):
    """Return the k-th smallest element along a dimension and its index."""
    axis = check_size("kthvalue", self, dim)
    if not 1 <= k <= (self.shape[axis] if self.ndim else 1):
        raise RuntimeError(f"kthvalue(): selected number k out of range for dimension {axis}")
    if not self.ndim:
        return self.copy(), np.int64(0)
    if self.dtype.kind == "b":
        raise not_implemented("kthvalue_cpu", self)
    indices = selecting.kth(self, np.take(ranked(self, axis), [k - 1], axis), axis, k - 1)
    return selected(self, indices, axis, keepdim)


# ------------------------------------------------------------------ median
def middle(self: Any, axis: int, skip_nan: bool) -> np.ndarray:
    """Return the index of the lower median along an axis, its dimension kept; NaN, if not skipped, is the median."""
    order = ranked(self, axis)
    size = self.shape[axis]
    nans = np.add.reduce(self != self, axis, keepdims=True)
    if skip_nan:
        place = np.where(nans == size, 0, (size - nans - 1) // 2)
    else:
        place = np.where(nans > 0, size - nans, (size - 1) // 2)
    return np.take_along_axis(order, place, axis)


def _median_rows(name: str, skip_nan: bool) -> None:
    def everything(self: Any) -> Any:
        if not self.size:       # torch makes NaN of every dtype as the processor does
            nothing = {8: -(2**63), 4: -(2**31)}.get(self.dtype.itemsize, 0) if self.dtype.kind in "iu" else np.nan
            return self.dtype.type(nothing)
        if self.dtype.kind == "b":
            raise not_implemented("median_cpu", self)
        flat = self.reshape(-1)
        return flat[middle(flat, 0, skip_nan)[0]]

    def along(self: Any, dim: int, keepdim: bool) -> tuple:
        axis = check_size("median", self, dim)
        if self.dtype.kind == "b":
            raise not_implemented("median_out", self)
        if not self.ndim:
            return self.copy(), np.int64(0)
        return selected(self, middle(self, axis, skip_nan), axis, keepdim)

    everything.__name__, along.__name__ = f"_{name}", f"_{name}_dim"
    everything.__doc__ = along.__doc__ = "Lower median."
    op(r"y = \operatorname{median}_i a_i", function=False, method=False, out=False,
       node=f"{name.capitalize()}Backward0",
       self=Vjp(_share, r"\bar a_i = [a_i = y] \, \bar y / |\{j : a_j = y\}|"))(everything)
    op(r"y = \operatorname{median}_i a_i", function=False, method=False, node=f"{name.capitalize()}Backward1",
       row_order=True, return_type=name, **_PAIR, self=Vjp(_back_kept, r"\bar a_{i_y} = \bar y"))(along)

    def public(input: Tensor, dim: Any = None, keepdim: bool = False, *, out: Any = None, axis: Any = None) -> Any:
        dim = dim if axis is None else axis
        return getattr(tensors, f"_{name}")(input) if dim is None else getattr(tensors, f"_{name}_dim")(input, dim,
            keepdim, out=out)

    public.__doc__ = "Return the median (of two middle elements the smaller one), of all elements or along a dimension."
    composed(name=name)(public)


_median_rows("median", False)
_median_rows("nanmedian", True)


@op(r"y = \operatorname{mode}_i a_i", node="ModeBackward0", return_type="mode", **_PAIR,
    self=Vjp(_back_kept, r"\bar a_{i_y} = \bar y"))
def mode(self, dim=-1, keepdim=False):
    """Return the most frequent element along a dimension (of several the smallest) and its last index."""
    axis = check_size("mode", self, dim)
    if not self.ndim:
        return self.copy(), np.int64(0)
    moved = np.moveaxis(self, axis, -1)
    places = np.empty(moved.shape[:-1], np.int64)
    for place in np.ndindex(places.shape):
        if self.dtype.kind == "f" and np.isnan(moved[place]).any():
            places[place] = first_longest(moved[place])
            continue
        values, counts = np.unique(moved[place], return_counts=True)
        places[place] = np.flatnonzero(moved[place] == values[counts.argmax()])[-1]
        if selecting.SHORT < len(moved[place]) <= selecting.MOST:
            order = selecting.sorted_places(moved[place])
            places[place] = order[int(counts[: counts.argmax() + 1].sum()) - 1]
    return selected(self, np.expand_dims(places, axis), axis, keepdim)


def first_longest(values: Any) -> int:
    """Return where the last element of the first longest run stands, once the row is sorted.

    torch sorts with `<`: a NaN is smaller than nothing and larger than nothing, and stops what comes after it.
    """
    row = selecting.Row(values[:0])
    row.keys, row.places = values.tolist(), list(range(len(values)))
    selecting.sort(row, len(values))
    best, longest, run = row.places[0], 0, 0
    for k, value in enumerate(row.keys):
        run += 1
        if k == len(values) - 1 or value != row.keys[k + 1]:
            if run > longest:
                best, longest = row.places[k], run
            run = 0
    return best


# ------------------------------------------------------------------ unique
def _refused(name: str) -> Any:
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")


@op(r"y = \{a_i\}", function=False, method=False, out=False, outputs=("values", "inverse", "counts"),
    differentiable=("values",),
    node="Unique2Backward0", self=Vjp(lambda grad: _refused("_unique2")))
def _unique2(self):
    """Distinct elements, where each element went, how often each occurs."""
    values, inverse, counts = np.unique(self, return_inverse=True, return_counts=True, equal_nan=False)
    return values, inverse.reshape(self.shape), counts


@op(r"y = \{a_i\}", function=False, method=False, out=False, outputs=("values", "inverse", "counts"),
    differentiable=("values",),
    node="UniqueDimBackward0", self=Vjp(lambda grad: _refused("unique_dim")))
def _unique_dim(self, dim):
    """Distinct slices along a dimension."""
    axis = sized_axis(self, dim)
    if 0 in self.shape[:axis] + self.shape[axis + 1 :]:
        raise RuntimeError("There are 0 sized dimensions, and they aren't selected, so unique cannot be applied")
    values, inverse, counts = np.unique(self, return_inverse=True, return_counts=True, axis=axis)
    return values, inverse.reshape(-1), counts


@op(r"y = \{a_i\}", function=False, method=False, out=False, outputs=("values", "inverse", "counts"),
    differentiable=("values",),
    node="UniqueConsecutiveBackward0", self=Vjp(lambda grad: _refused("unique_consecutive")))
def _unique_consecutive(self, dim):
    """Elements (or slices) that differ from the one before."""
    array = self.reshape(-1) if dim is None else np.moveaxis(self, sized_axis(self, dim), 0)
    new = np.ones(len(array), bool)
    if len(array) > 1:
        new[1:] = (array[1:] != array[:-1]).reshape(len(array) - 1, -1).any(1)
    starts = np.flatnonzero(new)
    values = array[starts] if dim is None else np.moveaxis(array[starts], 0, wrap_dim(dim, self.ndim))
    inverse = np.cumsum(new) - 1
    return values, inverse.reshape(self.shape) if dim is None else inverse, np.diff(np.append(starts, len(array)))


def sized_axis(self: Any, dim: int) -> int:
    """Return the wrapped dim; a 0-d array has none."""
    if not self.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return wrap_dim(dim, self.ndim)


def _chosen(found: tuple, return_inverse: bool, return_counts: bool) -> Any:
    wanted = (found[0],) + ((found[1],) if return_inverse else ()) + ((found[2],) if return_counts else ())
    return wanted if len(wanted) > 1 else wanted[0]


@composed(vocabulary=False)
def unique(input: Tensor, sorted: bool = True, return_inverse: bool = False, return_counts: bool = False,
           dim: Any = None) -> Any:
    """Return the distinct elements in order, and on request the inverse indices and the counts."""
    return _chosen(tensors._unique2(input) if dim is None else tensors._unique_dim(input, dim), return_inverse,
                   return_counts)


@composed(vocabulary=False)
def unique_consecutive(input: Tensor, return_inverse: bool = False, return_counts: bool = False,
                       dim: Any = None) -> Any:
    """Drop elements that equal the one before, and on request return the inverse indices and the counts."""
    return _chosen(tensors._unique_consecutive(input, dim), return_inverse, return_counts)
