"""Products made of other operations: outer, inner, tensordot, einsum, kron, cross."""

from __future__ import annotations

import math

import numpy as np

from autograd_lab.core.composed import composed
from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.fma import multiply_add
from autograd_lab.core.foreign import check_tensors
from autograd_lab.core.op import Vjp, op, tensors
from autograd_lab.core.operands import put_out
from autograd_lab.core.shapes import broadcast_shapes, ints
from autograd_lab.core.sizes import size_text
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.linear import bmm, dot, mm
from autograd_lab.ops.refusals import not_implemented
from autograd_lab.ops.shape import _permute, _unsafe_view, _view, flatten, reshaped


@composed(aliases=("ger",))
def outer(input, vec2, *, out=None):
    """Multiply every element of one vector with every element of another."""
    for name, one in (("self", input), ("vec2", vec2)):
        if one._array.ndim != 1:
            raise RuntimeError(f"outer: Expected 1-D argument {name}, but got {one._array.ndim}-D")
    found = tensors.mul(reshaped(input, (input._array.size, 1)), vec2)
    return put_out("outer", found, out)


@composed(vocabulary=False)
def inner(input, other):
    """Sum the products over the last dimensions."""
    a, b = input._array.shape, other._array.shape
    if not a or not b:
        return tensors.mul(input, other)
    if a[-1] != b[-1]:
        raise RuntimeError("inner() the last dimension must match on both input tensors but got shapes "
                           f"{size_text(a)} and {size_text(b)}")  # fmt: skip
    return contract(input, other, (-1,), (-1,))


def contract(a, b, dims_a, dims_b):
    """Sum the products over pairs of dimensions."""
    if len(dims_a) != len(dims_b):
        raise RuntimeError("both dimension lists should have same length")
    if a.dtype is not b.dtype:
        raise RuntimeError("both inputs should have same dtype")
    shape_a, shape_b = a._array.shape, b._array.shape
    inner_size = 1
    for one, two in zip(dims_a, dims_b, strict=True):
        here, there = shape_a[wrap_dim(one, len(shape_a))], shape_b[wrap_dim(two, len(shape_b))]
        if there == 1:
            a = tensors._sum_dim(a, (one,), True, a.dtype)
        elif here == 1:
            b = tensors._sum_dim(b, (two,), True, b.dtype)
        elif here != there:
            raise RuntimeError(f"contracted dimensions need to match, but first has size {here} in dim {one} and second "  # noqa: E501
                               f"has size {there} in dim {two}")  # fmt: skip
        if here != 1 and there != 1:
            inner_size *= here
    used_a = {wrap_dim(dim, len(shape_a)) for dim in dims_a}
    used_b = {wrap_dim(dim, len(shape_b)) for dim in dims_b}
    rest_a = [k for k in range(len(shape_a)) if k not in used_a]
    rest_b = [k for k in range(len(shape_b)) if k not in used_b]
    size_a, size_b = [shape_a[k] for k in rest_a], [shape_b[k] for k in rest_b]
    if not size_a and not size_b:
        return reshaped(dot(flatten(_permute(a, dims_a)), flatten(_permute(b, dims_b))), ())
    left = reshaped(_permute(a, (*rest_a, *dims_a)), (math.prod(size_a), inner_size))
    right = reshaped(_permute(b, (*dims_b, *rest_b)), (inner_size, math.prod(size_b)))
    return reshaped(mm(left, right), (*size_a, *size_b))


@composed(method=False, vocabulary=False)
def tensordot(a, b, dims=2, out=None):
    """Sum the products over the last dims of `a` and the first of `b`, or over given pairs of dimensions."""
    if isinstance(dims, (tuple, list)):
        dims_a, dims_b = dims
        for name, position, one in (("dims_self", 3, dims_a), ("dims_other", 4, dims_b)):
            if isinstance(one, int):
                raise TypeError(f"tensordot(): argument '{name}' (position {position}) must be tuple of ints, not int")
        dims_a, dims_b = ints((dims_a,)), ints((dims_b,))
    elif isinstance(dims, Tensor) and dims.numel() > 1:
        dims_a, dims_b = (tuple(row) for row in dims.tolist())
    else:
        dims = int(dims)
        if dims < 0:
            raise RuntimeError(f"tensordot expects dims >= 0, but got dims={dims}")
        if dims > min(a.ndim, b.ndim):
            raise RuntimeError(f"tensordot expects dims < ndim_a or ndim_b, but got dims={dims}")
        dims_a, dims_b = tuple(range(-dims, 0)), tuple(range(dims))
    found = contract(a, b, dims_a, dims_b)
    return put_out("tensordot", found, out)


