"""Write notebooks/solutions from the exercises' declared solutions: one notebook a chapter, one cell an exercise."""

from __future__ import annotations

import json
import re

from autograd_lab.course import exercises
from tests.notebooks import kernel


def text(chapter: str) -> str:
    """Return the solutions notebook of a chapter, without outputs."""
    _, tasks = exercises.of_chapter(chapter)
    cells = [
        _markdown(
            f"c{chapter}-s00",
            f"# Solutions of chapter {chapter}\n\nTry the exercise first: an answer that you found stays longer.",
        )
    ]
    setup = "import autograd_lab as torch\nimport numpy as np\nfrom autograd_lab.course import check"
    if any(task.part for task in tasks.values()):
        setup += "\nfrom autograd_lab.course.my_grad import *"
    cells.append(_code(f"c{chapter}-s01", setup))
    for number, (key, task) in enumerate(tasks.items(), 1):
        if task.kind == "order":
            listing = "\n".join(f"    {task.lines[letter]}" for letter in task.solution.split())
            body = f"## {key} {task.title}\n\n```python\n{task.header}\n{listing}\n```"
            codes = [f'check("{key}", "{task.solution}")']
        else:
            body = f"## {key} {task.title}"
            names = task.function.split()
            answer = names[0] if len(names) == 1 else f"[{', '.join(names)}]"
            codes = [*_definitions(task.solution), f'check("{key}", {answer})']
        cells.append(_markdown(f"c{chapter}-s{number}0", body))
        cells += [_code(f"c{chapter}-s{number}{place}", code) for place, code in enumerate(codes, 1)]
    metadata = {
        "kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
        "language_info": {"name": "python"},
    }
    notebook = {"cells": cells, "metadata": metadata, "nbformat": 4, "nbformat_minor": 5}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def main() -> None:
    """Write every chapter's solutions whose cells are not the declared ones; outputs come from `execute`."""
    folder = kernel.NOTEBOOKS / "solutions"
    folder.mkdir(exist_ok=True)
    for chapter in exercises.chapters():
        path = folder / f"{chapter}_solutions.ipynb"
        wanted = json.loads(text(chapter))["cells"]
        if path.exists():
            stored = json.loads(path.read_text(encoding="utf-8"))["cells"]
            if [(_source(one), one["id"]) for one in stored] == [(_source(one), one["id"]) for one in wanted]:
                continue
        path.write_text(text(chapter), encoding="utf-8")


def _definitions(solution: str) -> list[str]:
    """Return a solution as one cell a definition: no cell is longer than a reader's patience."""
    return [part.strip() for part in re.split(r"\n(?=def |class )", f"\n{solution.strip()}") if part.strip()]


def _source(cell: dict) -> str:
    return "".join(cell["source"])


def _markdown(name: str, source: str) -> dict:
    return {"cell_type": "markdown", "id": name, "metadata": {}, "source": source.splitlines(keepends=True)}


def _code(name: str, source: str) -> dict:
    return {
        "cell_type": "code",
        "execution_count": None,
        "id": name,
        "metadata": {},
        "outputs": [],
        "source": source.splitlines(keepends=True),
    }
