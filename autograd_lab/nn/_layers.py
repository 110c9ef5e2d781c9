"""The layers of `nn.functional`: linear, embedding, convolutions, pooling, normalisation, padding."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.dims import sized
from autograd_lab.core.op import functions, tensors
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import local
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.core.versions import cell_of, written_once
from autograd_lab.errors import explain
from autograd_lab.ops.convolution import check_groups, check_spread, check_steps, pool_places, runs_on_onednn
from autograd_lab.ops.linear import addmm, matmul
from autograd_lab.ops.refusals import require_float
from autograd_lab.ops.shape import _view, reshaped, t


def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Tensor:
    """x Wᵀ + b.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.linear.html
    """
    if not isinstance(input, Tensor):
        raise fail.bad_argument("linear", "input", input, 1)
    if not isinstance(weight, Tensor):
        raise fail.bad_argument("linear", "weight", weight, 2)
    shape, ndim = input._array.shape, weight._array.ndim
    if not shape or not ndim:
        raise RuntimeError(f"both arguments to linear need to be at least 1D, but they are {len(shape)}D and {ndim}D")
    if bias is None:
        return matmul(input, t(weight))
    if len(shape) == 2:
        return addmm(bias, input, t(weight))
    added = bias._array.shape
    if input._array.flags.c_contiguous and (len(added) == 1 or sum(size != 1 for size in added) == 1):
        flat = reshaped(input, (-1 if shape[:-1] and 0 not in shape else int(np.prod(shape[:-1])), shape[-1]))
        return _view(addmm(bias, flat, t(weight)), (*shape[:-1], weight._array.shape[0]))
    return matmul(input, t(weight)).add_(bias)


def one_hot(tensor: Tensor, num_classes: int = -1) -> Tensor:
    """Return rows of zeros with a one at each class."""
    array = np.asarray(tensor._array)
    if array.dtype != np.int64:
        raise RuntimeError("one_hot is only applicable to index tensor of type LongTensor.")
    if not array.size:
        if num_classes <= 0:
            raise RuntimeError("Can not infer total number of classes from empty tensor.")
        return fresh(np.zeros((*array.shape, num_classes), np.int64))
    if array.min() < 0:
        raise RuntimeError("Class values must be non-negative.")
    if num_classes == -1:
        num_classes = int(array.max()) + 1
    elif array.max() >= num_classes:
        raise RuntimeError("Class values must be smaller than num_classes.")
    made = fresh((array[..., None] == np.arange(num_classes)).astype(np.int64, "C"))
    cell_of(made).version = 2    # torch fills zeros and scatters ones
    return made


def embedding(input: Tensor, weight: Tensor, padding_idx: int | None = None, max_norm: float | None = None,
              norm_type: float = 2.0, scale_grad_by_freq: bool = False, sparse: bool = False) -> Tensor:  # fmt: skip
    """Look up rows of a matrix by their numbers."""
    rows = sized(weight, 0) if weight._array.ndim or weight.requires_grad or padding_idx is not None else 0
    if padding_idx is not None:
        if (padding_idx > 0 and padding_idx >= rows) or (padding_idx < 0 and padding_idx < -rows):
            raise AssertionError("Padding_idx must be within num_embeddings")
        if padding_idx < 0:
            padding_idx += rows
    if max_norm is not None or sparse:
        raise NotImplementedError("embedding: max_norm and sparse are outside the lab's scope.")
    return tensors.embedding(
        weight, input, -1 if padding_idx is None else padding_idx, scale_grad_by_freq, sparse, rows
    )


def normalize(input: Tensor, p: float = 2.0, dim: Any = 1, eps: float = 1e-12, out: Tensor | None = None) -> Tensor:
    """Divide vectors along a dimension by their norm."""
    length = functions["norm"](input, p, dim, keepdim=True).clamp_min(eps).expand_as(input)
    return input / length if out is None else functions["div"](input, length, out=out)


# ------------------------------------------------------------------ convolutions
def _each(value: Any, rank: int, name: str) -> tuple[int, ...]:
    if isinstance(value, int):
        return (value,) * rank
    value = tuple(value)
    if len(value) == 1:
        return value * rank
    if len(value) != rank:
        raise RuntimeError(f"expected {name} to be a single integer value or a list of {rank} values to match the convolution "  # noqa: E501
                           f"dimensions, but got {name}={size_text(value)}")  # fmt: skip
    return value


def _check_convolution(input: Tensor, weight: Tensor, bias: Tensor | None, stride: tuple, padding: tuple, dilation: tuple,  # noqa: E501
                       extra: tuple, groups: int, transposed: bool) -> None:  # fmt: skip
    shape, kernel = input._array.shape, weight._array.shape
    check_steps(kernel, stride, padding, dilation, extra, groups)
    check_groups(kernel, groups)
    channels = kernel[0] if transposed else kernel[1] * groups
    if shape[1] != channels:
        raise explain(RuntimeError(
            f"Given {'transposed=1' if transposed else f'groups={groups}'}, "
            f"weight of size {size_text(kernel)}, expected input{size_text(shape)} to have {channels} channels, but got {shape[1]} "  # noqa: E501
            "channels instead"), "shapes")  # fmt: skip
    if bias is not None and bias._array.shape != ((kernel[1] * groups if transposed else kernel[0]),):
        outputs = kernel[1] * groups if transposed else kernel[0]
        raise RuntimeError(f"Given {'transposed=1, ' if transposed else ''}weight of size {size_text(kernel)}, expected bias to be "  # noqa: E501
                           f"1-dimensional with {outputs} elements, but got bias of size {size_text(bias._array.shape)} instead")  # fmt: skip  # noqa: E501
    if not transposed:
        padded = [n + 2 * p for n, p in zip(shape[2:], padding, strict=True)]
        reach = [d * (k - 1) + 1 for d, k in zip(dilation, kernel[2:], strict=True)]
        if any(n < k for n, k in zip(padded, reach, strict=True)):
            raise RuntimeError(f"Calculated padded input size per channel: ({' x '.join(map(str, padded))}). Kernel size: "  # noqa: E501
                               f"({' x '.join(map(str, reach))}). Kernel size can't be greater than actual input size")  # fmt: skip  # noqa: E501
    onednn = runs_on_onednn(input._array, kernel, stride, dilation, groups)
    check_spread(stride, dilation, extra, transposed, onednn)
    if bias is not None and bias._array.dtype is not input._array.dtype and not transposed:
        raise RuntimeError(f"Input type ({input.dtype.cpp_name}) and bias type ({bias.dtype.cpp_name}) should be the "
                           "same")  # fmt: skip
    if input._array.dtype is not weight._array.dtype:
        raise RuntimeError(
            f"Input type ({input.dtype.shown_type}) and weight type ({weight.dtype.shown_type}) should be the same or "
            "input should be a MKLDNN tensor and weight is a dense tensor"
            if onednn else f"expected scalar type {input.dtype.scalar_name} but found {weight.dtype.scalar_name}"
        )


def _convolve(name: str, rank: int, input: Tensor, weight: Tensor, bias: Tensor | None, stride: Any, padding: Any, dilation: Any,  # noqa: E501
              groups: int, transposed: bool = False, output_padding: Any = 0) -> Tensor:  # fmt: skip
    ndim = input._array.ndim
    if ndim not in (rank + 1, rank + 2):
        raise RuntimeError(f"Expected {rank + 1}D (unbatched) or {rank + 2}D (batched) input to {name}, but got input of size: "  # noqa: E501
                           f"{size_text(input._array.shape)}")  # fmt: skip
    stride, dilation = _each(stride, rank, "stride"), _each(dilation, rank, "dilation")
    extra = _each(output_padding, rank, "output_padding")
    if isinstance(padding, str):
        if padding not in ("same", "valid"):
            raise RuntimeError(f"Invalid padding string: '{padding}'")
        if padding == "same" and any(step != 1 for step in stride):
            raise RuntimeError("padding='same' is not supported for strided convolutions")
        total = [
            d * (k - 1) if padding == "same" else 0 for d, k in zip(dilation, weight._array.shape[2:], strict=False)
        ]
        if any(one % 2 for one in total):
            warn_once("same", "Using padding='same' with even kernel lengths and odd dilation may require a zero-padded copy of "  # noqa: E501
                      "the input be created")  # fmt: skip
            sides = [side for one in reversed(total) for side in (0, one % 2)]
            input = tensors.constant_pad_nd(input, tuple(sides), 0)
        padding = tuple(one // 2 for one in total)
    padding = _each(padding, rank, "padding")
    alone = ndim == rank + 1
    if alone:
        input = input.unsqueeze(0)
    _check_convolution(input, weight, bias, stride, padding, dilation, extra, groups, transposed)
    sizes = (0,) if bias is None else bias._array.shape
    found = tensors.convolution(input, weight, bias, sizes, stride, padding, dilation, transposed, extra, groups)
    return found.squeeze(0) if alone else found


def conv1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,  # noqa: E501
           groups: int = 1) -> Tensor:  # fmt: skip
    """Slide kernels over signals."""
    return _convolve("conv1d", 1, input, weight, bias, stride, padding, dilation, groups)


def conv2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,  # noqa: E501
           groups: int = 1) -> Tensor:  # fmt: skip
    """Slide kernels over images."""
    return _convolve("conv2d", 2, input, weight, bias, stride, padding, dilation, groups)


def conv_transpose1d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
                     output_padding: Any = 0, groups: int = 1, dilation: Any = 1) -> Tensor:  # fmt: skip
    """The transpose of conv1d as an operation of its own."""
    return _convolve(
        "conv_transpose1d", 1, input, weight, bias, stride, padding, dilation, groups, True, output_padding
    )


def conv_transpose2d(input: Tensor, weight: Tensor, bias: Tensor | None = None, stride: Any = 1, padding: Any = 0,
                     output_padding: Any = 0, groups: int = 1, dilation: Any = 1) -> Tensor:  # fmt: skip
    """The transpose of conv2d as an operation of its own."""
    return _convolve(
        "conv_transpose2d", 2, input, weight, bias, stride, padding, dilation, groups, True, output_padding
    )


def pad(input: Tensor, pad: Any, mode: str = "constant", value: float | None = None) -> Tensor:
    """Put a border around the last dimensions: a constant, mirrored or repeated elements, or the other end."""
    if len(pad) % 2:
        raise RuntimeError("Padding length must be divisible by 2")
    if len(pad) > 2 * input._array.ndim:
        raise RuntimeError("Padding length should be less than or equal to two times the input dimension but got padding length "  # noqa: E501
                           f"{len(pad)} and input of dimension {input._array.ndim}")  # fmt: skip
    if mode != "constant":
        from autograd_lab.ops.padding import pad_with_itself

        return pad_with_itself(input, pad, mode, value)
    return tensors.constant_pad_nd(input, tuple(pad), 0 if value is None else value)


# ------------------------------------------------------------------ pooling
def _pair(value: Any) -> tuple[int, ...]:
    value = (value,) if isinstance(value, int) else tuple(value)
    return value * 2 if len(value) == 1 else value


def _windows(name: str, kernel_size: Any, stride: Any, *others: Any) -> tuple[tuple[int, ...], ...]:
    """Return the numbers of a pooling in pairs; refuse another count of them."""
    found = (_pair(kernel_size), () if stride is None else _pair(stride), *map(_pair, others))
    for what, pair in zip(("kernel_size must", "stride must either be omitted,", "padding must", "dilation must be"), found,  # noqa: E501
                          strict=False):  # fmt: skip
        if len(pair) != 2 and not (what[0] == "s" and not pair):
            raise RuntimeError(f"{name}: {what}{' either be' if what.endswith('must') else ' either' if what.endswith('be') else ''} "  # noqa: E501
                               "a single int, or a tuple of two ints")  # fmt: skip
    return found


def max_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               ceil_mode: bool = False, return_indices: bool = False) -> Any:  # fmt: skip
    """The largest element of every window (and its place in its plane)."""
    if input._array.ndim not in (3, 4):
        raise RuntimeError("non-empty 3D or 4D (batch mode) tensor expected for input")
    found = tensors.max_pool2d_with_indices(input, *_windows("max_pool2d", kernel_size, stride, padding, dilation), ceil_mode)  # noqa: E501
    return tuple(found) if return_indices else found[0]


def max_pool1d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
               ceil_mode: bool = False, return_indices: bool = False) -> Any:  # fmt: skip
    """The largest element of every window of a signal."""
    size, step = _single(kernel_size), _single(kernel_size if stride is None else stride)
    around, apart = _single(padding), _single(dilation)
    lone = not return_indices and not (input.requires_grad and local.grad)
    if return_indices:
        _check_signal(input, "max_pool1d")
    else:
        _check_max_pool1d(input, size, step, around, apart, ceil_mode, lone)
    found = tensors.max_pool2d_with_indices(input.unsqueeze(-2), (1, size), (1, step), (0, around), (1, apart), ceil_mode)  # noqa: E501
    if return_indices:
        return tuple(one.squeeze(-2) for one in found)
    if not lone:
        return found[0].squeeze(-2)
    made = fresh(found[0]._array.squeeze(-2))   # torch takes another way then, which makes no view
    if input._array.ndim == 2:
        written_once(made)
    return made


def _check_signal(input: Tensor, name: str) -> None:
    if input._array.ndim not in (2, 3):
        raise RuntimeError(f"Expected 2 to 3 dimensions, but got {input._array.ndim}-dimensional tensor for argument #1 'self' "  # noqa: E501
                           f"(while checking arguments for {name})")  # fmt: skip


def _check_max_pool1d(input: Tensor, size: int, step: int, around: int, apart: int, ceil_mode: bool, lone: bool) -> None:  # noqa: E501
    shape = input._array.shape
    if len(shape) not in (2, 3) or 0 in shape[-2:]:
        raise RuntimeError("max_pool1d: Expected 2D or 3D (batch mode) tensor with optional 0 dim batch size for input, but got:"  # noqa: E501
                           f"{size_text(shape)}")  # fmt: skip
    for name, value in (("kernel_size", size), ("stride", step)):
        if value <= 0:
            raise RuntimeError(f"max_pool1d() {name} must be greater than zero, but got {value}")
    if around < 0:
        raise RuntimeError(f"max_pool1d() padding must be non-negative, but got {around}")
    if around > size // 2:
        raise RuntimeError(f"max_pool1d() padding should be at most half of kernel size, but got padding={around} and "
                           f"kernel_size={size}")  # fmt: skip
    if apart <= 0:
        raise RuntimeError(f"max_pool1d() dilation must be greater than zero, but got {apart}")
    places = pool_places(shape[-1], size, step, around, apart, ceil_mode)
    if places <= 0:
        raise RuntimeError(f"max_pool1d() Invalid computed output size: {places}")
    if lone:
        require_float("max_pool1d_impl", input._array)


def _single(value: Any) -> int:
    return value if isinstance(value, int) else next(iter(value))


def avg_pool2d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True, divisor_override: int | None = None) -> Tensor:  # fmt: skip
    """The mean of every window."""
    sized(input, -3)
    return tensors.avg_pool2d(input, *_windows("avg_pool2d", kernel_size, stride, padding), ceil_mode,
                              count_include_pad, divisor_override)  # fmt: skip


def avg_pool1d(input: Tensor, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
               count_include_pad: bool = True) -> Tensor:  # fmt: skip
    """The mean of every window of a signal."""
    _check_signal(input, "avg_pool1d")
    size, step = _single(kernel_size), _single(kernel_size if stride is None else stride)
    return tensors.avg_pool2d(input.unsqueeze(-2), (1, size), (1, step), (0, _single(padding)), ceil_mode, count_include_pad,  # noqa: E501
                              None).squeeze(-2)  # fmt: skip


def adaptive_avg_pool2d(input: Tensor, output_size: Any) -> Tensor:
    """The means of a grid of so many nearly equal stretches."""
    shape = input._array.shape
    size = (output_size, output_size) if isinstance(output_size, int) else tuple(output_size)
    if not isinstance(output_size, int) and size:
        if len(shape) <= len(size):
            raise ValueError(f"Input dimension should be at least {len(size) + 1}")
        size = tuple(have if want is None else want for want, have in zip(size, shape[-len(size) :], strict=True))
    if len(size) != 2:
        raise RuntimeError("adaptive_avg_pool2d: output_size must be 2")
    return _adaptive(input, size)


def _adaptive(input: Tensor, size: tuple[int, ...]) -> Tensor:
    shape = input._array.shape
    if min(size) < 0:
        raise RuntimeError("adaptive_avg_pool2d: elements of output_size must be greater than or equal to 0 but received "  # noqa: E501
                           f"{{{size[0]}, {size[1]}}}")  # fmt: skip
    if size == (1, 1):
        return input.mean((-1, -2), True)
    for dim in (-2, -1) if len(shape) in (3, 4) else ():
        if not shape[dim]:
            raise RuntimeError("adaptive_avg_pool2d(): Expected input to have non-zero size for non-batch dimensions, but input "  # noqa: E501
                               f"has sizes {size_text(shape)} with dimension {dim + len(shape)} being empty")  # fmt: skip  # noqa: E501
    if input._array.ndim not in (3, 4):
        raise RuntimeError(f"adaptive_avg_pool2d(): Expected 3D or 4D tensor, but got {size_text(input._array.shape)}")
    return tensors._adaptive_avg_pool2d(input, size)


def adaptive_avg_pool1d(input: Tensor, output_size: Any) -> Tensor:
    """The means of so many nearly equal stretches of a signal."""
    _check_signal(input, "adaptive_avg_pool1d")
    return _adaptive(input.unsqueeze(-2), (1, _single(output_size))).squeeze(-2)


# ------------------------------------------------------------------ normalisation
def _check_mixed(input: Tensor, *parameters: Tensor | None) -> None:
    """Refuse parameters of another dtype than the input's; only float16 goes with float32 ones."""
    kinds = [one.dtype for one in parameters if one is not None]
    if all(kind is input.dtype for kind in kinds):
        return
    if input.dtype is kinds[0]:
        odd = next(kind for kind in kinds if kind is not input.dtype)
        if input._array.dtype == np.float32 or odd.numpy != np.float32:
            raise RuntimeError(f"expected scalar type {input.dtype.scalar_name} but found {odd.scalar_name}")
    if any(kind.numpy != np.float32 for kind in kinds):
        raise RuntimeError("mixed dtype (CPU): expect parameter to have scalar type of Float")
    if input._array.dtype != np.float16:
        raise RuntimeError("mixed dtype (CPU): all inputs must share same datatype.")


