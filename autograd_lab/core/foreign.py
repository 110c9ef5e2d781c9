"""Things of the real torch that got into a program of the lab: told apart by their types' names, torch is not imported.

A program whose import lines are mixed hands real tensors, dtypes or generators to the lab. Some of them look alike
enough to be computed with, or to end in an error about something else.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograd_lab.core import failures as fail
from autograd_lab.core.invalid import type_name
from autograd_lab.errors import explain

_HEAP_TYPE = 1 << 9
_KINDS = {"dtype": "dtype", "device": "device", "layout": "layout", "memory_format": "memory format",
          "Generator": "Generator"}  # fmt: skip


def is_stranger(value: Any) -> bool:
    """Say whether a value is a tensor, dtype, device, layout or generator of the real torch.

    >>> is_stranger(1.5)
    False
    """
    kind = type(value)
    if kind.__module__ in ("torch", "torch._C") and kind.__name__ in _KINDS:
        return not kind.__flags__ & _HEAP_TYPE      # the real ones are written in C
    return fail.is_foreign(value)


def foreign_error(caller: str, value: Any) -> Exception:
    """Return the error for something of the real torch, with the note about import lines."""
    if fail.is_foreign(value):
        return fail.foreign_tensor(caller, value)
    what = _KINDS[type(value).__name__]
    return explain(TypeError(f"{caller}(): expected a {what} of autograd_lab, got {value} of torch"), "foreign")


def find(values: Iterable[Any]) -> Any:
    """Return the first stranger among values and what their sequences hold, or None."""
    for value in values:
        for one in value if isinstance(value, (tuple, list)) else (value,):
            if is_stranger(one):
                return one
    return None


def check_tensors(values: Iterable[Any], argument: int) -> None:
    """Raise torch's error for a sequence, given as so manyth argument, that holds something else than tensors."""
    from autograd_lab.core.tensor import Tensor

    for position, one in enumerate(values):
        if not isinstance(one, Tensor):
            refuse_strangers("tensors", one)
            raise TypeError(f"expected Tensor as element {position} in argument {argument}, but got "
                            f"{type_name(one)}")  # fmt: skip


def refuse_strangers(caller: str, *values: Any) -> None:
    """Raise if one of the values, or of a sequence among them, is of the real torch."""
    found = find(values)
    if found is not None:
        raise foreign_error(caller, found)