@composed()
def kron(input, other):
    """Kronecker product: each element of one tensor times the whole other."""
    a, b = input._array.shape, other._array.shape
    count = max(len(a), len(b))
    a, b = (1,) * (count - len(a)) + a, (1,) * (count - len(b)) + b
    wide_a = [size for one in a for size in (one, 1)]
    wide_b = [size for one in b for size in (1, one)]
    result = tensors.mul(_unsafe_view(input, tuple(wide_a)), _unsafe_view(other, tuple(wide_b)))
    return _unsafe_view(result, tuple(m * n for m, n in zip(a, b, strict=True)))


@op(
    r"y = a \times b",
    name="linalg_cross",
    function=False,
    method=False,
    fix="always",
    self=Vjp(lambda grad, other, dim, xp: xp.linalg_cross(other, grad, dim), r"\bar a = b \times \bar y"),
    other=Vjp(lambda grad, self, dim, xp: xp.linalg_cross(grad, self, dim), r"\bar b = \bar y \times a"),
)
def linalg_cross(self, other, dim=-1):
    """Cross product of vectors of three elements."""
    if self.ndim != other.ndim:
        raise RuntimeError("linalg.cross: inputs must have the same number of dimensions.")
    at = wrap_dim(dim, self.ndim)
    if self.shape[at] != 3 or other.shape[at] != 3:
        raise RuntimeError(f"linalg.cross: inputs dimension {dim} must have length 3. Got {self.shape[at]} and "
                           f"{other.shape[at]}")  # fmt: skip
    shape = broadcast_shapes(self.shape, other.shape)
    if self.dtype.kind == "b":
        raise not_implemented("cross", self)
    if self.dtype is not other.dtype:
        raise RuntimeError(f"expected scalar type {from_numpy(self.dtype).scalar_name} but found "
                           f"{from_numpy(other.dtype).scalar_name}")  # fmt: skip
    a, b = (np.moveaxis(np.broadcast_to(one, shape), at, 0) for one in (self, other))
    parts = [multiply_add(a[i], b[j], -(a[j] * b[i])) for i, j in ((1, 2), (2, 0), (0, 1))]
    return np.ascontiguousarray(np.stack(parts, at))


@composed(vocabulary=False)
def cross(input, other, dim=None):
    """Cross product along a dimension of size 3 (without `dim`: the first such one)."""
    if dim is None:
        warn_once(
            "cross", "Using torch.cross without specifying the dim arg is deprecated.\nPlease either pass the dim explicitly or "  # noqa: E501
            "simply use torch.linalg.cross.\nThe default value of dim will change to agree with that of linalg.cross in a "  # noqa: E501
            "future release.", stacklevel=2,
        )  # fmt: skip
        dim = next((k for k, size in enumerate(input._array.shape) if size == 3), None)
        if dim is None:
            raise RuntimeError("no dimension of size 3 in input")
    return linalg_cross(input, other, dim)


@composed(method=False, vocabulary=False)
def chain_matmul(*matrices, out=None):
    """Multiply a chain of matrices."""
    warn_once("chain_matmul", "torch.chain_matmul is deprecated and will be removed in a future PyTorch release. Use "
                  "torch.linalg.multi_dot instead, which accepts a list of two or more tensors rather than multiple "
                  "parameters.", stacklevel=2)  # fmt: skip
    from autograd_lab.ops.chains import multiply

    for one in matrices:
        if one._array.ndim != 2:
            raise RuntimeError(f"Tensor dimension is {one._array.ndim}, expected 2 instead.")
    return matrices[0].clone() if len(matrices) == 1 else multiply(matrices)


