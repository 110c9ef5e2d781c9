"""Turn nodes and edges into cards and wires with sizes and places: the standing part of the view model."""

from __future__ import annotations

from typing import Any

from autograd_lab.inspector.words import KINDS, STATES
from autograd_lab.introspect.digest import shape_text
from autograd_lab.introspect.layout import layout
from autograd_lab.introspect.model import ACCUMULATOR, CHANGED, FREED, STALE, BackwardTrace, GraphSnapshot, NodeInfo

HEAD, FOOT = 42.0, 24.0
STACK = 288.0  # width of a card that stands for several nodes
NARROW, WIDE = 132.0, 236.0
NAME, MONO, SANS = 8.5, 6.7, 6.3  # average widths of a character: bold 14 px, 11 px and 12 px

View = dict[str, Any]


def pretty(text: str) -> str:
    """Write minus signs as minus signs."""
    return text.replace("-", "−")


def title_of(node: NodeInfo) -> str:
    """Return what stands in the first line of a card."""
    return node.label or node.op


def footer(node: NodeInfo, graph: GraphSnapshot, trace: BackwardTrace | None) -> View | None:
    """Return the footer that a card wears before the first step, None when it never has one.

    A card that gets a footer during the film has room for it from the start, so that nothing jumps.
    """
    troubled = next((e for e in node.saved if e.state in (STALE, CHANGED)), None)
    if troubled is not None:
        who = troubled.source or troubled.name
        versions = f"saved v{troubled.version_saved}, now v{troubled.version_now}"
        words = versions if troubled.state == STALE else "written unseen"
        return {"left": troubled.state.upper(), "right": f"{who} {words}", "tone": "error"}
    expected = len(graph.arriving[node.id]) + (node.id in graph.roots and bool(graph.arriving[node.id]))
    if node.kind == ACCUMULATOR:
        grad = f".grad {pretty(node.grad.text) if node.grad is not None else 'None'}"
        if trace is not None and trace.mode == "recorded":
            return {"left": f"0 of {expected} arrived", "right": grad, "tone": "", "have": [0, expected]}
        where = f"{node.storage}, v{node.version}" if node.storage and node.version is not None else ""
        return {"left": grad, "right": where, "tone": ""}
    if trace is not None and expected > 1:
        return {"left": f"0 of {expected} arrived", "right": "", "tone": "", "have": [0, expected]}
    return None


def card(node: NodeInfo, foot: View | None) -> View:
    """Return one card without its place."""
    shape, title = shape_text(node.shape), title_of(node)
    names = ", ".join(node.names)
    place = f", {node.place}" if node.place is not None else ""
    state = f", {STATES[STALE]}" if node.stale else ""
    subtitle = node.op if node.label else KINDS[node.kind]
    freed: View = {"freed": True} if any(entry.state == FREED for entry in node.saved) else {}
    return {
        "id": node.id,
        "nodes": [node.id],
        "kind": node.kind,
        "name": title,
        "unnamed": not node.named,
        "op": subtitle,
        "shape": shape,
        "dtype": node.dtype,
        "foot": foot,
        "title": f"{names or title}\n{node.op} {shape} {node.dtype}{place}",
        "aria": f"{names or title}, {node.op}, {KINDS[node.kind]}, shape {shape or 'not known'}{place}{state}",
        "find": f"{names} {title} {node.op} {node.place or ''}".lower(),
        **freed,
    }


def width_of(item: View) -> float:
    """Return the width that a card needs for its text."""
    first = len(item["name"]) * NAME + len(item["shape"]) * MONO
    second = len(item["op"]) * SANS + len(item["dtype"]) * MONO
    foot = item["foot"]
    waits = (foot or {}).get("have") or [0, 0]
    squares = waits[1] * 11 + 12 if 1 < waits[1] <= 4 else 0
    third = (len(foot["left"]) + len(foot["right"])) * MONO + squares if foot else 0
    return max(first, second, third) + 40


def picture(graph: GraphSnapshot, cards: list[View]) -> View:
    """Place the cards, lead the wires, and return the finished picture."""
    width = min(WIDE, max([NARROW, *(width_of(item) for item in cards)]))
    width = round(width / 4) * 4.0
    home = {node: item["id"] for item in cards for node in item["nodes"]}
    folded = {item["id"] for item in cards if len(item["nodes"]) > 1}
    sizes = []
    for item in cards:
        item["w"] = item.get("w") or (STACK if item.get("stack") else width)
        item["h"] = item.get("h") or HEAD + (FOOT if item["foot"] else 0)
        sizes.append((item["id"], item["w"], item["h"]))
    groups: dict[Any, list[Any]] = {}
    for edge in graph.edges:
        ends = home[edge.source], home[edge.target]
        if ends[0] == ends[1]:
            continue
        groups.setdefault((*ends, "" if folded & set(ends) else edge.id), []).append(edge)
    links = [(group[0].id, ends[0], ends[1]) for ends, group in groups.items()]
    plan = layout(sizes, links)
    for item in cards:
        box = plan.boxes[item["id"]]
        item["x"], item["y"], item["rank"] = round(box.x, 1), round(box.y, 1), box.rank
    labels = {node.id: node.names[0] if node.names else "" for node in graph.nodes}
    wires = []
    for ends, group in groups.items():
        wire = plan.wires[group[0].id]
        wires.append(
            {
                "id": group[0].id,
                "edges": [edge.id for edge in group],
                "source": ends[0],
                "target": ends[1],
                "points": [list(point) for point in wire.points],
                "chip": list(wire.chip),
                "label": labels.get(group[0].target, "") if len(group) == 1 else "",
            }
        )
    named = {item["id"]: item["name"] for item in cards}
    references = [
        {
            "id": ref.id,
            "target": ref.target,
            "edges": list(ref.edges),
            "x": plan.boxes[ref.id].x,
            "y": plan.boxes[ref.id].y,
            "w": plan.boxes[ref.id].width,
            "name": named.get(ref.target, ref.target),
            "count": sum(len(wire["edges"]) for wire in wires if wire["id"] in ref.edges),
        }
        for ref in plan.references
    ]
    for item in cards:
        refs = sum(ref["count"] for ref in references if ref["target"] == item["id"])
        if refs:
            item["refs"] = refs
    return {
        "cards": cards,
        "wires": wires,
        "references": references,
        "width": round(plan.width, 1),
        "height": round(plan.height, 1),
        "roomy": plan.roomy,
    }
