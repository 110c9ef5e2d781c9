"""Turn a recorded run into a film: for every step a sentence and what it changes in the picture.

A step carries changes, not pictures: `[group, id, fields]`. Whoever shows step k lays the changes of the first k steps
over the standing view, in Python (`state_at`) as in the browser, so the renderers cannot disagree.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.inspector.cards import pretty
from autograd_lab.inspector.words import Part, birth, first_bad, ready, sentence
from autograd_lab.introspect.model import (
    ACCUMULATE,
    ACCUMULATOR,
    ERROR,
    FINISH,
    RELEASE,
    ROUTE,
    ArrayDigest,
    BackwardTrace,
    Step,
)

View = dict[str, Any]


def film(trace: BackwardTrace) -> View:
    """Return the film of a run: its steps, the spans of the timeline, the leaves' first state."""
    steps = opening(trace)["steps"]
    born = first_bad(trace)
    for index, step in enumerate(trace.steps):
        parts = sentence(trace, index)
        if index == born:
            parts = [*parts, *birth(step)]
        entry: View = {"kind": step.kind, "node": _actor(trace, step), "say": [list(part) for part in _pretty(parts)]}
        if step.edge is not None:
            entry["edge"] = step.edge
        if index == born:
            entry["bad"] = True
        entry["set"] = _changes(trace, step, index)
        steps.append(entry)
    leaves = _leaves(trace) if trace.mode == "recorded" else []
    spans = _spans(trace, steps)
    return {"mode": trace.mode, "last": len(trace.steps), "steps": steps, "spans": spans, "leaves": leaves}


def opening(trace: BackwardTrace) -> View:
    """Return the film before its first step; `last` is the number of its last one."""
    first = {"kind": "ready", "node": None, "say": [list(part) for part in _pretty(ready(trace))], "set": []}
    return {"mode": trace.mode, "last": len(trace.steps), "steps": [first], "spans": [], "leaves": []}


def state_at(movie: View, step: int) -> dict[str, dict[str, View]]:
    """Lay the changes of the first `step` steps on top of one another."""
    state: dict[str, dict[str, View]] = {"edges": {}, "cards": {}, "leaves": {}, "freed": {}}
    for entry in movie["steps"][: step + 1]:
        for group, name, fields in entry["set"]:
            state[group][name] = {**state[group].get(name, {}), **fields}
    return state


def _pretty(parts: list[Part]) -> list[Part]:
    """Write minus signs in numbers as minus signs; names and quoted messages stay as they are."""
    return [(pretty(text) if not how and "raised" not in text else text, how) for text, how in parts]


def _actor(trace: BackwardTrace, step: Step) -> str | None:
    if step.kind == ROUTE:
        return trace.snapshot.edge[step.edge or ""].source
    return step.node


def _changes(trace: BackwardTrace, step: Step, index: int) -> list[list[Any]]:
    graph, node = trace.snapshot, step.node or ""
    if step.kind == ROUTE:
        value = step.values[0] if step.values else None
        fields = {"text": _text(value), "norm": value.norm if value is not None else None}
        if value is not None and value.bad:
            fields["bad"] = True
        changes: list[list[Any]] = [["edges", step.edge, fields]]
        if trace.mode == "forecast":
            card = {"left": f"{step.arrived} of {step.expected} arrived", "have": [step.arrived, step.expected]}
            return [*changes, ["cards", node, card]] if step.expected > 1 else changes
        if step.expected > 1 or graph.index[node].kind == ACCUMULATOR:
            card = {"left": f"{step.arrived} of {step.expected} arrived", "have": [step.arrived, step.expected]}
            changes.append(["cards", node, card])
        if graph.index[node].kind == ACCUMULATOR:
            total = step.total if step.total is not None or step.expected > 1 else value
            leaf = {"arrived": f"{step.arrived} of {step.expected}", "sum": _text(total) or "not kept"}
            changes.append(["leaves", node, leaf])
        return changes
    if step.kind == ACCUMULATE and trace.mode != "forecast":
        after = _text(step.after)
        return [
            ["cards", node, {"left": "", "right": f".grad {after}", "have": None, "done": True}],
            ["leaves", node, {"grad": after}],
        ]
    if step.kind == RELEASE:
        return [["freed", node, {"step": index + 1}]]
    if step.kind == ERROR and node:
        stopped = [["edges", e.id, {"stop": True, "text": "not sent"}] for e in graph.leaving[node]]
        return [*stopped, ["cards", node, {"tone": "error"}]]
    return []


def _text(value: ArrayDigest | None) -> str:
    return "" if value is None else pretty(value.text)


def _spans(trace: BackwardTrace, steps: list[View]) -> list[View]:
    """Bracket the steps by the node that acts: label, first and last step, node."""
    spans: list[View] = []
    for number, entry in enumerate(steps[1:], 1):
        node = entry["node"]
        if node is None or entry["kind"] == FINISH:
            continue
        if spans and spans[-1]["node"] == node and spans[-1]["to"] == number - 1:
            spans[-1]["to"] = number
        else:
            info = trace.snapshot.index[node]
            spans.append(
                {"node": node, "label": info.label or info.op, "unnamed": not info.named, "from": number, "to": number}
            )
    return spans


def _leaves(trace: BackwardTrace) -> list[View]:
    expected = trace.snapshot.arriving
    return [
        {
            "id": node.id,
            "name": node.label or node.id,
            "arrived": f"0 of {len(expected[node.id])}",
            "sum": "nothing yet",
            "grad": _text(node.grad) or "None",
        }
        for node in trace.snapshot.nodes
        if node.kind == ACCUMULATOR
    ]
