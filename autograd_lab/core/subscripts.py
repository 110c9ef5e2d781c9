"""What stands between the brackets of `x[...]`: torch's reading of it, as a chain of views and at most one gather.

Ints, slices, None and Ellipsis become views one after the other (select, slice, unsqueeze); tensors, lists and masks
are gathered at the end by a single `index`.
"""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.fitting import check_fits
from autograd_lab.core.inplace import check_leaf, check_overlap
from autograd_lab.core.op import tensors
from autograd_lab.core.operands import forbidden_first
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor, wrap

LAST = 2**63 - 1
ALL = slice(None)
SEQUENCE = (
    "Using a non-tuple sequence for multidimensional indexing is deprecated and will be changed in pytorch 2.9; use "
    "x[tuple(seq)] instead of x[seq]. In pytorch 2.9 this will be interpreted as tensor index, x[torch.tensor(seq)], which "  # noqa: E501
    "will result either in an error or a different result"
)


def invalid(value: Any) -> IndexError:
    """An index is of no possible type."""
    return IndexError("only integers, slices (`:`), ellipsis (`...`), None and long or byte Variables are valid indices "  # noqa: E501
                      f"(got {type(value).__name__})")  # fmt: skip


def as_tuple(index: Any) -> tuple:
    """Return the index as a tuple, reading some lists as tuples, as torch still does."""
    if isinstance(index, tuple):
        return tuple(index)
    if isinstance(index, (list, str)) and len(index) < 32:
        for item in index:
            if item is None or item is Ellipsis or isinstance(item, (Tensor, list, tuple, slice, str)):
                warnings.warn(SEQUENCE, stacklevel=4)
                return tuple(index)
    return (index,)


def take_one(tensor: Any, dim: int, index: int, shown: int) -> Any:
    """Select one index, with the error of a subscript."""
    shape = tensor._array.shape
    if not shape and index == 0:
        raise IndexError("invalid index of a 0-dim tensor. Use `tensor.item()` in Python or `tensor.item<T>()` in C++ to "  # noqa: E501
                         "convert a 0-dim tensor to a number")  # fmt: skip
    size = shape[dim] if shape else 0
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {shown} with size {size}")
    return tensors.select(tensor, dim, index)


def bounds(given: slice) -> tuple[int, int, int]:
    """Return start, end and step of a slice as torch keeps them."""
    found = []
    for value, default in ((given.start, 0), (given.stop, LAST), (given.step, 1)):
        if value is None:
            found.append(default)
        elif type(value) is int:
            found.append(value)
        elif hasattr(value, "__index__"):
            found.append(value.__index__())
        else:
            raise TypeError("slice indices must be integers or None or have an __index__ method")
    if found[2] == 0:
        raise ValueError("slice step cannot be zero")
    if found[2] < 0:
        raise ValueError("step must be greater than zero")
    return found[0], found[1], found[2]


def take_slice(tensor: Any, dim: int, given: slice, skip_full: bool) -> Any:
    """Take a slice; a full one is passed over when several subscripts stand together."""
    start, end, step = bounds(given)
    shape = tensor._array.shape
    if not shape:
        forbidden_first((tensor,))
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    if skip_full and start == 0 and step == 1 and shape[dim] <= end:
        return tensor
    return tensors.slice(tensor, dim, start, end, step)


def to_tensor(value: Any) -> Any:
    """Return a list (or another sequence) as an index tensor."""
    if isinstance(value, str):
        raise TypeError("new(): invalid data type 'str'")
    if isinstance(value, np.ndarray) and not value.ndim:
        return wrap(value[()])
    array = np.array([item._array if isinstance(item, Tensor) else item for item in value])
    if array.dtype.kind == "f":     # torch reads every list that holds no truth values as one of integers
        array = array.astype(np.int64)
    return wrap(array)


