"""Random whole numbers and choices: integers, permutations, coins and weighted draws, equal to torch's.

As in `distributions`, each function takes the generator to draw from (the default generator if None), NumPy's or the
lab's dtypes, and returns a new ndarray.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import numpy as np

from autograd_lab.core import dtypes, normals
from autograd_lab.core.distributions import Shape, cast, exponential, lab_dtype, or_default, require_floating
from autograd_lab.core.random import Generator

__all__ = [
    "bernoulli",
    "bernoulli_of",
    "geometric",
    "integers",
    "multinomial",
    "randint",
    "random_integers",
    "randperm",
]

_LOWEST = -(2**63)


def integers(shape: Shape, dtype: Any, generator: Generator | None = None) -> np.ndarray:
    """Draw `tensor.random_()`: from 0 to the largest integer of the dtype, or to the last one a float can count to."""
    kind, count, drawn_from = lab_dtype(dtype), math.prod(shape), or_default(generator)
    if kind is dtypes.bool:
        return (drawn_from.words(count) & np.uint64(1)).astype(np.bool_).reshape(tuple(shape))
    wide = kind in (dtypes.int64, dtypes.float64)
    top = 2 ** _digits(kind) if kind.is_floating_point else dtypes.iinfo(kind).max
    words = drawn_from.double_words(count) if wide else drawn_from.words(count)
    return (words % np.uint64(top + 1)).astype(kind.numpy).reshape(tuple(shape))


def randint(low: int, high: int, shape: Shape, dtype: Any = np.int64, generator: Generator | None = None) -> np.ndarray:
    """Draw whole numbers of [low, high).

    >>> randint(0, 10, (5,), generator=Generator().manual_seed(0)).tolist()
    [4, 9, 3, 0, 3]
    """
    return random_integers(shape, dtype, low, high, generator)


def random_integers(
    shape: Shape, dtype: Any, low: int = 0, high: int | None = None, generator: Generator | None = None
) -> np.ndarray:
    """Draw `tensor.random_(low, high)`: whole numbers of [low, high), or from low to the dtype's largest one.

    Raises RuntimeError for an empty range or one that the dtype cannot hold, and warns, as torch does, where a float
    can no longer count in ones.
    """
    kind, count, drawn_from = lab_dtype(dtype), math.prod(shape), or_default(generator)
    if high is None and low == _LOWEST:
        kernel = "random_full_64_bits_range_kernel_cpu"
        if kind in (dtypes.float16, dtypes.bool):
            raise NotImplementedError(f"\"{kernel}\" not implemented for '{kind.scalar_name}'")
        if kind not in (dtypes.int64, dtypes.float64, dtypes.float32):
            raise RuntimeError(f"{kernel} handles only int64, double, float and bfloat16")
        return drawn_from.double_words(count).astype(np.int64).astype(kind.numpy).reshape(tuple(shape))
    if high is None:
        last = 1 if kind is dtypes.bool else 2 ** _digits(kind)
        last = last if kind.is_floating_point or kind is dtypes.bool else dtypes.iinfo(kind).max
        if kind.is_floating_point:
            low = _into(kind, low, -1)
            if low >= last:
                raise RuntimeError(
                    "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, "
                    f"but got from={low} > to_inc={last}"
                )
    else:
        if low >= high:
            raise RuntimeError(f"random_ expects 'from' to be less than 'to', but got from={low} >= to={high}")
        if kind.is_floating_point:
            low, high = _into(kind, low, -1), _into(kind, high, 1)
            if low >= high:
                raise RuntimeError(
                    "random_ expects 'from' casted to dtype to be less than 'to' casted to dtype, "
                    f"but got from={low} >= to={high}"
                )
        last = high - 1
    _check_range(kind, low, last)
    span = last - low + 1
    # A remainder of a 32-bit word would favour small numbers visibly from here on; torch then takes 64 bits.
    words = drawn_from.double_words(count) if span >= 2**28 else drawn_from.words(count)
    signed = (words % np.uint64(span)).astype(np.int64) + np.int64(low)
    return signed.astype(kind.numpy).reshape(tuple(shape))


def _digits(kind: dtypes.dtype) -> int:
    """Return how many bits a float dtype counts exactly (0 for other dtypes)."""
    return {dtypes.float16: 11, dtypes.float32: 24, dtypes.float64: 53}.get(kind, 0)


def _into(kind: dtypes.dtype, bound: int, side: int) -> int:
    """Move a bound inwards if rounding to the dtype would carry a drawn number across it (side 1: upper bound)."""
    inside = bound - side
    with np.errstate(over="ignore"):
        rounded = float(kind.numpy.type(inside))
    if not math.isfinite(rounded) or (int(rounded) - bound) * side < 0:
        return bound
    if int(rounded) == bound and side < 0:
        return bound
    step = 1 << max(abs(inside).bit_length() - _digits(kind), 0)
    return int(rounded) - side * step


def _check_range(kind: dtypes.dtype, low: int, last: int) -> None:
    """Raise for a bound beyond the dtype; warn for one that a float cannot count to."""
    if kind is dtypes.bool:
        least, most = 0, 1
    elif kind.is_floating_point:
        least, most = int(dtypes.finfo(kind).min), int(dtypes.finfo(kind).max)
    else:
        least, most = dtypes.iinfo(kind).min, dtypes.iinfo(kind).max
    for name, bound in (("from", low), ("to - 1", last)):
        if not least <= bound <= most:
            raise RuntimeError(f"{name} is out of bounds for {kind.cpp_name}")
    if kind.is_floating_point:
        digits = _digits(kind)
        for name, bound in (("from", low), ("to - 1", last)):
            if abs(bound) > 2**digits:
                warnings.warn(
                    f"{name} is out of bounds [-(2^{digits}), 2^{digits}]. Due to precision limitations "
                    f"{kind.cpp_name} can support discrete uniform distribution only within this range. "
                    "This warning will become an error in version 1.7 release, please fix the code in advance",
                    UserWarning,
                    stacklevel=4,
                )


def randperm(n: int, dtype: Any = np.int64, generator: Generator | None = None) -> np.ndarray:
    """Draw a permutation of 0 … n−1 (Fisher and Yates's shuffle); raise RuntimeError if the dtype cannot count to n.

    >>> randperm(4, generator=Generator().manual_seed(0)).tolist()
    [0, 1, 3, 2]
    """
    kind = lab_dtype(dtype)
    if n < 0:
        raise RuntimeError(f"Trying to create tensor with negative dimension {n}: [{n}]")
    if kind.is_floating_point and n > 2 ** _digits(kind) + 1:
        limit = "2049" if kind is dtypes.float16 else f"2^{_digits(kind)}+1"
        raise RuntimeError(f"n cannot be greater than {limit} for {kind.scalar_name} type.")
    if not kind.is_floating_point and kind is not dtypes.bool and n > dtypes.iinfo(kind).max:
        raise RuntimeError(f"value cannot be converted to type {kind.name}_t without overflow")
    if kind is dtypes.bool:
        raise NotImplementedError("\"randperm\" not implemented for 'Bool'")
    order = list(range(n))
    if n > 1:
        others = or_default(generator).words(n - 1) % np.arange(n, 1, -1, dtype=np.uint64)
        others += np.arange(n - 1, dtype=np.uint64)
        for place, other in enumerate(others.tolist()):
            order[place], order[other] = order[other], order[place]
    return np.array(order, dtype=kind.numpy)


def geometric(shape: Shape, dtype: Any, p: float, generator: Generator | None = None) -> np.ndarray:
    """Draw the number of tries until the first success; raise RuntimeError unless 0 < p < 1."""
    kind = lab_dtype(dtype)
    if not 0 < p < 1:
        raise RuntimeError(f"geometric_ expects p to be in (0, 1), but got p={p:g}")
    if math.prod(shape) and kind is dtypes.bool:
        raise NotImplementedError("\"geometric_cpu\" not implemented for 'Bool'")
    uniforms = normals.unit_doubles(or_default(generator), math.prod(shape))
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        return cast(np.ceil(np.log(uniforms) / math.log1p(-p)), kind, shape)


def bernoulli(shape: Shape, dtype: Any, p: float = 0.5, generator: Generator | None = None) -> np.ndarray:
    """Draw `tensor.bernoulli_(p)`: 1 with probability p, else 0, in any dtype; raise RuntimeError unless 0 ≤ p ≤ 1."""
    if not 0 <= p <= 1:
        raise RuntimeError(f"bernoulli_ expects p to be in [0, 1], but got p={p:g}")
    uniforms = normals.unit_doubles(or_default(generator), math.prod(shape))
    return (uniforms < p).astype(lab_dtype(dtype).numpy).reshape(tuple(shape))


def bernoulli_of(p: np.ndarray, dtype: Any = None, generator: Generator | None = None) -> np.ndarray:
    """Draw `torch.bernoulli(p)`: one number for each probability, in the dtype of `p` unless another is given.

    Raises NotImplementedError if `p` is not floating-point, RuntimeError if it leaves [0, 1].
    """
    p = np.asarray(p)
    kind = dtypes.from_numpy(p.dtype)
    require_floating("bernoulli_tensor_cpu_p_", kind)
    if not np.all((p >= 0) & (p <= 1)):
        raise RuntimeError(
            "Expected p_in >= 0 && p_in <= 1 to be true, but got false.  (Could this error message be improved?  "
            "If so, please report an enhancement request to PyTorch.)"
        )
    draw = normals.unit_doubles if kind is dtypes.float64 else normals.unit_floats
    hits = draw(or_default(generator), p.size).reshape(p.shape) < p
    return hits.astype(p.dtype if dtype is None else lab_dtype(dtype).numpy)


def multinomial(
    weights: np.ndarray, num_samples: int, replacement: bool = False, generator: Generator | None = None
) -> np.ndarray:
    """Draw indices, each as likely as its weight says, from a row of weights or from every row of a matrix.

    Returns int64 of shape (num_samples,) or (rows, num_samples). Raises RuntimeError with torch's words for weights
    that are negative, infinite or all zero, and for more samples than there are weights without replacement.
    """
    weights = np.asarray(weights)
    kind = dtypes.from_numpy(weights.dtype)
    if weights.ndim not in (1, 2):
        raise RuntimeError("prob_dist must be 1 or 2 dim")
    if not kind.is_floating_point:
        raise RuntimeError(f"multinomial only supports floating-point dtypes for input, got: {kind.scalar_name}")
    if num_samples <= 0:
        raise RuntimeError("cannot sample n_sample <= 0 samples")
    if not replacement and num_samples > weights.shape[-1]:
        raise RuntimeError("cannot sample n_sample > prob_dist.size(-1) samples without replacement")
    rows = weights.reshape(-1, weights.shape[-1])
    drawn_from = or_default(generator)
    if weights.size == 0:
        chosen = np.empty((len(rows), num_samples), np.int64)
    elif replacement and num_samples > 1:
        chosen = _with_replacement(rows, num_samples, drawn_from)
    else:
        chosen = _exponential_race(rows, num_samples, drawn_from)
    return chosen.reshape(*weights.shape[:-1], num_samples)


def _exponential_race(rows: np.ndarray, num_samples: int, drawn_from: Generator) -> np.ndarray:
    """Divide the weights by exponential numbers; the largest quotients are a draw without replacement."""
    if not np.all((rows >= 0) & (rows < np.inf)):
        raise RuntimeError("probability tensor contains either `inf`, `nan` or element < 0")
    if np.any(rows.sum(axis=1) == 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
        quotients = rows / exponential(rows.shape, rows.dtype, 1.0, drawn_from)
    return np.argsort(-quotients, axis=1, kind="stable")[:, :num_samples].astype(np.int64)


def _with_replacement(rows: np.ndarray, num_samples: int, drawn_from: Generator) -> np.ndarray:
    """Find uniform numbers among the running sums of the weights."""
    if not np.all(rows >= 0):
        raise RuntimeError("invalid multinomial distribution (encountering probability entry < 0)")
    if not np.all(np.isfinite(rows)):
        raise RuntimeError("invalid multinomial distribution (encountering probability entry = infinity or NaN)")
    sums = np.cumsum(rows, axis=1, dtype=np.float32 if rows.dtype == np.float16 else rows.dtype)
    if not np.all(sums[:, -1] > 0):
        raise RuntimeError("invalid multinomial distribution (sum of probabilities <= 0)")
    sums = (sums / sums[:, -1:]).astype(np.float64)
    sums[:, -1] = 1.0
    uniforms = normals.unit_doubles(drawn_from, len(rows) * num_samples).reshape(len(rows), num_samples)
    return np.stack([np.searchsorted(row, drawn) for row, drawn in zip(sums, uniforms, strict=True)])
