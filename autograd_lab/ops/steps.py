"""Pointwise oddities: heaviside, nextafter, copysign; and the questions that torch answers about dtypes."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import promotion
from autograd_lab.core.op import Vjp, functions, op
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals


def _one_dtype(self: Any, values: Any) -> None:
    raise RuntimeError("heaviside is not yet implemented for tensors with different dtypes.")


@op(r"y = [a > 0] + b \, [a = 0]", dtype="promote", numbers=False, node="NotImplemented", checks=_one_dtype,
    self=Vjp(lambda grad: refusals.no_derivative("heaviside")),
    values=Vjp(lambda grad: refusals.no_derivative("heaviside")))
def heaviside(self, values):
    """Step function: 0 below zero, 1 above, `values` at zero."""
    return np.where(self == 0, values, (self > 0).astype(self.dtype))


@op(r"y = \text{the float after } a \text{ towards } b", dtype="promote", numbers=False, inplace=True,
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(grad, self == other, 0), r"\bar a = [a \ne b] \, \bar y"),
    other=Vjp(lambda grad, self, other, xp: xp.zeros_like(grad), r"\bar b = 0"))
def nextafter(self, other):
    """The next representable number towards `other`."""
    broadcast_shapes(self.shape, other.shape)
    refusals.require_float("nextafter_cpu", self)
    return np.nextafter(self, other)


@op(r"y = |a| \operatorname{sgn} b", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, result, xp: grad * xp.masked_fill(result / self, self == 0, 0),
             r"\bar a = \bar y \, y / a"),
    other=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar b = 0"))
def copysign(self, other):
    """The magnitude of the input with the sign of `other`."""
    return np.copysign(self, other)


def _parts(value: Any) -> tuple[Any, int]:
    if isinstance(value, Tensor):
        return promotion.category(value._array)
    return promotion.category(value)


def result_type(tensor1: Any, tensor2: Any) -> Any:
    """Return the dtype that an operation on two tensors or numbers would give.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.result_type.html
    """
    return promotion.result_type(*_parts(tensor1), *_parts(tensor2))


functions |= {"result_type": result_type, "can_cast": promotion.can_cast, "promote_types": promotion.promote_types}
