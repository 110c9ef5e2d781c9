"""Reading elements by index: subscripts, index, index_select, gather, take, masked_select, nonzero."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from autograd_lab.core import subscripts
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import overwrite
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.sizes import size_text
from autograd_lab.core.strided import dimension_order, in_order
from autograd_lab.core.tensor import Tensor, fresh

Tensor.__getitem__ = subscripts.read  # type: ignore[method-assign]
Tensor.__setitem__ = subscripts.write  # type: ignore[method-assign]


def _no_deletion(self: Tensor, index: Any) -> None:
    raise TypeError("Tensor does not support deleting items")


Tensor.__delitem__ = _no_deletion  # type: ignore[attr-defined]


@op(
    r"y = a_I",
    name="index",
    function=False,
    method=False,
    lists=("indices",),
    self=Vjp(
        lambda grad, self_sizes, indices, xp: xp.index_backward(grad, self_sizes, indices),
        r"\bar a_I \mathrel{+}= \bar y",
    ),
)
def index(self, indices):
    """Gather elements by tensors of indices, one for each dimension or None."""
    place = subscripts.numpy_index(self.shape, indices)
    made = self[place]
    if made.ndim < 2 or self.flags.c_contiguous:
        return made if made.ndim < 2 else np.ascontiguousarray(made)
    return in_order(made, gathered_order(self, place, made.shape))


class Walk(NamedTuple):
    """How an operand moves through memory when a result is gathered: all that its dimensions' order asks for."""

    shape: tuple[int, ...]
    strides: tuple[int, ...]

    @property
    def ndim(self):
        """The number of dimensions."""
        return len(self.shape)


def gathered_order(array, place, shape):
    """Return the order in memory of a gathered result: indexed dimensions step nowhere in the source."""
    lists = [k for k, one in enumerate(place) if not isinstance(one, slice)]
    common = np.broadcast_shapes(*(place[k].shape for k in lists))
    together = lists == list(range(lists[0], lists[-1] + 1))
    first = lists[0] if together else 0
    rest = [stride for k, stride in enumerate(array.strides) if k not in lists]
    zeros, tail = (0,) * first, (0,) * (len(shape) - first - len(common))
    walks = [Walk(shape, (*rest[:first], *(0,) * len(common), *rest[first:]))]
    walks += [Walk(shape, (*zeros, *np.broadcast_to(place[k], common).strides, *tail)) for k in lists]
    return dimension_order(shape, tuple(walks))


@op(
    r"y_I \mathrel{+}= a",
    node="IndexPutBackward0",
    function=False,
    method=False,
    lists=("indices",),
    self=Vjp(lambda grad, indices, xp: xp.index(grad, indices), r"\bar a = \bar y_I"),
)
def index_backward(self, input_sizes, indices):
    """Add up what was gathered where it came from: the transpose of `index`."""
    made = np.zeros(input_sizes, self.dtype)
    place = subscripts.numpy_index(input_sizes, indices)
    if all(item is None or item._array.dtype.kind == "b" for item in indices):
        made[place] = self
    else:
        np.add.at(made, place, self)
    return made


def check_index(op_name, index):
    """Raise unless a tensor holds indices."""
    if index.dtype.kind not in "iu" or index.dtype.itemsize < 4:
        raise RuntimeError(f"{op_name}(): Expected dtype int32/int64 for index")


def along(self_shape, index, dim, negative=False):
    """Return the NumPy index that picks, for each place of `index`, the element that it names along `dim`."""
    size = self_shape[dim] if self_shape else 1
    if index.size:
        bad = index[(index < 0) | (index >= size)]
        if bad.size:
            raise RuntimeError(f"index {bad.flat[0]} is out of bounds for dimension {dim} with size {size}")
    grid = list(np.ogrid[tuple(slice(n) for n in index.shape)])
    grid[dim] = index
    return tuple(grid)


def at_least_1d(array):
    """Return a 0-d array with one dimension."""
    return array.reshape(1) if array.ndim == 0 else array


