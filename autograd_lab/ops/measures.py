"""Measures of samples and curves made of other operations: areas, quantiles, covariance, counts, and combinations."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.many import joins
from autograd_lab.core.op import Vjp, functions, op
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.ops.numbers import div_number, mul_number
from autograd_lab.ops.refusals import not_implemented


def _times(values: Tensor, number: float) -> Tensor:
    return mul_number(values, number) if values._array.dtype.kind == "f" else values * float(number)


def _halved(values: Tensor) -> Tensor:
    return div_number(values, 2) if values._array.dtype.kind == "f" else values / 2.0


# ------------------------------------------------------------------ areas
def _widths(y: Tensor, x: Tensor, dim: int, name: str) -> Tensor:
    """Return the distances of neighbouring sample points, in a shape that goes with the samples."""
    axis, shape = wrap_dim(dim, y._array.ndim), x._array.shape
    if len(shape) == 1:
        if shape[0] != y._array.shape[axis]:
            raise RuntimeError(f"{name}: There must be one `x` value for each sample point")
        x = x.view([-1 if k == axis else 1 for k in range(y._array.ndim)])
    elif len(shape) < y._array.ndim:
        x = x.view((1,) * (y._array.ndim - len(shape)) + shape)
    return _slice(x, dim, 1, None) - _slice(x, dim, 0, -1)


def _slice(values: Tensor, dim: int, start: int, end: int | None) -> Tensor:
    if not values._array.ndim:
        raise IndexError("slice() cannot be applied to a 0-dim tensor.")
    axis = wrap_dim(dim, values._array.ndim)
    return values[(slice(None),) * axis + (slice(start, end),)]


def _no_bools(name: str, y: Tensor, x: Any) -> None:
    if any(isinstance(one, Tensor) and one._array.dtype.kind == "b" for one in (y, x)):
        which = "`x` or `y`" if isinstance(x, Tensor) else "`y`"
        raise RuntimeError(f"{name}: received a bool input for {which}, but bool is not supported")


@composed(method=False, vocabulary=False, aliases=("trapz",))
def trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """Return the area under samples by the trapezoidal rule; x are the sample points, or dx their distance.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.trapezoid.html
    """
    if isinstance(x, Tensor):
        dim = wrap_dim(dim, y._array.ndim)
    if not size_of(y, dim):
        rest = tuple(n for k, n in enumerate(y._array.shape) if k != wrap_dim(dim, y._array.ndim))
        return functions["zeros"](rest, dtype=y.dtype).zero_()
    _no_bools("trapezoid", y, x)
    if isinstance(x, Tensor):
        pairs = _slice(y, dim, 0, -1) + _slice(y, dim, 1, None)
        return _halved((pairs * _widths(y, x, dim, "trapezoid")).sum(dim))
    ends = _times(y.select(dim, 0) + y.select(dim, -1), 0.5)
    return _times(y.sum(dim) - ends, 1.0 if dx is None else dx)


def size_of(y: Tensor, dim: int) -> int:
    """Return the number of samples along a dimension."""
    if not y._array.ndim:
        raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
    return y._array.shape[wrap_dim(dim, y._array.ndim)]


@composed(method=False, vocabulary=False)
def cumulative_trapezoid(y: Tensor, x: Any = None, *, dx: Any = None, dim: int = -1) -> Tensor:
    """Return the areas under samples up to each but the first, by the trapezoidal rule.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cumulative_trapezoid.html
    """
    _no_bools("cumulative_trapezoid", y, x)
    pairs = _slice(y, dim, 1, None) + _slice(y, dim, 0, -1)
    if isinstance(x, Tensor):
        return _halved((pairs * _widths(y, x, dim, "cumulative_trapezoid")).cumsum(dim))
    return _times(pairs, (1.0 if dx is None else dx) / 2).cumsum(dim)


# ------------------------------------------------------------------ covariance
@composed(vocabulary=False)
def cov(input: Tensor, *, correction: int = 1, fweights: Any = None, aweights: Any = None) -> Tensor:
    """Return the covariance matrix of variables (rows) over observations (columns).

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cov.html
    """
    ndim = input._array.ndim
    if ndim > 2:
        raise RuntimeError(
            f"cov(): expected input to have two or fewer dimensions but got an input with {ndim} dimensions"
        )
    if input._array.dtype.kind == "b":
        raise RuntimeError("cov(): bool dtype is not supported for input")
    rows = input if ndim == 2 else input.view(1, -1)
    weight = fweights if aweights is None else aweights if fweights is None else fweights * aweights
    count = rows._array.shape[1]
    total = functions["tensor"](count, dtype=from_numpy(np.dtype(np.int64))) if weight is None else weight.sum()
    mean = ((rows if weight is None else rows * weight).sum(1)) / total
    free = total - correction
    if weight is not None and aweights is not None and correction:
        free = total - correction * (weight * aweights).sum() / total
    if free.item() <= 0:
        import warnings

        warnings.warn("cov(): degrees of freedom is <= 0. Correction should be strictly less than the number of observations.",  # noqa: E501
                      stacklevel=2)  # fmt: skip
        free = free.clone().zero_()
    apart = rows - mean.unsqueeze(1)
    product = apart.mm(apart.t() if weight is None else (apart * weight).t())
    return (product / free).squeeze()


@composed(vocabulary=False)
def corrcoef(input: Tensor) -> Tensor:
    """Return the matrix of Pearson's correlations of variables (rows) over observations (columns).

    Source: https://docs.pytorch.org/docs/stable/generated/torch.corrcoef.html
    """
    ndim = input._array.ndim
    if ndim > 2:
        raise RuntimeError(
            f"corrcoef(): expected input to have two or fewer dimensions but got an input with {ndim} dimensions"
        )
    found = input.cov()
    if not found._array.ndim:
        return found / found
    scale = found.diagonal().sqrt()
    return (found / scale.view(-1, 1) / scale.view(1, -1)).clamp(-1, 1)


# ------------------------------------------------------------------ quantiles
def _quantile(input: Tensor, q: Any, dim: Any, keepdim: bool, interpolation: str, skip: bool) -> Tensor:
    values = input._array
    if interpolation not in ("linear", "lower", "higher", "midpoint", "nearest"):
        raise RuntimeError(f"quantile() interpolation must be one of linear, lower, higher, midpoint or nearest, but got "  # noqa: E501
                           f"{interpolation}")  # fmt: skip
    if not isinstance(q, Tensor):
        if not 0 <= q <= 1:
            raise RuntimeError(f"quantile() q must be in the range [0, 1] but got {q:g}")
        q = functions["tensor"](q, dtype=input.dtype if input.is_floating_point() else None)
    if not values.size:
        raise RuntimeError("quantile() input tensor must be non-empty")
    if q._array.ndim > 1:
        raise RuntimeError("quantile() q must be a scalar or 1D tensor")
    if values.dtype.kind != "f" or values.dtype.itemsize == 2:
        raise RuntimeError("quantile() input tensor must be either float or double dtype")
    if q.dtype is not input.dtype:
        raise RuntimeError("quantile() q tensor must be same dtype as the input tensor")
    if not ((q._array >= 0) & (q._array <= 1)).all():
        raise RuntimeError("quantile() q values must be in the range [0, 1]")
    axis = None if dim is None else wrap_dim(dim, values.ndim)
    if axis is None:
        ordered = input.flatten().sort()[0]
    elif axis == values.ndim - 1:
        ordered = input.sort()[0]
    else:
        ordered = input.unsqueeze(-1).transpose(axis, -1).sort()[0] if values.ndim else input.sort()[0]
    if dim is None:
        shape = [1] * values.ndim if keepdim else []
    else:
        shape = [1 if k == axis else n for k, n in enumerate(values.shape) if k != axis or keepdim]
    many, count = q._array.ndim == 1, ordered._array.shape[-1] if ordered._array.ndim else 1
    quantiles = np.atleast_1d(np.asarray(q._array))
    ordered = ordered.view(*shape, count)
    missing = np.isnan(ordered._array)
    if skip:
        known = count - missing.sum(-1, keepdims=True)
        ranks = np.maximum(quantiles * (known - 1).astype(values.dtype), 0).astype(values.dtype)
    else:
        ranks = np.broadcast_to(quantiles * values.dtype.type(count - 1), (*ordered._array.shape[:-1], quantiles.size))
        ranks = np.where(missing.any(-1, keepdims=True), values.dtype.type(count - 1), ranks)
    rounding = {"lower": np.floor, "higher": np.ceil, "nearest": np.rint}.get(interpolation, np.floor)
    below = np.ascontiguousarray(rounding(ranks))
    found = ordered.gather(-1, fresh(below.astype(np.int64)))
    if interpolation in ("linear", "midpoint"):
        above = ordered.gather(-1, fresh(np.ceil(ranks).astype(np.int64, "C")))
        part = ranks - below if interpolation == "linear" else np.full_like(ranks, 0.5)
        found = found.lerp_(above, fresh(np.asarray(part, values.dtype)))
    if many:
        found = found.unsqueeze_(0).transpose_(0, -1)
    return found.squeeze_(-1)


@composed(vocabulary=False)
def quantile(input: Tensor, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Tensor:
    """Return the q-quantiles of all elements, or along a dimension; NaN where there is any.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.quantile.html
    """
    return _quantile(input, q, dim, keepdim, interpolation, False)


@composed(vocabulary=False)
def nanquantile(input: Tensor, q: Any, dim: Any = None, keepdim: bool = False, *, interpolation: str = "linear") -> Tensor:  # noqa: E501
    """Return the q-quantiles of the elements that are numbers, of all or along a dimension.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nanquantile.html
    """
    return _quantile(input, q, dim, keepdim, interpolation, True)


# ------------------------------------------------------------------ counts
@op(r"y_k = |\{i : a_i \in B_k\}|", tensors=("self",))
def histc(self, bins=100, min=0, max=0):
    """Count the elements in bins of one width between min and max, which, if equal, are the elements' own."""
    if bins <= 0:
        raise RuntimeError(f"torch.histogram(): bins must be > 0, but got {bins} for dimension 0")
    if self.dtype.kind == "b":
        raise not_implemented("linspace_cpu", self)
    low, high = (self.min(), self.max()) if min == max and self.size else (min, max)
    if low == high:
        low, high = low - 1, high + 1
    if not (math.isfinite(low) and math.isfinite(high)):
        shown = ["-nan" if value != value else f"{value:g}" for value in (low, high)]
        raise RuntimeError(f"torch.histc: range of [{shown[0]}, {shown[1]}] is not finite")
    if low > high:
        raise RuntimeError("torch.histc: max must be larger than min")
    if self.dtype.kind != "f":
        raise not_implemented("histogram_cpu", self)
    inside = self[(self >= low) & (self <= high)].reshape(-1)
    edges = np.linspace(low, high, bins + 1).astype(self.dtype)
    place = np.clip(np.searchsorted(edges, inside, "right") - 1, 0, bins - 1)
    return np.bincount(place, minlength=bins).astype(self.dtype)


