"""Writing whole slices, or elements at any places: index_add, index_copy, index_fill, index_put, masked_scatter, put."""  # noqa: E501

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core import subscripts
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.inplace import check_leaf, is_expanded, run_inplace, warn_expanded
from autograd_lab.core.op import Vjp, op, table, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.sizes import size_text
from autograd_lab.core.strided import fills
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.indexing import at_least_1d


def slices(self, dim, index, name):
    """Return a copy, and the place of the slices that an index names along a dimension."""
    if index.ndim > 1:
        if name == "index_fill_":
            raise RuntimeError("Index has to be a vector/scalar")
        more = "" if name == "index_copy_" else f", but got dim: {index.ndim} with type: " \
            f"{from_numpy(index.dtype).scalar_name} and size: {size_text(index.shape)}"
        raise IndexError(f"{name}(): Index is supposed to be a vector{more}")
    made = np.array(self)
    flat = at_least_1d(made)
    at = wrap_dim(dim, self.ndim)
    places = at_least_1d(index)
    return made, flat, at, places, (slice(None),) * at + (places,)


def bad_index(places, size):
    """Return an index that is out of range, or None."""
    bad = places[(places < -size) | (places >= size)] if places.size else places
    return bad[0] if bad.size else None


def of_source(grad, dim, index, source, xp):
    """Return the gradient of the slices that were written or added."""
    found = xp.index_select(grad, dim, index)
    return found if len(grad.shape) else xp.reshape(found, tuple(source.shape))


