"""Determinants of singular matrices have derivatives of every order, the same as in PyTorch."""

from __future__ import annotations

import importlib
from typing import Any

import pytest

torch = pytest.importorskip("torch")

SINGULAR = {
    "all ones": [[1.0, 1.0], [1.0, 1.0]],
    "rank 2 of 3": [[1.0, 2.0, 3.0], [2.0, 4.0, 6.0], [1.0, 1.0, 5.0]],
    "a row of zeros": [[0.0, 0.0, 0.0], [2.0, 4.0, 6.0], [1.0, 1.0, 5.0]],
    "one of a batch": [[[1.0, 1.0], [1.0, 1.0]], [[2.0, 0.0], [0.0, 1.0]]],
}


def slopes(library: str, values: Any) -> list[Any]:
    """Return the gradient of the determinant, and that of each of its elements."""
    lab = importlib.import_module(library)
    x = lab.tensor(values, dtype=lab.float64, requires_grad=True)
    (first,) = lab.autograd.grad(lab.linalg.det(x).sum(), x, create_graph=True)
    assert first.requires_grad
    each = first.reshape(-1)
    return [first.detach().tolist(), *(lab.autograd.grad(each[k], x, retain_graph=True)[0].tolist()
                                       for k in range(each.shape[0]))]  # fmt: skip


@pytest.mark.parametrize("values", SINGULAR.values(), ids=SINGULAR)
def test_second_derivative_of_a_singular_determinant(values: Any) -> None:
    for mine, theirs in zip(slopes("autograd_lab", values), slopes("torch", values), strict=True):
        torch.testing.assert_close(torch.tensor(mine), torch.tensor(theirs), rtol=1e-6, atol=1e-6)