@op(r"y_k = |\{i : a_i = k\}|", tensors=("self", "weights"), optional=("weights",), out=False)
def bincount(self, weights=None, minlength=0):
    """Count how often each number from 0 occurs; weights are added instead of ones."""
    if minlength < 0:
        raise RuntimeError("minlength should be >= 0")
    if self.dtype.kind not in "iu":
        raise not_implemented("bincount_cpu", self)
    if self.ndim == 1 and not self.size:
        return np.zeros(minlength, np.int64)
    if self.ndim != 1 or self.min() < 0:
        raise RuntimeError("bincount only supports 1-d non-negative integral inputs.")
    if weights is None:
        return np.bincount(self, minlength=minlength).astype(np.int64)
    if weights.shape != self.shape:
        raise RuntimeError("weights should be 1-d and have the same length as input")
    return np.bincount(self, weights, minlength).astype(np.float32 if weights.dtype == np.float32 else np.float64)


# ------------------------------------------------------------------ combinations
@composed(method=False, vocabulary=False)
def cartesian_prod(*tensors_: Any) -> Tensor:
    """Return all pairs (triples, ...) of elements of vectors, one in a row.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.cartesian_prod.html
    """
    given = tensors_[0] if len(tensors_) == 1 and isinstance(tensors_[0], (tuple, list)) else tensors_
    for one in given:
        if one._array.ndim != 1:
            raise RuntimeError(f"Expect a 1D vector, but got shape {size_text(one._array.shape)}")
    if len(given) == 1:
        return given[0]
    return functions["stack"]([one.flatten() for one in functions["meshgrid"](*given, indexing="ij")], 1)


