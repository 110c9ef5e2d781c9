"""Solving and decomposing matrices: inv, det, slogdet, solve, cholesky, svd, qr, eigh; each works on batches too."""

from __future__ import annotations

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.op import Vjp, arrays, op
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.ops import lapack
from autograd_lab.ops.elimination import lu_of, zero_pivot
from autograd_lab.ops.matrices import check, check_dtype, check_shape
from autograd_lab.ops.refusals import not_implemented

HIDDEN = {"function": False, "method": False}


class LinAlgError(RuntimeError):
    """A matrix had no inverse or no decomposition."""


LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"
LinAlgError.__module__ = "torch._C"
arrays.matmul = np.matmul


def turned(matrix, xp):
    """Transpose the last two dimensions."""
    return xp.transpose(matrix, -2, -1)


def over_matrix(numbers, xp, dim=-1):
    """Give one number a matrix the dimensions to broadcast over it."""
    return xp.unsqueeze(xp.unsqueeze(numbers, dim), dim)


def constant(array, like):
    """Return an array in the vocabulary of `like`, in its dtype."""
    if isinstance(like, Tensor):
        return wrap(array.astype(like._array.dtype))
    return array.astype(like.dtype)


# ------------------------------------------------------------------ inverse, determinant, solve
def inverted(array, name="inv"):
    """Return the inverse, or say which pivot was zero."""
    try:
        found = np.linalg.inv(array)
    except np.linalg.LinAlgError:
        raise singular(array, name) from None
    return in_columns(spoilt(found, array))


def spoilt(found, array):
    """Return a solution with NaN throughout where its matrix has one: elimination carries it to every element."""
    bad = np.isnan(array).any((-2, -1))
    return np.where(bad[..., None, None], array.dtype.type(np.nan), found) if bad.any() else found


def in_columns(matrix):
    """Return a matrix laid out column by column: so LAPACK writes, and torch keeps its order."""
    return matrix.swapaxes(-1, -2).copy().swapaxes(-1, -2)


def wide(array):
    """Return float16, which NumPy does not decompose, in float32."""
    return array.astype(np.float32) if array.dtype.itemsize == 2 else array


def singular(array, name):
    """Return the error for a matrix without inverse."""
    batches = array.reshape(-1, *array.shape[-2:])
    for k, matrix in enumerate(batches):
        pivot = zero_pivot(matrix)
        if pivot:
            where = f"(Batch element {k}): " if array.ndim > 2 else ""
            return LinAlgError(f"linalg.{name}: {where}The diagonal element {pivot} is zero, the inversion could not be "  # noqa: E501
                               "completed because the input matrix is singular.")  # fmt: skip
    return LinAlgError(f"linalg.{name}: The inversion could not be completed because the input matrix is singular.")


@op(
    r"Y = A^{-1}",
    outputs=("inverse", "info"),
    differentiable=("inverse",),
    node="LinalgInvExBackward0",
    A=Vjp(
        lambda grad, inverse, xp: -xp.matmul(turned(inverse, xp), xp.matmul(grad, turned(inverse, xp))),
        r"\bar A = -Y^\top \bar Y Y^\top",
    ),
    **HIDDEN,
)
def linalg_inv_ex(A):
    """The inverse of a matrix."""
    check("inv", A, True)
    return inverted(A), np.zeros(A.shape[:-2], np.int32)[()]


def det_slope(grad, A, result, xp):
    """Return the gradient of the determinant: the cofactors."""
    if (abs(plain(result)) == 0).any():
        return over_matrix(grad, xp) * xp.cofactors(A)
    return over_matrix(grad * result, xp) * turned(xp.linalg_inv_ex(A)[0], xp)


def plain(value):
    """Return the array behind a value of either vocabulary."""
    return np.asarray(value._array if isinstance(value, Tensor) else value)


def minors_slope(grad, self, xp):
    """Return the gradient of the cofactors: every minor passes its own cofactors, to any order, singular or not."""
    size = self.shape[-1]
    if size < 2:
        return xp.zeros_like(self)
    left_out = np.stack([np.delete(np.eye(size), k, -1) for k in range(size)])
    rows, columns = constant(left_out[:, None], self), constant(left_out[None], self)
    minors = xp.matmul(xp.matmul(turned(rows, xp), over_matrix(self, xp, -3)), columns)
    signs = constant((-1.0) ** np.add.outer(np.arange(size), np.arange(size)), self)
    parts = over_matrix(grad * signs, xp) * xp.cofactors(minors)
    return xp.sum(xp.matmul(xp.matmul(rows, parts), turned(columns, xp)), (-4, -3))


