"""Rounding and remainders: steps, whose derivative is 0 wherever it exists."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.inplace import augmented
from autograd_lab.core.op import Vjp, op, table, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals
from autograd_lab.ops.words import vanishing


@op(r"y = \lfloor a \rfloor", inplace=True, self=Vjp(vanishing, r"\bar a = 0"))
def floor(self):
    """Round down."""
    return _stepped(np.floor, self)


@op(r"y = \lceil a \rceil", inplace=True, self=Vjp(vanishing, r"\bar a = 0"))
def ceil(self):
    """Round up."""
    return _stepped(np.ceil, self)


@op(r"y = \operatorname{trunc} a", inplace=True, aliases=("fix",), self=Vjp(vanishing, r"\bar a = 0"))
def trunc(self):
    """Round towards zero."""
    return _stepped(np.trunc, self)


def _stepped(step: Any, array: Any) -> Any:
    if array.dtype.kind == "b":
        raise refusals.not_implemented(f"{step.__name__}_vml_cpu", array)
    return step(array) if array.dtype.kind == "f" else array.copy("K")


def _to_decimals(input: Any, *, decimals: int = 0, out: Any = None) -> Any:
    return tensors._round_decimals(input, decimals=decimals, out=out)


@op(r"y = \lfloor a \rceil", inplace=True, redirect=("decimals != 0", _to_decimals), self=Vjp(vanishing, r"\bar a = 0"))
def round(self, *, decimals=0):
    """Round to the nearest integer, halves to the even one, or to a number of decimals."""
    if self.dtype.kind == "b":
        raise refusals.not_implemented("round_vml_cpu", self)
    return np.rint(self) if self.dtype.kind == "f" else self.copy("K")


@op(r"y = \lfloor a \rceil_{10^{-d}}", function=False, method=False, node="RoundBackward1",
    self=Vjp(vanishing, r"\bar a = 0"))
def _round_decimals(self, *, decimals):
    """Round to a number of decimals."""
    refusals.require_float("round_cpu", self)
    scale = self.dtype.type(10.0 ** np.abs(decimals))
    return np.rint(self * scale) / scale if decimals > 0 else np.rint(self / scale) * scale


@op(r"y = a - \operatorname{trunc} a", inplace=True, self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def frac(self):
    """The part after the decimal point."""
    refusals.require_float("frac_cpu", self)
    return self - np.trunc(self)


def _remainder_number(input: Any, other: Any, *, out: Any = None) -> Any:
    if isinstance(input, Tensor):
        return tensors._remainder(input, other, out=out)
    return tensors._number_remainder(other, input)


@op(r"y = a - b \lfloor a / b \rfloor", dtype="promote", tensors=("other",), inplace=True, operators=("__mod__",),
    redirect=("type(other) is Tensor", _remainder_number), self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def remainder(self, other):
    """Remainder with the sign of the divisor."""
    return modulo(self, other)


@op(r"y = a - b \lfloor a / b \rfloor", dtype="promote", function=False, method=False, node="RemainderBackward1",
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, self, other, xp: -grad * xp._div_mode(self, other, rounding_mode="floor"),
              r"\bar b = -\lfloor a / b \rfloor \bar y"))
def _remainder(self, other):
    """Remainder of two tensors, with the sign of the divisor."""
    return modulo(self, other)


@op(r"y = b - a \lfloor b / a \rfloor", dtype="promote", tensors=("other",), function=False, method=False,
    node="NotImplemented",
    self=Vjp(lambda grad: refusals.no_derivative("remainder"), ""))
def _number_remainder(self, other):
    """Remainder of a number, divided by a tensor."""
    return modulo(other, self)


Tensor.__imod__ = augmented(table["remainder"], "__imod__")


def modulo(self: Any, other: Any) -> Any:
    """Return the remainder with the divisor's sign, as torch computes it."""
    if self.dtype.kind == "b":
        raise refusals.not_implemented("remainder_cpu", self)
    if self.dtype.kind != "f":
        broadcast_shapes(self.shape, np.shape(other))
        refusals.check_integer_divisor(self, other)
        return np.remainder(self, other)
    rest = np.fmod(self, other)
    return np.where((rest != 0) & ((other < 0) != (rest < 0)), rest + other, rest)


def _fmod_tensor(input: Any, other: Any, *, out: Any = None) -> Any:
    return tensors._fmod(input, other, out=out)


@op(r"y = a - b \operatorname{trunc}(a / b)", dtype="promote", tensors=("other",), inplace=True,
    redirect=("type(other) is Tensor", _fmod_tensor), self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def fmod(self, other):
    """Remainder with the sign of the dividend."""
    return truncated_remainder(self, other)


@op(r"y = a - b \operatorname{trunc}(a / b)", dtype="promote", function=False, method=False, node="FmodBackward1",
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    other=Vjp(lambda grad, self, other, xp: -grad * xp._div_mode(self, other, rounding_mode="trunc"),
              r"\bar b = -\operatorname{trunc}(a / b) \bar y"))
def _fmod(self, other):
    """Remainder of two tensors, with the sign of the dividend."""
    return truncated_remainder(self, other)


def truncated_remainder(self: Any, other: Any) -> Any:
    """Return the remainder with the dividend's sign."""
    if self.dtype.kind == "b":
        raise refusals.not_implemented("fmod_cpu", self)
    if self.dtype.kind != "f":
        broadcast_shapes(self.shape, np.shape(other))
        refusals.check_integer_divisor(self, other)
    return np.fmod(self, other)


def _reversed_remainder(self: Any, other: Any) -> Any:
    if isinstance(other, np.generic):
        other = other.item()
    return tensors._number_remainder(self, other) if isinstance(other, (int, float)) else NotImplemented


Tensor.__rmod__ = _reversed_remainder
