"""Writing elements by index: scatter, index_add, index_copy, index_fill, index_put, masked_scatter, put."""

from __future__ import annotations

import warnings

import numpy as np

from autograd_lab.core import subscripts
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, op, table, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.indexing import along, at_least_1d


def place_of(self, dim, index, src=None):
    """Return the array to write into, the place to write to, and the part of `src` that is written; raise as torch does."""
    if index.dtype.kind not in "iu" or index.dtype.itemsize < 4:
        raise RuntimeError("scatter(): Expected dtype int32/int64 for index")
    at = wrap_dim(dim, self.ndim)
    if src is not None and src.dtype is not self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    made = np.array(self)
    flat, places = at_least_1d(made), at_least_1d(index)
    if not index.size:
        return made, flat, None, None
    part = None if src is None else at_least_1d(np.asarray(src))
    if places.ndim != flat.ndim:
        raise RuntimeError("Index tensor must have the same number of dimensions as self tensor")
    if part is not None and part.ndim != places.ndim:
        wrap_dim(places.ndim - 1, part.ndim)
        raise RuntimeError("Index tensor must have the same number of dimensions as src tensor")
    if any(n > m for k, (n, m) in enumerate(zip(places.shape, flat.shape, strict=True)) if k != at) or (
        part is not None and any(n > m for n, m in zip(places.shape, part.shape, strict=True))
    ):
        tail = "" if part is None else f" and to be no larger size than src {size_text(part.shape)}"
        raise RuntimeError(f"Expected index {size_text(places.shape)} to be no larger than self {size_text(flat.shape)} "
                           f"apart from dimension {at}{tail}")  # fmt: skip
    if part is not None:
        part = part[tuple(slice(n) for n in places.shape)]
    return made, flat, along(flat.shape, places, at), part


def fitting(grad, sizes, node, position):
    """Return a gradient, or raise if it is not of its input's size (torch's scatter wants src and index of one size)."""
    if tuple(grad.shape) != tuple(sizes):
        raise RuntimeError(f"Function {node} returned an invalid gradient at index {position} - got "
                           f"{size_text(grad.shape)} but expected shape compatible with {size_text(sizes)}")  # fmt: skip
    return grad