@op(
    r"C_{ij} = (-1)^{i+j} |A_{\setminus ij}|",
    self=Vjp(
        lambda grad, self, xp: minors_slope(grad, self, xp),
        r"\bar A_{\setminus ij} \mathrel{+}= (-1)^{i+j} \bar C_{ij} \operatorname{cof} A_{\setminus ij}",
    ),
    **HIDDEN,
)
def cofactors(self):
    """The matrix of cofactors, also of a singular matrix."""
    u, s, vh = np.linalg.svd(self)
    others = np.stack([np.prod(np.delete(s, k, -1), -1) for k in range(s.shape[-1])], -1)
    sign = np.linalg.det(u) * np.linalg.det(vh)
    return (sign[..., None, None] * ((u * others[..., None, :]) @ vh)).astype(self.dtype)


@op(
    r"y = \det A",
    outputs=("result", "LU", "pivots"),
    differentiable=("result",),
    node="LinalgDetBackward0",
    A=Vjp(lambda grad, A, LU, pivots, result, xp: det_slope(grad, A, result, xp), r"\bar A = \bar y\, y\, A^{-\top}"),
    **HIDDEN,
)
def linalg_det(A):
    """The determinant of a matrix."""
    check("det", A, True)
    lu, pivots = lu_of(A)
    exchanged = (pivots != np.arange(1, A.shape[-1] + 1)).sum(-1)
    sign = np.where(exchanged % 2, -1, 1).astype(A.dtype)
    return np.prod(np.diagonal(lu, 0, -2, -1), -1) * sign, lu, pivots


@op(
    r"y = \ln |\det A|",
    outputs=("sign", "logabsdet", "LU", "pivots"),
    differentiable=("sign", "logabsdet"),
    node="LinalgSlogdetBackward0",
    A=Vjp(
        lambda grads, A, sign, LU, pivots, xp: (
            None if grads[1] is None else over_matrix(grads[1], xp) * turned(xp.linalg_inv_ex(A)[0], xp)
        ),
        r"\bar A = \bar y\, A^{-\top}",
    ),
    **HIDDEN,
)
def linalg_slogdet(A):
    """The sign of the determinant, and the logarithm of its size."""
    check("slogdet", A, True)
    lu, pivots = lu_of(A)
    diagonal = np.diagonal(lu, 0, -2, -1)
    exchanged = (pivots != np.arange(1, A.shape[-1] + 1)).sum(-1)
    sign = np.prod(np.nan_to_num(np.sign(diagonal)), -1) * np.where(exchanged % 2, -1, 1)
    return sign.astype(A.dtype), np.log(np.abs(diagonal)).sum(-1), lu, pivots


def is_vector(A, B):
    """Say whether B holds vectors, not matrices."""
    return B.ndim == 1 or (A.ndim - 1 == B.ndim and tuple(B.shape) == tuple(A.shape[:-1]))


def solve_a(grad, A, result, left, xp):
    """Return the gradient of the matrix of a linear system."""
    back = xp.linalg_solve_ex(turned(A, xp), grad, left)[0]
    if is_vector(A, result):
        return -xp.matmul(xp.unsqueeze(back, -1), xp.unsqueeze(result, -2))
    if left:
        return -xp.matmul(back, turned(result, xp))
    return -xp.matmul(turned(result, xp), back)


