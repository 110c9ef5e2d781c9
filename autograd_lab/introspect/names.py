"""Find the names that the user gave to tensors: in the notebook's namespace, else where the call was written."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from types import FrameType
from typing import Any

LIMIT = 20_000  # objects looked at, all containers together
PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
HIDDEN = frozenset({"In", "Out", "exit", "quit", "get_ipython"})


def namespace() -> dict[str, Any]:
    """Return the variables in sight of the user's call: IPython's namespace, then the calling frame's."""
    found: dict[str, Any] = {}
    frame = _caller()
    if frame is not None:
        found.update(frame.f_globals)
        if frame.f_locals is not frame.f_globals:
            found.update(frame.f_locals)
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is not None:
        for name, value in shell.user_ns.items():
            found.setdefault(name, value)
    return {name: value for name, value in found.items() if not name.startswith("_") and name not in HIDDEN}


def name_tensors(variables: Mapping[str, Any], is_tensor: Any) -> dict[int, tuple[Any, list[str]]]:
    """Return every tensor among the variables with all its names, by `id`.

    One level of lists, tuples and dicts is opened (`weights[0]`), and whatever has `named_parameters()`
    (`model.fc1.weight`). A name of its own comes before a name inside a container.
    """
    found: dict[int, tuple[Any, list[str]]] = {}
    budget = LIMIT

    def note(name: str, value: Any) -> None:
        _, names = found.setdefault(id(value), (value, []))
        if name not in names:
            names.append(name)

    containers: list[tuple[str, Any]] = []
    for name, value in variables.items():
        if is_tensor(value):
            note(name, value)
        elif issubclass(type(value), (list, tuple, dict)) or _has_parameters(value):
            containers.append((name, value))
    for name, value in containers:
        for inner, item in _items(name, value):
            budget -= 1
            if budget < 0:
                return found
            if is_tensor(item):
                note(inner, item)
    return found


def _items(name: str, value: Any) -> Iterable[tuple[str, Any]]:
    try:
        if isinstance(value, dict):
            return [(f"{name}[{key!r}]", item) for key, item in list(value.items()) if isinstance(key, (str, int))]
        if isinstance(value, (list, tuple)):
            return [(f"{name}[{i}]", item) for i, item in enumerate(value)]
        return [(f"{name}.{inner}", item) for inner, item in value.named_parameters()]
    except Exception:  # a foreign object that breaks while it is looked at has no names to give
        return []


def _has_parameters(value: Any) -> bool:
    return not issubclass(type(value), type) and callable(getattr(type(value), "named_parameters", None))


def _caller() -> FrameType | None:
    """Return the first frame outside the package: there the user wrote the call."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None and frame.f_code.co_filename.startswith(PACKAGE):
        frame = frame.f_back
    return frame
