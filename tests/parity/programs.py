"""Random small programs, run statement by statement on the lab and on torch, and compared in everything one can see.

A program is a list of small integer tuples, so that hypothesis can shrink it; `write` turns it into source lines.
"""

from __future__ import annotations

import copy
import difflib
import math
import pickle
import re
import warnings
from typing import Any

from tests.parity.rounding import rounding
from tests.parity.vocabulary import (
    AROUND,
    BINARY,
    CREATE,
    FUNCTIONS,
    GRAPH,
    HOOKED,
    HOOKS,
    IN_PLACE,
    PACKED,
    STATES,
    UNARY,
    VIEWS,
    functions,
)  # fmt: skip

KINDS = (
    (CREATE, True), (UNARY, True), (UNARY, True), (BINARY, True), (BINARY, True), (VIEWS, True), (VIEWS, True),
    (VIEWS, True), (IN_PLACE, False), (IN_PLACE, False), (IN_PLACE, False), (GRAPH, False), (GRAPH, False),
    (GRAPH, False), (GRAPH, False), (HOOKS, False), (FUNCTIONS, True), (STATES, False), (PACKED, True),
)  # fmt: skip
INFERRED = (VIEWS, IN_PLACE, GRAPH, STATES)     # what is computed in inference mode has pages of its own
NAMES = 12


def write(program: list[tuple[int, int, int, int, int]]) -> list[str]:
    """Turn integer tuples into source lines; names are a0, a1, … in order of creation."""
    lines = ["a0 = torch.tensor([1., 2., 3.], requires_grad=True)",
             "a1 = torch.tensor([[1., -2., 0.5], [4., 0.25, -1.]], requires_grad=True)"]  # fmt: skip
    count = 2
    for kind, choice, a, b, mode in program:
        templates, creates = KINDS[kind % len(KINDS)]
        # Late names are likelier: chains grow.
        text = templates[choice % len(templates)].format(a=f"a{count - 1 - a % count}", b=f"a{count - 1 - b % count}")
        if creates and count < NAMES:
            text = f"a{count} = {text}"
            count += 1
        if templates is PACKED:
            text = HOOKED[mode % 4 % 3 % 2] + text
        elif mode < 3 and "lambda" not in text and not text.startswith("with"):
            around = AROUND[mode]
            if "inference" in around and (templates not in INFERRED or ".data" in text or "detach_" in text):
                around = AROUND[0]
            text = around + text
        lines.append(text)
    return lines


def clean(text: str) -> str:
    """Fold together what may differ: addresses, the package's name, C++ places."""
    text = re.sub(r"0x[0-9a-f]+", "0x...", text)
    text = re.sub(r" \(Triggered internally at [^)]*\)", "", text)
    return text.replace("autograd_lab", "torch")


def read(value: Any, what: Any) -> Any:
    """Read something of a tensor; an error is something to see, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return what(value)
        except RuntimeError as error:
            return f"raises {error}"


def edges(value: Any) -> list[str]:
    """Return the names of the node and of what it leads to."""
    node = value.grad_fn
    return [] if node is None else [type(node).__name__, *(f"{type(f).__name__}:{k}" for f, k in node.next_functions)]


def numbers(value: Any) -> str:
    """Say what a tensor holds, faster than `repr` does."""
    if value is None or not hasattr(value, "requires_grad"):
        return repr(value)
    flat = value.detach().reshape(-1).tolist()
    texts = [f"{one:.4f}" if abs(one) < 1e4 else f"{one:.4e}" for one in flat]
    return f"{tuple(value.shape)} {value.dtype} {value.requires_grad} {' '.join(texts)}"


def version(value: Any) -> int:
    """Return a tensor's version, or 0 where there is none."""
    return value._version if hasattr(value, "_version") and not value.is_inference() else 0


def grad_of(value: Any) -> Any:
    """Return a tensor's gradient, or what can stand for it."""
    return value.detach() if value.grad is None else value.grad


