"""The dtypes and their promotion, held to what torch 2.13.0 recorded in golden/dtypes.json."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path

import numpy as np
import pytest

from autograd_lab.core import dtypes, promotion

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "dtypes.json").read_text(encoding="utf-8"))


@pytest.fixture
def restore_default():
    yield
    dtypes.set_default_dtype(dtypes.float32)


@pytest.mark.parametrize("name", GOLDEN["attributes"])
def test_attributes(name):
    made = dtypes.by_name(name)
    found = [repr(made), made.abbr, made.itemsize, made.is_floating_point, made.is_signed, made.is_complex]
    assert [*found, made.tensor_type] == GOLDEN["attributes"][name]
    assert made.numpy == np.dtype(name)
    assert dtypes.from_numpy(np.dtype(name)) is made
    assert made.to_real() is made


def test_aliases():
    for alias, name in GOLDEN["aliases"].items():
        assert getattr(dtypes, alias) is dtypes.by_name(name)


def test_a_dtype_stays_the_same_object():
    for made in dtypes.ALL:
        assert copy.copy(made) is made
        assert copy.deepcopy([made])[0] is made
        assert pickle.loads(pickle.dumps(made)) is made
    assert len({dtypes.float32, dtypes.float, dtypes.float64}) == 2


def test_nobody_makes_or_changes_a_dtype():
    with pytest.raises(TypeError, match=r"^cannot create 'torch.dtype' instances$"):
        dtypes.dtype()
    with pytest.raises(AttributeError, match=r"^'torch.dtype' object has no attribute 'x'$"):
        dtypes.float32.x = 1
    with pytest.raises(AttributeError, match=r"^attribute 'itemsize' of 'torch.dtype' objects is not writable$"):
        dtypes.float32.itemsize = 1
    with pytest.raises(TypeError, match=r"^type 'torch.dtype' is not an acceptable base type$"):
        type("mine", (dtypes.dtype,), {})


@pytest.mark.parametrize("name", GOLDEN["limits"])
def test_limits(name):
    made = dtypes.by_name(name)
    shown, attributes = GOLDEN["limits"][name]
    about = (dtypes.finfo if made.is_floating_point else dtypes.iinfo)(made)
    assert repr(about) == shown
    assert {key: getattr(about, key) for key in attributes} == attributes
    assert about == type(about)(made)
    with pytest.raises(TypeError):
        hash(about)
    with pytest.raises(AttributeError, match="is not writable"):
        about.max = 1


def test_limits_of_the_wrong_kind():
    with pytest.raises(TypeError, match=r"^torch.finfo\(\) requires a floating point input type."):
        dtypes.finfo(dtypes.int32)
    with pytest.raises(TypeError, match=r"^torch.iinfo\(\) requires an integer input type."):
        dtypes.iinfo(dtypes.float32)
    with pytest.raises(TypeError, match=r"^torch.bool is not supported by torch.iinfo$"):
        dtypes.iinfo(dtypes.bool)
    with pytest.raises(TypeError, match=r"^finfo\(\): argument 'type' \(position 1\) must be torch.dtype, not str$"):
        dtypes.finfo("float32")
    with pytest.raises(TypeError, match=r'^iinfo\(\) missing 1 required positional arguments: "type"$'):
        dtypes.iinfo()


def test_default_dtype(restore_default):
    assert dtypes.get_default_dtype() is dtypes.float32
    dtypes.set_default_dtype(dtypes.float64)
    assert dtypes.get_default_dtype() is dtypes.float64
    assert dtypes.finfo().dtype == "float64"
    with pytest.raises(TypeError, match=r"^only floating-point types are supported as the default type$"):
        dtypes.set_default_dtype(dtypes.int64)
    with pytest.raises(TypeError, match=r"^invalid dtype object: only floating-point types are supported"):
        dtypes.set_default_dtype("float32")


def test_what_cannot_come_from_numpy():
    with pytest.raises(TypeError, match=r"^can't convert np.ndarray of type numpy.str_. The only supported types"):
        dtypes.from_numpy(np.array(["a"]).dtype)
    with pytest.raises(ValueError, match=r"^given numpy array has byte order different"):
        dtypes.from_numpy(np.dtype("float32").newbyteorder())
    with pytest.raises(NotImplementedError, match=r"^torch.complex128 is not available: .* real numbers only"):
        dtypes.from_numpy(np.dtype(complex))
    with pytest.raises(NotImplementedError, match=r"^torch.bfloat16 is not available"):
        dtypes.by_name("bfloat16")
    with pytest.raises(NotImplementedError):
        dtypes.float32.to_complex()
    with pytest.raises(RuntimeError, match=r"^Unknown Complex ScalarType for Long$"):
        dtypes.int64.to_complex()


def test_promote_types_and_can_cast():
    for pair, expected in GOLDEN["promote_types"].items():
        a, b = map(dtypes.by_name, pair.split())
        assert promotion.promote_types(a, b) is promotion.promote_types(b, a) is dtypes.by_name(expected)
    allowed = [f"{a.name} {b.name}" for a in dtypes.ALL for b in dtypes.ALL if promotion.can_cast(a, b)]
    assert sorted(allowed) == sorted(GOLDEN["can_cast"])
    with pytest.raises(TypeError, match=r"argument 'type2' \(position 2\) must be torch.dtype, not int$"):
        promotion.promote_types(dtypes.int8, 3)


def operand(text):
    if text in {"True", "3", "2.5"}:
        return {"True": True, "3": 3, "2.5": 2.5}[text]
    place, name = text.split()
    return np.ones((2,) if place == "d" else (), name)


@pytest.mark.parametrize("default", ["float32", "float16", "float64"])
def test_every_meeting(default, restore_default):
    dtypes.set_default_dtype(dtypes.by_name(default))
    for pair in GOLDEN["meetings"]["float32"]:
        a, b = map(operand, pair.split(" + "))
        expected = GOLDEN["meetings"][default].get(pair, GOLDEN["meetings"]["float32"][pair])
        assert promotion.promote_many([a, b]).name == expected, pair
        if isinstance(a, np.ndarray) and isinstance(b, np.ndarray):
            assert promotion.promote(a, b).name == expected, pair
            assert promotion.promote(a[()], b[()]).name == expected, pair
        elif isinstance(a, np.ndarray):
            assert promotion.number_dtype(b, a.dtype).name == expected, pair


def test_three_classes_at_once():
    lone = dtypes.int8, promotion.DIMENSIONED, dtypes.float16, promotion.ZERO_DIM, dtypes.float32, promotion.NUMBER
    assert promotion.result_type(*lone) is dtypes.float16