def chain(tensor: Any, index: tuple) -> tuple[Any, list]:
    """Apply all views of a tuple of subscripts; return what is left, and the tensors still to be gathered by."""
    ndim = tensor._array.ndim
    items = [to_tensor(item) if isinstance(item, (list, tuple, range, np.ndarray, str)) else item for item in index]
    specified = 0
    for item in items:
        if isinstance(item, Tensor):
            specified += item._array.ndim if item._array.dtype.kind == "b" or item._array.dtype == np.uint8 else 1
        elif item is not None and item is not Ellipsis and item is not True and item is not False:
            specified += 1
    if specified > ndim:
        raise IndexError(f"too many indices for tensor of dimension {ndim}")
    result, dim, gathers = tensor, 0, []
    for real, item in enumerate(items):     # torch's errors count the subscripts, not the dimensions
        kind = type(item)
        if kind is int:
            result = take_one(result, dim, item, real)
        elif kind is slice:
            result = take_slice(result, dim, item, True)
            dim += 1
        elif item is Ellipsis:
            dim += ndim - specified
        elif item is None:
            result = tensors.unsqueeze(result, dim)
            dim += 1
        elif kind is bool or kind is np.bool_:
            result = tensors.unsqueeze(result, dim)
            gathers.append((dim, wrap(np.zeros(1 if item else 0, np.int64))))
            dim += 1
        elif isinstance(item, Tensor):
            array = item._array
            if array.ndim == 0 and array.dtype.kind in "iu" and array.dtype != np.uint8:
                result = take_one(result, dim, int(array), real)
            elif array.ndim == 0 and (array.dtype.kind == "b" or array.dtype == np.uint8):
                result = tensors.unsqueeze(result, dim)
                gathers.append((dim, wrap(np.zeros(1 if array else 0, np.int64))))
                dim += 1
            else:
                gathers.append((dim, item))
                mask = array.dtype.kind == "b" or array.dtype == np.uint8
                dim += array.ndim if mask else 1
        elif hasattr(item, "__index__"):
            result = take_one(result, dim, item.__index__(), real)
        else:
            raise invalid(item)
    return result, gathers


def spread(gathers: list) -> tuple:
    """Return the gathering tensors as torch lists them: None for the dimensions before them that they leave alone."""
    found: list = []
    for dim, item in gathers:
        found += [None] * (dim - sum(_width(one) for one in found))
        found.append(item)
    return tuple(found)


def _width(item: Any) -> int:
    if item is None:
        return 1
    array = item._array
    return array.ndim if array.dtype.kind == "b" or array.dtype == np.uint8 else 1


_INDEX_DTYPES = frozenset(map(np.dtype, (np.uint8, np.int32, np.int64)))


def too_many(shape: tuple, indices: Any) -> IndexError:
    """Return the error for more indices than there are dimensions to write at."""
    return IndexError(f"too many indices for tensor of dimension {len(shape)} (got {len(indices)})")


def numpy_index(shape: tuple, indices: Any) -> tuple:
    """Return a list of index tensors (or None) as a NumPy index; raise what torch raises for those that do not fit."""
    found: list = []
    dim = 0
    sizes = []
    for item in indices:
        if item is not None and not (item._array.dtype.kind in "b" or item._array.dtype in _INDEX_DTYPES):
            raise IndexError("tensors used as indices must be long, int, byte or bool tensors")
    for position, item in enumerate(indices):
        if item is None:
            found.append(ALL)
            dim += 1
            continue
        array = np.asarray(item._array)
        if array.dtype == np.uint8:
            warnings.warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.",
                          stacklevel=6)  # fmt: skip
            array = array.astype(bool)
        if array.dtype.kind == "b":
            for k in range(array.ndim):
                if dim + k >= len(shape):
                    raise too_many(shape, indices)
                if array.shape[k] != shape[dim + k]:
                    raise IndexError(f"The shape of the mask {size_text(array.shape)} at index {k} does not match the shape "  # noqa: E501
                                     f"of the indexed tensor {size_text(shape)} at index {dim + k}")  # fmt: skip
            parts = np.nonzero(array) if array.ndim else (np.zeros(int(array), np.int64),)
            found += parts
            sizes.append(parts[0].shape)
            dim += array.ndim
            continue
        if dim >= len(shape):
            raise too_many(shape, indices)
        size = shape[dim]
        if array.size:
            if not size:
                raise IndexError("index is out of bounds for dimension with size 0")
            bad = array[(array < -size) | (array >= size)]
            if bad.size:
                if not _leaves_nothing(shape, indices):
                    raise IndexError(f"index {bad.flat[0]} is out of bounds for dimension {len(sizes)} with size "
                                     f"{size}")  # fmt: skip
                array = np.zeros_like(array)
        found.append(array)
        sizes.append(array.shape)
        dim += 1
        del position
    if len(sizes) > 1:
        try:
            np.broadcast_shapes(*sizes)
        except ValueError:
            raise IndexError("shape mismatch: indexing tensors could not be broadcast together with shapes "
                             f"{', '.join(size_text(size) for size in sizes)}") from None  # fmt: skip
    return tuple(found)


