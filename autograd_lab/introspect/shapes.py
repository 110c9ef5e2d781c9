"""Work out the shape of an unnamed intermediate from what its neighbours know: the lab's nodes do not keep it."""

from __future__ import annotations

import re
from collections.abc import Callable

import numpy as np

from autograd_lab.introspect.model import ENTER, GraphSnapshot, NodeInfo, Step

Known = tuple[tuple[int, ...], str]
_SHAPE = re.compile(r"(?:torch\.Size)?\(?[\[(]([\d, ]*)[\])]\)?")
SCALARS = frozenset({"SumBackward0", "MeanBackward0", "ProdBackward0", "DotBackward0", "MaxBackward1", "MinBackward1"})


def infer_shapes(nodes: list[NodeInfo], elementwise: Callable[[NodeInfo], bool]) -> None:
    """Give nodes that are being written down every shape that follows from saved values and from inputs."""
    known: dict[str, Known] = {node.id: (node.shape, node.dtype) for node in nodes if node.shape is not None}
    if len(known) == len(nodes):
        return
    for node in nodes:
        if not node.saved:
            continue
        for entry in node.saved:
            if entry.name == "result" and entry.value is not None:
                known.setdefault(node.id, (entry.value.shape, entry.value.dtype))
        for item in node.inputs:
            if item.target is None:
                continue
            for entry in node.saved:
                if entry.name == item.name and entry.value is not None:
                    known.setdefault(item.target, (entry.value.shape, entry.value.dtype))
                elif entry.name in (f"{item.name}_sizes", f"{item.name}_sym_sizes"):
                    shape = _shape(entry.plain)
                    if shape is not None:
                        known.setdefault(item.target, (shape, ""))
    for node in nodes:  # outputs first: what works element by element on one input has its input's shape
        if node.id in known and len(node.inputs) == 1 and node.inputs[0].target and elementwise(node):
            known.setdefault(node.inputs[0].target, known[node.id])
    for node in reversed(nodes):
        shape, dtype = known.get(node.id, (None, ""))
        if shape is None:
            found = _from_inputs(node, known, elementwise)
            if found is not None:
                known[node.id] = found
        elif not dtype:
            kinds = {known[item.target][1] for item in node.inputs if item.target in known}
            known[node.id] = shape, kinds.pop() if len(kinds) == 1 else ""
    for node in nodes:
        _complete(node, known.get(node.id))


def shapes_of_run(graph: GraphSnapshot, steps: list[Step]) -> None:
    """Give the nodes of a recorded run the shapes that their gradients had: those of the outputs."""
    seen = {
        step.node: (value.shape, value.dtype)
        for step in steps if step.kind == ENTER and step.node is not None
        for value in step.values[:1] if value is not None
    }  # fmt: skip
    for node in graph.nodes:
        _complete(node, seen.get(node.id))


def _complete(node: NodeInfo, found: Known | None) -> None:
    """Fill in what is not known yet. The node is frozen for readers; here nobody has it yet, and a copy costs more."""
    if found is None:
        return
    if node.shape is None:
        object.__setattr__(node, "shape", found[0])
    if not node.dtype:
        object.__setattr__(node, "dtype", found[1])


def _from_inputs(node: NodeInfo, known: dict[str, Known], elementwise: Callable[[NodeInfo], bool]) -> Known | None:
    """Return the shape of a node all of whose inputs are known; a saved constant takes part like an input."""
    parts = [known[item.target] for item in node.inputs if item.target in known]
    if len(parts) < sum(item.target is not None for item in node.inputs):
        return None
    dtype = next((name for _, name in parts if name), "")
    if node.op in SCALARS:
        return (), dtype
    factors = {entry.name: entry.value.shape for entry in node.saved if entry.value is not None}
    if node.op == "MmBackward0" and len(factors.get("self", ())) == 2 == len(factors.get("mat2", ())):
        return (factors["self"][0], factors["mat2"][1]), dtype
    if not elementwise(node) or not parts:
        return None
    if len(parts) == 1 and not factors:
        return parts[0][0], dtype
    saved = [entry.value.shape for entry in node.saved if entry.value is not None]
    try:
        return tuple(int(n) for n in np.broadcast_shapes(*(shape for shape, _ in parts), *saved)), dtype
    except ValueError:
        return None


def _shape(words: str) -> tuple[int, ...] | None:
    found = _SHAPE.fullmatch(words)
    return tuple(int(size) for size in found[1].split(",") if size.strip()) if found else None
