"""Resampling: signals and images of another size, and the windows of an image as columns of a matrix and back."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.op import Vjp, op
from autograd_lab.core.sizes import size_text
from autograd_lab.ops.convolution import padded, places_of, windows
from autograd_lab.ops.refusals import not_implemented

HIDDEN = {"function": False, "method": False}
SLOPE = {**HIDDEN, "out": False}


# ------------------------------------------------------------------ where an element of the result comes from
def ratio(inside, outside, scale, corners, kind):
    """Return how many elements of the input one step in the output is, in the dtype in which torch computes it."""
    if corners:
        return kind((inside - 1) / (outside - 1)) if outside > 1 else kind(0)
    return kind(1 / scale) if scale else kind(inside) / kind(outside)


def nearest(inside, outside, scale, shift, dtype):
    """Return which element each element of the result is."""
    kind = np.float64 if dtype == np.float64 else np.float32
    step = ratio(inside, outside, scale, False, kind)
    at = np.floor((np.arange(outside, dtype=kind) + kind(shift)) * step).astype(np.int64)
    return [(np.minimum(at, inside - 1), None)]


def between(inside, outside, scale, corners, dtype):
    """Return the two elements that each element of the result lies between, each with its weight."""
    kind = np.float64 if dtype == np.float64 else np.float32
    step, place = ratio(inside, outside, scale, corners, kind), np.arange(outside, dtype=kind)
    at = place * step if corners else np.maximum(step * (place + kind(0.5)) - kind(0.5), kind(0))
    below = np.minimum(at.astype(np.int64), inside - 1)
    share = np.clip(at - below, 0, 1).astype(dtype)
    return [(below, dtype.type(1) - share), (below + (below < inside - 1), share)]


def weighted(part, weight, axis):
    """Return a part of the result times its weights along an axis."""
    return part if weight is None else part * weight.reshape(-1, *(1,) * (part.ndim - 1 - axis))


def pull(array, plan):
    """Look every element of the result up, one dimension after the other."""
    for axis, taps in plan.items():
        array = sum(weighted(np.take(array, at, axis), weight, axis) for at, weight in taps)
    return array


def push(grad, sizes, plan):
    """Give every element's gradient to where it came from: the transpose of `pull`."""
    for axis, taps in reversed(plan.items()):
        made = np.zeros((*grad.shape[:axis], sizes[axis], *grad.shape[axis + 1 :]), grad.dtype)
        for at, weight in taps:
            np.add.at(made, (*(slice(None),) * axis, at), weighted(grad, weight, axis))
        grad = made
    return grad


def planned(sizes, output_size, scales, how, mode, dtype):
    """Return for each dimension behind the channels where its elements come from; raise for sizes torch refuses."""
    inner, names = tuple(sizes[2:]), "HW"[-len(output_size) :]
    if min(*inner, *output_size) <= 0:
        shown = [", ".join(f"{name}: {size}" for name, size in zip(names, one, strict=True))
                 for one in (inner, output_size)]  # fmt: skip
        raise RuntimeError(f"Input and output sizes should be greater than 0, but got input ({shown[0]}) "
                           f"{'and ' if len(inner) == 1 else ''}output ({shown[1]})")  # fmt: skip
    if 0 in sizes[1:]:
        raise RuntimeError(f"Non-empty {len(sizes)}D data tensor expected but got a tensor with sizes {size_text(sizes)}")  # noqa: E501
    rows = zip(inner, output_size, scales, strict=True)
    return {2 + k: how(inside, outside, scale, mode, dtype) for k, (inside, outside, scale) in enumerate(rows)}


def check_kind(self, kernel):
    """Raise unless torch's kernel takes the dtype."""
    if self.dtype.kind != "f" and not (self.dtype == np.uint8 and kernel.endswith("nearest")):
        raise not_implemented(kernel, self)


def looked_up(self, output_size, scales, shift):
    """Return the nearest elements."""
    check_kind(self, "compute_indices_weights_nearest")
    return pull(self, planned(self.shape, output_size, scales, nearest, shift, self.dtype))


def given_back(grad, output_size, sizes, scales, shift):
    """Return the gradient of looking the nearest elements up."""
    return push(grad, sizes, planned(sizes, output_size, scales, nearest, shift, grad.dtype))


