"""The gamma function's logarithm and its derivatives, the inverse error function, and divisors of integers."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.operands import to_float
from autograd_lab.core.promotion import promote
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.strided import in_strides_of
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.refusals import not_implemented
from autograd_lab.ops.special_functions import erf_array

# Bernoulli numbers B₂, B₄, …: the asymptotic series of all these functions are made of them.
EPS = 2.0**-53
BERNOULLI = (1 / 6, -1 / 30, 1 / 42, -1 / 30, 5 / 66, -691 / 2730, 7 / 6, -3617 / 510, 43867 / 798)


def _log_gamma(x: float) -> float:
    if math.isinf(x) or (x <= 0 and x == math.floor(x)):
        return math.inf
    return math.lgamma(x)


def log_gamma(x: Any) -> Any:
    """Return ln |Γ| of a float64 array."""
    return np.reshape([_log_gamma(one) for one in np.ravel(x).tolist()], np.shape(x))


def psi(n: int, x: Any) -> Any:
    """Return the n-th derivative of digamma (n = 0: itself) of a float64 array of positive numbers.

    The recurrence ψₙ(x) = ψₙ(x + 1) ∓ n! / xⁿ⁺¹ leads to arguments beyond 15, where Stirling's series holds.
    """
    sign = -1.0 if n % 2 == 0 else 1.0
    found, x = np.zeros_like(x), x.copy()
    for _ in range(16):
        found += sign * math.factorial(n) / x ** (n + 1)
        x = x + 1
    if n == 0:
        series = np.log(x) - 0.5 / x
        terms = [-b / (2 * k * x ** (2 * k)) for k, b in enumerate(BERNOULLI, 1)]
    else:
        series = sign * (math.factorial(n - 1) / x**n + math.factorial(n) / (2 * x ** (n + 1)))
        terms = [sign * b * math.factorial(2 * k + n - 1) / (math.factorial(2 * k) * x ** (2 * k + n))
                 for k, b in enumerate(BERNOULLI, 1)]  # fmt: skip
    for term in reversed(terms):
        series = series + term
    return np.where(np.isinf(x), math.inf if n == 0 else 0.0, found + series)


def trigamma(x: Any) -> Any:
    """Return the derivative of digamma of an array, in its own precision and in torch's few terms."""
    low, pi = x < 0.5, x.dtype.type(math.pi)
    sine = np.sin(pi * x)
    found = np.where(low, -(pi * pi) / (sine * sine), 0).astype(x.dtype)
    x = np.where(low, 1 - x, x)
    for _ in range(6):
        found = found + 1 / (x * x)
        x = x + 1
    inverse = 1 / (x * x)
    found = found + (1 + 1 / (2 * x) + inverse * (1 / 6 - inverse * (1 / 30 - inverse * (1 / 42)))) / x
    return np.where(low, -found, found)


def digammas(x: Any) -> Any:
    """Return digamma of a float64 array; negative arguments by reflection."""
    below = x < 0
    found = psi(0, np.where(below, 1 - x, x))
    part = x - np.trunc(x)
    found = np.where(below, found - math.pi / np.tan(math.pi * part), found)
    found = np.where(below & (part == 0), math.nan, found)
    return np.where(x == 0, np.copysign(math.inf, -x), np.where(np.isneginf(x), math.nan, found))


def short_digammas(x: Any) -> Any:
    """Return digamma of a float32 array, in single precision and in torch's few terms."""
    below, one = x < 0, np.float32(1)
    part = np.asarray(x - np.trunc(x), np.float64)
    turned = (math.pi / np.tan(math.pi * part)).astype(np.float32)
    up, found = np.where(below, one - x, x), np.zeros_like(x)
    while (low := up < 10).any():
        found = np.where(low, found - one / up, found)
        up = np.where(low, up + one, up)
    inverse, series = one / (up * up), np.zeros_like(x)
    for term in reversed([b / (2 * k) for k, b in enumerate(BERNOULLI[:7], 1)]):
        series = series * inverse + np.float32(term)
    series = np.where(up < 1e17, inverse * series, 0)
    stirling = found + np.log(up) - np.float32(0.5) / up - series
    found = np.where(up == 10, found + np.float32(2.25175258906672110764), stirling)
    found = np.where(below, found - turned, found)
    found = np.where(below & (part == 0), np.float32(math.nan), found)
    return np.where(x == 0, np.copysign(np.float32(math.inf), -x), found).astype(np.float32)


