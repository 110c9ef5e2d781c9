"""The buttons of a question: nothing is noted before both answers are given, and then once."""

import pytest

OPTIONS = ["1 and 2", "2 and 1", "None and None", "an error"]


@pytest.fixture
def asked():
    pytest.importorskip("ipywidgets")
    from autograd_lab.course import buttons

    noted = []

    def note(letter, sure):
        noted.append((letter, sure))
        return f"Noted: {letter} <{sure}>"

    box = buttons.question("Prediction 00.1", "Is a < b?", OPTIONS, note)
    words, choice, _, sure, button, state = box.children
    return noted, words, choice, sure, button, state


def test_the_question_is_shown_as_text_not_as_markup(asked):
    _, words, choice, *_ = asked
    assert "Is a &lt; b?" in words.value
    assert list(choice.options) == [f"{letter}  {option}" for letter, option in zip("abcd", OPTIONS)]
    assert choice.value is None


def test_both_answers_are_needed(asked):
    noted, _, choice, sure, button, state = asked
    button.click()
    choice.value = choice.options[1]
    button.click()
    assert not noted
    assert "say how sure you are" in state.value
    sure.value = 3
    button.click()
    assert noted == [("b", 3)]
    assert state.value == "Noted: b &lt;3>"
    assert choice.disabled
    assert sure.disabled
    assert button.disabled
