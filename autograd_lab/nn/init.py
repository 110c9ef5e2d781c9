"""First values of parameters: functions that fill a tensor in place, with torch's random numbers.

Source: https://docs.pytorch.org/docs/stable/nn.init.html
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import autograd_lab as torch
from autograd_lab.autograd import no_grad
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.missing import answers_for
from autograd_lab.core.tensor import Tensor

__all__ = [
    "calculate_gain",
    "constant_",
    "dirac_",
    "eye_",
    "kaiming_normal_",
    "kaiming_uniform_",
    "normal_",
    "ones_",
    "orthogonal_",
    "sparse_",
    "trunc_normal_",
    "uniform_",
    "xavier_normal_",
    "xavier_uniform_",
    "zeros_",
]
__getattr__ = answers_for("torch.nn.init", __all__)

_PLAIN_GAINS = ("linear", "conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d",
                "sigmoid")  # fmt: skip


def calculate_gain(nonlinearity: str, param: float | None = None) -> float:
    """Return the factor by which a nonlinearity's preceding weights should be larger than those of a linear layer.

    Args:
        nonlinearity: "linear", a convolution's name, "sigmoid", "tanh", "relu", "leaky_relu" or "selu".
        param: the negative slope of leaky_relu (0.01 without it).

    Raises ValueError for another name or a slope that is no number.

    >>> calculate_gain("relu")
    1.4142135623730951
    """
    if nonlinearity in _PLAIN_GAINS:
        return 1
    if nonlinearity == "tanh":
        return 5.0 / 3
    if nonlinearity == "relu":
        return math.sqrt(2.0)
    if nonlinearity == "selu":
        return 3.0 / 4
    if nonlinearity == "leaky_relu":
        if param is None:
            slope = 0.01
        elif isinstance(param, (int, float)) and not isinstance(param, bool):
            slope = param
        else:
            raise ValueError(f"negative_slope {param} not a valid number")
        return math.sqrt(2.0 / (1 + slope**2))
    raise ValueError(f"Unsupported nonlinearity {nonlinearity}")


def uniform_(tensor: Tensor, a: float = 0.0, b: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with numbers drawn evenly from [a, b)."""
    refuse_strangers("uniform_", tensor)
    with no_grad():
        return tensor.uniform_(a, b, generator=generator)


def normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers."""
    refuse_strangers("normal_", tensor)
    with no_grad():
        return tensor.normal_(mean, std, generator=generator)


def trunc_normal_(tensor: Tensor, mean: float = 0.0, std: float = 1.0, a: float = -2.0, b: float = 2.0,
                  generator: Any = None) -> Tensor:  # fmt: skip
    """Fill with normal numbers that lie within [a, b]; raise no error, but warn, if hardly any would."""
    refuse_strangers("trunc_normal_", tensor)
    if mean < a - 2 * std or mean > b + 2 * std:
        warnings.warn("mean is more than 2 std from [a, b] in nn.init.trunc_normal_. The distribution of values may be "
                      "incorrect.", stacklevel=2)  # fmt: skip
    share = lambda x: (1.0 + math.erf(x / math.sqrt(2.0))) / 2.0
    with no_grad():
        if share((b - mean) / std) - share((a - mean) / std) > 0.3:
            return _redrawn(tensor, mean, std, a, b, generator)
        return _accepted(tensor, mean, std, a, b, generator)


def _redrawn(tensor: Any, mean: float, std: float, a: float, b: float, generator: Any) -> Any:
    """Draw normal numbers, and those that lie outside anew, until none does."""
    kind = tensor._array.dtype.type
    low, high = float(kind(a)), float(kind(b))
    tensor.normal_(mean, std, generator=generator)
    while True:
        outside = (tensor < low) | (tensor > high)
        if not outside.any():
            return tensor
        again = tensor.clone().normal_(mean, std, generator=generator)
        tensor.copy_(again.where(outside, tensor))


def _accepted(tensor: Any, mean: float, std: float, a: float, b: float, generator: Any) -> Any:
    """Draw even numbers from [a, b], and keep each with its share of the density's peak within [a, b]."""
    peak = -0.5 * ((max(a, min(mean, b)) - mean) / std) ** 2
    waiting = None
    while waiting is None or waiting.any():
        drawn = tensor.clone().uniform_(a, b, generator=generator)
        tensor.copy_(drawn if waiting is None else drawn.where(waiting, tensor))
        density = drawn.sub_(mean).div_(std).pow_(2).mul_(-0.5).sub_(peak)
        refused = tensor.clone().uniform_(generator=generator).log_().gt(density)
        waiting = refused if waiting is None else refused & waiting
    return tensor


def constant_(tensor: Tensor, val: float) -> Tensor:
    """Fill with one value."""
    refuse_strangers("constant_", tensor)
    with no_grad():
        return tensor.fill_(val)


def ones_(tensor: Tensor) -> Tensor:
    """Fill with ones."""
    refuse_strangers("ones_", tensor)
    return constant_(tensor, 1.0)


def zeros_(tensor: Tensor) -> Tensor:
    """Fill with zeros."""
    refuse_strangers("zeros_", tensor)
    with no_grad():
        return tensor.zero_()


def eye_(tensor: Tensor) -> Tensor:
    """Make a matrix the identity; raise ValueError for what is no matrix."""
    refuse_strangers("eye_", tensor)
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    with no_grad():
        tensor.zero_()
        for k in range(min(tensor.shape)):
            tensor[k, k] = 1
    return tensor