def polygammas(n: int, x: Any) -> Any:
    """Return the n-th derivative of digamma of a float64 array."""
    if n < 2:
        return trigamma(x) if n else digammas(x)
    return (1.0 if n % 2 else -1.0) * math.factorial(n) * hurwitz(n + 1, x)


def hurwitz(s: int, q: Any) -> Any:
    """Return the sum of (q + k) to the power of -s over k = 0, 1, 2, …, by Euler and Maclaurin's formula.

    torch adds at least ten terms, and goes on while q + k is at most 9: so far down it reaches negative q too.
    """
    found, up, active = q ** -float(s), q.copy(), np.isfinite(q)
    count = 0
    while (active := active & ((count < 9) | (up <= 9))).any() and count < 100_000:
        count += 1
        up = np.where(active, up + 1, up)
        term = up ** -float(s)
        found = np.where(active, found + term, found)
        active = active & ~((-EPS * found < term) & (term < EPS * found))
    last = up ** -float(s)
    tail = last * up / (s - 1) - last / 2
    factor, power = 1.0, last
    for k, b in enumerate(BERNOULLI, 1):
        factor *= (s + 2 * k - 2) * (s + 2 * k - 3) if k > 1 else s
        power = power / up if k == 1 else power / (up * up)
        tail = tail + b / math.factorial(2 * k) * factor * power
    return np.where((q <= 0) & (q == np.floor(q)), math.inf, np.where(np.isposinf(q), math.nan, found + tail))


def erf_inverse(y: Any) -> Any:
    """Return the inverse error function of a float64 array: a first guess, and Halley's steps to the last digits.

    The guess is S. Winitzki's, "A handy approximation for the error function and its inverse" (2008).
    """
    inside = np.abs(y) < 1
    at = np.where(inside, y, 0.0)
    log = np.log1p(-at * at)
    first = 2 / (math.pi * 0.147) + log / 2
    x = np.sign(at) * np.sqrt(np.maximum(np.sqrt(first * first - log / 0.147) - first, 0))
    for _ in range(3):
        step = (erf_array(x) - at) / (2 / math.sqrt(math.pi) * np.exp(-x * x))
        x = x - step / (1 + x * step)
    return np.where(inside, x, np.where(np.abs(y) == 1, np.copysign(math.inf, y), math.nan))


def computed(function: Any, array: Any, *arguments: Any) -> Any:
    """Return a function of a float64 array in the array's own dtype."""
    with np.errstate(all="ignore"):
        found = function(*arguments, np.asarray(array, np.float64)).astype(array.dtype)
    return found if found.ndim < 2 or array.flags.c_contiguous else in_strides_of(array, found)


@op(r"y = \ln |\Gamma(a)|", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * xp.digamma(self), r"\bar a = \psi(a)\,\bar y"))
def lgamma(self):
    """Logarithm of the absolute value of the gamma function."""
    return computed(log_gamma, self)


@op(r"y = \psi(a)", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: grad * xp._polygamma(self, 1), r"\bar a = \psi'(a)\,\bar y"))
def digamma(self):
    """Derivative of the logarithm of the gamma function."""
    if self.dtype == np.float32:
        with np.errstate(all="ignore"):
            return short_digammas(self)
    return computed(digammas, self)


@op(r"y = \psi^{(n)}(a)", dtype="float", node="PolygammaBackward0", function=False, method=False,
    self=Vjp(lambda grad, self, n, xp: grad * xp._polygamma(self, n + 1), r"\bar a = \psi^{(n+1)}(a)\,\bar y"))