@op(
    r"y_i = a_{I_i}",
    tensors=("index",),
    self=Vjp(
        lambda grad, self, dim, index, sparse_grad, xp: xp.gather_backward(grad, self, dim, index),
        r"\bar a_{I_i} \mathrel{+}= \bar y_i",
    ),
)
def gather(self, dim, index, *, sparse_grad=False):
    """Pick elements along a dimension by an index tensor of the result's shape."""
    at = wrap_dim(dim, self.ndim)
    if index.size:
        check_index("gather", index)
        if (self.ndim or 1) != (index.ndim or 1):
            raise RuntimeError("Index tensor must have the same number of dimensions as input tensor")
        for k, (have, want) in enumerate(zip(self.shape, index.shape, strict=False)):
            if k != at and want > have:
                raise RuntimeError(f"Size does not match at dimension {k} expected index {size_text(index.shape)} to be no "  # noqa: E501
                                   f"larger than self {size_text(self.shape)} apart from dimension {at}")  # fmt: skip
    if not index.size:
        return np.empty(index.shape, self.dtype)
    array, places = at_least_1d(self), at_least_1d(index)
    return array[along(array.shape, places, at)].reshape(index.shape)[()]


@op(
    r"y_{I_i} \mathrel{+}= a_i",
    tensors=("like", "index"),
    node="ScatterAddBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad, dim, index, xp: xp.gather(grad, dim, index), r"\bar a_i = \bar y_{I_i}"),
)
def gather_backward(self, like, dim, index):
    """Add up what was gathered where it came from: the transpose of `gather`."""
    made = np.zeros(like.shape, self.dtype)
    if index.size:
        flat = at_least_1d(made)
        at = dim % flat.ndim
        np.add.at(flat, along(flat.shape, at_least_1d(index), at), at_least_1d(self))
    return made[()]


@op(
    r"y_i = a_{I_i}",
    tensors=("index",),
    self=Vjp(
        lambda grad, self_sizes, dim, index, xp: xp.index_select_backward(grad, self_sizes, dim, index),
        r"\bar a_{I_i} \mathrel{+}= \bar y_i",
    ),
)
def index_select(self, dim, index):
    """Pick whole slices along a dimension."""
    if index.ndim > 1:
        raise IndexError("index_select(): Index is supposed to be a vector")
    if index.dtype.kind not in "i" or index.dtype.itemsize < 4:
        raise RuntimeError("index_select(): Expected dtype int32 or int64 for index")
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at] if self.ndim else 1
    places = at_least_1d(index)
    if places.size and (places.min() < 0 or places.max() >= size):
        raise IndexError("index out of range in self")
    if not self.ndim:
        if places.size != 1:
            raise RuntimeError(f"index_select(): Index to scalar can have only 1 value, got {places.size} value(s)")
        return self
    return np.take(self, places, at)


@op(
    r"y_{I_i} \mathrel{+}= a_i",
    tensors=("index",),
    node="IndexAddBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad, dim, index, xp: xp.index_select(grad, dim, index), r"\bar a_i = \bar y_{I_i}"),
)
def index_select_backward(self, input_sizes, dim, index):
    """Add up slices where they came from: the transpose of `index_select`."""
    made = np.zeros(input_sizes, self.dtype)
    if not input_sizes:
        return made[()] + self
    np.add.at(made, (slice(None),) * (dim % len(input_sizes)) + (at_least_1d(index),), self)
    return made


