"""Softmax and its logarithm, and dropout."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, functions, op
from autograd_lab.core.operands import put_out
from autograd_lab.core.slopes import slope
from autograd_lab.ops.activation import HIDDEN, floats


def stable(array, dim, name):
    """Return the array less its maximum, its exponentials, and their sum."""
    at = wrap_dim(dim, array.ndim)
    if not array.ndim:
        array = array.reshape(1)
    if not array.size:
        return array, array, array
    floats(f"{name}_lastdim_kernel_impl" if at == array.ndim - 1 else f"{name}_kernel_impl", array)
    shifted = array - array.max(at, keepdims=True)
    powers = np.exp(shifted)
    return shifted, powers, powers.sum(at, keepdims=True)


@slope(r"g_a = (g - \langle g, y \rangle) \odot y", "SoftmaxBackwardDataBackward0", ("grad_output", "output"))
def _softmax_backward_data(grad_output, output, dim, xp):
    """Return the gradient of softmax."""
    return (grad_output - xp.sum(grad_output * output, (dim,), True)) * output


@slope(r"g_a = g - e^y \textstyle\sum g", "LogSoftmaxBackwardDataBackward0", ("grad_output", "output"))
def _log_softmax_backward_data(grad_output, output, dim, xp):
    """Return the gradient of the logarithm of softmax."""
    return grad_output - xp.exp(output) * xp.sum(grad_output, (dim,), True)


@op(
    r"y_i = e^{a_i} / \textstyle\sum_j e^{a_j}",
    name="_softmax",
    node="SoftmaxBackward0",
    **HIDDEN,
    self=Vjp(
        lambda grad, result, dim, xp: xp._softmax_backward_data(grad, result, dim),
        r"\bar a = y \odot (\bar y - \langle \bar y, y \rangle)",
    ),
)
def _softmax(self, dim):
    """Exponentials that add up to 1 along a dimension."""
    _, powers, total = stable(self, dim, "softmax")
    return np.asarray(powers / total, order="C").reshape(self.shape)[()] if self.size else np.array(self, order="C")


@op(
    r"y_i = a_i - \ln \textstyle\sum_j e^{a_j}",
    name="_log_softmax",
    node="LogSoftmaxBackward0",
    **HIDDEN,
    self=Vjp(
        lambda grad, result, dim, xp: xp._log_softmax_backward_data(grad, result, dim),
        r"\bar a = \bar y - e^y \textstyle\sum \bar y",
    ),
)
def _log_softmax(self, dim):
    """The logarithm of softmax, computed without overflow."""
    shifted, _, total = stable(self, dim, "log_softmax")
    made = shifted - np.log(total) if self.size else self
    return np.array(made, order="C", copy=None if self.size else True).reshape(self.shape)[()]


def _published(name, row, doc):
    def softmax(input, dim=None, dtype=None, *, out=None):
        if not isinstance(dim, int):
            raise TypeError(f"{name}(): argument 'dim' (position 2) must be int, not {type(dim).__name__}" if dim is not None  # noqa: E501
                            else f"{name}() missing 1 required positional arguments: \"dim\"")  # fmt: skip
        found = row(input if dtype is None else input.to(dtype), dim)
        return put_out(name, found, out)

    softmax.__doc__ = doc
    composed(name=name)(softmax)


_published("softmax", _softmax, "Exponentials that add up to 1 along a dimension.")
_published("log_softmax", _log_softmax, "The logarithm of softmax along a dimension.")


# ------------------------------------------------------------------ dropout
def check_probability(p):
    """Raise unless p is a probability."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"dropout probability has to be between 0 and 1, but got {p:g}")


@composed(method=False, vocabulary=False)
def dropout(input, p, train):
    """Set elements to zero with probability p and scale the others by 1 / (1 - p)."""
    check_probability(p)
    if p == 0 or not train or not input._array.size:
        return input
    if p == 1:
        return input * functions["zeros"]((), dtype=input.dtype)
    noise = functions["empty_like"](input.detach()).bernoulli_(1 - p)
    noise.div_(1 - p)
    return input * noise


@composed(method=False, vocabulary=False)
def dropout_(input, p, train):
    """In-place version of dropout."""
    check_probability(p)
    if p == 0 or not train or not input._array.size:
        return input
    noise = functions["empty_like"](input.detach()).bernoulli_(1 - p)
    return input.mul_(noise.div_(1 - p) if p < 1 else noise * 0)
