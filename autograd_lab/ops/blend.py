"""Pointwise operations of two or three tensors that mix products, quotients and logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.fma import multiply_add
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals


def _lerp_by_tensor(input: Any, end: Any, weight: Any, *, out: Any = None) -> Any:
    return tensors._lerp(input, end, weight, out=out)


def _one_dtype(start: Any, end: Any, weight: Any = None) -> None:
    for name, one in (("end", end), ("weight", weight)):
        if one is not None and one.dtype != start.dtype:
            kinds = [from_numpy(array.dtype).cpp_name for array in (start, one)]
            raise RuntimeError(f"expected dtype {kinds[0]} for `{name}` but got dtype {kinds[1]}")


def _between(start: Any, end: Any, weight: Any) -> Any:
    # From the nearer end, as torch does, so that weight 1 gives exactly `end`.
    apart = end - start
    weight = weight if hasattr(weight, "ndim") else apart.dtype.type(weight)
    if not np.ndim(weight):
        near = -0.5 < weight < 0.5
        return multiply_add(apart, weight, start) if near else multiply_add(-apart, 1 - weight, end)
    far = multiply_add(-apart, 1 - weight, end)
    return np.where(np.abs(weight) < 0.5, multiply_add(apart, weight, start), far)


@op(r"y = a + w (b - a)", dtype="promote", inplace=True, redirect=("type(weight) is Tensor", _lerp_by_tensor),
    checks=_one_dtype,
    self=Vjp(lambda grad, weight: grad * (1 - weight), r"\bar a = (1 - w) \bar y"),
    end=Vjp(lambda grad, weight: grad * weight, r"\bar b = w \bar y"))
def lerp(self, end, weight):
    """Go from the input towards `end` by the fraction `weight`."""
    refusals.require_float("lerp_kernel_scalar", self)
    return _between(self, end, weight)


@op(r"y = a + w (b - a)", dtype="promote", function=False, method=False, node="LerpBackward1", checks=_one_dtype,
    self=Vjp(lambda grad, weight: grad * (1 - weight), r"\bar a = (1 - w) \bar y"),
    end=Vjp(lambda grad, weight: grad * weight, r"\bar b = w \bar y"),
    weight=Vjp(lambda grad, self, end: grad * (end - self), r"\bar w = (b - a) \bar y"))
def _lerp(self, end, weight):
    """Go from the input towards `end` by fractions that are a tensor."""
    refusals.require_float("lerp_kernel_tensor", self)
    return _between(self, end, weight)


@op(r"y = a + v \, b \odot c", dtype="promote", inplace=True, numbers=False,
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    tensor1=Vjp(lambda grad, tensor2, value: grad * (tensor2 * value), r"\bar b = v \bar y \odot c"),
    tensor2=Vjp(lambda grad, tensor1, value: grad * (tensor1 * value), r"\bar c = v \bar y \odot b"))
def addcmul(self, tensor1, tensor2, *, value=1):
    """Add `value` times the product of two tensors."""
    if self.dtype.kind == "b":
        raise refusals.not_implemented("addcmul_cpu_out", self)
    if self.dtype.kind != "f":
        return self + (value if self.dtype.kind == "f" else int(value)) * tensor1 * tensor2
    scaled = tensor1 if value == 1 else tensor1.dtype.type(value) * tensor1
    return multiply_add(scaled, tensor2, self)


def _no_integer_division(self: Any, tensor1: Any, tensor2: Any) -> None:
    if tensor1.dtype.kind != "f" and tensor2.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will "
            "perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
            "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + "
            "value * "
            "tensor1 / tensor2), for all dtypes."
        )


@op(r"y = a + v \, b / c", dtype="promote", inplace=True, numbers=False,
    checks=_no_integer_division,
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    tensor1=Vjp(lambda grad, tensor2, value: grad * refusals.over(value, tensor2), r"\bar b = v \bar y / c"),
    tensor2=Vjp(lambda grad, tensor1, tensor2, value: -grad * (value * tensor1 / (tensor2 * tensor2)),
                r"\bar c = -v \bar y \, b / c^2"))
def addcdiv(self, tensor1, tensor2, *, value=1):
    """Add `value` times the quotient of two tensors."""
    _no_integer_division(self, tensor1, tensor2)
    return self + value * tensor1 / tensor2


def _log_times(self: Any, other: Any) -> Any:
    found = np.where(self == 0, 0, self * np.log(other)).astype(self.dtype)
    return np.where(np.isnan(other), other, found)


def _with_number(input: Any, other: Any, *, out: Any = None) -> Any:
    if isinstance(input, Tensor) and isinstance(other, (int, float)):
        return tensors._xlogy_number(input, other, out=out)
    if isinstance(other, Tensor) and isinstance(input, (int, float)):
        return tensors._number_xlogy(other, input, out=out)
    raise TypeError(
        f"xlogy() received an invalid combination of arguments - got (Tensor, {type(other).__name__}), but "
        f"expected one of:\n"
        " * (Tensor input, Tensor other, *, Tensor out = None)\n * (Number self, Tensor other, *, Tensor out = None)\n"
        " * (Tensor input, Number other, *, Tensor out = None)\n"
    )


def _number_slope(grad, self, other, xp):
    factor = xp._xlogy_number(grad, other)
    return xp.masked_fill(factor, self == 0, 0) if other <= 0 else factor


@op(r"y = a \ln b", dtype="float", function=False, method=False, node="XlogyBackward2",
    self=Vjp(_number_slope, r"\bar a = \bar y \ln b"))
def _xlogy_number(self, other):
    """Multiply by the logarithm of a number."""
    return _log_times(self, self.dtype.type(other))


@op(r"y = b \ln a", dtype="float", function=False, method=False, node="XlogyBackward1",
    other=Vjp(lambda grad, self, other: grad * self / other, r"\bar a = \bar y \, b / a"))
def _number_xlogy(other, self):
    """Multiply a number by the logarithm of a tensor."""
    return _log_times(other.dtype.type(self), other)


@op(r"y = a \ln b", dtype="float", inplace=True,
    redirect=("type(other) is not Tensor or type(input) is not Tensor", _with_number),
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.xlogy(grad, other), (self == 0) & (other <= 0), 0),
             r"\bar a = \bar y \ln b"),
    other=Vjp(lambda grad, self, other: grad * self / other, r"\bar b = \bar y \, a / b"))
def xlogy(self, other):
    """Multiply by the logarithm of `other`; 0 where the input is 0."""
    return _log_times(self, other)


@op(r"y = \ln(e^a + e^b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp(refusals.apart(other, self))),
             r"\bar a = \bar y \, e^{a - y}"),
    other=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp(refusals.apart(self, other))),
             r"\bar b = \bar y \, e^{b - y}"))
def logaddexp(self, other):
    """Logarithm of the sum of two exponentials, without overflow."""
    broadcast_shapes(self.shape, other.shape)
    refusals.require_float("logaddexp_cpu", self)
    return np.logaddexp(self, other)


@op(r"y = \log_2(2^a + 2^b)", dtype="promote", node="Logaddexp2Backward0",
    self=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp2(refusals.apart(other, self))),
             r"\bar a = \bar y \, 2^{a - y}"),
    other=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp2(refusals.apart(self, other))),
             r"\bar b = \bar y \, 2^{b - y}"))
def logaddexp2(self, other):
    """Logarithm to base 2 of the sum of two powers of 2."""
    broadcast_shapes(self.shape, other.shape)
    refusals.require_float("logaddexp2_cpu", self)
    return np.logaddexp2(self, other)
