"""Comparisons, logic and bits: their results are no numbers that could move a little, so nothing is recorded."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import augmented, run_inplace
from autograd_lab.core.op import Vjp, functions, op, table, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.core.versions import touch
from autograd_lab.ops import refusals
from autograd_lab.ops.words import vanishing

_PAIR: dict[str, Any] = {"tensors": ("self", "other"), "inplace": True}


@op(r"y = [a = b]", dtype="promote", operators=("__eq__",), **_PAIR)
def eq(self, other):
    """Say where both are equal."""
    return self == other


@op(r"y = [a \ne b]", dtype="promote", operators=("__ne__",), aliases=("not_equal",), **_PAIR)
def ne(self, other):
    """Say where both differ."""
    return self != other


@op(r"y = [a < b]", dtype="promote", operators=("__lt__",), aliases=("less",), **_PAIR)
def lt(self, other):
    """Say where the input is smaller."""
    return self < other


@op(r"y = [a \le b]", dtype="promote", operators=("__le__",), aliases=("less_equal",), **_PAIR)
def le(self, other):
    """Say where the input is smaller or equal."""
    return self <= other


@op(r"y = [a > b]", dtype="promote", operators=("__gt__",), aliases=("greater",), **_PAIR)
def gt(self, other):
    """Say where the input is larger."""
    return self > other


@op(r"y = [a \ge b]", dtype="promote", operators=("__ge__",), aliases=("greater_equal",), **_PAIR)
def ge(self, other):
    """Say where the input is larger or equal."""
    return self >= other


@op(r"y = a \wedge b", dtype="promote", numbers=False, **_PAIR)
def logical_and(self, other):
    """Say where both are nonzero."""
    return np.logical_and(self, other)


@op(r"y = a \vee b", dtype="promote", numbers=False, **_PAIR)
def logical_or(self, other):
    """Say where one is nonzero."""
    return np.logical_or(self, other)


@op(r"y = a \oplus b", dtype="promote", numbers=False, **_PAIR)
def logical_xor(self, other):
    """Say where exactly one is nonzero."""
    return np.logical_xor(self, other)


@op(r"y = \neg a", tensors=("self",), inplace=True)
def logical_not(self):
    """Say where the input is zero."""
    return np.logical_not(self)


def _in_place(name: str, compare: Any) -> None:
    """Declare the in-place form, which puts 0 and 1 into the tensor and ends its history: the gradient is 0."""

    def by_tensor(self: Any, other: Any) -> Any:
        return compare(self, other)

    def by_number(self: Any, other: Any) -> Any:
        return compare(self, other)

    by_tensor.__name__, by_number.__name__ = f"_{name}_tensor_", f"_{name}_number_"
    by_tensor.__doc__ = by_number.__doc__ = f"In-place version of {name}."
    rows: dict[str, Any] = {"dtype": "promote", "function": False, "method": False, "out": False, "fix": "always"}
    node = name.capitalize()
    zero, other = Vjp(vanishing, r"\bar a = 0"), Vjp(vanishing, r"\bar b = 0")
    op("", node=f"{node}Backward1", **rows, self=zero, other=other)(by_tensor)
    op("", node=f"{node}Backward0", **rows, tensors=("other",), self=zero)(by_number)

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, (Tensor, int, float)):
            kind = type(other).__name__
            reason = f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n"
            raise TypeError(f"{name}_() received an invalid combination of arguments - got ({kind}), but "
                            f"expected one of:\n"
                            f" * (Tensor other)\n{reason} * (Number other)\n{reason}")  # fmt: skip
        return run_inplace(table[f"_{name}_{'tensor' if isinstance(other, Tensor) else 'number'}_"], self, (other,), {})

    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"In-place version of {name}."
    for public in (name, *LONG_NAMES.get(name, ())):
        setattr(Tensor, f"{public}_", method)


LONG_NAMES = {"ne": ("not_equal",), "lt": ("less",), "le": ("less_equal",), "gt": ("greater",),
              "ge": ("greater_equal",)}
for _name, _compare in (("eq", np.equal), ("ne", np.not_equal), ("lt", np.less), ("le", np.less_equal),
                        ("gt", np.greater),
                        ("ge", np.greater_equal)):  # fmt: skip
    _in_place(_name, _compare)


def _bits(kernel: str, array: Any, other: Any) -> None:
    if array.dtype.kind == "f" or (array.dtype.kind == "b" and "shift" in kernel):
        broadcast_shapes(array.shape, other.shape)      # what is wrong with the shapes comes first
        raise refusals.not_implemented(kernel, array)


@op(r"y = a \mathbin{\&} b", dtype="promote", operators=("__and__", "__rand__"), **_PAIR)
def bitwise_and(self, other):
    """And of bits; for bools, of truth values."""
    _bits("bitwise_and_cpu", self, other)
    return self & other


@op(r"y = a \mathbin{|} b", dtype="promote", operators=("__or__", "__ror__"), **_PAIR)
def bitwise_or(self, other):
    """Or of bits; for bools, of truth values."""
    _bits("bitwise_or_cpu", self, other)
    return self | other


@op(r"y = a \oplus b", dtype="promote", operators=("__xor__", "__rxor__"), **_PAIR)
def bitwise_xor(self, other):
    """Exclusive or of bits; for bools, of truth values."""
    _bits("bitwise_xor_cpu", self, other)
    return self ^ other


@op(r"y = \neg a", tensors=("self",), inplace=True)
def bitwise_not(self):
    """Not of bits; for bools, of truth values."""
    _bits("bitwise_not_cpu", self, self)
    return ~self


def _inverted(self: Tensor) -> Tensor:
    """Return the bits inverted: the operator `~`."""
    if self._array.dtype.kind == "f":
        raise TypeError("~ (operator.invert) is only implemented on integer and Boolean-type tensors")
    return tensors.bitwise_not(self)


Tensor.__invert__ = _inverted  # type: ignore[operator]


@op(r"y = a \cdot 2^b", dtype="promote", operators=("__lshift__",), **_PAIR)
def bitwise_left_shift(self, other):
    """Shift bits to the left."""
    _bits("lshift_cpu", self, other)
    return self << other


@op(r"y = \lfloor a / 2^b \rfloor", dtype="promote", operators=("__rshift__",), **_PAIR)
def bitwise_right_shift(self, other):
    """Shift bits to the right."""
    _bits("rshift_cpu", self, other)
    return self >> other


@op(r"y = [a \text{ is NaN}]", tensors=("self",), out=False)
def isnan(self):
    """Say where the elements are no numbers."""
    return self != self


@op(r"y = [|a| = \infty]", tensors=("self",), out=False)
def isinf(self):
    """Say where the elements are infinite."""
    return np.isinf(self)


@op(r"y = [|a| < \infty]", tensors=("self",), out=False)
def isfinite(self):
    """Say where the elements are finite numbers."""
    return np.isfinite(self)


@op(r"y = [a = \infty]", tensors=("self",))
def isposinf(self):
    """Say where the elements are positive infinity."""
    return self == np.inf


@op(r"y = [a = -\infty]", tensors=("self",))
def isneginf(self):
    """Say where the elements are negative infinity."""
    return self == -np.inf


@op(r"y = [a < 0]", tensors=("self",))
def signbit(self):
    """Say where the sign is negative (also that of -0)."""
    return np.signbit(self) if self.dtype.kind == "f" else self < 0


def _closeness(a: Any, b: Any, rtol: float, atol: float, equal_nan: bool) -> Any:
    equal = a == b
    if equal_nan:
        equal = equal | ((a != a) & (b != b))
    wide = a.dtype if a.dtype.kind == "f" else np.dtype(np.float64)
    apart = np.abs(np.subtract(a, b, dtype=wide))
    allowed = atol + np.abs(np.multiply(b, rtol, dtype=wide))
    return equal | (np.isfinite(apart) & (apart <= allowed))


@op(r"y = [|a - b| \le \epsilon_a + \epsilon_r |b|]", tensors=("self", "other"), out=False, numbers=False)
def isclose(self, other, rtol=1e-05, atol=1e-08, equal_nan=False):
    """Say where two tensors agree within a tolerance."""
    if self.dtype != other.dtype:
        raise RuntimeError(f"{from_numpy(self.dtype).scalar_name} did not match {from_numpy(other.dtype).scalar_name}")
    if rtol < 0 or atol < 0:
        name, value = ("rtol", rtol) if rtol < 0 else ("atol", atol)
        raise RuntimeError(f"{name} must be greater than or equal to zero, but got {value:g}")
    broadcast_shapes(self.shape, other.shape)
    return _closeness(self, other, rtol, atol, equal_nan)


def _counted(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Tensor:
    """Say where two tensors agree within a tolerance."""
    found = _isclose(input, other, rtol, atol, equal_nan)
    # torch writes what it finds into its first answer, which equality gives, and the version tells.
    for _ in range((equal_nan and input._array.dtype.kind == "f") + bool(rtol or atol)):
        touch(found)
    return found


def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> bool:
    """Say whether two tensors agree everywhere within a tolerance."""
    return bool(tensors.isclose(input, other, rtol, atol, equal_nan)._array.all())


def equal(input: Tensor, other: Tensor) -> bool:
    """Say whether two tensors have one shape and equal elements."""
    for position, value in enumerate((input, other)):
        if not isinstance(value, Tensor):
            raise TypeError(
                f"equal(): argument '{('input', 'other')[position]}' (position {position + 1}) must be Tensor, not "
                f"{type(value).__name__}"
            )
    return bool(np.array_equal(input._array, other._array))


def _reflected(row: str) -> Any:
    def operator(self: Tensor, other: Any) -> Any:
        return getattr(tensors, row)(wrap(np.asarray(other, self._array.dtype)[()]), self)

    return operator


for _row, _dunder in (("and", "iand"), ("or", "ior"), ("xor", "ixor"), ("left_shift", "ilshift"),
                      ("right_shift", "irshift")):  # fmt: skip
    setattr(Tensor, f"__{_dunder}__", augmented(table[f"bitwise_{_row}"], f"__{_dunder}__"))
Tensor.__rlshift__ = _reflected("bitwise_left_shift")  # type: ignore[attr-defined]
Tensor.__rrshift__ = _reflected("bitwise_right_shift")  # type: ignore[attr-defined]
_isclose = tensors.isclose
functions |= {"isclose": _counted}
Tensor.isclose = _counted
functions |= {"allclose": allclose, "equal": equal}
Tensor.allclose, Tensor.equal = allclose, equal
functions |= {"__and__": tensors.bitwise_and, "__or__": tensors.bitwise_or, "__xor__": tensors.bitwise_xor}
