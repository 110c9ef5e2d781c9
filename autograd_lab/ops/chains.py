"""Linear algebra made of several products or decompositions: powers, chains of products, matrix norms, pseudo-inverse."""  # noqa: E501

from __future__ import annotations

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.op import Vjp, functions, op, tensors
from autograd_lab.core.operands import put_out
from autograd_lab.core.returns import return_type
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.ops.decompositions import not_finite, turned
from autograd_lab.ops.linear import matmul, mm
from autograd_lab.ops.matrices import check
from autograd_lab.ops.shape import _permute, _view


def power(A, n):
    """Multiply a square matrix n times with itself."""
    array = A._array
    if array.ndim < 2 or array.shape[-1] != array.shape[-2]:
        shape = array.shape
        if array.ndim < 2:
            raise RuntimeError("linalg.matrix_power: The input tensor A must have at least 2 dimensions.")
        raise RuntimeError(f"linalg.matrix_power: A must be batches of square matrices, but they are {shape[-2]} by "
                           f"{shape[-1]} matrices")  # fmt: skip
    if n == 0:
        made = A.clone()
        return made.copy_(functions["eye"](array.shape[-1], dtype=A.dtype).expand(array.shape))
    if n < 0:
        A, n = tensors.linalg_inv_ex(A)[0], -n
        if n == 1:
            return A
    if n == 1:
        return A.clone()
    if n == 2:
        return matmul(A, A)
    if n == 3:
        return matmul(matmul(A, A), A)
    result, square = None, A
    while n:
        n, odd = divmod(n, 2)
        if odd:
            result = square if result is None else matmul(result, square)
        if n:
            square = matmul(square, square)
    return result


def best_order(sizes):
    """Return where to split each stretch of a chain of products so that the fewest multiplications are needed."""
    count = len(sizes) - 1
    cost = [[0] * count for _ in range(count)]
    split = [[0] * count for _ in range(count)]
    for length in range(1, count):
        for i in range(count - length):
            j = i + length
            best = min((cost[i][k] + cost[k + 1][j] + sizes[i] * sizes[k + 1] * sizes[j + 1], k) for k in range(i, j))
            cost[i][j], split[i][j] = best
    return split


def multiply(tensors_):
    """Multiply a chain of matrices; the first and the last may be vectors."""
    if len(tensors_) < 2:
        raise RuntimeError(f"multi_dot(): expected at least 2 tensors but got {len(tensors_)}")
    last = len(tensors_) - 1
    for k in (0, last, *range(1, last)):
        one, inside = tensors_[k], 0 < k < last
        if one._array.ndim != 2 and (inside or one._array.ndim != 1):
            where = f"tensor {k}" if inside else "the first tensor" if k == 0 else "the last tensor"
            raise RuntimeError(
                f"multi_dot(): {where} must be {'2D' if inside else '1D or 2D'} but got {one._array.ndim}D"
            )
    matrices = list(tensors_)
    first_is_vector, last_is_vector = matrices[0]._array.ndim == 1, matrices[-1]._array.ndim == 1
    shape = [] if first_is_vector else [matrices[0]._array.shape[0]]
    shape += [] if last_is_vector else [matrices[-1]._array.shape[1]]
    if first_is_vector:
        matrices[0] = matrices[0].unsqueeze(0)
    if last_is_vector:
        matrices[-1] = matrices[-1].unsqueeze(-1)
    for k in range(len(matrices) - 1):
        if matrices[k + 1].dtype is not matrices[0].dtype:
            raise RuntimeError(f"multi_dot(): all tensors must have be the same dtype but tensor 0 is {matrices[0].dtype.cpp_name} "  # noqa: E501
                               f"and tensor {k + 1} {matrices[k + 1].dtype.cpp_name}")  # fmt: skip
        if matrices[k]._array.shape[1] != matrices[k + 1]._array.shape[0]:
            a, b = (size_text(one._array.shape) for one in tensors_[k : k + 2])
            raise RuntimeError(f"multi_dot(): tensors {k} and {k + 1} with shapes {a} and {b} cannot be multiplied")
    if len(matrices) == 3:
        a, b, c = matrices
        (m, n), (o, q) = a._array.shape, c._array.shape
        right_first = m * o * (n + q) > n * q * (m + o)
        return _view(mm(a, mm(b, c)) if right_first else mm(mm(a, b), c), tuple(shape))
    split = best_order([matrices[0]._array.shape[0], *(one._array.shape[1] for one in matrices)])

    def part(i, j):
        return matrices[i] if i == j else mm(part(i, split[i][j]), part(split[i][j] + 1, j))

    return _view(part(0, len(matrices) - 1), tuple(shape))


