"""Random programs give the same on the lab and on torch: values, versions, names, errors, warnings, order of hooks."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

import autograd_lab
from tests.parity.programs import compare, run, split, write
from tests.parity.rounding import rounding
from tests.support import require_torch

EXAMPLES = int(os.environ.get("AUTOGRAD_LAB_PROGRAMS", "1000"))
# Shrinking a program takes minutes; ask for it when there is one to look at.
SHRINK = (Phase.generate, Phase.shrink) if os.environ.get("AUTOGRAD_LAB_SHRINK") else (Phase.generate,)
STEP = st.tuples(st.integers(0, 18), st.integers(0, 999), st.integers(0, 4), st.integers(0, 4), st.integers(0, 29))


@pytest.mark.filterwarnings("ignore")
@settings(max_examples=EXAMPLES, deadline=None, derandomize=True, database=None, phases=SHRINK,
          suppress_health_check=list(HealthCheck))  # fmt: skip
@given(st.lists(STEP, min_size=1, max_size=14))
def test_random_program(program: list[tuple[int, int, int, int, int]]) -> None:
    torch = require_torch()
    torch.set_warn_always(True)
    autograd_lab.set_warn_always(True)
    compare(write(program), autograd_lab, torch)


@pytest.mark.parametrize(("last", "told", "verdict"), [
    ("a1 = a0.exp().sin()", "0.4209", "numbers"),       # one unit in the last place of exp(14) is 0.125
    ("a1 = a0.exp().sin()", "9.4209", ""),
    ("a1 = a0.sin()", "0.9946", ""),
    ("a1 = a0.reshape(1)[a0.exp().reshape(1) > 1202604.2]", "7.0000", "course"),
])  # fmt: skip
def test_only_rounding_is_excused(last: str, told: str, verdict: str) -> None:
    torch = require_torch()
    lines = ["a0 = torch.tensor(14.)", last]
    real = run(lines, torch)[-1]
    mine = real.replace(f"{split(real)[1][-1]:.4f}", told)
    assert rounding(run, lines, torch, 1, mine, real, split) == verdict
