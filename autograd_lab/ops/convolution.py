"""Convolutions and poolings: sliding windows over the last dimensions."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.op import Vjp, arrays, op
from autograd_lab.core.shapes import strided
from autograd_lab.core.sizes import size_text
from autograd_lab.ops.refusals import not_implemented, require_float

HIDDEN = {"function": False, "method": False}


def padded(array, padding, value=0):
    """Return the array with a border around its last dimensions."""
    if not any(map(any, padding)):
        return array
    return np.pad(array, [(0, 0)] * (array.ndim - len(padding)) + list(padding), constant_values=value)


def windows(array, kernel, stride, dilation, places):
    """Return the view [..., places, kernel] of all windows over the last dimensions."""
    lead = array.ndim - len(kernel)
    steps = array.strides[lead:]
    return strided(
        array, (*array.shape[:lead], *places, *kernel),
        (*array.strides[:lead], *(n * s for n, s in zip(steps, stride, strict=True)),
         *(n * d for n, d in zip(steps, dilation, strict=True))),
    )  # fmt: skip


def places_of(sizes, kernel, stride, padding, dilation):
    """Return how many windows fit along each dimension."""
    return tuple((n + 2 * p - d * (k - 1) - 1) // s + 1
                 for n, k, s, p, d in zip(sizes, kernel, stride, padding, dilation, strict=True))  # fmt: skip


def columns(array, weight_sizes, stride, padding, dilation, groups, places):
    """Return the windows as matrices [batch, group, place, element]."""
    kernel = weight_sizes[2:]
    wide = np.ascontiguousarray(padded(array, [(p, p) for p in padding]))
    view = windows(wide, kernel, stride, dilation, places)
    batch, channels = array.shape[:2]
    view = view.reshape(batch, groups, channels // groups, *places, *kernel)
    rank = len(kernel)
    order = (0, 1, *range(3, 3 + rank), 2, *range(3 + rank, 3 + 2 * rank))
    return view.transpose(order).reshape(batch, groups, math.prod(places), channels // groups * math.prod(kernel))


@op(
    r"Y = W * X",
    self=Vjp(
        lambda grad, self, weight, stride, padding, dilation, groups, xp: xp.conv_input(
            grad, weight, tuple(self.shape), stride, padding, dilation, groups
        ),
        r"\bar X = W^\top * \bar Y",
    ),
    weight=Vjp(
        lambda grad, self, weight, stride, padding, dilation, groups, xp: xp.conv_weight(
            grad, self, tuple(weight.shape), stride, padding, dilation, groups
        ),
        r"\bar W = \bar Y * X",
    ),
    **HIDDEN,
)
def conv_forward(self, weight, stride, padding, dilation, groups):
    """Slide the kernels over the input."""
    places = places_of(self.shape[2:], weight.shape[2:], stride, padding, dilation)
    matrix = columns(self, weight.shape, stride, padding, dilation, groups, places)
    filters = weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))
    found = filters[None] @ matrix.swapaxes(-1, -2)
    return found.reshape(self.shape[0], weight.shape[0], *places)


@op(
    r"\bar X = W^\top * \bar Y",
    node="ConvolutionBackwardBackward0",
    self=Vjp(
        lambda grad, weight, stride, padding, dilation, groups, xp: xp.conv_forward(
            grad, weight, stride, padding, dilation, groups
        ),
        r"\bar{\bar Y} = W * \bar{\bar X}",
    ),
    weight=Vjp(
        lambda grad, self, weight, stride, padding, dilation, groups, xp: xp.conv_weight(
            self, grad, tuple(weight.shape), stride, padding, dilation, groups
        ),
        r"\bar W = \bar Y * \bar{\bar X}",
    ),
    **HIDDEN,
)
def conv_input(self, weight, sizes, stride, padding, dilation, groups):
    """Put every output back, through the kernels, to where it came from: the transpose of the convolution."""
    batch, places, kernel = self.shape[0], self.shape[2:], weight.shape[2:]
    grads = self.reshape(batch, groups, weight.shape[0] // groups, math.prod(places))
    filters = weight.reshape(groups, weight.shape[0] // groups, math.prod(weight.shape[1:]))
    matrix = (filters.swapaxes(-1, -2)[None] @ grads).reshape(batch, sizes[1], *kernel, *places)
    wide = np.zeros((batch, sizes[1], *(n + 2 * p for n, p in zip(sizes[2:], padding, strict=True))), self.dtype)
    for offset in np.ndindex(*kernel):
        target = tuple(slice(o * d, o * d + (n - 1) * s + 1, s)
                       for o, d, n, s in zip(offset, dilation, places, stride, strict=True))  # fmt: skip
        wide[(slice(None), slice(None), *target)] += matrix[(slice(None), slice(None), *offset)]
    return wide[(slice(None), slice(None), *(slice(p, p + n) for n, p in zip(sizes[2:], padding, strict=True)))]


@op(
    r"\bar W = \bar Y * X",
    node="ConvolutionBackwardBackward0",
    self=Vjp(
        lambda grad, other, stride, padding, dilation, groups, xp: xp.conv_forward(
            other, grad, stride, padding, dilation, groups
        ),
        r"\bar{\bar Y} = \bar{\bar W} * X",
    ),
    other=Vjp(
        lambda grad, self, other, stride, padding, dilation, groups, xp: xp.conv_input(
            self, grad, tuple(other.shape), stride, padding, dilation, groups
        ),
        r"\bar X = \bar{\bar W}^\top * \bar Y",
    ),
    **HIDDEN,
)
def conv_weight(self, other, sizes, stride, padding, dilation, groups):
    """Sum what every kernel element met: the gradient of the kernels."""
    batch, places = self.shape[0], self.shape[2:]
    matrix = columns(other, sizes, stride, padding, dilation, groups, places)
    grads = self.reshape(batch, groups, sizes[0] // groups, math.prod(places))
    return (grads @ matrix).sum(0).reshape(sizes)


def cropped(found, sizes, xp):
    """Cut off the places that there are beyond the input's, where the output is padded by a stride or more."""
    for dim, size in enumerate(sizes[2:], 2):
        if found.shape[dim] != size:
            found = xp.slice(found, dim, 0, size, 1)
    return found


