"""Ask what will be printed, before it is printed, and how sure the learner is."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence

from autograd_lab.course import exercises, output
from autograd_lab.course import record as store
from autograd_lab.course.model import SURE

LETTERS = "abcdefgh"


def predict(
    key: str, question: str, options: Sequence[str], answer: str | None = None, sure: int | None = None
) -> None:
    """Ask a question about what comes next, and note the answer. It never waits: “Run All” goes on.

    key: the prediction's number, such as "06.1". options: two to eight possible answers.
    answer, sure: for use without buttons: a letter, and 1 (a guess), 2 (I think so) or 3 (certain).
    Raises KeyError for a key that the course does not have, ValueError for an answer that is no option.

        predict("06.1", "w.grad is …", options=["[1, 2]", "[2, 4]"])
        predict("06.1", "w.grad is …", options=["[1, 2]", "[2, 4]"], answer="b", sure=2)
    """
    asked = exercises.prediction(key)
    if isinstance(options, str) or not isinstance(options, Sequence):
        raise TypeError(f"options is a list of possible answers, not {type(options).__name__}")
    if len(options) != asked.options:
        raise ValueError(f"prediction {key} has {asked.options} options, not {len(options)}")
    if answer is not None:
        record(key, answer, sure, question, options)
    known = store.load()["predictions"].get(key)
    if known:
        print(f"Prediction {key}: you said {said(known)}. Run on, then reveal({key!r}).")
        return
    text = as_text(f"Prediction {key}", question, options)
    if not output.notebook():
        print(text)
        return
    from autograd_lab.course import buttons  # ipywidgets is loaded only where buttons can be shown

    def note(letter: str, certainty: int) -> str:
        record(key, letter, certainty, question, options)
        return f"Noted: “{letter}” ({SURE[certainty]}). Now run the next cell and see."

    output.show(text, buttons.question(f"Prediction {key}", question, options, note))


def record(key: str, answer: str, sure: int | None, question: str, options: Sequence[str]) -> None:
    """Write an answer into the progress file, with the question. The first answer counts; a later one is dropped."""
    entry = judged(key, answer, sure)
    entry.update(question=str(question), options=[str(option) for option in options])
    store.update(lambda kept: kept["predictions"].setdefault(key, entry))


def judged(key: str, answer: str, sure: int | None) -> dict:
    """Return an answer as it is written down, with whether it is right."""
    asked = exercises.prediction(key)
    answer = str(answer).strip().lower()
    if answer not in LETTERS[: asked.options] or len(answer) != 1:
        raise ValueError(f"answer is one of {', '.join(LETTERS[: asked.options])}, not {answer!r}")
    if isinstance(sure, bool) or not isinstance(sure, int) or sure not in SURE:
        raise ValueError("say how sure you are as well: sure=1 (a guess), sure=2 (I think so) or sure=3 (certain)")
    return {"answer": answer, "sure": sure, "right": answer == asked.right, "when": store.now()}


def said(entry: dict) -> str:
    """Say an answer and its confidence in words: “b” (certain)."""
    return f"“{entry['answer']}” ({SURE[entry['sure']]})"


def as_text(title: str, question: str, options: Sequence[str]) -> str:
    """Return the question as plain text, with the line to write for whoever has no buttons."""
    lines = textwrap.wrap(f"{title} · {question}", 96)
    for letter, option in zip(LETTERS, options, strict=False):
        lines += textwrap.wrap(str(option), 90, initial_indent=f"  {letter}  ", subsequent_indent="     ")
    lines.append('No buttons here? Add an answer to the call above: answer="a", sure=1 (a guess), 2 or 3 (certain).')
    return "\n".join(lines)