@op(
    r"Y = A^{-1} B",
    outputs=("result", "LU", "pivots", "info"),
    differentiable=("result",),
    node="LinalgSolveExBackward0",
    fix="always",
    A=Vjp(
        lambda grad, A, LU, pivots, result, left, xp: solve_a(grad, A, result, left, xp),
        r"\bar A = -A^{-\top} \bar Y Y^\top",
    ),
    B=Vjp(
        lambda grad, A, LU, pivots, left, xp: xp.linalg_solve_ex(turned(A, xp), grad, left)[0],
        r"\bar B = A^{-\top} \bar Y",
    ),
    **HIDDEN,
)
def linalg_solve_ex(A, B, left=True):
    """The solution of a system of linear equations."""
    if A.dtype.kind != "f":
        check_dtype("solve", A)
    if A.dtype is not B.dtype:
        raise RuntimeError(f"linalg.solve: Expected A and B to have the same dtype, but found A of type "
                           f"{from_numpy(A.dtype).scalar_name} and B of type {from_numpy(B.dtype).scalar_name} instead")  # fmt: skip  # noqa: E501
    vector = is_vector(A, B)
    check_shape("solve", A, True)
    if B.ndim < 2 and not vector:
        raise RuntimeError("linalg.solve: The input tensor B must have at least 2 dimensions.")
    check_dtype("solve", A)
    matrix = B[..., None] if vector else B
    rows = matrix.shape[-2] if left else matrix.shape[-1]
    if rows != A.shape[-1]:
        raise RuntimeError("linalg.solve: Incompatible shapes of A and B for the equation "
                           f"{'AX = B' if left else 'XA = B'} ({A.shape[-2]}x{A.shape[-1]} and "
                           f"{matrix.shape[-2]}x{matrix.shape[-1]})")  # fmt: skip
    try:
        found = (
            np.linalg.solve(A, matrix)
            if left
            else np.linalg.solve(A.swapaxes(-1, -2), matrix.swapaxes(-1, -2)).swapaxes(-1, -2)
        )
    except np.linalg.LinAlgError:
        place = ""
        if A.ndim > 2:
            bad = next(k for k, one in enumerate(A.reshape(-1, *A.shape[-2:])) if zero_pivot(one))
            place = f"(Batch element {bad}): "
        raise LinAlgError(
            f"torch.linalg.solve: {place}The solver failed because the input matrix is singular."
        ) from None
    found = spoilt(found, A)
    lu, pivots = lu_of(A)
    return found[..., 0] if vector else in_columns(found), lu, pivots, np.zeros(A.shape[:-2], np.int32)[()]


# ------------------------------------------------------------------ cholesky
def cholesky_slope(grad, L, upper, xp):
    """Return the gradient of the matrix from that of its Cholesky factor."""
    if upper:
        L, grad = turned(L, xp), turned(grad, xp)
    size = L.shape[-1]
    weight = constant(np.tril(np.ones((size, size)), -1) + np.eye(size) * 0.5, L)
    inner = xp.matmul(turned(L, xp), grad) * weight
    half = (inner + turned(inner, xp)) * 0.5
    inverse = xp.linalg_inv_ex(L)[0]
    return xp.matmul(turned(inverse, xp), xp.matmul(half, inverse))


@op(
    r"A = L L^\top",
    outputs=("L", "info"),
    differentiable=("L",),
    node="LinalgCholeskyExBackward0",
    self=Vjp(
        lambda grad, L, upper, xp: cholesky_slope(grad, L, upper, xp),
        r"\bar A = \tfrac12 L^{-\top} (\Phi + \Phi^\top) L^{-1},\ \Phi = \mathrm{tril}(L^\top \bar L)",
    ),
    **HIDDEN,
)
def linalg_cholesky_ex(self, upper=False):
    """The triangular factor of a positive definite matrix."""
    check("cholesky", self, True)
    lower = np.tril(self) if not upper else np.tril(self.swapaxes(-1, -2))
    try:
        found = np.linalg.cholesky(wide(lower + np.tril(lower, -1).swapaxes(-1, -2))).astype(self.dtype, copy=False)
    except np.linalg.LinAlgError:
        raise LinAlgError(cholesky_text(self)) from None
    if np.isnan(found).any():
        raise LinAlgError(cholesky_text(lower + np.tril(lower, -1).swapaxes(-1, -2)))
    return (found.swapaxes(-1, -2) if upper else in_columns(found)), np.zeros(self.shape[:-2], np.int32)[()]


def cholesky_text(array):
    """Return torch's text for a matrix that is not positive definite."""
    for k, matrix in enumerate(array.reshape(-1, *array.shape[-2:])):
        for order in range(1, matrix.shape[0] + 1):
            if not np.linalg.det(matrix[:order, :order]) > 0:
                place = f"(Batch element {k}): " if array.ndim > 2 else ""
                return (f"linalg.cholesky: {place}The factorization could not be completed because the input is not "
                        f"positive-definite (the leading minor of order {order} is not positive-definite).")  # fmt: skip  # noqa: E501
    return "linalg.cholesky: The factorization could not be completed because the input is not positive-definite."


# ------------------------------------------------------------------ svd, eigh, qr
def gaps(numbers, xp):
    """Return the differences x_j - x_i as a matrix, with 1 on the diagonal."""
    size = numbers.shape[-1]
    return xp.unsqueeze(numbers, -2) - xp.unsqueeze(numbers, -1) + constant(np.eye(size), numbers)


