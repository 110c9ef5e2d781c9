"""Products of vectors and matrices: dot, mv, mm, bmm, their `add` forms, and matmul, which chooses among them."""

from __future__ import annotations

import operator

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, arrays, op, table, tensors
from autograd_lab.core.shapes import broadcast_shapes, expanded_size
from autograd_lab.core.sizes import size_text
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import touch
from autograd_lab.errors import explain
from autograd_lab.ops.refusals import not_implemented, unlike_batches
from autograd_lab.ops.shape import _expand, _unsafe_view, reshaped, t, transpose, unsqueeze
from autograd_lab.ops.shape_inplace import squeeze_dim_


def product(a, b):
    """Multiply as `@` does; float16 is summed in float32, as torch does."""
    if a.dtype.kind == "f" and a.dtype.itemsize == 2:
        return (a.astype(np.float32) @ b.astype(np.float32)).astype(a.dtype)
    return a @ b


def misfit(a, b):
    """Return the error for two matrices that cannot be multiplied."""
    return explain(
        RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied ({a.shape[0]}x{a.shape[1]} and {b.shape[0]}x{b.shape[1]})"
        ),
        "shapes",
    )


def no_bool(name, a):
    """Refuse matrices of bools."""
    if a.dtype.kind == "b":
        raise not_implemented(name, a)


def mat1_backward(grad, mat2, self_sizes, self_strides, xp):
    """Return the gradient of the left factor, in column order if the factor was."""
    if self_strides[0] == 1 and self_strides[1] == self_sizes[0]:
        return xp.t(xp.mm(mat2, xp.t(grad)))
    return xp.mm(grad, xp.t(mat2))


def mat2_backward(grad, self, mat2_sizes, mat2_strides, xp):
    """Return the gradient of the right factor, in column order if the factor was."""
    if mat2_strides[0] == 1 and mat2_strides[1] == mat2_sizes[0]:
        return xp.t(xp.mm(xp.t(grad), self))
    return xp.mm(xp.t(self), grad)


@op(
    r"Y = A B",
    self=Vjp(
        lambda grad, mat2, self_sizes, self_strides, xp: mat1_backward(grad, mat2, self_sizes, self_strides, xp),
        r"\bar A = \bar Y B^\top",
    ),
    mat2=Vjp(
        lambda grad, self, mat2_sizes, mat2_strides, xp: mat2_backward(grad, self, mat2_sizes, mat2_strides, xp),
        r"\bar B = A^\top \bar Y",
    ),
)
def mm(self, mat2):
    """Multiply two matrices."""
    if self.ndim != 2 or mat2.ndim != 2:
        raise RuntimeError("self must be a matrix" if self.ndim != 2 else "mat2 must be a matrix")
    kind = self.dtype
    if self.shape[1] != mat2.shape[0]:
        raise misfit(self, mat2)
    if kind is not mat2.dtype:
        raise RuntimeError("expected m1 and m2 to have the same dtype, but got: "
                           f"{from_numpy(self.dtype).cpp_name} != {from_numpy(mat2.dtype).cpp_name}")  # fmt: skip
    if kind.kind == "f" and kind.itemsize > 2:
        return self @ mat2
    if self.size and mat2.size:
        no_bool("addmm_impl_cpu_", self)
    return product(self, mat2)


arrays.mm = operator.matmul
arrays.t = operator.attrgetter("T")


def check_vectors(name, self, other):
    """Raise unless both are vectors of one length and dtype."""
    if self.ndim != 1 or other.ndim != 1:
        raise RuntimeError(f"1D tensors expected, but got {self.ndim}D and {other.ndim}D tensors")
    if self.dtype is not other.dtype:
        raise RuntimeError(f"{name} : expected both vectors to have same dtype, but found "
                           f"{from_numpy(self.dtype).scalar_name} and {from_numpy(other.dtype).scalar_name}")  # fmt: skip  # noqa: E501
    if self.shape != other.shape:
        raise RuntimeError(
            f"inconsistent tensor size, expected tensor [{self.size}] and src [{other.size}] to have the same number of "  # noqa: E501
            f"elements, but got {self.size} and {other.size} elements respectively"
        )
    no_bool("dot", self)


@op(
    r"y = a \cdot b",
    self=Vjp(lambda grad, tensor: grad * tensor, r"\bar a = \bar y\, b"),
    tensor=Vjp(lambda grad, self: grad * self, r"\bar b = \bar y\, a"),
)
def dot(self, tensor):
    """Multiply two vectors and add up."""
    check_vectors("dot", self, tensor)
    return product(self, tensor)


