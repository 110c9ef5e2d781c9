"""Activations with a declaration of their own: elu, gelu, silu, softplus, hardtanh, softmax and their kin."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.slopes import slope
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.refusals import not_implemented
from autograd_lab.ops.words import vanishing

HIDDEN = {"function": False, "method": False}


def floats(name, array):
    """Return the array if it holds floats; raise as torch's kernel does otherwise."""
    if array.dtype.kind != "f":
        raise not_implemented(name, array)
    return array


def like(array, number):
    """Return a number in the array's dtype."""
    return array.dtype.type(number)


@op(
    r"y = g\,([a > 0] + s[a \le 0])",
    node="LeakyReluBackwardBackward0",
    **HIDDEN,
    grad_output=Vjp(
        lambda grad, self, negative_slope, xp: xp.leaky_relu_backward(grad, self, negative_slope),
        r"\bar g = \bar y\,([a > 0] + s[a \le 0])",
    ),
    self=Vjp(vanishing, r"\bar a = 0"),
)
def leaky_relu_backward(grad_output, self, negative_slope):
    """Pass the gradient of positive elements, multiply that of the others by the slope."""
    return np.where(self > 0, grad_output, grad_output * like(grad_output, negative_slope))


@op(
    r"y = g\,[l < a < h]",
    node="HardtanhBackwardBackward0",
    **HIDDEN,
    grad_output=Vjp(
        lambda grad, self, min_val, max_val, xp: xp.hardtanh_backward(grad, self, min_val, max_val),
        r"\bar g = \bar y\,[l < a < h]",
    ),
    self=Vjp(vanishing, r"\bar a = 0"),
)
def hardtanh_backward(grad_output, self, min_val, max_val):
    """Pass the gradient strictly between the bounds."""
    return np.where((self <= min_val) | (self >= max_val), like(grad_output, 0), grad_output)


def _shrunk(self, grad_output, lambd):
    return np.where((self >= -lambd) & (self <= lambd), like(grad_output, 0), grad_output)


@op(
    r"y = g\,[|a| > \lambda]",
    node="HardshrinkBackwardBackward0",
    **HIDDEN,
    grad_output=Vjp(
        lambda grad, self, lambd, xp: xp.hardshrink_backward(grad, self, lambd), r"\bar g = \bar y\,[|a| > \lambda]"
    ),
    self=Vjp(vanishing, r"\bar a = 0"),
)
def hardshrink_backward(grad_output, self, lambd):
    """Pass the gradient of elements that are not small."""
    return _shrunk(self, grad_output, lambd)


@op(
    r"y = g\,[|a| > \lambda]",
    node="SoftshrinkBackwardBackward0",
    **HIDDEN,
    grad_output=Vjp(
        lambda grad, self, lambd, xp: xp.softshrink_backward(grad, self, lambd), r"\bar g = \bar y\,[|a| > \lambda]"
    ),
    self=Vjp(vanishing, r"\bar a = 0"),
)
def softshrink_backward(grad_output, self, lambd):
    """Pass the gradient of elements that were not set to zero."""
    return _shrunk(self, grad_output, lambd)


@op(
    r"y = a\,[a > 0] + s a\,[a \le 0]",
    name="leaky_relu",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, negative_slope, xp: xp.leaky_relu_backward(grad, self, negative_slope),
        r"\bar a = \bar y\,([a > 0] + s[a \le 0])",
    ),
)
def leaky_relu(self, negative_slope=0.01):
    """Keep positive elements, multiply the others by a small slope."""
    floats("leaky_relu_cpu", self)
    return np.where(self > 0, self, self * like(self, negative_slope))


LEAKY = (
    " File an issue at https://github.com/pytorch/pytorch if you do require supporting in-place leakRelu backward "
    "calculation with negative slope"
)


def rising(name, slope, more=""):
    """Return a slope that a result in place tells the input by; a falling line does not."""
    if slope < 0:
        raise RuntimeError(
            f"In-place {name} backward calculation is triggered with a negative slope which is not supported. This is "
            "caused by calling in-place forward function with a negative slope, please call out-of-place version "
            f"instead.{more}"
        )
    return slope


@op(
    r"y = a\,[a > 0] + s a\,[a \le 0]",
    name="leaky_relu_from_result",
    node="LeakyReluBackward1",
    **HIDDEN,
    self=Vjp(
        lambda grad, result, negative_slope, xp: xp.leaky_relu_backward(
            grad, result, rising("leakyReLu", negative_slope, LEAKY)
        ),
        r"\bar a = \bar y\,([y > 0] + s[y \le 0])",
    ),
)
def leaky_relu_from_result(self, negative_slope=0.01):
    """The form that runs in place: its derivative reads the result."""
    floats("leaky_relu_cpu", self)
    return np.where(self > 0, self, self * like(self, negative_slope))


