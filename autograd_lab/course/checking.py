"""Check an exercise at once: fresh random inputs, the smallest one that fails, and what came out."""

from __future__ import annotations

import textwrap
from typing import Any

from autograd_lab.course import engine, exercises, judge
from autograd_lab.course import record as store
from autograd_lab.course.model import Exercise, Verdict


def check(key: str, answer: Any) -> None:
    """Print whether an answer to an exercise is right. It never raises because an answer is wrong.

    key: the exercise's number, such as "06.4". answer: what the exercise asks for, a function or an order of lines.
    Raises KeyError for a key that the course does not have.

        check("06.6", freeze_rows)
    """
    if exercises.is_prediction(key):
        print(f'{key} is a prediction, not an exercise. Answer it with predict("{key}", …), then call reveal("{key}").')
        return
    exercise = exercises.exercise(key)
    verdict = judge.judge(exercise, answer)
    if verdict.state == "untouched":
        print(f"{key} · {exercise.title}: not tried yet.")
        return
    right = verdict.state == "right"
    record = store.update(lambda kept: _note(kept, key, right))
    if right:
        print(f"{key} ✓ {exercise.title}: right, on {verdict.lines[0]}.")
        if exercise.part:
            print(engine.keep(exercise, answer))
        return
    tries = record["exercises"][key]["tries"]
    print(f"{key} ✗ {exercise.title}: not yet.")
    print(textwrap.indent("\n".join(verdict.lines), "    "))
    _help(exercise, tries)


def _note(record: dict, key: str, right: bool) -> None:
    entry = record["exercises"].setdefault(key, {"tries": 0})
    if right:
        entry.setdefault("solved", store.now())
    elif not entry.get("solved"):
        entry["tries"] += 1


def _help(exercise: Exercise, tries: int) -> None:
    if tries >= 2:
        print(textwrap.fill(f"Hint: {exercise.hint}", 100))
    if tries >= 3:
        print(f'A solution opens with reveal("{exercise.key}").')


__all__ = ["Verdict", "check"]
