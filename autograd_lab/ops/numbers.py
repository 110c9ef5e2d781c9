"""The forms that torch's own C++ code uses for a tensor and a number: MulBackward1, DivBackward1, AddBackward1."""

from __future__ import annotations

from autograd_lab.core.op import Vjp, op

HIDDEN = {"function": False, "method": False}


@op(r"y = c\,a", node="MulBackward1", **HIDDEN,
    self=Vjp(lambda grad, other, xp: xp.mul_number(grad, other), r"\bar a = c\,\bar y"))
def mul_number(self, other):
    """Multiply by a number."""
    return self * self.dtype.type(other)


@op(r"y = a / c", node="DivBackward1", **HIDDEN,
    self=Vjp(lambda grad, other, xp: xp.div_number(grad, other), r"\bar a = \bar y / c"))
def div_number(self, other):
    """Divide by a number."""
    return self / self.dtype.type(other)


@op(r"y = a + c", node="AddBackward1", **HIDDEN, self=Vjp(lambda grad: grad, r"\bar a = \bar y"))
def add_number(self, other):
    """Add a number."""
    return self + self.dtype.type(other)
