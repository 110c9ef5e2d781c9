"""Record torch's dtype tables, printed tensors and random draws into JSON, for tests that run without torch.

Run with torch 2.13.0: `python tests/golden/record_numbers.py`. Writes dtypes.json, printing.json and random.json
beside this file.
"""

from __future__ import annotations

import hashlib
import itertools
import json
from pathlib import Path

import torch

HERE = Path(__file__).parent
NAMES = ("uint8", "int8", "int16", "int32", "int64", "float16", "float32", "float64", "bool")


def save(name: str, facts: object) -> None:
    """Write the facts as JSON, one short line a fact."""
    (HERE / name).write_text(json.dumps(facts, separators=(",", ":")).replace('],"', '],\n"') + "\n", encoding="utf-8")


def name_of(dtype: torch.dtype) -> str:
    """Return 'float32' for torch.float32."""
    return str(dtype).removeprefix("torch.")


def record_dtypes() -> None:
    """Record attributes, limits and every meeting of two operands."""
    attributes = {}
    for name in NAMES:
        dtype = getattr(torch, name)
        attributes[name] = [
            repr(dtype), dtype.abbr, dtype.itemsize, dtype.is_floating_point, dtype.is_signed, dtype.is_complex,
            torch.ones(1, dtype=dtype).type(),
        ]  # fmt: skip
    aliases = {alias: name_of(getattr(torch, alias)) for alias in ("half", "float", "double", "short", "int", "long")}
    limits = {}
    for name in NAMES[:-1]:
        about = (torch.finfo if getattr(torch, name).is_floating_point else torch.iinfo)(getattr(torch, name))
        limits[name] = [repr(about), {key: getattr(about, key) for key in dir(about) if not key.startswith("_")}]

    # Operand classes: d has dimensions, z is 0-dim; numbers are spelt as they are.
    operands: dict[str, object] = {"True": True, "3": 3, "2.5": 2.5}
    for name in NAMES:
        operands[f"d {name}"] = torch.ones(2, dtype=getattr(torch, name))
        operands[f"z {name}"] = torch.ones((), dtype=getattr(torch, name))
    meetings: dict[str, dict[str, str]] = {}
    for default in ("float16", "float32", "float64"):
        torch.set_default_dtype(getattr(torch, default))
        meetings[default] = {
            f"{a} + {b}": name_of(torch.result_type(operands[a], operands[b]))
            for a, b in itertools.product(operands, operands)
        }
    torch.set_default_dtype(torch.float32)
    # The default dtype changes little: of the other two keep what differs.
    base = meetings["float32"]
    for default in ("float16", "float64"):
        meetings[default] = {pair: found for pair, found in meetings[default].items() if found != base[pair]}
    types = {f"{a} {b}": name_of(torch.promote_types(getattr(torch, a), getattr(torch, b)))
             for a, b in itertools.combinations_with_replacement(NAMES, 2)}  # fmt: skip
    casts = [f"{a} {b}" for a, b in itertools.product(NAMES, NAMES)
             if torch.can_cast(getattr(torch, a), getattr(torch, b))]  # fmt: skip
    save("dtypes.json", {"attributes": attributes, "aliases": aliases, "limits": limits, "meetings": meetings,
                         "promote_types": types, "can_cast": casts})  # fmt: skip


def record_printing() -> None:
    """Record the text of tensors of every dtype, shape and suffix; values None stand for arange in this shape."""
    inf, nan = float("inf"), float("nan")
    cases: list[tuple[str, list[int], list[float] | None, str, dict[str, object]]] = []
    for values in (
        [3.0], [-3.0], [0.0], [-0.0], [nan], [inf], [-inf], [1e8], [1.1e8], [1e-4], [9e-5], [123456789.0], [0.1], [1e5],
        [0.5], [2.25],
    ):  # fmt: skip
        cases += [(name, [], values, "", {}) for name in ("float32", "float64")]
    for values in (
        [1.0, 2.0], [1.0, 2.5], [0.1, 1000.0], [0.1, 100.0], [1.0, 1000.0], [1.0, 1001.0], [1.0, nan], [1.5, nan, inf],
        [0.0, 0.0], [nan, nan], [0.0, nan], [-1.0, -0.0, 10.0], [1e-5, 1.0], [1e9, nan], [1e9, 1.0, -inf], [-0.5, 0.25],
        [100000.0, 1.0], [0.99999, 1.0], [12345.678, 1.5],
    ):  # fmt: skip
        cases.append(("float32", [len(values)], values, "", {}))
    for name in NAMES:
        cases += [(name, [3], [0, 1, 1], "", {}), (name, [], [1], "", {}), (name, [0], [], "", {})]
        cases += [(name, [0, 3], [], "", {}), (name, [2, 13], None, "", {}), (name, [30], None, "", {})]
    cases += [("int64", [3], [-1, 20, 300], "", {}), ("float32", [2, 0], [], "leaf", {})]
    for length in range(7, 15):
        for suffix in ("", "leaf", "node"):
            cases += [("float32", [length], None, suffix, {}), ("float64", [length], None, suffix, {})]
    for shape in ([2, 2], [1, 1], [2, 2, 2], [2, 1, 2, 2], [1, 2, 1, 1, 2], [2, 20]):
        cases += [("float32", shape, None, "", {}), ("float64", shape, None, "node", {})]
    for shape in ([1000], [1001], [4, 251], [7, 8, 20], [1, 1001], [1001, 1]):
        cases += [("int64", shape, None, "", {}), ("float32", shape, None, "leaf", {})]
    for options in (
        {"precision": 2}, {"sci_mode": True}, {"sci_mode": False}, {"linewidth": 20}, {"threshold": 5},
        {"edgeitems": 1}, {"threshold": 3, "edgeitems": 1}, {"threshold": 3, "edgeitems": 0}, {"profile": "short"},
        {"profile": "full"}, {"profile": "full", "precision": 1}, {"precision": 0},
    ):  # fmt: skip
        cases += [("float32", [2], [1.23456, 1e-6], "", options), ("float32", [5, 5], None, "leaf", options)]
        cases += [("int64", [10], None, "", options), ("float64", [3], [0.0, nan, 12.5], "node", options)]

    facts = []
    for name, shape, values, suffix, options in cases:
        dtype = getattr(torch, name)
        size = torch.Size(shape).numel()
        tensor = torch.arange(size) if values is None else torch.tensor(values, dtype=torch.float64)
        tensor = tensor.to(dtype).reshape(shape)
        if suffix:
            tensor.requires_grad_()
        if suffix == "node":
            tensor = tensor * 1
        torch.set_printoptions(profile="default")
        torch.set_printoptions(**options)
        facts.append([name, shape, values, suffix, options, repr(tensor)])
    torch.set_printoptions(profile="default")
    save("printing.json", facts)


