"""Views of a part: select, slice, narrow, diagonal, unfold, and the ones that return several views at once."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.invalid import type_name
from autograd_lab.core.many import splits
from autograd_lab.core.op import Vjp, arrays, op, tensors
from autograd_lab.core.shapes import strided
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor

ALL = slice(None)
LAST = 2**63 - 1  # the end that torch gives a slice without one


def at(dim, index):
    """Return the NumPy index that takes `index` along one dimension."""
    return (ALL,) * dim + (index,)


def cut(dim, start, end, step):
    """Return the NumPy index of a slice along one dimension."""
    return (ALL,) * dim + (slice(start, end, step),)


def sliced(array, dim, start, end, step):
    """Return a slice along one dimension as a view; an empty one begins where torch says, which NumPy forgets."""
    made = array[cut(dim, start, end, step)]
    if made.size:
        return made
    steps = list(array.strides)
    offset = slice(start, end, step).indices(array.shape[dim])[0] * steps[dim]
    steps[dim] *= step
    return strided(array, made.shape, tuple(steps), offset)


@op(r"y = a", view=True, function=False, method=False, self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def alias(self):
    """View everything."""
    return self.view()


@op(
    r"y = a_i",
    view=True,
    self=Vjp(
        lambda grad, self_sizes, dim, index, xp: xp.select_backward(grad, self_sizes, dim, index), r"\bar a_i = \bar y"
    ),
)
def select(self, dim, index):
    """Take one index along a dimension, which disappears."""
    if not self.ndim:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    dim = wrap_dim(dim, self.ndim)
    size = self.shape[dim]
    if not -size <= index < size:
        raise IndexError(
            f"select(): index {index} out of range for tensor of size {size_text(self.shape)} at dimension {dim}"
        )
    return self[(ALL,) * dim + (index, ...)]


@op(
    r"y_i = a",
    function=False,
    method=False,
    self=Vjp(lambda grad, dim, index, xp: xp.select(grad, dim, index), r"\bar a = \bar y_i"),
)
def select_backward(self, input_sizes, dim, index):
    """Put a part into zeros: the transpose of `select`."""
    made = np.zeros(input_sizes, self.dtype)
    made[at(dim % len(input_sizes), index)] = self
    return made


@op(
    r"y = a_{i:j}",
    name="slice",
    view=True,
    function=False,
    method=False,
    self=Vjp(
        lambda grad, self_sizes, dim, start, end, step, xp: xp.slice_backward(grad, self_sizes, dim, start, end, step),
        r"\bar a_{i:j} = \bar y",
    ),
)
def slice_(self, dim=0, start=0, end=LAST, step=1):
    """Take every step-th index from `start` to `end` along a dimension."""
    return sliced(self, wrap_dim(dim, self.ndim), start, end, step)


@op(
    r"y_{i:j} = a",
    function=False,
    method=False,
    self=Vjp(lambda grad, dim, start, end, step, xp: xp.slice(grad, dim, start, end, step), r"\bar a = \bar y_{i:j}"),
)
def slice_backward(self, input_sizes, dim, start, end, step):
    """Put a slice into zeros: the transpose of `slice`."""
    made = np.zeros(input_sizes, self.dtype)
    made[cut(dim % len(input_sizes), start, end, step)] = self
    return made


@composed(vocabulary=False)
def narrow(input, dim, start, length):
    """Take `length` indices from `start` on along a dimension, as a view."""
    if not input._array.ndim:
        raise RuntimeError("narrow() cannot be applied to a 0-dim tensor.")
    if length < 0:
        raise RuntimeError("narrow(): length must be non-negative.")
    if isinstance(start, Tensor):
        if start._array.ndim or start._array.dtype.kind not in "iu":
            raise RuntimeError("start must be an 0-dim integral Tensor.")
        start = int(start)
    size = input._array.shape[wrap_dim(dim, input._array.ndim)]
    if not -size <= start <= size:
        raise IndexError(f"start out of range (expected to be in range of [-{size}, {size}], but got {start})")
    if start < 0:
        start += size
    if start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_(input, dim, start, start + length, 1)


arrays.narrow = lambda array, dim, start, length: array[cut(dim % array.ndim, start, start + length, 1)]
tensors.narrow = narrow


def diagonal_of(array, offset, dim1, dim2):
    """Return the diagonal of an array as a view that may be written."""
    first, second = wrap_dim(dim1, array.ndim), wrap_dim(dim2, array.ndim)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    found = np.diagonal(array, offset, first, second)
    if array.flags.writeable:
        found.flags.writeable = True
    return found


@op(
    r"y_i = a_{i,i+k}",
    view=True,
    self=Vjp(
        lambda grad, self_sizes, offset, dim1, dim2, xp: xp.diagonal_backward(grad, self_sizes, offset, dim1, dim2),
        r"\bar a_{i,i+k} = \bar y_i",
    ),
)
def diagonal(self, offset=0, dim1=0, dim2=1):
    """View a diagonal; it becomes the last dimension."""
    return diagonal_of(self, offset, dim1, dim2)


@op(
    r"y_{i,i+k} = a_i",
    function=False,
    method=False,
    self=Vjp(lambda grad, offset, dim1, dim2, xp: xp.diagonal(grad, offset, dim1, dim2), r"\bar a_i = \bar y_{i,i+k}"),
)
def diagonal_backward(self, input_sizes, offset, dim1, dim2):
    """Put a diagonal into zeros: the transpose of `diagonal`."""
    made = np.zeros(input_sizes, self.dtype)
    diagonal_of(made, offset, dim1, dim2)[...] = self
    return made


def windows(array, dim, size, step):
    """Return the view of all windows of one dimension."""
    shape, strides = list(array.shape), list(array.strides)
    shape[dim] = (shape[dim] - size) // step + 1
    length = strides[dim]
    strides[dim] *= step
    return strided(array, (*shape, size), (*strides, length))


@op(
    r"y_{i,j} = a_{si+j}",
    view=True,
    function=False,
    self=Vjp(
        lambda grad, self_sizes, dimension, size, step, xp: xp.unfold_backward(grad, self_sizes, dimension, size, step),
        r"\bar a_k = \textstyle\sum_{si+j=k} \bar y_{i,j}",
    ),
)
def unfold(self, dimension, size, step):
    """View all windows of `size` elements along a dimension; they become the last dimension."""
    dim = wrap_dim(dimension, self.ndim)
    length = self.shape[dim] if self.ndim else 1
    if size < 0:
        raise RuntimeError(f"size is {size} but must be >= 0")
    if size > length:
        raise RuntimeError(f"maximum size for tensor at dimension {dim} is {length} but size is {size}")
    if step <= 0:
        raise RuntimeError(f"step is {step} but must be > 0")
    return windows(self, dim, size, step) if self.ndim else self.reshape(1)[:size]


@op(
    r"y_k = \textstyle\sum_{si+j=k} a_{i,j}",
    function=False,
    method=False,
    self=Vjp(lambda grad, dim, size, step, xp: xp.unfold(grad, dim, size, step), r"\bar a_{i,j} = \bar y_{si+j}"),
)
def unfold_backward(self, input_sizes, dim, size, step):
    """Add windows back where they came from: the transpose of `unfold`."""
    if not input_sizes:
        return self.reshape(())[()] if size else np.zeros((), self.dtype)
    made = np.zeros(input_sizes, self.dtype)
    dim %= len(input_sizes)
    for k in range(self.shape[dim]):
        made[cut(dim, k * step, k * step + size, 1)] += np.moveaxis(self[at(dim, k)], -1, dim)
    return made


# ------------------------------------------------------------------ several views at once
@splits(r"y^{(k)} = a_k", self=Vjp(lambda grads, dim, xp: xp.stack(grads, dim), r"\bar a_k = \bar y^{(k)}"))
def unbind(self, dim=0):
    """Return the slices along a dimension, as views."""
    dim = wrap_dim(dim, self.ndim)
    if not self.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    before = (ALL,) * dim
    return [self[(*before, k, ...)] for k in range(self.shape[dim])]


def pieces(array, lengths, dim):
    """Return the views of consecutive lengths along a dimension."""
    found, start = [], 0
    for length in lengths:
        found.append(sliced(array, dim, start, start + length, 1))
        start += length
    return found


def joined(grads, dim, xp):
    """Put the gradients of consecutive pieces together."""
    return xp.cat(grads, dim)


@splits(
    r"(y^{(1)}, \dots) = a",
    name="_split",
    node="SplitBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grads, dim, self_sizes, split_size, xp: joined(grads, dim, xp), r"\bar a = (\bar y^{(1)}, \dots)"),
)
def _split(self, split_size, dim=0):
    """Cut a dimension into pieces of one length (the last may be shorter), as views."""
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    if split_size < 0:
        raise RuntimeError(f"split expects split_size be non-negative, but got split_size={split_size}")
    dim = wrap_dim(dim, self.ndim)
    size = self.shape[dim]
    if not split_size and size:
        raise RuntimeError(f"split_size can only be 0 if dimension size is 0, but got dimension size of {size}")
    count = max(-(-size // split_size), 1) if split_size else 1
    return pieces(self, [split_size] * (count - 1) + [size - split_size * (count - 1)], dim)


@splits(
    r"(y^{(1)}, \dots) = a",
    name="split_with_sizes",
    self=Vjp(lambda grads, dim, self_sizes, split_sizes, xp: joined(grads, dim, xp), r"\bar a = (\bar y^{(1)}, \dots)"),
)
def split_with_sizes(self, split_sizes, dim=0):
    """Cut a dimension into pieces of given lengths, as views."""
    if not self.ndim:
        raise RuntimeError("split expects at least a 1-dimensional tensor")
    given, dim = dim, wrap_dim(dim, self.ndim)
    if any(size < 0 for size in split_sizes):
        raise RuntimeError("split_with_sizes expects split_sizes have only non-negative entries, but got split_sizes="
                           f"{size_text(split_sizes)}")  # fmt: skip
    if sum(split_sizes) != self.shape[dim]:
        raise RuntimeError(
            f"split_with_sizes expects split_sizes to sum exactly to {self.shape[dim]} (input tensor's size at dimension "  # noqa: E501
            f"{given}), but got split_sizes={size_text(split_sizes)}"
        )
    return pieces(self, split_sizes, dim)


def split(tensor, split_size_or_sizes, dim=0):
    """Cut a dimension into pieces: of one size, or of given sizes; they are views.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.split.html
    """
    if isinstance(split_size_or_sizes, (tuple, list)):
        return tensors.split_with_sizes(tensor, _pieces(split_size_or_sizes), dim)
    if not hasattr(split_size_or_sizes, "__index__") or isinstance(split_size_or_sizes, bool):
        raise TypeError("split_with_sizes(): argument 'split_sizes' (position 2) must be tuple of ints, not "
                        f"{type_name(split_size_or_sizes)}")  # fmt: skip
    return _split(tensor, split_size_or_sizes.__index__(), dim)


def _pieces(sizes):
    for position, one in enumerate(sizes):
        if not hasattr(one, "__index__"):
            raise TypeError("split_with_sizes(): argument 'split_sizes' " + (
                f"(position 2) must be tuple of ints, but found element of type {type_name(one)} at pos 0"
                if position == 0 else
                f"failed to unpack the object at pos {position + 1} with error \"type must be tuple of ints,but got "
                f'{type_name(one)}"'
            ))  # fmt: skip
    return tuple(one.__index__() for one in sizes)


composed(method=False, vocabulary=False)(split)


@composed(name="split", function=False, vocabulary=False)
def _split_method(self, split_size, dim=0):
    """Cut a dimension into pieces; see torch.split."""
    return split(self, split_size, dim)


def piece_length(input, chunks, dim):
    """Return how long each piece is if a dimension is cut into so many; 0 for a dimension without elements."""
    if not input._array.ndim:
        raise RuntimeError("chunk expects at least a 1-dimensional tensor")
    if chunks <= 0:
        raise RuntimeError(f"chunk expects `chunks` to be greater than 0, got: {chunks}")
    size = input._array.shape[wrap_dim(dim, input._array.ndim)]
    return -(-size // chunks)


@composed(vocabulary=False)
def chunk(input, chunks, dim=0):
    """Cut a dimension into (at most) so many pieces of equal size, as views."""
    each = piece_length(input, chunks, dim)
    return _split(input, each, dim) if each else split_with_sizes(input, (0,) * chunks, dim)


@composed(vocabulary=False)
def tensor_split(input, indices_or_sections, dim=0):
    """Cut a dimension at given indices, or into so many nearly equal pieces, as views."""
    if not input._array.ndim:
        raise RuntimeError("tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims")
    size = input._array.shape[wrap_dim(dim, input._array.ndim)]
    if isinstance(indices_or_sections, Tensor):
        if indices_or_sections._array.dtype != np.int64:
            kind = from_numpy(indices_or_sections._array.dtype).scalar_name
            raise RuntimeError("tensor_split expected tensor_indices_or_sections to have dtype of long, "
                               f"but got {kind}")  # fmt: skip
        indices_or_sections = indices_or_sections.tolist()
    if isinstance(indices_or_sections, (tuple, list)):
        ends = [*indices_or_sections, size]
        starts = [0, *indices_or_sections]
    else:
        sections = indices_or_sections
        if sections <= 0:
            raise RuntimeError(f"number of sections must be larger than 0, got {sections}")
        least, more = divmod(size, sections)
        ends = [least * (k + 1) + min(k + 1, more) for k in range(sections)]
        starts = [0, *ends[:-1]]
    return tuple(slice_(input, dim, start, end, 1) for start, end in zip(starts, ends, strict=True))


def _directed(name, dim_of, least):
    def publish(input, indices_or_sections):
        """Cut along one of the first dimensions, as views."""
        ndim = input._array.ndim
        if ndim < least:
            raise RuntimeError(f"torch.{name} requires a tensor with at least {least} dimension, "
                               f"but got a tensor with {ndim} dimensions!")  # fmt: skip
        dim = dim_of(ndim)
        if isinstance(indices_or_sections, int) and (
            indices_or_sections == 0 or input._array.shape[dim] % indices_or_sections
        ):
            raise RuntimeError(f"torch.{name} attempted to split along dimension {dim}, but the size of the dimension "
                               f"{input._array.shape[dim]} is not divisible by the split_size {indices_or_sections}!")  # fmt: skip  # noqa: E501
        return tensor_split(input, indices_or_sections, dim)

    composed(name=name, vocabulary=False)(publish)


_directed("hsplit", lambda ndim: 0 if ndim == 1 else 1, 1)
_directed("vsplit", lambda ndim: 0, 2)
_directed("dsplit", lambda ndim: 2, 3)
