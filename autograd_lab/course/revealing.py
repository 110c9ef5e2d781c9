"""Open an answer: what was predicted and what is so, or the help for an exercise."""

from __future__ import annotations

import textwrap

from autograd_lab.course import exercises
from autograd_lab.course import record as store
from autograd_lab.course.asking import said
from autograd_lab.course.model import Exercise, Prediction


def reveal(key: str, now: bool = False) -> None:
    """Print the answer to a prediction, or the help for an exercise: the hint, and after two tries the solution.

    key: the number of a prediction or an exercise. now: open everything at once; nothing is ever locked.
    Raises KeyError for a key that the course does not have.

        reveal("06.1")
        reveal("06.4", now=True)
    """
    try:
        asked: Prediction | Exercise = exercises.prediction(key)
    except KeyError:
        asked = exercises.exercise(key)
    record = store.load()
    if isinstance(asked, Prediction):
        _prediction(asked, record["predictions"].get(key), now)
    else:
        _exercise(asked, record["exercises"].get(key, {}), now)


def _prediction(asked: Prediction, entry: dict | None, now: bool) -> None:
    if entry is None and not now:
        print(f'{asked.key} has no answer yet. Answer it above, or open it now: reveal("{asked.key}", now=True)')
        return
    if entry is None:
        start = f"It is “{asked.right}”."
    elif entry["right"]:
        start = f"You said {said(entry)}. Right."
    elif entry["sure"] == 3:
        start = f"You said {said(entry)}. It is “{asked.right}”. A certain answer that is wrong is worth a second look."
    else:
        start = f"You said {said(entry)}. It is “{asked.right}”."
    print(textwrap.fill(f"{start} {asked.because}", 100))


def _exercise(asked: Exercise, entry: dict, now: bool) -> None:
    tries = entry.get("tries", 0)
    if not now and not tries and not entry.get("solved"):
        print(f'Exercise {asked.key}: try it first. Or open it now: reveal("{asked.key}", now=True)')
        return
    print(textwrap.fill(f"Hint: {asked.hint}", 100))
    if now or tries >= 2 or entry.get("solved"):
        print(f"A solution:\n\n{textwrap.indent(asked.solution.strip(), '    ')}")
    else:
        print("After a second try the solution opens here.")