def look(value: Any, start: int | None, printed: bool) -> str:
    """Say everything visible about a tensor; `printed` with `repr`, too.

    Versions are counted from `start`, for torch counts what it added into a `.grad`, too; None: they are not shown.
    """
    base = None if value._base is None else tuple(value._base.shape)
    flags = read(value, lambda t: t.is_leaf), value.requires_grad, value.is_inference()
    grad = read(value, lambda t: t.grad)
    count = read(value, lambda t: None if start is None else t._version - start)
    text = f"{read(value, numbers)} | {read(value, edges)} | v{count} | {flags} | {base} | {numbers(grad)}"
    return f"{text} | {value!r} | {grad!r}" if printed else text


def run(lines: list[str], torch: Any) -> list[str]:
    """Run a program; return what could be seen after each statement."""
    seen: list[str] = []
    events: list[str] = []
    starts: dict[str, int | None] = {}
    infers = False      # a tensor was made in inference mode; how torch computes with those shows in versions

    def log(*what: Any) -> None:
        events.append(" ".join(repr(one) for one in what))

    space: dict[str, Any] = {"torch": torch, "log": log, "handles": [], "F": functions(torch), "copy": copy,
                             "pickle": pickle, "grad_of": grad_of}  # fmt: skip
    torch.set_grad_enabled(True)
    for number, line in enumerate(lines):
        error = ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(line, space)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        said = [str(one.message) for one in caught]
        last = number == len(lines) - 1
        name = re.match(r"(?:with .*: )?(a\d+) = (grad_of\()?", line)
        made = space.get(name[1]) if name else None
        if name and (infers or name[2]):
            starts[name[1]] = None if infers else version(made)
        elif name and starts and not getattr(made, "requires_grad", False):
            starts[name[1]] = None      # it may share a gradient's memory, and its version
        infers = infers or any(isinstance(one, torch.Tensor) and one.is_inference() for one in space.values())
        state = [f"{name}: {look(value, starts.get(name, 0), last)}" for name, value in space.items()
                 if re.fullmatch(r"a\d+", name) and isinstance(value, torch.Tensor)]  # fmt: skip
        seen.append(clean("\n".join([line, error, *said, *events, *state])))
        events.clear()
    torch.set_grad_enabled(True)
    return seen


# With what stands before it: a residue such as 3e-08 widens its whole tensor, and breaks lines elsewhere.
NUMBER = re.compile(r"\s*-?\d+\.\d*(?:e[+-]\d+)?")


def split(text: str) -> tuple[str, list[float]]:
    """Return a text without its float numbers, and the numbers."""
    return re.sub(r"\s+", " ", NUMBER.sub("#", text)), [float(one) for one in NUMBER.findall(text)]


def alike(mine: str, real: str) -> bool:
    """Say whether two texts differ only in the last digits of float32 numbers (their kernels' exp, sin … do)."""
    (ours, numbers), (theirs, others) = split(mine), split(real)
    return ours == theirs and all(math.isclose(a, b, rel_tol=3e-5, abs_tol=1.01e-4)
                                  for a, b in zip(numbers, others, strict=True))  # fmt: skip


def compare(lines: list[str], lab: Any, torch: Any) -> None:
    """Raise AssertionError at the first statement after which the two can be told apart."""
    ours, theirs = run(lines, lab), run(lines, torch)
    for k, (mine, real) in enumerate(zip(ours, theirs, strict=True)):
        if mine != real and not alike(mine, real):
            if "INTERNAL ASSERT" in real:
                return      # torch says itself that it is wrong here
            why = rounding(run, lines, torch, k, mine, real, split)
            if why == "course":
                return
            if why:
                continue
            told = difflib.unified_diff(mine.split("\n"), real.split("\n"), "lab", "torch", lineterm="", n=0)
            raise AssertionError("\n".join(["program:", *lines[: k + 1], "differs:", *told]))
