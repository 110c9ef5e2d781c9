"""Writing and reducing elements by index: scatter, scatter_add, scatter_reduce, index_reduce."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, arrays, op, table
from autograd_lab.core.sizes import size_text
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.indexing import along, at_least_1d
from autograd_lab.ops.refusals import no_derivative, not_implemented


def place_of(self, dim, index, src=None):
    """Return the array to write into, the place to write to, and the part of `src` that is written; raise as torch does."""  # noqa: E501
    at = wrap_dim(dim, self.ndim)
    if index.size and (index.dtype.kind not in "iu" or index.dtype.itemsize < 4):
        raise RuntimeError("scatter(): Expected dtype int32/int64 for index")
    if src is not None and src.dtype is not self.dtype:
        raise RuntimeError("scatter(): Expected self.dtype to be equal to src.dtype")
    made = np.array(self, order="C")
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
        raise RuntimeError(f"Expected index {size_text(places.shape)} to be no larger than self {size_text(flat.shape)} "  # noqa: E501
                           f"apart from dimension {at}{tail}")  # fmt: skip
    if part is not None:
        part = part[tuple(slice(n) for n in places.shape)]
    return made, flat, along(flat.shape, places, at), part


def fitting(grad, sizes, node, position):
    """Return a gradient, or raise if it is not of its input's size (torch's scatter wants src and index of one size)."""  # noqa: E501
    if tuple(grad.shape) != tuple(sizes):
        raise RuntimeError(f"Function {node} returned an invalid gradient at index {position} - got "
                           f"{size_text(grad.shape)} but expected shape compatible with {size_text(sizes)}")  # fmt: skip  # noqa: E501
    return grad


@op(
    r"y = a,\ y_{I_i} = s_i",
    function=False,
    method=False,
    tensors=("index",),
    inplace=False,
    hidden=("src_sizes",),
    self=Vjp(lambda grad, dim, index, xp: xp.scatter_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
    src=Vjp(
        lambda grad, dim, index, src_sizes, xp: fitting(xp.gather(grad, dim, index), src_sizes, "ScatterBackward0", 1),
        r"\bar s_i = \bar y_{I_i}",
    ),
)
def scatter(self, dim, index, src):
    """Write elements to the places that an index names along a dimension."""
    made, flat, place, part = place_of(self, dim, index, src)
    if place is not None:
        flat[place] = part
    return made[()]


@op(
    r"y = a,\ y_{I_i} = v",
    node="ScatterBackward1",
    function=False,
    method=False,
    tensors=("index",),
    self=Vjp(lambda grad, dim, index, xp: xp.scatter_value(grad, dim, index, 0), r"\bar a = \bar y,\ \bar a_{I_i} = 0"),
)
def scatter_value(self, dim, index, value):
    """Write one number to the places that an index names along a dimension."""
    made, flat, place, _ = place_of(self, dim, index)
    if place is not None:
        flat[place] = value
    return made[()]


DEPRECATED = (
    "The reduce argument of torch.scatter with Tensor src is deprecated and will be removed in a future PyTorch "
    "release. Use torch.scatter_reduce instead for more reduction options."
)


def _scatter(input, dim, index, src, value, reduce, run):
    if src is None:
        src = value
    if reduce is not None:
        if reduce not in ("add", "multiply"):
            raise RuntimeError("reduce argument must be either add or multiply.")
        if isinstance(src, Tensor):
            warn_once("scatter reduce", DEPRECATED, stacklevel=3)
            return run("scatter_combined", dim, index, src, reduce)
        return run("scatter_value_combined", dim, index, src, reduce)
    if isinstance(src, Tensor):
        return run("scatter", dim, index, src)
    return run("scatter_value", dim, index, src)


COMBINED = {"function": False, "method": False, "tensors": ("index",), "node": "NotImplemented"}


@op(r"y_{I_i} = a_{I_i} \circ s_i", **COMBINED, self=Vjp(lambda grad: no_derivative("scatter")),
    src=Vjp(lambda grad: no_derivative("scatter")))
def scatter_combined(self, dim, index, src, reduce):
    """Add or multiply elements at the places that an index names; torch has no derivative for it."""
    return arrays.scatter_reduce(self, dim, index, src, "sum" if reduce == "add" else "prod")


@op(r"y_{I_i} = a_{I_i} \circ v", **COMBINED, self=Vjp(lambda grad: no_derivative("scatter")))
def scatter_value_combined(self, dim, index, value, reduce):
    """Add or multiply a number at the places that an index names; torch has no derivative for it."""
    src = np.full(index.shape, value, self.dtype)
    return arrays.scatter_reduce(self, dim, index, src, "sum" if reduce == "add" else "prod")


@composed(name="scatter", vocabulary=False)
def _scatter_public(input, dim, index, src=None, *, value=None, reduce=None):
    """Write elements, or one number, to the places that an index names along a dimension."""
    return _scatter(input, dim, index, src, value, reduce, lambda name, *args: table[name].function(input, *args))


@composed(name="scatter_", function=False, vocabulary=False)
def _scatter_in_place(self, dim, index, src=None, *, value=None, reduce=None):
    """In-place version of scatter."""
    return _scatter(self, dim, index, src, value, reduce, lambda name, *args: run_inplace(table[name], self, args, {}))


@op(
    r"y = a,\ y_{I_i} \mathrel{+}= s_i",
    tensors=("index",),
    inplace=True,
    hidden=("src_sizes",),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    src=Vjp(
        lambda grad, dim, index, src_sizes, xp: fitting(
            xp.gather(grad, dim, index), src_sizes, "ScatterAddBackward0", 1
        ),
        r"\bar s_i = \bar y_{I_i}",
    ),
)
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


def refuse(message):
    """Raise what was announced."""
    raise RuntimeError(message)


@op(r"y = a", node="Error", hidden=("message",), self=Vjp(lambda grad, message: refuse(message), r"\bar a = \text{error}"),  # noqa: E501
    function=False, method=False, out=False)  # fmt: skip
def no_further(self, message):
    """The tensor itself, behind a node that refuses to be differentiated."""
    return self


def once(found, zeros, name, source, xp):
    """Return a gradient of products; where several zeros went to one place, torch has no second derivative."""
    if not (zeros > 1).any():
        return found
    return xp.no_further(found, f"{name}(): Double backward is unsupported for {source} when >1 zeros in {source} are "
                                "scattered to the same position in self")  # fmt: skip


def reduce_src(grad, self, dim, index, src, result, reduce, include_self, xp):
    """Return the gradient of the elements that were scattered."""
    if reduce in ("sum", "mean"):
        fitting(index, src.shape, "ScatterReduceBackward0", 1)
    if reduce == "sum":
        return xp.gather(grad, dim, index)
    if reduce == "mean":
        number = counts_of(grad, dim, index, src, include_self, xp)
        return xp.gather(grad, dim, index) / xp.gather(number, dim, index)
    if reduce == "prod":
        zero = src == 0
        zeros = xp.gather(
            xp.scatter_add(xp.cast_like(self != self, self), dim, index, xp.cast_like(zero, src)), dim, index
        )
        single = zero & (zeros == 1)
        filled = xp.masked_fill(src, single, 1)
        others = xp.scatter_reduce(self, dim, index, filled, reduce, include_self)
        found = xp.where(single, xp.gather(grad * others, dim, index),
                         xp.gather(grad * result, dim, index) / xp.masked_fill(src, zero, 1))  # fmt: skip
        return once(found, zeros, "scatter_reduce", "src", xp)
    equal = src == xp.gather(result, dim, index)
    return xp.gather(shared(grad, self, dim, index, src, result, xp), dim, index) * equal


@op(
    r"y_j = \mathrm{reduce}(a_j, \{s_i : I_i = j\})",
    tensors=("index",),
    inplace=True,
    self=Vjp(
        lambda grad, self, dim, index, src, result, reduce, include_self, xp: reduce_self(
            grad, self, dim, index, src, result, reduce, include_self, xp
        ),
        r"\bar a_j = \bar y_j\, \partial y_j / \partial a_j",
    ),
    src=Vjp(
        lambda grad, self, dim, index, src, result, reduce, include_self, xp: reduce_src(
            grad, self, dim, index, src, result, reduce, include_self, xp
        ),
        r"\bar s_i = \bar y_{I_i}\, \partial y_{I_i} / \partial s_i",
    ),
)
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


# ------------------------------------------------------------------ index_reduce
def index_counts(grad, dim, index, source, include_self, xp):
    """Return how many elements each place received."""
    start = xp.cast_like((grad == grad) if include_self else (grad != grad), grad)
    number = xp.index_add(start, dim, index, xp.cast_like(source == source, source))
    return xp.masked_fill(number, number == 0, 1)


def index_shares(grad, self, dim, index, source, result, xp):
    """Return the gradient divided by the number of elements that attain the extreme value."""
    equal = xp.cast_like(source == xp.index_select(result, dim, index), source)
    return grad / xp.index_add(xp.cast_like(self == result, self), dim, index, equal)


def index_reduce_self(grad, self, dim, index, source, result, reduce, include_self, xp):
    """Return the gradient of the tensor that was reduced into."""
    if reduce == "prod":
        filled = xp.masked_fill(self, self == 0, 1)
        found = grad * xp.index_reduce(filled, dim, index, source, reduce, include_self=include_self) / filled
    elif reduce == "mean":
        found = grad / index_counts(grad, dim, index, source, include_self, xp)
    else:
        found = index_shares(grad, self, dim, index, source, result, xp) * xp.cast_like(self == result, self)
    return found if include_self else xp.index_fill_value(found, dim, index, 0)


def index_reduce_source(grad, self, dim, index, source, result, reduce, include_self, xp):
    """Return the gradient of the elements that were reduced."""
    if reduce == "mean":
        number = index_counts(grad, dim, index, source, include_self, xp)
        return xp.index_select(grad, dim, index) / xp.index_select(number, dim, index)
    if reduce == "prod":
        zero = source == 0
        zeros = xp.index_add(xp.cast_like(self != self, self), dim, index, xp.cast_like(zero, source))
        zeros = xp.index_select(zeros, dim, index)
        single = zero & (zeros == 1)
        filled = xp.masked_fill(source, single, 1)
        others = xp.index_reduce(self, dim, index, filled, reduce, include_self=include_self)
        found = xp.where(single, xp.index_select(grad * others, dim, index),
                         xp.index_select(grad * result, dim, index) / xp.masked_fill(source, zero, 1))  # fmt: skip
        return once(found, zeros, "index_reduce", "source", xp)
    equal = xp.cast_like(source == xp.index_select(result, dim, index), source)
    return equal * xp.index_select(index_shares(grad, self, dim, index, source, result, xp), dim, index)


def check_index_reduce(self, dim, index, source, reduce):
    """Raise as torch does for operands that do not fit; return the dimension."""
    if reduce not in ("prod", "mean", "amax", "amin"):
        raise RuntimeError(f"index_reduce(): Expected reduce to be one of prod, mean, amax or amin but got {reduce}.")
    at, shown = wrap_dim(dim, self.ndim), from_numpy(index.dtype).scalar_name
    if index.ndim > 1:
        raise IndexError(f"index_reduce_(): Index is supposed to be a vector, but got dim: {index.ndim} with type: {shown} and "  # noqa: E501
                         f"size: {size_text(index.shape)}")  # fmt: skip
    if index.dtype not in (np.int64, np.int32):
        raise RuntimeError(f"index_reduce_(): Expected dtype int32/int64 for index but got: {shown}")
    if self.dtype is not source.dtype:
        raise RuntimeError(f"index_reduce_(): self ({from_numpy(self.dtype).scalar_name}) and source "
                           f"({from_numpy(source.dtype).scalar_name}) must have the same scalar type")  # fmt: skip
    size = source.shape[at] if source.ndim else 1
    if index.size != size:
        raise RuntimeError(f"index_reduce_(): Number of indices ({index.size}) should be equal to source.size(dim): ({size}), "  # noqa: E501
                           f"for dim: {at}")  # fmt: skip
    if self.ndim != source.ndim or any(n != m for k, (n, m) in enumerate(zip(self.shape, source.shape, strict=True)) if k != at):  # noqa: E501
        raise RuntimeError("source tensor shape must match self tensor shape, excluding the specified dimension. Got "
                           f"self.shape = {size_text(self.shape)} source.shape = {size_text(source.shape)}")  # fmt: skip  # noqa: E501
    if self.dtype.kind == "b":
        raise not_implemented("index_func_", self)
    count = self.shape[at] if self.ndim else 1
    if index.size and (index.min() < 0 or index.max() >= count):
        raise IndexError("index out of range in self")
    return at


@op(
    r"y_j = \mathrm{reduce}(a_j, \{s_i : I_i = j\})",
    tensors=("index",),
    inplace=True,
    self=Vjp(
        lambda grad, self, dim, index, source, result, reduce, include_self, xp: index_reduce_self(
            grad, self, dim, index, source, result, reduce, include_self, xp
        ),
        r"\bar a_j = \bar y_j\, \partial y_j / \partial a_j",
    ),
    source=Vjp(
        lambda grad, self, dim, index, source, result, reduce, include_self, xp: index_reduce_source(
            grad, self, dim, index, source, result, reduce, include_self, xp
        ),
        r"\bar s_i = \bar y_{I_i}\, \partial y_{I_i} / \partial s_i",
    ),
)
def index_reduce(self, dim, index, source, reduce, *, include_self=True):
    """Reduce the slices that an index sends to one place: by prod, mean, amax or amin."""
    warn_once("index_reduce", "index_reduce() is in beta and the API may change at any time.", stacklevel=3)
    at = check_index_reduce(self, dim, index, source, reduce)
    made = np.array(self)
    flat = at_least_1d(made)
    place = (*(slice(None),) * at, at_least_1d(np.asarray(index)))
    if not include_self:
        flat[place] = start_of(reduce, made.dtype)
    REDUCTIONS[reduce].at(flat, place, at_least_1d(np.asarray(source)))
    if reduce == "mean":
        number = np.full(flat.shape[at], int(include_self), np.int64)
        np.add.at(number, place[-1], 1)
        number = np.maximum(number, 1).reshape(-1, *(1,) * (flat.ndim - 1 - at))
        flat[...] = flat / number if made.dtype.kind == "f" else flat // number
    return made[()]
