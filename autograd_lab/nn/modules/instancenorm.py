"""Instance normalization: InstanceNorm1d and InstanceNorm2d."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.batchnorm import _BatchNorm


class _InstanceNorm(_BatchNorm):
    """Shift and scale each channel of each sample to mean 0 and variance 1."""

    _plain: int     # the dimensions of one sample

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1, affine: bool = False,
                 track_running_stats: bool = False, device: Any = None, dtype: Any = None, *,
                 bias: bool = True) -> None:  # fmt: skip
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias=bias)

    def _get_no_batch_dim(self) -> int:
        return self._plain

    def _check_input_dim(self, input: Any) -> None:
        if input.dim() not in (self._plain, self._plain + 1):
            raise ValueError(f"expected {self._plain}D or {self._plain + 1}D input (got {input.dim()}D input)")

    def forward(self, input: Any) -> Any:
        """Normalize the input, one sample or a batch of them."""
        self._check_input_dim(input)
        alone = input.dim() == self._plain
        at = 0 if alone else 1
        if input.size(at) != self.num_features:
            if self.affine:
                raise ValueError(f"expected input's size at dim={at} to match num_features ({self.num_features}), but got: "  # noqa: E501
                                 f"{input.size(at)}.")  # fmt: skip
            warnings.warn(f"input's size at dim={at} does not match num_features. You can silence this warning by not passing in "  # noqa: E501
                          "num_features, which is not used because affine=False", stacklevel=2)  # fmt: skip
        found = F.instance_norm(input.unsqueeze(0) if alone else input, self.running_mean, self.running_var, self.weight,  # noqa: E501
                                self.bias, self.training or not self.track_running_stats,
                                0.0 if self.momentum is None else self.momentum, self.eps)  # fmt: skip
        return found.squeeze(0) if alone else found


class InstanceNorm1d(_InstanceNorm):
    """Instance normalization of signals.

    Shapes: (N, C, L) or (C, L), unchanged. Raises ValueError for other dimensions.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.InstanceNorm1d.html
    """

    _plain = 2


class InstanceNorm2d(_InstanceNorm):
    """Instance normalization of images.

    Shapes: (N, C, H, W) or (C, H, W), unchanged. Raises ValueError for other dimensions.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.InstanceNorm2d.html
    """

    _plain = 3