def _polygamma(self, n):
    """The n-th derivative of digamma."""
    if n == 1 and self.dtype.itemsize > 2:
        with np.errstate(all="ignore"):
            return trigamma(self)
    return computed(polygammas, self, n)


def polygamma(n: int, input: Tensor, *, out: Any = None) -> Tensor:
    """Return the n-th derivative of digamma.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.polygamma.html
    """
    if not isinstance(n, int) or isinstance(n, bool):
        raise TypeError(f"polygamma(): argument 'n' (position 1) must be int, not {type(n).__name__}")
    if n < 0:
        raise RuntimeError("polygamma(n, x) does not support negative n.")
    return tensors._polygamma(input, n, out=out)


def _polygamma_method(self: Tensor, n: int) -> Tensor:
    """Return the n-th derivative of digamma."""
    return polygamma(n, self)


composed(method=False, vocabulary=False)(polygamma)
Tensor.polygamma = _polygamma_method


@op(r"y = \mathrm{erf}^{-1}(a)", dtype="float", inplace=True,
    self=Vjp(lambda grad, self, xp: erfinv_slope(grad, xp.erfinv(self), xp),
             r"\bar a = \tfrac{\sqrt\pi}{2} e^{y^2}\,\bar y"))
def erfinv(self):
    """Inverse of the error function."""
    return computed(erf_inverse, self)


def erfinv_slope(grad: Any, y: Any, xp: Any) -> Any:
    """Return the gradient of the inverse error function from its value."""
    return grad * (xp.exp(y * y) * (math.sqrt(math.pi) / 2))


@op(r"y = a\,2^b", inplace=True, fix="always",
    self=Vjp(lambda grad, other, xp: grad * xp.exp2(other), r"\bar a = 2^b\,\bar y"),
    other=Vjp(lambda grad, result, xp: xp.mul_number(grad * result, math.log(2)), r"\bar b = y \ln 2\,\bar y"))
def ldexp(self, other):
    """Multiply by a power of 2, which is computed in the exponent's dtype."""
    if other.dtype.kind == "b" and self.dtype.kind == "f":
        raise not_implemented("ldexp_cpu_exp", other)
    broadcast_shapes(self.shape, other.shape)
    power = np.exp2(other if other.dtype.kind == "f" else to_float(other))
    kind = promote(self, power)
    return self.astype(kind, copy=False) * power.astype(kind, copy=False)


def _divisors(name: str, ufunc: Any, doc: str) -> None:
    def kernel(self: Any, other: Any) -> Any:
        if self.dtype.kind not in "iu":
            broadcast_shapes(self.shape, other.shape)      # what is wrong with the shapes comes first
            raise not_implemented(f"{name}_cpu", self)
        return ufunc(self, other)

    kernel.__name__, kernel.__doc__ = name, doc
    op(rf"y = \mathrm{{{name}}}(a, b)", dtype="promote", tensors=("self", "other"), inplace=True)(kernel)


_divisors("gcd", np.gcd, "Greatest common divisor of integers.")
_divisors("lcm", np.lcm, "Least common multiple of integers.")


def fill_diagonal_(self: Tensor, fill_value: Any, wrap: bool = False) -> Tensor:
    """Write a number to the main diagonal; `wrap`: in a tall matrix again and again.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.fill_diagonal_.html
    """
    shape = self._array.shape
    if len(shape) < 2:
        raise RuntimeError("dimensions must larger than 1")
    if len(shape) > 2 and len(set(shape)) > 1:
        raise RuntimeError("all dimensions of input must be of equal length")
    strides = self.stride()
    size = min(shape)
    self.as_strided((size,), (sum(strides),), self.storage_offset()).fill_(fill_value)
    if wrap and len(shape) == 2 and shape[0] > shape[1] + 1:
        start = self.storage_offset() + strides[0] * (size + 1)
        count = (self._array.size + size) // (size + 1) - size
        self.as_strided((count,), (sum(strides),), start).fill_(fill_value)
    return self


Tensor.fill_diagonal_ = fill_diagonal_