def skew(matrix, xp):
    """Return a matrix minus its transpose."""
    return matrix - turned(matrix, xp)


def svd_slope(grads, U, S, Vh, full_matrices, xp):
    """Return the gradient of a matrix from those of its singular values and vectors."""
    gU, gS, gVh = grads
    size = S.shape[-1]
    if full_matrices:
        U, Vh = xp.narrow(U, -1, 0, size), xp.narrow(Vh, -2, 0, size)
        gU = None if gU is None else xp.narrow(gU, -1, 0, size)
        gVh = None if gVh is None else xp.narrow(gVh, -2, 0, size)
    if gU is None and gVh is None:
        return xp.matmul(U * xp.unsqueeze(gS, -2), Vh)
    width = gaps(S * S, xp)
    inner = None
    if gU is not None:
        inner = skew(xp.matmul(turned(U, xp), gU), xp) / width * xp.unsqueeze(S, -2)
    if gVh is not None:
        part = xp.unsqueeze(S, -1) * (skew(xp.matmul(Vh, turned(gVh, xp)), xp) / width)
        inner = part if inner is None else inner + part
    if gS is not None:
        inner = inner + xp.diag_embed(gS)
    found = xp.matmul(U, xp.matmul(inner, Vh))
    if gU is not None and U.shape[-2] > size:
        scaled = gU / xp.unsqueeze(S, -2)
        found = found + xp.matmul(scaled - xp.matmul(U, xp.matmul(turned(U, xp), scaled)), Vh)
    if gVh is not None and Vh.shape[-1] > size:
        scaled = gVh / xp.unsqueeze(S, -1)
        found = found + xp.matmul(U, scaled - xp.matmul(xp.matmul(scaled, turned(Vh, xp)), Vh))
    return found


@op(
    r"A = U \Sigma V^\top",
    outputs=("U", "S", "Vh"),
    node="LinalgSvdBackward0",
    A=Vjp(
        lambda grads, U, S, Vh, full_matrices, S_sym_argsize_minus_1, xp: svd_slope(grads, U, S, Vh, full_matrices, xp),
        r"\bar A = U\,(\dots)\,V^\top",
    ),
    **HIDDEN,
)
def linalg_svd(A, full_matrices=True, S_sym_argsize_minus_1=0):
    """Singular vectors and values of a matrix."""
    check("svd", A)
    try:
        U, S, Vh = (one.astype(A.dtype, copy=False) for one in lapack.svd(wide(A), full_matrices))
    except np.linalg.LinAlgError:
        raise not_finite(A) from None
    return in_columns(U), S, in_columns(Vh)


def not_finite(A):
    """Return torch's error for matrices whose singular values cannot be found."""
    bad = next(k for k, one in enumerate(A.reshape(-1, *A.shape[-2:])) if not np.isfinite(one).all())
    where = f"(Batch element {bad}): " if A.ndim > 2 else ""
    return LinAlgError(f"linalg.svd: {where}The algorithm failed to converge because the input matrix contained "
                       "non-finite values.")  # fmt: skip


def eigh_slope(grads, eigenvalues, eigenvectors, xp):
    """Return the gradient of a symmetric matrix from those of its eigenvalues and vectors."""
    values, vectors = grads
    if vectors is None:
        inner = xp.diag_embed(values)
    else:
        size = eigenvalues.shape[-1]
        product = xp.matmul(turned(eigenvectors, xp), vectors) / gaps(eigenvalues, xp)
        inner = product * constant(1 - np.eye(size), product)
        if values is not None:
            inner = inner + xp.diag_embed(values)
    found = xp.matmul(eigenvectors, xp.matmul(inner, turned(eigenvectors, xp)))
    return (found + turned(found, xp)) * 0.5


def unread(A, UPLO):
    """Return the first matrix of a batch with NaN in the triangle that counts, or None."""
    bad = np.isnan(np.tril(A) if UPLO in "Ll" else np.triu(A)).any((-2, -1)).ravel()
    return int(bad.argmax()) if bad.any() else None


def unsettled(A, UPLO):
    """Return torch's error for eigenvalues that were not found."""
    where = f"(Batch element {unread(A, UPLO) or 0}): " if A.ndim > 2 else ""
    return LinAlgError(f"linalg.eigh: {where}The algorithm failed to converge because the input matrix is ill-conditioned or has "  # noqa: E501
                       f"too many repeated eigenvalues (error code: {A.shape[-1] - 1}).")  # fmt: skip