@op(
    r"y = a \cdot b",
    self=Vjp(lambda grad, other: grad * other, r"\bar a = \bar y\, b"),
    other=Vjp(lambda grad, self: grad * self, r"\bar b = \bar y\, a"),
)
def vdot(self, other):
    """Multiply two vectors and add up."""
    check_vectors("dot", self, other)
    return product(self, other)


@op(
    r"y = A b",
    self=Vjp(lambda grad, vec, xp: xp.outer(grad, vec), r"\bar A = \bar y\, b^\top"),
    vec=Vjp(lambda grad, self, xp: xp.mv(xp.t(self), grad), r"\bar b = A^\top \bar y"),
)
def mv(self, vec):
    """Multiply a matrix and a vector."""
    if not self.ndim:
        raise IndexError("Dimension specified as 0 but tensor has no dimensions")
    if self.ndim != 2 or vec.ndim != 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {1}, {self.ndim}, {vec.ndim}")
    if self.shape[1] != vec.size:
        raise explain(
            RuntimeError(
                f"size mismatch, got input ({self.shape[0]}), mat ({self.shape[0]}x{self.shape[1]}), vec ({vec.size})"
            ),
            "shapes",
        )
    if self.dtype is not vec.dtype:
        a, b = from_numpy(self.dtype).scalar_name, from_numpy(vec.dtype).scalar_name
        raise RuntimeError(f"addmv input tensors must have the same dtype, but got {b}, {a}, and {b}")
    if self.size:
        no_bool("addmv_impl_cpu", self)
    return product(self, vec)


arrays.outer = np.multiply.outer


@op(
    r"Y_k = A_k B_k",
    self=Vjp(lambda grad, mat2, xp: xp.bmm(grad, xp.transpose(mat2, 1, 2)), r"\bar A_k = \bar Y_k B_k^\top"),
    mat2=Vjp(lambda grad, self, xp: xp.bmm(xp.transpose(self, 1, 2), grad), r"\bar B_k = A_k^\top \bar Y_k"),
)
def bmm(self, mat2):
    """Multiply batches of matrices."""
    for name, one in (("batch1", self), ("batch2", mat2)):
        if one.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if mat2.shape[:2] != (self.shape[0], self.shape[2]):
        raise explain(RuntimeError(
            f"Expected size for first two dimensions of batch2 tensor to be: {size_text((self.shape[0], self.shape[2]))} "  # noqa: E501
            f"but got: {size_text(mat2.shape[:2])}."), "shapes")  # fmt: skip
    if self.dtype is not mat2.dtype or self.dtype.kind == "b":
        if not self.size or not mat2.size:      # torch looks at no dtype where there is nothing to multiply
            return np.zeros((*self.shape[:2], mat2.shape[2]), mat2.dtype)
        raise unlike_batches(self, mat2)
    return product(self, mat2)


arrays.bmm = operator.matmul


# ------------------------------------------------------------------ the forms that add
def times(grad, factor):
    """Multiply by a number unless it is 1."""
    return grad if factor == 1 else (tensors if isinstance(grad, Tensor) else arrays).mul_number(grad, factor)


def blend(self, value, beta, alpha, shape):
    """Return beta * self + alpha * value; a beta of 0 ignores self altogether."""
    value = value if alpha == 1 else (value * value.dtype.type(alpha))
    if beta == 0:
        return value
    scaled = self if beta == 1 else self * self.dtype.type(beta)
    return scaled + value


def check_addend(self, shape):
    """Raise unless the added tensor expands to the result's shape."""
    expanded_size(np.asarray(self), shape)


@op(
    r"Y = \beta C + \alpha A B",
    fix="always",
    self=Vjp(lambda grad, beta: times(grad, beta), r"\bar C = \beta \bar Y"),
    mat1=Vjp(
        lambda grad, mat2, mat1_sizes, mat1_strides, alpha, xp: times(
            mat1_backward(grad, mat2, mat1_sizes, mat1_strides, xp), alpha
        ),
        r"\bar A = \alpha \bar Y B^\top",
    ),
    mat2=Vjp(
        lambda grad, mat1, mat2_sizes, mat2_strides, alpha, xp: times(
            mat2_backward(grad, mat1, mat2_sizes, mat2_strides, xp), alpha
        ),
        r"\bar B = \alpha A^\top \bar Y",
    ),
)
def addmm(self, mat1, mat2, *, beta=1, alpha=1):
    """Add a tensor and the product of two matrices."""
    for name, one in (("self", self), ("mat1", mat1)):
        if one.dtype is not mat2.dtype:
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {from_numpy(one.dtype).scalar_name} "
                               f"and {from_numpy(mat2.dtype).scalar_name}")  # fmt: skip
    for name, one in (("mat1", mat1), ("mat2", mat2)):
        if one.ndim != 2:
            raise RuntimeError(f"{name} must be a matrix, got {one.ndim}-D tensor")
    if mat1.shape[1] != mat2.shape[0]:
        raise misfit(mat1, mat2)
    check_addend(self, (mat1.shape[0], mat2.shape[1]))
    no_bool("addmm_impl_cpu_", self)
    return blend(self, product(mat1, mat2), beta, alpha, None)


