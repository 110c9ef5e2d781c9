"""The printed form of a tensor: exactly the text that torch prints, and the options that change it.

The text is made in three steps: cut a long array down to its edges, write every remaining number in one common form
(whole numbers, decimals or powers of ten) and width, then lay the words out in rows that fit the line.
"""

from __future__ import annotations

import contextlib
import dataclasses
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lab.core import dtypes

__all__ = [
    "PRINT_OPTS",
    "format_scalar",
    "get_printoptions",
    "parameter_text",
    "printoptions",
    "set_printoptions",
    "tensor_text",
]


@dataclasses.dataclass
class PrinterOptions:
    """Hold the options of `set_printoptions`; `sci_mode=None` leaves the choice to the numbers."""

    precision: int = 4
    threshold: float = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool | None = None


# torch's private class shows in the options' own repr.
PrinterOptions.__qualname__ = "__PrinterOptions"

PRINT_OPTS = PrinterOptions()

_PROFILES: dict[str, dict[str, Any]] = {
    "default": {"precision": 4, "threshold": 1000, "edgeitems": 3, "linewidth": 80},
    "short": {"precision": 2, "threshold": 1000, "edgeitems": 2, "linewidth": 80},
    "full": {"precision": 4, "threshold": math.inf, "edgeitems": 3, "linewidth": 80},
}


def set_printoptions(
    precision: int | None = None,
    threshold: float | None = None,
    edgeitems: int | None = None,
    linewidth: int | None = None,
    profile: str | None = None,
    sci_mode: bool | None = None,
) -> None:
    """Set how tensors are printed; what is not given stays, except `sci_mode`, which returns to automatic.

    `precision`: digits after the point. `threshold`: the largest number of elements that is printed in full.
    `edgeitems`: how many stay at each end of a longer dimension. `linewidth`: characters in a line. `profile`:
    "default", "short" or "full", a start that the other arguments adjust; an unknown profile is ignored, as torch
    does. `sci_mode`: True or False forces or forbids powers of ten.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.set_printoptions.html

    >>> set_printoptions(precision=2)
    >>> tensor_text(np.float32(1.23456))
    'tensor(1.23)'
    >>> set_printoptions(profile="default")
    """
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    changes = dict(_PROFILES[profile]) if isinstance(profile, str) and profile in _PROFILES else {}
    changes |= {name: value for name, value in given.items() if value is not None}
    for name, value in changes.items():
        setattr(PRINT_OPTS, name, value)
    PRINT_OPTS.sci_mode = sci_mode


def get_printoptions() -> dict[str, Any]:
    """Return the options as a dictionary that `set_printoptions(**options)` takes back.

    >>> get_printoptions()["edgeitems"]
    3
    """
    return dataclasses.asdict(PRINT_OPTS)


@contextlib.contextmanager
def printoptions(**kwargs: Any) -> Iterator[None]:
    """Change the options inside a `with` block; takes the arguments of `set_printoptions`.

    >>> with printoptions(sci_mode=True):
    ...     tensor_text(np.ones(2, np.float32))
    'tensor([1.0000e+00, 1.0000e+00])'
    """
    before = get_printoptions()
    set_printoptions(**kwargs)
    try:
        yield
    finally:
        set_printoptions(**before)


def tensor_text(
    array: Any,
    *,
    requires_grad: bool = False,
    grad_fn_name: str | None = None,
    type_name: str = "tensor",
) -> str:
    """Return what torch prints for a tensor that holds `array`.

    `array` is an ndarray or NumPy scalar of any shape and of a dtype that the lab knows. `grad_fn_name` is the class
    name of its node ("MulBackward0"), or "Invalid" where reading grad_fn raises: a view made in no-grad mode and
    written in place. `type_name` is "tensor", or the class name for a subclass of Tensor.

    >>> print(tensor_text(np.arange(3.0, dtype=np.float32), requires_grad=True))
    tensor([0., 1., 2.], requires_grad=True)
    >>> print(tensor_text(np.zeros((0, 3), np.int64)))
    tensor([], size=(0, 3), dtype=torch.int64)
    """
    array = np.asarray(array)
    dtype = dtypes.from_numpy(array.dtype)
    opening = f"{type_name}("
    notes = []
    if array.size == 0:
        # With no number to judge by, the dtype is left out only if it is the default one, and (0,) goes unsaid.
        if array.ndim != 1:
            notes.append(f"size={array.shape}")
        if dtype is not dtypes.get_default_dtype():
            notes.append(f"dtype={dtype}")
        body = "[]"
    else:
        if not PRINT_OPTS.edgeitems:
            notes.append(f"size={array.shape}")
        if dtype not in (dtypes.get_default_dtype(), dtypes.int64, dtypes.bool):
            notes.append(f"dtype={dtype}")
        body = _body(array, len(opening))
    if grad_fn_name is not None:
        notes.append(f"grad_fn=<{grad_fn_name}>")
    elif requires_grad:
        notes.append("requires_grad=True")
    return _with_notes(opening + body, notes, len(opening))


