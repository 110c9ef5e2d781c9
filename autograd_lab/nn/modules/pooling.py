"""Pooling: the largest element or the mean of each window, along one dimension or two."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.making import several
from autograd_lab.nn.modules.module import Module


class MaxPool2d(Module):
    """The largest element of each window.

    Shapes: (N, C, H, W) or (C, H, W) to the same with H_out, W_out; the stride is the window's size if not given.
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
                 return_indices: bool = False, ceil_mode: bool = False) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.dilation = dilation
        self.return_indices = return_indices
        self.ceil_mode = ceil_mode

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.max_pool2d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)  # fmt: skip

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}, "
                f"dilation={self.dilation}, ceil_mode={self.ceil_mode}")  # fmt: skip


class AvgPool2d(Module):
    """The mean of each window.

    Shapes: (N, C, H, W) or (C, H, W) to the same with H_out, W_out; the stride is the window's size if not given.
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True, divisor_override: int | None = None) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = kernel_size
        self.stride = stride if stride is not None else kernel_size
        self.padding = padding
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad
        self.divisor_override = divisor_override

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.avg_pool2d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad,
                            self.divisor_override)  # fmt: skip

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class MaxPool1d(MaxPool2d):
    """The largest element of each window.

    Shapes: (N, C, L) or (C, L) to the same with L_out; the stride is the window's size if not given.
    """

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.max_pool1d(input, self.kernel_size, self.stride, self.padding, self.dilation, ceil_mode=self.ceil_mode,
                            return_indices=self.return_indices)  # fmt: skip


class AvgPool1d(Module):
    """The mean of each window.

    Shapes: (N, C, L) or (C, L) to the same with L_out; the stride is the window's size if not given.
    """

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
                 count_include_pad: bool = True) -> None:  # fmt: skip
        super().__init__()
        self.kernel_size = several(kernel_size, 1)
        self.stride = several(stride if stride is not None else kernel_size, 1)
        self.padding = several(padding, 1)
        self.ceil_mode = ceil_mode
        self.count_include_pad = count_include_pad

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.avg_pool1d(input, self.kernel_size, self.stride, self.padding, self.ceil_mode, self.count_include_pad)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"


class AdaptiveAvgPool2d(Module):
    """The mean of windows chosen so that the output has a given size.

    Shapes: (N, C, H, W) or (C, H, W) to the same with `output_size`; None in it keeps the input's size.
    """

    def __init__(self, output_size: Any) -> None:
        super().__init__()
        self.output_size = output_size

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.adaptive_avg_pool2d(input, self.output_size)

    def extra_repr(self) -> str:
        """Return the output's size."""
        return f"output_size={self.output_size}"


class AdaptiveAvgPool1d(AdaptiveAvgPool2d):
    """The mean of windows chosen so that the output has a given length.

    Shapes: (N, C, L) or (C, L) to the same with `output_size`.
    """

    def forward(self, input: Any) -> Any:
        """Apply the windows."""
        return F.adaptive_avg_pool1d(input, self.output_size)