def blended(self, output_size, scales, align_corners):
    """Return elements between the nearest ones."""
    check_kind(self, "compute_indices_weights_linear")
    return pull(self, planned(self.shape, output_size, scales, between, align_corners, self.dtype))


def unblended(grad, output_size, sizes, scales, align_corners):
    """Return the gradient of elements between the nearest ones."""
    return push(grad, sizes, planned(sizes, output_size, scales, between, align_corners, grad.dtype))


TAKEN = r"y_i = a_{\lfloor r i \rfloor}"
GIVEN = r"\bar a_{\lfloor r i \rfloor} \mathrel{+}= \bar y_i"
MIXED = r"y_i = (1 - t)\, a_{\lfloor r i \rfloor} + t\, a_{\lfloor r i \rfloor + 1}"
SPREAD = r"\bar a_{\lfloor r i \rfloor} \mathrel{+}= (1 - t)\, \bar y_i,\ \bar a_{\lfloor r i \rfloor + 1} \mathrel{+}= t\, \bar y_i"  # noqa: E501


# ------------------------------------------------------------------ the nearest element
@op(
    TAKEN,
    node="UpsampleNearest1DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, scales, xp: xp.upsample_nearest1d_backward(
            grad, output_size, self_sizes, scales
        ),
        GIVEN,
    ),
    **HIDDEN,
)
def upsample_nearest1d(self, output_size, scales=None):
    """A signal of another size: each element is the nearest one."""
    return looked_up(self, output_size, (scales,), 0)


@op(
    GIVEN,
    node="UpsampleNearest1DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, scales, xp: xp.upsample_nearest1d(grad, output_size, scales), r"\bar{\bar y} = y"
    ),
    **SLOPE,
)
def upsample_nearest1d_backward(grad_output, output_size, input_size, scales):
    """Add each gradient to the nearest element."""
    return given_back(grad_output, output_size, input_size, (scales,), 0)


@op(
    TAKEN,
    node="UpsampleNearest2DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, scales_h, scales_w, xp: xp.upsample_nearest2d_backward(
            grad, output_size, self_sizes, scales_h, scales_w
        ),
        GIVEN,
    ),
    **HIDDEN,
)
def upsample_nearest2d(self, output_size, scales_h=None, scales_w=None):
    """An image of another size: each pixel is the nearest one."""
    return looked_up(self, output_size, (scales_h, scales_w), 0)


@op(
    GIVEN,
    node="UpsampleNearest2DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, scales_h, scales_w, xp: xp.upsample_nearest2d(grad, output_size, scales_h, scales_w),
        r"\bar{\bar y} = y",
    ),
    **SLOPE,
)
def upsample_nearest2d_backward(grad_output, output_size, input_size, scales_h, scales_w):
    """Add each gradient to the nearest pixel."""
    return given_back(grad_output, output_size, input_size, (scales_h, scales_w), 0)


@op(
    TAKEN,
    node="UpsampleNearestExact1DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, scales, xp: xp._upsample_nearest_exact1d_backward(
            grad, output_size, self_sizes, scales
        ),
        GIVEN,
    ),
    **HIDDEN,
)
def _upsample_nearest_exact1d(self, output_size, scales=None):
    """A signal of another size: each element is the one nearest to its middle."""
    return looked_up(self, output_size, (scales,), 0.5)


@op(
    GIVEN,
    node="UpsampleNearestExact1DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, scales, xp: xp._upsample_nearest_exact1d(grad, output_size, scales),
        r"\bar{\bar y} = y",
    ),
    **SLOPE,
)
def _upsample_nearest_exact1d_backward(grad_output, output_size, input_size, scales):
    """Add each gradient to the element nearest to its middle."""
    return given_back(grad_output, output_size, input_size, (scales,), 0.5)


@op(
    TAKEN,
    node="UpsampleNearestExact2DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, scales_h, scales_w, xp: xp._upsample_nearest_exact2d_backward(
            grad, output_size, self_sizes, scales_h, scales_w
        ),
        GIVEN,
    ),
    **HIDDEN,
)
def _upsample_nearest_exact2d(self, output_size, scales_h=None, scales_w=None):
    """An image of another size: each pixel is the one nearest to its middle."""
    return looked_up(self, output_size, (scales_h, scales_w), 0.5)