@composed(vocabulary=False)
def combinations(input: Tensor, r: int = 2, with_replacement: bool = False) -> Tensor:
    """Return all choices of r elements of a vector, one in a row.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.combinations.html
    """
    if input._array.ndim != 1:
        raise RuntimeError(f"Expect a 1D vector, but got shape {size_text(input._array.shape)}")
    if r < 0:
        raise RuntimeError(f"Expect a non-negative number, but got {r}")
    if r == 0:
        return functions["empty"](0, dtype=input.dtype)
    size = input._array.size
    grids = np.indices((size,) * r, sparse=False)
    mask = np.ones((size,) * r, bool)
    for k in range(r - 1):
        mask &= grids[k] <= grids[k + 1] if with_replacement else grids[k] < grids[k + 1]
    chosen = fresh(mask)
    grids_of = functions["meshgrid"](*[input] * r, indexing="ij")
    return functions["stack"]([one.masked_select(chosen) for one in grids_of], 1)


@composed(method=False, vocabulary=False)
def vander(x: Tensor, N: int | None = None, increasing: bool = False) -> Tensor:
    """Return the Vandermonde matrix: the powers of each element in a row.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.vander.html
    """
    if x._array.ndim != 1:
        raise RuntimeError("x must be a one-dimensional tensor.")
    count = x._array.size if N is None else N
    if count < 0:
        raise RuntimeError("N must be non-negative.")
    kind = x.dtype if x._array.dtype.kind == "f" else from_numpy(np.dtype(np.int64))
    made = functions["empty"](x._array.size, count, dtype=kind)
    if count > 0:
        made.select(1, 0).fill_(1)
        if count > 1:
            made[:, 1:].copy_(x.unsqueeze(1))
            made[:, 1:].copy_(made[:, 1:].cumprod(1))
    return made if increasing else made.flip(1)