@op(
    r"y_i = a_{I_i}",
    tensors=("index",),
    self=Vjp(lambda grad, self, index, xp: xp.take_backward(grad, self, index), r"\bar a_{I_i} \mathrel{+}= \bar y_i"),
)
def take(self, index):
    """Pick elements by their number in row order."""
    if index.dtype != np.int64:
        raise RuntimeError(f"take(): Expected a long tensor for index, but got {from_numpy(index.dtype).scalar_name}")
    if not self.size and index.size:
        raise IndexError("take(): tried to take from an empty tensor")
    bad = index[(index < -self.size) | (index >= self.size)] if index.ndim else None
    if bad is None and index.size and not -self.size <= index < self.size:
        bad = np.array([index])
    if bad is not None and bad.size:
        raise IndexError(f"out of range: tried to access index {bad.flat[0]} on a tensor of {self.size} elements.")
    return self.reshape(-1)[index]


@op(
    r"y_{I_i} \mathrel{+}= a_i",
    tensors=("like", "index"),
    node="PutBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad, index, xp: xp.take(grad, index), r"\bar a_i = \bar y_{I_i}"),
)
def take_backward(self, like, index):
    """Add elements up where they came from: the transpose of `take`."""
    made = np.zeros(like.size, self.dtype)
    np.add.at(made, index, self)
    return made.reshape(like.shape)[()]


@composed()
def take_along_dim(input, indices, dim=None):
    """Gather along a dimension, broadcasting input and indices against each other."""
    shape, places = input._array.shape, indices._array.shape
    if dim is not None and len(shape) != len(places):
        raise RuntimeError("torch.take_along_dim(): input and indices should have the same number of dimensions, but got "  # noqa: E501
                           f"{len(shape)} dimensions for input, and {len(places)} dimensions for indices")  # fmt: skip
    if indices._array.dtype != np.int64:
        raise RuntimeError("torch.take_along_dim(): dtype of indices should be Long but got "
                           f"{from_numpy(indices._array.dtype).scalar_name}")  # fmt: skip
    if dim is None:
        return input.reshape(-1).gather(0, indices.reshape(-1))
    at = wrap_dim(dim, len(shape))
    broad = broadcast_shapes((*shape[:at], 1, *shape[at + 1 :]), (*places[:at], 1, *places[at + 1 :]))
    wide = input.expand((*broad[:at], shape[at], *broad[at + 1 :]))
    return wide.gather(at, indices.expand((*broad[:at], places[at], *broad[at + 1 :])))


@op(
    r"y = a_m",
    tensors=("mask",),
    self=Vjp(lambda grad, self, mask, xp: xp.masked_select_backward(grad, self, mask), r"\bar a_m = \bar y"),
)
def masked_select(self, mask):
    """Return the elements at which the mask holds, in one dimension."""
    if mask.dtype.kind != "b":
        raise RuntimeError("masked_select: expected BoolTensor for mask")
    shape = broadcast_shapes(mask.shape, self.shape)
    return np.broadcast_to(self, shape)[np.broadcast_to(mask, shape)]


@op(
    r"y_m = a",
    tensors=("like", "mask"),
    node="MaskedScatterBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad, mask, xp: xp.masked_select(grad, mask), r"\bar a = \bar y_m"),
)
def masked_select_backward(self, like, mask):
    """Put selected elements back where they came from: the transpose of `masked_select`."""
    from autograd_lab.core.accumulate import reduce_array

    shape = broadcast_shapes(mask.shape, like.shape)
    made = np.zeros(shape, self.dtype)
    made[np.broadcast_to(mask, shape)] = self
    return reduce_array(made, like.shape)


@composed(vocabulary=False)
def nonzero(input, *, out=None, as_tuple=False):
    """Return the indices of the elements that are not zero: as rows of a matrix, or as one tensor a dimension."""
    array = np.asarray(input._array)
    if out is not None:
        overwrite(out, fresh(np.argwhere(array)), "nonzero")
        return out
    if as_tuple:
        return fresh(np.argwhere(at_least_1d(array))).unbind(1)
    if not array.ndim:
        return fresh(np.zeros((int(bool(array)), 0), np.int64))
    return fresh(np.argwhere(array))


@composed(vocabulary=False)
def argwhere(input):
    """Return the indices of the elements that are not zero, as rows of a matrix."""
    return nonzero(input)