@op(r"y = a,\ y_{I_i} = s_i", function=False, method=False, tensors=("index",), inplace=False, hidden=("src_sizes",),
    self=Vjp(lambda grad, dim, index, xp: xp.scatter_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
    src=Vjp(lambda grad, dim, index, src_sizes, xp: fitting(xp.gather(grad, dim, index), src_sizes, "ScatterBackward0", 1),
            r"\bar s_i = \bar y_{I_i}"))
def scatter(self, dim, index, src):
    """Write elements to the places that an index names along a dimension."""
    made, flat, place, part = place_of(self, dim, index, src)
    if place is not None:
        flat[place] = part
    return made[()]


@op(r"y = a,\ y_{I_i} = v", node="ScatterBackward1", function=False, method=False, tensors=("index",),
    self=Vjp(lambda grad, dim, index, xp: xp.scatter_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"))
def scatter_value(self, dim, index, value):
    """Write one number to the places that an index names along a dimension."""
    made, flat, place, _ = place_of(self, dim, index)
    if place is not None:
        flat[place] = value
    return made[()]


def _scatter(input, dim, index, src, value, reduce, run):
    if src is None:
        src = value
    if reduce is not None:
        if reduce not in ("add", "multiply"):
            raise RuntimeError(f"reduce argument must be either add or multiply, got {reduce}")
        if isinstance(src, Tensor):
            warnings.warn("The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future "
                          "PyTorch release. Use torch.scatter_reduce instead for more reduction options.", stacklevel=3)  # fmt: skip
        else:
            src = input.new_full(index.shape, src)
        if input._node is not None or src._node is not None:
            raise NotImplementedError("scatter with reduce= has no derivative; use scatter_reduce or scatter_add")
        return run("scatter_reduce", dim, index, src, "sum" if reduce == "add" else "prod")
    if isinstance(src, Tensor):
        return run("scatter", dim, index, src)
    return run("scatter_value", dim, index, src)


@composed(name="scatter", vocabulary=False)
def _scatter_public(input, dim, index, src=None, *, value=None, reduce=None):
    """Write elements, or one number, to the places that an index names along a dimension."""
    return _scatter(input, dim, index, src, value, reduce, lambda name, *args: table[name].function(input, *args))


@composed(name="scatter_", function=False, vocabulary=False)
def _scatter_in_place(self, dim, index, src=None, *, value=None, reduce=None):
    """In-place version of scatter."""
    return _scatter(self, dim, index, src, value, reduce, lambda name, *args: run_inplace(table[name], self, args, {}))


@op(r"y = a,\ y_{I_i} \mathrel{+}= s_i", tensors=("index",), inplace=True, hidden=("src_sizes",),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    src=Vjp(lambda grad, dim, index, src_sizes, xp: fitting(
        xp.gather(grad, dim, index), src_sizes, "ScatterAddBackward0", 1), r"\bar s_i = \bar y_{I_i}"))
def scatter_add(self, dim, index, src):
    """Add elements at the places that an index names along a dimension."""
    made, flat, place, part = place_of(self, dim, index, src)
    if place is not None:
        np.add.at(flat, place, part)
    return made[()]


# ------------------------------------------------------------------ scatter_reduce
@op(r"y = a", tensors=("self", "like"), function=False, method=False)
def cast_like(self, like):
    """Return a mask as numbers of the dtype of `like`."""
    return self.astype(like.dtype)


REDUCTIONS = {"sum": np.add, "mean": np.add, "prod": np.multiply, "amax": np.maximum, "amin": np.minimum}
STARTS = {"sum": 0, "mean": 0, "prod": 1, "amax": -np.inf, "amin": np.inf}


def start_of(reduce, dtype):
    """Return the value from which a reduction without the tensor's own elements starts."""
    if reduce in ("amax", "amin") and dtype.kind != "f":
        limits = np.iinfo(dtype) if dtype.kind in "iu" else None
        return (limits.min if reduce == "amax" else limits.max) if limits else reduce == "amin"
    return STARTS[reduce]


def counts_of(grad, dim, index, src, include_self, xp):
    """Return how many elements each place received."""
    ones = xp.cast_like(src == src, src)
    start = xp.cast_like((grad == grad) if include_self else (grad != grad), grad)
    number = xp.scatter_add(start, dim, index, ones)
    return xp.masked_fill(number, number == 0, 1)


def reduce_self(grad, self, dim, index, src, result, reduce, include_self, xp):
    """Return the gradient of the tensor that was scattered into."""
    if reduce == "sum":
        found = grad
    elif reduce == "mean":
        found = grad / counts_of(grad, dim, index, src, include_self, xp)
    elif reduce == "prod":
        filled = xp.masked_fill(self, self == 0, 1)
        found = grad * xp.scatter_reduce(filled, dim, index, src, reduce, include_self) / filled
    else:
        found = shared(grad, self, dim, index, src, result, xp) * (self == result)
    return found if include_self else xp.scatter_value(found, dim, index, 0)


def shared(grad, self, dim, index, src, result, xp):
    """Return the gradient divided by the number of elements that attain the extreme value."""
    is_result = xp.cast_like(self == result, self)
    equal = xp.cast_like(src == xp.gather(result, dim, index), src)
    return grad / xp.scatter_add(is_result, dim, index, equal)


def reduce_src(grad, self, dim, index, src, result, reduce, include_self, xp):
    """Return the gradient of the elements that were scattered."""
    if reduce == "sum":
        return xp.gather(grad, dim, index)
    if reduce == "mean":
        number = counts_of(grad, dim, index, src, include_self, xp)
        return xp.gather(grad, dim, index) / xp.gather(number, dim, index)
    if reduce == "prod":
        zero = src == 0
        zeros = xp.gather(xp.scatter_add(xp.cast_like(self != self, self), dim, index, xp.cast_like(zero, src)), dim, index)
        single = zero & (zeros == 1)
        filled = xp.masked_fill(src, single, 1)
        others = xp.scatter_reduce(self, dim, index, filled, reduce, include_self)
        return xp.where(single, xp.gather(grad * others, dim, index),
                        xp.gather(grad * result, dim, index) / xp.masked_fill(src, zero, 1))  # fmt: skip
    equal = src == xp.gather(result, dim, index)
    return xp.gather(shared(grad, self, dim, index, src, result, xp), dim, index) * equal


@op(r"y_j = \mathrm{reduce}(a_j, \{s_i : I_i = j\})", tensors=("index",), inplace=True,
    self=Vjp(lambda grad, self, dim, index, src, result, reduce, include_self, xp: reduce_self(
        grad, self, dim, index, src, result, reduce, include_self, xp), r"\bar a_j = \bar y_j\, \partial y_j / \partial a_j"),
    src=Vjp(lambda grad, self, dim, index, src, result, reduce, include_self, xp: reduce_src(
        grad, self, dim, index, src, result, reduce, include_self, xp), r"\bar s_i = \bar y_{I_i}\, \partial y_{I_i} / \partial s_i"))  # noqa: E501
def scatter_reduce(self, dim, index, src, reduce, include_self=True):
    """Reduce all elements that an index sends to one place: by sum, prod, mean, amax or amin."""
    if reduce not in REDUCTIONS:
        raise RuntimeError(f"reduce argument must be either sum, prod, mean, amax or amin, got {reduce}")
    made, flat, place, part = place_of(self, dim, index, src)
    if place is None:
        return made[()]
    if not include_self:
        flat[place] = start_of(reduce, made.dtype)
    REDUCTIONS[reduce].at(flat, place, part)
    if reduce == "mean":
        number = np.ones(flat.shape, np.int64)
        if not include_self:
            number[place] = 0
        np.add.at(number, place, 1)
        number[number == 0] = 1
        flat[...] = flat / number if made.dtype.kind == "f" else flat // number
    return made[()]


# ------------------------------------------------------------------ whole slices
def slices(self, dim, index, name):
    """Return a copy, and the place of the slices that an index names along a dimension."""
    if index.ndim > 1:
        raise IndexError(f"{name}(): Index is supposed to be a vector")
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


@op(r"y = a,\ y_{I_i} \mathrel{+}= \alpha s_i", tensors=("index",), inplace=True, fix="always",
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    source=Vjp(lambda grad, dim, index, source_dim, source, alpha, xp: of_source(grad, dim, index, source, xp) * alpha
               if alpha != 1 else of_source(grad, dim, index, source, xp), r"\bar s_i = \alpha \bar y_{I_i}"))
def index_add(self, dim, index, source, *, alpha=1):
    """Add slices at the places that an index names along a dimension."""
    made, flat, at, places, place = slices(self, dim, index, "index_add_")
    if index.dtype.kind not in "i" or index.dtype.itemsize < 4:
        raise RuntimeError("index_add_(): Expected dtype int32/int64 for index but got: " + from_numpy(index.dtype).scalar_name)
    if source.dtype is not self.dtype:
        raise RuntimeError(f"index_add_(): self ({from_numpy(self.dtype).scalar_name}) and source "
                           f"({from_numpy(source.dtype).scalar_name}) must have the same scalar type")  # fmt: skip
    part = at_least_1d(np.asarray(source))
    if source.ndim != self.ndim or any(m != n for k, (m, n) in enumerate(zip(self.shape, source.shape, strict=True)) if k != at):
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = "
                           f"{size_text(self.shape)} source.shape = {size_text(source.shape)}")  # fmt: skip
    if part.shape[at] != places.size:
        raise RuntimeError(f"index_add_(): Number of indices ({places.size}) should be equal to source.size(dim): "
                           f"({part.shape[at]}), for dim: {at}")  # fmt: skip
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise RuntimeError(f"index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    np.add.at(flat, place, part if alpha == 1 else part * made.dtype.type(alpha))
    return made[()]


@op(r"y = a,\ y_{I_i} = s_i", tensors=("index",), inplace=True, fix="always",
    self=Vjp(lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
    source=Vjp(lambda grad, dim, index, source_dim, source, xp: of_source(grad, dim, index, source, xp),
               r"\bar s_i = \bar y_{I_i}"))
def index_copy(self, dim, index, source):
    """Write slices to the places that an index names along a dimension."""
    made, flat, at, places, place = slices(self, dim, index, "index_copy_")
    part = at_least_1d(np.asarray(source))
    if index.dtype != np.int64:
        raise RuntimeError("index_copy_(): Expected a long tensor for index, but got " + from_numpy(index.dtype).scalar_name)
    if source.dtype is not self.dtype:
        raise RuntimeError(f"index_copy_(): self and source expected to have the same dtype, but got (self) "
                           f"{from_numpy(self.dtype).scalar_name} and (source) {from_numpy(source.dtype).scalar_name}")  # fmt: skip
    if part.shape[at] != places.size:
        raise IndexError(f"index_copy_(): Number of indices ({places.size}) should be equal to source.size(dim) "
                         f"({part.shape[at]})")  # fmt: skip
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise IndexError(f"index_copy_(): index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    flat[place] = part
    return made[()]


def filled(self, dim, index, value):
    """Return a copy whose slices at an index are one number."""
    if index.dtype != np.int64 and index.dtype != np.int32:
        raise IndexError("index_fill_(): Expected dtype int64 for index.")
    made, flat, at, places, place = slices(self, dim, index, "index_fill_")
    bad = bad_index(places, flat.shape[at])
    if bad is not None:
        raise IndexError(f"index {bad} is out of bounds for dimension {at} with size {flat.shape[at]}")
    flat[place] = value
    return made[()]


@op(r"y = a,\ y_{I_i} = v", node="IndexFillBackward0", function=False, method=False, tensors=("index",),
    self=Vjp(lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"))
def index_fill_value(self, dim, index, value):
    """Write one number to the slices that an index names along a dimension."""
    return filled(self, dim, index, value)


@op(r"y = a,\ y_{I_i} = v", node="IndexFillBackward1", function=False, method=False, tensors=("index",), fix="always",
    self=Vjp(lambda grad, dim, index, xp: xp.index_fill_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
    value=Vjp(lambda grad, dim, index, xp: xp.sum(grad - xp.index_fill_value(grad, dim, index, 0)),
              r"\bar v = \textstyle\sum_i \bar y_{I_i}"))
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
def at_indices(self, indices, values, accumulate):
    """Return a copy in which the elements at some indices are written or added to."""
    if self.dtype is not values.dtype:
        raise RuntimeError("Index put requires the source and destination dtypes match, got "
                           f"{from_numpy(self.dtype).scalar_name} for the destination and "
                           f"{from_numpy(values.dtype).scalar_name} for the source.")  # fmt: skip
    made = np.array(self)
    place = subscripts.numpy_index(made.shape, indices)
    try:
        if accumulate:
            np.add.at(made, place, values)
        else:
            made[place] = values
    except ValueError:
        raise RuntimeError(f"shape mismatch: value tensor of shape {size_text(values.shape)} cannot be broadcast to indexing "
                           f"result of shape {size_text(made[place].shape)}") from None  # fmt: skip
    return made[()]


@op(r"y_I = 0", node="IndexPutBackward0", function=False, method=False, lists=("indices",),
    self=Vjp(lambda grad, indices, xp: xp.index_clear(grad, indices), r"\bar a = \bar y,\ \bar a_I = 0"))
def index_clear(self, indices):
    """Return a copy in which the elements at some indices are zero."""
    return at_indices(self, indices, self.dtype.type(0), False)


@op(r"y = a,\ y_I = v", inplace=True, fix="always", function=False, method=False, name="index_put", lists=("indices",),
    self=Vjp(lambda grad, indices, accumulate, xp: grad if accumulate else xp.index_clear(grad, indices),
             r"\bar a = \bar y,\ \bar a_I = 0"),
    values=Vjp(lambda grad, indices, xp: xp.index(grad, indices), r"\bar v = \bar y_I"))
def index_put(self, indices, values, accumulate=False):
    """Write values to (or add them at) the places that tensors of indices name."""
    return at_indices(self, indices, values, accumulate)


def all_tensors(indices):
    """Return the indices as a tuple; the public functions do not let any be left out."""
    for position, one in enumerate(indices):
        if not isinstance(one, Tensor):
            raise TypeError(f"expected Tensor as element {position} in argument 0, but got {type(one).__name__}")
    return tuple(indices)


def put_into(target, indices, values):
    """Write values to where the indices (or None) of a subscript name."""
    run_inplace(table["index_put"], target, (indices, values, False), {})


tensors.put_into = put_into


@composed(name="index_put", vocabulary=False)
def _index_put_public(input, indices, values, accumulate=False):
    """Write values to (or add them at) the places that tensors of indices name."""
    return index_put(input, all_tensors(indices), values, accumulate)


@composed(name="index_put_", vocabulary=False)
def _index_put_in_place(input, indices, values, accumulate=False):
    """In-place version of index_put."""
    return run_inplace(table["index_put"], input, (all_tensors(indices), values, accumulate), {})


@op(r"y = a,\ y_m = s", tensors=("mask",), inplace=True, fix="always",
    self=Vjp(lambda grad, mask, xp: xp.masked_fill(grad, mask, 0), r"\bar a = \bar y,\ \bar a_m = 0"),
    source=Vjp(lambda grad, mask, source_sizes, xp: xp.masked_scatter_backward(grad, mask, source_sizes), r"\bar s = \bar y_m"))
def masked_scatter(self, mask, source):
    """Write the elements of a source, one after the other, to where the mask holds."""
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_scatter_ only supports boolean masks, but got mask with dtype "
                           f"{from_numpy(mask.dtype).scalar_name}")  # fmt: skip
    if self.dtype is not source.dtype:
        raise RuntimeError("masked_scatter: expected self and source to have same dtypes but got"
                           f"{from_numpy(self.dtype).scalar_name} and {from_numpy(source.dtype).scalar_name}")  # fmt: skip
    shape = broadcast_shapes(mask.shape, self.shape)
    made = np.array(np.broadcast_to(self, shape))
    mask = np.broadcast_to(mask, shape)
    count = int(np.count_nonzero(mask))
    if count > source.size:
        raise RuntimeError("Number of elements of source < number of ones in mask")
    made[mask] = np.asarray(source).reshape(-1)[:count]
    return made[()]


@op(r"y = a_m", tensors=("mask",), function=False, method=False, hidden=("self_sizes",),
    self=Vjp(lambda grad, mask, self_sizes, xp: xp.masked_scatter(xp.masked_fill(xp.masked_fill(
        xp.expand(xp.reshape(xp.sum(grad), (1,) * len(self_sizes)), self_sizes) * 0, mask, 0), mask, 0), mask, grad),
        r"\bar a_m = \bar y"))
def masked_scatter_backward(self, mask, sizes):
    """Return the elements at which the mask holds, followed by zeros, in the shape of the source."""
    taken = np.broadcast_to(self, broadcast_shapes(self.shape, mask.shape))[np.broadcast_to(mask, self.shape)]
    made = np.zeros(sizes, self.dtype)
    made.reshape(-1)[: taken.size] = taken
    return made


@op(r"y = a,\ y_{I_i} = s_i", tensors=("index",), inplace=True,
    self=Vjp(lambda grad, index, accumulate, xp: grad if accumulate else xp.put_zero(grad, index),
             r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
    source=Vjp(lambda grad, index, source, accumulate, xp: xp.take(grad, index), r"\bar s_i = \bar y_{I_i}"))
def put(self, index, source, accumulate=False):
    """Write elements to their places counted in row order."""
    made = np.array(self, order="C")
    flat = made.reshape(-1)
    if accumulate:
        np.add.at(flat, np.asarray(index).reshape(-1), np.asarray(source).reshape(-1))
    else:
        flat[np.asarray(index).reshape(-1)] = np.asarray(source).reshape(-1)
    return made[()]


@op(r"y_{I_i} = 0", tensors=("index",), function=False, method=False,
    self=Vjp(lambda grad, index, xp: xp.put_zero(grad, index), r"\bar a = \bar y,\ \bar a_{I_i} = 0"))
def put_zero(self, index):
    """Set elements to zero at their places counted in row order."""
    made = np.array(self, order="C")
    made.reshape(-1)[index] = 0
    return made[()]
