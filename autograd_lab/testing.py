"""torch.testing: compare tensors, and say where and by how much they differ."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from numbers import Number
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.tensor import Tensor

__all__ = ["assert_close"]

# Relative and absolute tolerance by dtype, as torch documents them; integers and booleans must be equal.
_TOLERANCES = {"float16": (1e-3, 1e-5), "float32": (1.3e-6, 1e-5), "float64": (1e-7, 1e-7)}


def assert_close(actual: Any, expected: Any, *, allow_subclasses: bool = True, rtol: float | None = None,
                 atol: float | None = None, equal_nan: bool = False, check_device: bool = True,
                 check_dtype: bool = True, check_layout: bool = True, check_stride: bool = False,
                 msg: Any = None) -> None:  # fmt: skip
    """Raise AssertionError unless `actual` and `expected` agree within a tolerance that follows from their dtype.

    Takes tensors, numbers, and sequences or mappings of them.

    Raises:
        AssertionError: values, shapes or dtypes differ; the text says where the largest difference is.
        TypeError: the two cannot be compared.
        ValueError: only one of `rtol` and `atol` was given.

    Source: https://docs.pytorch.org/docs/stable/testing.html#torch.testing.assert_close

    >>> assert_close(Tensor([1.0]), Tensor([1.0 + 1e-7]))
    """
    if (rtol is None) != (atol is None):
        missing = "rtol" if rtol is None else "atol"
        raise ValueError(f"Both 'rtol' and 'atol' must be either specified or omitted, but got no {missing}.")
    tolerance = None if rtol is None else (rtol, atol)
    text = _compare(actual, expected, tolerance, equal_nan, check_dtype, check_stride, "")
    if text is not None:
        raise AssertionError(text if msg is None else msg(text) if callable(msg) else msg)


def _compare(actual: Any, expected: Any, tolerance: Any, equal_nan: bool, check_dtype: bool, check_stride: bool,
             place: str) -> str | None:  # fmt: skip
    """Return what is wrong, or None."""
    where = f"\n\nThe failure occurred for item {place}" if place else ""
    arguments = (tolerance, equal_nan, check_dtype, check_stride)
    if isinstance(actual, Mapping) and isinstance(expected, Mapping):
        if set(actual) != set(expected):
            missing, additional = sorted(set(expected) - set(actual)), sorted(set(actual) - set(expected))
            return (f"The keys of the mappings do not match:\nMissing keys in the actual mapping: {missing}\n"
                    f"Additional keys in the actual mapping: {additional}{where}")  # fmt: skip
        pairs = [(repr(key), actual[key], expected[key]) for key in actual]
    elif _is_sequence(actual) and _is_sequence(expected):
        if len(actual) != len(expected):
            return f"The length of the sequences mismatch: {len(actual)} != {len(expected)}{where}"
        pairs = [(str(k), a, b) for k, (a, b) in enumerate(zip(actual, expected, strict=True))]
    else:
        text = _compare_leaves(actual, expected, *arguments)
        return None if text is None else text + where
    for key, a, b in pairs:
        text = _compare(a, b, *arguments, f"{place}[{key}]")
        if text is not None:
            return text
    return None


def _is_sequence(value: Any) -> bool:
    return isinstance(value, Sequence) and not isinstance(value, str)


def _compare_leaves(actual: Any, expected: Any, tolerance: Any, equal_nan: bool, check_dtype: bool,
                    check_stride: bool) -> str | None:  # fmt: skip
    if actual is None or expected is None:
        return None if actual is expected else f"None mismatch: {actual} is not {expected}"
    if isinstance(actual, (bool, np.bool_)) and isinstance(expected, (bool, np.bool_)):
        return None if actual == expected else f"Booleans mismatch: {actual} is not {expected}"
    tensors = isinstance(actual, (Tensor, np.ndarray)) and isinstance(expected, (Tensor, np.ndarray))
    if not tensors and not (isinstance(actual, Number) and isinstance(expected, Number)):
        raise TypeError(f"No comparison pair was able to handle inputs of type {type(actual)} and {type(expected)}.")
    if not tensors:
        exact = isinstance(actual, int) and isinstance(expected, int)
        return _differences(np.asarray(actual), np.asarray(expected), tolerance or ((0, 0) if exact else (1e-7, 1e-7)),
                            equal_nan, scalar=True)  # fmt: skip
    both = isinstance(actual, Tensor) and isinstance(expected, Tensor)
    if both and check_stride and actual.stride() != expected.stride():
        return f"The values for attribute 'stride()' do not match: {actual.stride()} != {expected.stride()}."
    a, b = (value._array if isinstance(value, Tensor) else value for value in (actual, expected))
    if a.shape != b.shape:
        return f"The values for attribute 'shape' do not match: {_size(a)} != {_size(b)}."
    if a.dtype is not b.dtype:
        if check_dtype:
            return f"The values for attribute 'dtype' do not match: {from_numpy(a.dtype)} != {from_numpy(b.dtype)}."
        common = np.result_type(a, b)
        a, b = a.astype(common), b.astype(common)
    if tolerance is None:
        rtol, atol = _TOLERANCES.get(str(a.dtype), (0, 0))
        tolerance = (rtol, atol)
    return _differences(np.asarray(a), np.asarray(b), tolerance, equal_nan, scalar=a.ndim == 0)


def _size(array: Any) -> str:
    return f"torch.Size({list(array.shape)})"


def _differences(a: np.ndarray, b: np.ndarray, tolerance: tuple, equal_nan: bool, scalar: bool) -> str | None:
    rtol, atol = tolerance
    close = np.isclose(a.astype(np.float64), b.astype(np.float64), rtol=rtol, atol=atol, equal_nan=equal_nan)
    if rtol == atol == 0 and a.dtype.kind in "iub":
        close = a == b
    if close.all():
        return None
    exact = rtol == 0 and atol == 0
    word = "equal" if exact else "close"
    wide = np.int64 if a.dtype.kind in "iub" else np.float64
    absolute = np.where(close, 0, np.abs(a.astype(wide) - b.astype(wide)))
    relative = np.where(close, 0, np.abs(absolute / b.astype(np.float64)))
    allowed = ("", "") if exact else (f" (up to {atol} allowed)", f" (up to {rtol} allowed)")
    if scalar:
        return (f"Scalars are not {word}!\n\nExpected {b.item()} but got {a.item()}.\n"
                f"Absolute difference: {absolute.item()}{allowed[0]}\n"
                f"Relative difference: {relative.item()}{allowed[1]}")  # fmt: skip
    lines = [f"Tensor-likes are not {word}!", "", f"Mismatched elements: {int((~close).sum())} / {close.size} "
             f"({(~close).sum() / close.size:.1%})"]  # fmt: skip
    single = np.float32 if a.dtype != np.float64 else np.float64
    for name, values, text in (("absolute", absolute, allowed[0]), ("relative", relative.astype(single), allowed[1])):
        place = int(np.argmax(values))
        index = tuple(int(k) for k in np.unravel_index(place, values.shape))
        lines.append(f"Greatest {name} difference: {values.ravel()[place].item()} at index {index}{text}")
    return "\n".join(lines)
