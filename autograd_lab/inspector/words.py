"""The sentence for every step and state: one event a sentence, subject first, the same words in every renderer."""

from __future__ import annotations

import math
from collections.abc import Iterable

from autograd_lab.introspect.digest import shape_text, size_text
from autograd_lab.introspect.model import (
    ACCUMULATE,
    ACCUMULATOR,
    CHANGED,
    CUSTOM,
    ENTER,
    ERROR,
    EXIT,
    FINISH,
    FREED,
    FRESH,
    HOOK,
    INPLACE,
    OPERATION,
    RELEASE,
    ROUTE,
    SEED,
    STALE,
    UNKNOWN,
    VIEW,
    ArrayDigest,
    BackwardTrace,
    NodeInfo,
    Step,
)

Part = tuple[str, str]  # (text, how): "" plain, "name" a tensor, "op" a node, "value" numbers

STATES = {
    FRESH: "fresh",
    STALE: "stale: backward will raise",
    CHANGED: "changed behind autograd's back: backward will silently be wrong",
    FREED: "freed",
    UNKNOWN: "not known from torch",
}
KINDS = {
    OPERATION: "operation",
    ACCUMULATOR: "accumulator (leaf)",
    VIEW: "view: shares a storage",
    INPLACE: "in-place result",
    CUSTOM: "your own Function",
}


def name_of(node: NodeInfo) -> Part:
    """Return what to call a node's tensor: the user's name, the source expression, else the op."""
    return (node.label, "name") if node.label else (node.op, "op")


def value_of(value: ArrayDigest | None) -> str:
    """Return a gradient's value in few words; None is said as it is."""
    return "None" if value is None else value.text


def shape_of(value: ArrayDigest | None) -> str:
    """Return a gradient's shape."""
    return "none" if value is None else shape_text(value.shape)


def plain(parts: Iterable[Part]) -> str:
    """Join a sentence for the text view."""
    return "".join(text for text, _ in parts)


def spoken(parts: Iterable[Part]) -> str:
    """Join a sentence for a screen reader: a bare `a` would be read as an article, so tensors are called tensors."""
    return "".join(f"tensor {text}" if how == "name" else text for text, how in parts)


def ready(trace: BackwardTrace) -> list[Part]:
    """Return the words before the first step."""
    if not trace.steps:
        return [("Nothing has moved.", "")]
    first = trace.steps[0]
    node = trace.snapshot.index.get(first.node or "")
    if node is None:
        return [("Nothing has moved yet. Press → for the first step.", "")]
    opening: Part = ("Nothing has moved yet. Press → for the first step: ", "")
    value = first.values[0] if first.values else None
    if value is None or math.prod(value.shape) == 1:
        told = "1" if trace.mode == "forecast" else value_of(value)
        return [opening, name_of(node), (f" receives its seed, {told}.", "")]
    return [opening, *sentence(trace, 0)]


def sentence(trace: BackwardTrace, index: int) -> list[Part]:
    """Return the sentence of step `index` (from 0)."""
    step = trace.steps[index]
    return _SENTENCES[step.kind](trace, step, index)


def first_bad(trace: BackwardTrace) -> int | None:
    """Return the step that made the first nan or inf out of finite gradients."""
    for index, step in enumerate(trace.steps):
        if step.kind in (SEED, ENTER, EXIT) and any(value is not None and value.bad for value in step.values):
            return index
    return None


def birth(step: Step) -> list[Part]:
    """Return what the step of `first_bad` has to say besides its own sentence."""
    value = next(value for value in step.values if value is not None and value.bad)
    where = list(value.first_bad or ())
    at = f" at {where}" if where else ""
    return [(f" Here the first nan or inf was born{at}.", "")]