@op(
    r"Y = W * X + b",
    optional=("bias",),
    node="ConvolutionBackward0",
    input=Vjp(
        lambda grad, input, weight, stride, padding, dilation, transposed, output_padding, groups, xp: (
            cropped(xp.conv_forward(grad, weight, stride, padding, dilation, groups), tuple(input.shape), xp)
            if transposed
            else xp.conv_input(grad, weight, tuple(input.shape), stride, padding, dilation, groups)
        ),
        r"\bar X = W^\top * \bar Y",
    ),
    weight=Vjp(
        lambda grad, input, weight, stride, padding, dilation, transposed, groups, xp: (
            xp.conv_weight(input, grad, tuple(weight.shape), stride, padding, dilation, groups)
            if transposed
            else xp.conv_weight(grad, input, tuple(weight.shape), stride, padding, dilation, groups)
        ),
        r"\bar W = \bar Y * X",
    ),
    bias=Vjp(
        lambda grad, bias_sym_sizes_opt, xp: xp.sum(grad, (0, *range(2, grad.ndim))), r"\bar b = \textstyle\sum \bar Y"
    ),
    **HIDDEN,
)
def convolution(input, weight, bias, bias_sym_sizes_opt, stride, padding, dilation, transposed, output_padding, groups):
    """Slide kernels over the input, or (transposed) put every input through them."""
    if transposed:
        sizes = (input.shape[0], weight.shape[1] * groups, *(
            (n - 1) * s - 2 * p + d * (k - 1) + o + 1 for n, s, p, d, k, o in zip(
                input.shape[2:], stride, padding, dilation, weight.shape[2:], output_padding, strict=True)))  # fmt: skip  # noqa: E501
        found = arrays.conv_input(input, weight, sizes, stride, padding, dilation, groups)
    else:
        found = arrays.conv_forward(input, weight, stride, padding, dilation, groups)
    return found if bias is None else found + bias.reshape(-1, *(1,) * (input.ndim - 2))