@op(
    GIVEN,
    node="UpsampleNearestExact2DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, scales_h, scales_w, xp: xp._upsample_nearest_exact2d(
            grad, output_size, scales_h, scales_w
        ),
        r"\bar{\bar y} = y",
    ),
    **SLOPE,
)
def _upsample_nearest_exact2d_backward(grad_output, output_size, input_size, scales_h, scales_w):
    """Add each gradient to the pixel nearest to its middle."""
    return given_back(grad_output, output_size, input_size, (scales_h, scales_w), 0.5)


# ------------------------------------------------------------------ between the nearest elements
@op(
    MIXED,
    node="UpsampleLinear1DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, align_corners, scales, xp: xp.upsample_linear1d_backward(
            grad, output_size, self_sizes, align_corners, scales
        ),
        SPREAD,
    ),
    **HIDDEN,
)
def upsample_linear1d(self, output_size, align_corners, scales=None):
    """A signal of another size, straight between its elements."""
    return blended(self, output_size, (scales,), align_corners)


@op(
    SPREAD,
    node="UpsampleLinear1DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, align_corners, scales, xp: xp.upsample_linear1d(
            grad, output_size, align_corners, scales
        ),
        r"\bar{\bar y} = y",
    ),
    **SLOPE,
)
def upsample_linear1d_backward(grad_output, output_size, input_size, align_corners, scales):
    """Share each gradient between the elements it lay between."""
    return unblended(grad_output, output_size, input_size, (scales,), align_corners)


@op(
    MIXED,
    node="UpsampleBilinear2DBackward0",
    self=Vjp(
        lambda grad, output_size, self_sizes, align_corners, scales_h, scales_w, xp: xp.upsample_bilinear2d_backward(
            grad, output_size, self_sizes, align_corners, scales_h, scales_w
        ),
        SPREAD,
    ),
    **HIDDEN,
)
def upsample_bilinear2d(self, output_size, align_corners, scales_h=None, scales_w=None):
    """An image of another size, straight between its pixels, down and across."""
    return blended(self, output_size, (scales_h, scales_w), align_corners)


@op(
    SPREAD,
    node="UpsampleBilinear2DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, output_size, align_corners, scales_h, scales_w, xp: xp.upsample_bilinear2d(
            grad, output_size, align_corners, scales_h, scales_w
        ),
        r"\bar{\bar y} = y",
    ),
    **SLOPE,
)
def upsample_bilinear2d_backward(grad_output, output_size, input_size, align_corners, scales_h, scales_w):
    """Share each gradient among the pixels it lay between."""
    return unblended(grad_output, output_size, input_size, (scales_h, scales_w), align_corners)


# ------------------------------------------------------------------ windows as columns
def check_steps(kernel_size, dilation, padding, stride):
    """Raise as torch does for windows of no size or steps of none."""
    for what, pair, label in (("kernel size", kernel_size, "kernel"), ("dilation", dilation, "dilation"),
                              ("padding", padding, ""), ("stride", stride, "stride")):  # fmt: skip
        if what == "padding" and min(pair) < 0:
            raise RuntimeError(f"padding should be non-negative, but got pad_height: {pair[0]} pad_width: {pair[1]}")
        if what != "padding" and min(pair) <= 0:
            raise RuntimeError(f"{what} should be greater than zero, but got {label}_height: {pair[0]} {label}_width: {pair[1]}")  # noqa: E501


def shown_pair(pair):
    """Return two numbers as torch writes them in a message."""
    return f"({pair[0]}, {pair[1]})"