@op(
    r"y = \beta c + \alpha A b",
    fix="always",
    self=Vjp(lambda grad, beta: times(grad, beta), r"\bar c = \beta \bar y"),
    mat=Vjp(lambda grad, vec, alpha, xp: times(xp.outer(grad, vec), alpha), r"\bar A = \alpha \bar y\, b^\top"),
    vec=Vjp(lambda grad, mat, alpha, xp: times(xp.mv(xp.t(mat), grad), alpha), r"\bar b = \alpha A^\top \bar y"),
)
def addmv(self, mat, vec, *, beta=1, alpha=1):
    """Add a vector and the product of a matrix and a vector."""
    if mat.ndim != 2 or vec.ndim != 1 or self.ndim > 1:
        raise RuntimeError(f"vector + matrix @ vector expected, got {self.ndim}, {mat.ndim}, {vec.ndim}")
    if mat.shape[1] != vec.size or self.size not in (1, mat.shape[0]):
        raise explain(
            RuntimeError(
                f"size mismatch, got input ({self.size}), mat ({mat.shape[0]}x{mat.shape[1]}), vec ({vec.size})"
            ),
            "shapes",
        )
    if not self.dtype is mat.dtype is vec.dtype:
        names = [from_numpy(one.dtype).scalar_name for one in (self, mat, vec)]
        raise RuntimeError(
            f"addmv input tensors must have the same dtype, but got {names[0]}, {names[1]}, and {names[2]}"
        )
    no_bool("addmv_impl_cpu", self)
    return blend(self, product(mat, vec), beta, alpha, None)


@op(
    r"Y = \beta C + \alpha\, a b^\top",
    fix="always",
    self=Vjp(lambda grad, beta: times(grad, beta), r"\bar C = \beta \bar Y"),
    vec1=Vjp(lambda grad, vec2, alpha, xp: times(xp.mv(grad, vec2), alpha), r"\bar a = \alpha \bar Y b"),
    vec2=Vjp(lambda grad, vec1, alpha, xp: times(xp.mv(xp.t(grad), vec1), alpha), r"\bar b = \alpha \bar Y^\top a"),
)
def addr(self, vec1, vec2, *, beta=1, alpha=1):
    """Add a matrix and the outer product of two vectors."""
    if vec1.ndim != 1 or vec2.ndim != 1:
        which, one = ("vec1", vec1) if vec1.ndim != 1 else ("vec2", vec2)
        raise RuntimeError(f"addr: Expected 1-D argument {which}, but got {one.ndim}-D")
    check_addend(self, (vec1.size, vec2.size))
    return blend(self, np.multiply.outer(vec1, vec2), beta, alpha, None)


def check_batches(self, batch1, batch2, together):
    """Raise unless two batches of matrices can be multiplied and something added."""
    wanted = [(batch1, 1), (batch2, 2)] if together else [(batch1, 0), (batch1, 1), (batch2, 2)]
    for one, dim in wanted:
        if not one.ndim:
            raise IndexError(f"Dimension specified as {dim} but tensor has no dimensions")
        wrap_dim(dim, one.ndim)
    check_addend(self, tuple(one.shape[dim] for one, dim in wanted))
    for name, one in (("batch1", batch1), ("batch2", batch2)):
        if one.ndim != 3:
            raise RuntimeError(f"{name} must be a 3D tensor")
    if together and batch1.shape[0] != batch2.shape[0]:
        raise RuntimeError("batch1 and batch2 must have same number of batches, got "
                           f"{batch1.shape[0]} and {batch2.shape[0]}")  # fmt: skip
    if batch2.shape[:2] != (batch1.shape[0], batch1.shape[2]):
        if together:
            raise RuntimeError(f"Incompatible matrix sizes for bmm ({batch1.shape[1]}x{batch1.shape[2]} and "
                               f"{batch2.shape[1]}x{batch2.shape[2]})")  # fmt: skip
        raise RuntimeError("Expected size for first two dimensions of batch2 tensor to be: "
                           f"{size_text((batch1.shape[0], batch1.shape[2]))} but got: {size_text(batch2.shape[:2])}.")  # fmt: skip  # noqa: E501


