"""Normal numbers out of uniform ones, digit for digit as torch computes them.

torch has two ways. One by one, it makes a pair of numbers in double precision and keeps the second for later. In
bulk, from 16 numbers on, it turns blocks of 16 uniforms into 16 normals; for float32 it does so with short polynomials
(those of the Cephes library) in float32, which this room repeats, because a rounding more or less would show.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lab.core.random import Generator

__all__ = ["fused", "in_blocks", "one_by_one", "unit_doubles", "unit_floats"]

_single = np.float32


def unit_floats(generator: Generator, count: int) -> np.ndarray:
    """Draw float32 numbers of [0, 1): the low 24 bits of a word each."""
    return (generator.words(count) & np.uint64(0xFF_FFFF)).astype(np.float32) * _single(2**-24)


def unit_doubles(generator: Generator, count: int) -> np.ndarray:
    """Draw float64 numbers of [0, 1): the low 53 bits of two words each."""
    return (generator.double_words(count) & np.uint64(2**53 - 1)).astype(np.float64) * 2.0**-53


@np.errstate(over="ignore", invalid="ignore")
def fused(a: np.ndarray, b: float | np.ndarray, c: float | np.ndarray) -> np.ndarray:
    """Return a * b + c rounded once, as the processor's fused multiply-add does, in the dtype of `a`."""
    if a.dtype == np.float32:
        return _fused_single(a, b, c)
    # float64: find the rounding errors of product and sum exactly (Dekker 1971, Knuth), and add them at the end.
    product = a * b
    total = product + c
    a_high, b_high = _high_half(a), _high_half(np.asarray(b, np.float64))
    a_low, b_low = a - a_high, b - b_high
    product_error = ((a_high * b_high - product) + a_high * b_low + a_low * b_high) + a_low * b_low
    rounded = total - product
    sum_error = (product - (total - rounded)) + (c - rounded)
    return total + (sum_error + product_error)


def _fused_single(a: np.ndarray, b: Any, c: Any) -> np.ndarray:
    # The product of two float32 is exact in float64.
    return (a.astype(np.float64) * b + c).astype(np.float32)


def _high_half(value: np.ndarray) -> np.ndarray:
    """Return the number that has the upper 26 bits of the mantissa."""
    scaled = 134217729.0 * value
    return scaled - (scaled - value)


def one_by_one(generator: Generator, count: int) -> np.ndarray:
    """Draw standard normal float64 numbers in pairs; a waiting one is taken first, a surplus one left waiting.

    The pair is r·cos θ and r·sin θ with r = √(−2 ln(1−u₂)), θ = 2π·u₁ (Box and Muller 1958).
    """
    if count == 0:
        return np.empty(0)
    waiting = generator.waiting_normal
    start = 0 if waiting is None else 1
    pairs = (count - start + 1) // 2
    uniforms = unit_doubles(generator, 2 * pairs)
    radius = np.sqrt(-2.0 * np.log1p(-uniforms[1::2]))
    angle = 2.0 * math.pi * uniforms[0::2]
    numbers = np.empty(start + 2 * pairs)
    if waiting is not None:
        numbers[0] = waiting
    numbers[start::2] = radius * np.cos(angle)
    numbers[start + 1 :: 2] = radius * np.sin(angle)
    generator.waiting_normal = float(numbers[count]) if numbers.size > count else None
    return numbers[:count]


@np.errstate(over="ignore")
def in_blocks(generator: Generator, count: int, dtype: np.dtype, mean: float, std: float) -> np.ndarray:
    """Draw at least 16 normal numbers in blocks of 16; a last block that is not full is redrawn, overlapping.

    float16 numbers are computed in float32, and draw nothing for the part of the tail that is redrawn anyway.
    """
    draw = unit_doubles if dtype == np.float64 else unit_floats
    whole = count - count % 16
    uniforms = draw(generator, whole if dtype == np.float16 else count)
    if whole == count:
        return _blocks(uniforms, mean, std).astype(dtype, copy=False)
    last = draw(generator, 16)
    drawn = _blocks(np.concatenate([uniforms[:whole], last]), mean, std)
    numbers = np.empty(count, dtype)
    numbers[:whole] = drawn[:whole]
    numbers[-16:] = drawn[-16:]
    return numbers


def _blocks(uniforms: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Transform blocks of 16: the first eight give the radii, the last eight the angles."""
    halves = uniforms.reshape(-1, 2, 8)
    first, second = 1 - halves[:, 0], halves[:, 1]
    if uniforms.dtype == np.float32:
        radius = np.sqrt(_single(-2) * _log(first))
        sine, cosine = _sine_and_cosine(_single(2 * math.pi) * second)
        mean, std = float(_single(mean)), float(_single(std))
    else:
        radius = np.sqrt(-2.0 * np.log(first))
        angle = 2.0 * math.pi * second
        sine, cosine = np.sin(angle), np.cos(angle)
    numbers = np.stack([radius * cosine, radius * sine], axis=1)
    plain = mean == 0 and std == 1
    return (numbers if plain else fused(numbers, std, mean)).reshape(-1)


# The float32 polynomials. Each step is one fused multiply-add, as torch's AVX2 code is compiled.
_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
# −π/4 and ln 2 in pieces, the first ones short enough to be multiplied by a small whole number without rounding.
_MINUS_QUARTER_PI = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_LN_2 = (0.693359375, -2.12194440e-4)


def _polynomial(coefficients: Iterable[float], at: np.ndarray) -> np.ndarray:
    """Evaluate a polynomial, highest power first, by Horner's scheme."""
    highest, *others = map(_single, coefficients)
    value = np.full_like(at, highest)
    for coefficient in others:
        value = _fused_single(value, at, coefficient)
    return value


def _log(x: np.ndarray) -> np.ndarray:
    """Return ln x in float32: split off the power of two so that the rest lies within [√½, √2), then a polynomial."""
    fraction, exponent = np.frexp(x)
    small = fraction < _single(math.sqrt(0.5))
    fraction = np.where(small, (fraction - _single(1)) + fraction, fraction - _single(1))
    power = (exponent - small).astype(np.float32)
    square = fraction * fraction
    rest = _fused_single(_polynomial(_LOG, fraction) * fraction, square, power * _single(_LN_2[1]))
    rest = _fused_single(square, _single(-0.5), rest)
    return _fused_single(power, _single(_LN_2[0]), fraction + rest)


def _sine_and_cosine(x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return sin x and cos x in float32 for x ≥ 0: reduce x to the nearest multiple of π/2, then two polynomials."""
    octant = ((x * _single(4 / math.pi)).astype(np.int32) + 1) & ~1
    for piece in _MINUS_QUARTER_PI:
        x = _fused_single(octant.astype(np.float32), _single(piece), x)
    square = x * x
    near_one = _fused_single(_polynomial(_COSINE, square) * square, square, square * _single(-0.5)) + _single(1)
    near_x = _fused_single(_polynomial(_SINE, square) * square, x, x)
    swapped = (octant & 2) != 0
    sine, cosine = np.where(swapped, near_one, near_x), np.where(swapped, near_x, near_one)
    return np.where(octant & 4, -sine, sine), np.where((octant - 2) & 4, cosine, -cosine)
