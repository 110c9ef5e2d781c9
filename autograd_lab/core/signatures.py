"""What torch accepts: the signatures of its functions and methods, read from a table when a call looks unusual.

`signatures.txt` says for each public name what torch 2.13's own argument parser knows, an overload a line, in torch's
notation: `sum(Tensor input, IntArrayRef[1]? dim, bool keepdim=False, *, ScalarType? dtype=None)`. It is data, written
by `tests/golden/record_signatures.py`. It is opened when a call fails or has classes of arguments not seen before.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import NamedTuple

# How torch's messages call the types of its notation.
SHOWN = {
    "Tensor": "Tensor", "Scalar": "Number", "int64_t": "int", "SymInt": "int", "double": "float", "bool": "bool",
    "TensorList": "tuple of Tensors", "c10::List<::std::optional<Tensor>>": "tuple of Tensors",
    "IntArrayRef": "tuple of ints", "SymIntArrayRef": "tuple of ints", "ArrayRef<double>": "tuple of floats",
    "ScalarList": "tuple of Scalars", "ScalarType": "torch.dtype", "Layout": "torch.layout", "Device": "torch.device",
    "MemoryFormat": "torch.memory_format", "Generator": "torch.Generator", "Storage": "torch.Storage",
    "c10::string_view": "str", "std::string_view": "str", "std::string": "str", "PyObject*": "object",
    "DeviceIndex": "int", "Stream": "Stream",
}  # fmt: skip
NUMPY_NAMES = {"dim": ("axis",), "keepdim": ("keepdims",), "input": ("x", "a", "x1"), "other": ("x2",)}


class Parameter(NamedTuple):
    """One parameter of a signature."""

    kind: str               # torch's name of the type
    size: int               # of a list that may also be given as one number, else 0
    name: str
    default: str | None     # as the messages show it
    may_be_none: bool
    keyword_only: bool

    @property
    def shown(self) -> str:
        """The type as messages name it."""
        return SHOWN.get(self.kind, self.kind)

    @property
    def optional(self) -> bool:
        """Whether it may be left out."""
        return self.default is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The keywords under which it may be given."""
        return (self.name, *NUMPY_NAMES.get(self.name, ()))


class Signature(NamedTuple):
    """One overload of a name."""

    parameters: tuple[Parameter, ...]
    hidden: bool            # deprecated: accepted, but not listed in messages

    @property
    def least(self) -> int:
        """How many arguments are needed."""
        return sum(not one.optional for one in self.parameters)

    @property
    def positional(self) -> int:
        """How many arguments may be given by position."""
        return sum(not one.keyword_only for one in self.parameters)

    @property
    def text(self) -> str:
        """The signature as messages list it."""
        parts, starred = [], False
        for one in self.parameters:
            if one.keyword_only and not starred:
                parts.append("*")
                starred = True
            parts.append(f"{one.shown} {one.name}" + (f" = {one.default}" if one.optional else ""))
        return f"({', '.join(parts)})"


class Entry(NamedTuple):
    """All that the table says of a public name."""

    called: str                             # the name that torch's messages use
    signatures: tuple[Signature, ...]       # none for a method that takes no arguments at all


def read(line: str) -> tuple[str, Signature]:
    """Return the name and the signature that a line of torch's notation says.

    >>> read("norm(Tensor input, Scalar p=2)")[1].text
    '(Tensor input, Number p = 2)'
    """
    line, _, mark = line.partition("|")
    name, _, inside = line.rstrip(")").partition("(")
    parameters, keyword_only = [], False
    for part in re.findall(r"(?:[^,{]|\{[^}]*\})+", inside):
        part = part.strip()
        if part == "*":
            keyword_only = True
            continue
        found = re.fullmatch(r"(?P<kind>[^ \[?]+)(?:\[(?P<size>\d+)\])?(?P<none>\??) (?P<name>\w+)(?:=(?P<default>.*))?", part)  # noqa: E501
        assert found, part
        default = found["default"]
        parameters.append(Parameter(found["kind"], int(found["size"] or 0), found["name"], default,
                                    bool(found["none"]) or default == "None", keyword_only))  # fmt: skip
    return name, Signature(tuple(parameters), mark == "deprecated")


@cache
def lines() -> dict[str, list[str]]:
    """Return the table as text: the public names `torch.sum`, `Tensor.sum`, `nn.linear`, … and their signatures."""
    found: dict[str, list[str]] = {}
    section, own = "", []
    for line in Path(__file__).with_name("signatures.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            section = line.strip("[]")
        elif line.startswith("    "):
            own.append(line.strip())
        elif line:
            own = found[f"{section}.{line}"] = []
    return found


@cache
def entry(public: str) -> Entry | None:
    """Return what the table says of a public name, if it has it."""
    text = lines().get(public)
    if text is None:
        return None
    signatures = [read(line) for line in text]
    called = signatures[0][0] if signatures else public.rpartition(".")[2]
    return Entry(called, tuple(one for _, one in signatures))
