"""Write core/signatures.txt: what the argument parser of the installed torch accepts for each name that the lab has.

The parser's signatures stand as text in torch's library; which of them belong to a name, and in which order, its own
error messages say. Run with torch 2.13.0 on Linux: `python -m tests.golden.record_signatures`.
"""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace

import torch

import autograd_lab
from autograd_lab.core.signatures import read

TARGET = Path(autograd_lab.__file__).parent / "core" / "signatures.txt"
LIBRARY = Path(torch.__file__).parent / "lib" / "libtorch_python.so"
ANYTHING = object()
# What Python functions of torch.nn.functional hand their arguments on to.
INNER = ("batch_norm", "cdist", "celu", "cross_entropy_loss", "elu", "embedding", "glu", "hardtanh", "im2col", "kl_div",
         "layer_norm", "leaky_relu", "max_pool2d", "nll_loss_nd", "pad", "rms_norm", "threshold")  # fmt: skip


def inner(name: str):
    """Return a function that torch.nn.functional calls under this name."""
    return getattr(torch._C._nn, name, None) or getattr(torch._C._VariableFunctions, name)


def texts() -> list[str]:
    """Return all signatures in the library; a text may be the end of a longer one, and is cut out of it."""
    found: list[str] = []
    for part in re.findall(rb"[\x20-\x7e]{4,}", LIBRARY.read_bytes()):
        text = part.decode()
        if re.fullmatch(r"[A-Za-z_0-9]+\(.*\)(\|deprecated)?", text):
            found.append(text)
    return found


def candidates(name: str, known: list[str]) -> list[str]:
    """Return the signatures of a name."""
    found = [text for text in known if text.startswith(name + "(")]
    ends = [text[text.index(name + "("):] for text in known
            if re.match(rf"[A-Za-z0-9_]+{name}\(", text) and "|" not in text]
    return list(dict.fromkeys([*found, *ends]))


def parses(text: str) -> bool:
    """Say whether a text is a signature in the parser's notation."""
    try:
        read(text)
    except AssertionError:
        return False
    return True


def message(call, *args, **kwargs) -> str:
    """Return the text of the TypeError that a call ends in, or nothing."""
    try:
        call(*args, **kwargs)
    except TypeError as error:
        return str(error)
    except Exception:
        return ""
    return ""


def listed(call) -> tuple[str, list[str]]:
    """Return the name that messages use and the signatures that they list."""
    name, shown = "", []
    for count in (0, 1, 2, 3, 4, 5, 6, 12):
        text = message(call, *[ANYTHING] * count)
        name = name or text.partition("(")[0].strip()
        if "invalid combination" in text:
            shown = re.findall(r"^ \* (\(.*\))$", text, re.M) or re.findall(r"but expected (\(.*\))$", text)
            return text.partition("(")[0], shown
    return name, shown


def signatures(call, method: bool, shared: bool, known: list[str]) -> list[str]:
    """Return the signatures of one function or bound method, in the parser's order."""
    name, shown = listed(call)
    if not re.fullmatch(r"\w+", name):
        return []
    found = [text for text in candidates(name, known) if parses(text)]
    if shown:
        hidden = [text for text in found if read(text)[1].hidden and takes_input(text) != method]
        by_text = {}
        for text in found:
            if not read(text)[1].hidden:
                by_text.setdefault(read(text)[1].text, text)
        return [by_text[one] for one in shown] + hidden if all(one in by_text for one in shown) else []
    if shared:
        found = [text for text in found if starts_with_tensor(text) != method]
    return [text for text in found if agrees(call, text)][:1]


def starts_with_tensor(text: str) -> bool:
    """Say whether the first parameter is the tensor that a method takes from before the dot."""
    parameters = read(text)[1].parameters
    return bool(parameters) and parameters[0].name in ("input", "self") and parameters[0].kind == "Tensor"


def takes_input(text: str) -> bool:
    """Say whether any parameter is the tensor that a method takes from before the dot."""
    return any(one.name == "input" for one in read(text)[1].parameters)


def agrees(call, text: str) -> bool:
    """Say whether the signature explains what torch says to calls without arguments and with too many."""
    from autograd_lab.core.calls import _check
    from autograd_lab.core.signatures import Entry

    entry = Entry(read(text)[0], (read(text)[1],))
    for args, kwargs in (((), {}), ((ANYTHING,) * 15, {}), ((), {"unheard_of": 1}), ((ANYTHING,), {})):
        said = message(call, *args, **kwargs)
        try:
            _check(entry, args, kwargs, "torch")
        except TypeError as error:
            if str(error) != said:
                return False
        else:
            if re.search("missing|unexpected keyword|positional", said):
                return False
    return True


def section(title: str, names, owner, known: list[str], missing: list[str]) -> list[str]:
    """Return the lines of one part of the table."""
    method = title == "Tensor"
    lines = [f"[{title}]"]
    for name in sorted(names):
        real = getattr(owner, name, None)
        kind = type(real).__name__
        if kind not in ("builtin_function_or_method", "method_descriptor"):
            continue
        call = getattr(torch.ones(2, 3), name) if method else real
        if "takes no arguments" in message(call, 1):
            lines.append(name)
            continue
        shared = title in ("torch", "Tensor") and hasattr(torch, name) and hasattr(torch.Tensor, name)
        found = signatures(call, method, shared, known)
        if found:
            lines += [name, *("    " + text for text in found)]
        else:
            missing.append(f"{title}.{name}")
    return lines


def lines() -> tuple[list[str], list[str]]:
    """Return the lines of the table, and the names of which torch's library says nothing."""
    known, missing = texts(), []
    functions = [name for name in autograd_lab.__all__ if not name.startswith("_")]
    methods = [name for name in dir(autograd_lab.Tensor) if not name.startswith("_")]
    functional = [name for name in dir(autograd_lab.nn.functional) if not name.startswith("_")]
    linalg = [name for name in dir(autograd_lab.linalg) if not name.startswith("_")]
    return [
        *section("torch", functions, torch, known, missing),
        *section("Tensor", methods, torch.Tensor, known, missing),
        *section("nn", functional, torch.nn.functional, known, missing),
        *section("linalg", linalg, torch.linalg, known, missing),
        *section("inner", INNER, SimpleNamespace(**{name: inner(name) for name in INNER}), known, missing),
    ], missing


def main() -> None:
    """Write the table."""
    found, missing = lines()
    TARGET.write_text("\n".join(found) + "\n", encoding="utf-8")
    print(f"{len(found)} lines; not found: {', '.join(missing)}")


if __name__ == "__main__":
    main()
