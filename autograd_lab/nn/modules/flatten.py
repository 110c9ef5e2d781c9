"""Flatten and Unflatten: layers that only change the shape."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn.modules.module import Module


class Flatten(Module):
    """Make one dimension of several; the first, the batch, stays by default."""

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        super().__init__()
        self.start_dim = start_dim
        self.end_dim = end_dim

    def forward(self, input: Any) -> Any:
        """Return the input in its new shape."""
        return input.flatten(self.start_dim, self.end_dim)

    def extra_repr(self) -> str:
        """Return the dimensions."""
        return f"start_dim={self.start_dim}, end_dim={self.end_dim}"


class Unflatten(Module):
    """Make several dimensions of one."""

    def __init__(self, dim: int, unflattened_size: Any) -> None:
        super().__init__()
        self.dim = dim
        self.unflattened_size = unflattened_size

    def forward(self, input: Any) -> Any:
        """Return the input in its new shape."""
        return input.unflatten(self.dim, self.unflattened_size)

    def extra_repr(self) -> str:
        """Return the dimension and its new sizes."""
        return f"dim={self.dim}, unflattened_size={self.unflattened_size}"
