"""Every row of the op table: samples for each, compared with torch, with finite differences, with recorded names."""

from __future__ import annotations

import importlib
from functools import cache
from typing import Any

import numpy as np
import pytest

import autograd_lab
from autograd_lab import ops
from autograd_lab.core.op import table
from tests.ops.compare import differences
from tests.ops.frame import Inputs, collect, cotangent, flat, helpers, run, text_of
from tests.support import require_torch

ops.load_all()

SAMPLES = collect()
CASES = [(row, sample) for row, samples in SAMPLES.items() for sample in dict.fromkeys(samples)]
LEAST = 10
# torch asks whether the result fits into the tensor before it asks for a kernel; the lab asks the other way round.
NOT_IN_PLACE = ("!torch.hypot(b, i)", "!torch.hypot(b0, i0)")


def inplace_cases() -> list[tuple[str, str]]:
    """Return the samples again as calls of the in-place twins, on a copy."""
    found = []
    for row, sample in CASES:
        text = text_of(sample)
        declaration = table.get(row.removeprefix("_")) or table.get(row)
        start = f"torch.{row}("
        if declaration is None or not declaration.is_inplace or not text.startswith(start):
            continue
        first, _, rest = text[len(start) : -1].partition(", ")
        if first.isidentifier() and "out=" not in rest and sample not in NOT_IN_PLACE:
            found.append((row, f"{sample[: len(sample) - len(text)]}{first}.clone().{row}_({rest})"))
    return found


# In the graph of these gradients torch has other nodes than the lab: kernels of its own for whole decompositions.
OTHER_NODES = {
    "linalg_det", "linalg_slogdet", "linalg_solve_ex", "linalg_qr", "linalg_pinv", "_prod", "native_layer_norm",
    "native_batch_norm", "native_group_norm", "convolution", "linalg_svd", "cumprod",
}  # fmt: skip
ALL = CASES + inplace_cases()


@cache
def rows_reached(row: str) -> frozenset[str]:
    """Return the rows whose kernels ran while the samples of a row were evaluated."""
    seen: set[str] = set()
    for sample in SAMPLES[row]:
        scope = Inputs(autograd_lab)
        try:
            outputs = flat(eval(text_of(sample), scope))
        except Exception:
            continue
        stack = [one.grad_fn for one in outputs if one.grad_fn is not None]
        while stack:
            node = stack.pop()
            if getattr(type(node), "declaration", None) is not None:
                seen.add(type(node).declaration.name)
            stack += [one for one, _ in node.next_functions if one is not None and len(seen) < 50]
    return frozenset(seen)


@pytest.mark.parametrize("row", sorted(table))
def test_row_has_samples(row: str) -> None:
    """A declared row without ten samples is untested, and one that its samples never reach too."""
    helper = helpers().get(row)
    if helper is not None:
        assert helper in SAMPLES, f"{row} is said to be tested by {helper}, which has no samples"
        return
    assert len(dict.fromkeys(SAMPLES.get(row, []))) >= LEAST, f"{row} has {len(SAMPLES.get(row, []))} samples"
    if table[row].inputs:
        assert row in rows_reached(row), f"no sample of {row} makes its node; reached: {sorted(rows_reached(row))}"


def by_row(cases: list[tuple[str, str]]) -> dict[str, list[str]]:
    """Return the samples of each row: one test a row keeps the run short, and its message names every sample."""
    found: dict[str, list[str]] = {}
    for row, sample in cases:
        found.setdefault(row, []).append(sample)
    return found


@pytest.mark.parametrize(("row", "samples"), by_row(ALL).items(), ids=list(by_row(ALL)))
def test_against_torch(row: str, samples: list[str]) -> None:
    """Value, dtype, shape, print, node, saved names, error, first and second gradient are torch's."""
    torch = require_torch()
    importlib.import_module("torch.nn.functional")
    notes = []
    for library in (torch, autograd_lab):
        library.set_warn_always(True)       # what warns once would depend on the samples before
    for sample in samples:
        found, expected = run(autograd_lab, sample), run(torch, sample)
        loose, named = sample.startswith(("~", "!~")), row not in OTHER_NODES
        notes += [f"{sample}: {note}" for note in differences(found, expected, loose, named)]
    for library in (torch, autograd_lab):
        library.set_warn_always(False)
    assert not notes, "\n".join(notes)


def smooth_cases() -> list[tuple[str, str]]:
    """Return the samples that have a derivative everywhere near their inputs."""
    return [(row, sample) for row, sample in CASES if not sample.startswith(("!", "~"))]


@pytest.mark.parametrize(("row", "samples"), by_row(smooth_cases()).items(), ids=list(by_row(smooth_cases())))
def test_against_finite_differences(row: str, samples: list[str]) -> None:
    """First and second derivatives agree with central differences in double precision, without torch."""
    for sample in samples:
        compare_slopes(sample)


def compare_slopes(sample: str) -> None:
    """Compare both orders of derivative of one sample with central differences."""
    scope = Inputs(autograd_lab, double=True)
    code = compile(text_of(sample), "sample", "eval")
    try:
        outputs = [one for one in flat(eval(code, scope)) if one.requires_grad]
    except Exception:
        return
    inputs = list(scope.made.items())
    leaves = {name: one for name, one in inputs if one.requires_grad}
    if not outputs or not leaves or outputs[0].dtype is not autograd_lab.float64:
        return

    def weighted() -> Any:
        results = [one for one in flat(eval(code, scope)) if one.requires_grad]
        return sum((one * cotangent(autograd_lab, one, 0.3)).sum() for one in results)

    def slope() -> Any:
        grads = autograd_lab.autograd.grad(weighted(), list(leaves.values()), create_graph=True, allow_unused=True)
        used = [one for one in grads if one is not None and one.requires_grad]
        return sum((one * cotangent(autograd_lab, one, 1.1)).sum() for one in used) if used else None

    check(sample, weighted, leaves)
    if slope() is not None:
        check(f"{sample}, second order", slope, leaves)


def check(what: str, function: Any, leaves: dict[str, Any], step: float = 1e-5) -> None:
    """Compare the gradients of a scalar function with central differences, each along two directions."""
    value = function()
    if not np.isfinite(value.item()):
        return      # outside the function's domain there is no derivative to compare with
    grads = autograd_lab.autograd.grad(value, list(leaves.values()), allow_unused=True)
    for (name, leaf), grad in zip(leaves.items(), grads, strict=True):
        start = leaf.detach().clone()
        for seed in (0.5, 2.1):
            direction = cotangent(autograd_lab, start, seed)
            exact = 0.0 if grad is None else (grad * direction).sum().item()
            values = []
            for sign in (1, -1):
                with autograd_lab.no_grad():
                    leaf.copy_(start + sign * step * direction)
                values.append(function().item())
            numeric = (values[0] - values[1]) / (2 * step)
            assert numeric == pytest.approx(exact, rel=2e-5, abs=2e-6), f"{what}: the derivative by {name}"
        with autograd_lab.no_grad():
            leaf.copy_(start)
