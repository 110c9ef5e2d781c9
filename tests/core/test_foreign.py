"""A program whose import lines are mixed: what of the real torch reaches the lab is named, with a note on imports."""

import pytest

import autograd_lab as torch
from autograd_lab import nn, optim
from tests.support import require_torch

CALLS = {
    "Parameter": lambda real, x: nn.Parameter(real.ones(2)),
    "einsum": lambda real, x: torch.einsum("i,i", x, real.ones(2)),
    "view_as": lambda real, x: x.view_as(real.ones(2)),
    "type_as": lambda real, x: x.type_as(real.ones(2)),
    "outer": lambda real, x: torch.outer(x, real.ones(2)),
    "equal": lambda real, x: torch.equal(x, real.ones(2)),
    "pow": lambda real, x: torch.pow(x, real.ones(2)),
    "fill_": lambda real, x: x.fill_(real.tensor(1.0)),
    "clamp": lambda real, x: x.clamp(real.ones(2)),
    "to": lambda real, x: x.to(real.ones(2)),
    "SGD": lambda real, x: optim.SGD([real.ones(2)], lr=0.1),
    "grad": lambda real, x: setattr(x, "grad", real.ones(2)),
    "data": lambda real, x: setattr(x, "data", real.ones(2)),
    "clip": lambda real, x: nn.utils.clip_grad_norm_([real.ones(2)], 1.0),
    "clip one": lambda real, x: nn.utils.clip_grad_norm_(real.ones(2), 1.0),
    "init": lambda real, x: nn.init.zeros_(real.ones(2)),
    "module": lambda real, x: setattr(nn.Module(), "weight", real.nn.Parameter(real.ones(2))),
    "Tensor": lambda real, x: torch.Tensor(real.ones(2)),
    "Variable": lambda real, x: torch.autograd.Variable(real.ones(2)),
    "dtype": lambda real, x: torch.zeros(2, dtype=real.float32),
    "to dtype": lambda real, x: x.to(real.float64),
    "generator": lambda real, x: torch.rand(2, generator=real.Generator()),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_what_is_of_the_real_torch_is_told_apart(call):
    real = require_torch()
    x = torch.ones(2)
    with pytest.raises(TypeError, match=r"expected a \w+ of autograd_lab, got ") as caught:
        call(real, x)
    assert any("import line" in note for note in caught.value.__notes__)
    assert x.tolist() == [1, 1]