SEEDS = (0, 42, -1)


def record_random() -> None:
    """Record, for a few seeds, 20 draws of every function and dtype, and a run of calls on one generator."""
    floats, whole = ("float32", "float64", "float16"), ("uint8", "int8", "int16", "int32", "int64")
    draws: dict[str, list[object]] = {}

    def fill(method: str, name: str, *arguments: object, size: int = 20) -> object:
        return getattr(torch.empty(size, dtype=getattr(torch, name)), method)(*arguments).tolist()

    def dtype(name: str) -> dict[str, torch.dtype]:
        return {"dtype": getattr(torch, name)}

    for seed in SEEDS:
        calls: dict[str, object] = {}
        for name in floats:
            weights = torch.arange(1.0, 6.0).to(getattr(torch, name))
            calls |= {
                f"rand {name}": lambda n=name: torch.rand(20, **dtype(n)).tolist(),
                f"randn {name}": lambda n=name: torch.randn(20, **dtype(n)).tolist(),
                f"few randn {name}": lambda n=name: torch.randn(5, **dtype(n)).tolist(),
                f"uniform {name}": lambda n=name: fill("uniform_", n, -0.3, 1.1),
                f"normal {name}": lambda n=name: fill("normal_", n, 0.5, 2.0),
                f"exponential {name}": lambda n=name: fill("exponential_", n, 1.5),
                f"cauchy {name}": lambda n=name: fill("cauchy_", n, 0.5, 2.0),
                f"log_normal {name}": lambda n=name: fill("log_normal_", n, 0.5, 0.3),
                f"multinomial {name}": lambda w=weights: torch.multinomial(w, 3).tolist(),
                f"multinomial again {name}": lambda w=weights: torch.multinomial(w, 20, True).tolist(),
                f"bernoulli_of {name}": lambda w=weights: torch.bernoulli((w / 6).repeat(4)).tolist(),
            }
        for name in (*floats, *whole, "bool"):
            calls[f"random {name}"] = lambda n=name: fill("random_", n)
            calls[f"bernoulli {name}"] = lambda n=name: fill("bernoulli_", n, 0.3)
        for name in whole:
            calls[f"randint {name}"] = lambda n=name: torch.randint(0, 100, (20,), **dtype(n)).tolist()
            calls[f"randperm {name}"] = lambda n=name: torch.randperm(20, **dtype(n)).tolist()
        calls["geometric int64"] = lambda: fill("geometric_", "int64", 0.3)
        calls["wide int64"] = lambda: torch.randint(-5, 2**40, (20,)).tolist()
        for name, call in calls.items():
            torch.manual_seed(seed)
            draws.setdefault(name, []).append(call())

    torch.manual_seed(5)
    run = [
        torch.rand(3).tolist(), torch.randn(3).tolist(), torch.randint(0, 10, (4,)).tolist(), torch.randn(2).tolist(),
        torch.randn(17).tolist(), torch.randn(1, dtype=torch.float64).tolist(), torch.randperm(5).tolist(),
    ]  # fmt: skip
    states = {}
    for seed in SEEDS:
        generator = torch.Generator().manual_seed(seed)
        fresh = generator.get_state().numpy().tobytes()
        torch.randn(3, generator=generator)
        states[seed] = [generator.initial_seed(), hashlib.sha256(fresh).hexdigest(),
                        hashlib.sha256(generator.get_state().numpy().tobytes()[:5016]).hexdigest()]  # fmt: skip
    save("random.json", {"draws": draws, "run": run, "states": states})


if __name__ == "__main__":
    record_dtypes()
    record_printing()
    record_random()
