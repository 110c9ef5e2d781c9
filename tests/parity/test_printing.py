"""Thousands of random arrays, printed by the lab and by live torch."""

from __future__ import annotations

import numpy as np
import pytest

from autograd_lab.core import dtypes, printing
from tests.support import require_torch

torch = require_torch()

FLOATS = ("float32", "float64", "float16")
INTEGERS = ("int64", "int32", "int16", "int8", "uint8")


@pytest.fixture(autouse=True)
def restore():
    yield
    for options in (torch.set_printoptions, printing.set_printoptions):
        options(profile="default")
    torch.set_default_dtype(torch.float32)
    dtypes.set_default_dtype(dtypes.float32)


def random_shape(rng):
    dimensions = int(rng.integers(0, 5))
    lengths = [1, 2, 3, 5, 6, 7, 8, 20, 40] if dimensions < 3 else [1, 2, 3, 4, 7, 8]
    shape = [int(length) for length in rng.choice(lengths, dimensions)]
    if dimensions == 1 and rng.random() < 0.1:
        shape = [int(rng.integers(990, 1020))]
    if dimensions and rng.random() < 0.05:
        shape[0] = 0
    return tuple(shape)


def random_array(rng):
    shape = random_shape(rng)
    kind = rng.random()
    if kind < 0.05:
        return np.asarray(rng.random(shape) < 0.5)
    if kind < 0.25:
        limits = np.iinfo(name := rng.choice(INTEGERS))
        low = max(limits.min, -(10 ** int(rng.integers(0, 18))))
        high = min(limits.max, 10 ** int(rng.integers(0, 18)))
        return np.asarray(rng.integers(low, high, shape, endpoint=True)).astype(name)
    array = rng.normal(size=shape)
    form = rng.integers(0, 6)
    if form == 1:
        array = np.round(array * 10)
    elif form == 2:
        array = array * 10.0 ** rng.integers(-8, 9, shape)
    elif form == 3:
        array = array * 10.0 ** rng.integers(-8, 9)
    elif form == 4:
        array = np.round(array * 10.0 ** rng.integers(-8, 12))
    elif form == 5:
        array = np.round(array, 1)
    with np.errstate(over="ignore"):
        array = np.asarray(array).astype(rng.choice(FLOATS, p=[0.6, 0.2, 0.2]))
    if rng.random() < 0.2:
        for special in (0.0, np.nan, np.inf, -np.inf, -0.0):
            array = np.where(rng.random(shape) < 0.1, special, array).astype(array.dtype)
    return array


def random_options(rng):
    choices = {
        "precision": int(rng.integers(0, 9)),
        "threshold": int(rng.choice([0, 5, 100, 1000])),
        "edgeitems": int(rng.integers(0, 5)),
        "linewidth": int(rng.integers(5, 150)),
        "sci_mode": [True, False, None][rng.integers(3)],
        "profile": str(rng.choice(["default", "short", "full", "none"])),
    }
    return {name: value for name, value in choices.items() if rng.random() < 0.5}


@pytest.mark.parametrize("seed", range(8))
def test_random_arrays(seed):
    rng = np.random.default_rng(seed)
    for _ in range(250):
        array = random_array(rng)
        default = str(rng.choice(["float32", "float32", "float64", "float16"]))
        torch.set_default_dtype(getattr(torch, default))
        dtypes.set_default_dtype(dtypes.by_name(default))
        options = random_options(rng) if rng.random() < 0.4 else {}
        for set_options in (torch.set_printoptions, printing.set_printoptions):
            set_options(profile="default")
            set_options(**options)
        tensor = torch.from_numpy(array.copy())
        suffix = {}
        if array.dtype.kind == "f" and rng.random() < 0.6:
            suffix = {"requires_grad": True}
            tensor.requires_grad_()
            if rng.random() < 0.5:
                tensor = tensor * 1
                suffix["grad_fn_name"] = "MulBackward0"
        assert printing.tensor_text(tensor.detach().numpy(), **suffix) == repr(tensor), (array.dtype, options)