def _sides(shape: Any) -> tuple[int, int]:
    return (1, math.prod(shape)) if len(shape) < 2 else tuple(shape)


def _blocks(grad: Any, sizes: Any, xp: Any) -> list:
    """Cut the gradient of a block matrix into those of its blocks."""
    found, row, column = [], 0, 0
    for shape in sizes:
        if not math.prod(shape):        # torch does not move on for it
            found.append(xp.reshape(xp.narrow(grad, 0, 0, 0), tuple(shape)))
            continue
        height, width = _sides(shape)
        part = xp.narrow(xp.narrow(grad, 0, row, height), 1, column, width)
        found.append(xp.reshape(part, tuple(shape)))
        row, column = row + height, column + width
    return found


@joins(r"Y = \operatorname{diag}(A_1, A_2, \dots)", name="block_diag", function=False, node="BlockDiagBackward0",
       tensors=Vjp(lambda grad, tensors_sizes, xp: _blocks(grad, tensors_sizes, xp), r"\bar A_k = \bar Y_{kk}"))
def block_diag(tensors):
    """Put matrices along the diagonal of a matrix of zeros; vectors are rows."""
    for position, one in enumerate(tensors):
        if one.ndim > 2:
            raise RuntimeError("torch.block_diag: Input tensors must have 2 or fewer dimensions. Input "
                               f"{position} has {one.ndim} dimensions")  # fmt: skip
    sides = [_sides(one.shape) for one in tensors]
    made = np.zeros((sum(one for one, _ in sides), sum(one for _, one in sides)), tensors[0].dtype)
    row = column = 0
    for one, (height, width) in zip(tensors, sides, strict=True):
        made[row : row + height, column : column + width] = one
        row, column = row + height, column + width
    return made


def _block_diag(*tensors: Any) -> Any:
    """Put matrices along the diagonal of a matrix of zeros; vectors are rows.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.block_diag.html
    """
    return block_diag(list(tensors)) if tensors else functions["zeros"](1, 0)


composed(name="block_diag", method=False, vocabulary=False)(_block_diag)
