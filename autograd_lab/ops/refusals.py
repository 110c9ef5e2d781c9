"""What pointwise operations refuse: torch's errors for dtypes and numbers that an operation does not take."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.fma import multiply_add


def scaled(other: Any, alpha: Any) -> Any:
    """Return alpha times an array, after torch's checks of alpha."""
    if hasattr(alpha, "_array"):
        alpha = alpha.item()
    kind = other.dtype.kind
    if isinstance(alpha, bool) and kind != "b":
        raise RuntimeError("Boolean alpha only supported for Boolean results.")
    if isinstance(alpha, float) and kind != "f":
        raise RuntimeError("For integral input tensors, argument alpha must not be a floating point number.")
    if kind == "b":
        return other if alpha else np.zeros_like(other)
    return alpha * other


def plus_scaled(self: Any, other: Any, alpha: Any, sign: int = 1) -> Any:
    """Return an array plus (or, sign -1, minus) alpha times another, after torch's checks of alpha."""
    if self.dtype.kind != "f" or isinstance(alpha, bool):
        return self + scaled(other, alpha) if sign == 1 else self - scaled(other, alpha)
    alpha = alpha.item() if hasattr(alpha, "_array") else alpha
    return multiply_add(other, self.dtype.type(sign * alpha), self)


def over(number: Any, array: Any) -> Any:
    """Return a number divided by an array inside a formula; torch writes it into the array's dtype."""
    kind = from_numpy(getattr(array, "_array", array).dtype)
    if not kind.is_floating_point:
        raise RuntimeError(f"result type Float can't be cast to the desired output type {kind.scalar_name}")
    return number / array


def apart(self: Any, other: Any) -> Any:
    """Return the difference of two operands inside a formula, where torch lets no bools be subtracted either."""
    kinds = [np.asarray(getattr(one, "_array", one)).dtype.kind for one in (self, other)]
    if "b" in kinds:
        raise bool_subtraction(kinds == ["b", "b"])
    return self - other


def negated(array: Any) -> Any:
    """Return the negative of an operand inside a formula, where torch refuses bools too."""
    if getattr(array, "_array", array).dtype.kind == "b":
        raise bool_negation()
    return -array


def bool_subtraction(both: bool) -> Exception:
    """Bools are subtracted."""
    if both:
        return RuntimeError(
            "Subtraction, the `-` operator, with two bool tensors is not supported. Use the `^` or `logical_xor()` "
            "operator instead."
        )
    return RuntimeError(
        "Subtraction, the `-` operator, with a bool tensor is not supported. If you are trying to invert a mask, use "
        "the `~` or `logical_not()` operator instead."
    )


def bool_negation() -> Exception:
    """A bool is negated."""
    return RuntimeError(
        "Negation, the `-` operator, on a bool tensor is not supported. If you are trying to invert a mask, use the "
        "`~` or `logical_not()` operator instead."
    )


def not_implemented(kernel: str, array: Any) -> Exception:
    """torch's kernel does not know the dtype."""
    return NotImplementedError(f"\"{kernel}\" not implemented for '{from_numpy(array.dtype).scalar_name}'")


def require_float(kernel: str, array: Any) -> None:
    """Raise torch's NotImplementedError unless the array is floating-point."""
    if array.dtype.kind != "f":
        raise not_implemented(kernel, array)


def unlike_batches(self: Any, mat2: Any) -> Exception:
    """Batches of matrices of two dtypes or of bools; small ones, floats and others run in kernels of their own."""
    a, b = from_numpy(self.dtype), from_numpy(mat2.dtype)
    if self.shape[1] * self.shape[2] * mat2.shape[2] < 400:
        if self.dtype.kind == "b":
            return not_implemented("bmm", self)
        return RuntimeError(f"expected scalar type {a.scalar_name} but found {b.scalar_name}")
    if mat2.dtype.kind == "f" and mat2.dtype.itemsize > 2:
        return RuntimeError(f"expected scalar type {b.scalar_name} but found {a.scalar_name}")
    if a is not b:
        return RuntimeError(f"expected m1 and m2 to have the same dtype, but got: {a.cpp_name} != {b.cpp_name}")
    return not_implemented("addmm_impl_cpu_", self)


def check_integer_divisor(self: Any, other: Any) -> None:
    """Raise as torch does when integers are divided by zero; nothing is divided where the result has no elements."""
    if not np.all(other) and np.size(self):
        raise RuntimeError("ZeroDivisionError")


def no_derivative(name: str) -> Any:
    """Raise: torch has no derivative for this operation."""
    raise RuntimeError(f"derivative for aten::{name} is not implemented")


def no_inplace_derivative(name: str) -> Any:
    """Raise: torch has no derivative for the in-place form of this operation."""
    raise NotImplementedError(f"the derivative for 'inplace version of {name}' is not implemented.")


def not_differentiated(name: str) -> Any:
    """Raise: torch's table of derivatives says that this operation has none."""
    raise NotImplementedError(f"the derivative for '{name}' is not implemented.")
