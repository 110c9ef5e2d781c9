"""Random real numbers: for every distribution torch's numbers for the same generator state, and as many words drawn.

Each function takes the generator to draw from (the default generator if None) and returns a new ndarray. A dtype may
be NumPy's or the lab's. torch fills a non-contiguous tensor in the order of memory, not of its indices; a caller that
fills one in place draws into `in_memory_order(array)`.

Whole numbers and choices are drawn in `discrete`. Where torch's kernels depend on the processor, both rooms give what
an AMD processor with AVX2 gives.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np

from autograd_lab.core import dtypes, normals
from autograd_lab.core import random as random_room
from autograd_lab.core.random import Generator

__all__ = ["cauchy", "exponential", "in_memory_order", "log_normal", "normal", "normal_of", "rand", "randn", "uniform"]

Shape = Sequence[int]


def or_default(generator: Generator | None) -> Generator:
    """Return the generator to draw from."""
    return random_room.default_generator if generator is None else generator


def lab_dtype(dtype: Any) -> dtypes.dtype:
    """Return the lab's dtype for its own or NumPy's."""
    return dtype if isinstance(dtype, dtypes.dtype) else dtypes.from_numpy(np.dtype(dtype))


def require_floating(kernel: str, kind: dtypes.dtype) -> None:
    """Raise torch's NotImplementedError unless the dtype is floating-point."""
    if not kind.is_floating_point:
        raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind.scalar_name}'")


@np.errstate(over="ignore", invalid="ignore")
def cast(doubles: np.ndarray, kind: dtypes.dtype, shape: Shape) -> np.ndarray:
    """Return float64 numbers in another dtype and shape, converted as torch's kernels convert them."""
    if kind is dtypes.float16:
        # torch's Half is made of a float, so a double is rounded twice.
        doubles = doubles.astype(np.float32)
    return doubles.astype(kind.numpy).reshape(tuple(shape))


def in_memory_order(array: np.ndarray) -> np.ndarray:
    """Return a view of the array with its axes in the order in which torch's serial kernels visit memory.

    >>> in_memory_order(np.zeros((2, 3)).T).shape
    (2, 3)
    """
    return array.transpose(sorted(range(array.ndim), key=lambda axis: -abs(array.strides[axis])))


def rand(shape: Shape, dtype: Any, generator: Generator | None = None) -> np.ndarray:
    """Draw from [0, 1), evenly."""
    return uniform(shape, dtype, 0.0, 1.0, generator)


def uniform(
    shape: Shape, dtype: Any, low: float = 0.0, high: float = 1.0, generator: Generator | None = None
) -> np.ndarray:
    """Draw from [low, high), evenly; raise torch's errors for a dtype or bounds that do not fit.

    >>> uniform((2,), np.float32, generator=Generator().manual_seed(0)).round(4).tolist()
    [0.49630001187324524, 0.7681999802589417]
    """
    kind = lab_dtype(dtype)
    require_floating("check_uniform_bounds", kind)
    if low == 0 and high == 1 and kind is not dtypes.float16:      # the usual case, which cannot fail or round up
        draw = normals.unit_doubles if kind is dtypes.float64 else normals.unit_floats
        return draw(or_default(generator), math.prod(shape)).reshape(shape)
    limit = dtypes.finfo(kind).max
    for name, bound in (("from", low), ("to", high)):
        if not -limit <= bound <= limit:
            raise RuntimeError(f"{name} is out of bounds for {kind.cpp_name}")
    if not low <= high:
        raise RuntimeError(f"uniform_ expects to return a [from, to) range, but found from={low:g} > to={high:g}")
    if high - low > limit:
        raise RuntimeError(
            f"uniform_ expects to-from <= std::numeric_limits<{kind.scalar_name}>::max(), "
            f"but found to={high:g} and from={low:g} which result in to-from to exceed the limit"
        )
    count, drawn_from = math.prod(shape), or_default(generator)
    values = (normals.unit_doubles if kind is dtypes.float64 else normals.unit_floats)(drawn_from, count)
    if (low, high) != (0, 1):
        first, last = values.dtype.type(low), values.dtype.type(high)
        values = normals.fused(values, last - first, first)
    values = values.astype(kind.numpy, copy=False)
    # Rounding may reach the open end; torch gives the other end instead.
    values[values == kind.numpy.type(high)] = kind.numpy.type(low)
    return values.reshape(tuple(shape))


