"""The largest and the smallest element, of everything or along a dimension, and where they stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.dims import axes, wrap_dim
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.along import restore


def _share(grad, self, result, xp):
    """Divide the gradient evenly among all elements that are the extreme one."""
    mask = self == result if result == result else self != self
    return xp.masked_fill(xp.zeros_like(self), mask, grad / int(mask.sum()))


def _overload(name: str) -> Any:
    by_dim, pairwise = f"_{name}_dim", f"{name}imum"

    def choose(input: Any, dim: Any = None, keepdim: bool = False, *, out: Any = None) -> Any:
        if not isinstance(input, Tensor):
            raise fail.bad_argument(name, "input", input, 1)
        if isinstance(dim, Tensor) and not (dim._array.ndim == 0 and dim._array.dtype.kind in "iu" and keepdim):
            return getattr(tensors, pairwise)(input, dim, out=out)
        if isinstance(dim, bool) or not hasattr(dim, "__index__"):
            kind = type(dim).__name__
            raise TypeError(
                f"{name}() received an invalid combination of arguments - got ({kind}), but expected one of:\n * ()\n"
                f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n * (Tensor other)\n"
                f"      didn't match because some of the arguments have invalid types: (!{kind}!)\n"
                " * (int dim, bool keepdim = False)\n"
            )
        return getattr(tensors, by_dim)(input, dim.__index__(), keepdim, out=out)

    return choose


def _everything(name: str, self: Any, reduce: Any) -> Any:
    if not self.size:
        raise RuntimeError(
            f"{name}(): Expected reduction dim to be specified for input.numel() == 0. Specify the reduction dim with "
            "the 'dim' argument."
        )
    return reduce(self, None)


@op(r"y = \max_i a_i", node="MaxBackward1", redirect=("dim is not None", _overload("max")),
    self=Vjp(_share, r"\bar a_i = [a_i = y] \, \bar y / |\{j : a_j = y\}|"))
def max(self, dim=None, keepdim=False):
    """Largest element; with `dim`, the largest along it and its index; with a tensor, the elementwise maximum."""
    return _everything("max", self, np.maximum.reduce)


@op(r"y = \min_i a_i", node="MinBackward1", redirect=("dim is not None", _overload("min")),
    self=Vjp(_share, r"\bar a_i = [a_i = y] \, \bar y / |\{j : a_j = y\}|"))
def min(self, dim=None, keepdim=False):
    """Smallest element; with `dim`, the smallest along it and its index; with a tensor, the elementwise minimum."""
    return _everything("min", self, np.minimum.reduce)


# ------------------------------------------------------------------ along one dimension, with indices
@op(r"\bar a_{i_y} = \bar y", method=False, function=False, out=False, tensors=("indices",),
    node="ValueSelectingReductionBackwardBackward0",
    self=Vjp(lambda grad, dim, indices, keepdim, xp: xp.pick_along(grad, dim, indices, keepdim),
             r"\bar g = \bar{\bar a}_{i_y}"))
def value_selecting_reduction_backward(self, dim, indices, sizes, keepdim):
    """Put the gradient of each selected element at its place among zeros."""
    made = np.zeros(sizes, self.dtype)
    if not sizes:
        return made + self
    dim = wrap_dim(dim, len(sizes))
    grad, where = (self, indices) if keepdim else (np.expand_dims(self, dim), np.expand_dims(indices, dim))
    np.put_along_axis(made, where, grad, dim)
    return made


@op(r"y = a_{i}", method=False, function=False, out=False, tensors=("indices",), node="GatherBackward0",
    self=Vjp(lambda grad, self_sizes, dim, indices, keepdim, xp:
             xp.value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim)))
def pick_along(self, dim, indices, keepdim):
    """Take the elements at the indices along a dimension: the transpose of the operation above."""
    if not self.ndim:
        return self.copy()
    dim = wrap_dim(dim, self.ndim)
    if keepdim:
        return np.take_along_axis(self, indices, dim)
    return np.take_along_axis(self, np.expand_dims(indices, dim), dim).squeeze(dim)


def selected(self: Any, indices: Any, axis: int, keepdim: bool) -> tuple:
    """Return (values, indices) of a reduction that chose `indices` (with its dimension kept)."""
    values = np.take_along_axis(self, indices, axis)
    if keepdim:
        return values, indices
    return values.squeeze(axis)[()], indices.squeeze(axis)[()]


def check_size(name: str, self: Any, dim: int) -> int:
    """Return the wrapped dim; raise if there is nothing to choose from along it."""
    axis = wrap_dim(dim, self.ndim)
    if self.ndim and not self.shape[axis]:
        shown = dim if name in ("amax", "amin") else axis
        raise IndexError(f"{name}(): Expected reduction dim {shown} to have non-zero size.")
    return axis


def _by_dim(name: str, where: Any, reduce: Any) -> None:
    def kernel(self: Any, dim: int, keepdim: bool = False) -> tuple:
        axis = check_size(name, self, dim)
        if not self.ndim:
            return self.copy(), np.int64(0)
        return reduce(self, axis, keepdims=keepdim), where(self, axis, keepdims=keepdim)

    kernel.__name__ = f"_{name}_dim"
    which = "largest" if name == "max" else "smallest"
    kernel.__doc__ = f"Return the {which} elements along a dimension and their indices."
    op(rf"y_j = \{name}_i a_{{ij}}", method=False, function=False, row_order=True, node=f"{name.capitalize()}Backward0",
       outputs=("values", "indices"), differentiable=("values",), return_type=name,
       self=Vjp(lambda grad, self_sizes, dim, indices, keepdim, xp:
                xp.value_selecting_reduction_backward(grad, dim, indices, self_sizes, keepdim),
                r"\bar a_{i_y} = \bar y"))(kernel)


_by_dim("max", np.argmax, np.maximum.reduce)
_by_dim("min", np.argmin, np.minimum.reduce)


# ------------------------------------------------------------------ amax, amin, aminmax
def _scaled(grad, self, result, dim, keepdim, xp):
    if not keepdim and len(self.shape):
        reduced = axes(dim, len(self.shape)) if len(dim) else ()
        shape = tuple([1 if k in reduced else size for k, size in enumerate(self.shape)]) if len(dim) else ()
        grad, result = xp.reshape(grad, shape), xp.reshape(result, shape)
    mask = self == result
    return grad / xp.count_along(mask, dim, grad) * mask


@op(r"n = |\{i : m_i\}|", tensors=("self", "like"), function=False, method=False, out=False)
def count_along(self, dim, like):
    """Count the True elements along dims, which keep size 1, as numbers of `like`'s dtype."""
    return np.add.reduce(self, axes(dim, self.ndim), like.dtype, keepdims=True)