@op(
    r"y = a,\ y_{I_i} \mathrel{+}= \alpha s_i",
    tensors=("index",),
    inplace=True,
    row_order=True,
    fix="always",
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    source=Vjp(
        lambda grad, dim, index, source_dim, source, alpha, xp: (
            of_source(grad, dim, index, source, xp) * alpha if alpha != 1 else of_source(grad, dim, index, source, xp)
        ),
        r"\bar s_i = \alpha \bar y_{I_i}",
    ),
)
def index_add(self, dim, index, source, *, alpha=1):
    """Add slices at the places that an index names along a dimension."""
    made, flat, at, places, place = slices(self, dim, index, "index_add_")
    if index.dtype.kind not in "i" or index.dtype.itemsize < 4:
        raise RuntimeError(
            "index_add_(): Expected dtype int32/int64 for index but got: " + from_numpy(index.dtype).scalar_name
        )
    if source.dtype is not self.dtype:
        raise RuntimeError(f"index_add_(): self ({from_numpy(self.dtype).scalar_name}) and source "
                           f"({from_numpy(source.dtype).scalar_name}) must have the same scalar type")  # fmt: skip
    part = at_least_1d(np.asarray(source))
    if at >= max(source.ndim, int(not at)):
        raise RuntimeError(f"index_add_(): Indexing dim {at} is out of bounds of the source tensor with dim "
                           f"{source.ndim}")  # fmt: skip
    if part.shape[at] != places.size:
        raise RuntimeError(f"index_add_(): Number of indices ({places.size}) should be equal to source.size(dim): "
                           f"({part.shape[at]}), for dim: {at}")  # fmt: skip
    if source.ndim != self.ndim or any(
        m != n for k, (m, n) in enumerate(zip(self.shape, source.shape, strict=True)) if k != at
    ):
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "  # noqa: E501
                           f"{size_text(self.shape)} source.shape = {size_text(source.shape)}")  # fmt: skip
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise RuntimeError(f"index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    np.add.at(flat, place, part if alpha == 1 else part * made.dtype.type(alpha))
    return made[()]


def check_slices(self, at, index, source):
    """Raise as torch does where the slices of the source are not of the shape of those they overwrite."""
    if index.ndim > 1:
        raise IndexError(f"index_copy_(): Index should have dimension 1 or 0 (got {index.ndim})")
    if not source.ndim and index.size != 1:
        raise IndexError(f"index_copy_(): When source is scalar, index should have one element (got {index.size})")
    if self.ndim and source.ndim and self.ndim != source.ndim:
        raise IndexError("index_copy_(): When source and destination are not scalars, their dimensionality must match. "
                         f"Source dimensionality ({source.ndim}), destination dimensionality ({self.ndim})")  # fmt: skip  # noqa: E501
    if index.dtype != np.int64 or source.dtype is not self.dtype:
        return      # that is named instead
    mine, theirs = (one.shape[:at] + one.shape[at + 1 :] for one in (self, source))
    if mine != theirs:
        raise RuntimeError("index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: "  # noqa: E501
                           f"{' '.join(map(str, mine))} at dimension {at} and source slice shape: {' '.join(map(str, theirs))} "  # noqa: E501
                           "at dimension 0.")  # fmt: skip


@op(
    r"y = a,\ y_{I_i} = s_i",
    tensors=("index",),
    inplace=True,
    fix="always",
    self=Vjp(
        lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"
    ),
    source=Vjp(
        lambda grad, dim, index, source_dim, source, xp: of_source(grad, dim, index, source, xp),
        r"\bar s_i = \bar y_{I_i}",
    ),
)
def index_copy(self, dim, index, source):
    """Write slices to the places that an index names along a dimension."""
    check_slices(self, wrap_dim(dim, self.ndim), index, source)
    made, flat, at, places, place = slices(self, dim, index, "index_copy_")
    part = at_least_1d(np.asarray(source))
    if index.dtype != np.int64:
        raise RuntimeError(
            "index_copy_(): Expected a long tensor for index, but got " + from_numpy(index.dtype).scalar_name
        )
    if source.dtype is not self.dtype:
        raise RuntimeError(f"index_copy_(): self and source expected to have the same dtype, but got (self) "
                           f"{from_numpy(self.dtype).scalar_name} and (source) {from_numpy(source.dtype).scalar_name}")  # fmt: skip  # noqa: E501
    if part.shape[at] != places.size:
        raise IndexError(f"index_copy_(): Number of indices ({places.size}) should be equal to source.size(dim) "
                         f"({part.shape[at]})")  # fmt: skip
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise IndexError(f"index_copy_(): index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    flat[place] = part
    return made[()]


def check_storage(self, at, count):
    """Raise as torch does where the slices to be filled, laid one over the other, would not fit into the memory."""
    if self.size or not self.ndim:
        return
    sizes = [count if k == at else size for k, size in enumerate(self.shape)]
    strides = [0 if k == at else math.prod(max(size, 1) for size in self.shape[k + 1 :]) for k in range(self.ndim)]
    needed = self.itemsize * (1 + sum((size - 1) * step for size, step in zip(sizes, strides, strict=True)))
    if 0 not in sizes:
        raise RuntimeError(f"setStorage: sizes {size_text(sizes)}, strides {size_text(strides)}, storage offset 0, and "
                           f"itemsize {self.itemsize} requiring a storage size of {needed} are out of bounds for "
                           "storage of size 0")  # fmt: skip


def filled(self, dim, index, value):
    """Return a copy whose slices at an index are one number."""
    if index.dtype != np.int64:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    made, flat, at, places, place = slices(self, dim, index, "index_fill_")
    check_storage(self, at, places.size)
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise IndexError(f"index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    flat[place] = value
    return made[()]


@op(
    r"y = a,\ y_{I_i} = v",
    node="IndexFillBackward0",
    function=False,
    method=False,
    overlaps="index_fill_",
    tensors=("index",),
    self=Vjp(
        lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"
    ),
)
def index_fill_value(self, dim, index, value):
    """Write one number to the slices that an index names along a dimension."""
    if isinstance(value, (int, float)):
        check_fits(value, self.dtype)
    return filled(self, dim, index, value)


@op(
    r"y = a,\ y_{I_i} = v",
    node="IndexFillBackward1",
    function=False,
    method=False,
    overlaps="index_fill_",
    tensors=("index",),
    fix="always",
    self=Vjp(
        lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"
    ),
    value=Vjp(
        lambda grad, dim, index, xp: xp.sum(grad - xp.index_fill_value(grad, dim, index, 0)),
        r"\bar v = \textstyle\sum_i \bar y_{I_i}",
    ),
)
def index_fill_tensor(self, dim, index, value):
    """Write a 0-d tensor to the slices that an index names along a dimension."""
    if value.ndim:
        raise RuntimeError("index_fill_ only supports a 0-dimensional value tensor, but got tensor with "
                           f"{value.ndim} dimension(s).")  # fmt: skip
    return filled(self, dim, index, value)


@composed(vocabulary=False)
def index_fill(input, dim, index, value):
    """Write a number or a 0-d tensor to the slices that an index names along a dimension."""
    name = "index_fill_tensor" if isinstance(value, Tensor) else "index_fill_value"
    return table[name].function(input, dim, index, value)


@composed(name="index_fill_", function=False, vocabulary=False)
def _index_fill_in_place(self, dim, index, value):
    """In-place version of index_fill."""
    name = "index_fill_tensor" if isinstance(value, Tensor) else "index_fill_value"
    return run_inplace(table[name], self, (dim, index, value), {})


# ------------------------------------------------------------------ any places
def is_one_mask(indices):
    """Say whether the indices are one mask alone: torch fills a mask, which converts the number that it is given."""
    masks = [one for one in indices if one is not None]
    return len(masks) == 1 and (masks[0]._array.dtype.kind == "b" or masks[0]._array.dtype == np.uint8)


def at_indices(self, indices, values, accumulate):
    """Return a copy in which the elements at some indices are written or added to."""
    made = np.array(self)
    place = subscripts.numpy_index(made.shape, indices)
    try:
        if self.dtype is not values.dtype and values.size == 1 and not accumulate and is_one_mask(indices):
            check_fits(values.item(), self.dtype)
            values = values.astype(self.dtype)
        if self.dtype is not values.dtype:
            np.broadcast_to(values, made[place].shape)      # torch finds a wrong shape first
            raise RuntimeError("Index put requires the source and destination dtypes match, got "
                               f"{from_numpy(self.dtype).scalar_name} for the destination and "
                               f"{from_numpy(values.dtype).scalar_name} for the source.")  # fmt: skip
        if accumulate:
            np.add.at(made, place, values)
        else:
            made[place] = values
    except ValueError:
        raise RuntimeError(f"shape mismatch: value tensor of shape {size_text(values.shape)} cannot be broadcast to indexing "  # noqa: E501
                           f"result of shape {size_text(made[place].shape)}") from None  # fmt: skip
    return made[()]


@op(
    r"y_I = 0",
    node="IndexPutBackward0",
    function=False,
    method=False,
    lists=("indices",),
    self=Vjp(lambda grad, indices, xp: xp.index_clear(grad, indices), r"\bar a = \bar y,\ \bar a_I = 0"),
)
def index_clear(self, indices):
    """Return a copy in which the elements at some indices are zero."""
    return at_indices(self, indices, self.dtype.type(0), False)


@op(
    r"y = a,\ y_I = v",
    inplace=True,
    fix="always",
    function=False,
    method=False,
    name="index_put",
    overlaps="index_put_",
    lists=("indices",),
    self=Vjp(
        lambda grad, indices, accumulate, xp: grad if accumulate else xp.index_clear(grad, indices),
        r"\bar a = \bar y,\ \bar a_I = 0",
    ),
    values=Vjp(lambda grad, indices, xp: xp.index(grad, indices), r"\bar v = \bar y_I"),
)
def index_put(self, indices, values, accumulate=False):
    """Write values to (or add them at) the places that tensors of indices name."""
    return at_indices(self, indices, values, accumulate)


def all_tensors(input, indices):
    """Return the indices as a tuple; the public functions do not let any be left out."""
    if len(indices) > input._array.ndim:
        raise subscripts.too_many(input._array.shape, indices)
    for position, one in enumerate(indices):
        if not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {position} in argument 0, but got {type(one).__name__}")
    return tuple(indices)


def no_overlap(target, values):
    """Refuse values that lie in the memory that they are written to."""
    one, two = target._array, values._array
    if values._node is None and values._cell is None:
        return
    if not (isinstance(one, np.ndarray) and isinstance(two, np.ndarray)):
        return
    if np.may_share_memory(one, two) and fills(one) and fills(two):
        check_leaf(target, target._node is not None or values._node is not None)
        raise RuntimeError(
            "unsupported operation: some elements of the input tensor and the written-to tensor refer to a single "
            "memory location. Please clone() the tensor before performing the operation."
        )


def put_into(target, indices, values):
    """Write values to where the indices (or None) of a subscript name."""
    if values._array.size != 1 or not is_one_mask(indices):
        no_overlap(target, values)
    run_inplace(table["index_put"], target, (indices, values, False), {})
    if is_expanded(target._array) and values._array.size == 1 and is_one_mask(indices):
        warn_expanded("masked_fill_")


tensors.put_into = put_into


@composed(name="index_put", vocabulary=False)
def _index_put_public(input, indices, values, accumulate=False):
    """Write values to (or add them at) the places that tensors of indices name."""
    return index_put(input, all_tensors(input, indices), values, accumulate)


@composed(name="index_put_", vocabulary=False)
def _index_put_in_place(input, indices, values, accumulate=False):
    """In-place version of index_put."""
    if accumulate or values._array.size != 1 or not is_one_mask(indices):
        no_overlap(input, values)
    return run_inplace(table["index_put"], input, (all_tensors(input, indices), values, accumulate), {})


@op(
    r"y = a,\ y_m = s",
    tensors=("mask",),
    inplace=True,
    fix="always",
    self=Vjp(lambda grad, mask, xp: xp.masked_fill(grad, mask, 0), r"\bar a = \bar y,\ \bar a_m = 0"),
    source=Vjp(
        lambda grad, mask, source_sizes, xp: xp.masked_scatter_backward(grad, mask, source_sizes), r"\bar s = \bar y_m"
    ),
)
def masked_scatter(self, mask, source):
    """Write the elements of a source, one after the other, to where the mask holds."""
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_scatter_ only supports boolean masks, but got mask with dtype "
                           f"{from_numpy(mask.dtype).scalar_name}")  # fmt: skip
    if self.dtype is not source.dtype:
        raise RuntimeError("masked_scatter: expected self and source to have same dtypes but got"
                           f"{from_numpy(self.dtype).scalar_name} and {from_numpy(source.dtype).scalar_name}")  # fmt: skip  # noqa: E501
    shape = broadcast_shapes(mask.shape, self.shape)
    made = np.array(np.broadcast_to(self, shape), order="C")
    mask = np.broadcast_to(mask, shape)
    count = int(np.count_nonzero(mask))
    if count > source.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    made[mask] = np.asarray(source).reshape(-1)[:count]
    return made[()]


@op(
    r"y = a_m",
    tensors=("mask",),
    function=False,
    method=False,
    hidden=("self_sizes",),
    self=Vjp(
        lambda grad, mask, self_sizes, xp: xp.masked_scatter(
            xp.masked_fill(
                xp.masked_fill(xp.expand(xp.reshape(xp.sum(grad), (1,) * len(self_sizes)), self_sizes) * 0, mask, 0),
                mask,
                0,
            ),
            mask,
            grad,
        ),
        r"\bar a_m = \bar y",
    ),
)
def masked_scatter_backward(self, mask, sizes):
    """Return the elements at which the mask holds, followed by zeros, in the shape of the source."""
    taken = np.broadcast_to(self, broadcast_shapes(self.shape, mask.shape))[np.broadcast_to(mask, self.shape)]
    made = np.zeros(sizes, self.dtype)
    made.reshape(-1)[: taken.size] = taken
    return made


def check_put(self, index, source):
    """Raise as torch does for elements that cannot be put to places counted in row order."""
    kinds = [from_numpy(one.dtype).scalar_name for one in (self, index, source)]
    if kinds[1] != "Long":
        raise RuntimeError(f"put_(): Expected a long tensor for index, but got {kinds[1]}")
    if kinds[0] != kinds[2]:
        raise RuntimeError(f"put_(): self and source expected to have the same dtype, but got self.dtype = {kinds[0]} and "  # noqa: E501
                           f"source.dtype = {kinds[2]}")  # fmt: skip
    if index.size != source.size:
        raise IndexError("put_(): Expected source and index to have the same number of elements, but got source.numel() = "  # noqa: E501
                         f"{source.size}, index.numel() = {index.size}")  # fmt: skip
    if index.size and not self.size:
        raise IndexError("put_(): Tried to put elements into an empty tensor")
    bad = bad_index(np.ravel(index), self.size)
    if bad is not None:
        raise IndexError(f"out of range: tried to access index {bad} on a tensor of {self.size} elements.")


@op(
    r"y = a,\ y_{I_i} = s_i",
    tensors=("index",),
    inplace=True,
    self=Vjp(
        lambda grad, index, accumulate, xp: grad if accumulate else xp.put_zero(grad, index),
        r"\bar a = \bar y,\ \bar a_{I_i} = 0",
    ),
    source=Vjp(lambda grad, index, source, accumulate, xp: xp.reshape(xp.take(grad, index), tuple(source.shape)),
               r"\bar s_i = \bar y_{I_i}"),
)
def put(self, index, source, accumulate=False):
    """Write elements to their places counted in row order."""
    check_put(self, index, source)
    made = np.array(self, order="C")
    flat = made.reshape(-1)
    if accumulate:
        np.add.at(flat, np.asarray(index).reshape(-1), np.asarray(source).reshape(-1))
    else:
        flat[np.asarray(index).reshape(-1)] = np.asarray(source).reshape(-1)
    return made[()]


@op(
    r"y_{I_i} = 0",
    tensors=("index",),
    function=False,
    method=False,
    self=Vjp(lambda grad, index, xp: xp.put_zero(grad, index), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
)
def put_zero(self, index):
    """Set elements to zero at their places counted in row order."""
    made = np.array(self, order="C")
    made.reshape(-1)[index] = 0
    return made[()]
