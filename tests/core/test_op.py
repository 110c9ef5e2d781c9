"""Declarations: malformed rows are refused, compiled functions can be read, provenance names the user's line."""

from __future__ import annotations

import inspect

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab.core import op as op_room
from autograd_lab.core.provenance import where
from tests.support import python


@pytest.fixture
def scratch():
    yield
    for name in [name for name in op_room.table if name.startswith("scratch")]:
        del op_room.table[name]


def test_a_formula_that_names_nothing_known_is_refused(scratch):
    @op_room.op("y", method=False, function=False, self=lambda grad, nothing: grad)
    def scratch(self):
        return self

    with pytest.raises(TypeError, match="neither an input nor an argument"):
        scratch(torch.tensor([1.0], requires_grad=True))


def test_a_formula_must_take_the_gradient_first(scratch):
    @op_room.op("y", method=False, function=False, self=lambda self: self)
    def scratch(self):
        return self

    with pytest.raises(TypeError, match="first parameter must be 'grad'"):
        scratch(torch.tensor([1.0], requires_grad=True))


def test_a_name_is_declared_once():
    with pytest.raises(TypeError, match="declared twice"):

        @op_room.op("y", self=lambda grad: grad)
        def mul(self):
            return self


def test_every_row_compiles_and_names_only_what_exists():
    for decl in op_room.table.values():
        if type(decl) is op_room.Declaration:
            assert decl.uses is not None, decl.name
            assert decl.tensor_names, decl.name


def test_compiled_source_can_be_read():
    x = torch.tensor([1.0], requires_grad=True)
    torch.mul(x, x)
    assert "def forward" in inspect.getsource(torch.mul)


def test_the_node_knows_the_line_that_made_it():
    x = torch.tensor([1.0], requires_grad=True)
    y = x * 2  # the line
    site = where(y.grad_fn)
    assert (site.text, site.file, site.cell) == ("y = x * 2  # the line", __file__, None)
    assert str(site).startswith("test_op.py, line ")


def test_a_new_row_is_an_op_at_once(scratch):
    @op_room.op(r"y = 3a", method=False, function=False, self=op_room.Vjp(lambda grad: grad * 3, r"\bar a = 3 \bar y"))
    def scratch_triple(self):
        """Triple."""
        return self * np.float32(3)

    x = torch.tensor([1.0, 2.0], requires_grad=True)
    y = scratch_triple(x)
    assert y.grad_fn.name() == "ScratchTripleBackward0"
    assert type(y.grad_fn).declaration.derivatives == {"self": r"\bar a = 3 \bar y"}
    y.sum().backward()
    assert x.grad.tolist() == [3.0, 3.0]


def test_a_room_that_needs_an_operation_first_finds_it():
    """Clipping stacks the norms; nothing before it has asked for an operation that is imported late."""
    code = (
        "import autograd_lab as torch; x = torch.nn.Parameter(torch.ones(2)); (x * 2).sum().backward(); "
        "print(torch.nn.utils.clip_grad_norm_([x], 1.0))"
    )
    child = python("-c", code)
    assert child.stdout == "tensor(2.8284)\n", child.stderr


def test_tensor_itself_finds_methods_of_rooms_that_are_closed():
    program = "import autograd_lab as t; print(t.Tensor.exp(t.zeros(1)), hasattr(t.nn.Parameter, 'median'))"
    assert python("-c", program).stdout == "tensor([1.]) True\n"
    assert not hasattr(torch.Tensor, "no_such_method")
