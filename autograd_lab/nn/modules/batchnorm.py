"""Batch normalization: BatchNorm1d and BatchNorm2d."""

from __future__ import annotations

from typing import Any

from autograd_lab.autograd import no_grad
from autograd_lab.core.dtypes import int64
from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.making import blank
from autograd_lab.nn.modules.normalization import Affine


class _BatchNorm(Affine):
    """Shift and scale each channel to mean 0 and variance 1 over the batch; keep running statistics for evaluation."""

    _version = 2

    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float | None = 0.1, affine: bool = True,
                 track_running_stats: bool = True, device: Any = None, dtype: Any = None, *,
                 bias: bool = True) -> None:  # fmt: skip
        super().__init__()
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self._register((num_features,), affine, bias, dtype)
        for name in ("running_mean", "running_var"):
            self.register_buffer(name, blank(num_features, dtype=dtype) if track_running_stats else None)
        self.register_buffer("num_batches_tracked", blank(dtype=int64) if track_running_stats else None)
        self.reset_parameters()

    def reset_running_stats(self) -> None:
        """Forget the running statistics."""
        if self.track_running_stats:
            self.running_mean.zero_()
            self.running_var.fill_(1)
            self.num_batches_tracked.zero_()

    def reset_parameters(self) -> None:
        """Forget the running statistics, set the weights to 1 and the biases to 0."""
        self.reset_running_stats()
        super().reset_parameters()

    def _check_input_dim(self, input: Any) -> None:
        raise NotImplementedError

    def forward(self, input: Any) -> Any:
        """Normalize the input."""
        self._check_input_dim(input)
        momentum = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats and self.num_batches_tracked is not None:
            with no_grad():
                self.num_batches_tracked.add_(1)
            if self.momentum is None:   # the mean over all batches so far
                momentum = 1.0 / float(self.num_batches_tracked)
        from_batch = self.training or (self.running_mean is None and self.running_var is None)
        use_running = not self.training or self.track_running_stats
        return F.batch_norm(input, self.running_mean if use_running else None,
                            self.running_var if use_running else None, self.weight, self.bias, from_batch, momentum,
                            self.eps)  # fmt: skip

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
                f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}")  # fmt: skip


class BatchNorm1d(_BatchNorm):
    """Batch normalization.

    Shapes: (N, C) or (N, C, L), unchanged. Raises ValueError for other dimensions.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.BatchNorm1d.html
    """

    def _check_input_dim(self, input: Any) -> None:
        if input.dim() not in (2, 3):
            raise ValueError(f"expected 2D or 3D input (got {input.dim()}D input)")


class BatchNorm2d(_BatchNorm):
    """Batch normalization of images.

    Shapes: (N, C, H, W), unchanged. Raises ValueError for other dimensions.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.BatchNorm2d.html
    """

    def _check_input_dim(self, input: Any) -> None:
        if input.dim() != 4:
            raise ValueError(f"expected 4D input (got {input.dim()}D input)")
