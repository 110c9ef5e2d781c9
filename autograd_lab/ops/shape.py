"""Views that give the same elements another shape: view, reshape, expand, squeeze, transpose, permute and their kin."""

from __future__ import annotations

from math import prod

import numpy as np

from autograd_lab.core.composed import attribute, composed
from autograd_lab.core.dims import wrap_dim, wrap_dims
from autograd_lab.core.dtypes import dtype as dtype_class
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.foreign import check_tensors
from autograd_lab.core.memory_formats import is_arranged
from autograd_lab.core.op import Vjp, arrays, op, tensors
from autograd_lab.core.shapes import broadcast_shapes, expanded_size, infer, ints, strided, without_copy
from autograd_lab.core.sizes import size_text
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import wrap
from autograd_lab.core.versions import materialize
from autograd_lab.core.views import make_view

NOT_A_VIEW = (
    "view size is not compatible with input tensor's size and stride (at least one dimension spans across two contiguous "  # noqa: E501
    "subspaces). Use .reshape(...) instead."
)


@op(
    r"y = \mathrm{view}(a)",
    name="view",
    view=True,
    function=False,
    method=False,
    self=Vjp(lambda grad, self_sizes, xp: xp.reshape(grad, self_sizes), r"\bar a = \mathrm{reshape}(\bar y)"),
)
def _view(self, size):
    """Return the same memory in another shape."""
    found = without_copy(self, infer(size, self.size))
    if found is None:
        raise RuntimeError(NOT_A_VIEW)
    return found


@op(
    r"y = a",
    name="_unsafe_view",
    node="UnsafeViewBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad, self_sizes, xp: xp.reshape(grad, self_sizes), r"\bar a = \mathrm{reshape}(\bar y)"),
)
def _unsafe_view(self, size):
    """Give a fresh result, which nobody else holds, another shape."""
    return self.reshape(infer(size, self.size))


@op(
    r"y = \mathrm{view}(a)",
    name="_reshape_alias",
    node="ReshapeAliasBackward0",
    view=True,
    function=False,
    method=False,
    self=Vjp(lambda grad, self_sizes, xp: xp.reshape(grad, self_sizes), r"\bar a = \mathrm{reshape}(\bar y)"),
)
def _reshape_alias(self, size):
    """Return the same memory, which has gaps or another order, in another shape."""
    return without_copy(self, size)


@op(
    r"y = a",
    name="clone_in_order",
    node="CloneBackward0",
    function=False,
    method=False,
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
)
def clone_in_order(self):
    """Copy into fresh memory in row order."""
    return np.array(self, order="C")


