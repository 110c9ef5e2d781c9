"""Activations that compare with a threshold: threshold itself, and rrelu, whose slope below 0 is drawn."""

from __future__ import annotations

import numpy as np

from autograd_lab.core import normals
from autograd_lab.core.composed import composed
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, op, table, tensors
from autograd_lab.core.random import default_generator
from autograd_lab.core.tensor import fresh
from autograd_lab.ops.activation import HIDDEN, like
from autograd_lab.ops.refusals import not_implemented, require_float
from autograd_lab.ops.words import vanishing


@op(
    r"y = a\,[a > t] + v\,[a \le t]",
    method=False,
    self=Vjp(
        lambda grad, self, threshold, xp: xp.threshold_backward(grad, self, threshold), r"\bar a = [a > t]\,\bar y"
    ),
)
def threshold(self, threshold, value):
    """Replace elements up to a threshold by a value."""
    return cut(self, threshold, value)


@op(
    r"y = a\,[a > t] + v\,[a \le t]",
    name="threshold_in_place",
    node="ThresholdBackward1",
    **HIDDEN,
    self=Vjp(
        lambda grad, self, threshold, xp: xp.threshold_backward(grad, self, threshold), r"\bar a = [a > t]\,\bar y"
    ),
)
def threshold_in_place(self, threshold, value):
    """The form that runs in place, with a node of its own."""
    return cut(self, threshold, value)


def cut(self, threshold, value):
    """Return an array with the value in the place of what does not exceed the threshold."""
    if self.dtype.kind == "b":
        raise not_implemented("threshold_cpu", self)
    if self.dtype.kind != "f":      # numbers are cast as C++ casts them
        for one in (threshold, value):
            check_fits(one, self.dtype)
        threshold, value = (np.array(one).astype(self.dtype) for one in (threshold, value))
    return np.where(self <= threshold, like(self, value), self)


@op(
    r"y = g\,([a > 0] + s[a \le 0])",
    node="RreluWithNoiseBackwardBackward0",
    tensors=("noise",),
    **HIDDEN,
    grad_output=Vjp(
        lambda grad, self, noise, lower, upper, training, xp: xp.rrelu_with_noise_backward(
            grad, self, noise, lower, upper, training
        ),
        r"\bar g = \bar y\,([a > 0] + s[a \le 0])",
    ),
    self=Vjp(vanishing, r"\bar a = 0"),
)
def rrelu_with_noise_backward(grad_output, self, noise, lower, upper, training):
    """Multiply the gradient by the slopes that were drawn, or by the middle one where the input is not positive."""
    if training and upper - lower > 1e-6:
        return grad_output * noise
    return np.where(self > 0, grad_output, grad_output * like(grad_output, (lower + upper) / 2))


def with_slopes(self, noise, lower, upper, training):
    """Return rrelu of an array."""
    if training:
        return self * noise
    return np.where(self > 0, self, self * like(self, (lower + upper) / 2))


@op(
    r"y = a\,[a > 0] + s a\,[a \le 0]",
    name="rrelu_with_noise",
    tensors=("noise",),
    **HIDDEN,
    self=Vjp(
        lambda grad, self, noise, lower, upper, training, xp: xp.rrelu_with_noise_backward(
            grad, self, noise, lower, upper, training
        ),
        r"\bar a = \bar y\,([a > 0] + s[a \le 0])",
    ),
)
def rrelu_with_noise(self, noise, lower, upper, training):
    """Keep positive elements, multiply the others by slopes that were drawn."""
    return with_slopes(self, noise, lower, upper, training)


@op(
    r"y = a\,[a > 0] + s a\,[a \le 0]",
    name="rrelu_with_noise_from_result",
    node="RreluWithNoiseBackward1",
    tensors=("noise",),
    **HIDDEN,
    self=Vjp(
        lambda grad, result, noise, lower, upper, training, xp: xp.rrelu_with_noise_backward(
            grad, result, noise, lower, upper, training
        ),
        r"\bar a = \bar y\,([y > 0] + s[y \le 0])",
    ),
)
def rrelu_with_noise_from_result(self, noise, lower, upper, training):
    """The form that runs in place: its derivative reads the result."""
    return with_slopes(self, noise, lower, upper, training)


def slopes(input, lower, upper, training, generator):
    """Return a slope for each element: in training one is drawn for each that is not positive."""
    array = np.asarray(input._array)
    require_float(f"rrelu_with_noise_{'out_' if training else ''}cpu" if training else "leaky_relu_cpu", array)
    if lower > upper:
        raise RuntimeError("Lower bound should be less than or equal to the upper bound")
    noise = np.zeros(array.shape, array.dtype)
    if training:
        below = array <= 0
        drawn = normals.unit_doubles(generator or default_generator, int(below.sum()))
        noise[...] = 1
        noise[below] = drawn * (upper - lower) + lower
    return fresh(noise)


@composed(method=False, vocabulary=False)
def rrelu(input, lower=1.0 / 8, upper=1.0 / 3, training=False, *, generator=None):
    """Leaky relu whose slope is drawn for each element in training, and the middle of the range otherwise.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.rrelu.html
    """
    noise = slopes(input, lower, upper, training, generator)
    return tensors.rrelu_with_noise(input, noise, lower, upper, training)


@composed(method=False, vocabulary=False)
def rrelu_(input, lower=1.0 / 8, upper=1.0 / 3, training=False, *, generator=None):
    """In-place version of rrelu."""
    noise = slopes(input, lower, upper, training, generator)
    return run_inplace(table["rrelu_with_noise_from_result"], input, (noise, lower, upper, training), {})


@composed(method=False, vocabulary=False)
def threshold_(input, threshold, value):
    """In-place version of threshold."""
    return run_inplace(table["threshold_in_place"], input, (threshold, value), {})
