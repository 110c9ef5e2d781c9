"""Decide whether an answer is right, and say what went wrong on the smallest input that shows it."""

from __future__ import annotations

import contextlib
import dis
import io
import types
import warnings
import zlib
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.compare import difference
from autograd_lab.course.model import Exercise, Verdict

SIZES = (1, 2, 3, 4)
BLANK = "___"
UNTOUCHED = Verdict("untouched")


def judge(exercise: Exercise, answer: Any) -> Verdict:
    """Return the verdict on an answer: the same answer always gets the same verdict."""
    function = answer
    if exercise.kind == "order":
        if not isinstance(answer, str):
            return Verdict("broken", ("The answer should be one text: letters with spaces, such as “B A C”.",))
        if not any(letter.isalpha() for letter in answer):
            return UNTOUCHED
        wrong = [letter for letter in answer.split() if letter not in exercise.lines]
        if wrong:
            return Verdict("broken", (f"There is no line {wrong[0]!r}. Write letters with spaces, such as “B A C”.",))
        function = compile_order(exercise, answer)
    else:
        answers = answer if isinstance(answer, (list, tuple)) else [answer]
        if not answers or not all(callable(one) for one in answers):
            return Verdict("broken", ("The answer should be the function itself: write its name, without brackets.",))
        if any(is_untouched(one) for one in answers):
            return UNTOUCHED
        wanted = exercise.function.split()
        if exercise.part and [getattr(one, "__name__", "") for one in answers] != wanted:
            return Verdict("broken", (f"The answer should be {', '.join(wanted)}, under that name.",))
        function = engine.build(answers) if exercise.part else answer
    return _try_all(exercise, function)


def is_untouched(function: Any) -> bool:
    """Return whether a starter is as it was handed out: a blank `___` is left, or the body is only `...`."""
    if isinstance(function, type):
        methods = [getattr(part, "__func__", part) for part in vars(function).values()]
        return any(is_untouched(part) for part in methods if isinstance(part, types.FunctionType))
    code = getattr(function, "__code__", None)
    if code is None:
        return False
    if _has_blank(code):
        return True
    steps = [step for step in dis.get_instructions(code) if step.opname not in ("RESUME", "NOP", "COPY_FREE_VARS")]
    body = [step.opname for step in steps]
    return body in (["LOAD_CONST", "RETURN_VALUE"], ["RETURN_CONST"]) and steps[0].argval is None


def _has_blank(code: types.CodeType) -> bool:
    """Return whether `___` stands anywhere in the code: as a name, an attribute, a keyword, or in a lambda inside."""
    if BLANK in code.co_names + code.co_varnames + code.co_freevars:
        return True
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType) and _has_blank(constant):
            return True
        if isinstance(constant, tuple) and BLANK in constant:
            return True
    return False


def compile_order(exercise: Exercise, order: str) -> Callable[..., Any]:
    """Return the function that the lines make in this order."""
    source = solution_source(exercise, order)
    space: dict[str, Any] = {"torch": torch, "np": np}
    try:
        exec(compile(source, f"<exercise {exercise.key}>", "exec"), space)
    except SyntaxError as error:
        message = f"{type(error).__name__}: {error.msg}"

        def broken(*_: Any) -> None:
            raise SyntaxError(message)

        return broken
    return space[exercise.function]


def solution_source(exercise: Exercise, order: str) -> str:
    """Return an order exercise's program for the given letters."""
    body = "\n".join(f"    {exercise.lines[letter]}" for letter in order.split())
    return f"{exercise.header}\n{body}\n"


def right_function(exercise: Exercise) -> Any:
    """Return the function of the model solution; for a part of the small engine, the whole engine."""
    if exercise.kind == "order":
        return compile_order(exercise, exercise.solution)
    if exercise.part:
        return engine.build()
    space: dict[str, Any] = {"torch": torch, "np": np}
    exec(compile(exercise.solution, f"<solution {exercise.key}>", "exec"), space)
    return space[exercise.function]


def _try_all(exercise: Exercise, function: Callable[..., Any]) -> Verdict:
    right = right_function(exercise)
    cases = 0
    for size in SIZES:
        for name, family in exercise.families.items():
            seed = zlib.crc32(f"{exercise.key} {name} {size}".encode())
            found = _try_one(exercise, function, right, partial(_fresh, family, seed, size))
            if found:
                return found
            cases += 1
    return Verdict("right", (f"{cases} random inputs of {len(exercise.families)} kinds",))


def _fresh(family: Callable[..., tuple], seed: int, size: int) -> tuple:
    return family(np.random.default_rng(seed), size)


def _try_one(exercise: Exercise, function: Callable, right: Callable, fresh: Callable[[], tuple]) -> Verdict | None:
    wanted, broken = _run(exercise, right, fresh())
    if broken is not None:
        cause = f"{type(broken).__name__}: {_first_line(broken)}"
        return Verdict("broken", ("This exercise cannot be checked here: the course's own answer fails, too.", cause))
    got, error = _run(exercise, function, fresh())
    words = _difference(wanted, got) if error is None else f"{type(error).__name__}: {_first_line(error)}"
    if words is None:
        return None
    shown = [f"{name} = {_short(value)}" for name, value in zip(exercise.show, fresh(), strict=False) if name]
    lines = ["with " + (shown[0] if shown else "this input"), *(f"     {line}" for line in shown[1:])]
    if error is None:
        lines += [f"wanted {_short(wanted)}", f"got    {_short(got)}", words[0].upper() + words[1:] + "."]
    else:
        lines += [f"wanted {_short(wanted)}", f"got    {words}"]
    return Verdict("wrong" if error is None else "broken", tuple(lines))


def _run(exercise: Exercise, function: Callable, arguments: tuple) -> tuple[Any, BaseException | None]:
    """Call quietly: what the learner's code prints or warns would drown the verdict."""
    try:
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            if exercise.observe is not None:
                return exercise.observe(function, *arguments), None
            return function(*arguments), None
    except (Exception, SystemExit) as error:
        return None, error


def _difference(wanted: Any, got: Any) -> str | None:
    """Return what differs; an answer that cannot even be compared differs."""
    try:
        return difference(wanted, got)
    except Exception as error:
        return f"the result cannot be compared ({type(error).__name__}: {_first_line(error)})"


def _first_line(error: BaseException) -> str:
    text = str(error).split("\n")[0]
    return text if len(text) < 160 else text[:157] + "…"


def _short(value: Any) -> str:
    """Return a value in one readable piece; tensors that stand in a second line are moved under the first."""
    if isinstance(value, list) and any(hasattr(one, "shown_as") for one in value):
        text = "[" + ", ".join(one.shown_as for one in value) + "]"
    else:
        try:
            text = getattr(value, "shown_as", None) or repr(value)
        except Exception as error:
            text = f"an object of type {type(value).__name__} that cannot be shown ({type(error).__name__})"
    text = text if len(text) < 400 else text[:397] + "…"
    return text.replace("\n", "\n       ")
