"""Rooms stay small and say what they are for; the top of the project stays empty."""

import ast
import shutil
import statistics
import subprocess

import pytest

from tests.architecture.source import files_of_tests, label, modules, tree
from tests.support import ROOT, absent

MEDIAN_LINES = 200
MOST_LINES = 500
AT_THE_TOP = {
    "pyproject.toml",
    "autograd_lab",
    "notebooks",
    "tests",
    "binder",
    "README.md",
    "LICENSE",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
}


def lines(path) -> int:
    """Return the number of lines of a file."""
    return len(path.read_text(encoding="utf-8").splitlines())


def test_the_median_room_is_small():
    assert statistics.median(map(lines, modules())) <= MEDIAN_LINES


@pytest.mark.parametrize("path", [*modules(), *files_of_tests()], ids=label)
def test_no_room_is_large(path):
    assert lines(path) <= MOST_LINES


@pytest.mark.parametrize("path", modules(), ids=label)
def test_a_room_says_what_it_is_for(path):
    text = ast.get_docstring(tree(path)) or ""
    first = text.split("\n\n")[0].strip()
    assert first, f"{label(path)} has no module docstring"
    assert first.endswith((".", ":", "!")), f"the first sentence of {label(path)} does not end: {first!r}"


def test_nothing_else_stands_at_the_top():
    git = shutil.which("git")
    if git is None or not (ROOT / ".git").exists():
        absent("this is no git checkout, so what belongs to the project cannot be told from what lies about")
    listing = subprocess.run([git, "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    top = {line.partition("/")[0] for line in listing.splitlines()}
    assert {name for name in top if not name.startswith(".")} <= AT_THE_TOP
