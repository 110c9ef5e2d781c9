"""The swap: every chapter runs on the real torch, with one import line changed, and prints what is stored."""

import re

import pytest

from tests import support
from tests.notebooks import kernel

LAB_ONLY = r"course|inspector|introspect|legacy"
LAB_CALLS = "predict check reveal progress recall conformance inspect step_through watch explore diagnose draw snapshot"
LAB_NAMES = rf"\b({LAB_CALLS.replace(' ', '|')})\(|\bmutants\."
VIEW = re.compile(r"(?:(?:film = )?(?:inspect|step_through)\(.*\)|film|print\(film\))$")
"""A line that only looks: it goes, the rest of its cell stays."""
LAST = 15
"""The last chapter whose programs are plain torch; the museum and the bridge to torch come after it."""


def swap(source):
    """Return a cell's source for the real torch, or nothing when the cell is about the lab itself."""
    lines = source.split("\n")
    kept = [line for line in lines if not re.match(rf"\s*(from|import) autograd_lab\.({LAB_ONLY})\b", line)]
    kept = [line for line in kept if not VIEW.match(line)]
    if len(kept) < len(lines) and any("my_grad" in line for line in lines):
        return ""
    if kept and VIEW.match(lines[-1]):
        kept.append("pass")     # or the line before the look would become the cell's value
    text = "\n".join(kept)
    if re.search(LAB_NAMES, text):
        return ""
    text = re.sub(r"(?m)^(\s*)import autograd_lab as torch\b", r"\1import torch", text)
    return re.sub(r"(?m)^(\s*(?:from|import) )autograd_lab\b", r"\1torch", text)


def swapped(notebook):
    """Return the notebook for torch; the cells of the lab itself are emptied."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return kernel.notebook([(cell.id, swap(cell.source), cell.metadata.get("tags", [])) for cell in cells])


def seen(cell):
    """Return what a cell shows: streams joined, values as text, errors as type and message."""
    shown = []
    for output in cell.outputs:
        if output.output_type == "stream":
            shown.append((output.name, _same_class(_warning_words(output.text))))
        elif output.output_type == "error":
            shown.append((output.ename, _same_class(output.evalue)))
        else:
            shown.append(("value", _same_class(output.data.get("text/plain", ""))))
    return shown


def _warning_words(text):
    """Keep the category and the words of a warning; the line that it points at may be the library's own."""
    return re.sub(r"(?m)^<\w+>(?::\d+)?: (\w+Warning: .*)\n  .*$", r"\1", text)


def _same_class(text):
    return text.replace("autograd_lab.", "torch.")


@pytest.mark.parametrize("path", [p for p in kernel.chapters() if int(p.name[:2]) <= LAST], ids=lambda path: path.name)
def test_torch_prints_the_stored_outputs(path):
    support.require_torch()
    stored = kernel.read(path)
    plain = swapped(stored)
    ran = kernel.run(plain)
    for cell in ran.cells:
        if cell.source.strip():
            original = next(one for one in stored.cells if one.id == cell.id)
            wanted = seen(original)
            if any(VIEW.match(line) for line in original.source.split("\n")):
                wanted = [shown for shown in wanted if shown[0] != "value"]
            assert seen(cell) == wanted, f"{cell.id}: {cell.source}"