def _amount(name: str, reduce: Any) -> None:
    def kernel(self: Any, dim: Any = (), keepdim: bool = False) -> Any:
        if not self.size:
            if dim == ():
                _everything(name, self, reduce)
            for one in dim:
                check_size(name, self, one)
        return reduce(self, axes(dim, self.ndim), keepdims=keepdim)

    def numbers(input: Any, dim: Any = (), keepdim: bool = False, *, out: Any = None) -> Any:
        if dim is None:
            dim = []
        if not isinstance(dim, list) and not hasattr(dim, "__index__"):
            raise TypeError(f"{name}(): argument 'dim' (position 1) must be tuple of ints, not {type(dim).__name__}")
        return getattr(tensors, name)(input, (dim.__index__(),) if not isinstance(dim, list) else tuple(dim), keepdim,
                                      out=out)

    kernel.__name__ = name
    which = "largest" if name == "amax" else "smallest"
    kernel.__doc__ = f"Return the {which} elements along dims; ties share the gradient."
    op(rf"y = \{name[1:]}_i a_i", row_order=True, redirect=("type(dim) is not tuple", numbers),
       self=Vjp(_scaled, r"\bar a_i = [a_i = y] \, \bar y / |\{j : a_j = y\}|"))(kernel)


_amount("amax", np.maximum.reduce)
_amount("amin", np.minimum.reduce)


def _both_slopes(grads, self, min, max, dim, keepdim, xp):
    found = None
    for grad, result in zip(grads, (min, max), strict=True):
        if grad is None:
            continue
        along = None if dim is None else (dim,)
        grad, result = restore(grad, along, keepdim, self.shape, xp), restore(result, along, keepdim, self.shape, xp)
        mask = self == result
        part = grad * mask / xp.count_along(mask, along, grad)
        found = part if found is None else found + part
    return found


@op(r"y = (\min_i a_i, \max_i a_i)", outputs=("min", "max"), row_order=True, return_type="aminmax",
    self=Vjp(_both_slopes, r"\bar a_i = [a_i = \min] \, \bar y_0 + [a_i = \max] \, \bar y_1"))
def aminmax(self, *, dim=None, keepdim=False):
    """Return the smallest and the largest element, of everything or along a dimension."""
    if not self.size:
        if dim is None:
            raise RuntimeError(
                "aminmax(): cannot compute aminmax over an empty dimension as the operation has no identity."
            )
        if not self.shape[wrap_dim(dim, self.ndim)]:
            raise IndexError(f"aminmax: Expected reduction dim {wrap_dim(dim, self.ndim)} to have non-zero size.")
    along = None if dim is None else (wrap_dim(dim, self.ndim),)[: self.ndim]
    return np.minimum.reduce(self, along, keepdims=keepdim), np.maximum.reduce(self, along, keepdims=keepdim)


# ------------------------------------------------------------------ argmax, argmin
def _place(name: str, where: Any) -> None:
    def kernel(self: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if self.dtype.kind == "b":
            raise RuntimeError(f"{name}(): does not support bool input")
        if dim is None:
            if not self.size:
                raise IndexError(f"{name}(): Expected reduction dim to be specified for input.numel() == 0.")
            found = np.int64(where(self))
            return np.reshape(found, (1,) * self.ndim) if keepdim and self.ndim else found
        if not hasattr(dim, "__index__"):
            raise TypeError(f"{name}(): argument 'dim' (position 1) must be int, not {type(dim).__name__}")
        axis = check_size(name, self, dim)
        return where(self, axis, keepdims=keepdim) if self.ndim else np.int64(0)

    kernel.__name__ = name
    kernel.__doc__ = f"Return the index of the {'largest' if name == 'argmax' else 'smallest'} element."
    op(rf"i = \operatorname{{{name}}}_i a_i", tensors=("self",))(kernel)


_place("argmax", np.argmax)
_place("argmin", np.argmin)
