"""Functions beside the op table: in-place forms, searching, orders of memory, storages; on the lab and on torch."""

import pickle

import pytest

import autograd_lab
from tests.ops.compare import differences
from tests.ops.frame import run
from tests.support import require_torch

IN_PLACE = (
    "exp", "relu", "sin", "cos", "tan", "tanh", "sigmoid", "abs", "neg", "negative", "floor", "ceil", "round",
    "trunc", "fix",
    "frac", "exp2", "expm1", "erf", "erfc", "square", "reciprocal", "deg2rad", "rad2deg", "sinc",
    "nan_to_num", "atan",
    "sinh", "cosh", "zero", "detach", "celu", "selu",
)  # fmt: skip
ON_POSITIVE = ("sqrt", "rsqrt", "log", "log2", "log10", "log1p")
EDGES, ROWS = "torch.tensor([1., 2., 3.])", "torch.tensor([[1., 2., 3.], [2., 3., 5.]])"
CALLS = [f"torch.{name}_(m.clone())" for name in IN_PLACE] + [f"torch.{name}_(pos.clone())" for name in ON_POSITIVE]
CALLS += [
    "torch.clamp_(m.clone(), 0, 1)", "torch.clip_(m.clone(), min=0)", "torch.clamp_min_(m.clone(), 0.5)",
    "torch.clamp_max_(m.clone(), 0.5)", "torch.fill_(m.clone(), 2)", "torch.xlogy_(m.clone(), pos)",
    "torch.logit_(prob.clone())", "torch.index_put_(m.clone(), (torch.tensor([0]),), s)", "torch.asin_(unit.clone())",
    "torch.addmv_(v.clone(), sq, w)", "torch.resize_as_(m.detach().clone(), n)", "torch.relu_(m)", "torch.exp_(i)",
    "torch.relu(zeros)", "zeros.clone().relu_()", "zeros.clamp(min=0)", "zeros.clamp(max=0)", "zeros.clamp(-0.0, 0.0)",
    "torch.minimum(zeros, -zeros)", "torch.maximum(zeros, -zeros)", "torch.fmin(zeros, -zeros)",
    "F.threshold(zeros, 0.0, 0.0)", "F.hardtanh(zeros, 0.0, 1.0)", "F.relu6(zeros)", "F.leaky_relu(zeros)",
    "abs(zeros)",
    "F.selu_(m * 1)", "F.celu_(m * 1)", "F.elu_(m * 1)",
    "torch.logsumexp(m, ())", "torch.logsumexp(m, (), keepdim=True)", "torch.logsumexp(s, ())",
    f"torch.searchsorted({EDGES}, v)", f"torch.searchsorted({EDGES}, 2)", f"torch.searchsorted({EDGES}, v, right=True)",
    f"torch.searchsorted({ROWS}, m)", f"torch.searchsorted({EDGES}, i, side='right')",
    f"torch.searchsorted({EDGES}, i, out_int32=True)", f"torch.searchsorted({EDGES}, wild)",
    "torch.searchsorted(torch.tensor([3, 1, 2]), i, sorter=torch.tensor([1, 2, 0]))",
    f"torch.searchsorted({ROWS}, 3.0)",
    f"torch.searchsorted({ROWS}, v)", f"torch.searchsorted({EDGES}, v, side='up')", "torch.searchsorted(s, v)",
    f"torch.searchsorted({EDGES}, v, side='left', right=True)", f"torch.searchsorted({EDGES}, v, sorter=im)",
    f"torch.searchsorted({EDGES}, v, out=torch.zeros(3, dtype=torch.int64))", f"torch.searchsorted({EDGES}, e)",
    f"torch.bucketize(m, {EDGES})", f"torch.bucketize(m, {EDGES}, right=True)", "torch.bucketize(2, i1)",
    f"torch.bucketize(m, {ROWS})", f"torch.bucketize(h, {EDGES}, out_int32=True)", f"torch.bucketize(nan, {EDGES})",
    "torch.isin(i, i1)", "torch.isin(i, 3)", "torch.isin(3, i)", "torch.isin(i, i1, invert=True)", "torch.isin(m, i)",
    "torch.isin(im, i, assume_unique=True)", "torch.isin(wild, wild)", "torch.isin(b, b)", "torch.isin(e, m)",
    "torch.unravel_index(torch.tensor([3, 4]), (2, 3))", "torch.unravel_index(torch.tensor(5), (2, 3))",
    "torch.contiguous_format", "torch.preserve_format", "torch.channels_last", "torch.channels_last_3d",
    "m.contiguous(memory_format=torch.contiguous_format)", "nt.clone(memory_format=torch.contiguous_format).stride()",
    "nt.clone(memory_format=torch.preserve_format).stride()", "torch.zeros_like(nt).stride()",
    "torch.empty_like(nt, memory_format=torch.contiguous_format).stride()",
    "t3[None].contiguous(memory_format=torch.channels_last).stride()",
    "t3[None].contiguous(memory_format=torch.channels_last)",
    "t3[None].is_contiguous(memory_format=torch.channels_last)",
    "t3[None].to(memory_format=torch.channels_last).stride()",
    "t3.contiguous(memory_format=torch.channels_last)",
    "torch.full_like(t3[None], 2, memory_format=torch.channels_last)",
    "torch.typename(m)", "torch.typename(i)", "torch.typename(3)", "torch.typename(torch.nn.Linear(1, 1))",
    "torch.typename(None)", "torch.typename('a')", "torch.typename(torch.float32)",
    "torch.frombuffer(bytearray(8), dtype=torch.float32)",
    "torch.frombuffer(bytearray(b'ab'), dtype=torch.uint8, offset=1)",
    "torch.frombuffer(bytearray(5), dtype=torch.float32)", "torch.frombuffer(bytearray(0), dtype=torch.float32)",
    "torch.frombuffer(bytearray(4), dtype=torch.uint8, count=9)",
    "torch.frombuffer(bytearray(4), dtype=torch.uint8, offset=4)",
    "torch.frombuffer(3, dtype=torch.uint8)", "torch.frombuffer(bytearray(8), dtype=torch.float32, requires_grad=True)",
    "m.untyped_storage().nbytes()", "len(m.untyped_storage())", "m[1].untyped_storage().nbytes()",
    "s.untyped_storage().size()",
    "m[1].untyped_storage().data_ptr() == m.untyped_storage().data_ptr()",
    "m.untyped_storage().data_ptr() == m.data_ptr()",
    "m.t().untyped_storage().tolist() == m.untyped_storage().tolist()", "m.untyped_storage()[3]",
    "str(b.untyped_storage())", "torch.zeros(3, names=('a',))", "torch.ones(3, names=None)",
]  # fmt: skip