def spread_over(grad, count, rows, columns, xp):
    """Give every batch the gradient of the sum."""
    return xp.expand(xp.unsqueeze(grad, 0), (count, rows, columns))


@op(
    r"Y = \beta C + \alpha \textstyle\sum_k A_k B_k",
    fix="always",
    self=Vjp(lambda grad, beta: times(grad, beta), r"\bar C = \beta \bar Y"),
    batch1=Vjp(
        lambda grad, batch1_argsize_0, batch1_argsize_1, batch2, batch2_argsize_2, alpha, xp: times(
            xp.bmm(
                spread_over(grad, batch1_argsize_0, batch1_argsize_1, batch2_argsize_2, xp), xp.transpose(batch2, 1, 2)
            ),
            alpha,
        ),
        r"\bar A_k = \alpha \bar Y B_k^\top",
    ),
    batch2=Vjp(
        lambda grad, batch1, batch1_argsize_0, batch1_argsize_1, batch2_argsize_2, alpha, xp: times(
            xp.bmm(
                xp.transpose(batch1, 1, 2), spread_over(grad, batch1_argsize_0, batch1_argsize_1, batch2_argsize_2, xp)
            ),
            alpha,
        ),
        r"\bar B_k = \alpha A_k^\top \bar Y",
    ),
)
def addbmm(self, batch1, batch2, *, beta=1, alpha=1):
    """Add a matrix and the sum of the products of a batch of matrices."""
    check_batches(self, batch1, batch2, True)
    for name, one in (("self", self), ("mat1", batch1)):
        if one.dtype is not batch2.dtype:
            raise RuntimeError(f"{name} and mat2 must have the same dtype, but got {from_numpy(one.dtype).scalar_name} "
                               f"and {from_numpy(batch2.dtype).scalar_name}")  # fmt: skip
    return blend(self, product(batch1, batch2).sum(0), beta, alpha, None)


@op(
    r"Y_k = \beta C_k + \alpha A_k B_k",
    fix="always",
    self=Vjp(lambda grad, beta: times(grad, beta), r"\bar C_k = \beta \bar Y_k"),
    batch1=Vjp(
        lambda grad, batch2, alpha, xp: times(xp.bmm(grad, xp.transpose(batch2, 1, 2)), alpha),
        r"\bar A_k = \alpha \bar Y_k B_k^\top",
    ),
    batch2=Vjp(
        lambda grad, batch1, alpha, xp: times(xp.bmm(xp.transpose(batch1, 1, 2), grad), alpha),
        r"\bar B_k = \alpha A_k^\top \bar Y_k",
    ),
)
def baddbmm(self, batch1, batch2, *, beta=1, alpha=1):
    """Add a batch of matrices and the products of two batches."""
    check_batches(self, batch1, batch2, False)
    if batch1.dtype is not batch2.dtype and self.dtype is batch1.dtype:
        raise unlike_batches(batch1, batch2)
    if self.dtype is not batch1.dtype:
        names = [from_numpy(one.dtype).cpp_name for one in (self, batch1, batch2)]
        raise RuntimeError("Input dtypes must be the same, got: "
                           f"input {names[0]}, batch1: {names[1]}, batch2: {names[2]}")  # fmt: skip
    no_bool("baddbmm", self)
    return blend(self, product(batch1, batch2), beta, alpha, None)


def _in_place(name, shape_of, complain):
    """Add the in-place method of one of these; the tensor must have the result's shape already."""

    def method(self, first, second, *, beta=1, alpha=1):
        shape = shape_of(first._array.shape, second._array.shape)
        if shape is not None and self._array.shape != shape:
            raise RuntimeError(complain(self._array.shape, shape, first._array.shape, second._array.shape))
        return run_inplace(table[name], self, (first, second), {"beta": beta, "alpha": alpha})

    method.__name__ = method.__qualname__ = name + "_"
    method.__doc__ = f"In-place version of {name}."
    setattr(Tensor, name + "_", method)


def _bad_call(have, want, first, second):
    return (
        f"Bad in-place call: input tensor size {size_text(have)} and output tensor size {size_text(want)} should match"
    )


def _bad_outer(have, want, first, second):
    if len(have) != 2:
        return f"2D tensor expected, got {len(have)}D tensor for input"
    return f"size mismatch, input: {size_text(have)}, v1: {size_text(first)}, v2: {size_text(second)}"


