"""Normalisations with a declaration of their own: layer, batch and group norm, and the lookup of embeddings."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.slopes import slope
from autograd_lab.ops.refusals import require_float

HIDDEN = {"function": False, "method": False}


def standardized(x, axes, eps, xp):
    """Return the centred, scaled values and the factor they were scaled with, in any vocabulary."""
    number = math.prod(x.shape[axis] for axis in axes) or math.nan
    centred = x - xp.sum(x, axes, True) * (1 / number)
    factor = xp.rsqrt(xp.sum(centred * centred, axes, True) * (1 / number) + eps)
    return centred * factor, factor


def standard_backward(grad, x, axes, eps, xp):
    """Return the gradient of standardising over some axes."""
    number = math.prod(x.shape[axis] for axis in axes) or math.nan
    values, factor = standardized(x, axes, eps, xp)
    mean = xp.sum(grad, axes, True) * (1 / number)
    along = xp.sum(grad * values, axes, True) * (1 / number)
    return (grad - mean - values * along) * factor


def moments(x, axes, eps):
    """Return mean and reciprocal standard deviation of an array, as NumPy sees them."""
    if not x.size:
        empty = np.full([1 if axis in axes else size for axis, size in enumerate(x.shape)], np.nan, x.dtype)
        return empty, empty
    mean = x.mean(axes, keepdims=True)
    factor = 1 / np.sqrt(((x - mean) ** 2).mean(axes, keepdims=True) + x.dtype.type(eps))
    return mean, factor


def last(count, ndim):
    """Return the last `count` axes."""
    return tuple(range(ndim - count, ndim))


@slope(r"\bar a", "NativeLayerNormBackwardBackward0", ("grad_out", "input", "weight"), tensors=("mean", "rstd"),
       optional=("weight",), hidden=("eps",), fix="always")  # fmt: skip
def native_layer_norm_backward(grad_out, input, normalized_shape, mean, rstd, weight, eps, xp):
    """Return the gradient of layer norm for its input."""
    grad = grad_out if weight is None else grad_out * weight
    return standard_backward(grad, input, last(len(normalized_shape), input.ndim), eps, xp)


@op(
    r"y = \frac{a - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot w + b",
    node="NativeLayerNormBackward0",
    outputs=("result0", "result1", "result2"),
    differentiable=("result0",),
    optional=("weight", "bias"),
    hidden=("eps",),
    fix="always",
    input=Vjp(
        lambda grad, input, normalized_shape, weight, result1, result2, eps, xp: xp.native_layer_norm_backward(
            grad, input, normalized_shape, result1, result2, weight, eps
        ),
        r"\bar a = \frac{1}{\sigma}(g - \langle g \rangle - \hat a \langle g \odot \hat a \rangle),\ g = \bar y \odot w",  # noqa: E501
    ),
    weight=Vjp(
        lambda grad, input, normalized_shape, eps, xp: summed(
            grad * standardized(input, last(len(normalized_shape), input.ndim), eps, xp)[0], len(normalized_shape), xp
        ),
        r"\bar w = \textstyle\sum \bar y \odot \hat a",
    ),
    bias=Vjp(
        lambda grad, normalized_shape, bias, xp: summed(grad, len(normalized_shape), xp),
        r"\bar b = \textstyle\sum \bar y",
    ),
    row_order=True,
    **HIDDEN,
)
def native_layer_norm(input, normalized_shape, weight, bias, eps):
    """Standardise over the last dimensions, then scale and shift; also mean and reciprocal deviation."""
    require_float("LayerNormKernelImpl", input)
    kept, input = input.dtype, wide_of(input)
    mean, factor = moments(input, last(len(normalized_shape), input.ndim), eps)
    found = (input - mean) * factor
    if weight is not None:
        found = found * weight
    return (found if bias is None else found + bias).astype(kept, copy=False), mean, factor


def wide_of(array):
    """Return an array as torch's kernels compute with it: float16 in float32."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def summed(grad, keep, xp):
    """Sum over all but the last `keep` dimensions."""
    axes = tuple(range(grad.ndim - keep))
    return xp.sum(grad, axes) if axes else grad


def channel(x):
    """Return the axes over which batch norm takes its moments."""
    return (0, *range(2, x.ndim))


def wide(vector, x, xp):
    """Return one number a channel in a shape that broadcasts over the input."""
    return xp.reshape(vector, (1, -1, *(1,) * (x.ndim - 2)))


