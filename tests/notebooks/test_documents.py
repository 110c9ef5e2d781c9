"""Every statement of the two documents has its cell, and the cell shows what torch was recorded to print."""

import json
import re

import pytest

from tests.notebooks import kernel

ORACLE = kernel.ROOT / "tests" / "golden" / "oracle.jsonl"
TAG = re.compile(r"(S[12]|R|P)-\d\d")


def entries():
    lines = ORACLE.read_text(encoding="utf-8").splitlines()
    return {entry["id"]: entry for entry in map(json.loads, lines)}


def tagged():
    """Return (chapter file, cell, tag) for every tagged cell."""
    found = []
    for path in kernel.chapters():
        for cell in kernel.read(path).cells:
            found += [(path.name, cell, tag) for tag in cell.metadata.get("tags", []) if TAG.fullmatch(tag)]
    return found


def bare(text):
    """Return text without spaces and quotes' kind, so that layout does not count."""
    return re.sub(r"\s+", "", text).replace('"', "'")


def shown(cell):
    """Return everything that a cell shows, as one text."""
    pieces = []
    for output in cell.outputs:
        if output.output_type == "stream":
            pieces.append(output.text)
        elif output.output_type == "error":
            pieces.append(output.evalue)
        else:
            pieces.append(output.data.get("text/plain", ""))
    return "\n".join(pieces)


def recorded(expected):
    """Return what a recorded step must leave in the notebook: its value, or the words of its warning or error."""
    text = re.sub(r"(?m)^\[raises [\w.]+\] ", "", expected)
    text = re.sub(r"(?m)^\[warning \w+\] ", "", text)
    text = re.sub(r"<class '([\w.]+)'>", r"\1", text)  # a prompt shows a class otherwise than a notebook does
    return re.sub(r"<(\w+) object at", r"<\1 at", text)


def agrees(cell, step):
    source, expected = step
    lines = shown(cell).splitlines()
    if len(lines) > 5 and set(lines) <= set(expected.splitlines()):
        return True  # a long recorded list, of which the cell shows a part
    if not expected.strip() or bare(source) not in bare(cell.source):
        return False
    have = shown(cell).replace("autograd_lab.", "torch.").replace(" object at", " at")
    have = bare(re.sub(r"<class '([\w.]+)'>", r"\1", have))
    return all(bare(line) in have for line in recorded(expected).splitlines())


@pytest.mark.parametrize(("path", "cell", "tag"), tagged(), ids=lambda value: getattr(value, "id", str(value)))
def test_a_tagged_cell_shows_a_statement_of_its_entry(path, cell, tag):
    steps = entries()[tag]["steps"]
    assert any(bare(source) in bare(cell.source) for source, _ in steps), cell.source


@pytest.mark.parametrize(("path", "cell", "tag"), tagged(), ids=lambda value: getattr(value, "id", str(value)))
def test_what_a_tagged_cell_shows_last_is_what_torch_was_recorded_to_print(path, cell, tag):
    silent = "simplefilter" in cell.source  # then the recorded warnings are missing
    steps = [step for step in entries()[tag]["steps"] if step[1].strip() and not silent]
    wanted = [step for step in steps if f"\n{cell.source}".endswith(f"\n{step[0]}")]
    assert not wanted or any(agrees(cell, step) for step in wanted), (shown(cell), wanted)


def test_every_tagged_entry_is_shown_with_the_recorded_output():
    oracle, missing = entries(), []
    for tag in sorted({tag for _, _, tag in tagged()}):
        cells = [cell for _, cell, other in tagged() if other == tag]
        if not any(agrees(cell, step) for cell in cells for step in oracle[tag]["steps"]):
            missing.append(tag)
    assert not missing


def test_every_statement_of_the_documents_has_a_row_in_chapter_00_and_a_cell():
    chapters = {path.name: {cell.id: cell for cell in kernel.read(path).cells} for path in kernel.chapters()}
    prose = "\n".join(cell.source for cell in chapters["00_start_here.ipynb"].values() if cell.cell_type == "markdown")
    rows = re.findall(r"(?m)^\| (S[12]-\d\d) \|.*\| \[\d\d\]\(([\w.]+)#cell-id=([\w-]+)\) \|$", prose)
    assert [tag for tag, _, _ in rows] == sorted(tag for tag in entries() if tag.startswith("S"))
    for tag, name, cell in rows:
        assert tag in chapters[name][cell].metadata.tags