@slope(r"y = s\,g\,([a > 0] + \alpha k e^{ka}[a \le 0])", "EluBackwardBackward0", ("grad_output", "self_or_result"))
def elu_backward(grad_output, alpha, scale, input_scale, is_result, self_or_result, xp):
    """Return the derivative of elu times the gradient; from the result, e^ka = y / (alpha s) + 1."""
    below = xp.masked_fill(self_or_result, ~(self_or_result < 0), 0)  # the second derivative at 0 is 0
    power = below * (1 / (alpha * scale)) + 1 if is_result and alpha * scale else xp.exp(below * input_scale)
    negative = grad_output * (input_scale * alpha * scale) * power
    return xp.where(xp.constant(not_above(plain_of(self_or_result)), self_or_result) if has_nan(self_or_result)
                    else self_or_result <= 0, negative, grad_output * scale)  # fmt: skip


def plain_of(value):
    """Return the array behind a value of either vocabulary."""
    return np.asarray(getattr(value, "_array", value))


def has_nan(value):
    """Say whether a value of either vocabulary holds NaN."""
    return bool(np.isnan(plain_of(value)).any())


def not_above(array):
    """Say which elements count as not positive: NaN too in torch's vector code, which leaves a short rest."""
    chunk = 64 // array.dtype.itemsize      # two vectors at a time
    fast = np.arange(array.size).reshape(array.shape) < array.size // chunk * chunk
    return np.where(fast, ~(array > 0), array <= 0)


@op(
    r"y = s\,(a\,[a > 0] + \alpha(e^{ka} - 1)\,[a \le 0])",
    name="elu",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, alpha, scale, input_scale, xp: xp.elu_backward(grad, alpha, scale, input_scale, False, self),
        r"\bar a = s\,\bar y\,([a > 0] + \alpha k e^{ka}[a \le 0])",
    ),
)
def elu(self, alpha=1.0, scale=1, input_scale=1):
    """Keep positive elements, let the others approach -alpha."""
    return elu_value(self, alpha, scale, input_scale)


@op(
    r"y = s\,(a\,[a > 0] + \alpha(e^{ka} - 1)\,[a \le 0])",
    name="elu_from_result",
    node="EluBackward1",
    **HIDDEN,
    self=Vjp(
        lambda grad, result, alpha, scale, input_scale, xp: (
            xp.elu_backward(grad, rising("elu", alpha), scale, input_scale, True, result)
        ),
        r"\bar a = \bar y\,([y > 0]\,s + k(y + \alpha s)[y \le 0])",
    ),
)
def elu_from_result(self, alpha=1.0, scale=1, input_scale=1):
    """The form that runs in place: its derivative reads the result."""
    return elu_value(self, alpha, scale, input_scale)


def elu_value(self, alpha, scale, input_scale):
    """Return elu of an array."""
    floats("elu_cpu", self)
    below = np.expm1(self * like(self, input_scale)) * like(self, alpha * scale)
    return np.where(self > 0, self * like(self, scale), below)


@op(
    r"y = a\,[a > 0] + \alpha(e^{a/\alpha} - 1)\,[a \le 0]",
    method=False,
    self=Vjp(
        lambda grad, self, alpha, xp: xp.elu_backward(grad, alpha, 1, 1 / alpha, False, self),
        r"\bar a = \bar y\,([a > 0] + e^{a/\alpha}[a \le 0])",
    ),
)
def celu(self, alpha=1.0):
    """Keep positive elements; a smooth elu for every alpha."""
    return celu_value(self, alpha)


@op(
    r"y = a\,[a > 0] + \alpha(e^{a/\alpha} - 1)\,[a \le 0]",
    name="celu_from_result",
    node="CeluBackward1",
    **HIDDEN,
    self=Vjp(
        lambda grad, result, alpha, xp: xp.elu_backward(grad, rising("elu", alpha), 1, 1 / alpha, True, result),
        r"\bar a = \bar y\,([y > 0] + (y / \alpha + 1)[y \le 0])",
    ),
)
def celu_from_result(self, alpha=1.0):
    """The form that runs in place: its derivative reads the result."""
    return celu_value(self, alpha)


def celu_value(self, alpha):
    """Return celu of an array."""
    if not alpha:
        raise RuntimeError("ZeroDivisionError: alpha cannot be 0 for CELU")
    floats("elu_cpu", self)
    return np.where(self > 0, self, np.expm1(self / like(self, alpha)) * like(self, alpha))


SELU = {"alpha": 1.6732632423543772848170429916717, "scale": 1.0507009873554804934193349852946}


