"""Hold a small engine to what torch computes: the count at the end of chapter 12."""

from __future__ import annotations

import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from autograd_lab.course import engine


def _backward(name: str, make: Callable[..., Any], *at: Any) -> Callable[[Any], Any]:
    def run(mine: Any) -> list[Any]:
        leaves = [mine.Value(one) for one in at]
        mine.backward(make(mine, *leaves))
        return [leaf.grad.data.tolist() for leaf in leaves]

    run.__name__ = name
    return run


def _raises(mine: Any) -> str:
    x = mine.Value([1.0, 2.0])
    y = mine.exp(x)
    mine.write_(y, [0.0, 0.0])
    try:
        mine.backward(mine.total(y))
    except RuntimeError as error:
        return "exp" if re.search(r"\bExp|\bexp\b", str(error)) else "an error that does not name exp"
    return "no error"


def _accumulates(mine: Any) -> list[float]:
    x = mine.Value([1.0, 2.0])
    for _ in range(3):
        mine.backward(mine.total(x * x))
    return x.grad.data.tolist()


def _hook(mine: Any) -> list[float]:
    x = mine.Value([1.0, 2.0])
    y = x * x
    y.hooks.append(lambda grad: grad * 10)
    mine.backward(mine.total(y))
    return x.grad.data.tolist()


def _grad(mine: Any) -> list[Any]:
    x, unused = mine.Value([1.0, 2.0]), mine.Value([1.0])
    found = mine.grad(mine.total(x * x * x), [x, unused])
    return [found[0].data.tolist(), found[1], x.grad]


def _quiet(mine: Any) -> bool:
    x = mine.Value([1.0])
    with mine.no_grad():
        y = x * x
    return bool(y.parents)


def _deep(mine: Any) -> float:
    x = value = mine.Value(1.0)
    for _ in range(3000):
        value = value + 1.0
    mine.backward(value)
    return float(x.grad.data)


def _youngest_first(mine: Any) -> bool:
    a = mine.Value(1.0)
    numbers = [value.number for value in mine.by_number(a * a + a)]
    return numbers == sorted(numbers, reverse=True) and len(numbers) == 3


def _custom(mine: Any) -> list[float]:
    x = mine.Value([0.0, 1.0])
    y = mine.custom(np.sin, lambda grad, array: [grad * np.cos(array)], x)
    mine.backward(mine.total(y))
    return [round(one, 6) for one in x.grad.data.tolist()]


CASES: dict[str, tuple[Callable[[Any], Any], Any]] = {
    "a product": (_backward("product", lambda m, a, b: m.total(a * b), [1.0, 2.0], [3.0, 4.0]), [[3, 4], [1, 2]]),
    "a value used twice": (_backward("twice", lambda m, a: m.total(a * a), [1.0, 2.0]), [[2, 4]]),
    "a diamond": (_backward("diamond", lambda m, a: (a + a) + (a + a), 1.0), [4]),
    "a shared part": (_backward("shared", lambda m, a, b: (a * b + a) * (a * b), 2.0, 3.0), [48, 28]),
    "an exponential": (_backward("exp", lambda m, a: m.total(m.exp(a * 0.0)), [1.0, 2.0]), [[0, 0]]),
    "a stretched number": (_backward("number", lambda m, a, b: m.total(a * b), 2.0, [1.0, 3.0]), [4, [2, 2]]),
    "a stretched axis": (
        _backward("axis", lambda m, a, b: m.total(a * b), [[1.0], [2.0]], [[3.0, 4.0]]),
        [[[7], [7]], [[3, 3]]],
    ),
    "three backwards add up": (_accumulates, [6, 12]),
    "a write into a saved value": (_raises, "exp"),
    "a hook": (_hook, [20, 40]),
    "grad writes nothing": (_grad, [[3, 12], None, None]),
    "no_grad": (_quiet, False),
    "a chain of 3,000 values": (_deep, 1),
    "the youngest first": (_youngest_first, True),
    "a function of your own": (_custom, [1, 0.540302]),
    "three derivatives of a cube": (lambda m: m.higher(lambda x: x * x * x, 2.0, 3), [8, 12, 12, 6]),
    "derivatives of exp": (lambda m: m.higher(lambda x: m.exp(x * 2.0), 0.0, 3), [1, 2, 4, 8]),
}


def conformance() -> None:
    """Run every case on my_grad.py of this folder, or on the course's own engine when there is none, and count."""
    path = Path.cwd() / engine.FILE
    if path.exists():
        mine = _load(path)
        every = engine.parts()
        print(f"engine: {path.name}, {len(every) - len(getattr(mine, 'borrowed', ()))} of {len(every)} parts are yours")
    else:
        mine = engine.build()
        print("engine: the course’s own (your my_grad.py is not here yet)")
    failed = failures(mine)
    print(f"{len(CASES) - len(failed)} of {len(CASES)} cases agree with torch")
    for name, words in failed.items():
        print(f"  ✗ {name}: {words}")


def failures(mine: Any) -> dict[str, str]:
    """Return what an engine gets wrong: case → what came out."""
    found = {}
    for name, (run, wanted) in CASES.items():
        try:
            got = run(mine)
        except Exception as error:
            found[name] = f"{type(error).__name__}: {error}"
            continue
        if got != wanted:
            found[name] = f"{got}, not {wanted}"
    return found


def _load(path: Path) -> types.SimpleNamespace:
    space: dict[str, Any] = {"__name__": "my_grad"}
    exec(compile(path.read_text(encoding="utf-8"), str(path), "exec"), space)
    return types.SimpleNamespace(**space)
