"""The text of torch's longest error: an invalid combination of arguments, what was given and what was expected.

torch reads the listed signatures as text again to say what did not match; where that reading is crude (the star of
keyword-only parameters counts as one, a default hides a name), the crudeness is part of the message and is kept.
"""

from __future__ import annotations

from typing import Any

_HEAP_TYPE = 1 << 9
_WRITTEN_IN_C = frozenset(("torch.Size", "torch.dtype", "torch.device", "torch.layout", "torch.finfo", "torch.iinfo",
                           "torch.memory_format", "torch._C.Generator", "torch.tensortype"))  # fmt: skip


def type_name(value: Any) -> str:
    """Return the name of a value's type as C code sees it: types of the interpreter's heap are named without module.

    >>> type_name(1), type_name(None)
    ('int', 'NoneType')
    """
    kind = type(value)
    module = kind.__module__.replace("autograd_lab", "torch", 1)
    if f"{module}.{kind.__name__}" in _WRITTEN_IN_C or module == "torch.return_types":
        return f"{module}.{kind.__name__}"
    if kind.__flags__ & _HEAP_TYPE or module == "builtins":
        return kind.__name__
    return f"{module}.{kind.__name__}"


def combination_text(caller: str, args: tuple, kwargs: dict[str, Any], options: list[str]) -> str:
    """Return the message for arguments that fit none of the signatures.

    Args:
        caller: the name with parentheses.
        args, kwargs: what was given.
        options: the signatures as listed, "(Tensor input, int dim)".
    """
    named = dict(reversed(kwargs.items()))      # torch lists keywords from the last one given
    text = f"{caller} received an invalid combination of arguments - "
    if len(options) == 1:
        expected = _arguments(options[0])
        unknown = _unknown(expected, named)
        if unknown:
            return text + f"got unrecognized keyword arguments: {', '.join(unknown)}"
        given = _marked(expected, args, named) if len(args) + len(named) == len(expected) else _given(args, named)
        return text + f"got {given}, but expected {options[0]}"
    lines = [f"got {_given(args, named)}, but expected one of:"]
    for option in options:
        lines.append(f" * {option}")
        expected = _arguments(option)
        if len(args) + len(named) != len(expected):
            continue
        if unknown := _unknown(expected, named):
            lines.append(f"      didn't match because some of the keywords were incorrect: {', '.join(unknown)}")
        else:
            marked = _marked(expected, args, named)
            lines.append(f"      didn't match because some of the arguments have invalid types: {marked}")
    return text + "\n".join(lines) + "\n"


def _arguments(option: str) -> list[tuple[str, str]]:
    """Return type and name of each listed argument, split where torch splits them."""
    parts = [part.rpartition(" ") for part in option[1:-1].split(", ")]     # of "()" torch gets one, without a name
    return [(kind, name) for kind, _, name in parts]


def _given(args: tuple, named: dict[str, Any]) -> str:
    """Return the types of what was given; without positional arguments a comma is left over, as in torch."""
    parts = [type_name(one) for one in args] + [f"{word}={type_name(value)}" for word, value in named.items()]
    return f"({', '.join(parts)}{', ' if parts and not args else ''})"


def _unknown(expected: list[tuple[str, str]], named: dict[str, Any]) -> list[str]:
    """Return the keywords that are no names of the last arguments."""
    names = [name for _, name in expected[max(0, len(expected) - len(named)):]]
    return [word for word in named if word not in names]


def _marked(expected: list[tuple[str, str]], args: tuple, named: dict[str, Any]) -> str:
    """Return the types of what was given, those that do not match between exclamation marks."""
    parts = []
    for place, (kind, name) in enumerate(expected):
        value = args[place] if place < len(args) else named[name]
        shown = f"{name}=" if place >= len(args) else ""
        if isinstance(value, (tuple, list)):
            inner = ", ".join(type_name(one) for one in value)
            inner = f"({inner}{',' if len(value) == 1 else ''})" if isinstance(value, tuple) else f"[{inner}]"
            shown += f"{type_name(value)} of {inner}"
        else:
            shown += type_name(value)
        parts.append(shown if _matches(kind, value) else f"!{shown}!")
    return f"({', '.join(parts)}{'' if args else ', '})"


def _matches(kind: str, value: Any) -> bool:
    """Say whether a value has the type that the list shows, by name."""
    accepted = {"float": ("float", "int"), "int": ("int",)}.get(kind, (kind,))
    return type_name(value) in accepted
