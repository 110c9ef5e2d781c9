"""The oracle and the cases are true: the installed torch of the pinned version gives these very answers."""

import sys

import pytest

from tests.golden.cases import cases, run
from tests.golden.outcome import ALL, by_id, check
from tests.support import require_torch


@pytest.mark.parametrize("entry", by_id(ALL))
def test_torch_shows_what_was_recorded(entry):
    require_torch()
    if sys.version_info[:2] != (3, 11):
        pytest.skip("the oracle was recorded on Python 3.11, and other Pythons print signatures in another way")
    check(entry, "torch", list(range(len(entry.steps))))


@pytest.mark.parametrize("case", [pytest.param(case, id=case["id"]) for case in cases()])
def test_torch_answers_as_recorded(case):
    wrong = run(case, require_torch())
    assert not wrong, case["trouble"]
