"""Say how long a chapter takes, and from what that was counted: `python -m tests.notebooks.minutes`.

Nobody with a watch sat beside a learner. What is measured is the work: the words to read, the cells to run, the
questions, the tasks, and the characters that the newcomer of `newcomer.py` typed into an untouched copy. The rates are
slow ones, for somebody who reads English as a second language.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograd_lab.course import exercises
from tests.notebooks import kernel
from tests.notebooks.newcomer import ANSWERS
from tests.notebooks.newcomer_hunts import HUNTS

WORDS_A_MINUTE = 110
SECONDS_A_CELL = 12
"""To run a cell and look at what it printed."""
SECONDS_A_PREDICTION = 30
SECONDS_A_PICTURE = 45
SECONDS_A_TASK = 75
"""To understand an exercise or a hunt before the first character, and its verdict after the last."""
CHARACTERS_A_MINUTE = 90
"""Typing with pauses for thought; a letter of an order counts as ten characters."""


@dataclass(frozen=True)
class Work:
    """What one chapter asks of a learner."""

    chapter: str
    words: int
    cells: int
    predictions: int
    pictures: int
    tasks: int
    typed: int

    @property
    def minutes(self) -> float:
        """The time that all of it takes."""
        seconds = self.cells * SECONDS_A_CELL + self.predictions * SECONDS_A_PREDICTION
        seconds += self.pictures * SECONDS_A_PICTURE + self.tasks * SECONDS_A_TASK
        return self.words / WORDS_A_MINUTE + seconds / 60 + self.typed / CHARACTERS_A_MINUTE

    @property
    def stated(self) -> int:
        """The time as the head of a chapter gives it: in steps of five minutes."""
        return 5 * round(self.minutes / 5)


def work(path: Path) -> Work:
    """Count one chapter. A table of more than twelve rows is there to look things up in, and counts nothing.

    Of the hunts only the first counts: the others are for whoever likes them.
    """
    notebook = kernel.read(path)
    chapter = path.name[:2]
    asked, tasks = exercises.of_chapter(chapter)
    source = "\n".join(cell.source for cell in notebook.cells if cell.cell_type == "code")
    hunts = re.findall(r'mutants\.hunt\("([\w-]+)"', source)
    typed = sum(_typed(key, source) for key in tasks) + sum(len(_code(HUNTS[name])) for name in hunts)
    prose = [cell.source for cell in notebook.cells if cell.cell_type == "markdown"]
    words = sum(len(text.split()) for text in prose if text.count("\n|") < 12)
    cells = sum(1 for cell in notebook.cells if cell.cell_type == "code")
    pictures = len(re.findall(r"(?m)^(?:inspect|film = step_through)\(", source))
    return Work(chapter, words, cells, len(asked), pictures, len(tasks) + len(hunts), typed)


def _typed(key: str, source: str) -> int:
    """Return how many characters an answer has that its starter has not."""
    answer = ANSWERS[key].strip()
    if re.fullmatch(r"[A-Z ]+", answer):
        return 10 * len(answer.split())
    given = {line.strip() for line in source.splitlines()}
    return sum(len(line.strip()) for line in answer.splitlines() if line.strip() not in given)


def _code(test: str) -> str:
    return "".join(line.strip() for line in test.strip().splitlines()[1:])


def head(notebook: Any) -> int:
    """Return the minutes that stand at the head of a chapter."""
    found = re.search(r"(?m)^\*(\d+) minutes\.", notebook.cells[0].source)
    assert found, notebook.cells[0].source
    return int(found[1])


def main() -> None:
    """Print one row a chapter."""
    print("chapter  words  cells  predictions  pictures  tasks  typed  minutes  stated  at its head")
    every = [work(path) for path in kernel.chapters()]
    for one, path in zip(every, kernel.chapters(), strict=True):
        print(
            f"{one.chapter:>7}{one.words:>7}{one.cells:>7}{one.predictions:>13}{one.pictures:>10}{one.tasks:>7}{one.typed:>7}"
            f"{one.minutes:>9.1f}{one.stated:>8}{head(kernel.read(path)):>13}"
        )
    print(f"all together: {sum(one.minutes for one in every) / 60:.1f} hours")


if __name__ == "__main__":
    main()