def check_steps(kernel, stride, padding, dilation, extra, groups):
    """Refuse a kernel without planes, and steps and borders that no window can take, in torch's order."""
    if len(kernel) < 3:
        raise RuntimeError("weight should have at least three dimensions")
    if len(kernel) != len(stride) + 2:
        raise RuntimeError(f"expected stride to be a single integer value or a list of {len(kernel) - 2} values to match the "  # noqa: E501
                           f"convolution dimensions, but got stride={size_text(stride)}")  # fmt: skip
    if groups <= 0:
        raise RuntimeError("non-positive groups is not supported")
    if min(padding) < 0:
        raise RuntimeError("negative padding is not supported")
    if min(extra) < 0:
        raise RuntimeError("negative output_padding is not supported")
    if min(stride) <= 0:
        raise RuntimeError("non-positive stride is not supported")
    if min(dilation) < 0:
        raise RuntimeError("dilation should be greater than zero")


def check_groups(kernel, groups):
    """Refuse kernels that cannot be shared out among groups."""
    if kernel[0] < groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be at least {groups} at dimension 0, but got "
                           f"weight of size {size_text(kernel)} instead")  # fmt: skip
    if kernel[0] % groups:
        raise RuntimeError(f"Given groups={groups}, expected weight to be divisible by {groups} at dimension 0, but "
                           f"got weight of size [{size_text(kernel)}] instead")  # fmt: skip


def runs_on_onednn(array, kernel, stride, dilation, groups):
    """Say whether torch hands a convolution to oneDNN, which words its refusals differently."""
    if array.dtype != np.float32:
        return False
    kernel = kernel[2:] if len(kernel) > 3 else (1, *kernel[2:])
    spread = any(one != 1 for one in (*stride, *dilation, *kernel[-2:]))
    return (spread or array.shape[0] >= 16) and (
        groups > 1 or min(kernel[-2:]) > 3 or array.shape[0] > 1 or array.size > 20480
    )


def check_spread(stride, dilation, extra, transposed, onednn=False):
    """Refuse what torch's kernels refuse themselves; to them a signal is an image of height 1."""
    if onednn and not transposed and not all(dilation):
        raise RuntimeError("non-positive dilation is not supported")
    if len(stride) == 1:
        stride, dilation, extra = (1, *stride), (1, *dilation), (0, *extra)
    (oh, ow), (sh, sw), (dh, dw) = extra, stride, dilation
    if not (dh and dw):
        shown = f"dilation_height: {dh}, dilation_width: {dw}" if transposed else f"[{dh}, {dw}]"
        raise RuntimeError(f"dilation should be greater than zero, but got {shown}")
    if transposed and ((ow >= sw and ow >= dw) or (oh >= sh and oh >= dh)):
        raise RuntimeError("output padding must be smaller than either stride or dilation, but got "
                           f"output_padding_height: {oh} output_padding_width: {ow} stride_height: {sh} stride_width: {sw} "  # noqa: E501
                           f"dilation_height: {dh} dilation_width: {dw}")  # fmt: skip


# ------------------------------------------------------------------ pooling
def check_pooled(array):
    """Raise as torch does for what has no planes to pool: dimensions of no size beside the batch's."""
    if array.ndim not in (3, 4) or 0 in array.shape[array.ndim - 3 :]:
        raise RuntimeError("Expected 3D or 4D (batch mode) tensor with optional 0 dim batch size for input, but got:"
                           f"{size_text(array.shape)}")  # fmt: skip


def pool_places(size, kernel, stride, padding, dilation, ceil_mode):
    """Return how many windows a pooling takes along one dimension."""
    reach = size + 2 * padding - dilation * (kernel - 1) - 1
    count = (reach + stride - 1 if ceil_mode else reach) // stride + 1
    if ceil_mode and (count - 1) * stride >= size + padding:
        count -= 1
    return count