def parameter_text(text: str) -> str:
    """Return what torch prints for a Parameter whose tensor prints as `text`.

    >>> print(parameter_text(tensor_text(np.ones(2, np.float32), requires_grad=True)))
    Parameter containing:
    tensor([1., 1.], requires_grad=True)
    """
    return f"Parameter containing:\n{text}"


def format_scalar(array: Any, spec: str) -> str:
    """Return `format(tensor, spec)` of a 0-dim tensor: its Python number is formatted.

    >>> format_scalar(np.float32(2.5), ".2f")
    '2.50'
    """
    return format(np.asarray(array).item(), spec)


def _body(array: np.ndarray, indent: int) -> str:
    """Return the bracketed numbers."""
    edge = PRINT_OPTS.edgeitems
    cut = [False] * array.ndim
    if array.size > PRINT_OPTS.threshold:
        if not edge and array.ndim:
            return "[...]"
        cut = [length > 2 * edge for length in array.shape]
        for axis, is_cut in enumerate(cut):
            if is_cut:
                length = array.shape[axis]
                array = array.take([*range(edge), *range(length - edge, length)], axis=axis)
    words, width = _words(array)
    if array.ndim == 0:
        return words[0]
    per_line = max(1, math.floor((PRINT_OPTS.linewidth - indent - array.ndim + 1) / (width + 2)))
    return _rows(iter(words), array.shape, cut, indent, per_line)


def _words(array: np.ndarray) -> tuple[list[str], int]:
    """Write every number in the form that suits them all, and align them to the right.

    Zeros, infinities and nan have no say in form or width, so they may stand out.
    """
    values = array.ravel().tolist()
    if array.dtype.kind != "f":
        words = [str(value) for value in values]
        width = max(map(len, words))
    else:
        telling = [value for value in values if value and math.isfinite(value)]
        whole = all(value.is_integer() for value in telling)
        if _powers_of_ten(telling):
            form, point = f".{PRINT_OPTS.precision}e", ""
        elif whole:
            form, point = ".0f", "."
        else:
            form, point = f".{PRINT_OPTS.precision}f", ""
        words = [f"{value:{form}}{point if math.isfinite(value) else ''}" for value in values]
        width = max(
            (len(word) for word, value in zip(words, values, strict=True) if value and math.isfinite(value)), default=1
        )
    return [word.rjust(width) for word in words], width


def _powers_of_ten(telling: list[float]) -> bool:
    """Tell whether these numbers, nonzero and finite, are too large, too small or too far apart for plain digits."""
    if not telling:
        return False
    if PRINT_OPTS.sci_mode is not None:
        return PRINT_OPTS.sci_mode
    sizes = [abs(value) for value in telling]
    least, most = min(sizes), max(sizes)
    return most / least > 1000.0 or most > 1.0e8 or least < 1.0e-4


def _rows(words: Iterator[str], shape: tuple[int, ...], cut: list[bool], indent: int, per_line: int) -> str:
    """Lay out the words of a (cut) array; `indent` is the column of its opening bracket."""
    length, inner = shape[0], shape[1:]
    if inner:
        parts = [_rows(words, inner, cut[1:], indent + 1, per_line) for _ in range(length)]
        gap = "," + "\n" * len(inner) + " " * (indent + 1)
        dots = "..."
    else:
        parts = [next(words) for _ in range(length)]
        gap = ",\n" + " " * (indent + 1)
        dots = " ..."
    if cut[0]:
        parts.insert(length // 2, dots)
    if not inner:
        parts = [", ".join(parts[start : start + per_line]) for start in range(0, len(parts), per_line)]
    return "[" + gap.join(parts) + "]"


def _with_notes(text: str, notes: list[str], indent: int) -> str:
    """Add dtype, grad_fn and the like, each on a new line when it does not fit, and close the bracket."""
    # The last line counts as one character longer than it is (two if it is the only one): torch's own count.
    column = len(text) - text.rfind("\n") + 1
    for note in notes:
        if column + len(note) + 2 > PRINT_OPTS.linewidth:
            text += ",\n" + " " * indent + note
            column = indent + len(note)
        else:
            text += ", " + note
            column += len(note) + 2
    return text + ")"