_in_place("addmm", lambda a, b: (a[0], b[1]) if len(a) == len(b) == 2 and a[1] == b[0] else None, _bad_call)
_in_place("addmv", lambda a, b: (a[0],) if len(a) == 2 and len(b) == 1 and a[1] == b[0] else None, _bad_call)
_in_place("addr", lambda a, b: (*a, *b) if len(a) == len(b) == 1 else None, _bad_outer)
_in_place("addbmm", lambda a, b: (a[1], b[2]) if len(a) == len(b) == 3 and a[2] == b[1] else None, _bad_call)
_in_place("baddbmm", lambda a, b: (*a[:2], b[2]) if len(a) == len(b) == 3 and a[2] == b[1] else None, _bad_call)


# ------------------------------------------------------------------ the choice among them
def folds(a, b):
    """Say whether the larger factor is turned into one tall matrix instead of the smaller one into a batch."""
    large, small = (a, b) if a._array.ndim >= b._array.ndim else (b, a)
    array = large._array
    if array.ndim < 3 or small._array.ndim > 2:
        return False
    if small._node is not None:
        return True
    if a._array.ndim == 2:
        return False
    if not array.size:
        return True
    if large is b:
        array = array.swapaxes(-1, -2)
    return all(array.strides[k] == array.strides[k + 1] * array.shape[k + 1] for k in range(array.ndim - 2))


def folded(a, b):
    """Multiply by turning the larger factor into one tall matrix."""
    turned = b._array.ndim > a._array.ndim
    large = transpose(b, -2, -1) if turned else a
    small = b if not turned else t(a) if a._array.ndim == 2 else a
    shape = large._array.shape
    size = shape[:-1]
    tall = reshaped(large, (int(np.prod(size)), shape[-1]))
    if small._array.ndim == 1:
        return _unsafe_view(mv(tall, small), size)
    result = _unsafe_view(mm(tall, small), (*size, small._array.shape[1]))
    return transpose(result, -2, -1).contiguous() if turned else result


def batched(a, b):
    """Multiply by expanding both factors to one batch."""
    one, two = a._array.shape, b._array.shape
    rows, inner = one[-2] if len(one) > 1 else 1, one[-1]
    if len(one) == 3 == len(two) and one[0] != two[0]:
        if one[0] == 1 and a._node is not None:
            return matmul(a.squeeze(0), b)
        if two[0] == 1 and b._node is not None:
            return matmul(a, b.squeeze(0))
    size = broadcast_shapes(one[:-2], two[:-2])
    count = int(np.prod(size))
    left = reshaped(_expand(a, (*size, rows, inner)), (count, rows, inner))
    if len(two) == 1:
        right = unsqueeze(reshaped(_expand(b, (*size, two[0])), (count, two[0])), 2)
        return _unsafe_view(bmm(left, right).squeeze(-1), (*size, rows))
    right = reshaped(_expand(b, (*size, *two[-2:])), (count, *two[-2:]))
    return _unsafe_view(bmm(left, right), (*size, *((rows,) if len(one) > 1 else ()), two[-1]))


def matmul(input, other, *, out=None):
    """Multiply vectors, matrices or batches of matrices, as their dimensions ask.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.matmul.html
    """
    if out is not None:
        from autograd_lab.core.operands import write_out

        return write_out(out, matmul, input, other)
    try:
        one, two = input._array.ndim, other._array.ndim
    except AttributeError:
        raise fail.bad_argument(
            "matmul", "other" if isinstance(input, Tensor) else "input", other if isinstance(input, Tensor) else input
        ) from None
    if one == 2 == two:
        return mm(input, other)
    if one == 2 and two == 1:
        return mv(input, other)
    if one == 1 == two:
        return dot(input, other)
    if not one or not two:
        raise RuntimeError(f"both arguments to matmul need to be at least 1D, but they are {one}D and {two}D")
    if one == 1 and two == 2:
        result = squeeze_dim_(mm(unsqueeze(input, 0), other), 0)
        touch(result)  # torch squeezes the product in place, which its version tells
        return result
    return folded(input, other) if folds(input, other) else batched(input, other)


composed(vocabulary=True)(matmul)


def _matmul_operator(self, other):
    if type(other) is not Tensor and not isinstance(other, Tensor):
        if type(other).__module__.partition(".")[0] == "torch" and hasattr(other, "grad_fn"):
            raise fail.foreign_tensor("matmul", other)
        return NotImplemented
    return matmul(self, other)


def _matmul_reflected(self, other):
    return matmul(other, self) if isinstance(other, Tensor) else _matmul_operator(self, other)


Tensor.__matmul__ = _matmul_operator
Tensor.__rmatmul__ = _matmul_reflected
