"""Writing elements by index: scatter, index_add, index_copy, index_fill, index_put, masked_scatter, put."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, arrays, op, table
from autograd_lab.core.sizes import size_text
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.indexing import along, at_least_1d
from autograd_lab.ops.refusals import no_derivative


def place_of(self, dim, index, src=None):
    """Return the array to write into, the place to write to, and the part of `src` that is written; raise as torch does."""  # noqa: E501
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
        return xp.where(single, xp.gather(grad * others, dim, index),
                        xp.gather(grad * result, dim, index) / xp.masked_fill(src, zero, 1))  # fmt: skip
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
