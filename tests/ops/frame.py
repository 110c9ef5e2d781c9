"""The frame in which every row of the op table is tested: named inputs, samples, and what one run of a sample gives.

A sample is one expression, written as a user would write it: `torch.mul(m, r)`. Its one-word names are inputs of
`POOL`, made anew for every run, floats with requires_grad. The same text runs on the lab and on the real torch.
Samples stand in `samples_*.py`, each with a dict `SAMPLES`: row of the op table -> list of expressions.

A leading "!" says that the sample has no derivative to compare with finite differences (a kink, a tie, NaN, a jump).
A leading "~" says that torch itself is not deterministic or not comparable there: only names and shapes count.
"""

from __future__ import annotations

import importlib
import math
import pkgutil
import re
import warnings
from types import ModuleType
from typing import Any

import numpy as np

POOL = {
    # smooth numbers, away from kinks of the usual functions
    "s": "torch.tensor(1.5)",
    "q": "torch.tensor(-0.75)",
    "one": "torch.tensor([1.25])",
    "v": "torch.tensor([1.5, -2.25, 0.625])",
    "w": "torch.tensor([-0.5, 1.25, 2.125])",
    "m": "torch.tensor([[0.3, -1.2, 2.1], [-0.7, 1.6, 0.45]])",
    "n": "torch.tensor([[1.1, 0.35, -1.7], [0.9, -2.2, 1.3]])",
    "c": "torch.tensor([[0.8], [-1.4]])",
    "r": "torch.tensor([[0.55, 1.45, -0.95]])",
    "nt": "torch.tensor([[0.3, -0.7], [-1.2, 1.6], [2.1, 0.45]]).t()",
    "t3": "torch.tensor([[[0.2, -1.1, 0.7], [1.9, 0.4, -0.6]], [[-1.3, 0.85, 1.15], [0.65, -0.25, 2.3]]])",
    "sq": "torch.tensor([[2.0, 0.3, -0.5], [0.1, 1.5, 0.4], [-0.6, 0.2, 1.8]])",
    "pos": "torch.tensor([[0.4, 1.3, 2.6], [0.9, 0.15, 1.75]])",
    "pv": "torch.tensor([0.6, 1.7, 2.4])",
    "ps": "torch.tensor(0.85)",
    "pt": "torch.tensor([[0.4, 0.9], [1.3, 0.15], [2.6, 1.75]]).t()",
    "unit": "torch.tensor([[0.3, -0.6, 0.85], [-0.15, 0.5, -0.9]])",
    "uv": "torch.tensor([0.25, -0.45, 0.7])",
    "us": "torch.tensor(0.4)",
    "prob": "torch.tensor([[0.2, 0.55, 0.9], [0.7, 0.35, 0.1]])",
    "d": "torch.tensor([[0.3, -1.2, 2.1], [-0.7, 1.6, 0.45]], dtype=torch.float64)",
    "dv": "torch.tensor([0.7, 1.9, -0.35], dtype=torch.float64)",
    "ds": "torch.tensor(1.25, dtype=torch.float64)",
    "dp": "torch.tensor([0.7, 1.9, 0.35], dtype=torch.float64)",
    "h": "torch.tensor([0.5, -1.25, 2.0], dtype=torch.float16)",
    # corners
    "e": "torch.tensor([])",
    "e23": "torch.zeros(2, 0, 3)",
    "zero": "torch.tensor(0.0)",
    "tie": "torch.tensor([[1.0, 3.0, 3.0], [2.0, 2.0, 2.0]])",
    "zeros": "torch.tensor([[0.0, -0.0, 2.0], [0.0, 1.0, -1.0]])",
    "wild": "torch.tensor([float('nan'), float('inf'), -float('inf'), 0.0, -0.0, 1.0])",
    "half": "torch.tensor([0.5, 1.5, 2.5, -0.5, -1.5, 0.49999997])",
    "big": "torch.tensor([1e30, -1e30, 1e-30, 88.0, -104.0, 20.5])",
    # integers and bools
    "i": "torch.tensor([3, -2, 5])",
    "im": "torch.tensor([[1, -4, 2], [7, 0, -3]])",
    "i1": "torch.tensor([2, 1, 4])",
    "i0": "torch.tensor(3)",
    "k": "torch.tensor([3, -2, 5], dtype=torch.int32)",
    "sh": "torch.tensor([3, -2, 5], dtype=torch.int16)",
    "u": "torch.tensor([3, 250, 5], dtype=torch.uint8)",
    "b": "torch.tensor([True, False, True])",
    "bm": "torch.tensor([[True, False, True], [False, False, True]])",
    "b0": "torch.tensor(True)",
}


