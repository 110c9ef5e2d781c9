"""Work through the laid-out copies as a newcomer does: empty folder, predictions, own answers, hunts, and recall."""

import importlib.util
import json
import re

import pytest

from autograd_lab.course import exercises, mutants, shelf
from autograd_lab.course import record as store
from tests.notebooks import kernel, minutes
from tests.notebooks.newcomer import ANSWERS, PREDICTIONS
from tests.notebooks.newcomer_hunts import HUNTS


def answered(source):
    """Return a cell as the newcomer leaves it."""
    asked = re.search(r'predict\("([\d.]+)"', source)
    checked = re.search(r'(?m)^check\("([\d.]+)", .*\)$', source)
    hunted = re.search(r'(?m)^mutants\.hunt\("([\w-]+)", test\)$', source)
    if asked:
        return re.sub(r"\]\)\s*$", f'], answer="{PREDICTIONS[asked[1]]}", sure=3)', source)
    if checked:
        answer = ANSWERS[checked[1]].strip()
        if re.fullmatch(r"[A-Z ]+", answer):
            return re.sub(r'letters = "[? ]+"', f'letters = "{answer}"', source)
        above = source[: re.search(r"(?m)^(def|class|check)\b", source).start()]
        return f"{above}{answer}\n\n{checked[0]}"
    if hunted:
        chapter = mutants.MUTANTS[hunted[1]].chapter
        every = [name for name, mutant in mutants.MUTANTS.items() if mutant.chapter == chapter]
        start = "from autograd_lab.course import mutants\n"
        return start + "\n".join(f'{HUNTS[name].strip()}\n\nmutants.hunt("{name}", test)' for name in every)
    return source


def printed(notebook):
    """Return everything that a notebook shows, as one text."""
    pieces = []
    for cell in notebook.cells:
        for output in cell.get("outputs", []):
            pieces.append(output.get("text") or output.get("data", {}).get("text/plain", ""))
    return "\n".join(pieces)


@pytest.fixture(scope="module")
def worked(tmp_path_factory):
    """Return a folder in which the newcomer worked through every chapter, and what each chapter printed."""
    folder = tmp_path_factory.mktemp("newcomer")
    shelf.lay_out(folder)
    torch = importlib.util.find_spec("torch") is not None
    said = {}
    for path in sorted(folder.glob("[0-9][0-9]_*.ipynb")):
        notebook = kernel.read(path)
        for cell in notebook.cells:
            if cell.cell_type == "code":
                absent = "nbval-skip" in cell.metadata.get("tags", []) and not torch
                cell.source = "" if absent else answered(cell.source)
        said[path.name[:2]] = printed(kernel.run(notebook, folder, progress=folder))
    return folder, said


def test_every_exercise_is_solved_and_every_mutant_killed(worked):
    folder, said = worked
    for chapter, text in said.items():
        assert "✗" not in text, text[text.index("✗") - 200 :][:1000]
        for key in exercises.of_chapter(chapter)[1]:
            assert f"{key} ✓" in text, (key, text[-2000:])
    done = json.loads((folder / store.NAME).read_text(encoding="utf-8"))["exercises"]
    assert set(HUNTS) == set(mutants.names())
    assert {key for key, entry in done.items() if entry.get("solved") and not entry["tries"]} == {
        *ANSWERS,
        *(f"mutant {name}" for name in HUNTS),
    }


def test_what_was_certain_and_wrong_comes_back_two_chapters_later(worked):
    _, said = worked
    assert PREDICTIONS["01.2"] == "a"
    assert "Nothing to recall." in said["02"]
    assert "Once more, 01.2 · a requires grad. b = Variable(a). Then …" in said["03"]


def test_the_engine_in_the_folder_is_the_newcomers_own_and_agrees_with_torch(worked):
    folder, said = worked
    count = re.search(r"engine: my_grad\.py, (\d+) of (\d+) parts are yours\n(\d+) of (\d+) cases agree", said["12"])
    assert count, said["12"][-2000:]
    assert count[1] == count[2]
    assert count[3] == count[4]
    text = (folder / "my_grad.py").read_text(encoding="utf-8")
    assert text.count(": mine\n") == int(count[2])


@pytest.mark.parametrize("path", kernel.chapters(), ids=lambda path: path.name)
def test_a_chapter_states_the_time_that_was_counted(path):
    assert minutes.head(kernel.read(path)) == minutes.work(path).stated


def test_the_list_of_chapters_says_what_they_say():
    text = (kernel.NOTEBOOKS / "README.md").read_text(encoding="utf-8")
    wanted = []
    for path in kernel.chapters():
        notebook = kernel.read(path)
        title = notebook.cells[0].source.splitlines()[0].partition(" · ")[2]
        wanted.append(f"| [{path.name[:2]}]({path.name}) | {title} | {minutes.head(notebook)} |")
    assert re.findall(r"(?m)^\| \[\d\d\].*$", text) == wanted