@op(
    r"A = V \Lambda V^\top",
    outputs=("eigenvalues", "eigenvectors"),
    node="LinalgEighBackward0",
    A=Vjp(
        lambda grads, eigenvalues, eigenvectors, xp: eigh_slope(grads, eigenvalues, eigenvectors, xp),
        r"\bar A = V (\bar\Lambda + (V^\top \bar V) / (\lambda_j - \lambda_i)) V^\top",
    ),
    return_type="linalg_eigh",
    **HIDDEN,
)
def linalg_eigh(A, UPLO="L"):
    """Eigenvalues and eigenvectors of a symmetric matrix."""
    if A.dtype.kind != "f" and A.ndim > 1 and A.shape[-1] == A.shape[-2]:
        raise not_implemented("linalg_eigh_cpu", A)
    check("eigh", A, True)
    if UPLO not in ("L", "U", "l", "u"):
        raise RuntimeError(f"Expected UPLO argument to be 'L' or 'U', but got {UPLO}")
    if A.shape[-1] > 3 and unread(A, UPLO) is not None:      # NumPy's LAPACK may answer numbers then
        raise unsettled(A, UPLO)
    try:
        values, vectors = (one.astype(A.dtype, copy=False) for one in lapack.eigh(wide(A), UPLO))
    except np.linalg.LinAlgError:
        raise unsettled(A, UPLO) from None
    return values, in_columns(vectors)


def qr_slope(grads, Q, R, mode, xp):
    """Return the gradient of a matrix from those of its orthogonal and its triangular factor."""
    if mode == "r":
        raise RuntimeError("The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use "
                           "linalg.qr(A, mode='reduced') if you are going to differentiate through linalg.qr.")  # fmt: skip  # noqa: E501
    rows, columns = Q.shape[-2], R.shape[-1]
    if mode == "complete" and rows > columns:
        raise RuntimeError("The QR decomposition is not differentiable when mode='complete' and nrows > ncols.")
    gQ, gR = grads
    if rows >= columns:
        return qr_tall(gQ, gR, Q, R, xp)
    first, rest = xp.narrow(R, -1, 0, rows), xp.narrow(R, -1, rows, columns - rows)
    if gR is None:
        left = qr_tall(gQ, None, Q, first, xp)
        return xp.cat([left, xp.matmul(Q, rest) * 0], -1)
    g_first, g_rest = xp.narrow(gR, -1, 0, rows), xp.narrow(gR, -1, rows, columns - rows)
    more = xp.matmul(xp.matmul(Q, rest), turned(g_rest, xp))
    left = qr_tall(more if gQ is None else gQ + more, g_first, Q, first, xp)
    return xp.cat([left, xp.matmul(Q, g_rest)], -1)


def qr_tall(gQ, gR, Q, R, xp):
    """Return the gradient for a matrix with at least as many rows as columns."""
    size = R.shape[-1]
    inner = None
    if gR is not None:
        inner = xp.matmul(gR, turned(R, xp))
    if gQ is not None:
        part = xp.matmul(turned(Q, xp), gQ)
        inner = -part if inner is None else inner - part
    inner = inner * constant(np.triu(np.ones((size, size)), 1) + np.eye(size) * 0.5, R)
    found = xp.matmul(Q, inner + turned(inner, xp))
    if gQ is not None:
        found = found + gQ
    return xp.matmul(found, turned(xp.linalg_inv_ex(R)[0], xp))


@op(
    r"A = Q R",
    outputs=("Q", "R"),
    node="LinalgQrBackward0",
    A=Vjp(lambda grads, Q, R, mode, xp: qr_slope(grads, Q, R, mode, xp), r"\bar A = (\bar Q + Q\,\Phi) R^{-\top}"),
    return_type="linalg_qr",
    **HIDDEN,
)
def linalg_qr(A, mode="reduced"):
    """The orthogonal and the triangular factor of a matrix."""
    check("qr", A)
    if mode not in ("reduced", "r", "complete"):
        raise RuntimeError(
            f"qr received unrecognized mode '{mode}' but expected one of 'reduced' (default), 'r', or 'complete'"
        )
    found = np.linalg.qr(A, mode)
    return (np.empty(0, A.dtype), in_columns(found)) if mode == "r" else tuple(map(in_columns, found))
