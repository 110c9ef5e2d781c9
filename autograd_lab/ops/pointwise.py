"""Pointwise arithmetic: operators on tensors of one shape, or of shapes that broadcast."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.inplace import augmented, inplace_twin
from autograd_lab.core.op import Vjp, functions, op, table, tensors
from autograd_lab.core.promotion import promote
from autograd_lab.core.public import absent
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals


@op(r"y = a \odot b", dtype="promote", inplace=True, operators=("__mul__", "__rmul__"), aliases=("multiply",),
    self=Vjp(lambda grad, other: grad * other, r"\bar a = \bar y \odot b"),
    other=Vjp(lambda grad, self: grad * self, r"\bar b = \bar y \odot a"))
def mul(self, other):
    """Multiply elementwise; shapes broadcast."""
    return self * other


def _times(grad: Any, alpha: Any) -> Any:
    """Multiply a gradient by a number, for which torch has a node of its own."""
    return tensors.mul_number(grad, alpha) if isinstance(grad, Tensor) else grad * alpha


@op(r"y = a + \alpha b", dtype="promote", inplace=True, operators=("__add__", "__radd__"),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, alpha: grad if alpha == 1 else _times(grad, alpha), r"\bar b = \alpha \bar y"))
def add(self, other, *, alpha=1):
    """Add `alpha` times `other`; shapes broadcast."""
    return self + other if alpha == 1 and alpha is not True else refusals.plus_scaled(self, other, alpha)


def _bool_operand(a: Any, b: Any) -> None:
    if a.dtype.kind == "b" or b.dtype.kind == "b":
        raise refusals.bool_subtraction(False)


def _minus_bool(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    raise refusals.bool_subtraction(isinstance(input, Tensor) and input._array.dtype.kind == "b")


@op(r"y = a - \alpha b", dtype="promote", inplace=True, operators=("__sub__",), aliases=("subtract",),
    checks=_bool_operand, redirect=("type(other) is bool", _minus_bool),
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, alpha: -grad if alpha == 1 else _times(-grad, alpha), r"\bar b = -\alpha \bar y"))
def sub(self, other, *, alpha=1):
    """Subtract `alpha` times `other`; shapes broadcast."""
    if self.dtype.kind == "b":
        raise refusals.bool_subtraction(True)
    return self - other if alpha == 1 and alpha is not True else refusals.plus_scaled(self, other, alpha, -1)


def _other_minus(input: Any, other: Any, *, alpha: Any = 1, out: Any = None) -> Any:
    if isinstance(other, bool):
        raise refusals.bool_subtraction(input._array.dtype.kind == "b")
    return tensors._rsub(input, other, alpha=alpha)


@op(r"y = b - \alpha a", dtype="promote", out=False, tensors=("other",), node="RsubBackward1",
    operators=("__rsub__",), method=False, checks=_bool_operand,
    redirect=("type(other) is Tensor or type(other) is bool", _other_minus),
    self=Vjp(lambda grad, alpha: -grad if alpha == 1 else _times(-grad, alpha), r"\bar a = -\alpha \bar y"))
def rsub(self, other, *, alpha=1):
    """Subtract `alpha` times the input from `other`."""
    if self.dtype.kind == "b":
        raise refusals.bool_subtraction(True)
    return other - self if alpha == 1 else other - refusals.scaled(self, alpha)


@op(r"y = b - \alpha a", dtype="promote", out=False, function=False, method=False, node="RsubBackward0",
    checks=_bool_operand,
    self=Vjp(lambda grad, alpha: -grad if alpha == 1 else _times(-grad, alpha), r"\bar a = -\alpha \bar y"),
    other=Vjp(lambda grad: grad, r"\bar b = \bar y"))
def _rsub(self, other, *, alpha=1):
    """Subtract `alpha` times the input from the tensor `other`."""
    if self.dtype.kind == "b":
        raise refusals.bool_subtraction(True)
    broadcast_shapes(np.shape(other), np.shape(self))
    return other - self if alpha == 1 else other - refusals.scaled(self, alpha)


def _div_rounded(input: Any, other: Any, *, rounding_mode: Any = None, out: Any = None) -> Any:
    if rounding_mode is None:
        return tensors._div_true(input, other, rounding_mode=None, out=out)
    if rounding_mode not in ("floor", "trunc"):
        raise RuntimeError(
            "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found "
            f"'{rounding_mode}'"
        )
    return tensors._div_mode(input, other, rounding_mode=rounding_mode, out=out)


@op(r"y = a / b", dtype="float", inplace=True, operators=("__truediv__",), aliases=("divide", "true_divide"),
    redirect=("rounding_mode is not rounding_mode_default", _div_rounded),
    self=Vjp(lambda grad, other: grad / other, r"\bar a = \bar y / b"),
    other=Vjp(lambda grad, self, other: -grad * ((self / other) / other), r"\bar b = -\bar y \, a / b^2"))
def div(self, other, *, rounding_mode=absent):
    """Divide elementwise; integers give floats. `rounding_mode` "floor" or "trunc" rounds and keeps integers."""
    return self / other


@op(r"y = a / b", dtype="float", function=False, method=False, node="DivBackward2",
    self=Vjp(lambda grad, self, other, rounding_mode: grad / other, r"\bar a = \bar y / b"),
    other=Vjp(lambda grad, self, other, rounding_mode: -grad * ((self / other) / other),
              r"\bar b = -\bar y \, a / b^2"))
def _div_true(self, other, *, rounding_mode=None):
    """Divide without rounding, although a rounding mode was spoken of."""
    return self / other


@op(r"y = \mathrm{round}(a / b)", dtype="promote", function=False, method=False, node="DivBackward2",
    self=Vjp(lambda grad, self, other, rounding_mode, xp: xp.zeros_like(grad), r"\bar a = 0"),
    other=Vjp(lambda grad, self, other, rounding_mode, xp: xp.zeros_like(grad), r"\bar b = 0"))
def _div_mode(self, other, *, rounding_mode):
    """Divide and round down ("floor") or towards zero ("trunc")."""
    if self.dtype is not other.dtype:       # in a backward, where nothing has brought them together
        kind = promote(self, other)
        self, other = self.astype(kind), other.astype(kind)
    if rounding_mode == "floor":
        return floor_quotient(self, other)
    if self.dtype.kind == "f":
        return np.trunc(self / other)
    if self.dtype.kind == "b":
        raise refusals.not_implemented("div_trunc_cpu", self)
    refusals.check_integer_divisor(self, other)
    quotient = self // other
    # // rounds down; where that is not towards zero and the division leaves a remainder, one step back up.
    up = ((self < 0) != (other < 0)) & (quotient * other != self)
    return (quotient + up).astype(self.dtype)


def floor_quotient(self: Any, other: Any) -> Any:
    """Return self // other as torch computes it for arrays of one dtype."""
    if self.dtype.kind == "b":
        broadcast_shapes(self.shape, np.shape(other))
        raise refusals.not_implemented("div_floor_cpu", self)
    if self.dtype.kind != "f":
        refusals.check_integer_divisor(self, other)
    return self // other