def _leaves_nothing(shape: tuple, indices: Any) -> bool:
    """Say whether a dimension without index is empty: torch then looks at no index."""
    dim = 0
    taken: set[int] = set()
    for item in indices:
        width = _width(item)
        taken.update(range(dim, dim + width) if item is not None else ())
        dim += width
    return any(not size for k, size in enumerate(shape) if k not in taken)


def read(tensor: Any, index: Any) -> Any:
    """Return `tensor[index]`."""
    kind = type(index)
    if kind is int:
        return take_one(tensor, 0, index, 0)
    if kind is slice:
        return take_slice(tensor, 0, index, False)
    if index is None:
        return tensors.unsqueeze(tensor, 0)
    if index is Ellipsis:
        return tensors.alias(tensor)
    result, gathers = chain(tensor, as_tuple(index))
    if not gathers:
        return tensors.alias(tensor) if result is tensor else result
    return tensors.index(result, spread(gathers))


def without_leading_ones(value: Any) -> Any:
    """Return a value to be written without leading dimensions of size 1."""
    shape = value._array.shape
    count = 0
    while count < len(shape) and shape[count] == 1:
        count += 1
    return tensors.view(value, shape[count:]) if count else value


def copy_to(target: Any, value: Any) -> None:
    """Write a value into a view, broadcasting it."""
    if value._array.shape == target._array.shape:
        target.copy_(value)
    elif not value._array.ndim:
        check_leaf(target, target._node is not None or value._node is not None)
        check_overlap(target._array)    # which `fill_` itself does not ask
        target.fill_(value)
    else:
        value = without_leading_ones(value)
        shape = target._array.shape
        target.copy_(value if value._array.shape == shape else tensors.broadcast_to(value, shape))


def as_value(tensor: Any, value: Any) -> Any:
    """Return what is to be written as a tensor."""
    if isinstance(value, Tensor):
        return value
    if isinstance(value, (bool, int, float, np.generic)):
        if isinstance(value, int) and not -(2**63) <= value < 2**63:
            raise ValueError("Overflow when unpacking long long")
        check_fits(value, tensor._array.dtype)
        return wrap(np.array(value).astype(tensor._array.dtype)[()])
    if isinstance(value, complex):
        raise fail.complex_number()
    if fail.is_foreign(value):
        raise fail.foreign_tensor("__setitem__", value)
    raise TypeError(f"can't assign a {type(value).__name__} to a {tensor.dtype.tensor_type}")


def write(tensor: Any, index: Any, value: Any) -> None:
    """Perform `tensor[index] = value`."""
    value = as_value(tensor, value)
    kind = type(index)
    if index is False:
        return None
    if kind is int:
        return copy_to(take_one(tensor, 0, index, 0), value)
    if kind is slice:
        return copy_to(take_slice(tensor, 0, index, False), value)
    if index is None or index is True:
        return copy_to(tensors.unsqueeze(tensor, 0), value)
    if index is Ellipsis:
        return copy_to(tensor, value)
    result, gathers = chain(tensor, as_tuple(index))
    if not gathers:
        return copy_to(tensors.alias(tensor) if result is tensor else result, value)
    tensors.put_into(result, spread(gathers), without_leading_ones(value))
    return None
