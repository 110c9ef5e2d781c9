"""How two descriptions of one sample, the lab's and torch's, are compared."""

from __future__ import annotations

from typing import Any

import numpy as np

# Kernels may differ in the last digits: torch has its own exponentials, NumPy its own sums.
TOLERANCE = {"torch.float16": (2e-3, 1e-3), "torch.float32": (3e-6, 1e-6), "torch.float64": (1e-12, 1e-13)}
EXACT = (0.0, 0.0)


def close(found: Any, expected: Any, dtype: str) -> bool:
    """Say whether two arrays agree, NaN and infinities included."""
    relative, absolute = TOLERANCE.get(dtype, EXACT)
    return found.shape == expected.shape and bool(np.allclose(found, expected, relative, absolute, equal_nan=True))


def same_zeros(found: Any, expected: Any) -> bool:
    """Say whether 0.0 and -0.0 stand in the same places of two arrays."""
    zero = (found == 0) & (expected == 0)
    return bool(np.array_equal(np.signbit(found)[zero], np.signbit(expected)[zero]))


def differences(found: dict[str, Any], expected: dict[str, Any], loose: bool = False, names: bool = True) -> list[str]:
    """Return what differs, one sentence each; `names=False` leaves the nodes of the gradients out."""
    notes: list[str] = []
    for key in ("error", "warnings", "type", "value", "facts", "nodes"):
        if found.get(key) != expected.get(key):
            notes.append(f"{key}: {found.get(key)!r} instead of {expected.get(key)!r}")
    if notes or "values" not in expected:
        return notes
    if not loose:
        for facts, one, other in zip(expected["facts"], found["values"], expected["values"], strict=True):
            if not close(one, other, facts["dtype"]):
                notes.append(f"value: {one!r} instead of {other!r}")
            elif not same_zeros(one, other):
                notes.append(f"zeros: {one.tolist()} instead of {other.tolist()}")
        if found["printed"] != expected["printed"]:
            notes.append(f"printed: {found['printed']} instead of {expected['printed']}")
    coarse = {facts["dtype"] for facts in expected["facts"]}
    for order in ("first", "second"):
        keys = ("dtype", "shape", "node") if names and order == "first" else ("dtype", "shape")
        notes += gradient_differences(order, found.get(order, []), expected.get(order, []), loose, coarse, keys)
    return notes


def coarsest(dtypes: set[str]) -> str:
    """Return the dtype with the fewest digits."""
    return next((name for name in ("torch.float16", "torch.float32") if name in dtypes), "torch.float64")


def gradient_differences(order: str, found: list, expected: list, loose: bool, coarse: set[str],
                         keys: tuple[str, ...]) -> list[str]:  # fmt: skip
    """Return what differs between two lists of gradients; a coarser result also limits the digits of its gradients."""
    if len(found) != len(expected):
        return [f"{order}: {found!r} instead of {expected!r}"]
    notes = []
    for k, (one, other) in enumerate(zip(found, expected, strict=True)):
        if isinstance(other, str) and "INTERNAL ASSERT FAILED" in other:
            continue        # a defect of torch's own, which the lab need not have
        if not isinstance(one, dict) or not isinstance(other, dict):
            # A gradient that torch knows to be zero may be None on one side and zeros on the other.
            if one != other and not (is_zero(one) and is_zero(other)):
                notes.append(f"{order} {k}: {one!r} instead of {other!r}")
            continue
        for key in keys:
            if one[key] != other[key]:
                notes.append(f"{order} {k} {key}: {one[key]} instead of {other[key]}")
        if not loose and one["value"].shape == other["value"].shape and not close(
            one["value"], other["value"], coarsest({one["dtype"], *coarse})
        ):
            notes.append(f"{order} {k}: {one['value']!r} instead of {other['value']!r}")
    return notes


def is_zero(gradient: Any) -> bool:
    """Say whether a described gradient is missing or zero everywhere."""
    return gradient is None or (isinstance(gradient, dict) and not np.any(gradient["value"]))