def collect() -> dict[str, list[str]]:
    """Return all samples, row of the table -> expressions."""
    package = importlib.import_module("tests.ops")
    found: dict[str, list[str]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("samples_"):
            for row, samples in importlib.import_module(f"tests.ops.{info.name}").SAMPLES.items():
                found.setdefault(row, []).extend(samples)
    return found


def helpers() -> dict[str, str]:
    """Return the rows that only derivatives use: row -> the row whose second derivatives test it."""
    package = importlib.import_module("tests.ops")
    found: dict[str, str] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name.startswith("samples_"):
            found |= getattr(importlib.import_module(f"tests.ops.{info.name}"), "HELPERS", {})
    return found


def text_of(sample: str) -> str:
    """Return the expression without its marks."""
    return sample.lstrip("!~")


class Inputs(dict):
    """The names that an expression sees; an input is made when first used."""

    def __init__(self, torch: ModuleType, double: bool = False) -> None:
        super().__init__(torch=torch, F=importlib.import_module(f"{torch.__name__}.nn.functional")
                         if _has_functional(torch) else None, inf=math.inf, nan=math.nan, np=np)  # fmt: skip
        self.made: dict[str, Any] = {}
        self.torch, self.double = torch, double

    def __missing__(self, name: str) -> Any:
        if name not in POOL:
            raise KeyError(name)
        tensor = eval(POOL[name], {"torch": self.torch})
        if tensor.is_floating_point():
            if self.double:
                tensor = tensor.double()
            tensor.requires_grad_(True)
        self.made[name] = self[name] = tensor
        return tensor


def _has_functional(torch: ModuleType) -> bool:
    try:
        importlib.import_module(f"{torch.__name__}.nn.functional")
    except ImportError:
        return False
    return True


def flat(value: Any) -> list[Any]:
    """Return the tensors of a result, which may be a tensor or nested tuples of them."""
    if isinstance(value, (tuple, list)):
        return [one for item in value for one in flat(item)]
    return [value] if hasattr(value, "grad_fn") else []


def plain(value: Any) -> Any:
    """Return nested numbers as a NumPy array in double precision."""
    try:
        return np.asarray(value.detach().tolist(), dtype=np.float64)
    except RuntimeError:            # torch keeps some zeros without memory
        return np.zeros(tuple(value.shape))


def cotangent(torch: ModuleType, like: Any, seed: float) -> Any:
    """Return fixed weights in the shape and dtype of a tensor."""
    count = max(1, math.prod(like.shape))
    values = [math.cos(seed + 0.7 * k) for k in range(count)][: math.prod(like.shape)]
    return torch.tensor(values, dtype=torch.float64).to(like.dtype).reshape(tuple(like.shape))


def describe(text: str) -> str:
    """Return printed text with what may differ between the two libraries taken out."""
    text = re.sub(r"autograd_lab", "torch", text)
    text = re.sub(r" ?\(Triggered internally at .*?\)", "", text, flags=re.S)
    return re.sub(r"0x[0-9a-f]+", "0x", text)


def node_facts(tensor: Any) -> Any:
    """Return what a result shows of its graph: names, saved names, edges."""
    node = tensor.grad_fn
    if node is None:
        return None
    edges = [(None if one is None else one.name(), nr) for one, nr in node.next_functions]
    saved = sorted(name for name in dir(node) if name.startswith("_saved"))
    return {"name": node.name(), "saved": saved, "edges": edges}


def shape_facts(tensor: Any) -> dict[str, Any]:
    """Return dtype, shape and strides."""
    return {"dtype": describe(str(tensor.dtype)), "shape": list(tensor.shape), "requires_grad": tensor.requires_grad}


def gradients(torch: ModuleType, outputs: list[Any], inputs: list[Any], seed: float, create_graph: bool) -> list[Any]:
    """Return the gradients of weighted outputs with respect to the inputs."""
    roots = [one for one in outputs if one.requires_grad]
    if not roots or not inputs:
        return [None] * len(inputs)
    weights = [cotangent(torch, one, seed) for one in roots]
    return list(torch.autograd.grad(roots, inputs, weights, create_graph=create_graph, allow_unused=True))


def run(torch: ModuleType, sample: str, double: bool = False, order: int = 2) -> dict[str, Any]:
    """Run a sample and describe what came out: results or an error, gradients of first and second order."""
    torch.set_warn_always(True)     # what warns once per process would depend on which test ran before
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            return described(torch, sample, double, order, caught)
        finally:
            torch.set_warn_always(False)


def described(torch: ModuleType, sample: str, double: bool, order: int, caught: list) -> dict[str, Any]:
    """Return the description of one run; `caught` fills with the warnings."""
    scope = Inputs(torch, double)
    if hasattr(torch, "manual_seed"):
        torch.manual_seed(7)
    code = compile(text_of(sample), "sample", "eval")
    try:
        result = eval(code, scope)
    except Exception as error:
        return {"error": [type(error).__name__, describe(str(error)).splitlines()[:1]]}
    found: dict[str, Any] = {"warnings": [describe(str(one.message)) for one in caught], "type": type(result).__name__}
    outputs = flat(result)
    if not outputs:
        found["value"] = repr(result)
        return found
    inputs = [one for one in scope.made.values() if one.requires_grad]
    found["facts"] = [shape_facts(one) for one in outputs]
    found["nodes"] = [node_facts(one) for one in outputs]
    found["values"] = [plain(one) for one in outputs]
    found["printed"] = [re.sub(r"[-+]?(\d[\d.e+-]*|nan|inf)", "#",
                               re.sub(r"\s+", " ", describe(repr(one)))) for one in outputs]
    if order and inputs and any(one.requires_grad for one in outputs):
        found["first"], found["second"] = derivatives(torch, outputs, inputs, order)
    return found


def name_of(tensor: Any) -> str | None:
    """Return the name of a tensor's node."""
    return tensor.grad_fn and tensor.grad_fn.name()


def derivatives(torch: ModuleType, outputs: list[Any], inputs: list[Any], order: int) -> tuple[Any, Any]:
    """Return the first gradients (values, dtypes, names of their nodes) and the second ones, or the error."""
    try:
        first = gradients(torch, outputs, inputs, 0.3, order > 1)
    except RuntimeError as error:
        return [describe(str(error))], []
    shown = [None if one is None else {**shape_facts(one), "value": plain(one), "node": name_of(one)} for one in first]
    roots = [one for one in first if one is not None and one.requires_grad]
    if order < 2 or not roots:
        return shown, []
    try:
        second = gradients(torch, roots, inputs, 1.1, False)
    except RuntimeError as error:
        return shown, [describe(str(error))]
    return shown, [None if one is None else {**shape_facts(one), "value": plain(one)} for one in second]
