"""Printed tensors, held to what torch 2.13.0 recorded in golden/printing.json."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest

from autograd_lab.core import dtypes, printing
from autograd_lab.core.printing import tensor_text

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "printing.json").read_text(encoding="utf-8"))
SUFFIXES = {
    "": {},
    "leaf": {"requires_grad": True},
    "node": {"requires_grad": True, "grad_fn_name": "MulBackward0"},
}


@pytest.fixture(autouse=True)
def restore():
    yield
    printing.set_printoptions(profile="default")
    dtypes.set_default_dtype(dtypes.float32)


def test_recorded_texts():
    for name, shape, values, suffix, options, expected in GOLDEN:
        filled = np.arange(math.prod(shape)) if values is None else np.array(values, np.float64)
        array = filled.astype(name).reshape(shape)
        with printing.printoptions(**options):
            assert tensor_text(array, **SUFFIXES[suffix]) == expected


def test_a_numpy_scalar_prints_as_a_0_dim_tensor():
    assert tensor_text(np.float32(3), grad_fn_name="MulBackward0") == "tensor(3., grad_fn=<MulBackward0>)"


def test_strides_do_not_matter():
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    assert tensor_text(array.T) == "tensor([[0., 3.],\n        [1., 4.],\n        [2., 5.]])"


def test_an_unreadable_node_prints_as_invalid():
    assert tensor_text(np.ones(1, np.float32), grad_fn_name="Invalid") == "tensor([1.], grad_fn=<Invalid>)"


def test_the_default_dtype_is_not_printed():
    dtypes.set_default_dtype(dtypes.float64)
    assert tensor_text(np.ones(1)) == "tensor([1.])"
    assert tensor_text(np.ones(1, np.float32)) == "tensor([1.], dtype=torch.float32)"
    assert tensor_text(np.ones(0)) == "tensor([])"


def test_a_subclass_prints_its_name_and_indents_by_it():
    array = np.ones((2, 1), np.float32)
    assert tensor_text(array, type_name="Mine") == "Mine([[1.],\n      [1.]])"


def test_parameter():
    text = printing.parameter_text(tensor_text(np.ones(1, np.float32), requires_grad=True))
    assert text == "Parameter containing:\ntensor([1.], requires_grad=True)"


def test_format_of_a_0_dim_tensor():
    assert printing.format_scalar(np.float32(2.5), ".2f") == "2.50"
    assert printing.format_scalar(np.array(3), "03d") == "003"
    with pytest.raises(ValueError, match=r"^Unknown format code 'd' for object of type 'float'$"):
        printing.format_scalar(np.float32(2.5), "d")


def test_options():
    printing.set_printoptions(precision=2, sci_mode=True)
    assert printing.get_printoptions() == {
        "precision": 2, "threshold": 1000, "edgeitems": 3, "linewidth": 80, "sci_mode": True,
    }  # fmt: skip
    # sci_mode is the one option that falls back when it is not given.
    printing.set_printoptions(edgeitems=1)
    assert printing.get_printoptions()["sci_mode"] is None
    printing.set_printoptions(profile="no such profile")
    assert printing.get_printoptions()["precision"] == 2
    with pytest.raises(TypeError):
        printing.set_printoptions(digits=3)
    printing.set_printoptions(profile="default")
    shown = "__PrinterOptions(precision=4, threshold=1000, edgeitems=3, linewidth=80, sci_mode=None)"
    assert repr(printing.PRINT_OPTS) == shown


def test_options_come_back_after_an_error():
    with pytest.raises(ZeroDivisionError), printing.printoptions(precision=1, sci_mode=False):
        raise ZeroDivisionError
    assert printing.get_printoptions()["precision"] == 4