# ------------------------------------------------------------------ einsum
class Equation:
    """An einsum equation, read as torch reads it: the labels of each operand, and the order of the output."""

    def __init__(self, equation, operands):
        left, arrow, right = equation.replace(" ", "").partition("->")
        self.labels = [self.parse(part, k) for k, part in enumerate(self.positions(equation, left))]
        if len(self.labels) != len(operands):
            less = "fewer" if len(operands) < len(self.labels) else "more"
            raise RuntimeError(f"einsum(): {less} operands were provided than specified in the equation")
        self.ellipsis = 0
        self.counts = {}
        for k, (labels, operand) in enumerate(zip(self.labels, operands, strict=True)):
            named = len(labels) - labels.count("...")
            ndim = operand._array.ndim
            if "..." in labels:
                if named > ndim:
                    raise RuntimeError(f"einsum(): the number of subscripts in the equation ({named}) is more than the number "  # noqa: E501
                                       f"of dimensions ({ndim}) for operand {k}")  # fmt: skip
                self.ellipsis = max(self.ellipsis, ndim - named)
            elif named != ndim:
                raise RuntimeError(f"einsum(): the number of subscripts in the equation ({named}) does not match the number "  # noqa: E501
                                   f"of dimensions ({ndim}) for operand {k} and no ellipsis was given")  # fmt: skip
            for label in labels:
                self.counts[label] = self.counts.get(label, 0) + 1
        self.place = {}
        self.out = self.output(right if arrow else None)

    @staticmethod
    def positions(equation, left):
        """Return the operands' parts after checking every character."""
        for k, sign in enumerate(equation):
            if not ((sign.isascii() and sign.isalpha()) or sign in " .,->"):
                raise RuntimeError(f"einsum(): invalid subscript given at index {k} in the equation string, subscripts must "  # noqa: E501
                                   "be in [a-zA-Z]")  # fmt: skip
            if (sign == "-" and equation[k + 1 : k + 2] != ">") or (sign == ">" and equation[k - 1 : k] != "-"):
                raise RuntimeError(f"einsum(): invalid subscript given at index {k} in the equation string, subscripts must "  # noqa: E501
                                   "be in [a-zA-Z]")  # fmt: skip
        return left.split(",")

    @staticmethod
    def parse(part, operand):
        """Return the labels of one operand."""
        found, k = [], 0
        while k < len(part):
            if part[k] == ".":
                if "..." in found:
                    raise RuntimeError(
                        f"einsum(): found '.' for operand {operand} for which an ellipsis was already found"
                    )
                if part[k : k + 3] != "...":
                    raise RuntimeError(f"einsum(): found '.' for operand {operand} that is not part of any ellipsis")
                found.append("...")
                k += 3
            else:
                found.append(part[k])
                k += 1
        return found

    def output(self, right):
        """Give each label its place among the dimensions; return how many of them the output has."""
        place, at = self.place, 0
        if right is None:
            if "..." in self.counts:
                place["..."], at = 0, self.ellipsis
            for label in sorted((name for name in self.counts if name != "..."), key=order):
                if self.counts[label] == 1:
                    place[label] = at
                    at += 1
        else:
            k = 0
            while k < len(right):
                label = "..." if right[k] == "." else right[k]
                if label == "...":
                    if right[k : k + 3] != "...":
                        raise RuntimeError("einsum(): found '.' for output but an ellipsis (...) was already found" if
                                           "..." in place else "einsum(): found '.' for output that is not part of any "
                                           "ellipsis (...)")  # fmt: skip
                    place["..."] = at
                    at += self.ellipsis
                    k += 3
                    continue
                if label in place:
                    raise RuntimeError(f"einsum(): output subscript {label} appears more than once in the output")
                if label not in self.counts:
                    raise RuntimeError(f"einsum(): output subscript {label} does not appear in the equation for any input "  # noqa: E501
                                       "operand")  # fmt: skip
                place[label] = at
                at += 1
                k += 1
        out = at
        if "..." in self.counts and "..." not in place:
            place["..."] = at
            at += self.ellipsis
        for label in sorted((name for name in self.counts if name != "..."), key=order):
            if label not in place:
                place[label] = at
                at += 1
        self.total = at
        return out

    def arrange(self, operand, number):
        """Bring an operand's dimensions into the common order: diagonals for repeated labels, size 1 for missing ones."""  # noqa: E501
        labels = self.labels[number]
        shape = [-1] * self.total
        missing = self.ellipsis - (operand._array.ndim - len(labels) + 1)
        j = 0
        for label in labels:
            at = self.place[label]
            if label == "...":
                for k in range(missing, self.ellipsis):
                    shape[at + k] = j
                    j += 1
            elif shape[at] != -1:
                dim = shape[at]
                sizes = operand._array.shape
                if sizes[j] != sizes[dim]:
                    raise RuntimeError(f"einsum(): subscript {label} is repeated for operand {number} but the sizes don't "  # noqa: E501
                                       f"match, {sizes[j]} != {sizes[dim]}")  # fmt: skip
                operand = operand.diagonal(0, dim, j).movedim(-1, dim)
            else:
                shape[at] = j
                j += 1
        for k, dim in enumerate(shape):
            if dim == -1:
                operand = operand.unsqueeze(j)
                shape[k] = j
                j += 1
        return _permute(operand, tuple(shape))


def order(label):
    """Sort labels as torch does: capitals first."""
    return (label.islower(), label)


