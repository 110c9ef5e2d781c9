"""Normal numbers out of uniform ones, digit for digit as torch computes them.

torch has two ways. One by one, it makes a pair of numbers in double precision and keeps the second for later. In
bulk, from 16 numbers on, it turns blocks of 16 uniforms into 16 normals; for float32 it does so with short polynomials
(those of the Cephes library) in float32, which this room repeats, because a rounding more or less would show.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core.random import Generator

__all__ = ["fused", "in_blocks", "one_by_one", "unit_doubles", "unit_floats"]

_single = np.float32
_LOW_24, _LOW_53, _TINY_24 = np.uint64(2**24 - 1), np.uint64(2**53 - 1), _single(2**-24)


def unit_floats(generator: Generator, count: int) -> np.ndarray:
    """Draw float32 numbers of [0, 1): the low 24 bits of a word each."""
    words = generator.words(count)
    words &= _LOW_24
    numbers = words.astype(np.float32)
    numbers *= _TINY_24
    return numbers


def unit_doubles(generator: Generator, count: int) -> np.ndarray:
    """Draw float64 numbers of [0, 1): the low 53 bits of two words each."""
    words = generator.double_words(count)
    words &= _LOW_53
    numbers = words.astype(np.float64)
    numbers *= 2.0**-53
    return numbers


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
    with generator.lock:
        return _in_pairs(generator, count)


def _in_pairs(generator: Generator, count: int) -> np.ndarray:
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
    with generator.lock:
        uniforms = draw(generator, whole if dtype == np.float16 else count)
        last = None if whole == count else draw(generator, 16)
    if last is None:
        return _blocks(uniforms, mean, std).astype(dtype, copy=False)
    drawn = _blocks(np.concatenate([uniforms[:whole], last]), mean, std)
    numbers = np.empty(count, dtype)
    numbers[:whole] = drawn[:whole]
    numbers[-16:] = drawn[-16:]
    return numbers


def _blocks(uniforms: np.ndarray, mean: float, std: float) -> np.ndarray:
    """Transform blocks of 16: the first eight give the radii, the last eight the angles."""
    halves = uniforms.reshape(-1, 2, 8)
    if uniforms.dtype == np.float32:
        numbers = _single_blocks(halves)
        mean, std = float(_single(mean)), float(_single(std))
    else:
        radius = np.sqrt(-2.0 * np.log(1 - halves[:, 0]))
        angle = 2.0 * math.pi * halves[:, 1]
        numbers = np.empty_like(halves)
        np.multiply(radius, np.cos(angle), out=numbers[:, 0])
        np.multiply(radius, np.sin(angle), out=numbers[:, 1])
    plain = mean == 0 and std == 1
    return (numbers if plain else fused(numbers, std, mean)).reshape(-1)


# The float32 polynomials. Each step is one fused multiply-add, as torch's AVX2 code is compiled: the product of two
# float32 numbers is exact in float64, so that the sum, rounded to float32, is rounded as if only once.
_LOG = (
    7.0376836292e-2, -1.1514610310e-1, 1.1676998740e-1, -1.2420140846e-1, 1.4249322787e-1, -1.6668057665e-1,
    2.0000714765e-1, -2.4999993993e-1, 3.3333331174e-1,
)  # fmt: skip
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
# −π/4 and ln 2 in pieces, the first ones short enough to be multiplied by a small whole number without rounding.
_MINUS_QUARTER_PI = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_LN_2 = (0.693359375, -2.12194440e-4)
# So many blocks at a time keep every step's numbers in the processor's caches.
_AT_A_TIME = 2048


def _single_blocks(halves: np.ndarray) -> np.ndarray:
    """Return the normal numbers of float32 blocks of shape (blocks, 2, 8)."""
    numbers = np.empty_like(halves)
    for start in range(0, len(halves), _AT_A_TIME):
        part, made = halves[start : start + _AT_A_TIME], numbers[start : start + _AT_A_TIME]
        work = _Work(part.shape[0] * 8)
        radius = np.sqrt(_single(-2) * _log(_single(1) - part[:, 0].reshape(-1), work)).reshape(-1, 8)
        sine, cosine = _sine_and_cosine(_single(2 * math.pi) * part[:, 1].reshape(-1), work)
        np.multiply(radius, cosine.reshape(-1, 8), out=made[:, 0])
        np.multiply(radius, sine.reshape(-1, 8), out=made[:, 1])
    return numbers


class _Work:
    """Fused multiply-adds in float64 on float32 numbers, without an array for every step."""

    __slots__ = ("rounded", "wide")

    def __init__(self, count: int) -> None:
        self.wide, self.rounded = np.empty(count), np.empty(count, np.float32)

    def fused(self, a: np.ndarray, b: np.ndarray | float, c: np.ndarray) -> np.ndarray:
        """Return a * b + c as a new float32 array; `a` and `b` are float64."""
        np.multiply(a, b, out=self.wide)
        self.wide += c
        return self.wide.astype(np.float32)

    def polynomial(self, coefficients: tuple[float, ...], at: np.ndarray) -> np.ndarray:
        """Evaluate a polynomial, highest power first, by Horner's scheme; `at` is float64."""
        wide, rounded = self.wide, self.rounded
        highest, second, *others = (float(_single(one)) for one in coefficients)
        np.multiply(at, highest, out=wide)
        wide += second
        rounded[:] = wide
        for coefficient in others:
            wide[:] = rounded
            wide *= at
            wide += coefficient
            rounded[:] = wide
        return rounded


