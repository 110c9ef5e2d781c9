"""Names that the lab has not: each answers with the nearest one that exists, or why it is out of scope."""

import importlib

import pytest

import autograd_lab as torch

MODULES = ("nn", "nn.functional", "nn.init", "nn.utils", "nn.modules", "nn.parameter", "optim", "optim.lr_scheduler",
           "autograd", "autograd.functional", "autograd.function", "autograd.graph", "autograd.grad_mode",
           "autograd.gradcheck", "autograd.anomaly_mode", "utils", "utils.data", "utils.checkpoint", "utils.hooks",
           "linalg", "random", "cuda", "backends")  # fmt: skip


@pytest.mark.parametrize("module", MODULES)
def test_every_module_says_where_its_names_are_listed(module):
    found = importlib.import_module(f"autograd_lab.{module}")
    with pytest.raises(AttributeError, match=f"module 'torch.{module}' has no attribute 'no_such_name'") as raised:
        getattr(found, "no_such_name")  # noqa: B009
    assert f"dir(autograd_lab.{module}) lists everything that there is." in raised.value.__notes__


@pytest.mark.parametrize(("module", "note"), [
    ("jit", "torch.jit is outside the scope of autograd_lab: it runs eagerly only, without a compiler."),
    ("distributed", "torch.distributed is outside the scope of autograd_lab: it runs in one process."),
    ("optin", "The nearest name that exists is 'optim'."),
    ("nn.functionals", "The nearest name that exists is 'functional'."),
])
def test_a_missing_submodule_is_explained(module, note):
    with pytest.raises(ModuleNotFoundError, match=f"No module named 'autograd_lab.{module}'") as raised:
        importlib.import_module(f"autograd_lab.{module}")
    assert note in raised.value.__notes__


def test_modules_of_others_are_none_of_our_business():
    with pytest.raises(ModuleNotFoundError) as raised:
        importlib.import_module("autograd_laboratory.jit")
    assert not hasattr(raised.value, "__notes__")


def test_from_import_keeps_the_notes():
    with pytest.raises(ImportError, match="cannot import name 'vmap'") as raised:
        from autograd_lab import vmap  # noqa: F401
    assert any("it has no function transforms" in note for note in raised.value.__notes__)


def test_submodules_are_still_found():
    from autograd_lab.nn import functional

    assert functional is torch.nn.functional
