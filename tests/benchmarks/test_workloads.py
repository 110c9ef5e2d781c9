"""The workloads are the same work: each library that is here finds the numbers that the hand-written one finds."""

import numpy as np
import pytest

from tests.benchmarks import hand
from tests.benchmarks.torchlike import Lab, Torch
from tests.support import require_torch


@pytest.fixture(params=["autograd_lab", "torch"])
def library(request):
    if request.param == "torch":
        require_torch()
        return Torch()
    return Lab()


@pytest.mark.parametrize("workload", ["w2", "w3"])
def test_training_steps_lower_the_same_loss(library, workload):
    by_hand, own = getattr(hand, workload)(), getattr(library, workload)()
    for _ in range(3):
        np.testing.assert_allclose(own().item(), by_hand(), rtol=1e-4)


def test_the_gradient_penalty_has_the_same_gradient(library):
    for own, by_hand in zip(library.w6()(), hand.w6()()):
        np.testing.assert_allclose(own.numpy(), by_hand, rtol=1e-3, atol=1e-5)
