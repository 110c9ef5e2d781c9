"""The view model and its renderers, fed by the lab and, where it is installed, by real torch."""

import importlib

import pytest

from tests.support import require_torch


@pytest.fixture(params=["autograd_lab", "torch"])
def torch(request):
    """Return the engine under its usual name."""
    return require_torch() if request.param == "torch" else importlib.import_module("autograd_lab")
