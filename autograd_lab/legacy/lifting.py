"""Operations on Variables: done by the engine on the tensors inside, with volatile spreading to the results."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import autograd_lab as torch


def variables_in(value: Any) -> list[Any]:
    """Return the Variables in an argument, those in lists and tuples too."""
    from autograd_lab.legacy.variable import Variable

    if isinstance(value, Variable):
        return [value]
    if isinstance(value, (list, tuple)):
        return [found for one in value for found in variables_in(one)]
    return []


def unwrap(value: Any) -> Any:
    """Return an argument with the tensors in place of their Variables."""
    from autograd_lab.legacy.variable import Variable

    if isinstance(value, Variable):
        return value._tensor
    if isinstance(value, (list, tuple)) and variables_in(value):
        return type(value)(unwrap(one) for one in value)
    return value


def lift(function: Callable, name: str) -> Callable:
    """Return a function on tensors as a function on Variables.

    If any argument is volatile, nothing is recorded and the results are volatile: one was enough to switch the whole
    graph off. A plain tensor among the arguments is refused, as it was.
    """

    @functools.wraps(function)
    def lifted(*args: Any, **kwargs: Any) -> Any:
        given = variables_in((*args, *kwargs.values()))
        refuse_tensors((*args, *kwargs.values()), name)
        plain_args = [unwrap(one) for one in args]
        plain_kwargs = {key: unwrap(value) for key, value in kwargs.items()}
        volatile = any(one.volatile for one in given)
        if volatile:
            with torch.no_grad():
                result = function(*plain_args, **plain_kwargs)
        else:
            result = function(*plain_args, **plain_kwargs)
        return wrap(result, volatile, given)

    return lifted


def wrap(result: Any, volatile: bool, given: list[Any]) -> Any:
    """Return a result with Variables in place of its tensors; a tensor written in place keeps its Variable."""
    from autograd_lab.legacy.variable import Variable

    if isinstance(result, torch.Tensor):
        for one in given:
            if one._tensor is result:
                if volatile and not one.volatile:
                    one._become_volatile()
                return one
        return Variable._of(result, volatile)
    if isinstance(result, tuple):
        return tuple(wrap(one, volatile, given) for one in result)
    if isinstance(result, list):
        return [wrap(one, volatile, given) for one in result]
    return result


def refuse_tensors(values: tuple, name: str) -> None:
    """Raise TypeError for a tensor among Variables: the two could not be mixed."""
    for value in values:
        if isinstance(value, (list, tuple)):
            refuse_tensors(tuple(value), name)
        elif isinstance(value, torch.Tensor):
            error = TypeError(f"{name} received an invalid combination of arguments - got ({value.type()}), "
                              "but expected one of:\n * (float value)\n * (Variable other)")  # fmt: skip
            error.add_note("Before 0.4 a tensor had to be wrapped, Variable(tensor), before it could meet a Variable.")
            raise error
