"""Recall: what was certain and wrong comes back two chapters later, until it is right; nothing else does."""

import pytest

from autograd_lab.course import predict, recall
from autograd_lab.course import record as store

OPTIONS = ["1 and 2", "2 and 1", "None and None", "an error"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(store.PLACE, str(tmp_path))
    store._memory.clear()
    return tmp_path


def said(capsys):
    return capsys.readouterr().out


def test_without_an_answer_the_line_is_fixed(own_folder, capsys):
    recall("06")
    assert said(capsys) == "Nothing to recall.\n"
    assert not list(own_folder.iterdir())


@pytest.mark.parametrize(("answer", "sure"), [("b", 3), ("a", 2), ("a", 1)])
def test_right_or_unsure_answers_stay_away(capsys, answer, sure):
    predict("00.1", "Which?", options=OPTIONS, answer=answer, sure=sure)
    said(capsys)
    recall("02")
    assert said(capsys) == "Nothing to recall.\n"


def test_certain_and_wrong_comes_back_two_chapters_later_until_it_is_right(capsys):
    predict("00.1", "Which?", options=OPTIONS, answer="a", sure=3)
    said(capsys)
    recall("01")
    assert said(capsys) == "Nothing to recall.\n"
    recall("02")
    assert said(capsys).startswith("Once more, 00.1 · Which?\n  a  1 and 2\n")
    recall("02", answer="c", sure=1)
    assert "It is “b”." in said(capsys)
    recall("02")
    assert said(capsys) == "Nothing to recall.\n"
    recall("03", answer="b", sure=2)
    assert "Right this time." in said(capsys)
    recall("04")
    assert said(capsys) == "Nothing to recall.\n"