def _seed(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    value = step.values[0] if step.values else None
    name = _name(trace, step.node)
    if value is None or math.prod(value.shape) == 1:  # torch makes the seed of one element itself
        told = "1" if trace.mode == "forecast" else value_of(value)
        return [name, (f" receives its seed: {told}.", "")]
    if trace.mode == "forecast":
        return [name, (f" needs a seed: pass gradient=, shape {shape_of(value)}.", "")]
    told = f"shape {shape_of(value)}" if value.text.startswith("(") else value.text
    return [name, (f" receives its seed: the gradient= you gave, {told}.", "")]


def _enter(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    node = trace.snapshot.index[step.node or ""]
    known = next((value for value in step.values if value is not None), None)
    return [(node.op, "op"), (" received the gradient of ", ""), _own(node), (f", shape {shape_of(known)}.", "")]


def _own(node: NodeInfo) -> Part:
    return (node.label, "name") if node.label else ("its result", "")


def _exit(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    node = trace.snapshot.index[step.node or ""]
    labels: list[Part] = []
    for item in node.inputs:
        value = step.values[item.index] if item.index < len(step.values) else None
        if item.target is None or value is None:
            continue
        target = trace.snapshot.index[item.target]
        alone = sum(other.target is not None for other in node.inputs) == 1
        part = (target.label, "name") if target.label else ("its input" if alone else f"its input {item.name}", "")
        if part not in labels:
            labels.append(part)
    if not labels:
        return [(node.op, "op"), (" computed no gradient.", "")]
    return [(node.op, "op"), (" computed the gradient of ", ""), *_join(labels), (".", "")]


def _join(parts: list[Part]) -> list[Part]:
    joined: list[Part] = []
    for i, part in enumerate(parts):
        if i:
            joined.append((" and " if i == len(parts) - 1 else ", ", ""))
        joined.append(part)
    return joined


def _route(trace: BackwardTrace, step: Step, index: int) -> list[Part]:
    edge = trace.snapshot.edge[step.edge or ""]
    source, target = trace.snapshot.index[edge.source], trace.snapshot.index[edge.target]
    value = step.values[0] if step.values else None
    if value is None:
        return [(source.op, "op"), (" sends nothing to ", ""), _name(trace, edge.target), (".", "")]
    parts: list[Part] = [(source.op, "op"), (" sent ", ""), _name(trace, edge.target)]
    parts.append((f" a gradient of shape {shape_of(value)}", ""))
    before = source.shape
    if target.kind == ACCUMULATOR and before is not None and _broadcast(source, value):
        parts.append((f", summed from {shape_text(before)} to {shape_of(value)}, because ", ""))
        parts += [_name(trace, edge.target), (" was broadcast", "")]
    if step.expected < 2:
        return [*parts, (".", "")]
    parts.append((f": {step.arrived} of {step.expected} arrived. ", ""))
    parts.append(_name(trace, edge.target))
    if step.arrived >= step.expected:
        return [*parts, (" is ready.", "")]
    waiting = _still_to_come(trace, edge.target, index) if step.expected - step.arrived == 1 else []
    if len(waiting) == 1:
        return [*parts, (" keeps it and waits for the one from ", ""), (waiting[0], "op"), (".", "")]
    return [*parts, (" keeps it and waits for the others.", "")]


def _broadcast(source: NodeInfo, value: ArrayDigest) -> bool:
    """Say whether an elementwise op shrank the gradient to the shape of an input that had been broadcast."""
    return (
        source.op.split("Backward")[0] in ("Add", "Sub", "Mul", "Div", "Pow", "Where") and source.shape != value.shape
    )


def _still_to_come(trace: BackwardTrace, target: str, index: int) -> list[str]:
    edges = {e.id: e for e in trace.snapshot.arriving[target]}
    done = {s.edge for s in trace.steps[: index + 1] if s.kind == ROUTE}
    return [trace.snapshot.index[e.source].op for e in edges.values() if e.id not in done]


def _release(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    node = trace.snapshot.index[step.node or ""]
    kept: list[Part] = [
        (entry.source, "name") if entry.source else (f"its saved {entry.name}", "")
        for entry in node.saved
        if entry.is_tensor
    ]
    what = _join(list(dict.fromkeys(kept))) or [("what it had saved", "")]
    return [
        (node.op, "op"),
        (" let go of ", ""),
        *what,
        (f" ({size_text(step.nbytes)}); another backward through it would raise.", ""),
    ]


def _accumulate(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    name = _name(trace, step.node)
    after = value_of(step.after)
    if trace.mode == "forecast":
        shape = shape_of(step.values[0] if step.values else None)
        return [name, (f".grad is {value_of(step.before)}; a gradient of shape {shape} would be added.", "")]
    if step.before is None:
        return [name, (f".grad was None and is now {after}.", "")]
    return [name, (f".grad was {value_of(step.before)}; this backward added to it, and it is now {after}.", "")]


def _hook(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    before, after = value_of(step.before), value_of(step.after)
    change = f"from {before} to {after}." if before != after else f"; its shape stays {shape_of(step.after)}."
    return [
        ("Hook ", ""), (step.hook, "op"), (" on ", ""), _name(trace, step.node),
        (f" changed the gradient{'' if change.startswith(';') else ' '}{change}", ""),
    ]  # fmt: skip


def _finish(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    leaves = {s.node for s in trace.steps if s.kind == ACCUMULATE}
    if trace.mode == "forecast":
        noun = "leaf" if len(leaves) == 1 else "leaves"
        return [(f"Backward would be done: {len(leaves)} {noun} would receive a gradient.", "")]
    released = sum(s.nbytes for s in trace.steps if s.kind == RELEASE)
    words = f"Backward is done: {len(leaves)} {'leaf' if len(leaves) == 1 else 'leaves'} received a gradient"
    if released:
        return [(f"{words}, {size_text(released)} were let go.", "")]
    if trace.retained:
        return [(f"{words}; the graph was kept, because retain_graph=True.", "")]
    return [(f"{words}.", "")]


def _error(trace: BackwardTrace, step: Step, _: int) -> list[Part]:
    node = trace.snapshot.index.get(step.node or "")
    first = step.message.split("\n")[0]
    if node is None:
        return [(f"Backward raised {step.error}: {first}", "")]
    if step.hook:
        return [("Hook ", ""), (step.hook, "op"), (" on ", ""), name_of(node), (f" raised {step.error}: {first}", "")]
    stale = next((entry for entry in node.saved if entry.state == STALE), None)
    if stale is not None:
        who: Part = (stale.source, "name") if stale.source else (f"its saved {stale.name}", "")
        return [
            (node.op, "op"),
            (" received the gradient of ", ""),
            _own(node),
            (f", shape {shape_text(node.shape)}; it needs ", ""),
            who,
            (f" as saved at version {stale.version_saved}, but ", ""),
            who,
            (f" is now at version {stale.version_now}.", ""),
        ]
    if "second time" in first or any(entry.state == FREED for entry in node.saved):
        return [(node.op, "op"), (" needs what it had saved, but an earlier backward let go of it.", "")]
    return [(node.op, "op"), (f" raised {step.error}: {first}", "")]


def _name(trace: BackwardTrace, node: str | None) -> Part:
    info = trace.snapshot.index.get(node or "")
    return name_of(info) if info is not None else ("the graph", "")


_SENTENCES = {
    SEED: _seed,
    ENTER: _enter,
    EXIT: _exit,
    ROUTE: _route,
    RELEASE: _release,
    ACCUMULATE: _accumulate,
    HOOK: _hook,
    FINISH: _finish,
    ERROR: _error,
}