def check_window(kernel, stride, padding, dilation):
    """Raise as torch does for windows of no size, or that stay where they are, in torch's order."""
    if not all(stride):
        raise RuntimeError("stride should not be zero")
    if min(kernel) <= 0:
        raise RuntimeError(f"kernel size should be greater than zero, but got kH: {kernel[0]} kW: {kernel[1]}")
    if min(stride) <= 0:
        raise RuntimeError(f"stride should be greater than zero, but got dH: {stride[0]} dW: {stride[1]}")
    if all(0 <= 2 * p <= k for p, k in zip(padding, kernel, strict=True)):      # else the padding is named
        raise RuntimeError("dilation should be greater than zero, but got "
                           f"dilationH: {dilation[0]} dilationW: {dilation[1]}")  # fmt: skip


def pool_windows(array, kernel, stride, padding, dilation, ceil_mode, value):
    """Return the windows of the last two dimensions, with a border of `value`, and how many there are."""
    places, border = [], []
    if min(*kernel, *stride, *dilation) <= 0:
        check_window(kernel, stride, padding, dilation)
    for n, k, s, p, d in zip(array.shape[-2:], kernel, stride, padding, dilation, strict=True):
        if p < 0:
            raise RuntimeError(f"pad must be non-negative, but got pad: {p}")
        if 2 * p > k:
            raise RuntimeError(f"pad should be at most half of effective kernel size, but got pad={p}, kernel_size={k} and "  # noqa: E501
                               f"dilation={d}")  # fmt: skip
        count = pool_places(n, k, s, p, d, ceil_mode)
        places.append(count)
        border.append((p, max(p, (count - 1) * s + d * (k - 1) + 1 - n - p)))
    if min(places) < 1:
        raise RuntimeError(
            f"Given input size: ({'x'.join(map(str, array.shape[-3:]))}). Calculated output size: "
            f"({array.shape[-3]}x{'x'.join(map(str, places))}). Output size is too small"
        )
    wide = np.ascontiguousarray(padded(array, border, value))
    return windows(wide, kernel, stride, dilation, tuple(places)), tuple(places)


@op(
    r"y = \max_{\text{window}} a",
    node="MaxPool2DWithIndicesBackward0",
    outputs=("result0", "result1"),
    differentiable=("result0",),
    self=Vjp(
        lambda grad, self, kernel_size, stride, padding, dilation, ceil_mode, result1, xp: xp.pool_scatter(
            grad, self, result1
        ),
        r"\bar a_{\text{max}} = \bar y",
    ),
    **HIDDEN,
)
def max_pool2d_with_indices(self, kernel_size, stride, padding, dilation, ceil_mode):
    """The largest element of every window, and its place in its plane."""
    check_pooled(self)
    low = -np.inf if self.dtype.kind == "f" else np.iinfo(self.dtype).min if self.dtype.kind != "b" else False
    view, places = pool_windows(self, kernel_size, stride or kernel_size, padding, dilation, ceil_mode, low)
    if self.dtype.kind == "b":
        raise not_implemented("max_pool2d", self)
    flat = view.reshape(*self.shape[:-2], *places, kernel_size[0] * kernel_size[1])
    best = flat.argmax(-1)
    value = np.take_along_axis(flat, best[..., None], -1)[..., 0]
    row, column = np.divmod(best, kernel_size[1])
    steps = stride or kernel_size
    top = np.arange(places[0])[:, None] * steps[0] - padding[0]
    left = np.arange(places[1])[None, :] * steps[1] - padding[1]
    place = (top + row * dilation[0]) * self.shape[-1] + left + column * dilation[1]
    return value, place.astype(np.int64)


