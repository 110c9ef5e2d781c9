"""The troubles of real users end on the lab as they end on torch."""

import importlib

import pytest

from tests.golden.absent import CASES
from tests.golden.cases import cases, run


def parameters() -> list:
    """Return the cases, those that knowingly differ as strict xfail."""
    rows = []
    for case in cases():
        reason = CASES.get(case["id"])
        marks = [pytest.mark.xfail(strict=True, reason=reason)] if reason else []
        rows.append(pytest.param(case, id=case["id"], marks=marks))
    return rows


@pytest.mark.parametrize("case", parameters())
def test_the_lab_answers_as_torch_does(case):
    wrong = run(case, importlib.import_module("autograd_lab"))
    assert not wrong, case["trouble"]


def test_the_table_names_only_what_exists():
    assert set(CASES) <= {case["id"] for case in cases()}
