"""Record torch's dtype tables, printed tensors and random draws into JSON, for tests that run without torch.

Run with torch 2.13.0: `python tests/golden/record_numbers.py`. Writes dtypes.json, printing.json and random.json
beside this file.
"""

from __future__ import annotations

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


if __name__ == "__main__":
    record_dtypes()
