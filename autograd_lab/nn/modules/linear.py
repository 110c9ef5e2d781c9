"""Linear layers: Linear, Bilinear and the layer that does nothing, Identity."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.nn import functional as F
from autograd_lab.nn import init
from autograd_lab.nn.modules.making import new_parameter
from autograd_lab.nn.modules.module import Module


class Identity(Module):
    """Return the input; any arguments are ignored."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__()

    def forward(self, input: Any) -> Any:
        """Return the input."""
        return input


class Linear(Module):
    r"""Compute y = x Aᵀ + b, with A and b drawn evenly from ±1/√in_features.

    Shapes: (…, in_features) to (…, out_features).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Linear.html

    >>> import autograd_lab as torch
    >>> _ = torch.manual_seed(0)
    >>> torch.nn.Linear(3, 2).weight
    Parameter containing:
    tensor([[-0.0043,  0.3097, -0.4752],
            [-0.4249, -0.2224,  0.1548]], requires_grad=True)
    """

    __constants__ = ("in_features", "out_features")

    def __init__(self, in_features: int, out_features: int, bias: bool = True, device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        self.in_features = in_features
        self.out_features = out_features
        self.weight = new_parameter(out_features, in_features, dtype=dtype)
        self.register_parameter("bias", new_parameter(out_features, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        # kaiming_uniform with a = √5 is uniform(-1/√in_features, 1/√in_features).
        init.kaiming_uniform_(self.weight, a=math.sqrt(5))
        if self.bias is not None:
            bound = 1 / math.sqrt(self.in_features) if self.in_features > 0 else 0
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input: Any) -> Any:
        """Apply the layer."""
        return F.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        """Return the sizes."""
        return f"in_features={self.in_features}, out_features={self.out_features}, bias={self.bias is not None}"


class Bilinear(Module):
    """Compute y = x₁ᵀ A x₂ + b.

    Shapes: (…, in1_features) and (…, in2_features) to (…, out_features).
    """

    def __init__(self, in1_features: int, in2_features: int, out_features: int, bias: bool = True, device: Any = None,
                 dtype: Any = None) -> None:  # fmt: skip
        super().__init__()
        if in1_features <= 0:
            raise ValueError(f"in1_features must be > 0, but got {in1_features}")
        self.in1_features = in1_features
        self.in2_features = in2_features
        self.out_features = out_features
        self.weight = new_parameter(out_features, in1_features, in2_features, dtype=dtype)
        self.register_parameter("bias", new_parameter(out_features, dtype=dtype) if bias else None)
        self.reset_parameters()

    def reset_parameters(self) -> None:
        """Draw the parameters anew."""
        bound = 1 / math.sqrt(self.weight.size(1))
        init.uniform_(self.weight, -bound, bound)
        if self.bias is not None:
            init.uniform_(self.bias, -bound, bound)

    def forward(self, input1: Any, input2: Any) -> Any:
        """Apply the layer."""
        from autograd_lab.core.op import functions

        result = functions["einsum"]("...i,oij,...j->...o", input1, self.weight, input2)
        return result if self.bias is None else result + self.bias

    def extra_repr(self) -> str:
        """Return the sizes."""
        return (f"in1_features={self.in1_features}, in2_features={self.in2_features}, "
                f"out_features={self.out_features}, bias={self.bias is not None}")  # fmt: skip
