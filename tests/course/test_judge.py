"""The check: right answers pass, wrong ones are shown with the smallest input, untouched ones stay quiet."""

import linecache
import sys

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab.course import check, engine, exercises, judge, reveal
from autograd_lab.course import record as store
from autograd_lab.course.model import Exercise

EVERY = [task for chapter in exercises.chapters() for task in exercises.of_chapter(chapter)[1].values()]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(store.PLACE, str(tmp_path))
    store._memory.clear()
    return tmp_path


def solution_of(task):
    if task.kind == "order":
        return task.solution
    if task.part:
        built = engine.build()
        return [getattr(built, name) for name in task.function.split()]
    return judge.right_function(task)


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.key)
def test_the_declared_solution_is_right_and_the_same_every_time(task):
    first = judge.judge(task, solution_of(task))
    assert first.state == "right"
    assert judge.judge(task, solution_of(task)) == first


@pytest.mark.parametrize("task", EVERY, ids=lambda task: task.key)
def test_a_function_that_does_nothing_useful_is_wrong(task):
    if task.kind == "order":
        answer = task.solution.split()[-1]
    else:

        def nothing(*_):
            return 0.123

        nothing.__name__ = task.function.split()[0]
        answer = nothing if not task.part else [_named(name) for name in task.function.split()]
    verdict = judge.judge(task, answer)
    assert verdict.state in ("wrong", "broken")
    assert verdict.lines


def _named(name):
    def nothing(*_):
        return 0.123

    nothing.__name__ = name
    return nothing


def test_the_verdict_shows_the_smallest_input_and_what_came_out(capsys):
    check("00.6", lambda numbers: torch.tensor(numbers))
    text = capsys.readouterr().out
    assert text.startswith("00.6 ✗ a gradient from a plain list: not yet.\n    with numbers = [")
    assert text.count("wanted tensor(") == 1
    assert "got    tensor(" in text
    assert "The result has another value." in text


def test_shape_and_dtype_count(capsys):
    check("00.6", lambda numbers: 2 * torch.tensor(numbers, dtype=torch.float64))
    assert "another dtype: torch.float64, not torch.float32" in capsys.readouterr().out.replace("autograd_lab", "torch")
    check("00.6", lambda numbers: 2 * torch.tensor([numbers]))
    assert "another shape: (1, 1), not (1,)" in capsys.readouterr().out


def test_an_error_in_the_answer_is_told_not_raised(capsys):
    check("00.6", lambda numbers: numbers.nothing)
    assert "AttributeError: 'list' object has no attribute 'nothing'" in capsys.readouterr().out
    check("00.6", 3)
    assert "should be the function itself" in capsys.readouterr().out


def test_two_tries_open_a_hint_and_then_the_solution(capsys):
    def told():
        check("00.6", lambda numbers: 1)
        return capsys.readouterr().out

    assert "Hint" not in told()
    assert "Hint" in told()
    assert 'reveal("00.6")' in told()
    reveal("00.6")
    assert "def gradient(numbers):" in capsys.readouterr().out


def test_reveal_waits_for_a_try_but_never_locks(capsys):
    reveal("00.6")
    assert "try it first" in capsys.readouterr().out
    reveal("00.6", now=True)
    assert "def gradient" in capsys.readouterr().out


def test_an_untouched_answer_leaves_no_trace(own_folder, capsys):
    def blank(numbers):
        """Say what it does."""

    check("00.6", blank)
    check("00.4", "? ? ?")
    assert capsys.readouterr().out == (
        "00.6 · a gradient from a plain list: not tried yet.\n00.4 · how an area grows: not tried yet.\n"
    )
    assert not list(own_folder.iterdir())


def test_an_order_with_an_unknown_letter_says_so(capsys):
    check("00.4", "C E Q")
    assert "There is no line 'Q'" in capsys.readouterr().out


def test_unknown_keys_name_those_that_exist():
    with pytest.raises(KeyError, match=r"chapter 00 has no exercise '00.99'; it has 00.4, 00.5, 00.6"):
        check("00.99", None)
    with pytest.raises(KeyError, match="there is no chapter '77'"):
        check("77.1", None)