_ROOT_HALF_BITS = np.int32(np.array(math.sqrt(0.5), np.float32).view(np.int32))


def _log(x: np.ndarray, work: _Work) -> np.ndarray:
    """Return ln x in float32: split off the power of two so that the rest lies within [√½, √2), then a polynomial."""
    bits = x.view(np.int32)
    exponent = (bits - _ROOT_HALF_BITS) >> 23
    fraction = (bits - (exponent << 23)).view(np.float32)
    fraction -= _single(1)
    power = exponent.astype(np.float64)
    square = fraction * fraction
    wide_square = square.astype(np.float64)
    rest = work.polynomial(_LOG, fraction.astype(np.float64)) * fraction
    rest = work.fused(rest.astype(np.float64), wide_square, (power * float(_single(_LN_2[1]))).astype(np.float32))
    rest = work.fused(wide_square, -0.5, rest)
    rest += fraction
    return work.fused(power, float(_single(_LN_2[0])), rest)


def _sine_and_cosine(x: np.ndarray, work: _Work) -> tuple[np.ndarray, np.ndarray]:
    """Return sin x and cos x in float32 for x ≥ 0: reduce x to the nearest multiple of π/2, then two polynomials."""
    octant = (x * _single(4 / math.pi)).astype(np.int32)
    octant += 1
    octant &= ~1
    turns = octant.astype(np.float64)
    for piece in _MINUS_QUARTER_PI:
        x = work.fused(turns, float(_single(piece)), x)
    square = x * x
    wide = square.astype(np.float64)
    near_one = work.polynomial(_COSINE, wide) * square
    near_one = work.fused(near_one.astype(np.float64), wide, square * _single(-0.5))
    near_one += _single(1)
    near_x = work.polynomial(_SINE, wide) * square
    sine = work.fused(near_x.astype(np.float64), x.astype(np.float64), x).view(np.int32)
    cosine = near_one.view(np.int32)
    # In every second quarter the two change places; the signs follow. On the bits, because that is quicker.
    swap = (sine ^ cosine) & -((octant >> 1) & 1)
    sine ^= swap
    sine ^= (octant & 4) << 29
    cosine ^= swap
    cosine ^= ((octant + 2) & 4) << 29
    return sine.view(np.float32), cosine.view(np.float32)
