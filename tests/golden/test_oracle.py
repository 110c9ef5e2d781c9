"""The lab shows what torch showed, statement by statement."""

import pytest

from tests.golden.absent import STATEMENTS
from tests.golden.outcome import ALL, by_id, check

LAB = "autograd_lab"


def known(entry_id: str) -> set[int] | None:
    """Return the numbers of the statements that knowingly differ; None: the entry as a whole."""
    numbers, _ = STATEMENTS.get(entry_id, ((), ""))
    return None if numbers is ... else set(numbers)


def absent_rows() -> list:
    """Return one parameter a row of the table, and one a statement where statements are named."""
    rows = []
    for entry in ALL:
        numbers, reason = STATEMENTS.get(entry.id, ((), ""))
        marks = pytest.mark.xfail(strict=True, reason=reason)
        if numbers is ...:
            rows.append(pytest.param(entry, list(range(len(entry.steps))), id=entry.id, marks=marks))
        else:
            rows += [pytest.param(entry, [number], id=f"{entry.id}-{number}", marks=marks) for number in numbers]
    return rows


@pytest.mark.parametrize("entry", by_id([entry for entry in ALL if known(entry.id) is not None]))
def test_the_lab_shows_what_torch_shows(entry):
    check(entry, LAB, [number for number in range(len(entry.steps)) if number not in known(entry.id)])


@pytest.mark.parametrize(("entry", "numbers"), absent_rows())
def test_what_is_absent(entry, numbers):
    check(entry, LAB, numbers)


def test_the_table_names_only_what_exists():
    sizes = {entry.id: len(entry.steps) for entry in ALL}
    for entry_id, (numbers, reason) in STATEMENTS.items():
        assert entry_id in sizes
        assert reason
        assert numbers is ... or set(numbers) <= set(range(sizes[entry_id]))
