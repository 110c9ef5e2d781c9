"""Replay the oracle in a child process, once a run, and hold the answers ready for the tests."""

import functools
import json
import sys
import tempfile
from pathlib import Path

import pytest

from tests.golden.replay import Entry, differences, entries, explain
from tests.support import python


@functools.cache
def answers(module_name: str) -> dict[str, list[str]]:
    """Return what `module_name` shows, by entry; an entry that crashed the process is missing, and all after it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "shown.jsonl")
        path.touch()
        child = python("-m", "tests.golden.replay", module_name, "--jsonl", str(path), timeout=900)
        rows = map(json.loads, path.read_text(encoding="utf-8").splitlines())
        shown = {row["id"]: row["shown"] for row in rows}
    if child.returncode:
        print(child.stderr[-4000:], file=sys.stderr)
    return shown


def check(entry: Entry, module_name: str, numbers: list[int]) -> None:
    """Fail with the differences among the statements of these numbers."""
    shown = answers(module_name).get(entry.id)
    if shown is None:
        pytest.fail(f"the replay of {module_name} ended before {entry.id}", pytrace=False)
    wrong = [number for number in differences(entry, shown) if number in numbers]
    if wrong:
        lines = [f"{entry.id}: {len(wrong)} of {len(numbers)} statements differ: {entry.title}"]
        pytest.fail("\n".join(lines + [explain(entry, number, shown[number]) for number in wrong]), pytrace=False)


def by_id(rows: list[Entry]) -> list:
    """Return pytest's parameters for these entries."""
    return [pytest.param(row, id=row.id) for row in rows]


ALL = entries()