@slope(r"\bar a", "NativeBatchNormBackwardBackward0", ("grad_out", "input", "weight", "running_mean", "running_var"),
       tensors=("save_mean", "save_invstd"), optional=("weight", "running_mean", "running_var"),
       fix="always")  # fmt: skip
def native_batch_norm_backward(grad_out, input, weight, running_mean, running_var, save_mean, save_invstd, train, eps,
                               xp):  # fmt: skip
    """Return the gradient of batch norm for its input."""
    if weight is not None:
        grad_out = grad_out * wide(weight, input, xp)
    if train:
        return standard_backward(grad_out, input, channel(input), eps, xp)
    return grad_out * xp.rsqrt(wide(running_var, input, xp) + eps)


def batch_values(input, running_mean, running_var, training, eps, xp):
    """Return the standardised values of batch norm."""
    if training:
        return standardized(input, channel(input), eps, xp)[0]
    return (input - wide(running_mean, input, xp)) * xp.rsqrt(wide(running_var, input, xp) + eps)


@op(
    r"y = \frac{a - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot w + b",
    node="NativeBatchNormBackward0",
    outputs=("result0", "result1", "result2"),
    differentiable=("result0",),
    optional=("weight", "bias", "running_mean", "running_var"),
    tensors=("running_mean", "running_var"),
    input=Vjp(
        lambda grad, input, weight, running_mean, running_var, result1, result2, training, eps, xp: (
            xp.native_batch_norm_backward(
                grad, input, weight, running_mean, running_var, result1, result2, training, eps
            )
        ),
        r"\bar a = \frac{1}{\sigma}(g - \langle g \rangle - \hat a \langle g \odot \hat a \rangle),\ g = \bar y \odot w",  # noqa: E501
    ),
    weight=Vjp(
        lambda grad, input, running_mean, running_var, training, eps, xp: xp.sum(
            grad * batch_values(input, running_mean, running_var, training, eps, xp), channel(input)
        ),
        r"\bar w = \textstyle\sum \bar y \odot \hat a",
    ),
    bias=Vjp(lambda grad, xp: xp.sum(grad, channel(grad)), r"\bar b = \textstyle\sum \bar y"),
    **HIDDEN,
)
def native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps):
    """Standardise each channel with its own moments (training) or the running ones, then scale and shift."""
    require_float("batch_norm", input)
    kept, input = input.dtype, wide_of(input)
    axes, shape = channel(input), (1, -1, *(1,) * (input.ndim - 2))
    if training:
        mean, factor = moments(input, axes, eps)
        moved = mean.reshape(-1), factor.reshape(-1)
    else:
        mean, factor = running_mean.reshape(shape), 1 / np.sqrt(running_var.reshape(shape) + input.dtype.type(eps))
        moved = np.empty(0, input.dtype), np.empty(0, input.dtype)
    found = (input - mean) * factor
    if weight is not None:
        found = found * weight.reshape(shape)
    return (found if bias is None else found + bias.reshape(shape)).astype(kept, copy=False), *moved


