"""The lab shows what torch showed, statement by statement."""

import sys

import pytest

from tests.golden.absent import NEWER_PYTHON, STATEMENTS
from tests.golden.outcome import ALL, by_id, check
from tests.golden.replay import Entry

LAB = "autograd_lab"


def known(entry: Entry) -> set[int]:
    """Return the numbers of the entry's statements that knowingly differ, on this Python."""
    newer = [row for row in NEWER_PYTHON if row[0] == entry.id and sys.version_info >= row[2]]
    found = {number for _, number, _, _ in newer}
    for entry_id, numbers, _ in STATEMENTS:
        if entry_id == entry.id:
            found |= set(range(len(entry.steps)) if numbers is ... else numbers)
    return found


def absent_rows() -> list:
    """Return one parameter a statement of the table, and one a row that stands for a whole entry."""
    by_name = {entry.id: entry for entry in ALL}
    rows = []
    for entry_id, numbers, reason in STATEMENTS:
        entry, marks = by_name[entry_id], pytest.mark.xfail(strict=True, reason=reason)
        if numbers is ...:
            rows.append(pytest.param(entry, list(range(len(entry.steps))), id=entry_id, marks=marks))
        else:
            rows += [pytest.param(entry, [number], id=f"{entry_id}-{number}", marks=marks) for number in numbers]
    return rows


@pytest.mark.parametrize("entry", by_id(ALL))
def test_the_lab_shows_what_torch_shows(entry):
    check(entry, LAB, [number for number in range(len(entry.steps)) if number not in known(entry)])


@pytest.mark.parametrize(("entry", "numbers"), absent_rows())
def test_what_is_absent(entry, numbers):
    check(entry, LAB, numbers)


def test_the_table_names_only_what_exists():
    sizes = {entry.id: len(entry.steps) for entry in ALL}
    for entry_id, numbers, reason in STATEMENTS:
        assert reason
        assert numbers is ... or set(numbers) <= set(range(sizes[entry_id]))
