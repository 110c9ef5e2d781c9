"""Ask once more, two chapters later, what was answered with certainty and was wrong."""

from __future__ import annotations

import textwrap

from autograd_lab.course import asking, exercises, output
from autograd_lab.course import record as store
from autograd_lab.course.model import SURE

LATER = 2
"""After how many chapters a prediction comes back."""


def recall(chapter: str, answer: str | None = None, sure: int | None = None) -> None:
    """Ask again the oldest question that was answered with certainty, and wrong, at least two chapters ago.

    chapter: the chapter that asks, such as "06". answer, sure: for use without buttons, as in `predict`.
    Raises ValueError for an answer that is no option.
    """
    key = due(store.load(), chapter)
    if key is None:
        print("Nothing to recall.")
        return
    if answer is not None:
        print(textwrap.fill(note(key, chapter, answer, sure), 100))
        return
    entry = store.load()["predictions"][key]
    title, question, options = f"Once more, {key}", entry.get("question", ""), entry.get("options", [])
    text = asking.as_text(title, question, options)
    if not output.notebook():
        print(text)
        return
    from autograd_lab.course import buttons  # ipywidgets is loaded only where buttons can be shown

    output.show(
        text, buttons.question(title, question, options, lambda letter, certain: note(key, chapter, letter, certain))
    )


def due(record: dict, chapter: str) -> str | None:
    """Return the key of the prediction that should come back in this chapter, or None."""
    for key, entry in sorted(record["predictions"].items()):
        asked_in = int(key.partition(".")[0])
        if entry["right"] or entry["sure"] != max(SURE) or int(chapter) - asked_in < LATER or not entry.get("options"):
            continue
        again = [other for name, other in record["recall"].items() if name.partition(" ")[0] == key]
        asked_here = f"{key} {chapter}" in record["recall"]
        if not asked_here and not any(other["right"] for other in again) and exercises.is_prediction(key):
            return key
    return None


def note(key: str, chapter: str, answer: str, sure: int | None) -> str:
    """Write the second answer down and return the words to show."""
    entry = asking.judged(key, answer, sure)
    store.update(lambda kept: kept["recall"].setdefault(f"{key} {chapter}", entry))
    start = "Right this time." if entry["right"] else f"It is “{exercises.prediction(key).right}”."
    return f"You said {asking.said(entry)}. {start} {exercises.prediction(key).because}"
