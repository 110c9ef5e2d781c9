"""Linear algebra under torch's names: norms, inverses, determinants, solving and decomposing, on batches too.

Source: https://docs.pytorch.org/docs/stable/linalg.html
"""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.missing import answers_for
from autograd_lab.core.op import functions as _functions
from autograd_lab.core.op import tensors as _ops
from autograd_lab.core.operands import put_out
from autograd_lab.core.public import publish_module
from autograd_lab.core.returns import return_type
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.ops.decompositions import LinAlgError
from autograd_lab.ops.elimination import zero_pivot

__all__ = [
    "LinAlgError", "cholesky", "cholesky_ex", "cond", "cross", "det", "diagonal", "eigh", "eigvalsh", "inv", "inv_ex",
    "matmul", "matrix_norm", "matrix_power", "matrix_rank", "multi_dot", "norm", "pinv", "qr", "slogdet", "solve", "svd",  # noqa: E501
    "svdvals", "vecdot", "vector_norm",
]  # fmt: skip


def _put(found: Any, out: Any, name: str) -> Any:
    return put_out(name, found, out)


def inv(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the inverse of a square matrix; raise LinAlgError if there is none.

    >>> inv(_functions["eye"](2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return _put(_ops.linalg_inv_ex(A)[0], out, "linalg_inv")


def inv_ex(A: Tensor, *, check_errors: bool = False) -> Any:
    """Return the inverse and, per matrix, 0 (or the number of the pivot that was zero)."""
    return return_type("linalg_inv_ex")(_ops.linalg_inv_ex(A))


def det(A: Tensor, *, out: Tensor | None = None) -> Tensor:
    """Return the determinant of a square matrix."""
    return _put(_ops.linalg_det(A)[0], out, "linalg_det")


def slogdet(A: Tensor, *, out: Any = None) -> Any:
    """Return the sign of the determinant and the logarithm of its absolute value."""
    return _put(return_type("linalg_slogdet")(_ops.linalg_slogdet(A)[:2]), out, "linalg_slogdet")


def solve(A: Tensor, B: Tensor, *, left: bool = True, out: Tensor | None = None) -> Tensor:
    """Return X with A X = B (or X A = B)."""
    return _put(_ops.linalg_solve_ex(A, B, left)[0], out, "linalg_solve")


def cholesky(A: Tensor, *, upper: bool = False, out: Tensor | None = None) -> Tensor:
    """Return the lower (or upper) triangular factor of a positive definite matrix."""
    return _put(_ops.linalg_cholesky_ex(A, upper)[0], out, "linalg_cholesky")


def cholesky_ex(A: Tensor, *, upper: bool = False, check_errors: bool = False) -> Any:
    """Return the triangular factor and, per matrix, 0."""
    return return_type("linalg_cholesky_ex")(_ops.linalg_cholesky_ex(A, upper))


def _svd(A: Tensor, full_matrices: bool) -> Any:
    size = min(A._array.shape[-2:]) if A._array.ndim > 1 else 0
    return _ops.linalg_svd(A, full_matrices, size)


def svd(A: Tensor, full_matrices: bool = True, *, driver: str | None = None, out: Any = None) -> Any:
    """Return left singular vectors, singular values and right singular vectors (transposed)."""
    return _put(return_type("linalg_svd")(_svd(A, full_matrices)), out, "linalg_svd")


def svdvals(A: Tensor, *, driver: str | None = None, out: Tensor | None = None) -> Tensor:
    """Return the singular values, largest first."""
    return _put(_svd(A, False)[1], out, "linalg_svdvals")


def qr(A: Tensor, mode: str = "reduced", *, out: Any = None) -> Any:
    """Return the orthogonal and the upper triangular factor."""
    return _put(_ops.linalg_qr(A, mode), out, "linalg_qr")


def eigh(A: Tensor, UPLO: str = "L", *, out: Any = None) -> Any:
    """Return eigenvalues (ascending) and eigenvectors of a symmetric matrix."""
    return _put(_ops.linalg_eigh(A, UPLO), out, "linalg_eigh")


def eigvalsh(A: Tensor, UPLO: str = "L", *, out: Tensor | None = None) -> Tensor:
    """Return the eigenvalues of a symmetric matrix, ascending."""
    try:
        values = _ops.linalg_eigh(A, UPLO)[0]
    except LinAlgError as error:        # LAPACK counts one less where no vectors are asked for
        text, code = str(error), A._array.shape[-1] - 1
        if A.requires_grad:
            raise
        raise LinAlgError(text.replace(f"(error code: {code})", f"(error code: {code - 1})")) from None
    return _put(values, out, "linalg_eigvalsh")


def cross(input: Tensor, other: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Return the cross product along a dimension of size 3."""
    return _put(_ops.linalg_cross(input, other, dim), out, "linalg_cross")


def matmul(input: Tensor, other: Tensor, *, out: Tensor | None = None) -> Tensor:
    """The same as torch.matmul."""
    return _functions["matmul"](input, other, out=out)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1, out: Tensor | None = None) -> Tensor:
    """Return the dot products along a dimension."""
    if x._array.dtype.kind != "f":
        raise RuntimeError("linalg.vecdot: Expected a floating point or complex tensor as input. Got "
                           f"{x.dtype.scalar_name}")  # fmt: skip
    if x.dtype is not y.dtype:
        raise RuntimeError("linalg.vecdot: Expected x and y to have the same dtype, but found x of type "
                           f"{x.dtype.scalar_name} and y of type {y.dtype.scalar_name} instead")  # fmt: skip
    if x._array.ndim == y._array.ndim == 1:
        return _put(_functions["vdot"](x, y), out, "linalg_vecdot")
    return _put(_ops.sum(x * y, (dim,)), out, "linalg_vecdot")


def diagonal(A: Tensor, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """View the diagonal of matrices."""
    return _functions["diagonal"](A, offset, dim1, dim2)


def multi_dot(tensors: Any, *, out: Tensor | None = None) -> Tensor:
    """Multiply several matrices in the order that needs the least work."""
    from autograd_lab.ops.chains import multiply

    return _put(multiply(list(tensors)), out, "linalg_multi_dot")


def matrix_power(A: Tensor, n: int, *, out: Tensor | None = None) -> Tensor:
    """Multiply a square matrix n times with itself; a negative n inverts it first."""
    from autograd_lab.ops.chains import power

    return _put(power(A, n), out, "linalg_matrix_power")


def vector_norm(x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None,
                out: Tensor | None = None) -> Tensor:  # fmt: skip
    """Return the norm of order `ord` of all elements, or along dimensions."""
    if not isinstance(ord, (int, float)):
        raise TypeError(f"linalg_vector_norm(): argument 'ord' must be Number, not {type(ord).__name__}")
    if x._array.dtype.kind != "f":
        raise RuntimeError("linalg.vector_norm: Expected a floating point or complex tensor as input. Got "
                           f"{from_numpy(x._array.dtype).scalar_name}")  # fmt: skip
    if isinstance(dim, int):
        dim = (dim,)
    return _put(
        _ops.linalg_vector_norm(x, ord, None if dim is None else tuple(dim), keepdim, dtype), out, "linalg_vector_norm"
    )


def norm(A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, out: Tensor | None = None,
         dtype: Any = None) -> Tensor:  # fmt: skip
    """Return a norm of a vector or a matrix, as `ord` and the number of dimensions say."""
    dims = (dim,) if isinstance(dim, int) else None if dim is None else tuple(dim)
    if dims is not None and len(dims) not in (1, 2):
        raise RuntimeError(
            f"linalg.norm: If dim is specified, it must be of length 1 or 2. Got [{', '.join(map(str, dims))}]"
        )
    ndim = A._array.ndim
    if dims is None and ord is not None and ndim not in (1, 2):
        raise RuntimeError(f"linalg.norm: If dim is not specified but ord is, the input must be 1D or 2D. Got {ndim}D.")
    if ord is not None and ((dims is not None and len(dims) == 2) or (dims is None and ndim == 2)):
        return matrix_norm(A, ord, (0, 1) if dims is None else dims, keepdim, dtype=dtype, out=out)
    if isinstance(ord, str):
        return matrix_norm(A, ord, (-2, -1) if dims is None else dims, keepdim, dtype=dtype, out=out)
    return _put(vector_norm(A, 2.0 if ord is None else ord, dims, keepdim, dtype=dtype), out, "linalg_norm")


def matrix_norm(A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None,
                out: Tensor | None = None) -> Tensor:  # fmt: skip
    """Return a norm of matrices: 'fro', 'nuc', inf, -inf, 1, -1, 2 or -2."""
    from autograd_lab.ops.chains import matrix_norm_of

    return _put(
        matrix_norm_of(A if dtype is None else A.to(dtype), ord, tuple(dim), keepdim), out, "linalg_matrix_norm"
    )


def cond(A: Tensor, p: Any = None, *, out: Tensor | None = None) -> Tensor:
    """Return the condition number: the largest singular value by the smallest, or by the norm `p`."""
    if A._array.ndim < 2:
        raise RuntimeError("linalg.cond: The input tensor must have at least 2 dimensions.")
    if not A._array.size:
        return _put(_functions["zeros"](A._array.shape[:-2], dtype=A.dtype).zero_(), out, "linalg_cond")
    if p is None or p in (2, -2):
        values = svdvals(A)
        first, final = values.narrow(-1, 0, 1), values.narrow(-1, values.shape[-1] - 1, 1)
        return _put((final / first if p == -2 else first / final).squeeze(-1), out, "linalg_cond")
    if p not in ("fro", "nuc", 1, -1, float("inf"), float("-inf")):
        raise RuntimeError(f"linalg.cond got an invalid norm type: {p}")
    if A._array.shape[-1] != A._array.shape[-2]:
        rows, columns = A._array.shape[-2:]
        raise RuntimeError(f"linalg.cond(ord={p}): A must be batches of square matrices, but they are {rows} by "
                           f"{columns} matrices")  # fmt: skip
    size = matrix_norm(A, p)
    try:
        found = size * matrix_norm(inv(A), p)
    except LinAlgError:
        singular = np.array([bool(zero_pivot(one)) for one in A._array.reshape(-1, *A._array.shape[-2:])])
        singular = singular.reshape(A._array.shape[:-2])
        regular = _functions["where"](fresh(singular[..., None, None]), _functions["eye"](len(A[-1])), A)
        found = (size * matrix_norm(inv(regular), p)).masked_fill(fresh(singular), float("inf"))
    return _put(found.masked_fill_(found.isnan(), float("inf")), out, "linalg_cond")


def pinv(A: Tensor, rcond: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None,
         out: Tensor | None = None) -> Tensor:  # fmt: skip
    """Return the Moore-Penrose inverse."""
    from autograd_lab.ops.chains import pseudo_inverse

    return _put(pseudo_inverse(A, atol, rtol if rcond is None else rcond, hermitian), out, "linalg_pinv")


def matrix_rank(A: Tensor, tol: Any = None, hermitian: bool = False, *, atol: Any = None, rtol: Any = None,
                out: Tensor | None = None) -> Tensor:  # fmt: skip
    """Return the number of singular values that are not negligible."""
    from autograd_lab.ops.chains import rank_of

    atol, rtol = (atol, rtol) if tol is None else (tol, 0.0)
    return _put(rank_of(A, atol, rtol, hermitian), out, "linalg_matrix_rank")


publish_module("linalg", [name for name in __all__ if name != "LinAlgError"], globals())
__getattr__ = answers_for("torch.linalg", __all__)
