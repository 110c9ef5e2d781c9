"""An error inside backward shows the user's lines, not the engine's."""

from __future__ import annotations

import traceback

import pytest

import autograd_lab as torch
from autograd_lab.core.provenance import is_internal


def boom(grad):
    raise ValueError("boom")


def files(error: BaseException) -> list[str]:
    return [frame.filename for frame in traceback.extract_tb(error.__traceback__)]


def test_a_failing_hook_stands_right_below_the_call():
    x = torch.tensor([1.0], requires_grad=True)
    x.register_hook(boom)
    with pytest.raises(ValueError, match="boom") as caught:
        (x * 2).sum().backward()
    shown = files(caught.value)
    assert shown[-1] == __file__
    assert sum(is_internal(name) for name in shown) <= 3


def test_a_freed_graph_shows_no_engine_frames_below_the_entry():
    x = torch.tensor([1.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError, match="a second time") as caught:
        y.backward()
    assert not any("autograd_lab mul" in name or "saved.py" in name for name in files(caught.value))


def test_everything_is_kept_on_demand(monkeypatch):
    monkeypatch.setenv("AUTOGRAD_LAB_FULL_TRACEBACK", "1")
    x = torch.tensor([1.0], requires_grad=True)
    y = (x * x).sum()
    y.backward()
    with pytest.raises(RuntimeError) as caught:
        y.backward()
    assert any("saved.py" in name for name in files(caught.value))