def test_a_prediction_is_not_checked_but_explained(own_folder, capsys):
    check("00.1", len)
    assert capsys.readouterr().out == (
        '00.1 is a prediction, not an exercise. Answer it with predict("00.1", …), then call reveal("00.1").\n'
    )
    assert not list(own_folder.iterdir())


def test_where_the_courses_own_answer_fails_nobody_is_told_to_return_none(monkeypatch):
    def fails(numbers):
        raise OSError("no disk")

    monkeypatch.setattr(judge, "right_function", lambda exercise: fails)
    verdict = judge.judge(exercises.exercise("00.6"), lambda numbers: 0)
    assert verdict.lines == (
        "This exercise cannot be checked here: the course's own answer fails, too.",
        "OSError: no disk",
    )


HELPER = 1


def test_a_part_that_needs_a_name_of_the_notebook_is_told(capsys):
    def accumulate(leaf, grad):
        leaf.grad = grad * HELPER if leaf.grad is None else grad + leaf.grad

    check("04.8", accumulate)
    assert "It needs HELPER of this notebook, which my_grad.py has not" in capsys.readouterr().out


def test_a_class_of_a_notebook_cell_is_kept_too(own_folder, capsys):
    cell = 'class no_grad:\n    """Mine."""\n\n' + engine.solution("no_grad").partition("\n\n")[2]
    linecache.cache["<a cell>"] = (len(cell), None, cell.splitlines(keepends=True), "<a cell>")
    space = {"__name__": "__main__"}
    exec(compile(cell, "<a cell>", "exec"), space)
    check("09.8", space["no_grad"])
    assert "Kept in my_grad.py: no_grad." in capsys.readouterr().out
    assert '"""Mine."""' in (own_folder / "my_grad.py").read_text(encoding="utf-8")


def test_an_exercise_needs_three_families():
    with pytest.raises(ValueError, match="three families"):
        Exercise("00.0", "", "blank", solution="", families={}, hint="")


def test_a_right_part_is_kept_in_the_learners_engine(own_folder, capsys, monkeypatch):
    def accumulate(leaf, grad):
        leaf.grad = grad if leaf.grad is None else grad + leaf.grad

    check("04.8", accumulate)
    assert "Kept in my_grad.py: accumulate." in capsys.readouterr().out
    text = (own_folder / "my_grad.py").read_text(encoding="utf-8")
    assert "# accumulate (chapter 04): mine" in text
    assert "grad + leaf.grad" in text
    space = {"__name__": "my_grad"}
    exec(compile(text, "my_grad.py", "exec"), space)
    a = space["Value"]([1.0, 2.0])
    space["backward"](space["total"](a * a))
    assert a.grad.data.tolist() == [2.0, 4.0]


def test_an_engine_that_was_changed_by_hand_is_left_alone(own_folder, capsys):
    def accumulate(leaf, grad):
        leaf.grad = grad if leaf.grad is None else grad + leaf.grad

    check("04.8", accumulate)
    mine = own_folder / "my_grad.py"
    mine.write_text(mine.read_text(encoding="utf-8") + "# a thought of mine\n", encoding="utf-8")
    check("04.8", accumulate)
    assert "Kept in my_grad_new.py" in capsys.readouterr().out
    assert mine.read_text(encoding="utf-8").endswith("# a thought of mine\n")


def test_a_part_works_though_the_learner_left_the_others_undone():
    space = {"np": np, "order": None, "accumulate": None, "Value": None}
    exec(engine.solution("backward"), space)
    assert judge.judge(exercises.exercise("04.10"), space["backward"]).state == "right"


class _Unshowable:
    def __repr__(self):
        raise RuntimeError("no")


@pytest.mark.parametrize("answer", [lambda *_: 10**5000, lambda *_: _Unshowable(), lambda *_: sys.exit()])
def test_an_answer_that_cannot_be_compared_or_shown_is_only_wrong(answer):
    for key in ("00.5", "00.6"):
        verdict = judge.judge(exercises.exercise(key), answer)
        assert verdict.state in ("wrong", "broken")
        assert any(line.startswith("got    ") for line in verdict.lines)