def _view_dtype(input, dtype):
    """Read the same bytes as another dtype."""
    array = materialize(input)
    old, new = array.dtype.itemsize, dtype.numpy.itemsize
    names = f"{from_numpy(array.dtype).scalar_name} as {dtype.scalar_name} (different element sizes)"
    if old != new and array.ndim == 0:
        raise RuntimeError(f"self.dim() cannot be 0 to view {names}")
    if old < new and array.shape[-1] % (new // old):
        raise RuntimeError(f"self.size(-1) must be divisible by {new // old} to view {names}, but got "
                           f"{array.shape[-1]}")  # fmt: skip
    check_steps(input, old, new, names)
    made = wrap(array.view(dtype.numpy))
    make_view(made, input)
    return made


def check_steps(input, old, new, names):
    """Raise unless the elements lie so that they can be read as elements of another size."""
    steps, ratio = input.stride(), new // old
    if old != new and steps[-1] != 1:
        raise RuntimeError(f"self.stride(-1) must be 1 to view {names}, but got {steps[-1]}")
    if ratio > 1:
        places = [("storage_offset()", input.storage_offset())]
        places += [(f"stride({k})", step) for k, step in enumerate(steps[:-1])]
        for what, number in places:
            if number % ratio:
                raise RuntimeError(f"self.{what} must be divisible by {ratio} to view {names}, but got {number}")


@composed(function=False, vocabulary=False)
def view(input, *size, dtype=None):
    """Return a tensor with the same memory and another shape (or, given a dtype, the same bytes read as that dtype)."""
    if dtype is None and len(size) == 1 and isinstance(size[0], dtype_class):
        dtype = size[0]
    if dtype is not None:
        return _view_dtype(input, dtype)
    return _view(input, ints(size, "view"))


@composed(function=False)
def view_as(input, other):
    """View with the shape of another tensor."""
    return _view(input, other._array.shape)


def reshaped(input, size):
    """Return a view in the new shape where that is possible, else a copy."""
    array = input._array
    size = infer(size, array.size)
    if array.ndim == 0 or array.flags.c_contiguous:
        return _view(input, size)
    if without_copy(array, size) is not None:
        return _reshape_alias(input, size)
    return _unsafe_view(clone_in_order(input), size)


@composed(name="reshape", method=False, vocabulary=False)
def _reshape_function(input, shape):
    """Return a tensor with the same elements and another shape: a view where possible, else a copy."""
    return reshaped(input, ints((shape,), "reshape", "shape"))


@composed(name="reshape", function=False, vocabulary=False)
def _reshape_method(input, *shape):
    """Return a tensor with the same elements and another shape: a view where possible, else a copy."""
    return reshaped(input, ints(shape, "reshape", "shape"))


@composed(function=False)
def reshape_as(input, other):
    """Reshape to the shape of another tensor."""
    return reshaped(input, other._array.shape)


@composed()
def ravel(input):
    """Return the elements in one dimension."""
    return _view(input.contiguous(), (-1,))


@composed()
def flatten(input, start_dim=0, end_dim=-1):
    """Merge the dimensions from `start_dim` to `end_dim`."""
    shape = input._array.shape
    start, end = wrap_dim(start_dim, len(shape)), wrap_dim(end_dim, len(shape))
    if start > end:
        raise RuntimeError("flatten() has invalid args: start_dim cannot come after end_dim")
    if not shape:
        return reshaped(input, (1,))
    if start == end:
        return input
    merged = 1
    for size in shape[start : end + 1]:
        merged *= size
    return reshaped(input, (*shape[:start], merged, *shape[end + 1 :]))


@op(
    r"y_{ij\dots} = a_{j\dots}",
    name="expand",
    view=True,
    function=False,
    method=False,
    fix="always",
    self=Vjp(lambda grad, self_sizes: grad, r"\bar a = \textstyle\sum \bar y"),
)
def _expand(self, size):
    """Repeat along dimensions of size 1 without copying."""
    extra = len(size) - self.ndim
    if extra < 0 or (size and min(size) < 0):
        size = expanded_size(self, size)
    if not self.ndim:  # one number everywhere: no memory, and without broadcast_to's detours
        return np.ndarray(size, self.dtype, np.asarray(self), 0, (0,) * len(size))
    strides = [0] * extra
    for want, have, step in zip(size[extra:], self.shape, self.strides, strict=True):
        if want == have:
            strides.append(step)
        elif have == 1:
            strides.append(0)
        else:
            expanded_size(self, size)
    return strided(self, size, tuple(strides))


def expanded(array, size):
    """Expand in an ordinary backward: few elements are copied, which is quicker than a view with strides of 0."""
    if prod(size) > 4096 or not array.ndim or -1 in size:
        return _expand_kernel(array, size)
    made = np.empty(size, array.dtype)
    made[...] = array
    return made


_expand_kernel, arrays.expand = arrays.expand, expanded


@composed(function=False, vocabulary=False)
def expand(input, *size, implicit=False):
    """Repeat dimensions of size 1 without copying; -1 keeps a size."""
    return _expand(input, ints(size, "expand"))


@composed(function=False)
def expand_as(input, other):
    """Expand to the shape of another tensor."""
    return _expand(input, other._array.shape)


@composed()
def broadcast_to(input, size):
    """Broadcast to a shape."""
    return _expand(input, ints((size,), "broadcast_to"))


@composed(method=False)
def broadcast_tensors(*tensors):
    """Broadcast all tensors to one shape."""
    if len(tensors) == 1 and isinstance(tensors[0], (tuple, list)):
        tensors = tuple(tensors[0])
    check_tensors(tensors, 0)
    shape = broadcast_shapes(*(tensor._array.shape for tensor in tensors))
    return tuple(tensor if tensor._array.shape == shape else _expand(tensor, shape) for tensor in tensors)


@composed(name="broadcast_shapes", method=False, vocabulary=False)
def _broadcast_shapes(*shapes):
    """Return the shape to which all the given shapes broadcast."""
    from autograd_lab.core.sizes import Size

    return Size(broadcast_shapes(*((shape,) if isinstance(shape, int) else tuple(shape) for shape in shapes)))


# ------------------------------------------------------------------ dimensions of size 1
@op(
    r"y = a",
    name="unsqueeze",
    view=True,
    inplace=False,
    self=Vjp(lambda grad, dim, xp: xp.squeeze_dim(grad, dim), r"\bar a = \mathrm{squeeze}(\bar y)"),
)
def unsqueeze(self, dim):
    """Insert a dimension of size 1."""
    shape, strides = self.shape, self.strides
    at = wrap_dim(dim, len(shape) + 1)
    if self.flags.c_contiguous and self.base is None:
        return self.reshape((*shape[:at], 1, *shape[at:]))
    step = shape[at] * strides[at] if at < len(shape) else self.itemsize    # as torch has it, unlike NumPy
    return strided(self, (*shape[:at], 1, *shape[at:]), (*strides[:at], step, *strides[at:]))


def _unsqueeze_to(grad, sizes, xp):
    shape = grad.shape
    return grad if shape == sizes else xp.reshape(grad, sizes)


@op(
    r"y = a",
    name="squeeze_all",
    node="SqueezeBackward0",
    view=True,
    function=False,
    method=False,
    self=Vjp(lambda grad, self_sizes, xp: _unsqueeze_to(grad, self_sizes, xp), r"\bar a = \mathrm{unsqueeze}(\bar y)"),
)
def _squeeze_all(self):
    """Drop all dimensions of size 1."""
    return self.reshape(tuple(size for size in self.shape if size != 1))


@op(
    r"y = a",
    name="squeeze_dim",
    node="SqueezeBackward1",
    view=True,
    function=False,
    method=False,
    self=Vjp(
        lambda grad, dim, self_sizes, xp: _unsqueeze_to(grad, self_sizes, xp), r"\bar a = \mathrm{unsqueeze}(\bar y)"
    ),
)
def _squeeze_dim(self, dim):
    """Drop one dimension, if its size is 1."""
    shape = self.shape
    at = wrap_dim(dim, len(shape))
    return self.reshape((*shape[:at], *shape[at + 1 :])) if shape and shape[at] == 1 else self.reshape(shape)


@op(
    r"y = a",
    name="squeeze_dims",
    node="SqueezeBackward2",
    view=True,
    function=False,
    method=False,
    self=Vjp(
        lambda grad, dim, self_sizes, xp: _unsqueeze_to(grad, self_sizes, xp), r"\bar a = \mathrm{unsqueeze}(\bar y)"
    ),
)
def _squeeze_dims(self, dim):
    """Drop those of the given dimensions that have size 1."""
    drop = wrap_dims(dim, self.ndim)
    return self.reshape(tuple(size for k, size in enumerate(self.shape) if k not in drop or size != 1))


@composed(vocabulary=False)
def squeeze(input, dim=None):
    """Drop dimensions of size 1: all, one, or several given ones."""
    if dim is None:
        return _squeeze_all(input)
    if isinstance(dim, (tuple, list)):
        return _squeeze_dims(input, tuple(dim))
    return _squeeze_dim(input, dim)


# ------------------------------------------------------------------ the order of dimensions
@op(r"y = a^\top", view=True, self=Vjp(lambda grad, xp: xp.t(grad), r"\bar a = \bar y^\top"))
def t(self):
    """Transpose a matrix; tensors of fewer dimensions come back as they are."""
    if self.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {self.ndim}D")
    return self.transpose()


@op(
    r"y_{ji} = a_{ij}",
    view=True,
    function=False,
    method=False,
    self=Vjp(lambda grad, dim0, dim1, xp: xp.transpose(grad, dim0, dim1), r"\bar a = \bar y^\top"),
)
def transpose(self, dim0, dim1):
    """Exchange two dimensions."""
    count = self.ndim
    first, second = wrap_dim(dim0, count), wrap_dim(dim1, count)
    return self.swapaxes(first, second) if count else self.view()


@composed(name="transpose", aliases=("swapdims",), vocabulary=False)
def _transpose_public(input, dim0, dim1):
    """Exchange two dimensions."""
    return transpose(input, dim0, dim1)


@composed(vocabulary=False)
def swapaxes(input, axis0, axis1):
    """Exchange two dimensions."""
    return transpose(input, axis0, axis1)


def inverse_order(dims):
    """Return the order that undoes a permutation."""
    count = len(dims)
    found = [0] * count
    for k, dim in enumerate(dims):
        found[dim % count] = k
    return tuple(found)


@op(
    r"y = \mathrm{permute}(a)",
    name="permute",
    view=True,
    function=False,
    method=False,
    self=Vjp(lambda grad, dims, xp: xp.permute(grad, inverse_order(dims)), r"\bar a = \mathrm{permute}^{-1}(\bar y)"),
)
def _permute(self, dims):
    """Put the dimensions in another order."""
    if len(dims) != self.ndim:
        raise RuntimeError(
            "permute(sparse_coo): number of dimensions in the tensor input does not match the length of the desired "
            f"ordering of dimensions i.e. input.dim() = {self.ndim} is not equal to len(dims) = {len(dims)}"
        )
    order = tuple([wrap_dim(dim, self.ndim) for dim in dims])
    if len(set(order)) != len(order):
        raise RuntimeError("permute(): duplicate dims are not allowed.")
    return self.transpose(order) if order else self.view()


@composed(name="permute", method=False, vocabulary=False)
def _permute_function(input, dims):
    """Put the dimensions in another order."""
    return _permute(input, ints((dims,), "permute", "dims"))


@composed(name="permute", function=False, vocabulary=False)
def _permute_method(input, *dims):
    """Put the dimensions in another order."""
    return _permute(input, ints(dims, "permute", "dims"))


@composed(aliases=("moveaxis",))
def movedim(input, source, destination):
    """Move dimensions to other places; the rest keep their order."""
    count = input._array.ndim
    from_, to = ints((source,)) if not isinstance(source, int) else (source,), destination
    to = ints((to,)) if not isinstance(to, int) else (to,)
    if len(from_) != len(to):
        raise RuntimeError(f"movedim: Invalid source or destination dims: source ({size_text(from_)} dims) should contain "  # noqa: E501
                           f"the same number of dims as destination ({size_text(to)} dims)")  # fmt: skip
    places = tuple(wrap_dim(dim, count) for dim in from_), tuple(wrap_dim(dim, count) for dim in to)
    for word, given, found in (("source", from_, places[0]), ("destination", to, places[1])):
        if len(set(found)) != len(found):
            raise RuntimeError(f"movedim: repeated dim in `{word}` ({size_text(given)})")
    if not count:
        return tensors.alias(input)
    order = [-1] * count
    for here, there in zip(*places, strict=True):
        order[there] = here
    rest = iter(k for k in range(count) if k not in places[0])
    return _permute(input, tuple(next(rest) if dim == -1 else dim for dim in order))


def _reversed_dims(self):
    """The tensor with its dimensions in reverse order."""
    if self._array.ndim not in (0, 2):
        warn_once(
            "T", "The use of `x.T` on tensors of dimension other than 2 to reverse their shape is deprecated and it will throw "  # noqa: E501
            "an error in a future release. Consider `x.mT` to transpose batches of matrices or "
            "`x.permute(*torch.arange(x.ndim - 1, -1, -1))` to reverse the dimensions of a tensor.", stacklevel=2,
        )  # fmt: skip
    elif not self._array.ndim:
        warn_once(
            "T0", "Tensor.T is deprecated on 0-D tensors. This function is the identity in these cases.", stacklevel=2
        )
    return _permute(self, tuple(range(self._array.ndim - 1, -1, -1)))


def _matrix_transpose(self):
    """The tensor with its last two dimensions exchanged."""
    if not self._array.ndim:
        warn_once("mT0", "Tensor.mT is deprecated on 0-D tensors. This function is the identity in these cases.")
        return self
    if self._array.ndim < 2:
        raise RuntimeError(
            f"tensor.mT is only supported on matrices or batches of matrices. Got {self._array.ndim}-D tensor."
        )
    return transpose(self, -2, -1)


def _matrix_adjoint(self):
    """The transpose of a matrix (there are no complex numbers here)."""
    if self._array.ndim not in (0, 2):
        raise RuntimeError(f"tensor.H is only supported on matrices (2-D tensors). Got {self._array.ndim}-D tensor.")
    if not self._array.ndim:
        warn_once("H0", "Tensor.H is deprecated on 0-D tensors. Consider using x.conj().")
        return self
    return transpose(self, -2, -1)


def _matrix_adjoints(self):
    """The transposes of a batch of matrices."""
    if not self._array.ndim:
        warn_once("mH0", "Tensor.mH is deprecated on 0-D tensors. Consider using x.conj().")
        return self
    return transpose(self, -2, -1) if self._array.ndim > 1 else _matrix_transpose(self)


attribute("T", _reversed_dims)
attribute("mT", _matrix_transpose)
attribute("mH", _matrix_adjoints)
attribute("H", _matrix_adjoint)


@composed(function=False)
def contiguous(input, memory_format=None):
    """Return the tensor itself if its memory is in order, else a copy that is."""
    if is_arranged(input._array, memory_format):
        return input
    return clone_in_order(input) if memory_format is None else tensors.clone(input, memory_format=memory_format)


tensors.reshape = reshaped
arrays.reshape = lambda array, size: array.reshape(size)
