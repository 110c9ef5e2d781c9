"""Type the oracle's statements at a prompt of the lab, and compare what it shows with what torch showed.

    python -m tests.golden.replay autograd_lab                  one line an entry that differs, then the count
    python -m tests.golden.replay autograd_lab --only S1 -v     each difference of the entries S1-...
    python -m tests.golden.replay torch                         the same on the real torch

`oracle.jsonl` holds one entry a line: `id`, `title`, `flag` (what the source document gets wrong) and `steps`, pairs of
a statement and of what torch 2.13.0 shows for it: printed text, the repr of a value, warnings, the exception. The steps
of an entry share one namespace, and go on after an error.
"""

import argparse
import ast
import contextlib
import importlib
import io
import json
import re
import sys
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType

from tests.golden.standin import stand_in

ORACLE = Path(__file__).with_name("oracle.jsonl")


@dataclass(frozen=True)
class Entry:
    """One behaviour of torch: a title and the statements that show it."""

    id: str
    title: str
    steps: tuple[tuple[str, str], ...]


def entries(prefix: str = "") -> list[Entry]:
    """Return the oracle's entries whose id begins with `prefix`."""
    rows = map(json.loads, ORACLE.read_text(encoding="utf-8").splitlines())
    return [
        Entry(row["id"], row["title"], tuple(map(tuple, row["steps"])))
        for row in rows
        if row["id"].startswith(prefix)
    ]


#: What may differ between two runs or two builds, and what it is folded to, in this order.
FOLDS = (
    (re.compile(r"0x[0-9a-f]+"), "0x..."),  # addresses
    (re.compile(r" \(Triggered internally at [^)]*\)"), ""),  # a line of torch's C++ source
)
#: The frames of a traceback inside a message: a path, then source lines indented by four.
FRAMES = re.compile(r'  File "[^\n]*\n(    [^\n]*\n)*')


def fold(text: str, module_name: str) -> str:
    """Return `text` without what no run can repeat; the module's own name reads `torch`."""
    for pattern, replacement in FOLDS:
        text = pattern.sub(replacement, text)
    text = re.sub(rf"\b{re.escape(module_name)}\b", "torch", text)
    text = FRAMES.sub("", text)
    return "\n".join(line.rstrip() for line in text.strip("\n").split("\n"))


class Prompt:
    """A Python prompt with torch's usual imports done, which tells what each statement shows."""

    def __init__(self, torch: ModuleType) -> None:
        self.module_name = torch.__name__
        self.names: dict[str, object] = {"__name__": "__main__", "torch": torch}
        exec("import warnings, gc, numpy as np", self.names)
        self.names["Function"] = torch.autograd.Function
        self.names["Variable"] = torch.autograd.Variable
        self.names["AF"] = importlib.import_module(f"{self.module_name}.autograd.functional")
        torch.set_grad_enabled(True)
        torch.manual_seed(0)
        if hasattr(torch, "set_warn_always"):
            torch.set_warn_always(True)

    def show(self, source: str) -> str:
        """Run one statement and return all that it shows, folded."""
        screen = io.StringIO()
        error = ""
        with (
            warnings.catch_warnings(record=True) as caught,
            contextlib.redirect_stdout(screen),
            contextlib.redirect_stderr(screen),
        ):
            warnings.simplefilter("always")
            try:
                self._run(source)
            except BaseException as exception:  # SystemExit or a panic is an answer too
                kind = type(exception)
                error = f"[raises {kind.__module__}.{kind.__name__}] {exception}"
        parts = [screen.getvalue()]
        parts += [f"[warning {warning.category.__name__}] {warning.message}\n" for warning in caught]
        parts.append(error)
        shown = "".join(part if part.endswith("\n") else f"{part}\n" for part in parts if part)
        return fold(shown, self.module_name)

    def _run(self, source: str) -> None:
        statement = ast.parse(source).body[0]
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), "<step>", "exec"), self.names)
            return
        value = eval(compile(ast.Expression(statement.value), "<step>", "eval"), self.names)
        if value is not None:
            print(repr(value))


def replay(module_name: str, prefix: str = "") -> Iterator[tuple[Entry, list[str]]]:
    """Yield each entry with what the module shows for its statements, one prompt an entry."""
    torch = stand_in(module_name)
    for entry in entries(prefix):
        prompt = Prompt(torch)
        yield entry, [prompt.show(source) for source, _ in entry.steps]


def differences(entry: Entry, shown: list[str]) -> list[int]:
    """Return the numbers of the statements that show something else than the oracle says."""
    return [number for number, (_, want) in enumerate(entry.steps) if fold(want, "torch") != shown[number]]


def explain(entry: Entry, number: int, shown: str) -> str:
    """Return one difference as a reader wants to see it: statement, what torch shows, what came."""
    source, want = entry.steps[number]
    typed = source.replace("\n", "\n   ... ")
    return f"   {number:3} >>> {typed}\n   torch {want!r}\n   here  {shown!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="?", default="autograd_lab")
    parser.add_argument("--only", default="", help="ids that begin so")
    parser.add_argument("-v", "--verbose", action="store_true", help="show each difference")
    parser.add_argument("--jsonl", type=Path, help="write what was shown to this file instead, one entry a line")
    options = parser.parse_args()

    if options.jsonl:
        # Line by line, so that what a crash leaves behind tells which entry crashed.
        with options.jsonl.open("w", encoding="utf-8") as out:
            for entry, shown in replay(options.module, options.only):
                print(json.dumps({"id": entry.id, "shown": shown}), file=out, flush=True)
        return

    agreeing = statements = whole = total = 0
    for entry, shown in replay(options.module, options.only):
        wrong = differences(entry, shown)
        statements += len(shown)
        agreeing += len(shown) - len(wrong)
        total += 1
        whole += not wrong
        if wrong:
            print(f"{entry.id}: {len(wrong)} of {len(shown)} differ {wrong}: {entry.title}")
        if options.verbose:
            for number in wrong:
                print(explain(entry, number, shown[number]))
    print(f"{options.module}: {agreeing}/{statements} statements, {whole}/{total} entries agree")
    sys.exit(agreeing < statements)


if __name__ == "__main__":
    main()