@composed(method=False, vocabulary=False)
def selu(input, inplace=False):
    """Elu with the constants that keep mean and variance."""
    return (tensors.elu_ if inplace else elu)(input, SELU["alpha"], SELU["scale"], 1)


@slope(r"y = g\,(\Phi(a) + a\,\varphi(a))", "GeluBackwardBackward0", ("grad_output", "self"))
def gelu_backward(grad_output, self, approximate, xp):
    """Return the derivative of gelu times the gradient."""
    if approximate == "tanh":
        beta, kappa = math.sqrt(2 / math.pi), 0.044715
        inner = (self + self * self * self * kappa) * beta
        curve = xp.tanh(inner)
        slope = (1 - curve * curve) * ((1 + self * self * (3 * kappa)) * beta)
        return grad_output * ((1 + curve) * 0.5 + self * 0.5 * slope)
    area = (1 + xp.erf(self * math.sqrt(0.5))) * 0.5
    density = xp.exp(self * self * -0.5) * (1 / math.sqrt(2 * math.pi))
    return grad_output * (area + self * density)


@op(
    r"y = a\,\Phi(a)",
    name="gelu",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, approximate, xp: xp.gelu_backward(grad, self, approximate),
        r"\bar a = \bar y\,(\Phi(a) + a\,\varphi(a))",
    ),
)
def gelu(self, *, approximate="none"):
    """Weigh each element with the normal distribution function."""
    floats("GeluKernelImpl", self)
    if approximate == "tanh":
        beta, kappa = like(self, math.sqrt(2 / math.pi)), like(self, 0.044715)
        return self * like(self, 0.5) * (1 + np.tanh(beta * (self + kappa * self * self * self)))
    if approximate != "none":
        raise RuntimeError("approximate argument must be either none or tanh.")
    from autograd_lab.core.op import arrays

    made = self * like(self, 0.5) * (1 + arrays.erf(self * like(self, math.sqrt(0.5))))
    return made + 0 if made.size > 1 and made.dtype == np.float32 else made     # torch's vector code gives no -0.0


def stable_sigmoid(a):
    """Return the logistic function of an array."""
    from autograd_lab.core.op import arrays

    return arrays.sigmoid(a)


@op(
    r"y = a\,\sigma(a)",
    name="silu",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, xp: grad * xp.sigmoid(self) * (self * (1 - xp.sigmoid(self)) + 1),
        r"\bar a = \bar y\,\sigma(a)(1 + a(1 - \sigma(a)))",
    ),
)
def silu(self):
    """Weigh each element with its own logistic function."""
    floats("silu_cpu", self)
    return self * stable_sigmoid(self)


@op(
    r"y = a \tanh(\ln(1 + e^a))",
    name="mish",
    **HIDDEN,
    self=Vjp(lambda grad, self, xp: mish_slope(grad, self, xp), r"\bar a = \bar y\, y'"),
)
def mish(self):
    """Weigh each element with the tanh of its softplus."""
    floats("mish_cpu", self)
    return self * np.tanh(np.log1p(np.exp(self)))


def mish_slope(grad, self, xp):
    """Return the derivative of mish times the gradient."""
    curve = xp.tanh(xp.softplus(self))
    return grad * (curve + self * xp.sigmoid(self) * (1 - curve * curve))


@op(
    r"y = \tfrac{1}{\beta} \ln(1 + e^{\beta a})",
    name="softplus",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, beta, threshold, xp: xp.softplus_backward(grad, self, beta, threshold),
        r"\bar a = \bar y\, \sigma(\beta a)",
    ),
)
def softplus(self, beta=1, threshold=20):
    """A smooth relu; linear where beta * a exceeds the threshold."""
    floats("softplus_cpu", self)
    scaled = self * like(self, beta)
    with np.errstate(over="ignore"):
        return np.where(scaled > threshold, self, np.log1p(np.exp(scaled)) / like(self, beta))


@slope(r"y = g\,\sigma(\beta a)", "SoftplusBackwardBackward0", ("grad_output", "self"))
def softplus_backward(grad_output, self, beta, threshold, xp):
    """Return the derivative of softplus times the gradient."""
    scaled = self * beta
    below = xp.masked_fill(scaled, scaled >= threshold, threshold)  # the second derivative at the threshold is 0
    return xp.where(scaled > threshold, grad_output, grad_output * xp.sigmoid(below))


@op(
    r"y = \min(\max(a, l), h)",
    name="hardtanh",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, min_val, max_val, xp: xp.hardtanh_backward(grad, self, min_val, max_val),
        r"\bar a = [l < a < h]\,\bar y",
    ),
)
def hardtanh(self, min_val=-1.0, max_val=1.0):
    """Cut off below and above; the derivative at the corners is 0."""
    if self.dtype.kind == "b":
        raise RuntimeError("Bool inputs not supported for hardtanh")
    if self.dtype.kind == "u" and (min_val < 0 or max_val < 0):
        raise RuntimeError("cannot do hardtanh on an unsigned type with negative limits")
    return np.clip(self, like(self, min_val), like(self, max_val))


