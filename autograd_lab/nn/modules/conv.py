"""Convolutions over one and two dimensions, and the transposed one."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter, several
from autograd_lab.nn.modules.module import Module

_MODES = ("zeros", "reflect", "replicate", "circular")


class _ConvNd(Module):
    """What all convolutions share: their sizes, their parameters and how they are drawn."""

    dimensions = 0

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any, padding: Any, dilation: Any,
                 transposed: bool, output_padding: Any, groups: int, bias: bool, padding_mode: str,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        if groups <= 0:
            raise ValueError("groups must be a positive integer")
        if in_channels % groups != 0:
            raise ValueError("in_channels must be divisible by groups")
        if out_channels % groups != 0:
            raise ValueError("out_channels must be divisible by groups")
        if isinstance(padding, str):
            if padding not in ("same", "valid"):
                raise ValueError(f"Invalid padding string {padding!r}, should be one of {{'same', 'valid'}}")
            if padding == "same" and any(step != 1 for step in several(stride, self.dimensions)):
                raise ValueError("padding='same' is not supported for strided convolutions")
        if padding_mode not in _MODES:
            raise ValueError(f"padding_mode must be one of {set(_MODES)}, but got padding_mode='{padding_mode}'")
        self.in_channels = in_channels
        self.out_channels = out_channels
        self.kernel_size = several(kernel_size, self.dimensions)
        self.stride = several(stride, self.dimensions)
        self.padding = padding if isinstance(padding, str) else several(padding, self.dimensions)
        self.dilation = several(dilation, self.dimensions)
        self.transposed = transposed
        self.output_padding = several(output_padding, self.dimensions)
        self.groups = groups
        self.padding_mode = padding_mode
        channels = (in_channels, out_channels // groups) if transposed else (out_channels, in_channels // groups)
        self.weight = new_parameter(*channels, *self.kernel_size, dtype=dtype)
        self.register_parameter("bias", new_parameter(out_channels, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew, as `Linear` does."""
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            fan_in, _ = init._calculate_fan_in_and_fan_out(self.weight)
            if fan_in != 0:
                bound = 1 / math.sqrt(fan_in)
                init.uniform_(self.bias, -bound, bound)

    def _padded(self, input: Any) -> tuple[Any, Any]:
        """Return the input, padded beforehand if the mode is not "zeros", and the padding that is left to do."""
        if self.padding_mode == "zeros":
            return input, self.padding
        sides: list[int] = []
        for k in reversed(range(self.dimensions)):
            if self.padding == "same":
                total = self.dilation[k] * (self.kernel_size[k] - 1)
                sides += [total // 2, total - total // 2]
            else:
                width: Any = 0 if self.padding == "valid" else self.padding[k]
                sides += [width, width]
        return F.pad(input, sides, mode=self.padding_mode), (0,) * self.dimensions

    def extra_repr(self) -> str:
        """Return the sizes, leaving out what is usual."""
        text = f"{self.in_channels}, {self.out_channels}, kernel_size={self.kernel_size}, stride={self.stride}"
        if self.padding != (0,) * self.dimensions:
            text += f", padding={self.padding}"
        if self.dilation != (1,) * self.dimensions:
            text += f", dilation={self.dilation}"
        if self.output_padding != (0,) * self.dimensions:
            text += f", output_padding={self.output_padding}"
        if self.groups != 1:
            text += f", groups={self.groups}"
        if self.bias is None:
            text += ", bias=False"
        if self.padding_mode != "zeros":
            text += f", padding_mode={self.padding_mode}"
        return text


class _Sliding(_ConvNd):
    """The arguments of a convolution that is not transposed."""

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 dilation: Any = 1, groups: int = 1, bias: bool = True, padding_mode: str = "zeros", device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, False, 0, groups, bias,
                         padding_mode, dtype)  # fmt: skip


class Conv1d(_Sliding):
    """Slide filters along one dimension.

    Shapes: (N, in_channels, L) or (in_channels, L) to (N, out_channels, L_out).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv1d.html
    """

    dimensions = 1

    def forward(self, input: Any) -> Any:
        """Apply the filters."""
        input, padding = self._padded(input)
        return F.conv1d(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class Conv2d(_Sliding):
    """Slide filters over two dimensions.

    Shapes: (N, in_channels, H, W) or (in_channels, H, W) to (N, out_channels, H_out, W_out).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Conv2d.html
    """

    dimensions = 2

    def forward(self, input: Any) -> Any:
        """Apply the filters."""
        input, padding = self._padded(input)
        return F.conv2d(input, self.weight, self.bias, self.stride, padding, self.dilation, self.groups)


class ConvTranspose2d(_ConvNd):
    """Spread each element by a filter: the transpose of Conv2d as a linear map.

    Shapes: (N, in_channels, H, W) to (N, out_channels, H_out, W_out).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.ConvTranspose2d.html
    """

    dimensions = 2

    def __init__(self, in_channels: int, out_channels: int, kernel_size: Any, stride: Any = 1, padding: Any = 0,
                 output_padding: Any = 0, groups: int = 1, bias: bool = True, dilation: Any = 1,
                 padding_mode: str = "zeros", device: Any = None, dtype: Any = None) -> None:  # fmt: skip
        if padding_mode != "zeros":
            raise ValueError(f'Only "zeros" padding mode is supported for {type(self).__name__}')
        super().__init__(in_channels, out_channels, kernel_size, stride, padding, dilation, True, output_padding,
                         groups, bias, padding_mode, dtype)  # fmt: skip

    def forward(self, input: Any, output_size: Any = None) -> Any:
        """Apply the filters; `output_size` chooses among the sizes that the stride leaves open."""
        extra = self.output_padding if output_size is None else self._output_padding(input, output_size)
        return F.conv_transpose2d(input, self.weight, self.bias, self.stride, self.padding, extra, self.groups,
                                  self.dilation)  # fmt: skip

    def _output_padding(self, input: Any, output_size: Any) -> tuple:
        wanted = tuple(output_size)[-self.dimensions:]
        extra = []
        for k, size in enumerate(input.shape[-self.dimensions:]):
            reach = self.dilation[k] * (self.kernel_size[k] - 1) + 1
            least = (size - 1) * self.stride[k] - 2 * self.padding[k] + reach
            if not least <= wanted[k] <= least + self.stride[k] - 1:
                raise ValueError(f"requested an output size of {wanted}, but dimension {k} can only have sizes from "
                                 f"{least} to {least + self.stride[k] - 1} (for an input of "
                                 f"{input.shape})")  # fmt: skip
            extra.append(wanted[k] - least)
        return tuple(extra)