def pair(left, right, sum_dims):
    """Multiply two arranged operands and sum over dimensions, which keep size 1: one batched matrix product."""
    if not sum_dims:
        return tensors.mul(left, right)
    both, only_left, only_right = [], [], []
    sizes = {"both": 1, "left": 1, "right": 1, "sum": 1}
    for k in range(left._array.ndim):
        here, there = left._array.shape[k] != 1, right._array.shape[k] != 1
        if k in sum_dims:
            if here and there:
                sizes["sum"] *= left._array.shape[k]
            elif here:
                left = tensors.sum(left, (k,), True)
            elif there:
                right = tensors.sum(right, (k,), True)
        elif here and there:
            both.append(k)
            sizes["both"] *= left._array.shape[k]
        elif here:
            only_left.append(k)
            sizes["left"] *= left._array.shape[k]
        else:
            only_right.append(k)
            sizes["right"] *= right._array.shape[k]
    a, b = left._array.shape, right._array.shape
    size = [a[k] for k in both] + [a[k] for k in only_left] + [1] * len(sum_dims) + [b[k] for k in only_right]
    back = [0] * len(size)
    for k, dim in enumerate((*both, *only_left, *sum_dims, *only_right)):
        back[dim] = k
    left = reshaped(_permute(left, (*both, *only_left, *sum_dims, *only_right)),
                    (sizes["both"], sizes["left"], sizes["sum"]))  # fmt: skip
    right = reshaped(_permute(right, (*both, *sum_dims, *only_right, *only_left)),
                     (sizes["both"], sizes["sum"], sizes["right"]))  # fmt: skip
    return _permute(_view(bmm(left, right), tuple(size)), tuple(back))


@composed(method=False, vocabulary=False)
def einsum(*args):
    """Sum products of elements as an equation of subscripts says.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.einsum.html
    """
    if len(args) < 2:
        raise ValueError("einsum(): must specify the equation string and at least one operand, or at least one operand "
                         "and its subscripts list")  # fmt: skip
    equation, *operands = args
    if isinstance(equation, Tensor):
        equation, operands = from_lists(args)
    if len(operands) == 1 and isinstance(operands[0], (tuple, list)):
        operands = list(operands[0])
    check_tensors(operands, 1)
    read = Equation(equation, operands)
    arranged = [read.arrange(operand, k) for k, operand in enumerate(operands)]
    sizes, dim_counts = [1] * read.total, [0] * read.total
    names = {read.place[label]: label for label in read.place if label != "..."}
    for k, operand in enumerate(arranged):
        for dim, size in enumerate(operand._array.shape):
            if size != 1:
                if sizes[dim] not in (1, size):
                    if dim not in names:
                        labels = read.labels[k]
                        missing = read.ellipsis - (operands[k]._array.ndim - len(labels) + 1)
                        own = labels.index("...") + dim - read.place["..."] - missing
                        raise RuntimeError(f"einsum(): dimension {own} covered by ellipsis in operand {k}has size "
                                           f"{size} which does not broadcast with previously seen ellipsis with size "
                                           f"{sizes[dim]} for the respective dimension")  # fmt: skip
                    raise RuntimeError(f"einsum(): subscript {names[dim]} has size {size} for operand {k} which does not "  # noqa: E501
                                       f"broadcast with previously seen size {sizes[dim]}")  # fmt: skip
                sizes[dim] = size
                dim_counts[dim] += 1
    return contracted(arranged, read, dim_counts)


def contracted(arranged, read, dim_counts):
    """Multiply all operands from left to right, summing each dimension as soon as nobody else needs it."""
    result, rest = arranged[0], arranged[1:]
    for other in rest:
        now, first, second = [], [], []
        for dim in range(read.out, read.total):
            a, b = result._array.shape[dim], other._array.shape[dim]
            if a != 1 and b != 1:
                dim_counts[dim] -= 1
                if dim_counts[dim] == 1:
                    now.append(dim)
                    dim_counts[dim] = 0
            elif dim_counts[dim] == 1:
                if a != 1:
                    first.append(dim)
                    dim_counts[dim] = 0
                elif b != 1:
                    second.append(dim)
                    dim_counts[dim] = 0
        if first:
            result = tensors.sum(result, tuple(first), True)
        if second:
            other = tensors.sum(other, tuple(second), True)
        result = pair(result, other, now)
    if read.total > read.out:
        if rest:
            return _view(result, result._array.shape[: read.out])
        return tensors.sum(result, tuple(range(read.out, read.total)))
    return result


def from_lists(args):
    """Return the equation and the operands of einsum(a, [0, 1], b, [1, 2], [0, 2])."""

    def text(labels):
        return "".join(
            "..." if one is Ellipsis else "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"[one] for one in labels
        )

    count = len(args) // 2 * 2
    operands = list(args[:count:2])
    equation = ",".join(text(labels) for labels in args[1:count:2])
    if len(args) % 2:
        equation += "->" + text(args[-1])
    return equation, operands
