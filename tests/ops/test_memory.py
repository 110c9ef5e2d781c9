"""Who shares memory: a result of an operation shares its input's memory exactly when torch's does."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest

import autograd_lab
from tests.ops.frame import Inputs, collect
from tests.support import require_torch

SAMPLES = collect()


def shared(torch: Any, sample: str) -> list[bool] | None:
    """Return, for each tensor that a sample gives, whether it shares an input's memory; None on an error."""
    inputs = Inputs(torch)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            value = eval(sample.lstrip("!~"), {"torch": torch, "math": __import__("math")}, inputs)
        except Exception:
            return None
    results = value if isinstance(value, (tuple, list)) else (value,)
    given = [numpy_of(one) for one in inputs.values() if isinstance(one, torch.Tensor)]
    found = [numpy_of(one) for one in results if isinstance(one, torch.Tensor)]
    return [any(np.shares_memory(one, other) for other in given) for one in found]


def numpy_of(tensor: Any) -> np.ndarray:
    """Return the tensor's own memory."""
    return tensor.detach().numpy()


@pytest.mark.parametrize("row", sorted(SAMPLES))
def test_results_share_memory_where_torchs_do(row: str) -> None:
    torch = require_torch()
    notes = []
    for sample in dict.fromkeys(SAMPLES[row]):
        ours, theirs = shared(autograd_lab, sample), shared(torch, sample)
        if ours is not None and theirs is not None and ours != theirs:
            notes.append(f"{sample}: shares {ours}, in torch {theirs}")
    assert not notes, "\n".join(notes)


def test_results_of_expanded_tensors_lie_in_row_order() -> None:
    """NumPy would let the expanded dimension vary fastest; then `view` would refuse what torch allows."""
    torch = autograd_lab
    x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    for result in (x.expand(2, 3) * 2, -x.expand(2, 3), x.expand(2, 3).exp(), torch.ones(2, 1).expand(2, 3) * x):
        assert result.stride() == (3, 1)
        assert result.view(-1).shape == (6,)
    assert (torch.ones(3, 2).t() * 2).stride() == (1, 2)
