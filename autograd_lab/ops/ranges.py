"""Factories of ranges and of matrices with a pattern: arange, linspace, logspace, eye, tril, triu, meshgrid."""

from __future__ import annotations

import math
import operator
import warnings
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.fma import multiply_add
from autograd_lab.core.foreign import check_tensors
from autograd_lab.core.op import Vjp, functions, op, tensors
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.create import deliver
from autograd_lab.ops.data import check_device, check_dtype
from autograd_lab.ops.refusals import not_implemented


def _number(op_name: str, name: str, position: int, value: Any) -> Any:
    if isinstance(value, Tensor):
        value = value.item()
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, (bool, int, float)):
        return value
    raise TypeError(f"{op_name}(): argument '{name}' (position {position}) must be Number, not {type(value).__name__}")


def arange(*args: Any, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
           requires_grad: bool = False, pin_memory: bool = False, **named: Any) -> Tensor:  # fmt: skip
    """Make the numbers start, start + step, … up to but without `end`: `arange(end)` or `arange(start, end, step)`."""
    names = ("end",) if len(args) == 1 and "end" not in named else ("start", "end", "step")
    given = {"start": 0, "step": 1} | dict(zip(names, args, strict=False)) | named
    if "end" not in given:
        raise TypeError('arange() missing 1 required positional arguments: "end"')
    check_device(device)
    start, end, step = (_number("arange", name, max(1, names.index(name) + 1 if name in names else 1), given[name])
                        for name in ("start", "end", "step"))  # fmt: skip
    target = check_dtype("arange", dtype) or (out.dtype if out is not None else None)
    if target is None:
        floats = any(isinstance(one, float) for one in (start, end, step))
        target = dtypes.get_default_dtype() if floats else dtypes.int64
    if not step:
        raise RuntimeError("step must be nonzero")
    if not (math.isfinite(start) and math.isfinite(end)):
        raise RuntimeError(f"unsupported range: {start:g} -> {end:g}")
    if (end - start) * step < 0:
        raise RuntimeError("upper bound and lower bound inconsistent with step sign")
    if target is dtypes.bool:
        raise _no_bools("arange")
    if not target.is_floating_point:
        check_fits(end, target.numpy)
        start, end, step = int(start), end if isinstance(end,
            int) else math.ceil(end) if step > 0 else math.floor(end), int(step)
    count = math.ceil((end - start) / step) if target.is_floating_point else -(-(end - start) // step)
    values = start + step * np.arange(count, dtype=np.float64 if target.is_floating_point else np.int64)
    return deliver("arange", values.astype(target.numpy), out, requires_grad)


def range_(start: Any = 0, end: Any = None, step: Any = 1, **options: Any) -> Tensor:
    """Make the numbers from `start` to `end`, which is included."""
    warnings.warn("torch.range is deprecated and will be removed in a future release because its behavior is "
                  "inconsistent with Python's range builtin. Instead, use torch.arange, which produces values in "
                  "[start, end).", stacklevel=3)  # fmt: skip
    start, end = (0, start) if end is None else (start, end)
    options.setdefault("dtype", dtypes.get_default_dtype())
    if options["dtype"] is dtypes.bool:
        raise _no_bools("range")
    return arange(start, end + step * 0.5, step, **options)


def _no_bools(name: str) -> Exception:
    return not_implemented(f"{name}_cpu", np.empty(0, bool))


def _spaced(start: Any, end: Any, steps: int, kind: np.dtype) -> np.ndarray:
    """Return evenly spaced numbers, counted from both ends towards the middle, as torch does."""
    if steps == 1:
        return np.array([start]).astype(kind)
    if kind.kind != "f" and steps:      # the ends are cast as C++ casts them, and unsigned ones wrap around
        for end_ in (start, end):
            check_fits(end_, kind)
        start, end = (np.array(int(one)).astype(kind).item() for one in (start, end))
    exact: Any = np.float32 if kind.kind == "f" and kind.itemsize < 8 else np.float64
    first, last = exact(start), exact(end)
    width = exact((last - first) / exact(steps - 1)) if steps > 1 else exact(0)
    index = np.arange(steps)
    low = multiply_add(index.astype(exact), width, first)
    high = multiply_add((steps - 1 - index).astype(exact), -width, last)
    return np.where(index < steps // 2, low, high).astype(kind)


def linspace(start: Any, end: Any, steps: int, *, out: Any = None, dtype: Any = None, layout: Any = None,
             device: Any = None, requires_grad: bool = False, pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Make `steps` evenly spaced numbers from `start` to `end`, both included."""
    check_device(device)
    for name, one in (("start", start), ("end", end)):
        if isinstance(one, Tensor) and one._array.ndim:
            raise RuntimeError("linspace only supports 0-dimensional start and end tensors, but got "
                               f"{name} with {one._array.ndim} dimension(s).")  # fmt: skip
    start, end = _number("linspace", "start", 1, start), _number("linspace", "end", 2, end)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    target = check_dtype("linspace", dtype) or (out.dtype if out is not None else dtypes.get_default_dtype())
    if target is dtypes.bool and steps > 1:
        raise _no_bools("linspace")
    return deliver("linspace", _spaced(start, end, steps, target.numpy), out, requires_grad)


def logspace(start: Any, end: Any, steps: int, base: float = 10.0, *, out: Any = None, dtype: Any = None,
             layout: Any = None, device: Any = None, requires_grad: bool = False,
             pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Make `steps` numbers whose logarithms to `base` are evenly spaced."""
    check_device(device)
    start, end = _number("logspace", "start", 1, start), _number("logspace", "end", 2, end)
    if steps < 0:
        raise RuntimeError("number of steps must be non-negative")
    target = check_dtype("logspace", dtype) or (out.dtype if out is not None else dtypes.get_default_dtype())
    if target is dtypes.bool and steps > 1:
        raise _no_bools("logspace")
    exponents = _spaced(start, end, steps, np.dtype(np.float64))
    return deliver("logspace", np.power(float(base), exponents).astype(target.numpy), out, requires_grad)


def eye(n: int, m: int | None = None, *, out: Any = None, dtype: Any = None, layout: Any = None, device: Any = None,
        requires_grad: bool = False, pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Make a matrix with ones on its diagonal."""
    check_device(device)
    for name, value in (("n", n), ("m", m)):
        if value is not None and value < 0:
            raise RuntimeError(f"{name} must be greater or equal to 0, got {value}")
    target = check_dtype("eye", dtype) or (out.dtype if out is not None else dtypes.get_default_dtype())
    return deliver("eye", np.eye(n, m, dtype=target.numpy), out, requires_grad)


def _triangle(name: str, cut: Any) -> None:
    def kernel(self: Any, diagonal: int = 0) -> Any:
        if self.ndim < 2:
            raise RuntimeError(f"{name}: input tensor must have at least 2 dimensions")
        return cut(self, operator.index(diagonal))

    kernel.__name__ = name
    kernel.__doc__ = f"Keep the {'lower' if name == 'tril' else 'upper'} triangle of matrices, with zeros elsewhere."
    relation = r"\ge j - k" if name == "tril" else r"\le j - k"
    op(rf"y_{{ij}} = [i {relation}] \, a_{{ij}}", inplace=True, row_order=True,
       self=Vjp(lambda grad, diagonal, xp: getattr(xp, name)(grad, diagonal),
                rf"\bar a_{{ij}} = [i {relation}] \, \bar y_{{ij}}"))(kernel)


_triangle("tril", np.tril)
_triangle("triu", np.triu)


def _indices(name: str, cut: Any) -> None:
    def factory(row: int, col: int, offset: int = 0, *, dtype: Any = None, device: Any = None,
                layout: Any = None) -> Tensor:
        target = check_dtype(name, dtype) or dtypes.int64
        return deliver(name, np.stack(cut(np.ones((row, col), bool), offset).nonzero()).astype(target.numpy), None,
                       False)

    factory.__name__ = factory.__qualname__ = name
    factory.__doc__ = "Return the row and column numbers of a triangle of a matrix."
    functions[name] = factory


_indices("tril_indices", np.tril)
_indices("triu_indices", np.triu)


def meshgrid(*tensors_given: Any, indexing: str | None = None) -> tuple[Tensor, ...]:
    """Spread one-dimensional tensors over a common grid, as views."""
    given = tuple(tensors_given[0]) if len(tensors_given) == 1 and isinstance(tensors_given[0],
                                                                              (list, tuple)) else tensors_given
    if not given:
        raise RuntimeError("meshgrid expects a non-empty TensorList")
    for one in given:
        check_tensors((one,), 0)
    if any(one._array.dtype != given[0]._array.dtype for one in given):
        raise RuntimeError("meshgrid expects all tensors to have the same dtype")
    for one in given:
        if one._array.ndim > 1:
            from autograd_lab.core.cpp_printing import cpp_text

            raise RuntimeError("torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: "
                               f"{cpp_text(one._array)}")  # fmt: skip
    if indexing is None:
        warn_once("meshgrid",
                  "torch.meshgrid: in an upcoming release, it will be required to pass the indexing argument. "
                  "(Triggered internally at /__w/pytorch/pytorch/aten/src/ATen/native/TensorShape.cpp:4215.)",
                  stacklevel=3)
        indexing = "ij"
    if indexing not in ("ij", "xy"):
        raise RuntimeError(f'torch.meshgrid: indexing must be one of "xy" or "ij", but received: {indexing}')
    swap = indexing == "xy" and len(given) >= 2
    if swap:
        given = (given[1], given[0], *given[2:])
    shape = tuple(one._array.size for one in given)
    grids = []
    for k, one in enumerate(given):
        column = tensors.view(one, (1,) * k + (-1,) + (1,) * (len(given) - k - 1))
        grids.append(tensors.expand(column, shape))
    if swap:
        grids = [grids[1], grids[0], *grids[2:]]
    return tuple(grids)


functions |= {"arange": arange, "range": range_, "linspace": linspace, "logspace": logspace, "eye": eye,
              "meshgrid": meshgrid}