def not_there(grad):
    """Refuse a second derivative that torch has not either."""
    raise RuntimeError("derivative for aten::hardsigmoid_backward is not implemented")


@op(
    r"y = \tfrac16 g\,[-3 < a < 3]",
    node="NotImplemented",
    **HIDDEN,
    grad_output=Vjp(lambda grad: not_there(grad)),
    self=Vjp(lambda grad: not_there(grad)),
)
def hardsigmoid_backward(grad_output, self):
    """Pass a sixth of the gradient between -3 and 3."""
    return np.where((self > -3) & (self < 3), grad_output * like(grad_output, np.float32(1 / 6)), like(grad_output, 0))


@op(
    r"y = \min(\max(a + 3, 0), 6) / 6",
    name="hardsigmoid",
    **HIDDEN,
    self=Vjp(lambda grad, self, xp: xp.hardsigmoid_backward(grad, self), r"\bar a = \tfrac16 [-3 < a < 3]\,\bar y"),
)
def hardsigmoid(self):
    """A piecewise linear sigmoid."""
    floats("hardsigmoid_cpu", self)
    return np.clip(self + like(self, 3), like(self, 0), like(self, 6)) / like(self, 6)


@slope(r"y = g\,(a/3 + 1/2)", "HardswishBackwardBackward0", ("grad_output", "self"))
def hardswish_backward(grad_output, self, xp):
    """Return the derivative of hardswish times the gradient."""
    inner = xp.where(self < 3, grad_output * (self / 3 + 0.5), grad_output)
    return xp.where(self <= -3, xp.zeros_like(grad_output), inner)


@op(
    r"y = a \min(\max(a + 3, 0), 6) / 6",
    name="hardswish",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, xp: xp.hardswish_backward(grad, self),
        r"\bar a = \bar y\,(a/3 + 1/2)",
    ),
)
def hardswish(self):
    """Weigh each element with its piecewise linear sigmoid."""
    floats("hardswish_cpu", self)
    return self * np.clip(self + like(self, 3), like(self, 0), like(self, 6)) / like(self, 6)


@slope(r"y = g\,\sigma(-a)", "LogSigmoidBackwardBackward0", ("grad_output", "self"), tensors=("buffer",))
def log_sigmoid_backward(grad_output, self, buffer, xp):
    """Return the derivative of the logarithm of the logistic function times the gradient."""
    return grad_output * xp.sigmoid(-self)


@op(
    r"y = -\ln(1 + e^{-a})",
    name="log_sigmoid",
    outputs=("output", "buffer"),
    differentiable=("output",),
    row_order=True,
    **HIDDEN,
    self=Vjp(
        lambda grad, self, buffer, xp: xp.log_sigmoid_backward(grad, self, buffer), r"\bar a = \bar y\,\sigma(-a)"
    ),
)
def log_sigmoid(self):
    """The logarithm of the logistic function; also what torch keeps beside it."""
    floats("log_sigmoid_cpu", self)
    buffer = np.exp(-np.abs(self))
    return np.minimum(self, like(self, 0)) - np.log1p(buffer), buffer


@op(
    r"y = a\,[|a| > \lambda]",
    method=False,
    self=Vjp(
        lambda grad, self, lambd, xp: xp.hardshrink_backward(grad, self, lambd), r"\bar a = [|a| > \lambda]\,\bar y"
    ),
)
def hardshrink(self, lambd=0.5):
    """Set small elements to zero."""
    floats("hardshrink_cpu", self)
    return np.where((self >= -lambd) & (self <= lambd), like(self, 0), self)


Tensor.hardshrink = hardshrink


@op(
    r"y = \mathrm{sign}(a) \max(|a| - \lambda, 0)",
    name="softshrink",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, lambd, xp: xp.softshrink_backward(grad, self, lambd), r"\bar a = [|a| > \lambda]\,\bar y"
    ),
)
def softshrink(self, lambd=0.5):
    """Move every element towards zero."""
    floats("softshrink_check", self)
    limit = float(np.finfo(self.dtype).max)
    if not 0 <= lambd <= limit:
        raise RuntimeError(f"lambda must be in range [0, {limit:g}] for input dtype "
                           f"{from_numpy(self.dtype).scalar_name}, but found {lambd:g}")  # fmt: skip
    step = like(self, lambd)
    return np.where(self > step, self - step, np.where(self < -step, self + step, self * like(self, 0)))
