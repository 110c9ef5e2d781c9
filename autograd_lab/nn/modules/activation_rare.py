"""Activations that are met less often, as modules."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.activation import _InPlace
from autograd_lab.nn.modules.module import Module


class CELU(_InPlace):
    """max(0, x) + min(0, alpha · (e^(x / alpha) − 1))."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.celu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """Return alpha."""
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class GLU(Module):
    """a · σ(b), where a and b are the halves of the input along `dim`."""

    def __init__(self, dim: int = -1) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.glu(input, self.dim)

    def extra_repr(self) -> str:
        """Return the dimension."""
        return f"dim={self.dim}"


class _Shrink(Module):
    """An activation that makes small elements zero."""

    def __init__(self, lambd: float = 0.5) -> None:
        super().__init__()
        self.lambd = lambd

    def extra_repr(self) -> str:
        """Return the bound."""
        return f"{self.lambd}"


class Hardshrink(_Shrink):
    """x where |x| > lambd, 0 elsewhere."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.hardshrink(input, self.lambd)


class Softshrink(_Shrink):
    """x moved towards zero by lambd, at most to zero."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.softshrink(input, self.lambd)


class Hardsigmoid(Module):
    """x / 6 + 1 / 2, cut off at 0 and 1."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.hardsigmoid(input, self.inplace)


class Hardswish(Module):
    """x times its hard sigmoid."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.hardswish(input, self.inplace)


class Mish(_InPlace):
    """x · tanh(softplus(x))."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.mish(input, inplace=self.inplace)


class Softmin(Module):
    """The softmax of −x along `dim`."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.softmin(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        """Return the dimension."""
        return f"dim={self.dim}"


class Softsign(Module):
    """x / (1 + |x|)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.softsign(input)


class Tanhshrink(Module):
    """x − tanh(x)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.tanhshrink(input)


class Threshold(Module):
    """x where it exceeds the threshold, `value` elsewhere."""

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        super().__init__()
        self.threshold = threshold
        self.value = value
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.threshold(input, self.threshold, self.value, self.inplace)

    def extra_repr(self) -> str:
        """Return the threshold and the value."""
        return f"threshold={self.threshold}, value={self.value}" + (", inplace=True" if self.inplace else "")
