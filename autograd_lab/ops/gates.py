"""Activations with a second operand: prelu with its learned slope, glu with its gate."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.slopes import slope
from autograd_lab.ops.activation import HIDDEN, floats, like, stable_sigmoid

NODE = {"node": "PreluKernelBackwardBackward0", "fix": "always", **HIDDEN}


# The first derivative counts 0 to the negative side, the second one to the positive: so it is in torch.
@op(
    r"y = g\,([a > 0] + w[a \le 0])",
    **NODE,
    grad_output=Vjp(
        lambda grad, self, weight, xp: xp.where(self >= 0, grad, grad * weight),
        r"\bar g = \bar y\,([a \ge 0] + w[a < 0])",
    ),
    self=Vjp(lambda grad, self, xp: xp.zeros_like(self), r"\bar a = 0"),
    weight=Vjp(
        lambda grad, grad_output, self, xp: xp.where(self >= 0, xp.zeros_like(grad), grad * grad_output),
        r"\bar w = \bar y\,g\,[a < 0]",
    ),
)
def prelu_backward(grad_output, self, weight):
    """Return the derivative of prelu by its input times the gradient."""
    return np.where(self > 0, grad_output, grad_output * weight)


@op(
    r"y = g\,a\,[a \le 0]",
    **NODE,
    grad_output=Vjp(
        lambda grad, self, xp: xp.where(self >= 0, xp.zeros_like(grad), grad * self), r"\bar g = \bar y\,a\,[a < 0]"
    ),
    self=Vjp(
        lambda grad, grad_output, self, xp: xp.where(self >= 0, xp.zeros_like(grad), grad * grad_output),
        r"\bar a = \bar y\,g\,[a < 0]",
    ),
    weight=Vjp(lambda grad, weight, xp: xp.zeros_like(weight), r"\bar w = 0"),
)
def prelu_weight_backward(grad_output, self, weight):
    """Return the derivative of prelu by its weight times the gradient."""
    return np.where(self > 0, like(grad_output, 0), grad_output * self)


@op(
    r"y = a\,[a > 0] + w a\,[a \le 0]",
    node="PreluKernelBackward0",
    fix="always",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, weight, xp: xp.prelu_backward(grad, self, weight),
        r"\bar a = \bar y\,([a > 0] + w[a \le 0])",
    ),
    weight=Vjp(
        lambda grad, self, weight, xp: xp.prelu_weight_backward(grad, self, weight),
        r"\bar w = \textstyle\sum \bar y\, a\,[a \le 0]",
    ),
)
def prelu_kernel(self, weight):
    """Leaky relu whose slope is a parameter."""
    floats("prelu_cpu", self)
    return np.where(self > 0, self, self * weight)


@composed(vocabulary=False)
def prelu(input, weight):
    """Leaky relu whose slope is a parameter (one, or one for each channel)."""
    ndim, kind, other = input._array.ndim, input.dtype, weight.dtype
    if kind is not other:
        raise RuntimeError(f"prelu: Type promoting not supported. Got {kind.scalar_name} and {other.scalar_name}")
    if weight._array.size != 1:
        if ndim == 0:
            raise RuntimeError("Not allow zero-dim input tensor.")
        channels = input._array.shape[1] if ndim > 1 else 1
        if channels != weight._array.size:
            raise RuntimeError(f"Mismatch of parameter numbers and input channel size. Found parameter numbers = "
                               f"{weight._array.size} and channel size = {channels}.")  # fmt: skip
    if weight._array.ndim > 1:
        raise RuntimeError(
            f"prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = {weight._array.ndim}"
        )
    shape = (1,) * min(ndim, 1) + ((weight._array.size,) if ndim > 1 else ()) + (1,) * (ndim - 2)
    return prelu_kernel(input, weight.view(shape) if weight._array.shape != shape else weight)


@op(
    r"y = a_1\,\sigma(a_2)",
    name="glu",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, dim, xp: xp.glu_backward(grad, self, dim),
        r"(\bar a_1, \bar a_2) = (\sigma(a_2)\,\bar y,\ a_1 \sigma'(a_2)\,\bar y)",
    ),
)
def glu(self, dim=-1):
    """Weigh the first half of a dimension with the logistic function of the second."""
    if not self.ndim:
        raise RuntimeError("glu does not support scalars because halving size must be even")
    at = wrap_dim(dim, self.ndim)
    size = self.shape[at]
    if size % 2:
        raise RuntimeError(f"Halving dimension must be even, but dimension {at} is size {size}")
    floats("glu_cpu", self)
    first, second = np.split(self, 2, at)
    return first * stable_sigmoid(second)


@slope(r"y = g\,(\sigma(a_2),\ a_1 \sigma'(a_2))", "GluBackwardBackward0", ("grad_output", "self"))
def glu_backward(grad_output, self, dim, xp):
    """Return the gradients of both halves."""
    half = self.shape[dim] // 2
    first, second = xp.narrow(self, dim, 0, half), xp.narrow(self, dim, half, half)
    curve = xp.sigmoid(second)
    return xp.cat([grad_output * curve, grad_output * first * curve * (1 - curve)], dim)