def grouped(x, group, xp):
    """Return the input as [batch, group, rest]."""
    return xp.reshape(x, (x.shape[0], group, math.prod(x.shape[1:]) // group))


def group_values(input, group, eps, xp):
    """Return the standardised values of group norm in the input's shape."""
    return xp.reshape(standardized(grouped(input, group, xp), (2,), eps, xp)[0], tuple(input.shape))


def group_input(grad, input, weight, group, eps, xp):
    """Return the gradient of group norm for its input."""
    if weight is not None:
        grad = grad * wide(weight, input, xp)
    found = standard_backward(grouped(grad, group, xp), grouped(input, group, xp), (2,), eps, xp)
    return xp.reshape(found, tuple(input.shape))


@op(
    r"y = \frac{a - \mu}{\sqrt{\sigma^2 + \varepsilon}} \odot w + b",
    node="NativeGroupNormBackward0",
    outputs=("result0", "result1", "result2"),
    differentiable=("result0",),
    optional=("weight", "bias"),
    input=Vjp(
        lambda grad, input, weight, N, C, HxW, group, result1, result2, eps, xp: group_input(
            grad, input, weight, group, eps, xp
        ),
        r"\bar a = \frac{1}{\sigma}(g - \langle g \rangle - \hat a \langle g \odot \hat a \rangle),\ g = \bar y \odot w",  # noqa: E501
    ),
    weight=Vjp(
        lambda grad, input, group, eps, xp: xp.sum(grad * group_values(input, group, eps, xp), channel(grad)),
        r"\bar w = \textstyle\sum \bar y \odot \hat a",
    ),
    bias=Vjp(lambda grad, xp: xp.sum(grad, channel(grad)), r"\bar b = \textstyle\sum \bar y"),
    **HIDDEN,
)
def native_group_norm(input, weight, bias, N, C, HxW, group, eps):
    """Standardise groups of channels, then scale and shift."""
    require_float("GroupNormKernelImpl", input)
    kept, parts = input.dtype, wide_of(input).reshape(N, group, C // group * HxW)
    mean, factor = moments(parts, (2,), eps)
    found = ((parts - mean) * factor).reshape(input.shape)
    shape = (1, -1, *(1,) * (input.ndim - 2))
    if weight is not None:
        found = found * weight.reshape(shape)
    found = found if bias is None else found + bias.reshape(shape)
    return found.astype(kept, copy=False), mean[..., 0], factor[..., 0]


# ------------------------------------------------------------------ embeddings
@op(
    r"y_i = w_{I_i}",
    name="embedding",
    tensors=("indices",),
    hidden=("weight_sizes",),
    weight=Vjp(
        lambda grad, indices, padding_idx, scale_grad_by_freq, sparse, weight_sym_argsize_0, weight_sizes, xp: (
            xp.embedding_backward(grad, indices, weight_sizes, padding_idx, scale_grad_by_freq)
        ),
        r"\bar w_{I_i} \mathrel{+}= \bar y_i",
    ),
    **HIDDEN,
)
def embedding(weight, indices, padding_idx=-1, scale_grad_by_freq=False, sparse=False, weight_sym_argsize_0=0):
    """Look up rows of a matrix."""
    if weight.ndim != 2:
        raise RuntimeError("'weight' must be 2-D")
    if indices.dtype.kind not in "i" or indices.dtype.itemsize < 4:
        kind = from_numpy(indices.dtype)
        found = "CPUBoolType" if indices.dtype.kind == "b" else f"torch.{kind.scalar_name}Tensor"
        raise RuntimeError("Expected tensor for argument #1 'indices' to have one of the following scalar types: Long, Int; but "  # noqa: E501
                           f"got {found} instead (while checking arguments for embedding)")  # fmt: skip
    if indices.size and (np.min(indices) < 0 or np.max(indices) >= weight.shape[0]):
        if not weight.size:
            bad = indices[(indices < 0) | (indices >= weight.shape[0])].flat[0]
            raise RuntimeError(f"INDICES element is out of DATA bounds, id={bad} axis_dim={weight.shape[0]}")
        raise IndexError("index out of range in self")
    return np.take(weight, indices, 0)      # unlike weight[0], always a copy


@op(
    r"w_{I_i} \mathrel{+}= y_i",
    tensors=("indices",),
    self=Vjp(
        lambda grad, indices, padding_idx, scale_grad_by_freq, xp: xp.embedding_rows(
            grad, indices, padding_idx, scale_grad_by_freq
        ),
        r"\bar y_i = \bar w_{I_i}",
    ),
    **HIDDEN,
)
def embedding_backward(self, indices, sizes, padding_idx, scale_grad_by_freq):
    """Add the gradients of all looked-up rows; the padding row gets none."""
    made = np.zeros(sizes, self.dtype)
    np.add.at(made, indices, self * row_weights(indices, padding_idx, scale_grad_by_freq, self.dtype))
    return made


@op(
    r"y_i = w_{I_i}",
    tensors=("indices",),
    self=Vjp(
        lambda grad, self, indices, padding_idx, scale_grad_by_freq, xp: xp.embedding_backward(
            grad, indices, tuple(self.shape), padding_idx, scale_grad_by_freq
        ),
        r"\bar w_{I_i} \mathrel{+}= \bar y_i",
    ),
    **HIDDEN,
)
def embedding_rows(self, indices, padding_idx, scale_grad_by_freq):
    """The transpose of `embedding_backward`."""
    return self[indices] * row_weights(indices, padding_idx, scale_grad_by_freq, self.dtype)


def row_weights(indices, padding_idx, scale_grad_by_freq, dtype):
    """Return the weight of each lookup in the gradient."""
    weights = (np.asarray(indices) != padding_idx).astype(dtype)
    if scale_grad_by_freq:
        _, inverse, counts = np.unique(indices, return_inverse=True, return_counts=True)
        weights = weights / counts[inverse].reshape(weights.shape)
    return weights[..., None]
