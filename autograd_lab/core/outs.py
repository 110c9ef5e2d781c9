"""What `out=` refuses: torch's error for a tensor of another dtype, which nearly every family of kernels words anew.

Pointwise operations and sums take any dtype that their result can be cast to; they are not in these tables.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import chain
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.inplace import SHARED
from autograd_lab.core.promotion import can_cast
from autograd_lab.core.state import local
from autograd_lab.core.tensor import Tensor

_STRUCTURED = "Expected out tensor to have dtype {want_cpp}, but got {got_cpp} instead"
_SAME = "Found dtype {got} but expected {want}"
_NAMES = {
    _STRUCTURED: """mm matmul bmm addmm addmv baddbmm mv cross linalg_cross softmax _softmax log_softmax _log_softmax
        tril triu gather scatter take_along_dim linalg_vector_norm renorm index_add index_copy argmax argmin isin msort
        linalg_inv linalg_det linalg_cholesky linalg_solve linalg_svdvals linalg_eigvalsh linalg_matrix_power inverse
        matrix_power _sort _sort_stable topk _max_dim _min_dim aminmax linalg_eigh linalg_qr linalg_slogdet""",
    _SAME: "abs bitwise_not ceil clamp clamp_min clamp_max floor frac hardshrink neg round sgn sign trunc",
    "result dtype {got} does not match input dtype {want}": "dot vdot",
    "tensordot: Expected the output tensor to have dtype {want}, but got an output tensor with dtype {got}":
        "inner tensordot",
    "Expected the dtype for input and out to match, but got {want} for input's dtype and {got} for out's dtype.":
        "amax amin",
    "{name} only supports bool tensor for result, got: {got}": "any all",
    "{name} does not support non-boolean outputs.": "isposinf isneginf",
    "{name}(): self and result must have the same scalar type": "index_select masked_select",
    "take(): self and out expected to have the same dtype, but got self.dtype = {want} and out.dtype = {got}": "take",
    "nonzero: Expected out tensor to have scalar type Long but got scalar type{got}": "nonzero",
    "Expected out type to be {want} but got {got}": "where",
    "nan_to_num: dtype of out: {got} should be same as input: {want}": "nan_to_num",
    "expected scalar_type {want} but found {got}": "logcumsumexp cummax cummin",
    "quantile() out tensor must be same dtype as the input tensor": "quantile nanquantile",
    "linalg.norm expected out tensor dtype {want} but got: {got}": "linalg_norm",
    "linalg.matrix_norm expected out tensor dtype {want} but got: {got}": "linalg_matrix_norm",
    "multi_dot(): expected out tensor to have dtype {want_cpp} but got {got_cpp}": "linalg_multi_dot",
    "linalg.vecdot: Expected out of dtype{want} but found {got}": "linalg_vecdot",
    "multinomial expects Long tensor out, got: {got}": "multinomial",
    "torch.histogram: input tensor and hist tensor should have the same dtype, but got input {want_cpp} and hist "
    "{got_cpp}": "histc",
}
# What others say where their result cannot be cast.
_CASTS = {
    **dict.fromkeys(("cat", "stack", "hstack", "vstack", "dstack"),
                    "torch.cat(): input types can't be cast to the desired output type {got}"),
    "logsumexp": "logsumexp(): Expected floating point type for result tensor, but got: {got}",
    "_logsumexp": "logsumexp(): Expected floating point type for result tensor, but got: {got}",
    "diag": "diag: result type {want} can't be cast to the desired out= type {got}",
    "ldexp": "ldexp can't be cast to the desired output type {got}",
    "linalg_pinv": "linalg.pinv: Expected result to be safely castable from {want} dtype, but got result with dtype "
                   "{got}",
    "linalg_cond": "linalg.cond: Expected result to be safely castable from {want} dtype, but got result with dtype "
                   "{got}",
}  # fmt: skip
_INDICES = "Expected tensor for argument #1 'indices' to have scalar type Long; but got {got_type} instead (while checking arguments for median)"  # noqa: E501
_VALUES = "Expected tensor for 'values' to have the same type as tensor for argument #2 'self'; but type {got_type} does not equal {want_type} (while checking arguments for median)"  # noqa: E501
_PAIRS = {      # of operations with values and indices
    "kthvalue": ("output values must be of same type as input", "output indices must be of scalar type Long"),
    "mode": ("expected scalar type '{want}' but got '{got}' for values output",
             "expected scalar type 'Long' but got '{got}' for indices output"),
    "_median_dim": (_VALUES, _INDICES), "_nanmedian_dim": (_VALUES, _INDICES),
}  # fmt: skip
_TEXTS = {name: text for text, names in _NAMES.items() for name in names.split()}


_FORMS = r"^_+(number_)?|_(dim|as|mode|true|tensors|number|stable|decimals|tensor|mean)$"
_RECORDED = {       # operations that torch records under another name, or under that of their last step
    "linalg_svdvals": "_linalg_svd", "linalg_svd": "_linalg_svd", "linalg_eigh": "_linalg_eigh",
    "linalg_eigvalsh": "_linalg_eigh", "linalg_slogdet": "_linalg_slogdet", "linalg_det": "_linalg_det",
    "linalg_inv": "linalg_inv_ex", "linalg_solve": "_linalg_solve_ex", "linalg_cholesky": "linalg_cholesky_ex",
    "linalg_matrix_power": "matmul", "linalg_multi_dot": "mm", "linalg_vecdot": "sum", "outer": "mul", "kron": "mul",
    "diff": "sub", "nanmean": "nansum",
}  # fmt: skip
# What reads an element after others were written, and so must not write over its operand.
_APART = frozenset(("cat", "stack", "hstack", "vstack", "dstack", "index_select", "gather", "take", "take_along_dim",
                    "masked_select"))


def refuse_shared(name: str, out: Any, given: Iterable[Any]) -> None:
    """Raise if an operation (its row's name) may not write to memory that one of its operands reads."""
    if name not in _APART or not _fills(out._array):
        return
    if name in ("gather", "take_along_dim"):        # their index may be the same tensor
        given = list(given)[:1]
    for one in chain.from_iterable(one if isinstance(one, (list, tuple)) else (one,) for one in given):
        if isinstance(one, Tensor) and np.may_share_memory(one._array, out._array) and _fills(one._array):
            raise RuntimeError(SHARED)


def _fills(array: Any) -> bool:
    """Return whether an array has elements and no gaps between them: torch looks for shared memory in no others."""
    low, high = np.lib.array_utils.byte_bounds(array)
    return array.size > 0 and high - low == array.nbytes


def refuse_recorded(name: str, *values: Any) -> None:
    """Raise if a tensor requires grad and a gradient would flow through the operation (its row's name)."""
    from autograd_lab.core.op import table

    if not local.grad or not any(isinstance(one, Tensor) and one._node is not None for one in values):
        return
    row = table.get(name)
    if name.startswith("bitwise_"):
        name, row = f"aten::{name}", None
    if row is None or row.inputs:
        name = _RECORDED.get(name) or re.sub(_FORMS, "", name)
        raise RuntimeError(f"{name}(): functions with out=... arguments don't support automatic "
                           "differentiation, but one of the arguments requires grad.")  # fmt: skip


def check_dtype(name: str, place: int, out: Any, value: Any) -> None:
    """Raise unless an operation (its row's name) may put a result into a tensor of another dtype.

    Args:
        place: which of several results; `out`, `value`: the arrays.
    """
    text = _PAIRS[name][place] if name in _PAIRS else _TEXTS.get(name)
    want, got = from_numpy(value.dtype), from_numpy(out.dtype)
    if text is None and not can_cast(want, got):
        text = _CASTS.get(name, "result type {want} can't be cast to the desired output type {got}")
    if text is None or (name in ("any", "all") and got.name == "uint8"):
        return
    raise (TypeError if text.startswith("torch.cat") else RuntimeError)(text.format(
        name=name, want=want.scalar_name, got=got.scalar_name, want_cpp=want.cpp_name, got_cpp=got.cpp_name,
        want_type=want.shown_type, got_type=got.shown_type))  # fmt: skip
