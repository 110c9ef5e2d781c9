"""The activations of `nn.functional`, with torch's arguments, defaults and complaints."""

from __future__ import annotations

import warnings
from typing import Any

from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import functions, table, tensors
from autograd_lab.core.tensor import Tensor


def _run(name: str, input: Tensor, inplace: bool, *args: Any) -> Tensor:
    return run_inplace(table[name], input, args, {}) if inplace else table[name].function(input, *args)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """Replace negative elements by zero."""
    return input.relu_() if inplace else functions["relu"](input)


def relu_(input: Tensor) -> Tensor:
    """In-place version of relu."""
    return input.relu_()


def relu6(input: Tensor, inplace: bool = False) -> Tensor:
    """min(max(x, 0), 6)."""
    return _run("hardtanh", input, inplace, 0, 6)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """Keep positive elements, multiply the others by a small slope."""
    return _run("leaky_relu_from_result" if inplace else "leaky_relu", input, inplace, negative_slope)


def leaky_relu_(input: Tensor, negative_slope: float = 0.01) -> Tensor:
    """In-place version of leaky_relu."""
    return leaky_relu(input, negative_slope, True)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """Keep positive elements, let the others approach -alpha."""
    return _run("elu_from_result" if inplace else "elu", input, inplace, alpha)


def elu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """In-place version of elu."""
    return elu(input, alpha, True)


def selu(input: Tensor, inplace: bool = False) -> Tensor:
    """Elu with the constants that keep mean and variance."""
    return _run("elu_from_result" if inplace else "elu", input, inplace, 1.6732632423543772848170429916717, 1.0507009873554804934193349852946, 1)  # noqa: E501


def celu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """A smooth elu for every alpha."""
    return _run("celu_from_result" if inplace else "celu", input, inplace, alpha)


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """In-place version of celu."""
    return celu(input, alpha, True)


def selu_(input: Tensor) -> Tensor:
    """In-place version of selu."""
    return selu(input, True)


def gelu(input: Tensor, *, approximate: str = "none") -> Tensor:
    """Weigh each element with the normal distribution function ('tanh': an approximation of it)."""
    return tensors.gelu(input, approximate=approximate)


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """Weigh each element with its own logistic function."""
    return _run("silu", input, inplace)


def mish(input: Tensor, inplace: bool = False) -> Tensor:
    """Weigh each element with the tanh of its softplus."""
    return _run("mish", input, inplace)


def softplus(input: Tensor, beta: float = 1, threshold: float = 20) -> Tensor:
    """ln(1 + exp(beta x)) / beta; linear where beta x exceeds the threshold."""
    return tensors.softplus(input, beta, threshold)


def hardtanh(input: Tensor, min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> Tensor:
    """Cut off below min_val and above max_val."""
    if min_val > max_val:
        raise ValueError("min_val cannot be greater than max_val")
    return _run("hardtanh", input, inplace, min_val, max_val)


def hardtanh_(input: Tensor, min_val: float = -1.0, max_val: float = 1.0) -> Tensor:
    """In-place version of hardtanh."""
    return _run("hardtanh", input, True, min_val, max_val)


def hardsigmoid(input: Tensor, inplace: bool = False) -> Tensor:
    """A piecewise linear sigmoid."""
    return _run("hardsigmoid", input, inplace)


def hardswish(input: Tensor, inplace: bool = False) -> Tensor:
    """Weigh each element with its piecewise linear sigmoid."""
    return _run("hardswish", input, inplace)


def logsigmoid(input: Tensor) -> Tensor:
    """The logarithm of the logistic function, computed without overflow."""
    return tensors.log_sigmoid(input)[0]


def softsign(input: Tensor) -> Tensor:
    """x / (1 + |x|)."""
    return input / (input.abs() + 1)


def tanhshrink(input: Tensor) -> Tensor:
    """x - tanh(x)."""
    return input - input.tanh()


def softshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Move every element towards zero by lambd."""
    return tensors.softshrink(input, lambd)


def hardshrink(input: Tensor, lambd: float = 0.5) -> Tensor:
    """Set elements between -lambd and lambd to zero."""
    return tensors.hardshrink(input, lambd)


def threshold(input: Tensor, threshold: float, value: float, inplace: bool = False) -> Tensor:
    """Replace elements up to a threshold by a value."""
    return _run("threshold_in_place" if inplace else "threshold", input, inplace, threshold, value)


def threshold_(input: Tensor, threshold: float, value: float) -> Tensor:
    """In-place version of threshold."""
    return functions["threshold_"](input, threshold, value)


def rrelu_(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False) -> Tensor:
    """In-place version of rrelu."""
    return functions["rrelu_"](input, lower, upper, training)


def rrelu(input: Tensor, lower: float = 1.0 / 8, upper: float = 1.0 / 3, training: bool = False,
          inplace: bool = False) -> Tensor:  # fmt: skip
    """Leaky relu whose slope is drawn for each element in training, and the middle of the range otherwise."""
    return functions["rrelu_" if inplace else "rrelu"](input, lower, upper, training)


def prelu(input: Tensor, weight: Tensor) -> Tensor:
    """Leaky relu whose slope is a parameter."""
    return functions["prelu"](input, weight)


def glu(input: Tensor, dim: int = -1) -> Tensor:
    """Weigh the first half of a dimension with the logistic function of the second."""
    return tensors.glu(input, dim)


def sigmoid(input: Tensor) -> Tensor:
    """The logistic function."""
    return input.sigmoid()


def tanh(input: Tensor) -> Tensor:
    """Hyperbolic tangent."""
    return input.tanh()


def _implicit_dim(name: str, ndim: int, stacklevel: int) -> int:
    warnings.warn(f"Implicit dimension choice for {name} has been deprecated. Change the call to include dim=X as an argument.",  # noqa: E501
                  stacklevel=stacklevel)  # fmt: skip
    return 0 if ndim in (0, 1, 3) else 1


def softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Exponentials that add up to 1 along a dimension."""
    if dim is None:
        dim = _implicit_dim("softmax", input.dim(), _stacklevel)
    return input.softmax(dim) if dtype is None else input.softmax(dim, dtype=dtype)


def softmin(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """Softmax of the negative."""
    if dim is None:
        dim = _implicit_dim("softmin", input.dim(), _stacklevel)
    return functions["softmax"](functions["neg"](input), dim, dtype)


def log_softmax(input: Tensor, dim: int | None = None, _stacklevel: int = 3, dtype: Any = None) -> Tensor:
    """The logarithm of softmax along a dimension."""
    if dim is None:
        dim = _implicit_dim("log_softmax", input.dim(), _stacklevel)
    return input.log_softmax(dim) if dtype is None else input.log_softmax(dim, dtype=dtype)


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """Set elements to zero with probability p and scale the others by 1 / (1 - p)."""
    if p < 0.0 or p > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
    return functions["dropout_" if inplace else "dropout"](input, p, training)


__all__ = [
    "celu", "celu_", "dropout", "elu", "elu_", "gelu", "glu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh",
    "hardtanh_", "leaky_relu", "leaky_relu_", "log_softmax", "logsigmoid", "mish", "prelu", "relu", "relu6", "relu_",
    "rrelu", "rrelu_", "selu", "selu_", "sigmoid", "silu", "softmax", "softmin", "softplus", "softshrink", "softsign",
    "tanh",
    "tanhshrink", "threshold", "threshold_",
]  # fmt: skip
