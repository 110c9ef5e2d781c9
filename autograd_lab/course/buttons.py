"""The question as a widget: options, how sure, and one button. Nothing here decides what is right."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import ipywidgets

from autograd_lab.course import asking
from autograd_lab.course.model import SURE

WIDE = {"description_width": "0"}


def question(title: str, text: str, options: Sequence[str], note: Callable[[str, int], str]) -> ipywidgets.Widget:
    """Return the question with a radio button an option.

    `note(letter, sure)` writes the answer down and returns the words to show.
    """
    labels = [f"{letter}  {option}" for letter, option in zip(asking.LETTERS, options, strict=False)]
    choice = ipywidgets.RadioButtons(options=labels, value=None, layout={"width": "auto"}, style=WIDE)
    sure = ipywidgets.ToggleButtons(options=[(word, value) for value, word in SURE.items()], value=None)
    button = ipywidgets.Button(description="Note my answer", button_style="primary", layout={"width": "max-content"})
    words = ipywidgets.HTML(value=f"<b>{_escaped(title)}</b> · {_escaped(text)}")
    state = ipywidgets.HTML(value="")
    box = ipywidgets.VBox([words, choice, ipywidgets.HTML("How sure are you?"), sure, button, state])

    def press(_: object) -> None:
        if choice.value is None or sure.value is None:
            state.value = "Choose one answer, and say how sure you are."
            return
        letter = asking.LETTERS[labels.index(choice.value)]
        words = note(letter, sure.value)
        for part in (choice, sure, button):
            part.disabled = True
        state.value = _escaped(words)

    button.on_click(press)
    return box


def _escaped(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;")
