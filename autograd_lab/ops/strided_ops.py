"""Views by raw strides and sizes: as_strided, unflatten, and the moves between a base and its view after a write."""

from __future__ import annotations

from autograd_lab.core import strided as memory
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.shapes import infer, ints, strided
from autograd_lab.core.sizes import size_text
from autograd_lab.core.views import offset_of
from autograd_lab.ops.shape import _view


@op(
    r"\bar b = \mathrm{scatter}(\bar v)",
    function=False,
    method=False,
    fix="never",
    self=Vjp(lambda grad, geometry, xp: xp.strided_view(grad, geometry), r"\bar a = \mathrm{view}(\bar y)"),
)
def unview(self, geometry):
    """Return the gradient of a base from that of its view."""
    return memory.gather(geometry, self)


@op(
    r"v = \mathrm{view}(b)",
    function=False,
    method=False,
    fix="never",
    self=Vjp(lambda grad, geometry, xp: xp.unview(grad, geometry), r"\bar a = \mathrm{scatter}(\bar y)"),
)
def strided_view(self, geometry):
    """Return the elements of a view out of its base, as a tensor of their own."""
    return memory.take(geometry, self)


@op(
    r"y = b,\ y_v = a",
    function=False,
    method=False,
    fix="never",
    self=Vjp(lambda grad, geometry, xp: xp.strided_clear(grad, geometry), r"\bar b = \bar y,\ \bar b_v = 0"),
    part=Vjp(lambda grad, geometry, xp: xp.strided_view(grad, geometry), r"\bar a = \bar y_v"),
)
def strided_write(self, part, geometry):
    """Return a copy of the base in which the elements of the view are replaced."""
    return memory.put(geometry, self, part)


@op(
    r"y = b,\ y_v = 0",
    function=False,
    method=False,
    fix="never",
    self=Vjp(lambda grad, geometry, xp: xp.strided_clear(grad, geometry), r"\bar b = \bar y,\ \bar b_v = 0"),
)
def strided_clear(self, geometry):
    """Return a copy of the base in which the elements of the view are zero."""
    return memory.put(geometry, self, 0)


def own_geometry(shape, strides, offset, size, stride, storage_offset):
    """Return how the strided view lies in its source, both measured in elements."""
    return memory.Geometry(
        shape, strides, size, stride, (offset if storage_offset is None else storage_offset) - offset
    )


strided_row = Vjp(
    lambda grad, self_sizes, self_strides, source, size, stride, storage_offset, xp: xp.unview(
        grad, own_geometry(self_sizes, self_strides, source, size, stride, storage_offset)
    ),
    r"\bar a = \mathrm{scatter}(\bar y)",
)
HIDDEN = ("self_sizes", "self_strides", "source")


@op(
    r"y = \mathrm{strided}(a)",
    name="as_strided",
    view=True,
    function=False,
    method=False,
    fix="never",
    hidden=HIDDEN,
    self=strided_row,
)
def _as_strided(self, source, size, stride, storage_offset):
    return strided_array(self, source, size, stride, storage_offset)


def strided_array(self, source, size, stride, storage_offset):
    """Return the NumPy view of an array that begins `source` elements after its storage; sizes count elements."""
    offset = (source if storage_offset is None else storage_offset) - source
    width = self.dtype.itemsize
    owner = memory.owner_of(self)
    needed = 0 if 0 in size else 1 + sum((n - 1) * s for n, s in zip(size, stride, strict=True)) + source + offset
    if needed * width > owner.nbytes:
        raise RuntimeError(
            f"setStorage: sizes {size_text(size)}, strides {size_text(stride)}, storage offset {source + offset}, and "
            f"itemsize {width} requiring a storage size of {needed * width} are out of bounds for storage of size "
            f"{owner.nbytes}"
        )
    return strided(self, size, tuple(step * width for step in stride), offset * width)


@composed(vocabulary=False)
def as_strided(input, size, stride, storage_offset=None):
    """View the tensor's memory with any size, strides and offset, given in elements.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.as_strided.html
    """
    return _as_strided(input, *checked(input, size, stride), storage_offset)


def checked(input, size, stride):
    """Return where a tensor begins in its storage, and the sizes and strides of a view as tuples."""
    size, stride = ints((size,), "as_strided"), ints((stride,), "as_strided", "stride")
    if len(size) != len(stride):
        raise RuntimeError("mismatch in length of strides and shape")
    for step in stride:
        if step < 0:
            raise RuntimeError(
                f"as_strided: Negative strides are not supported at the moment, got strides: {size_text(stride)}"
            )
    return offset_of(input), size, stride


@composed()
def unflatten(input, dim, sizes):
    """Split one dimension into several."""
    shape = input._array.shape
    at = wrap_dim(dim, len(shape))
    if isinstance(sizes, int):
        raise TypeError(f"unflatten(): argument 'sizes' (position 2) must be tuple of ints, not {type(sizes).__name__}")
    if not sizes:
        raise RuntimeError("unflatten: sizes must be non-empty")
    if not shape:
        raise RuntimeError("unflatten got an unexpected error:\nDimension specified as 0 but tensor has no dimensions")
    try:
        sizes = infer(ints((sizes,)), shape[at])
    except RuntimeError as error:
        if "is invalid for input" not in str(error):
            raise RuntimeError(f"unflatten got an unexpected error:\n{error}") from None
        raise RuntimeError(f"unflatten: Provided sizes {size_text(sizes)} don't multiply up to the size of dim {at} "
                           f"({shape[at]}) in the input tensor") from None  # fmt: skip
    return _view(input, (*shape[:at], *sizes, *shape[at + 1 :]))
