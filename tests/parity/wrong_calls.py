"""Wrong calls in a systematic row: for each signature of torch, arguments left out, doubled, added and replaced."""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from autograd_lab.core.signatures import Entry, Parameter, entry, lines

# Values by name; each is made anew for a call, with the library that is called.
VALUES = {
    "str": lambda m: "a", "none": lambda m: None, "ints": lambda m: [1, 0], "strs": lambda m: ["a"],
    "int_str": lambda m: (0, "a"), "dict": lambda m: {}, "float": lambda m: 1.5, "int": lambda m: 3,
    "high": lambda m: 7, "low": lambda m: -9, "huge": lambda m: 2**70, "bool": lambda m: True,
    "ndarray": lambda m: np.ones((2, 3)), "object": lambda m: object(),
    "integers": lambda m: m.tensor([[1, 0, 1], [0, 1, 0]]),
    "shape": lambda m: m.ones(5, 7), "tensors": lambda m: [m.ones(2, 3)], "dtype": lambda m: m.float32,
    "bools": lambda m: m.ones(2, 3) > 0, "grad": lambda m: m.ones(2, 3, requires_grad=True),
    "scalar": lambda m: m.tensor(1), "mixed": lambda m: [m.ones(2, 3), 1], "empty": lambda m: (),
    "nan": lambda m: float("nan"),
    "tensor": lambda m: m.ones(2, 3), "zero": lambda m: 0, "one": lambda m: 1, "square": lambda m: m.eye(3),
    "pair": lambda m: (2, 3), "vector": lambda m: m.ones(3), "float64": lambda m: m.float64, "cpu": lambda m: "cpu",
    "half": lambda m: 0.5, "word": lambda m: "mean", "no": lambda m: False,
    "two": lambda m: [m.ones(2, 3), m.ones(2, 3)],
    "indices": lambda m: m.tensor([[0, 1, 0]]), "numbers": lambda m: [0.5, 1.0],
}  # fmt: skip
WRONG = ("str", "none", "ints", "strs", "int_str", "dict", "float", "int", "high", "low", "huge", "bool", "ndarray",
         "object", "integers", "shape", "tensors", "dtype", "bools", "grad", "scalar", "mixed", "empty",
         "nan")  # fmt: skip
RIGHT = {
    "Tensor": "tensor", "Scalar": "half", "int64_t": "zero", "SymInt": "one", "double": "half", "bool": "no",
    "TensorList": "two", "IntArrayRef": "zero", "SymIntArrayRef": "pair", "ArrayRef<double>": "numbers",
    "ScalarType": "float64", "Device": "cpu", "c10::string_view": "word", "std::string_view": "word",
    "std::string": "word", "PyObject*": "numbers", "c10::List<::std::optional<Tensor>>": "two", "ScalarList": "numbers",
}  # fmt: skip
NAMES = {"index": "indices", "mask": "bools", "condition": "bools", "mat2": "square", "weight": "square",
         "size": "pair"}  # fmt: skip
# They change the process or its switches, need files, or leave memory as it was found.
LEFT_OUT = re.compile(
    r"set_|manual_seed|seed$|save$|load$|_version|empty|resize|is_grad|get_|initial|\.apply_|map_|\.new$|new_tensor"
)


class Call(NamedTuple):
    """A call, as names of values."""

    public: str
    args: tuple[str, ...]
    kwargs: tuple[tuple[str, str], ...]

    def __str__(self) -> str:
        return f"{self.public}({', '.join([*self.args, *(f'{name}={value}' for name, value in self.kwargs)])})"


def right(parameter: Parameter) -> str:
    """Return the name of a value that the parameter takes."""
    if parameter.kind in ("IntArrayRef", "SymIntArrayRef") and parameter.name in ("dim", "dims"):
        return "zero"
    return NAMES.get(parameter.name) or RIGHT.get(parameter.kind, "none")


def calls(public: str, found: Entry) -> Iterator[Call]:
    """Make the wrong calls of one public name."""
    front = ("tensor",) if public.startswith("Tensor.") else ()
    yield Call(public, front, ())
    yield Call(public, (), ())
    yield Call(public, ("int",), ())
    if not found.signatures:
        yield Call(public, (*front, "int"), ())
        yield Call(public, front, (("unknown", "int"),))
    for signature in found.signatures:
        if signature.hidden:
            continue
        needed = [one for one in signature.parameters if not one.optional and not one.keyword_only]
        by_position = [one for one in signature.parameters if not one.keyword_only]
        least = (*front, *map(right, needed))
        yield Call(public, least, ())
        yield Call(public, least, (("unknown", "int"),))
        yield Call(public, (*front, *map(right, by_position), "int"), ())
        yield Call(public, (*front, *map(right, by_position), "int", "int"), ())
        if by_position:
            yield Call(public, least, ((by_position[0].name, right(by_position[0])),))
        for count in range(len(needed)):
            yield Call(public, least[: len(front) + count], ())
        for place in range(len(by_position)):
            before = (*front, *map(right, by_position[:place]))
            after = tuple(map(right, needed[place + 1:]))
            for wrong in WRONG:
                yield Call(public, (*before, wrong, *after), ())
        for parameter in signature.parameters:
            if parameter.optional and parameter.name not in ("out", "layout", "pin_memory", "memory_format"):
                for wrong in WRONG:
                    yield Call(public, least, ((parameter.name, wrong),))


def every_call() -> Iterator[Call]:
    """Make all wrong calls, each once."""
    seen = set()
    for public in lines():
        if public.startswith("inner.") or LEFT_OUT.search(public):
            continue
        for call in calls(public, entry(public)):
            if call not in seen:
                seen.add(call)
                yield call


def function(module: Any, public: str) -> Any:
    """Find a public name in a library."""
    section, _, name = public.partition(".")
    owner = {"torch": module, "Tensor": module.Tensor, "nn": module.nn.functional, "linalg": module.linalg}[section]
    return getattr(owner, name)


def outcome(module: Any, call: Call) -> str:
    """Run a call and return "ok", or the exception with its text."""
    args = [VALUES[name](module) for name in call.args]
    kwargs = {name: VALUES[value](module) for name, value in call.kwargs}
    if call.public.startswith("Tensor.") and args and isinstance(args[0], module.Tensor):
        target, args = getattr(args[0], call.public[7:]), args[1:]
    else:
        target = function(module, call.public)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            target(*args, **kwargs)
        except Exception as error:
            text = str(error).partition("\nException raised from ")[0]
            text = re.sub(r"0x[0-9a-f]+", "0x", text).replace("autograd_lab.", "torch.")
            return f"{type(error).__name__}: {text}"
    return "ok"
