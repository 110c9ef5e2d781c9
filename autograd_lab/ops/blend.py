"""Pointwise operations of two or three tensors that mix products, quotients and logarithms."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.fma import multiply_add
from autograd_lab.core.op import Vjp, op, tensors


def _lerp_by_tensor(input: Any, end: Any, weight: Any, *, out: Any = None) -> Any:
    return tensors._lerp(input, end, weight, out=out)


def _between(start: Any, end: Any, weight: Any) -> Any:
    # From the nearer end, as torch does, so that weight 1 gives exactly `end`.
    apart = end - start
    weight = weight if hasattr(weight, "ndim") else apart.dtype.type(weight)
    near = multiply_add(apart, weight, start)
    far = multiply_add(-apart, 1 - weight, end)
    return np.where(np.abs(weight) < 0.5, near, far) if np.ndim(weight) else near if -0.5 < weight < 0.5 else far


@op(r"y = a + w (b - a)", dtype="promote", inplace=True, redirect=("type(weight) is Tensor", _lerp_by_tensor),
    self=Vjp(lambda grad, weight: grad * (1 - weight), r"\bar a = (1 - w) \bar y"),
    end=Vjp(lambda grad, weight: grad * weight, r"\bar b = w \bar y"))
def lerp(self, end, weight):
    """Go from the input towards `end` by the fraction `weight`."""
    return _between(self, end, weight)


@op(r"y = a + w (b - a)", dtype="promote", function=False, method=False, node="LerpBackward1",
    self=Vjp(lambda grad, weight: grad * (1 - weight), r"\bar a = (1 - w) \bar y"),
    end=Vjp(lambda grad, weight: grad * weight, r"\bar b = w \bar y"),
    weight=Vjp(lambda grad, self, end: grad * (end - self), r"\bar w = (b - a) \bar y"))
def _lerp(self, end, weight):
    """Go from the input towards `end` by fractions that are a tensor."""
    return _between(self, end, weight)


@op(r"y = a + v \, b \odot c", dtype="promote", inplace=True, numbers=False,
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    tensor1=Vjp(lambda grad, tensor2, value: grad * (tensor2 * value), r"\bar b = v \bar y \odot c"),
    tensor2=Vjp(lambda grad, tensor1, value: grad * (tensor1 * value), r"\bar c = v \bar y \odot b"))
def addcmul(self, tensor1, tensor2, *, value=1):
    """Add `value` times the product of two tensors."""
    if self.dtype.kind != "f":
        return self + value * tensor1 * tensor2
    scaled = tensor1 if value == 1 else tensor1.dtype.type(value) * tensor1
    return multiply_add(scaled, tensor2, self)


@op(r"y = a + v \, b / c", dtype="promote", inplace=True, numbers=False,
    self=Vjp(lambda grad: grad, r"\bar a = \bar y"),
    tensor1=Vjp(lambda grad, tensor2, value: grad * (value / tensor2), r"\bar b = v \bar y / c"),
    tensor2=Vjp(lambda grad, tensor1, tensor2, value: -grad * (value * tensor1 / (tensor2 * tensor2)), r"\bar c = -v \bar y \, b / c^2"))
def addcdiv(self, tensor1, tensor2, *, value=1):
    """Add `value` times the quotient of two tensors."""
    if self.dtype.kind != "f":
        raise RuntimeError(
            "Integer division with addcdiv is no longer supported, and in a future  release addcdiv will perform a true "
            "division of tensor1 and tensor2. The historic addcdiv behavior can be implemented as (input + value * "
            "torch.trunc(tensor1 / tensor2)).to(input.dtype) for integer inputs and as (input + value * tensor1 / "
            "tensor2) for float inputs. The future addcdiv behavior is just the latter implementation: (input + value * "
            "tensor1 / tensor2), for all dtypes."
        )
    return self + value * tensor1 / tensor2


def _log_times(self: Any, other: Any) -> Any:
    found = np.where(self == 0, 0, self * np.log(other)).astype(self.dtype)
    return np.where(np.isnan(other), other, found)


@op(r"y = a \ln b", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.xlogy(grad, other), (self == 0) & (other <= 0), 0),
             r"\bar a = \bar y \ln b"),
    other=Vjp(lambda grad, self, other: grad * self / other, r"\bar b = \bar y \, a / b"))
def xlogy(self, other):
    """Multiply by the logarithm of `other`; 0 where the input is 0."""
    return _log_times(self, other)


@op(r"y = \ln(e^a + e^b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp(other - self)), r"\bar a = \bar y \, e^{a - y}"),
    other=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp(self - other)), r"\bar b = \bar y \, e^{b - y}"))
def logaddexp(self, other):
    """Logarithm of the sum of two exponentials, without overflow."""
    return np.logaddexp(self, other)


@op(r"y = \log_2(2^a + 2^b)", dtype="promote", node="Logaddexp2Backward0",
    self=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp2(other - self)), r"\bar a = \bar y \, 2^{a - y}"),
    other=Vjp(lambda grad, self, other, xp: grad / (1 + xp.exp2(self - other)), r"\bar b = \bar y \, 2^{b - y}"))
def logaddexp2(self, other):
    """Logarithm to base 2 of the sum of two powers of 2."""
    return np.logaddexp2(self, other)
