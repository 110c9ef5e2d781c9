"""Compare an answer with the right one: value, shape, dtype, with a tolerance that fits the dtype."""

from __future__ import annotations

from typing import Any

import numpy as np

import autograd_lab as torch

TOLERANCE = {torch.float64: 1e-9, torch.float32: 1e-5}


def difference(wanted: Any, got: Any, where: str = "the result") -> str | None:
    """Return what differs, in words, or None when `got` is as good as `wanted`."""
    if isinstance(wanted, torch.Tensor):
        return _tensors(wanted, got, where)
    if isinstance(wanted, (tuple, list)):
        return _sequences(wanted, got, where)
    if isinstance(wanted, dict):
        return _mappings(wanted, got, where)
    if isinstance(wanted, np.ndarray):
        return _arrays(wanted, got, where)
    if isinstance(wanted, bool) or wanted is None or isinstance(wanted, str):
        return None if type(got) is type(wanted) and got == wanted else f"{where} should be {wanted!r}"
    if isinstance(wanted, (int, float)):
        return _numbers(wanted, got, where)
    return None if got == wanted else f"{where} should be {wanted!r}"


def _numbers(wanted: float, got: Any, where: str) -> str | None:
    if isinstance(got, bool) or not isinstance(got, (int, float)):
        return f"{where} should be a Python number, not {_kind(got)}"
    close = np.isclose(got, wanted, rtol=1e-5, atol=1e-6, equal_nan=True)
    return None if close else f"{where} has another value"


def _tensors(wanted: Any, got: Any, where: str) -> str | None:
    if not isinstance(got, torch.Tensor):
        return f"{where} should be a tensor, not {_kind(got)}"
    if tuple(got.shape) != tuple(wanted.shape):
        return f"{where} has another shape: {tuple(got.shape)}, not {tuple(wanted.shape)}"
    if got.dtype != wanted.dtype:
        return f"{where} has another dtype: {got.dtype}, not {wanted.dtype}"
    tolerance = TOLERANCE.get(wanted.dtype, 0)
    if not np.allclose(got.detach().numpy(), wanted.detach().numpy(), rtol=tolerance, atol=tolerance, equal_nan=True):
        return f"{where} has another value"
    return None


def _arrays(wanted: np.ndarray, got: Any, where: str) -> str | None:
    if not isinstance(got, (np.ndarray, np.generic, float, int)):
        return f"{where} should be an array, not {_kind(got)}"
    got = np.asarray(got)
    if got.shape != wanted.shape:
        return f"{where} has another shape: {got.shape}, not {wanted.shape}"
    close = np.allclose(got, wanted, rtol=1e-9, atol=1e-9, equal_nan=True)
    return None if close else f"{where} has another value"


def _sequences(wanted: Any, got: Any, where: str) -> str | None:
    if not isinstance(got, (tuple, list)):
        return f"{where} should be a {type(wanted).__name__}, not {_kind(got)}"
    if len(got) != len(wanted):
        return f"{where} has {len(got)} entries, not {len(wanted)}"
    for index, (one, other) in enumerate(zip(wanted, got, strict=True)):
        found = difference(one, other, f"entry {index} of {where}")
        if found:
            return found
    return None


def _mappings(wanted: dict, got: Any, where: str) -> str | None:
    if not isinstance(got, dict) or list(got) != list(wanted):
        return f"{where} should tell about {', '.join(map(str, wanted))}"
    for name, value in wanted.items():
        found = difference(value, got[name], str(name))
        if found:
            return found
    return None


def _kind(value: Any) -> str:
    if value is None:
        return "None"
    if isinstance(value, torch.Tensor):
        return "a tensor"
    return f"{'an' if type(value).__name__[0] in 'aeiou' else 'a'} {type(value).__name__}"
