"""Operations that choose: where, clamp, maximum and minimum, relu, masked_fill, nan_to_num."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.op import Vjp, functions, op, tensors
from autograd_lab.core.promotion import can_cast
from autograd_lab.core.public import absent
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals


def _where_is_true(condition: Any, input: Any = None, other: Any = None, *, out: Any = None) -> Any:
    return functions["nonzero"](condition, as_tuple=True)


@op(r"y = \begin{cases} a & c \\ b & \neg c \end{cases}", dtype="promote", tensors=("condition",),
    promoted=("self", "other"),
    method=False, redirect=("input is None and other is None", _where_is_true),
    self=Vjp(lambda grad, condition, xp: xp.where(condition, grad, 0), r"\bar a = c \odot \bar y"),
    other=Vjp(lambda grad, condition, xp: xp.where(condition, 0, grad), r"\bar b = \neg c \odot \bar y"))
def where(condition, self=None, other=None):
    """Take elements of `input` where the condition holds, of `other` elsewhere."""
    if condition.dtype == np.uint8:
        from autograd_lab.core.switches import warn_once

        warn_once("where", "where received a uint8 condition tensor. This behavior is deprecated and will be removed "
                  "in a future version of PyTorch. Use a boolean condition instead.", stacklevel=4)  # fmt: skip
        condition = condition != 0
    if condition.dtype.kind != "b":
        name = dtypes.from_numpy(condition.dtype).scalar_name
        raise RuntimeError(f"where expected condition to be a boolean tensor, but got a tensor with dtype {name}")
    try:
        return np.where(condition, self, other)
    except ValueError:
        broadcast_shapes(*map(np.shape, (condition, self, other)))
        raise


def _where_method(self: Tensor, condition: Tensor, other: Any) -> Tensor:
    """Return the tensor's elements where the condition holds, those of `other` elsewhere."""
    return tensors.where(condition, self, other)


Tensor.where = _where_method


def _fill_by_tensor(input: Any, mask: Any, value: Any) -> Any:
    if value._array.ndim:
        raise RuntimeError(
            "masked_fill_ only supports a 0-dimensional value tensor, but got tensor with "
            f"{value._array.ndim} dimension(s)."
        )
    return tensors._masked_fill(input, mask, value)


def _check_mask(mask: Any) -> None:
    if mask.dtype.kind != "b":
        name = dtypes.from_numpy(mask.dtype).cpp_name
        raise RuntimeError(f"masked_fill_ only supports boolean masks, but got mask with dtype {name}")


@op(r"y = \begin{cases} v & m \\ a & \neg m \end{cases}", tensors=("mask",), inplace=True, out=False, fix="always",
    overlaps="masked_fill_",
    redirect=("type(value) is Tensor", _fill_by_tensor),
    self=Vjp(lambda grad, mask, xp: xp.masked_fill(grad, mask, 0), r"\bar a = \neg m \odot \bar y"))
def masked_fill(self, mask, value):
    """Put `value` where the mask is True."""
    return _filled(self, mask, value)


@op(r"y = \begin{cases} v & m \\ a & \neg m \end{cases}", tensors=("mask",), node="MaskedFillBackward1", out=False,
    function=False, method=False, fix="always",
    self=Vjp(lambda grad, mask, xp: xp.masked_fill(grad, mask, 0), r"\bar a = \neg m \odot \bar y"),
    value=Vjp(lambda grad, mask, xp: xp.where(mask, grad, 0).sum(), r"\bar v = \textstyle\sum_m \bar y"))
def _masked_fill(self, mask, value):
    """Put the 0-d tensor `value` where the mask is True."""
    return _filled(self, mask, value)


def _filled(self: Any, mask: Any, value: Any, inplace: bool = False) -> Any:
    _check_mask(mask)
    if isinstance(value, (int, float)):
        check_fits(value, self.dtype)
    if isinstance(value, float) and self.dtype.kind != "f":
        value = self.dtype.type(value)
    broadcast_shapes(*((self.shape, mask.shape) if inplace else (mask.shape, self.shape)))
    return np.asarray(np.where(mask, np.asarray(value).astype(self.dtype), self), order="C")


def _between(self, min, max):
    if min is None:
        return self <= max
    return self >= min if max is None else (self >= min) & (self <= max)


def _clamp_by_tensors(input: Any, min: Any = None, max: Any = None, *, out: Any = None) -> Any:
    for bound in (min, max):
        if bound is not None and not isinstance(bound, Tensor):
            kinds = ", ".join(type(one).__name__ for one in (min, max))
            raise TypeError(
                f"clamp() received an invalid combination of arguments - got ({kinds}), but expected one of:\n"
                " * (Tensor min = None, Tensor max = None)\n * (Number min = None, Number max = None)\n"
            )
    return tensors._clamp(input, min, max, out=out)


@op(r"y = \min(\max(a, l), h)", inplace=True, node="ClampBackward1", aliases=("clip",),
    redirect=("type(min) is Tensor or type(max) is Tensor", _clamp_by_tensors),
    self=Vjp(lambda grad, self, min, max, xp: xp.where(_between(self, min, max), grad, 0),
             r"\bar a = [l \le a \le h] \, \bar y"))
def clamp(self, min=None, max=None):
    """Keep every element between `min` and `max`; the derivative at the bounds themselves is 1."""
    if min is None and max is None:
        raise RuntimeError("torch.clamp: At least one of 'min' or 'max' must not be None")
    self = _met(self, min, max)
    if min is not None:
        self = np.maximum(_fitted(min, self), self)     # of two zeros the second one comes out: -0.0 stays
    return self if max is None else np.minimum(_fitted(max, self), self)


