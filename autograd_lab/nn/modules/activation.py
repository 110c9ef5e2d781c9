"""Activations as modules: each applies the function of `nn.functional` that has its name."""

from __future__ import annotations

from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class _InPlace(Module):
    """An activation that can also write its result into the input."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__()
        self.inplace = inplace

    def extra_repr(self) -> str:
        """Return the flag if it is on."""
        return "inplace=True" if self.inplace else ""


class ReLU(_InPlace):
    """max(0, x)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.relu(input, inplace=self.inplace)


class SiLU(_InPlace):
    """x · σ(x)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.silu(input, inplace=self.inplace)


class SELU(_InPlace):
    """A scaled ELU that keeps mean and variance."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.selu(input, inplace=self.inplace)


class Hardtanh(Module):
    """x, cut off below min_val and above max_val."""

    def __init__(self, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> None:
        super().__init__()
        if max_val <= min_val:
            raise AssertionError(f"max_val ({max_val}) must be greater than min_val ({min_val})")
        self.min_val = min_val
        self.max_val = max_val
        self.inplace = inplace

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.hardtanh(input, self.min_val, self.max_val, self.inplace)

    def extra_repr(self) -> str:
        """Return the bounds."""
        return f"min_val={self.min_val}, max_val={self.max_val}" + (", inplace=True" if self.inplace else "")


class ReLU6(Hardtanh):
    """min(max(0, x), 6)."""

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0, inplace)

    def extra_repr(self) -> str:
        """Return the flag if it is on."""
        return "inplace=True" if self.inplace else ""


class ELU(_InPlace):
    """x where it is positive, alpha · (eˣ − 1) elsewhere."""

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.alpha = alpha

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.elu(input, self.alpha, self.inplace)

    def extra_repr(self) -> str:
        """Return alpha."""
        return f"alpha={self.alpha}" + (", inplace=True" if self.inplace else "")


class LeakyReLU(_InPlace):
    """x where it is positive, negative_slope · x elsewhere."""

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        super().__init__(inplace)
        self.negative_slope = negative_slope

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.leaky_relu(input, self.negative_slope, self.inplace)

    def extra_repr(self) -> str:
        """Return the slope."""
        return f"negative_slope={self.negative_slope}" + (", inplace=True" if self.inplace else "")


class PReLU(Module):
    """x where it is positive, a · x elsewhere; a is learned, one for all channels or one for each."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, device: Any = None, dtype: Any = None) -> None:
        super().__init__()
        self.num_parameters = num_parameters
        self.init = init
        self.weight = new_parameter(num_parameters, dtype=dtype)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Set the slopes to their first value."""
        from autograd_lab.nn.init import constant_

        constant_(self.weight, self.init)

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.prelu(input, self.weight)

    def extra_repr(self) -> str:
        """Return the number of slopes."""
        return f"num_parameters={self.num_parameters}"


class Tanh(Module):
    """The hyperbolic tangent."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return input.tanh()


class Sigmoid(Module):
    """1 / (1 + e⁻ˣ)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return input.sigmoid()


class LogSigmoid(Module):
    """log σ(x)."""

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.logsigmoid(input)


class GELU(Module):
    """x · Φ(x), with Φ the normal distribution (or its tanh approximation)."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.gelu(input, approximate=self.approximate)

    def extra_repr(self) -> str:
        """Return the kind of approximation."""
        return f"approximate={self.approximate!r}"


class Softplus(Module):
    """log(1 + e^(βx)) / β; x itself where βx exceeds the threshold."""

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.softplus(input, self.beta, self.threshold)

    def extra_repr(self) -> str:
        """Return beta and the threshold."""
        return f"beta={self.beta}, threshold={self.threshold}"


class Softmax(Module):
    """e^x, divided by its sum along `dim`."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        """Return the dimension."""
        return f"dim={self.dim}"


class LogSoftmax(Module):
    """The logarithm of the softmax along `dim`."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def forward(self, input: Any) -> Any:
        """Apply the function."""
        return F.log_softmax(input, self.dim, _stacklevel=5)

    def extra_repr(self) -> str:
        """Return the dimension."""
        return f"dim={self.dim}"
