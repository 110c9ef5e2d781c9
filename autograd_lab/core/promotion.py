"""Type promotion: which dtype comes out when tensors and Python numbers of different dtypes meet.

torch knows three classes of operands: tensors with dimensions, 0-dim tensors, Python numbers. A lower class changes
the dtype only if its kind (bool < integer < float) is higher than that of all classes above it.
Source: https://docs.pytorch.org/docs/stable/tensor_attributes.html#type-promotion-doc
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.dtypes import dtype

__all__ = [
    "DIMENSIONED",
    "NUMBER",
    "ZERO_DIM",
    "can_cast",
    "category",
    "number_dtype",
    "promote",
    "promote_many",
    "promote_types",
    "result_type",
]

DIMENSIONED, ZERO_DIM, NUMBER = 0, 1, 2


def _meet(a: dtype, b: dtype) -> dtype:
    """Return the smallest dtype that holds both, as torch sees it (integers give way to any float)."""
    if a is b:
        return a
    if a.rank != b.rank:
        return a if a.rank > b.rank else b
    if a.rank == 1 and a.is_signed != b.is_signed:
        # uint8 beside a signed integer: int8 is too narrow for both, the wider ones hold uint8 already.
        signed = a if a.is_signed else b
        return dtypes.int16 if signed is dtypes.int8 else signed
    return a if a.itemsize > b.itemsize else b


_TYPES = {(a, b): _meet(a, b) for a in dtypes.ALL for b in dtypes.ALL}


def _argument(function: str, name: str, position: int, value: Any) -> dtype:
    if isinstance(value, dtype):
        return value
    raise TypeError(
        f"{function}(): argument '{name}' (position {position}) must be torch.dtype, not {type(value).__name__}"
    )


def promote_types(type1: dtype, type2: dtype) -> dtype:
    """Return the smallest dtype, in size and kind, to which both may be promoted.

    Raises TypeError for anything but a dtype.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.promote_types.html

    >>> promote_types(dtypes.int32, dtypes.float32)
    torch.float32
    """
    return _TYPES[_argument("promote_types", "type1", 1, type1), _argument("promote_types", "type2", 2, type2)]


def can_cast(from_: dtype, to: dtype) -> bool:
    """Tell whether torch's rules allow the cast: no float to an integer, nothing but bool to bool.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.can_cast.html

    >>> can_cast(dtypes.float64, dtypes.float32), can_cast(dtypes.float32, dtypes.int64)
    (True, False)
    """
    return _argument("can_cast", "from_", 1, from_).rank <= _argument("can_cast", "to", 2, to).rank


def category(operand: Any) -> tuple[dtype, int]:
    """Return the dtype and the class of an array, a NumPy scalar or a Python number (bool, int, float).

    NumPy scalars stand for 0-dim tensors, except float64 ones made by Python's float: ask with the value you hold.
    """
    if hasattr(operand, "ndim"):
        return dtypes.from_numpy(operand.dtype), ZERO_DIM if operand.ndim == 0 else DIMENSIONED
    if isinstance(operand, bool):
        return dtypes.bool, NUMBER
    if isinstance(operand, int):
        return dtypes.int64, NUMBER
    if isinstance(operand, float):
        return dtypes.get_default_dtype(), NUMBER
    raise TypeError(f"a tensor or a number is expected, not {type(operand).__name__}")


def result_type(*pairs: Any) -> dtype:
    """Return the dtype of an operation on operands given as dtype, class, dtype, class, ...

    Classes are DIMENSIONED, ZERO_DIM and NUMBER; a Python float's dtype is the default dtype.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.result_type.html

    >>> result_type(dtypes.int32, DIMENSIONED, dtypes.float64, ZERO_DIM)
    torch.float64
    >>> result_type(dtypes.float32, DIMENSIONED, dtypes.float64, ZERO_DIM)
    torch.float32
    """
    classes: list[dtype | None] = [None, None, None]
    for kind, place in zip(pairs[::2], pairs[1::2], strict=True):
        held = classes[place]
        classes[place] = kind if held is None else _TYPES[held, kind]
    result: dtype | None = None
    for lower in classes:
        if lower is not None and (result is None or lower.rank > result.rank):
            # A float that meets an integer wins whatever its class; an integer that meets a bool likewise.
            result = lower if result is None else _TYPES[result, lower]
    if result is None:
        raise ValueError("result_type needs at least one operand")
    return result


_arrays: dict[tuple[np.dtype, np.dtype, bool, bool], np.dtype] = {}
_numbers: dict[tuple[type, np.dtype], np.dtype] = {}
dtypes.on_default_change(_numbers.clear)


def promote(a: Any, b: Any) -> np.dtype:
    """Return the NumPy dtype of an operation on two arrays or NumPy scalars (0-dim tensors).

    Fast: equal dtypes return at once, other pairs from a table.

    >>> promote(np.ones(2, np.float32), np.float64(1))
    dtype('float32')
    """
    a_dtype, b_dtype = a.dtype, b.dtype
    if a_dtype is b_dtype:
        return a_dtype
    key = (a_dtype, b_dtype, a.ndim == 0, b.ndim == 0)
    found = _arrays.get(key)
    if found is None:
        found = _arrays[key] = result_type(*category(a), *category(b)).numpy
    return found


def promote_many(arrays: Iterable[Any]) -> np.dtype:
    """Return the NumPy dtype of an operation on any number of arrays, NumPy scalars and Python numbers."""
    return result_type(*(part for array in arrays for part in category(array))).numpy


def number_dtype(value: Any, like: np.dtype) -> np.dtype:
    """Return the NumPy dtype that a Python number gives to an operation with a tensor of dtype `like`.

    The number of dimensions of the tensor does not matter.

    >>> number_dtype(2.5, np.dtype("int64")), number_dtype(2, np.dtype("float16"))
    (dtype('float32'), dtype('float16'))
    """
    key = (type(value), like)
    found = _numbers.get(key)
    if found is None:
        tensor = dtypes.from_numpy(like)
        found = _numbers[key] = result_type(tensor, DIMENSIONED, *category(value)).numpy
    return found
