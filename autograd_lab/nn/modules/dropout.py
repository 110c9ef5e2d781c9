"""Dropout: noise that keeps a net from relying on single elements."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.module import Module


class Dropout(Module):
    """While training, set each element to zero with probability p and scale the others by 1 / (1 − p).

    Raises ValueError for a p outside [0, 1].
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Dropout.html
    """

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Drop elements, or in evaluation mode return the input."""
        return F.dropout(input, self.p, self.training, self.inplace)

    def extra_repr(self) -> str:
        """Return the probability."""
        return f"p={self.p}, inplace={self.inplace}"