@op(
    r"a_{I_i} \mathrel{+}= y_i",
    tensors=("indices",),
    node="MaxPool2DWithIndicesBackwardBackward0",
    self=Vjp(lambda grad, indices, xp: xp.pool_gather(grad, indices), r"\bar y_i = \bar a_{I_i}"),
    plane=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar p = 0"),
    **HIDDEN,
)
def pool_scatter(self, plane, indices):
    """Add the gradient of every window to its largest element."""
    sizes = plane.shape
    planes = math.prod(sizes[:-2])
    made = np.zeros((planes, sizes[-2] * sizes[-1]), self.dtype)
    each = (planes, math.prod(indices.shape[-2:]))      # not -1: there may be no planes
    np.add.at(made, (np.arange(planes)[:, None], indices.reshape(each)), self.reshape(each))
    return made.reshape(sizes)


@op(
    r"y_i = a_{I_i}",
    tensors=("indices",),
    self=Vjp(
        lambda grad, self, indices, xp: xp.pool_scatter(grad, self, indices), r"\bar a_{I_i} \mathrel{+}= \bar y_i"
    ),
    **HIDDEN,
)
def pool_gather(self, indices):
    """Pick from every plane the elements that were the largest."""
    flat = self.reshape(*self.shape[:-2], math.prod(self.shape[-2:]))
    places = indices.reshape(*indices.shape[:-2], math.prod(indices.shape[-2:]))
    return np.take_along_axis(flat, places, -1).reshape(indices.shape)


def divisors(sizes, kernel, stride, padding, ceil_mode, count_include_pad, divisor_override, dtype):
    """Return by how much the sum of each window is divided."""
    if divisor_override is not None:
        return dtype.type(divisor_override)
    counts = []
    for n, k, s, p in zip(sizes[-2:], kernel, stride, padding, strict=True):
        start = np.arange(pool_places(n, k, s, p, 1, ceil_mode)) * s - p
        end = np.minimum(start + k, n + p)
        counts.append(end - start if count_include_pad else np.minimum(end, n) - np.maximum(start, 0))
    return np.multiply.outer(*counts).astype(dtype)


