"""Pointwise arithmetic: operators on tensors of one shape, or of shapes that broadcast."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.op import Vjp, op


@op(r"y = a \odot b", dtype="promote", inplace=True, operators=("__mul__", "__rmul__"),
    self=Vjp(lambda grad, other: grad * other, r"\bar a = \bar y \odot b"),
    other=Vjp(lambda grad, self: grad * self, r"\bar b = \bar y \odot a"))
def mul(self, other):
    """Multiply elementwise; shapes broadcast."""
    return self * other


@op(r"y = a + \alpha b", dtype="promote", inplace=True, operators=("__add__", "__radd__"),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, alpha: grad if alpha == 1 else grad * alpha, r"\bar b = \alpha \bar y"))
def add(self, other, *, alpha=1):
    """Add `alpha` times `other`; shapes broadcast."""
    return self + other if alpha == 1 else self + alpha * other


@op(r"y = a - \alpha b", dtype="promote", inplace=True, operators=("__sub__",),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, alpha: -grad if alpha == 1 else grad * -alpha, r"\bar b = -\alpha \bar y"))
def sub(self, other, *, alpha=1):
    """Subtract `alpha` times `other`; shapes broadcast."""
    return self - other if alpha == 1 else self - alpha * other


@op(r"y = \sin a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * xp.cos(self), r"\bar a = \bar y \cos a"))
def sin(self):
    """Sine."""
    return np.sin(self)


@op(r"y = \cos a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * -xp.sin(self), r"\bar a = -\bar y \sin a"))
def cos(self):
    """Cosine."""
    return np.cos(self)


@op(r"y = e^a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result: grad * result, r"\bar a = \bar y \odot y"))
def exp(self):
    """Exponential."""
    return np.exp(self)


@op(r"y = -a", operators=("__neg__",), inplace=True, self=Vjp(lambda grad: -grad, r"\bar a = -\bar y"))
def neg(self):
    """Negate."""
    return -self
