"""Cells that raise: nbval compares no tracebacks, so this test compares the message and the help below it."""

import pytest

from tests.notebooks import kernel


def raising(notebook):
    """Return what each cell that raises shows: id → (type, message, last piece of the traceback: message and notes)."""
    found = {}
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            if output.output_type == "error":
                last = kernel.COLOUR.sub("", output.traceback[-1])
                found[cell.id] = (output.ename, output.evalue, last)
    return found


@pytest.mark.parametrize("path", kernel.chapters(), ids=lambda path: path.name)
def test_messages_and_notes_are_the_stored_ones(path):
    stored = kernel.read(path)
    if not raising(stored):
        pytest.skip("no cell of this chapter raises")
    assert raising(kernel.run(stored)) == raising(stored)


@pytest.mark.parametrize("path", kernel.chapters(), ids=lambda path: path.name)
def test_a_cell_raises_exactly_when_it_is_marked(path):
    notebook = kernel.read(path)
    marked = {cell.id for cell in notebook.cells if "raises-exception" in cell.metadata.get("tags", [])}
    assert set(raising(notebook)) == marked