def matrix_norm_of(A, ord, dim, keepdim):
    """Return a norm of the matrices in two dimensions."""
    array = A._array
    if isinstance(ord, str) and ord not in ("fro", "nuc"):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    if array.ndim < 2:
        raise RuntimeError("linalg.matrix_norm: The input tensor A must have at least 2 dimensions.")
    if array.dtype.kind != "f":
        from autograd_lab.core.dtypes import from_numpy

        raise RuntimeError("linalg.matrix_norm: Expected a floating point or complex tensor as input. Got "
                           f"{from_numpy(array.dtype).scalar_name}")  # fmt: skip
    if len(dim) != 2:
        raise RuntimeError(f"linalg.matrix_norm: dim must be a 2-tuple. Got {' '.join(map(str, dim))}")
    rows, columns = (wrap_dim(one, array.ndim) for one in dim)
    if rows == columns:
        raise RuntimeError(f"linalg.matrix_norm: dims must be different. Got ({rows}, {columns})")
    if ord == "fro":
        return tensors.linalg_vector_norm(A, 2, (rows, columns), keepdim, None)
    size = abs(ord) if isinstance(ord, (int, float)) else None
    if ord == "nuc" or size == 2:
        if array.dtype.itemsize == 2:
            raise RuntimeError("linalg.matrix_norm: Low precision dtypes not supported. Got Half")
        order = (*(k for k in range(array.ndim) if k not in (rows, columns)), rows, columns)
        values = tensors.linalg_svd(_permute(A, order), False, min(array.shape[rows], array.shape[columns]))[1]
        if ord == "nuc":
            found = tensors.sum(values, (-1,), keepdim)
        else:
            found = extreme(values, -1, keepdim, ord > 0)
        if keepdim:
            back = _unmoved(order)
            found = _permute(found.unsqueeze(-1), back)
        return found
    if size not in (1, float("inf")):
        raise RuntimeError(f"linalg.matrix_norm: Order {ord} not supported.")
    first, second = (rows, columns) if size == 1 else (columns, rows)
    if not keepdim and first < second:
        second -= 1
    found = tensors.linalg_vector_norm(A, 1.0, (first,), keepdim, None)
    return extreme(found, second, keepdim, ord > 0)


def extreme(values, dim, keepdim, largest):
    """Return the largest or smallest along a dimension; the largest of nothing is a 0 without history."""
    if largest and not values._array.shape[dim]:
        shape = np.max(values._array, dim, keepdims=keepdim, initial=0).shape
        return functions["zeros"](shape, dtype=values.dtype).zero_()
    return (tensors.amax if largest else tensors.amin)(values, (dim,), keepdim)


def _unmoved(order):
    back = [0] * len(order)
    for k, dim in enumerate(order):
        back[dim] = k
    return tuple(back)


def pinv_slope(grad, self, result, xp):
    """Return the gradient by the formula of Golub and Pereyra, which holds for constant rank."""
    across, back = turned(result, xp), turned(grad, xp)
    first = -xp.matmul(across, xp.matmul(grad, across))
    inner = xp.matmul(back, xp.matmul(result, across))
    second = inner - xp.matmul(self, xp.matmul(result, inner))
    outer = xp.matmul(xp.matmul(across, result), back)
    return first + second + outer - xp.matmul(xp.matmul(outer, result), self)


@op(
    r"Y = A^+",
    node="LinalgPinvBackward0",
    function=False,
    method=False,
    self=Vjp(
        lambda grad, self, result, xp: pinv_slope(grad, self, result, xp),
        r"\bar A = -Y^\top \bar Y Y^\top + (I - A Y) \bar Y^\top Y Y^\top + Y^\top Y \bar Y^\top (I - Y A)",
    ),
)
def linalg_pinv(self, atol, rtol):
    """The Moore-Penrose inverse of a matrix."""
    if not np.isfinite(self).all():
        singular_values(self)
    if np.any(atol):
        largest = singular_values(self).max(-1, initial=0)
        with np.errstate(divide="ignore", invalid="ignore"):
            rtol = np.maximum(rtol, np.where(largest > 0, atol / largest, 0))
    return np.linalg.pinv(self, rtol)


