"""The rules that every notebook keeps: short cells, stable ids, stored outputs that name no machine and no minute."""

import json
import re

import pytest

from autograd_lab.course import exercises
from tests.notebooks import kernel, write_solutions

CHAPTERS = kernel.chapters()
EVERY = [*CHAPTERS, *kernel.solutions()]
HANDED = kernel.ROOT / "tests" / "notebooks" / "threads.txt"


def name(path):
    return str(path.relative_to(kernel.NOTEBOOKS))


def code(notebook):
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_a_cell_has_at_most_twelve_lines_and_a_stable_id(path):
    notebook = kernel.read(path)
    for cell in code(notebook):
        assert len(cell.source.splitlines()) <= 12, cell.source
    assert all(re.fullmatch(r"c\d\d-s?\d+", cell.id) for cell in notebook.cells)
    assert len({cell.id for cell in notebook.cells}) == len(notebook.cells)


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_outputs_are_stored_and_name_no_machine(path):
    text = path.read_text(encoding="utf-8")
    notebook = kernel.read(path)
    assert all(cell.execution_count for cell in code(notebook)), "run: python -m tests.notebooks.execute"
    stored = json.dumps([cell.outputs for cell in code(notebook)])
    for pattern in (r"0x[0-9a-f]{6,}", r"ipykernel_\d", r"/home/", r"/root/", r"/tmp/", r"/work/", r"site-packages"):
        assert not re.search(pattern, stored), pattern
    assert "execution" not in "".join(str(cell.metadata) for cell in notebook.cells)
    assert kernel.WIDGET not in text
    assert len(text.encode()) < 1_000_000


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_every_picture_has_words(path):
    for cell in code(kernel.read(path)):
        for output in cell.outputs:
            data = output.get("data", {})
            if any(kind.startswith("image/") for kind in data):
                assert len(data.get("text/plain", "")) > 40, cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_words_about_a_picture_stand_where_it_is_shown_without_its_text(path):
    # HTML and GitHub show a picture and drop the text form of the same output; the prose must do without it.
    cells = kernel.read(path).cells
    for place, cell in enumerate(cells):
        if any("image/png" in output.get("data", {}) for output in cell.get("outputs", [])):
            after = next(other for other in cells[place + 1 :] if other.cell_type == "markdown")
            assert cells.index(after) <= place + 2, cell.id
            assert len(after.source.split()) >= 6, cell.id


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_asks_and_checks_what_is_declared(path):
    chapter = path.name[:2]
    asked, tasks = exercises.of_chapter(chapter)
    source = "\n".join(cell.source for cell in code(kernel.read(path)))
    assert set(re.findall(r'predict\("([\d.]+)"', source)) == set(asked)
    assert set(re.findall(r'check\("([\d.]+)"', source)) == set(tasks)
    assert set(re.findall(r'reveal\("([\d.]+)"', source)) <= set(asked) | set(tasks)
    assert len(tasks) >= 3
    assert {"order", "fill", "blank"} <= {task.kind for task in tasks.values()}


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_goes_round_the_whole_loop(path):
    notebook = kernel.read(path)
    prose = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "markdown")
    source = "\n".join(cell.source for cell in code(notebook))
    headings = re.findall(r"(?m)^## (\d+) (.*)$", prose)
    assert [int(number) for number, _ in headings] == list(range(1, len(headings) + 1))
    titles = "\n".join(title for _, title in headings)
    for part in ("The report", "Predict", "Run.*", ".*[Ss]ee", "Repair", "Bug hunt", "Recall", "What to take home"):
        assert re.search(rf"^{part}$", titles, re.MULTILINE), part
    assert re.search(r"[Tt]he rule|The engine's rule", prose)
    assert f'recall("{path.name[:2]}")' in source
    assert "mutants.hunt(" in source
    pictures = [output for cell in code(notebook) for output in cell.outputs if "image/png" in output.get("data", {})]
    assert pictures


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_the_lines_to_order_are_those_of_the_exercise(path):
    _, tasks = exercises.of_chapter(path.name[:2])
    prose = "\n".join(cell.source for cell in kernel.read(path).cells if cell.cell_type == "markdown")
    for task in tasks.values():
        for letter, line in task.lines.items():
            assert re.search(rf"(?m)^ +{letter}  {re.escape(line)}$", prose), f"{task.key} {letter}"


@pytest.mark.parametrize("path", CHAPTERS, ids=name)
def test_a_chapter_shows_no_solution(path):
    _, tasks = exercises.of_chapter(path.name[:2])
    text = path.read_text(encoding="utf-8")
    for task in tasks.values():
        for piece in re.split(r"\n(?=def |class )", task.solution.strip()):
            assert json.dumps(piece)[1:-1] not in text, task.key


@pytest.mark.parametrize("path", EVERY, ids=name)
def test_links_are_known_threads(path):
    prose = "\n".join(cell.source for cell in kernel.read(path).cells if cell.cell_type == "markdown")
    known = set(HANDED.read_text(encoding="utf-8").split())
    assert set(re.findall(r"\]\((https?://[^)]+)\)", prose)) <= known


def test_the_solutions_are_the_declared_ones():
    for chapter in exercises.chapters():
        path = kernel.NOTEBOOKS / "solutions" / f"{chapter}_solutions.ipynb"
        wanted = json.loads(write_solutions.text(chapter))["cells"]
        stored = json.loads(path.read_text(encoding="utf-8"))["cells"]
        assert ["".join(cell["source"]) for cell in stored] == ["".join(cell["source"]) for cell in wanted]


def test_every_chapter_has_its_exercises_and_its_solutions():
    numbers = [path.name[:2] for path in CHAPTERS]
    assert numbers == list(exercises.chapters()) == [path.name[:2] for path in kernel.solutions()]