@op(
    r"y = \mathrm{mean}_{\text{window}}\, a",
    node="AvgPool2DBackward0",
    self=Vjp(
        lambda grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, xp: (
            xp.avg_pool2d_backward(
                grad, self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
            )
        ),
        r"\bar a = \textstyle\sum_{\text{windows}} \bar y / n",
    ),
    **HIDDEN,
)
def avg_pool2d(self, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """The mean of every window."""
    if divisor_override == 0:
        raise RuntimeError("divisor must be not zero")
    check_pooled(self)
    steps = stride or kernel_size
    view, _ = pool_windows(self, kernel_size, steps, padding, (1, 1), ceil_mode, 0)
    whole = self.dtype == np.int64
    if self.dtype.kind != "f" and not whole:
        raise not_implemented("avg_pool2d", self)
    by = divisors(self.shape, kernel_size, steps, padding, ceil_mode, count_include_pad, divisor_override, self.dtype)
    total = view.sum((-2, -1))
    return np.sign(total) * (np.abs(total) // by) if whole else total / by


@op(
    r"a \mathrel{+}= y / n",
    node="AvgPool2DBackwardBackward0",
    self=Vjp(
        lambda grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override, xp: xp.avg_pool2d(
            grad, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override
        ),
        r"\bar y = \mathrm{mean}\, \bar a",
    ),
    plane=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar p = 0"),
    **HIDDEN,
)
def avg_pool2d_backward(self, plane, kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override):
    """Spread the gradient of every mean over its window."""
    sizes = plane.shape
    steps = stride or kernel_size
    share = self / divisors(
        sizes, kernel_size, steps, padding, ceil_mode, count_include_pad, divisor_override, self.dtype
    )
    reach = [max(n + 2 * p, (c - 1) * s + k) for n, p, c, s, k in zip(
        sizes[-2:], padding, self.shape[-2:], steps, kernel_size, strict=True)]  # fmt: skip
    wide = np.zeros((*sizes[:-2], *reach), self.dtype)
    for offset in np.ndindex(*kernel_size):
        target = tuple(slice(o, o + (c - 1) * s + 1, s) for o, c, s in zip(offset, self.shape[-2:], steps, strict=True))
        wide[(..., *target)] += share
    return wide[..., padding[0] : padding[0] + sizes[-2], padding[1] : padding[1] + sizes[-1]]


def adaptive_bounds(size, count):
    """Return where each of `count` nearly equal, perhaps overlapping stretches of a dimension begins and ends."""
    return [(k * size // count, -(-(k + 1) * size // count)) for k in range(count)]


@op(
    r"y = \mathrm{mean}_{\text{stretch}}\, a",
    node="AdaptiveAvgPool2DBackward0",
    name="_adaptive_avg_pool2d",
    self=Vjp(
        lambda grad, self, xp: xp.adaptive_avg_pool2d_backward(grad, self),
        r"\bar a = \textstyle\sum_{\text{stretches}} \bar y / n",
    ),
    **HIDDEN,
)
def _adaptive_avg_pool2d(self, output_size):
    """The means of a grid of so many stretches."""
    require_float("adaptive_avg_pool2d", self)
    made = np.empty((*self.shape[:-2], *output_size), self.dtype)
    for i, (top, bottom) in enumerate(adaptive_bounds(self.shape[-2], output_size[0])):
        for j, (left, right) in enumerate(adaptive_bounds(self.shape[-1], output_size[1])):
            made[..., i, j] = self[..., top:bottom, left:right].mean((-2, -1))
    return made


@op(
    r"a \mathrel{+}= y / n",
    node="AdaptiveAvgPool2DBackwardBackward0",
    grad_output=Vjp(
        lambda grad, grad_output_argsize_minus_2, grad_output_argsize_minus_1, xp: xp._adaptive_avg_pool2d(
            grad, (grad_output_argsize_minus_2, grad_output_argsize_minus_1)
        ),
        r"\bar y = \mathrm{mean}\, \bar a",
    ),
    plane=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar p = 0"),
    **HIDDEN,
)
def adaptive_avg_pool2d_backward(grad_output, plane):
    """Spread the gradient of every mean over its stretch."""
    for dim in range(1 if grad_output.ndim < 4 else 2, grad_output.ndim):
        if not grad_output.shape[dim]:
            raise RuntimeError("adaptive_avg_pool2d_backward(): Expected grad_output to have non-zero size for non-batch "  # noqa: E501
                               f"dimensions, but grad_output has sizes {size_text(grad_output.shape)} with dimension {dim} "  # noqa: E501
                               "being empty")  # fmt: skip
    sizes = plane.shape
    made = np.zeros(sizes, grad_output.dtype)
    for i, (top, bottom) in enumerate(adaptive_bounds(sizes[-2], grad_output.shape[-2])):
        for j, (left, right) in enumerate(adaptive_bounds(sizes[-1], grad_output.shape[-1])):
            made[..., top:bottom, left:right] += grad_output[..., i : i + 1, j : j + 1] / ((bottom - top) * (right - left))  # noqa: E501
    return made


@op(
    r"y = (v, a, v)",
    row_order=True,
    node="ConstantPadNdBackward0",
    function=False,
    method=False,
    self=Vjp(
        lambda grad, pad, xp: xp.constant_pad_nd(grad, tuple(-n for n in pad), 0), r"\bar a = \bar y_{\text{inside}}"
    ),
)
def constant_pad_nd(self, pad, value=0):
    """Put a border of a constant around the last dimensions; negative widths cut off."""
    lead = self.ndim - len(pad) // 2
    sides = [(0, 0)] * lead + [(pad[2 * k], pad[2 * k + 1]) for k in reversed(range(len(pad) // 2))]
    for k, (before, after) in enumerate(sides):
        if self.shape[k] + before + after < 0:
            raise RuntimeError("narrow(): length must be non-negative.")
    inner = self[tuple(slice(max(-before, 0), n - max(-after, 0))
                       for n, (before, after) in zip(self.shape, sides, strict=True))]  # fmt: skip
    return np.pad(inner, [(max(before, 0), max(after, 0)) for before, after in sides], constant_values=value)
