"""Circular and hyperbolic functions and their inverses."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.inplace import inplace_twin
from autograd_lab.core.op import Vjp, op, table
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals


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


@op(r"y = \tan a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result, xp: grad * (1 + xp.pow(result, 2)), r"\bar a = \bar y (1 + y^2)"))
def tan(self):
    """Tangent."""
    return np.tan(self)


@op(r"y = \arcsin a", dtype="float", inplace=True, aliases=("arcsin",),
    self=Vjp(lambda grad, self, xp: grad * xp.rsqrt(-self * self + 1), r"\bar a = \bar y / \sqrt{1 - a^2}"))
def asin(self):
    """Inverse sine."""
    return np.arcsin(self)


@op(r"y = \arccos a", dtype="float", inplace=True, aliases=("arccos",),
    self=Vjp(lambda grad, self, xp: grad * -xp.rsqrt(-self * self + 1), r"\bar a = -\bar y / \sqrt{1 - a^2}"))
def acos(self):
    """Inverse cosine."""
    return np.arccos(self)


@op(r"y = \arctan a", dtype="float", inplace=True, aliases=("arctan",),
    self=Vjp(lambda grad, self: grad / (self * self + 1), r"\bar a = \bar y / (1 + a^2)"))
def atan(self):
    """Inverse tangent."""
    return np.arctan(self)


@op(r"y = \sinh a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * xp.cosh(self), r"\bar a = \bar y \cosh a"))
def sinh(self):
    """Hyperbolic sine."""
    return np.sinh(self)


@op(r"y = \cosh a", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * xp.sinh(self), r"\bar a = \bar y \sinh a"))
def cosh(self):
    """Hyperbolic cosine."""
    return np.cosh(self)


@op(r"y = \operatorname{arsinh} a", dtype="float", aliases=("arcsinh",),
    self=Vjp(lambda grad, self, xp: grad * xp.rsqrt(xp.pow(self, 2) + 1), r"\bar a = \bar y / \sqrt{a^2 + 1}"))
def asinh(self):
    """Inverse hyperbolic sine."""
    return np.arcsinh(self)


@op(r"y = \operatorname{arcosh} a", dtype="float", aliases=("arccosh",),
    self=Vjp(lambda grad, self, xp: grad * xp.rsqrt(xp.pow(self, 2) - 1), r"\bar a = \bar y / \sqrt{a^2 - 1}"))
def acosh(self):
    """Inverse hyperbolic cosine."""
    return np.arccosh(self)


@op(r"y = \operatorname{artanh} a", dtype="float", aliases=("arctanh",),
    self=Vjp(lambda grad, self, xp: grad * 1 / (1 - xp.pow(self, 2)), r"\bar a = \bar y / (1 - a^2)"))
def atanh(self):
    """Inverse hyperbolic tangent."""
    return np.arctanh(self)


def _inverse_square(self, other, xp):
    square = self * self + other * other
    return xp.masked_fill(xp.reciprocal(square), square == 0, 0)


@op(r"y = \operatorname{atan2}(a, b)", dtype="float", inplace=True, aliases=("arctan2",),
    self=Vjp(lambda grad, self, other, xp: grad * other * _inverse_square(self, other, xp),
             r"\bar a = \bar y \, b / (a^2 + b^2)"),
    other=Vjp(lambda grad, self, other, xp: grad * refusals.negated(self) * _inverse_square(self, other, xp),
              r"\bar b = -\bar y \, a / (a^2 + b^2)"))
def atan2(self, other):
    """Angle of the point (other, self), with its quadrant."""
    return np.arctan2(self, other)


@op(r"y = \sqrt{a^2 + b^2}", dtype="promote", inplace=True,
    self=Vjp(lambda grad, self, result: grad * self / result, r"\bar a = \bar y \, a / y"),
    other=Vjp(lambda grad, other, result: grad * other / result, r"\bar b = \bar y \, b / y"))
def hypot(self, other):
    """Length of the hypotenuse."""
    broadcast_shapes(self.shape, other.shape)
    refusals.require_float("hypot_cpu", self)
    return np.hypot(self, other)


def _without_slope(name: str, alias: str, kernel: Any) -> None:
    """Declare an in-place form whose derivative torch does not have."""

    def run(self: Any) -> Any:
        return kernel(self)

    run.__name__ = f"{name}_"
    run.__doc__ = f"In-place version of {name}; torch has no derivative for it."
    op("", dtype="float", function=False, method=False, out=False, node=f"{name.capitalize()}Backward1",
       self=Vjp(lambda grad: refusals.no_inplace_derivative(name)))(run)
    for public in (name, alias):
        setattr(Tensor, f"{public}_", inplace_twin(table[f"{name}_"], f"{public}_"))


_without_slope("asinh", "arcsinh", np.arcsinh)
_without_slope("acosh", "arccosh", np.arccosh)
_without_slope("atanh", "arctanh", np.arctanh)
