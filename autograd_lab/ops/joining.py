"""Several tensors, or several copies of one, put together: cat, stack, repeat, flip, roll, diag."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import sized, wrap_dim, wrap_dims
from autograd_lab.core.many import joins
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.operands import write_out
from autograd_lab.core.shapes import ints
from autograd_lab.core.sizes import size_text
from autograd_lab.core.strided import in_strides_of
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.refusals import not_implemented
from autograd_lab.ops.shape import clone_in_order, reshaped, unsqueeze
from autograd_lab.ops.view_ops import diagonal_of


def skipped(shape):
    """Say whether cat passes a tensor over: torch lets empty 1-d tensors through for the sake of old programs."""
    return shape == (0,)


def cat_backward(grad, tensors_sizes, dim, xp):
    """Cut the gradient of a concatenation into those of its parts."""
    found, start = [], 0
    ndim = next((len(shape) for shape in tensors_sizes if not skipped(shape)), 0)
    if not ndim:
        return [grad] * len(tensors_sizes)
    dim = wrap_dim(dim, ndim)
    for shape in tensors_sizes:
        if skipped(shape) and ndim != 1:
            found.append(xp.reshape(xp.narrow(grad, dim, 0, 0), (-1,)))
            continue
        found.append(xp.narrow(grad, dim, start, shape[dim]))
        start += shape[dim]
    return found


@joins(
    r"y = (a_1, a_2, \dots)",
    tensors=Vjp(
        lambda grad, tensors_sizes, dim, xp: cat_backward(grad, tensors_sizes, dim, xp),
        r"(\bar a_1, \bar a_2, \dots) = \bar y",
    ),
)
def cat(tensors, dim=0):
    """Put tensors one behind the other along a dimension that they have."""
    if not tensors:
        raise ValueError("torch.cat(): expected a non-empty list of Tensors")
    for position, one in enumerate(tensors):
        if not one.ndim:
            raise RuntimeError(f"zero-dimensional tensor (at position {position}) cannot be concatenated")
    kept = [one for one in tensors if not skipped(one.shape)]
    if not kept:        # of these torch looks at no dimension
        return tensors[0].copy()
    first = kept[0]
    at = wrap_dim(dim, first.ndim)
    for position, one in enumerate(tensors):
        if skipped(one.shape):
            continue
        if one.ndim != first.ndim:
            raise RuntimeError(f"Tensors must have same number of dimensions: got {first.ndim} and {one.ndim}")
        for k, (a, b) in enumerate(zip(first.shape, one.shape, strict=True)):
            if a != b and k != at:
                raise RuntimeError(f"Sizes of tensors must match except in dimension {at}. Expected size {a} but got size "  # noqa: E501
                                   f"{b} for tensor number {position} in the list.")  # fmt: skip
    return np.ascontiguousarray(np.concatenate(kept, at))


@joins(r"y_k = a_k", tensors=Vjp(lambda grad, dim, xp: xp.unbind(grad, dim), r"\bar a_k = \bar y_k"))
def stack(tensors, dim=0):
    """Put tensors of one shape side by side along a new dimension."""
    if not tensors:
        raise RuntimeError("stack expects a non-empty TensorList")
    shape = tensors[0].shape
    at = wrap_dim(dim, len(shape) + 1)
    for position, one in enumerate(tensors):
        if one.shape != shape:
            raise RuntimeError(f"stack expects each tensor to be equal size, but got {size_text(shape)} at entry 0 and "
                               f"{size_text(one.shape)} at entry {position}")  # fmt: skip
    if at == 0 and not shape:
        return np.array(tensors, tensors[0].dtype)
    return np.ascontiguousarray(np.stack(tensors, at))


def _alias(name, function):
    composed(name=name, method=False, vocabulary=False)(function)


def concat(tensors, dim=0, *, out=None):
    """The same as cat."""
    return cat(tensors, dim, out=out)


def _concatenate(tensors, dim=0, *, out=None):
    """The same as cat."""
    return cat(tensors, dim, out=out)


def _each_at_least(input, one):
    return tuple(one(tensor) for tensor in input) if isinstance(input, (tuple, list)) else one(input)


def _register_at_least():
    def one(tensor):
        return reshaped(tensor, (1,)) if tensor.ndim == 0 else tensor

    def two(tensor):
        return reshaped(tensor, (1, 1)) if tensor.ndim == 0 else unsqueeze(tensor, 0) if tensor.ndim == 1 else tensor

    def three(tensor):
        if tensor.ndim == 0:
            return reshaped(tensor, (1, 1, 1))
        if tensor.ndim == 1:
            return unsqueeze(unsqueeze(tensor, 0), -1)
        return unsqueeze(tensor, -1) if tensor.ndim == 2 else tensor

    for count, function in enumerate((one, two, three), 1):

        def publish(*tensors, function=function):
            """Give tensors at least that many dimensions."""
            return _each_at_least(tensors[0] if len(tensors) == 1 else tensors, function)

        composed(name=f"atleast_{count}d", method=False, vocabulary=False)(publish)


_register_at_least()


def _at_least(name, tensors):
    from autograd_lab.core.op import functions

    return [functions[name](tensor) for tensor in tensors]


def hstack(tensors, *, out=None):
    """Put tensors side by side: along the second dimension, 1-d ones along the first."""
    tensors = _at_least("atleast_1d", tensors)
    if not tensors:
        raise RuntimeError("hstack expects a non-empty TensorList")
    return cat(tensors, 0 if tensors[0].ndim == 1 else 1, out=out)


def vstack(tensors, *, out=None):
    """Put tensors one below the other."""
    if not tensors:
        raise RuntimeError("vstack expects a non-empty TensorList")
    return cat(_at_least("atleast_2d", tensors), 0, out=out)


def row_stack(tensors, *, out=None):
    """The same as vstack."""
    return vstack(tensors, out=out)


def dstack(tensors, *, out=None):
    """Put tensors one behind the other along the third dimension."""
    if not tensors:
        raise RuntimeError("dstack expects a non-empty TensorList")
    return cat(_at_least("atleast_3d", tensors), 2, out=out)


def column_stack(tensors, *, out=None):
    """Put 1-d tensors side by side as columns."""
    if not tensors:
        raise RuntimeError("column_stack expects a non-empty TensorList")
    return hstack([reshaped(t, (t.numel(), 1)) if t.ndim <= 1 else t for t in tensors], out=out)


for _name, _function in (("concat", concat), ("concatenate", _concatenate), ("hstack", hstack), ("vstack", vstack),
                         ("row_stack", row_stack), ("dstack", dstack), ("column_stack", column_stack)):  # fmt: skip
    _alias(_name, _function)


# ------------------------------------------------------------------ copies of one tensor
def repeat_backward(grad, repeats, self_sizes, xp):
    """Add up the gradients of all copies."""
    extra = len(repeats) - len(self_sizes)
    split, axes = [], []
    for k, times in enumerate(repeats):
        if k < extra:
            axes.append(len(split))
            split.append(times)
        else:
            if times != 1:
                axes.append(len(split))
                split.append(times)
            split.append(self_sizes[k - extra])
    return xp.sum(xp.reshape(grad, tuple(split)), tuple(axes)) if axes else grad


@op(
    r"y = (a, a, \dots)",
    name="repeat",
    function=False,
    method=False,
    self=Vjp(
        lambda grad, repeats, self_sizes, xp: repeat_backward(grad, repeats, self_sizes, xp),
        r"\bar a = \textstyle\sum \bar y",
    ),
)
def _repeat(self, repeats):
    """Repeat along each dimension, copying."""
    if len(repeats) < self.ndim:
        raise RuntimeError("Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor")
    shape = (1,) * (len(repeats) - self.ndim) + self.shape
    target = [n * times for n, times in zip(shape, repeats, strict=True)]
    for size in target:
        if size < 0:
            raise RuntimeError(f"Trying to create tensor with negative dimension {size}: {size_text(target)}")
    return np.array(np.tile(self, repeats) if repeats else self, order="C")[()]


@composed(name="repeat", function=False, vocabulary=False)
def _repeat_method(input, *repeats):
    """Repeat along each dimension, copying."""
    return _repeat(input, ints(repeats, "repeat", "repeats"))


@composed(name="tile", method=False, vocabulary=False)
def _tile_function(input, dims):
    """Repeat along each dimension; missing leading counts are 1."""
    return _tile_method(input, dims)


@composed(name="tile", function=False, vocabulary=False)
def _tile_method(input, *dims):
    """Repeat along each dimension; missing leading counts are 1."""
    dims = ints(dims, "tile", "dims")
    return _repeat(input, (1,) * (input._array.ndim - len(dims)) + dims)


def places_repeated(counts, output_size):
    """Return 0, 1, 2, … each as often as the counts say."""
    if output_size is not None and output_size < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {output_size}: [{output_size}]")
    if counts.dtype not in (np.int64, np.int32):
        raise not_implemented("repeat_interleave_cpu", counts)
    if counts.ndim != 1:
        raise RuntimeError("repeat_interleave only accept 1D vector as repeat")
    if (counts < 0).any():
        raise RuntimeError("repeats can not be negative")
    if output_size is not None and output_size != counts.sum():
        raise RuntimeError("allocated size does not match required size")
    return np.repeat(np.arange(counts.size, dtype=counts.dtype), counts)


@composed(vocabulary=False)
def repeat_interleave(input, repeats=None, dim=None, *, output_size=None):
    """Repeat each element (along a dimension): all equally often, or each as often as `repeats` says."""
    from autograd_lab.core.tensor import fresh

    if repeats is None:
        return fresh(places_repeated(input._array, output_size))
    if dim is None:
        input, dim = input.flatten(), 0
    if isinstance(repeats, Tensor):
        counts, size = repeats._array, sized(input, dim)
        if counts.ndim > 1:
            raise RuntimeError("repeats must be 0-dim or 1-dim tensor")
        if counts.size == 1:
            counts = np.broadcast_to(counts.reshape(1), (size,))
        elif counts.size != size:
            raise RuntimeError("repeats must have the same size as input along dim, but got repeats.size(0) = "
                               f"{counts.size} and input.size({dim}) = {size}")  # fmt: skip
        return input.index_select(dim, fresh(places_repeated(counts, output_size)))
    if repeats < 0:
        raise RuntimeError("Repeats must be non-negative")
    shape = input._array.shape
    at = wrap_dim(dim, len(shape))
    wrap_dim(at + 1, len(shape) + 1)    # a 0-d tensor has no place behind its dimension
    if output_size is not None and output_size != shape[at] * repeats:
        raise RuntimeError(f"repeat_interleave: Invalid output_size, expected {shape[at] * repeats} but got "
                           f"{output_size}")  # fmt: skip
    wide = unsqueeze(input, at + 1).expand((*shape[: at + 1], repeats, *shape[at + 1 :]))
    return clone_in_order(wide).view((*shape[:at], shape[at] * repeats, *shape[at + 1 :]))


# ------------------------------------------------------------------ the same elements in another order
@op(
    r"y = \mathrm{flip}(a)",
    name="flip",
    function=False,
    method=False,
    self=Vjp(lambda grad, dims, xp: xp.flip(grad, dims), r"\bar a = \mathrm{flip}(\bar y)"),
)
def _flip(self, dims):
    """Reverse the order along dimensions."""
    axes = wrap_dims(dims, self.ndim)
    return in_strides_of(self, np.flip(self, axes)) if self.ndim else self.copy()


@composed(name="flip", vocabulary=False)
def _flip_public(input, *given, dims=None):
    """Reverse the order along dimensions, copying."""
    return _flip(input, ints(given if dims is None else (dims,), "flip", "dims"))


@composed(vocabulary=False)
def fliplr(input):
    """Reverse the second dimension."""
    if input._array.ndim < 2:
        raise RuntimeError("Input must be >= 2-d.")
    return _flip(input, (1,))


@composed(vocabulary=False)
def flipud(input):
    """Reverse the first dimension."""
    if input._array.ndim < 1:
        raise RuntimeError("Input must be >= 1-d.")
    return _flip(input, (0,))


@op(
    r"y_{i+s} = a_i",
    name="roll",
    function=False,
    method=False,
    self=Vjp(
        lambda grad, shifts, dims, xp: xp.roll(grad, tuple(-shift for shift in shifts), dims),
        r"\bar a_i = \bar y_{i+s}",
    ),
)
def _roll(self, shifts, dims):
    """Shift along dimensions; what leaves at one end comes in at the other."""
    if not dims and len(shifts) == 1:
        return np.roll(self, shifts[0]) if self.ndim else self.copy()
    if len(shifts) != len(dims) or not shifts:
        if not shifts:
            raise RuntimeError("`shifts` required")
        raise RuntimeError(f"shifts and dimensions must align. shifts: {len(shifts)}, dims:{len(dims)}")
    if not self.size:
        return self.copy()      # the dimensions are not looked at
    if not self.ndim:
        raise IndexError(f"Dimension specified as {dims[0]} but tensor has no dimensions")
    for shift, dim in zip(shifts, dims, strict=True):
        self = np.roll(self, shift, wrap_dim(dim, self.ndim))
    return self


@composed(name="roll", vocabulary=False)
def _roll_public(input, shifts, dims=()):
    """Shift along dimensions; what leaves at one end comes in at the other."""
    return _roll(input, ints((shifts,)) if not isinstance(shifts, int) else (shifts,),
                 ints((dims,)) if not isinstance(dims, int) else (dims,))  # fmt: skip


@op(
    r"y = \mathrm{rot90}(a)",
    function=False,
    method=False,
    self=Vjp(lambda grad, k, dims, xp: xp.rot90(grad, -k, dims), r"\bar a = \mathrm{rot90}^{-1}(\bar y)"),
)
def rot90(self, k, dims):
    """Turn by k quarter turns in the plane of two dimensions."""
    if len(dims) != 2:
        raise RuntimeError(f"expected total rotation dims == 2, but got dims = {len(dims)}")
    if self.ndim < 2:
        raise RuntimeError(f"expected total dims >= 2, but got total dims = {self.ndim}")
    first, second = (wrap_dim(dim, self.ndim) for dim in dims)
    if first == second:
        raise RuntimeError(f"expected rotation dims to be different, but got dim0 = {dims[0]} and dim1 = {dims[1]}")
    turns = k % 4
    if turns == 0:
        return self.copy()
    made = in_strides_of(self, np.flip(self, ((), second, (first, second), first)[turns]))
    return made if turns == 2 else np.swapaxes(made, first, second)


@composed(name="rot90", vocabulary=False)
def _rot90_public(input, k=1, dims=(0, 1)):
    """Turn by k quarter turns in the plane of two dimensions."""
    return rot90(input, k, ints((dims,)))


# ------------------------------------------------------------------ diagonals
@op(
    r"y_{i,i+k} = a_i",
    self=Vjp(lambda grad, offset, dim1, dim2, xp: xp.diagonal(grad, offset, dim1, dim2), r"\bar a_i = \bar y_{i,i+k}"),
)
def diag_embed(self, offset=0, dim1=-2, dim2=-1):
    """Make matrices whose diagonal is the last dimension."""
    count = self.ndim + 1
    first, second = wrap_dim(dim1, count), wrap_dim(dim2, count)
    if first == second:
        raise RuntimeError(f"diagonal dimensions cannot be identical {dim1}, {dim2}")
    size = self.shape[-1] + abs(offset)
    rest = list(self.shape[:-1])
    for at in sorted((first, second)):
        rest.insert(at, size)
    made = np.zeros(rest, self.dtype)
    diagonal_of(made, offset, first, second)[...] = self
    return made


@op(
    r"y_i = a_{i,i+k}",
    node="DiagonalBackward0_copy",
    function=False,
    method=False,
    self=Vjp(
        lambda grad, self_sizes, offset, dim1, dim2, xp: xp.diagonal_backward(grad, self_sizes, offset, dim1, dim2),
        r"\bar a_{i,i+k} = \bar y_i",
    ),
)
def diagonal_copy(self, offset, dim1, dim2):
    """Copy a diagonal."""
    return diagonal_of(self, offset, dim1, dim2).copy()


@composed(vocabulary=False)
def diag(input, diagonal=0, *, out=None):
    """Make a diagonal matrix of a vector, or copy the diagonal of a matrix."""
    if out is not None:
        return write_out(out, diag, input, diagonal)
    ndim = input._array.ndim
    if ndim == 1:
        return diag_embed(input, diagonal)
    if ndim != 2:
        raise RuntimeError(f"diag(): Supports 1D or 2D tensors. Got {ndim}D")
    return diagonal_copy(input, diagonal, 0, 1)


@composed(vocabulary=False)
def diagflat(input, offset=0):
    """Make a diagonal matrix of all elements."""
    return diag_embed(reshaped(input.contiguous(), (-1,)), offset)


@op(
    r"y = \textstyle\sum_i a_{ii}",
    self=Vjp(lambda grad, self_sizes, xp: trace_backward(grad, self_sizes, xp), r"\bar a = \bar y I"),
)
def trace(self):
    """Add up the diagonal of a matrix."""
    if self.dtype.kind == "b":
        raise NotImplementedError("\"trace\" not implemented for 'Bool'")
    if self.ndim != 2:
        raise RuntimeError(f"trace: expected a matrix, but got tensor with dim {self.ndim}")
    return np.trace(self, dtype=self.dtype if self.dtype.kind == "f" else np.int64)


def trace_backward(grad, self_sizes, xp):
    """Put the gradient on the diagonal of zeros."""
    size = min(self_sizes)
    return xp.diagonal_backward(xp.expand(grad, (size,)), self_sizes, 0, 0, 1)
