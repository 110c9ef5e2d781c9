"""Say how far the learner is, chapter by chapter, in words."""

from __future__ import annotations

from autograd_lab.course import exercises
from autograd_lab.course import record as store


def progress() -> None:
    """Print how many predictions are answered and how many exercises are solved, chapter by chapter."""
    record = store.load()
    print("chapter   predictions   right   exercises solved")
    for chapter in exercises.chapters():
        asked, tasks = exercises.of_chapter(chapter)
        answered = [record["predictions"][key] for key in asked if key in record["predictions"]]
        right = sum(1 for entry in answered if entry["right"])
        solved = sum(1 for key in tasks if record["exercises"].get(key, {}).get("solved"))
        print(
            f"  {chapter}       {len(answered):2d} of {len(asked):2d}       {right:2d}       {solved} of {len(tasks)}"
        )