def randn(shape: Shape, dtype: Any, generator: Generator | None = None, contiguous: bool = True) -> np.ndarray:
    """Draw standard normal numbers; `contiguous` as for `normal`.

    >>> randn((2,), np.float64, Generator().manual_seed(0)).round(4).tolist()
    [1.541, -0.2934]
    """
    return normal(shape, dtype, 0.0, 1.0, generator, contiguous)


def normal(
    shape: Shape,
    dtype: Any,
    mean: float = 0.0,
    std: float = 1.0,
    generator: Generator | None = None,
    contiguous: bool = True,
) -> np.ndarray:
    """Draw normal numbers; `contiguous=False` draws as torch fills a tensor that is not contiguous.

    Raises RuntimeError for a negative std, NotImplementedError for a dtype that is not floating-point.
    """
    kind, count = lab_dtype(dtype), math.prod(shape)
    if not std >= 0:
        raise RuntimeError(f"normal expects std >= 0.0, but found std {std:g}")
    if count == 0:
        return np.empty(tuple(shape), kind.numpy)
    require_floating("normal_kernel_cpu", kind)
    drawn_from = or_default(generator)
    if count >= 16 and contiguous:
        return normals.in_blocks(drawn_from, count, kind.numpy, mean, std).reshape(tuple(shape))
    return cast(normals.fused(normals.one_by_one(drawn_from, count), std, mean), kind, shape)


def normal_of(mean: Any, std: Any, generator: Generator | None = None) -> np.ndarray:
    """Draw `torch.normal(mean, std)`, where one or both are arrays that broadcast; the dtype is the first array's."""
    mean_is_array, std_is_array = isinstance(mean, np.ndarray | np.generic), isinstance(std, np.ndarray | np.generic)
    if std_is_array and np.size(std) and not np.min(std) >= 0:
        raise RuntimeError("normal expects all elements of std >= 0.0")
    lead = mean if mean_is_array else std
    shape = np.broadcast_shapes(np.shape(mean), np.shape(std))
    if not std_is_array:
        return normal(shape, lead.dtype, 0.0, std, generator) + mean
    numbers = normal(shape, lead.dtype, 0.0, 1.0, generator)
    numbers *= std
    numbers += mean if mean_is_array else lead.dtype.type(mean)
    return numbers


def log_normal(
    shape: Shape, dtype: Any, mean: float = 1.0, std: float = 2.0, generator: Generator | None = None
) -> np.ndarray:
    """Draw numbers whose logarithm is normal; raise RuntimeError unless std > 0."""
    kind, count = lab_dtype(dtype), math.prod(shape)
    if not std > 0:
        raise RuntimeError(f"log_normal_ expects std > 0.0, but found std={std:g}")
    if count == 0:
        return np.empty(tuple(shape), kind.numpy)
    require_floating("log_normal_cpu", kind)
    numbers = normals.fused(normals.one_by_one(or_default(generator), count), std, mean)
    with np.errstate(over="ignore"):
        return cast(np.exp(numbers), kind, shape)


def exponential(shape: Shape, dtype: Any, lambd: float = 1.0, generator: Generator | None = None) -> np.ndarray:
    """Draw waiting times of rate `lambd`; raise RuntimeError unless it is positive and the dtype floating-point."""
    kind = lab_dtype(dtype)
    if not lambd > 0:
        raise RuntimeError(f"exponential_ expects lambda > 0.0, but found lambda={lambd:g}")
    if math.prod(shape) and not kind.is_floating_point:
        raise RuntimeError(
            "Exponential distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {kind.scalar_name}"
        )
    uniforms = normals.unit_doubles(or_default(generator), math.prod(shape))
    return cast(-1.0 / lambd * np.log1p(-uniforms), kind, shape)


def cauchy(
    shape: Shape, dtype: Any, median: float = 0.0, sigma: float = 1.0, generator: Generator | None = None
) -> np.ndarray:
    """Draw Cauchy numbers; raise RuntimeError unless sigma > 0 and the dtype is floating-point."""
    kind = lab_dtype(dtype)
    if not sigma > 0:
        raise RuntimeError(f"cauchy_ expects sigma > 0.0, but found sigma={sigma:g}")
    if not kind.is_floating_point:
        raise RuntimeError(
            "Cauchy distribution is a continuous probability distribution. "
            f"dtype must be a floating point but you specified {kind.cpp_name}"
        )
    uniforms = normals.unit_doubles(or_default(generator), math.prod(shape))
    with np.errstate(over="ignore"):
        return cast(normals.fused(np.tan(math.pi * (uniforms - 0.5)), sigma, median), kind, shape)