@op(r"y = \lfloor a / b \rfloor", dtype="promote", node="NotImplemented", operators=("__floordiv__",),
    self=Vjp(lambda grad: refusals.no_derivative("floor_divide"), ""),
    other=Vjp(lambda grad: refusals.no_derivative("floor_divide"), ""))
def floor_divide(self, other):
    """Divide and round down; torch has no derivative for it."""
    return floor_quotient(self, other)


@op(r"y = \lfloor a / b \rfloor", dtype="promote", node="NotImplemented", function=False, method=False, out=False,
    self=Vjp(lambda grad: refusals.no_derivative("floor_divide_"), ""),
    other=Vjp(lambda grad: refusals.no_derivative("floor_divide_"), ""))
def floor_divide_(self, other):
    """In-place version of floor_divide."""
    return floor_quotient(self, other)


Tensor.floor_divide_ = inplace_twin(table["floor_divide_"], "floor_divide_")
Tensor.__ifloordiv__ = augmented(table["floor_divide_"], "__ifloordiv__")


@op(r"y = -a", operators=("__neg__",), inplace=True, aliases=("negative",),
    self=Vjp(lambda grad: -grad, r"\bar a = -\bar y"))
def neg(self):
    """Negate."""
    if self.dtype.kind == "b":
        raise refusals.bool_negation()
    return -self


@op(r"y = |a|", inplace=True, aliases=("absolute",), operators=("__abs__",),
    self=Vjp(lambda grad, self, xp: grad * xp.sgn(self), r"\bar a = \bar y \odot \operatorname{sgn} a"))
def abs(self):
    """Absolute value; its derivative at 0 is taken as 0."""
    if self.dtype.kind == "b":
        raise refusals.not_implemented("abs_cpu", self)
    return np.abs(self)


@op(r"y = \operatorname{sgn} a", inplace=True, self=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar a = 0"))
def sign(self):
    """Sign: -1, 0 or 1; 0 for NaN."""
    return np.subtract(self > 0, self < 0, dtype=self.dtype) if self.dtype.kind != "b" else self.copy("K")


@op(r"y = \operatorname{sgn} a", inplace=True,
    self=Vjp(lambda grad, self, result, xp: xp.zeros_like(grad), r"\bar a = 0"))
def sgn(self):
    """Sign: -1, 0 or 1 (for real numbers the same as `sign`)."""
    return np.subtract(self > 0, self < 0, dtype=self.dtype) if self.dtype.kind != "b" else self.copy("K")


@op(r"y = 1 / a", dtype="float", inplace=True,
    self=Vjp(lambda grad, result: -grad * (result * result), r"\bar a = -\bar y \, y^2"))
def reciprocal(self):
    """One divided by each element."""
    return 1 / self


def positive(input: Tensor) -> Tensor:
    """Return the input itself."""
    if input._array.dtype.kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


def _divided_by(self: Any, other: Any) -> Any:
    # torch computes 2 / x as x.reciprocal() * 2, and the graph shows it.
    if not isinstance(other, (int, float, Tensor, np.generic)):
        return NotImplemented
    return tensors.mul(tensors.reciprocal(self), other)


def _floor_divided(self: Any, other: Any) -> Any:
    return tensors.floor_divide(other, self)


functions["positive"] = Tensor.positive = positive
Tensor.__pos__ = positive  # type: ignore[operator]
Tensor.__rtruediv__ = Tensor.__rdiv__ = _divided_by
Tensor.__rfloordiv__ = _floor_divided
