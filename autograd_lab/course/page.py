"""Say how far the learner is, chapter by chapter, in words and in a picture; carry the record to another folder."""

from __future__ import annotations

import importlib.util
import io
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograd_lab.course import exercises, mutants, output
from autograd_lab.course import record as store

BLUE, GREY, GREEN = "#0072B2", "#d9d9d9", "#009E73"


@dataclass(frozen=True)
class Row:
    """How far one chapter is."""

    chapter: str
    asked: int
    answered: int
    right: int
    tasks: int
    solved: int
    hunted: int
    killed: int


def progress(export: str | Path | None = None, merge: str | Path | None = None) -> None:
    """Show how many predictions are answered, exercises solved and mutants killed.

    export: write the whole record to this file as well. merge: first take in a record that was exported elsewhere;
    nothing of either is lost.
    Raises OSError when a file cannot be read or written, ValueError when it is no progress file.

        progress()
        progress(export="my-progress.json")
    """
    if merge is not None:
        _take_in(Path(merge))
    record = store.load()
    if export is not None:
        store.write(Path(export), record)
    table = rows(record)
    text = as_text(table)
    if output.notebook() and importlib.util.find_spec("matplotlib") is not None:
        from IPython.display import display

        display({"text/plain": text, "image/png": picture(table)}, raw=True)
    else:
        print(text)


def rows(record: dict[str, Any]) -> list[Row]:
    """Count, chapter by chapter."""
    found = []
    for chapter in exercises.chapters():
        asked, tasks = exercises.of_chapter(chapter)
        answers = [record["predictions"][key] for key in asked if key in record["predictions"]]
        hunted = [name for name, mutant in mutants.MUTANTS.items() if mutant.chapter == chapter]
        done = record["exercises"]
        found.append(
            Row(
                chapter,
                len(asked),
                len(answers),
                sum(1 for entry in answers if entry["right"]),
                len(tasks),
                sum(1 for key in tasks if done.get(key, {}).get("solved")),
                len(hunted),
                sum(1 for name in hunted if done.get(f"mutant {name}", {}).get("solved")),
            )
        )
    return found


def as_text(table: list[Row]) -> str:
    """Return the page as a table of words."""
    lines = ["chapter   predictions answered, right   exercises solved   mutants killed"]
    for row in table:
        lines.append(
            f"  {row.chapter}        {row.answered} of {row.asked}, {row.right} right"
            f"               {row.solved} of {row.tasks}             {row.killed} of {row.hunted}"
        )
    return "\n".join(lines)


def picture(table: list[Row]) -> bytes:
    """Return the page as a PNG: one bar a chapter and kind, filled as far as it is done."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 0.8 + 0.26 * len(table)), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.subplots(1, 3, sharey=True)
    columns = [
        ("predictions (green: right)", [(row.asked, row.answered, row.right) for row in table]),
        ("exercises", [(row.tasks, row.solved, 0) for row in table]),
        ("mutants", [(row.hunted, row.killed, 0) for row in table]),
    ]
    places = range(len(table))
    for axis, (title, numbers) in zip(axes, columns, strict=True):
        axis.barh(places, [whole for whole, _, _ in numbers], color=GREY, height=0.7)
        axis.barh(places, [done for _, done, _ in numbers], color=BLUE, height=0.7)
        axis.barh(places, [right for _, _, right in numbers], color=GREEN, height=0.7)
        axis.set_title(title, fontsize=9, loc="left")
        axis.set_yticks(places, [row.chapter for row in table], fontsize=8)
        axis.set_xlim(0, max(whole for whole, _, _ in numbers) + 0.2)
        axis.xaxis.set_major_locator(_whole_numbers())
        axis.tick_params(axis="x", labelsize=8)
        axis.spines[["top", "right", "left"]].set_visible(False)
    axes[0].invert_yaxis()
    written = io.BytesIO()
    figure.savefig(written, format="png", dpi=110)
    return written.getvalue()


def _whole_numbers() -> Any:
    from matplotlib.ticker import MaxNLocator

    return MaxNLocator(integer=True)


def _take_in(path: Path) -> None:
    try:
        other = json.loads(path.read_text(encoding="utf-8-sig"))
    except (ValueError, RecursionError):
        other = None
    if not store.is_record(other):
        raise ValueError(f"{path.name} is no progress file of this course; pass one that progress(export=…) wrote")

    def join(kept: dict[str, Any]) -> None:
        kept.update(store.merge(kept, other))

    store.update(join)
