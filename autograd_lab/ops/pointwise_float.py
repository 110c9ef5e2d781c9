"""Pointwise functions of one variable that give floating-point numbers: exponentials, logarithms, roots."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.op import Vjp, op
from autograd_lab.ops.special_functions import erf_array, erfc_array

# As arrays: NumPy takes longer to turn a Python number into one than to add three elements.
ONE = {char: np.array(1, char) for char in "efd"}
LN_2, LN_10 = 0.6931471805599453, 2.3025850929940456


@op(r"y = e^a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result: grad * result, r"\bar a = \bar y \odot y"))
def exp(self):
    """Exponential."""
    return np.exp(self)


@op(r"y = 2^a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result, xp: xp.mul_number(grad * result, LN_2), r"\bar a = \bar y \, y \ln 2"))
def exp2(self):
    """Two to the power of each element."""
    return np.exp2(self)


@op(r"y = e^a - 1", dtype="float", inplace=True,
    self=Vjp(lambda grad, result: grad * (result + 1), r"\bar a = \bar y (y + 1)"))
def expm1(self):
    """Exponential minus one, exact for small elements."""
    return np.expm1(self)


@op(r"y = \ln a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self: grad / self, r"\bar a = \bar y / a"))
def log(self):
    """Natural logarithm."""
    return np.log(self)


@op(r"y = \log_2 a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self: grad / (self * LN_2), r"\bar a = \bar y / (a \ln 2)"))
def log2(self):
    """Logarithm to base 2."""
    return np.log2(self)


@op(r"y = \log_{10} a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self: grad / (self * LN_10), r"\bar a = \bar y / (a \ln 10)"))
def log10(self):
    """Logarithm to base 10."""
    return np.log10(self)


@op(r"y = \ln(1 + a)", dtype="float", inplace=True, node="Log1PBackward0",
    self=Vjp(lambda grad, self: grad / (self + 1), r"\bar a = \bar y / (1 + a)"))
def log1p(self):
    """Logarithm of one plus each element, exact for small elements."""
    return np.log1p(self)


@op(r"y = \sqrt a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result: grad / (2 * result), r"\bar a = \bar y / (2 y)"))
def sqrt(self):
    """Square root; its derivative at 0 is infinite."""
    return np.sqrt(self)


@op(r"y = 1 / \sqrt a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result, xp: -0.5 * grad * xp.pow(result, 3), r"\bar a = -\tfrac12 \bar y \, y^3"))
def rsqrt(self):
    """One divided by the square root."""
    return 1 / np.sqrt(self)


# Written as operations of their own, because torch's second derivatives show nodes of these names.
@op(r"y = g (1 - t^2)", method=False, function=False, dtype="promote", node="TanhBackwardBackward0",
    grad_output=Vjp(lambda grad, output, xp: xp.tanh_backward(grad, output), r"\bar g = \bar y (1 - t^2)"),
    output=Vjp(lambda grad, grad_output, output: grad * (-2 * output * grad_output), r"\bar t = -2 \bar y\, t g"))
def tanh_backward(grad_output, output):
    """Return the gradient of tanh, given its result."""
    return grad_output * (ONE[output.dtype.char] - output * output)


@op(r"y = \tanh a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result, xp: xp.tanh_backward(grad, result), r"\bar a = \bar y (1 - y^2)"))
def tanh(self):
    """Hyperbolic tangent."""
    return np.tanh(self)


@op(r"y = g \, s (1 - s)", method=False, function=False, dtype="promote", node="SigmoidBackwardBackward0",
    grad_output=Vjp(lambda grad, output, xp: xp.sigmoid_backward(grad, output), r"\bar g = \bar y \, s (1 - s)"),
    output=Vjp(lambda grad, grad_output, output: grad * grad_output * (-2 * output + 1),
               r"\bar s = \bar y \, g (1 - 2 s)"))
def sigmoid_backward(grad_output, output):
    """Return the gradient of sigmoid, given its result."""
    return grad_output * (ONE[output.dtype.char] - output) * output


@op(r"y = \frac{1}{1 + e^{-a}}", dtype="float", inplace=True,
    self=Vjp(lambda grad, result, xp: xp.sigmoid_backward(grad, result), r"\bar a = \bar y \, y (1 - y)"))
def sigmoid(self):
    """Logistic function."""
    one = ONE[self.dtype.char]
    return one / (one + np.exp(-self))


def _logit_slope(grad, self, eps, xp):
    if eps is None:
        inside, slope = (self >= 0) & (self <= 1), grad / (self * (1 - self))
        return xp.where(inside, slope, math.nan)
    inside = (self >= eps) & (self <= 1 - eps)
    return xp.where(inside, grad / (self * (1 - self)), 0.0)


@op(r"y = \ln \frac{a}{1 - a}", dtype="float", inplace=True, self=Vjp(_logit_slope, r"\bar a = \bar y / (a (1 - a))"))
def logit(self, eps=None):
    """Inverse of sigmoid; `eps` keeps the elements within [eps, 1 - eps]."""
    if eps is not None:
        self = np.where(self > 1 - eps, self.dtype.type(1 - eps), np.where(self < eps, self.dtype.type(eps), self))
    return np.log(self / (1 - self))


@op(r"y = \operatorname{erf} a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: 2 / math.sqrt(math.pi) * xp.exp(-xp.pow(self, 2)) * grad,
             r"\bar a = \tfrac{2}{\sqrt\pi} e^{-a^2} \bar y"))
def erf(self):
    """Error function."""
    return erf_array(self)


@op(r"y = 1 - \operatorname{erf} a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: -2 / math.sqrt(math.pi) * xp.exp(-xp.pow(self, 2)) * grad,
             r"\bar a = -\tfrac{2}{\sqrt\pi} e^{-a^2} \bar y"))
def erfc(self):
    """Complementary error function."""
    return erfc_array(self)


def _sinc_slope(grad, self, xp):
    turned = self * math.pi
    square = self * self * math.pi
    slope = grad * ((turned * xp.cos(turned) - xp.sin(turned)) / square)
    return xp.where(square == 0, 0.0, slope)


@op(r"y = \frac{\sin \pi a}{\pi a}", dtype="float", inplace=True, self=Vjp(_sinc_slope, r"\bar a = \bar y \, y'(a)"))
def sinc(self):
    """Normalized sinc."""
    turned = self * math.pi
    return np.where(self == 0, self.dtype.type(1), np.sin(turned) / turned)


@op(r"y = \tfrac{\pi}{180} a", dtype="float", inplace=True, node="Deg2RadBackward0",
    self=Vjp(lambda grad: grad * (math.pi / 180), r"\bar a = \tfrac{\pi}{180} \bar y"))
def deg2rad(self):
    """Degrees to radians."""
    return self * (math.pi / 180)


@op(r"y = \tfrac{180}{\pi} a", dtype="float", inplace=True, node="Rad2DegBackward0",
    self=Vjp(lambda grad: grad * (180 / math.pi), r"\bar a = \tfrac{180}{\pi} \bar y"))
def rad2deg(self):
    """Radians to degrees."""
    return self * (180 / math.pi)
