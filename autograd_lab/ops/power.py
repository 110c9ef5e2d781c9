"""Powers: of a tensor to a number, of a tensor to a tensor, of a number to a tensor."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, functions, op, table, tensors
from autograd_lab.core.promotion import number_dtype
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals

_NUMBERS = (int, float)


def _other_overloads(input: Any, exponent: Any, *, out: Any = None) -> Any:
    if isinstance(exponent, np.generic):
        return tensors.pow(input, exponent.item(), out=out)
    if isinstance(exponent, complex):
        raise fail.complex_number()
    if isinstance(exponent, Tensor):
        if isinstance(input, Tensor):
            return tensors._pow_tensors(input, exponent, out=out)
        if isinstance(input, _NUMBERS):
            return tensors._pow_number(exponent, input, out=out)
        raise fail.bad_argument("pow", "input", input, 1)
    if isinstance(exponent, _NUMBERS):      # bools and subclasses of int and float; the input is no tensor
        if isinstance(input, Tensor):
            if exponent.__class__ is bool and input._array.dtype.kind == "b":
                return tensors.bitwise_or(input, not exponent, out=out)
            return tensors.pow(input, int(exponent) if isinstance(exponent, int) else float(exponent), out=out)
        raise fail.bad_argument("pow", "input", input, 1)
    raise TypeError(
        f"pow() received an invalid combination of arguments - got (Tensor, {type(exponent).__name__}), but "
        f"expected one of:\n"
        " * (Tensor input, Tensor exponent, *, Tensor out = None)\n * (Number self, Tensor exponent, *, Tensor "
        "out = None)\n"
        " * (Tensor input, Number exponent, *, Tensor out = None)\n"
    )


def _power_operator(self: Any, exponent: Any) -> Any:
    if isinstance(exponent, (*_NUMBERS, Tensor, np.generic)):
        return tensors.pow(self, exponent)
    if isinstance(exponent, complex):
        raise fail.complex_number()
    return NotImplemented


def _slope(grad, self, exponent, xp):
    return xp.zeros_like(self) if exponent == 0 else grad * (exponent * xp.pow(self, exponent - 1))


@op(r"y = a^n", inplace=True, operators=("__pow__",),
    redirect=("type(exponent) is not int and type(exponent) is not float", _other_overloads, _power_operator),
    self=Vjp(_slope, r"\bar a = n \, a^{n-1} \odot \bar y"))
def pow(self, exponent):
    """Raise to a power: a number or a tensor."""
    if self.dtype.kind != "f":
        self = _integers(self, exponent)
    if exponent == 2:
        return self * self
    if exponent == 1:
        return +self
    if exponent == 3 and self.itemsize > 2:
        return self * self * self
    if exponent in _SPECIAL:
        return _SPECIAL[exponent](self)
    return np.power(self, exponent)


# torch takes these powers by other means than `pow`, and at -0 and -inf it shows.
_SPECIAL: dict[float, Any] = {0.5: np.sqrt, -0.5: lambda array: 1 / np.sqrt(array), -1: lambda array: 1 / array,
                              -2: lambda array: 1 / (array * array)}  # fmt: skip


def _integers(self: Any, exponent: Any) -> Any:
    target = number_dtype(exponent, self.dtype)
    if target.kind in "iu" and exponent < 0:
        raise RuntimeError("Integers to negative integer powers are not allowed.")
    return self.astype(target)


def _slope_of_exponent(grad, self, exponent, result, xp):
    return grad * xp.where((self == 0) & (exponent >= 0), 0.0, result * xp.log(self))


@op(r"y = a^b", dtype="promote", function=False, method=False, node="PowBackward1",
    self=Vjp(lambda grad, self, exponent, xp: xp.where(
                 exponent == 0, 0.0, grad * (exponent * xp._pow_tensors(self, refusals.apart(exponent, 1)))),
             r"\bar a = b \, a^{b-1} \odot \bar y"),
    exponent=Vjp(_slope_of_exponent, r"\bar b = y \ln a \odot \bar y"))
def _pow_tensors(self, exponent):
    """Raise a tensor to powers that are a tensor."""
    if self.dtype.kind == "b":
        raise NotImplementedError("\"pow\" not implemented for 'Bool'")
    if self.dtype.kind in "iu":
        return integer_power(self, exponent)
    if exponent.ndim == 0 and exponent == 0.5:     # NumPy takes a root here, which keeps -0.0 and has none of -inf
        exponent = np.full(self.shape, exponent)
    return np.power(self, exponent)


def integer_power(self: Any, exponent: Any) -> Any:
    """Return integer powers; a negative one is 0 unless the base is 1 or -1."""
    negative = exponent < 0
    found = np.power(self, np.where(negative, exponent & 1, exponent).astype(self.dtype)).astype(self.dtype)
    return np.where(negative & (np.abs(self) != 1), self.dtype.type(0), found)


def _slope_of_number(grad, self, exponent, result, xp):
    slope = result * (math.log(self) if self > 0 else -math.inf if self == 0 else math.nan)
    return grad * (xp.where(exponent >= 0, 0.0, slope) if self == 0 else slope)


@op(r"y = b^a", function=False, method=False, row_order=True, node="PowBackward2",
    exponent=Vjp(_slope_of_number, r"\bar a = y \ln b \odot \bar y"))
def _pow_number(exponent, self):
    """Raise a number to powers that are a tensor."""
    target = number_dtype(self, exponent.dtype)
    if target.kind == "b":
        raise refusals.not_implemented("pow", exponent)
    base, power = target.type(self), exponent.astype(target)
    return integer_power(base, power) if target.kind in "iu" else np.power(base, power)


def _reversed(self: Any, other: Any) -> Any:
    if isinstance(other, np.generic):
        other = other.item()
    return tensors.pow(other, self) if isinstance(other, _NUMBERS) else NotImplemented


def square(input: Any, *, out: Any = None) -> Any:
    """Return the square of each element; the graph shows it as a power."""
    return tensors.pow(input, 2, out=out)


def square_(self: Tensor) -> Tensor:
    """Square the tensor in place."""
    return run_inplace(table["pow"], self, (2,), {})


def _inplace_power(self: Tensor, exponent: Any) -> Any:
    return run_inplace(table["pow"], self, (exponent,), {})


def float_power(input: Any, exponent: Any, *, out: Any = None) -> Any:
    """Raise to a power in double precision."""
    def double(value: Any) -> Any:
        return tensors._to_copy(value, dtypes.float64) if isinstance(value,
            Tensor) and value._array.dtype != np.float64 else value

    exponent = double(exponent) if isinstance(exponent, Tensor) else float(exponent)
    return tensors.pow(double(input) if isinstance(input, Tensor) else float(input), exponent, out=out)


functions |= {"square": square, "float_power": float_power}
Tensor.square, Tensor.square_, Tensor.float_power = square, square_, float_power
Tensor.__rpow__, Tensor.__ipow__ = _reversed, _inplace_power
