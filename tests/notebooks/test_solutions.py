"""Run the stored starters and solutions: a starter is “not tried yet”, a solution passes its check."""

import re

import pytest

from tests.notebooks import kernel


def printed(notebook):
    """Return what each check printed: key → text."""
    found = {}
    for cell in notebook.cells:
        called = re.search(r'^check\("([\d.]+)"', cell.source, re.MULTILINE) if cell.cell_type == "code" else None
        if called:
            found[called[1]] = "".join(output.get("text", "") for output in cell.outputs)
    return found


@pytest.mark.parametrize("path", kernel.chapters(), ids=lambda path: path.name)
def test_a_starter_prints_one_fixed_line(path):
    for key, text in printed(kernel.read(path)).items():
        assert re.fullmatch(rf"{re.escape(key)} · [^\n]+: not tried yet\.\n", text), text


@pytest.mark.parametrize("path", kernel.solutions(), ids=lambda path: path.name)
def test_a_solution_passes(path):
    checks = printed(kernel.read(path))
    assert checks
    for key, text in checks.items():
        assert text.startswith(f"{key} ✓ "), text
