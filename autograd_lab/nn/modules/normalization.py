"""Normalization of each sample: LayerNorm and GroupNorm."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class Affine(Module):
    """What layers that normalize share: a weight, at first 1, and a bias, at first 0; either may be missing."""

    def _register(self, shape: tuple[int, ...], weight: bool, bias: bool, dtype: Any) -> None:
        for name, wanted in (("weight", weight), ("bias", weight and bias)):
            self.register_parameter(name, new_parameter(*shape, dtype=dtype) if wanted else None)

    def reset_parameters(self) -> None:
        """Set the weights to 1 and the biases to 0."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)


class LayerNorm(Affine):
    """Shift and scale each sample to mean 0 and variance 1 over its last dimensions.

    Shapes: (…, *normalized_shape), unchanged.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.LayerNorm.html
    """

    def __init__(self, normalized_shape: Any, eps: float = 1e-5, elementwise_affine: bool = True, bias: bool = True,
                 device: Any = None, dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        self.normalized_shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        self._register(self.normalized_shape, elementwise_affine, bias, dtype)
        self.reset_parameters()

    def forward(self, input: Any) -> Any:
        """Normalize the input."""
        return F.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}, "
                f"bias={self.bias is not None}")  # fmt: skip


class GroupNorm(Affine):
    """Shift and scale each group of channels of each sample to mean 0 and variance 1.

    Shapes: (N, num_channels, …), unchanged. Raises ValueError if the groups do not divide the channels.
    """

    def __init__(self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, device: Any = None,
                 dtype: Any = None, *, bias: bool = True) -> None:  # fmt: skip
        super().__init__()
        if num_channels % num_groups != 0:
            raise ValueError(f"num_channels ({num_channels}) must be divisible by num_groups ({num_groups})")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self._register((num_channels,), affine, bias, dtype)
        self.reset_parameters()

    def forward(self, input: Any) -> Any:
        """Normalize the input."""
        return F.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}, "
                f"bias={self.bias is not None}")  # fmt: skip
