"""Factories, data and random tensors: the same calls on the lab and on torch, with errors and warnings."""

import pytest

import autograd_lab
from tests.ops.compare import differences
from tests.ops.frame import run
from tests.support import require_torch

CALLS = """
torch.zeros(2, 3); torch.zeros((2, 3)); torch.zeros([]); torch.zeros(1.5); torch.zeros('a'); torch.zeros(2, -1)
torch.zeros(); torch.ones(2, dtype=torch.int64); torch.ones(size=(2,)); torch.zeros(2, dtype=int)
torch.zeros(2, dtype='float32'); torch.zeros(2, requires_grad=True)
torch.zeros(2, requires_grad=True, dtype=torch.int64); torch.zeros(2, out=torch.ones(3)); torch.full((2,), True)
torch.full((2,), 1); torch.full((2,), 1.5); torch.full(2, 1); torch.full((2,), torch.tensor(3)); torch.empty((2, 0))
torch.zeros_like(nt); torch.zeros_like([1]); torch.ones_like(m, dtype=torch.int64); torch.full_like(i, 1.5)
torch.tensor([1, 2.5, True]); torch.tensor([True, 2]); torch.tensor([]); torch.tensor([[]]); torch.tensor(2**63)
torch.tensor([[1, 2], [3]]); torch.tensor([[1], 2]); torch.tensor('a'); torch.tensor(['a']); torch.tensor(None)
torch.tensor(300, dtype=torch.uint8); torch.tensor(-1, dtype=torch.uint8); torch.tensor(1.5, dtype=torch.int64)
torch.tensor(s); torch.tensor([torch.tensor(1.0), torch.tensor(2)]); torch.tensor(np.float64(1))
torch.tensor([np.float64(1)]); torch.tensor({1}); torch.tensor(range(3)); torch.tensor([1], requires_grad=True)
torch.tensor([1.0], dtype=np.float32); torch.tensor(); torch.from_numpy(np.ones(2)); torch.from_numpy([1])
torch.from_numpy(np.ones(2)[::-1]); torch.as_tensor(np.ones(2), dtype=torch.float32); torch.arange(5)
torch.arange(1, 5, 2); torch.arange(0, 1, 0.25); torch.arange(5, 0, -2); torch.arange(5, 0); torch.arange(0, 5, 0)
torch.arange(3, dtype=torch.float64); torch.arange(0.5, 2, dtype=torch.int64); torch.arange(0, nan); torch.arange('a')
torch.arange(end=3); torch.linspace(0, 1, 5); torch.linspace(3, -3, 7); torch.linspace(0, 1, 1)
torch.linspace(0, 1, -1); torch.linspace(0, 10, 4, dtype=torch.int64); torch.logspace(0, 2, 3)
torch.logspace(0, 3, 4, base=2); torch.eye(2); torch.eye(2, 3); torch.eye(-1); torch.eye(2, dtype=torch.int64)
torch.tril_indices(2, 3); torch.triu_indices(2, 3, 1); torch.meshgrid(v, w, indexing='ij')
torch.meshgrid(v, w[:2], indexing='xy'); torch.meshgrid(v, w, indexing='ab'); m.new_tensor([1]); m.new_zeros(2, 3)
m.new_full((2,), 3); i.new_ones(2); m.new_empty(0); torch.rand(3); torch.rand(2, 3, dtype=torch.float64)
torch.randn(3); torch.randn(20); torch.randn(2, 3, dtype=torch.float64); torch.rand(2, dtype=torch.int64)
torch.randint(10, (5,)); torch.randint(3, 9, (2, 2)); torch.randint(0, 0, (2,)); torch.randint(3.5, (2,))
torch.randperm(6); torch.randperm(-1); torch.rand_like(m); torch.randn_like(nt); torch.randint_like(m, 9)
torch.normal(0.0, 2.0, (3,)); torch.multinomial(prob.detach(), 2)
torch.multinomial(prob.detach(), 5, replacement=True); torch.multinomial(torch.ones(3), 4)
torch.rand(2, generator=torch.Generator().manual_seed(0)); torch.Generator().manual_seed(3).initial_seed()
torch.get_rng_state().shape; torch.result_type(m, 1.5); torch.result_type(i, 1.5)
torch.can_cast(torch.int64, torch.float32); torch.promote_types(torch.int8, torch.uint8)
"""
SAMPLES = [call.strip() for call in CALLS.replace("\n", ";").split(";") if call.strip()]


@pytest.mark.parametrize("call", SAMPLES)
def test_factory(call: str) -> None:
    assert not differences(run(autograd_lab, call), run(require_torch(), call))