def _check_batch(size: Any, shown: str) -> None:
    """Refuse to standardise channels of one element."""
    if size[0] * math.prod(size[2:]) == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {shown}")


def layer_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:  # fmt: skip
    """Standardise over the last dimensions, then scale and shift."""
    shape = tuple(normalized_shape)
    _check_mixed(input, weight, bias)
    _check_normalized(input, shape, (("weight", weight), ("bias", bias)))
    return tensors.native_layer_norm(input, shape, weight, bias, eps)[0]


def _check_normalized(input: Tensor, shape: tuple[int, ...], parameters: tuple, comma: str = ", ") -> None:
    """Raise unless the last dimensions, and those of the parameters, are the shape."""
    if not shape:
        raise RuntimeError("Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but "  # noqa: E501
                           "got normalized_shape = []")  # fmt: skip
    for name, one in parameters:
        if one is not None and one._array.shape != shape:
            raise RuntimeError(f"Expected {name} to be of same shape as normalized_shape, but got {name} of shape "
                               f"{size_text(one._array.shape)} and normalized_shape = {size_text(shape)}")  # fmt: skip
    have = input._array.shape
    if len(have) < len(shape) or have[len(have) - len(shape) :] != shape:
        raise RuntimeError(f"Given normalized_shape={size_text(shape)}, expected input with shape [*{comma}{size_text(shape)[1:]}, but "  # noqa: E501
                           f"got input of size{size_text(have)}")  # fmt: skip