def _met(self: Any, min: Any, max: Any) -> Any:
    """Return the array in the dtype in which it meets the numbers, which have to fit into it."""
    bounds = [one for one in (min, max) if one is not None]
    for bound in bounds:
        if type(bound) is int:
            check_fits(bound, self.dtype)
    met = meeting(self.dtype, bounds)
    if met.kind == "b":
        form = "_max" if min is None else "_min" if max is None else ""
        raise refusals.not_implemented(f"clamp{form}_scalar_cpu", self)
    return self if met is self.dtype else self.astype(met)


def meeting(dtype: np.dtype, bounds: Any) -> np.dtype:
    """Return the dtype in which a tensor meets numbers."""
    if dtype.kind == "f" or all(type(bound) is bool for bound in bounds):
        return dtype
    if any(isinstance(bound, float) for bound in bounds):
        return dtypes.default_numpy()
    return np.dtype(np.int64) if dtype.kind == "b" else dtype


def _fitted(bound: Any, array: Any) -> Any:
    """Return a bound that an unsigned array can meet: a negative one wraps around, as in C."""
    return np.array(bound).astype(array.dtype) if array.dtype.kind == "u" else bound


def _clamping(name: str) -> None:
    """Let the in-place form refuse a dtype in the words of this kernel, which calls dtypes by their names in C++."""
    twin = getattr(Tensor, name)

    def method(self: Any = absent, /, *args: Any, **kwargs: Any) -> Any:
        bounds = [one for one in (*args, *kwargs.values()) if isinstance(one, (bool, int, float))]
        if bounds and isinstance(self, Tensor) and len(bounds) == len(args) + len(kwargs):
            met, own = dtypes.from_numpy(meeting(self._array.dtype, bounds)), self.dtype
            if not can_cast(met, own):
                raise RuntimeError(f"result type {met.scalar_name} can't be cast to the desired output type "
                                   f"{own.cpp_name}")  # fmt: skip
        return twin(self, *args, **kwargs)

    method.__name__ = method.__qualname__ = name
    method.__doc__, method.is_public = twin.__doc__, True  # type: ignore[attr-defined]
    setattr(Tensor, name, method)


for _name in ("clamp_", "clip_"):
    _clamping(_name)


def _min_of(grad, self, min, max, xp):
    below = self < min
    return xp.where(below if max is None else (min < max) & below, grad, 0)


def _max_of(grad, self, min, max, xp):
    above = self > max
    return xp.where(above if min is None else (max < min) | above, grad, 0)


@op(r"y = \min(\max(a, l), h)", dtype="promote", function=False, method=False, node="ClampBackward0",
    optional=("min", "max"),
    self=Vjp(lambda grad, self, min, max, xp: xp.where(_between(self, min, max), grad, 0),
             r"\bar a = [l \le a \le h] \, \bar y"),
    min=Vjp(_min_of, r"\bar l = [a < l < h] \, \bar y"), max=Vjp(_max_of, r"\bar h = [a > h] \, \bar y"))
def _clamp(self, min=None, max=None):
    """Keep every element between two tensors."""
    if min is not None:
        self = np.maximum(min, self)
    return self if max is None else np.minimum(max, self)


def _clamp_min_tensor(input: Any, min: Any, *, out: Any = None) -> Any:
    return tensors._clamp_min(input, min, out=out)


def _clamp_max_tensor(input: Any, max: Any, *, out: Any = None) -> Any:
    return tensors._clamp_max(input, max, out=out)


@op(r"y = \max(a, l)", inplace=True, redirect=("type(min) is Tensor", _clamp_min_tensor),
    self=Vjp(lambda grad, self, min, xp: xp.where(self >= min, grad, 0), r"\bar a = [a \ge l] \, \bar y"))
def clamp_min(self, min):
    """Raise every element to at least `min`."""
    return np.maximum(_fitted(min, self), _met(self, min, None))


@op(r"y = \min(a, h)", inplace=True, redirect=("type(max) is Tensor", _clamp_max_tensor),
    self=Vjp(lambda grad, self, max, xp: xp.where(self <= max, grad, 0), r"\bar a = [a \le h] \, \bar y"))
def clamp_max(self, max):
    """Lower every element to at most `max`."""
    return np.minimum(_fitted(max, self), _met(self, None, max))


for _name in ("clamp_min_", "clamp_max_"):
    _clamping(_name)


@op(r"y = \max(a, l)", dtype="promote", function=False, method=False, node="ClampMinBackward1",
    self=Vjp(lambda grad, self, min, xp: xp.where(self >= min, grad, 0), r"\bar a = [a \ge l] \, \bar y"),
    min=Vjp(lambda grad, self, min, xp: xp.where(self < min, grad, 0), r"\bar l = [a < l] \, \bar y"))
def _clamp_min(self, min):
    """Raise every element to at least a tensor."""
    return np.maximum(min, self)


@op(r"y = \min(a, h)", dtype="promote", function=False, method=False, node="ClampMaxBackward1",
    self=Vjp(lambda grad, self, max, xp: xp.where(self <= max, grad, 0), r"\bar a = [a \le h] \, \bar y"),
    max=Vjp(lambda grad, self, max, xp: xp.where(self > max, grad, 0), r"\bar h = [a > h] \, \bar y"))
def _clamp_max(self, max):
    """Lower every element to at most a tensor."""
    return np.minimum(max, self)
