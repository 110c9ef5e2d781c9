"""Optimizers on the lab and on live torch: equal in every digit where no square root comes in.

torch's square root is Intel's, which is not always rounded correctly; NumPy's is. So the optimizers that divide by a
root agree to within a few units of the last digit.
"""

import numpy as np
import pytest

import autograd_lab
from tests.support import require_torch

CASES = [
    ("SGD", {"lr": 0.1}), ("SGD", {"lr": 0.1, "momentum": 0.9}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "nesterov": True, "weight_decay": 0.01}),
    ("SGD", {"lr": 0.1, "momentum": 0.9, "dampening": 0.5, "maximize": True}), ("Adam", {"lr": 0.1}),
    ("Adam", {"lr": 0.01, "weight_decay": 0.1}), ("Adam", {"lr": 0.1, "amsgrad": True, "betas": (0.8, 0.9)}),
    ("AdamW", {"lr": 0.1}), ("AdamW", {"lr": 0.1, "amsgrad": True, "maximize": True}), ("RMSprop", {}),
    ("RMSprop", {"momentum": 0.9, "weight_decay": 0.1}), ("RMSprop", {"centered": True, "lr": 0.1}),
    ("Adagrad", {"lr": 0.1}), ("Adagrad", {"lr_decay": 0.1, "weight_decay": 0.1, "initial_accumulator_value": 0.5}),
]  # fmt: skip


def after_steps(torch, name, options, dtype, shape):
    """Return a parameter after twelve steps along random gradients."""
    random = np.random.default_rng(0)
    kind = getattr(torch, dtype)
    parameter = torch.tensor(random.standard_normal(shape).tolist(), dtype=kind, requires_grad=True)
    optimizer = getattr(torch.optim, name)([parameter], **options)
    for _ in range(12):
        parameter.grad = torch.tensor(random.standard_normal(shape).tolist(), dtype=kind)
        optimizer.step()
    return np.array(parameter.detach().numpy()), parameter._version


@pytest.mark.parametrize("shape", [(), (3,), (5, 7), (33,)])
@pytest.mark.parametrize("dtype", ["float32", "float64"])
@pytest.mark.parametrize(("name", "options"), CASES)
def test_steps(name, options, dtype, shape):
    mine, our_version = after_steps(autograd_lab, name, options, dtype, shape)
    real, their_version = after_steps(require_torch(), name, options, dtype, shape)
    assert our_version == their_version
    assert mine.dtype == real.dtype
    if name == "SGD":
        np.testing.assert_array_equal(mine, real)
    else:
        np.testing.assert_allclose(mine, real, rtol=2e-4 if dtype == "float32" else 1e-12, atol=1e-6)