def rms_norm(input: Tensor, normalized_shape: Any, weight: Tensor | None = None, eps: float | None = None) -> Tensor:
    """Divide by the root of the mean square over the last dimensions, then scale.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.rms_norm.html
    """
    shape, have, kept = tuple(normalized_shape), input._array.shape, input.dtype
    if shape and weight is not None and weight.dtype is not kept:
        warn_once("rms_norm", f"Mismatch dtype between input and weight: input dtype = {kept.cpp_name}, weight dtype = "
                  f"{weight.dtype.cpp_name}, Cannot dispatch to fused implementation.", stacklevel=2)  # fmt: skip
    _check_normalized(input, shape, (("weight", weight),), "")
    if not kept.is_floating_point:
        raise NotImplementedError(f"\"rms_norm\" not implemented for '{kept.scalar_name}'")
    wide = input.float() if kept.itemsize == 2 else input
    eps = float(np.finfo(input._array.dtype).eps) if eps is None else eps
    mean = wide.pow(2).mean(tuple(range(len(have) - len(shape), len(have))), True)
    found = wide * tensors.add_number(mean, eps).rsqrt()
    found = found if weight is None else found * weight
    return found.to(kept) if found.dtype is not kept else found


def batch_norm(input: Tensor, running_mean: Tensor | None, running_var: Tensor | None, weight: Tensor | None = None,
               bias: Tensor | None = None, training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:  # fmt: skip  # noqa: E501
    """Standardise each channel with its own moments (training) or the running ones, then scale and shift."""
    shape = input._array.shape
    if training:
        _check_batch(shape, str(input.size()))
    if not input._array.size:
        made = input.clone()
        made = made if weight is None else made * weight.select(0, 0)
        return made if bias is None else made + bias.select(0, 0)
    channels = shape[1] if len(shape) > 1 else 0
    for name, one in (("running_mean", running_mean), ("running_var", running_var)):
        if not training and one is None:
            raise RuntimeError(f"{name} must be defined in evaluation mode")
    for name, one in (("running_mean", running_mean), ("running_var", running_var), ("weight", weight), ("bias", bias)):
        if one is not None and one._array.size != channels:
            raise RuntimeError(f"{name} should contain {channels} elements not {one._array.size}")
    sized(input, 1)
    if input._array.dtype.kind == "f":
        _check_mixed(input, weight, bias, running_mean, running_var)
    found = tensors.native_batch_norm(input, weight, bias, running_mean, running_var, training, momentum, eps)
    if training and running_mean is not None and running_var is not None:
        axes = (0, *range(2, len(shape)))
        count = input._array.size // channels
        _follow(running_mean, input._array.mean(axes), momentum)
        _follow(running_var, input._array.var(axes) * (count / (count - 1)), momentum)
    return found[0]


def _follow(running: Tensor, value: Any, momentum: float) -> None:
    """Move a running moment towards the newest one, in place."""
    running._array[...] = (1 - momentum) * running._array + momentum * value  # torch counts this write as none


def group_norm(input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None,
               eps: float = 1e-5) -> Tensor:  # fmt: skip
    """Standardise groups of channels, then scale and shift."""
    if input.dim() < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {input.dim()}")
    count, channels, *rest_of = input._array.shape
    sizes = [count * channels // num_groups, num_groups, *rest_of]
    _check_batch(sizes, str(sizes))
    if num_groups < 1:
        raise RuntimeError(f"Expected num groups to be greater than 0, got {num_groups}")
    if channels % num_groups:
        raise RuntimeError(f"Expected number of channels in input to be divisible by num_groups, but got input of shape "  # noqa: E501
                           f"{size_text(input._array.shape)} and num_groups={num_groups}")  # fmt: skip
    for name, one in (("weight", weight), ("bias", bias)):
        if one is not None and one._array.shape != (channels,):
            shown = one if weight is None else weight       # torch shows the weight's shape for the bias, too
            raise RuntimeError(f"Expected {name} to be a vector of size equal to the number of channels in input, but got {name} "  # noqa: E501
                               f"of shape {size_text(shown._array.shape)} and input of shape {size_text(input._array.shape)}")  # fmt: skip  # noqa: E501
    _check_mixed(input, weight, bias)
    rest = int(np.prod(input._array.shape[2:]))
    return tensors.native_group_norm(input.contiguous(), weight, bias, count, channels, rest, num_groups, eps)[0]


def instance_norm(input: Tensor, running_mean: Tensor | None = None, running_var: Tensor | None = None,
                  weight: Tensor | None = None, bias: Tensor | None = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:  # fmt: skip
    """Standardise each channel of each sample, then scale and shift.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.instance_norm.html
    """
    shape = input._array.shape
    if use_input_stats and int(np.prod(shape[2:])) == 1:
        raise ValueError(f"Expected more than 1 spatial element when training, got input size {input.size()}")
    if not use_input_stats and (running_mean is None or running_var is None):
        raise RuntimeError("Expected running_mean and running_var to be defined when use_input_stats is false")
    count, channels = shape[:2]
    weight, bias, mean, var = (None if one is None else one.repeat(count) for one in (weight, bias, running_mean, running_var))  # noqa: E501
    flat = input.contiguous().view(1, count * channels, *shape[2:])
    found = batch_norm(flat, mean, var, weight, bias, use_input_stats, momentum, eps)
    for running, own in ((running_mean, mean), (running_var, var)):
        if running is not None:
            running.detach().copy_(own.view(count, channels).mean(0))   # type: ignore[union-attr]
    return found.view(*shape)


__all__ = [
    "adaptive_avg_pool1d", "adaptive_avg_pool2d", "avg_pool1d", "avg_pool2d", "batch_norm", "conv1d", "conv2d",
    "conv_transpose1d", "conv_transpose2d", "embedding", "group_norm", "instance_norm", "layer_norm", "linear", "max_pool1d", "max_pool2d",  # noqa: E501
    "normalize", "one_hot", "pad", "rms_norm",
]  # fmt: skip