def _calculate_fan_in_and_fan_out(tensor: Tensor) -> tuple[int, int]:
    """Return how many inputs each output has, and how many outputs each input."""
    if tensor.dim() < 2:
        raise ValueError("Fan in and fan out can not be computed for tensor with fewer than 2 dimensions")
    receptive_field = math.prod(tensor.shape[2:])
    return tensor.size(1) * receptive_field, tensor.size(0) * receptive_field


def xavier_uniform_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill evenly, with the variance of Glorot and Bengio (2010): gain² · 2 / (fan_in + fan_out)."""
    refuse_strangers("xavier_uniform_", tensor)
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    bound = math.sqrt(3.0) * std
    return uniform_(tensor, -bound, bound, generator)


def xavier_normal_(tensor: Tensor, gain: float = 1.0, generator: Any = None) -> Tensor:
    """Fill with normal numbers of the variance of Glorot and Bengio (2010): gain² · 2 / (fan_in + fan_out)."""
    refuse_strangers("xavier_normal_", tensor)
    std = gain * math.sqrt(2.0 / float(sum(_calculate_fan_in_and_fan_out(tensor))))
    return normal_(tensor, 0.0, std, generator)


def _calculate_correct_fan(tensor: Tensor, mode: str) -> int:
    mode = mode.lower()
    if mode not in ("fan_in", "fan_out"):
        raise ValueError(f"Mode {mode} not supported, please use one of ['fan_in', 'fan_out']")
    fan_in, fan_out = _calculate_fan_in_and_fan_out(tensor)
    return fan_in if mode == "fan_in" else fan_out


def _kaiming_std(tensor: Tensor, a: float, mode: str, nonlinearity: str) -> float:
    fan = _calculate_correct_fan(tensor, mode)
    return calculate_gain(nonlinearity, a) / math.sqrt(fan)


def _nothing_to_fill(tensor: Tensor) -> bool:
    if 0 not in tensor.shape:
        return False
    warnings.warn("Initializing zero-element tensors is a no-op", stacklevel=3)
    return True


def kaiming_uniform_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
                     generator: Any = None) -> Tensor:  # fmt: skip
    """Fill evenly, with the variance of He et al. (2015): gain² / fan."""
    refuse_strangers("kaiming_uniform_", tensor)
    if _nothing_to_fill(tensor):
        return tensor
    bound = math.sqrt(3.0) * _kaiming_std(tensor, a, mode, nonlinearity)
    return uniform_(tensor, -bound, bound, generator)


def kaiming_normal_(tensor: Tensor, a: float = 0, mode: str = "fan_in", nonlinearity: str = "leaky_relu",
                    generator: Any = None) -> Tensor:  # fmt: skip
    """Fill with normal numbers of the variance of He et al. (2015): gain² / fan."""
    refuse_strangers("kaiming_normal_", tensor)
    if _nothing_to_fill(tensor):
        return tensor
    return normal_(tensor, 0.0, _kaiming_std(tensor, a, mode, nonlinearity), generator)


@no_grad()
def orthogonal_(tensor: Tensor, gain: float = 1, generator: Any = None) -> Tensor:
    """Fill with an orthogonal matrix, `gain` times; dimensions after the first are taken as one.

    Source: Saxe et al. (2013); the signs of Mezzadri (2006) make every such matrix equally likely.
    """
    refuse_strangers("orthogonal_", tensor)
    if tensor.ndimension() < 2:
        raise ValueError("Only tensors with 2 or more dimensions are supported")
    if not tensor.numel():
        return tensor
    drawn = tensor.new_empty((len(tensor), tensor.numel() // len(tensor))).normal_(0, 1, generator=generator)
    wide = drawn.size(0) < drawn.size(1)
    columns, upper = torch.linalg.qr(drawn.t() if wide else drawn)
    columns = columns * upper.diagonal().sign()
    tensor.copy_((columns.t() if wide else columns).reshape(tensor.shape))
    return tensor.mul_(gain)


@no_grad()
def dirac_(tensor: Tensor, groups: int = 1) -> Tensor:
    """Fill the weight of a convolution so that it hands through as many channels as it can, in each group."""
    refuse_strangers("dirac_", tensor)
    if tensor.ndimension() not in (3, 4, 5):
        raise ValueError("Only tensors with 3, 4, or 5 dimensions are supported")
    if len(tensor) % groups:
        raise ValueError("dim 0 must be divisible by groups")
    tensor.zero_()
    middle = tuple(size // 2 for size in tensor.shape[2:])
    channels = len(tensor) // groups
    for group in range(groups):
        for channel in range(min(channels, tensor.size(1))):
            tensor[(group * channels + channel, channel, *middle)] = 1
    return tensor


@no_grad()
def sparse_(tensor: Tensor, sparsity: float, std: float = 0.01, generator: Any = None) -> Tensor:
    """Fill a matrix with normal numbers, and set the fraction `sparsity` of each column to 0 (Martens, 2010)."""
    refuse_strangers("sparse_", tensor)
    if tensor.ndimension() != 2:
        raise ValueError("Only tensors with 2 dimensions are supported")
    rows, columns = tensor.shape
    tensor.normal_(0, std, generator=generator)
    for column in range(columns):
        tensor[torch.randperm(rows)[: math.ceil(sparsity * rows)], column] = 0
    return tensor