CALLS += [
    "torch.flip(m, dims=(0,))", "m.flip(dims=[1])", "m.flip(0, 1)", "torch.diag(v.detach(), out=torch.zeros(3, 3))",
    "torch.nonzero(m, out=torch.zeros(0, dtype=torch.int64))", "torch.unravel_index(torch.tensor([0.5]), (2, 2))",
    "torch.unravel_index(torch.tensor([7]), (2, 2))", "torch.unravel_index(torch.tensor([-1]), (2, 2))",
    "torch.unravel_index(torch.tensor([1]), (2, -2))", "torch.unravel_index(torch.tensor([1]), 2.0)",
    "m.clone().apply_(lambda a: a * 2)", "m.detach().clone().apply_(lambda a: a * 2)",
    "i.map_(i1, lambda a, b: a * b)", "m.detach().map2_(r.detach(), r.detach(), lambda a, b, c: a + b * c)",
    "m.is_same_size(n)", "torch.is_same_size(m, v)", "m.adjoint()", "torch.adjoint(v)", "m.conj() is m",
    "torch.conj(m)", "m.resolve_conj() is m", "m.resolve_neg() is m", "m.is_conj()", "torch.is_neg(m)", "m.real is m",
    "torch.real(m)", "m.imag", "torch.imag(m)", "torch.view_as_real(m)", "torch.Size(torch.ones(3))",
    "torch.Size(torch.tensor([2, 3]))", "torch.device('cpu:0')", "str(torch.device('cpu', 0))",
    "torch.device('cpu').index",
    "torch.device('cpu:0') == torch.device('cpu')", "torch.tensor_split(v, torch.tensor(1.1))",
    "torch.tensor_split(v, torch.tensor([1, 2]))", "torch.tensor_split(v, torch.tensor(2))",
    "torch.narrow(m, 0, torch.tensor(0.5), 1)", "torch.narrow(m, 0, torch.tensor([0, 1]), 1)",
    "torch.narrow(m, 0, torch.tensor(1), 1)",
]  # fmt: skip
COMPLEX = ("m.cfloat()", "m.cdouble()", "m.chalf()", "m + 1j", "m * 1j", "torch.tensor(1j)")


@pytest.mark.parametrize("call", COMPLEX)
def test_complex_numbers_are_refused(call: str) -> None:
    kind, (message,) = run(autograd_lab, call)["error"]
    assert kind == "NotImplementedError"
    assert "complex numbers are outside its scope" in message


def test_a_size_is_pickled() -> None:
    size = autograd_lab.Size([2, 3])
    assert pickle.loads(pickle.dumps(size)) == size
    assert type(pickle.loads(pickle.dumps(size))) is autograd_lab.Size


@pytest.mark.parametrize("call", CALLS)
def test_form(call: str) -> None:
    torch = require_torch()
    for one in (torch, autograd_lab):
        one.set_warn_always(True)
    try:
        assert not differences(run(autograd_lab, call), run(torch, call))
    finally:
        for one in (torch, autograd_lab):
            one.set_warn_always(False)


@pytest.mark.filterwarnings("ignore:TypedStorage is deprecated")
@pytest.mark.parametrize("call", ["m.storage().size()", "m.storage().nbytes()", "m.storage().dtype", "m.storage()[1]",
                                  "m[1].storage().tolist()", "str(i.storage())", "len(b.storage())"])  # fmt: skip
def test_typed_storage(call: str) -> None:
    found, expected = run(autograd_lab, call), run(require_torch(), call)
    assert found["value"].replace("autograd_lab", "torch") == expected["value"]
