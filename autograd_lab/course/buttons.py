"""The question as a widget: options, how sure, and one button. Nothing here decides what is right."""

from __future__ import annotations

from collections.abc import Sequence

import ipywidgets

from autograd_lab.course import asking
from autograd_lab.course.model import SURE

WIDE = {"description_width": "0"}


def question(key: str, text: str, options: Sequence[str]) -> ipywidgets.Widget:
    """Return the question with a radio button an option; the answer is noted when the learner presses the button."""
    labels = [f"{letter}  {option}" for letter, option in zip(asking.LETTERS, options, strict=False)]
    choice = ipywidgets.RadioButtons(options=labels, value=None, layout={"width": "auto"}, style=WIDE)
    sure = ipywidgets.ToggleButtons(options=[(word, value) for value, word in SURE.items()], value=None)
    button = ipywidgets.Button(description="Note my answer", button_style="primary", layout={"width": "auto"})
    words = ipywidgets.HTML(value=f"<b>Prediction {key}</b> · {_escaped(text)}")
    state = ipywidgets.HTML(value="")
    box = ipywidgets.VBox([words, choice, ipywidgets.HTML("How sure are you?"), sure, button, state])

    def note(_: object) -> None:
        if choice.value is None or sure.value is None:
            state.value = "Choose one answer, and say how sure you are."
            return
        letter = asking.LETTERS[labels.index(choice.value)]
        asking.record(key, letter, sure.value)
        for part in (choice, sure, button):
            part.disabled = True
        state.value = f"Noted: “{letter}” ({SURE[sure.value]}). Now run the next cell and see."

    button.on_click(note)
    return box


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
