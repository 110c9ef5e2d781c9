"""The larger and the smaller of two tensors, relu, and what replaces NaN."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.op import Vjp, op
from autograd_lab.core.public import absent
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import touch

ZERO = {char: np.array(0, char) for char in "efdbhilqB?"}


# At a tie both inputs get half of the gradient, as torch gives it.
_WHOLE = {2: np.int16, 4: np.int32, 8: np.int64}     # the integers as wide as each float


@op(r"y = \max(a, b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.where(self == other, grad / 2, grad), self < other, 0),
             r"\bar a = [a > b] \, \bar y + \tfrac12 [a = b] \, \bar y"),
    other=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.where(self == other, grad / 2, grad), self > other, 0),
              r"\bar b = [b > a] \, \bar y + \tfrac12 [a = b] \, \bar y"))
def maximum(self, other):
    """Take the larger of two elements; NaN wins."""
    return np.maximum(other, self)      # of two zeros NumPy gives the second one, torch the first


@op(r"y = \min(a, b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.where(self == other, grad / 2, grad), self > other, 0),
             r"\bar a = [a < b] \, \bar y + \tfrac12 [a = b] \, \bar y"),
    other=Vjp(lambda grad, self, other, xp: xp.masked_fill(xp.where(self == other, grad / 2, grad), self < other, 0),
              r"\bar b = [b < a] \, \bar y + \tfrac12 [a = b] \, \bar y"))
def minimum(self, other):
    """Take the smaller of two elements; NaN wins."""
    return np.minimum(other, self)


@op(r"y = \max(a, b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(grad, ~((self >= other) | (other != other)), 0),
             r"\bar a = [a \ge b] \, \bar y"),
    other=Vjp(lambda grad, self, other, xp: xp.masked_fill(grad, (self >= other) | (other != other), 0),
              r"\bar b = [a < b] \, \bar y"))
def fmax(self, other):
    """Take the larger of two elements; a number wins over NaN."""
    return np.fmax(self, other)


@op(r"y = \min(a, b)", dtype="promote",
    self=Vjp(lambda grad, self, other, xp: xp.masked_fill(grad, ~((self <= other) | (other != other)), 0),
             r"\bar a = [a \le b] \, \bar y"),
    other=Vjp(lambda grad, self, other, xp: xp.masked_fill(grad, (self <= other) | (other != other), 0),
              r"\bar b = [a > b] \, \bar y"))
def fmin(self, other):
    """Take the smaller of two elements; a number wins over NaN."""
    return np.fmin(self, other)


@op(r"y = [r > t] \, g", method=False, function=False, out=False, node="ThresholdBackwardBackward0",
    grad_output=Vjp(lambda grad, self, threshold, xp: xp.threshold_backward(grad, self, threshold),
                    r"\bar g = [r > t] \, \bar y"),
    self=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar r = 0"))
def threshold_backward(grad_output, self, threshold):
    """Pass the gradient where `self` exceeds the threshold."""
    zero = ZERO[grad_output.dtype.char]
    barred = self <= (threshold or zero)
    whole = _WHOLE.get(grad_output.dtype.itemsize)
    if type(grad_output) is not np.ndarray or type(barred) is not np.ndarray or grad_output.dtype.kind != "f":
        return np.where(barred, zero, grad_output)
    # By the bits, without a branch: with signs at random np.where is fifty times slower. An infinite gradient gives 0
    # as it must; a product with the mask would give NaN.
    return (grad_output.view(whole) & (barred.astype(whole) - 1)).view(grad_output.dtype)


@op(r"y = \max(a, 0)", inplace=True, out=False,
    self=Vjp(lambda grad, result, xp: xp.threshold_backward(grad, result, 0), r"\bar a = [y > 0] \, \bar y"))
def relu(self):
    """Replace negative elements by 0; the derivative at 0 is 0."""
    if self.dtype.kind == "b":
        raise RuntimeError("Boolean inputs not supported for relu")
    return np.maximum(ZERO[self.dtype.char], self)      # of two zeros the second one comes out: -0.0 stays


def _replaced(value: Any, default: float, array: Any) -> Any:
    return array.dtype.type(default if value is None else value)


@op(r"y = a \text{ without NaN and infinities}", inplace=True,
    self=Vjp(lambda grad, self: grad * ((self - self) == 0), r"\bar a = [a \text{ finite}] \, \bar y"))
def nan_to_num(self, nan=0.0, posinf=None, neginf=None):
    """Replace NaN by `nan`, the infinities by `posinf` and `neginf` (the dtype's extremes if None)."""
    if self.dtype.kind != "f":
        return self.copy("K")
    limits = dtypes.finfo(dtypes.from_numpy(self.dtype))
    found = np.where(np.isnan(self), _replaced(nan, 0.0, self), self)
    found = np.where(self == np.inf, _replaced(posinf, limits.max, self), found)
    return np.where(self == -np.inf, _replaced(neginf, limits.min, self), found)


def _nothing_to_replace(twin: Any) -> Any:
    """Let the in-place form leave integers alone, wherever they stand in memory: nothing of theirs is replaced."""

    def method(self: Any = absent, /, *args: Any, **kwargs: Any) -> Any:
        if not args and not kwargs and isinstance(self, Tensor) and self._array.dtype.kind != "f":
            touch(self)
            return self
        return twin(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = "nan_to_num_"
    method.__doc__, method.is_public = twin.__doc__, True  # type: ignore[attr-defined]
    return method


Tensor.nan_to_num_ = _nothing_to_replace(Tensor.nan_to_num_)
