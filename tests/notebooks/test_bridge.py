"""Chapter 17 works on the real torch: its stored outputs are what torch and the inspector show now."""

from tests import support
from tests.notebooks import kernel


def test_the_last_chapter_on_the_real_torch():
    support.require_torch()
    path = kernel.NOTEBOOKS / "17_to_pytorch.ipynb"
    stored = kernel.read(path)
    for cell, now in zip(stored.cells, kernel.run(stored).cells, strict=True):
        assert words(now) == words(cell), cell.id


def words(cell):
    """Return everything that a cell prints or shows as text."""
    return [output.get("text") or output.get("data", {}).get("text/plain") for output in cell.get("outputs", [])]
