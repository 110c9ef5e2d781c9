"""Put the learner's parts into the small engine, to check them and to keep them in `my_grad.py`."""

from __future__ import annotations

import hashlib
import inspect
import re
import textwrap
import types
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograd_lab.course import record as store

SOURCE = Path(__file__).with_name("my_grad.py")
FILE = "my_grad.py"


def parts() -> dict[str, tuple[str, str]]:
    """Return the parts in their order: name → (chapter, the course's own source)."""
    text = SOURCE.read_text(encoding="utf-8")
    found = {}
    for block in re.split(r"(?m)^# part ", text)[1:-1]:
        head, _, source = block.partition("\n")
        name, chapter = re.fullmatch(r"(\w+) \(chapter (\d\d)\)", head.strip()).groups()  # type: ignore[union-attr]
        found[name] = (chapter, source.strip() + "\n")
    return found


def solution(*names: str) -> str:
    """Return the course's source of one or more parts."""
    known = parts()
    return "\n\n".join(known[name][1] for name in names)


def build(answers: Iterable[Any] = ()) -> types.SimpleNamespace:
    """Return a fresh engine in which the given functions and classes stand in place of the course's own.

    They see the engine's names (Value, order, save …), so that a part works even if the learner left others undone.
    """
    space: dict[str, Any] = {"__name__": "my_grad"}
    exec(compile(SOURCE.read_text(encoding="utf-8"), "my_grad.py", "exec"), space)
    for answer in answers:
        space.update(getattr(answer, "extra", {}))
        space[answer.__name__] = _rebound(answer, space)
    return types.SimpleNamespace(**space)


def keep(exercise: Any, answer: Any) -> str:
    """Keep a right part in the learner's my_grad.py; return the sentence that says so."""
    answers = answer if isinstance(answer, (list, tuple)) else [answer]
    try:
        sources = {one.__name__: textwrap.dedent(inspect.getsource(one)) for one in answers}
    except (OSError, TypeError):
        return "Your source could not be read, so my_grad.py stays as it was."
    record = store.update(lambda kept: kept.setdefault("engine", {}).update(sources))
    place = store.place()
    name = _write(place.parent, file_text(record["engine"])) if place else FILE
    return f"Kept in {name}: {', '.join(sources)}."


def file_text(own: dict[str, str]) -> str:
    """Return the text of my_grad.py with the learner's parts in place of the course's."""
    text = SOURCE.read_text(encoding="utf-8")
    head = '"""my_grad: my own engine. A part marked “mine” is what I wrote; the others come from the course."""\n'
    text = head + text.partition('"""\n\n')[2].join(["\n", ""])
    for name, (chapter, source) in parts().items():
        old = f"# part {name} (chapter {chapter})\n{source}"
        new = f"# {name} (chapter {chapter}): mine\n{own[name].strip()}\n" if name in own else old
        text = text.replace(old, new.replace("# part ", "# ") if name not in own else new)
    return text.replace("# part end\n", "")


def _write(folder: Path, text: str) -> str:
    """Write my_grad.py, unless the learner changed it by hand: then the new one gets another name."""
    path, mark = folder / FILE, "# written by autograd_lab: "
    stamped = f"{text}\n{mark}{hashlib.sha256(text.encode()).hexdigest()[:12]}\n"
    if path.exists():
        old, _, stamp = path.read_text(encoding="utf-8").rpartition(f"\n{mark}")
        if hashlib.sha256(old.encode()).hexdigest()[:12] != stamp.strip():
            path = folder / "my_grad_new.py"
    path.write_text(stamped, encoding="utf-8")
    return path.name


def _rebound(answer: Any, space: dict[str, Any]) -> Any:
    """Return the same code with the engine's names before the notebook's."""
    if isinstance(answer, type):
        members = {
            name: _rebound(value, space)
            for name, value in vars(answer).items()
            if isinstance(value, types.FunctionType)
        }
        return type(answer.__name__, answer.__bases__, {**vars(answer), **members})
    if not isinstance(answer, types.FunctionType):
        return answer
    for name, value in answer.__globals__.items():
        space.setdefault(name, value)
    copy = types.FunctionType(answer.__code__, space, answer.__name__, answer.__defaults__, answer.__closure__)
    copy.__kwdefaults__ = answer.__kwdefaults__
    return copy
