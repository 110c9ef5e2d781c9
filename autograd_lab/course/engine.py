"""Put the learner's parts into the small engine, to check them and to keep them in `my_grad.py`."""

from __future__ import annotations

import ast
import dis
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
HEAD = '"""my_grad: my own engine. What stands under “mine” is what I wrote; the last lines borrow the rest."""\n\n'
BORROW = """\
# What I have not written yet comes from the course.
from autograd_lab.course.engine import lend

borrowed = lend(globals())
"""


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
        sources = {one.__name__: source_of(one) for one in answers}
    except (OSError, TypeError, SyntaxError):
        return "Your source could not be read, so my_grad.py stays as it was."
    record = store.update(lambda kept: kept.setdefault("engine", {}).update(sources))
    place = store.place()
    name = _write(place.parent, file_text(record["engine"])) if place else FILE
    said = f"Kept in {name}: {', '.join(sources)}."
    strange = sorted(set().union(*(_from_notebook(one) for one in answers)) - set(vars(build())) - set(sources))
    if strange:
        said += f"\nIt needs {', '.join(strange)} of this notebook, which {name} has not: bring it into your function."
    return said


def source_of(answer: Any) -> str:
    """Return the source of a function or of a class, also of a class that stands in a notebook's cell.

    Raises OSError, TypeError or SyntaxError where it cannot be found.
    """
    if not isinstance(answer, type):
        return textwrap.dedent(inspect.getsource(answer))
    # inspect looks for a class in its module's file, and a notebook has none. Its methods know their cell.
    methods = [part for part in vars(answer).values() if isinstance(part, types.FunctionType)]
    if not methods:
        raise TypeError(f"{answer.__name__} has no methods")
    text = "".join(inspect.findsource(methods[0])[0])
    line = methods[0].__code__.co_firstlineno
    classes = (part for part in ast.walk(ast.parse(text)) if isinstance(part, ast.ClassDef))
    for found in classes:
        if found.name == answer.__name__ and found.lineno <= line <= (found.end_lineno or line):
            return textwrap.dedent("\n".join(text.splitlines()[found.lineno - 1 : found.end_lineno])) + "\n"
    raise OSError(f"the class {answer.__name__} is not in its cell")


def _from_notebook(answer: Any) -> set[str]:
    """Return the names that a function or a class takes from the notebook around it."""
    functions = vars(answer).values() if isinstance(answer, type) else [answer]
    found: set[str] = set()
    for function in functions:
        if isinstance(function, types.FunctionType):
            found |= _globals_of(function.__code__) & set(function.__globals__)
    return found


def _globals_of(code: types.CodeType) -> set[str]:
    names = {step.argval for step in dis.get_instructions(code) if step.opname in ("LOAD_GLOBAL", "LOAD_NAME")}
    return names.union(*(_globals_of(inner) for inner in code.co_consts if isinstance(inner, types.CodeType)))


def file_text(own: dict[str, str]) -> str:
    """Return the text of my_grad.py: what is given, the learner's parts, and a line that borrows all other parts."""
    text = SOURCE.read_text(encoding="utf-8")
    text = HEAD + text.partition('"""\n\n')[2]
    for name, (chapter, source) in parts().items():
        mine = f"# {name} (chapter {chapter}): mine\n{own[name].strip()}\n\n\n" if name in own else ""
        text = text.replace(f"# part {name} (chapter {chapter})\n{source}\n\n", mine)
    return text.replace("# part end\n", "").rstrip() + f"\n\n\n{BORROW}"


def lend(space: dict[str, Any]) -> list[str]:
    """Put the course's parts in place of those that a my_grad.py does not have yet; return their names."""
    missing = [name for name in parts() if name not in space]
    for name in missing:
        exec(compile(solution(name), "my_grad.py", "exec"), space)
    return missing


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