@op(
    r"y_{ck,l} = a_{c,l+k}",
    node="Im2ColBackward0",
    self=Vjp(
        lambda grad, self_argsize_minus_2, self_argsize_minus_1, kernel_size, dilation, padding, stride, xp: xp.col2im(
            grad, (self_argsize_minus_2, self_argsize_minus_1), kernel_size, dilation, padding, stride
        ),
        r"\bar a_{c,l+k} \mathrel{+}= \bar y_{ck,l}",
    ),
    **HIDDEN,
)
def im2col(self, kernel_size, dilation, padding, stride):
    """The windows of an image as the columns of a matrix."""
    check_steps(kernel_size, dilation, padding, stride)
    if self.ndim not in (3, 4) or 0 in self.shape[self.ndim - 3 :]:
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "  # noqa: E501
                           f"input, but got: {size_text(self.shape)}")  # fmt: skip
    places = places_of(self.shape[-2:], kernel_size, stride, padding, dilation)
    if min(places) < 1:
        raise RuntimeError(f"Given input with spatial size {shown_pair(self.shape[-2:])}, kernel_size={shown_pair(kernel_size)}, "  # noqa: E501
                           f"dilation={shown_pair(dilation)}, padding={shown_pair(padding)}, calculated shape of the array of "  # noqa: E501
                           f"sliding blocks as {shown_pair(places)}, but its components must be at least one.")  # fmt: skip  # noqa: E501
    if self.dtype.kind not in "fb":
        raise not_implemented("im2col_out_cpu", self)
    wide = np.ascontiguousarray(padded(self, [(p, p) for p in padding]))
    view = np.moveaxis(windows(wide, kernel_size, stride, dilation, places), (-2, -1), (-4, -3))
    lead = self.shape[:-3]
    made = view.reshape(*lead, self.shape[-3] * math.prod(kernel_size), math.prod(places))
    return made.copy() if np.may_share_memory(made, self) else made     # windows that do not overlap may be a view


@op(
    r"y_{c,l+k} \mathrel{+}= a_{ck,l}",
    node="Col2ImBackward0",
    self=Vjp(
        lambda grad, kernel_size, dilation, padding, stride, xp: xp.im2col(
            grad, kernel_size, dilation, padding, stride
        ),
        r"\bar a_{ck,l} = \bar y_{c,l+k}",
    ),
    **HIDDEN,
)
def col2im(self, output_size, kernel_size, dilation, padding, stride):
    """The columns of a matrix as the windows of an image, added up where they overlap."""
    check_steps(kernel_size, dilation, padding, stride)
    batch = self.ndim == 3
    if self.ndim not in (2, 3) or 0 in self.shape[batch:]:
        raise RuntimeError("Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions "  # noqa: E501
                           f"for input, but got: {size_text(self.shape)}")  # fmt: skip
    rows, count = self.shape[-2:]
    if rows % math.prod(kernel_size):
        raise RuntimeError(f"Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "  # noqa: E501
                           f"input.size(1)={rows} and kernel_size={shown_pair(kernel_size)}.")  # fmt: skip
    places = places_of(output_size, kernel_size, stride, padding, dilation)
    given = (f"Given output_size={shown_pair(output_size)}, kernel_size={shown_pair(kernel_size)}, "
             f"dilation={shown_pair(dilation)}, padding={shown_pair(padding)}, stride={shown_pair(stride)}, ")  # fmt: skip  # noqa: E501
    if min(places) < 1:
        raise RuntimeError(f"{given}calculated shape of the array of sliding blocks as {shown_pair(places)}, which is too small "  # noqa: E501
                           "(non-positive)")  # fmt: skip
    if count != math.prod(places):
        raise RuntimeError(f"{given}expected size of input's dimension 2 to match the calculated number of sliding blocks "  # noqa: E501
                           f"{places[0]} * {places[1]} = {math.prod(places)}, but got input.size(2)={count}.")  # fmt: skip  # noqa: E501
    if self.dtype.kind not in "fb":
        raise not_implemented("col2im_out_cpu", self)
    lead = self.shape[:-2]
    parts = self.reshape(*lead, rows // math.prod(kernel_size), *kernel_size, *places)
    wide = np.zeros((*lead, parts.shape[-5], *(n + 2 * p for n, p in zip(output_size, padding, strict=True))), self.dtype)  # noqa: E501
    for offset in np.ndindex(*kernel_size):
        target = tuple(slice(o * d, o * d + (n - 1) * s + 1, s)
                       for o, d, n, s in zip(offset, dilation, places, stride, strict=True))  # fmt: skip
        wide[(..., *target)] += parts[(..., *offset, slice(None), slice(None))]
    return wide[(..., *(slice(p, p + n) for n, p in zip(output_size, padding, strict=True)))]