def pseudo_inverse(A, atol, rtol, hermitian=False):
    """Return the Moore-Penrose inverse; singular values below the bounds count as zero."""
    array = A._array
    if array.ndim < 2 or array.dtype.kind != "f" or array.dtype.itemsize == 2:
        raise RuntimeError(f"linalg.pinv({A.dtype.scalar_name}{{{size_text(array.shape)}}}): expected a tensor with 2 or more "  # noqa: E501
                           "dimensions of float, double, cfloat or cdouble types")  # fmt: skip
    if hermitian:
        check("eigh", array, True)
    atol, rtol = bounds(array, atol, rtol)
    return linalg_pinv(A, atol, rtol)


def singular_values(array):
    """Return the singular values of matrices, or raise torch's error for those that are not finite."""
    try:
        return np.linalg.svd(array, compute_uv=False)
    except np.linalg.LinAlgError:
        raise not_finite(array) from None


def bounds(array, atol, rtol):
    """Return the absolute and the relative size below which singular values count as zero."""
    atol, rtol = (one._array if isinstance(one, Tensor) else one for one in (atol, rtol))
    if rtol is None:
        limit = max(array.shape[-2:]) * float(np.finfo(array.dtype).eps)
        rtol = limit if atol is None else np.where(np.asarray(atol) > 0, 0.0, limit)
    return 0.0 if atol is None else atol, rtol


def rank_of(A, atol, rtol, hermitian):
    """Return how many singular values (of a symmetric matrix: eigenvalues) exceed the bounds."""
    array = A._array
    if array.ndim < 2:
        raise RuntimeError("torch.linalg.matrix_rank: The input tensor input must have at least 2 dimensions.")
    if array.dtype.kind != "f" or array.dtype.itemsize == 2:
        raise RuntimeError("This function doesn't handle types other than float and double")
    if hermitian:
        check("eigh", array, True)
    atol, rtol = bounds(array, atol, rtol)
    values = singular_values(array)
    bound = np.maximum(atol, rtol * values.max(-1, initial=0))
    counted = (values > np.asarray(bound)[..., None]).sum(-1)
    made = fresh(np.zeros_like(counted))
    return made.copy_(fresh(counted))       # torch too writes it into a tensor that it made before


# ------------------------------------------------------------------ the older names, as functions and methods
@composed(vocabulary=False)
def det(input):
    """Return the determinant of a square matrix."""
    return tensors.linalg_det(input)[0]


@composed(vocabulary=False)
def inverse(input, *, out=None):
    """Return the inverse of a square matrix."""
    found = tensors.linalg_inv_ex(input)[0]
    return put_out("inverse", found, out)


@composed(vocabulary=False)
def slogdet(input):
    """Return the sign of the determinant and the logarithm of its absolute value."""
    return return_type("slogdet")(tensors.linalg_slogdet(input)[:2])


@composed(vocabulary=False)
def logdet(input):
    """Return the logarithm of the determinant; NaN where it is negative."""
    check("logdet", input._array, True)
    sign, size = tensors.linalg_slogdet(input)[:2]
    return tensors.where(sign.detach() == -1, float("nan"), size)


@composed(vocabulary=False)
def svd(input, some=True, compute_uv=True, *, out=None):
    """Return singular vectors and values; `V` is not transposed."""
    array = input._array
    if array.ndim < 2:
        raise RuntimeError(f"linalg.svd: input should have at least 2 dimensions, but has {array.ndim} dimensions "
                           "instead")  # fmt: skip
    size = min(array.shape[-2:])
    U, S, Vh = tensors.linalg_svd(input, compute_uv and not some, size)
    if not compute_uv:
        U, Vh = (functions["empty"](*array.shape[:-2], k, k, dtype=input.dtype).zero_() for k in array.shape[-2:])
    return return_type("svd")((U, S, transposed(Vh)))


def transposed(matrix):
    """Transpose the last two dimensions."""
    return tensors.transpose(matrix, -2, -1)


@composed(vocabulary=False)
def matrix_power(input, n, *, out=None):
    """Multiply a square matrix n times with itself."""
    found = power(input, n)
    return put_out("matrix_power", found, out)


@composed(vocabulary=False)
def pinverse(input, rcond=1e-15):
    """Return the Moore-Penrose inverse."""
    return pseudo_inverse(input, None, rcond)
