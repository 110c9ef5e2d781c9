"""Make a card and a panel for a fold: a stack of repeated blocks, a line of source, a family of leaves."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.inspector.cards import FOOT, HEAD, pretty
from autograd_lab.inspector.fold import Fold, children, common_name
from autograd_lab.introspect.digest import number, shape_text, size_text
from autograd_lab.introspect.model import ENTER, ROUTE, BackwardTrace, GraphSnapshot, NodeInfo

View = dict[str, Any]
BARS = 52.0  # height of the bars on a stack's card
MOST_BARS = 40
ROWS = 60


class Stacks:
    """Cards and panels of the folds of one graph."""

    def __init__(self, graph: GraphSnapshot, trace: BackwardTrace | None) -> None:
        self.graph = graph
        self.norms: dict[str, float] = {}
        for step in trace.steps if trace is not None and trace.mode == "recorded" else ():
            if step.kind in (ENTER, ROUTE) and step.node is not None and step.values and step.values[0] is not None:
                norm = step.total.norm if step.total is not None else step.values[0].norm
                if norm is not None:
                    self.norms[step.node] = norm

    def card(self, fold: Fold) -> View:
        """Return the card of a fold."""
        nodes, count = fold.nodes, len(fold.blocks)
        name, block = self._name(fold), _block(fold)
        kept = sum(node.kept_bytes for node in nodes)
        place = nodes[0].place
        bars = self._bars(fold) if not fold.leaves and count > 1 else []
        noun = "leaves" if fold.leaves else "nodes"
        within = " › ".join(fold.scope) or place
        where = f"{len(nodes)} nodes, collapsed{f', {within}' if within else ''}"
        foot = {
            "left": f"Expand {count} blocks" if count > 1 and not fold.leaves else f"Expand {len(nodes)} {noun}",
            "right": f"{len(nodes)} nodes, {size_text(kept)}" if not fold.leaves else "", "tone": "",
        }  # fmt: skip
        return {
            "id": fold.id, "nodes": [node.id for node in nodes],
            "kind": "accumulator" if fold.leaves else "operation", "name": name, "unnamed": not nodes[0].named,
            "op": block, "shape": f"×{count}" if count > 1 else "",
            "dtype": shape_text(nodes[0].shape) if fold.leaves else f"{len(fold.blocks[0])} nodes"
            if count == 1 else f"{len(fold.blocks[0])} each",
            "foot": foot, "stack": {"bars": bars}, "h": HEAD + FOOT + (BARS if bars else 0.0),
            "title": f"{name}\n{block}\n{where}", "aria": f"{name}, {count} times {block}, {where}",
            "find": " ".join(f"{' '.join(n.names)} {n.label} {n.op} {n.place or ''}" for n in nodes).lower(),
        }  # fmt: skip

    def panel(self, fold: Fold) -> View:
        """Return what the panel says about a fold: its blocks with the norm of the gradient that enters each."""
        count = len(fold.blocks)
        inner = children(fold) if count == 1 else []
        rows = fold.blocks if count > 1 else tuple(item.nodes for item in inner) or tuple((n,) for n in fold.nodes)
        shown = rows[:ROWS]
        bars = _scaled([self.norms.get(block[0].id) for block in shown])
        blocks = [
            {
                "name": inner[index].scope[-1] if inner and inner[index].scope
                else (part[0].label or part[0].op) if count == 1 or fold.leaves else str(count - index),
                "bar": bar or 0,
                "norm": pretty(number(self.norms[part[0].id])) if part[0].id in self.norms else "–",
                "nodes": len(part),
            }
            for index, (part, bar) in enumerate(zip(shown, bars))
        ]
        words = "the nearest to the loss first" if len(rows) <= ROWS else f"the first {ROWS} of {len(rows)}"
        place = fold.nodes[0].place
        return {
            "id": fold.id, "name": self._name(fold), "op": f"{_block(fold)}{f' ×{count}' if count > 1 else ''}",
            "place": " › ".join(fold.scope) or (str(place) if place is not None else ""), "words": words,
            "blocks": blocks, "heading": "part" if count == 1 else "block",
        }  # fmt: skip

    def _name(self, fold: Fold) -> str:
        if fold.leaves:
            return common_name(fold.nodes) or "leaves"
        if len(fold.scope) > 1:  # a function, or a line of one
            return ", ".join(part for part in fold.scope[1:])
        named = [node for node in fold.nodes if node.named] or [node for node in fold.nodes if node.label]
        return named[0].label if named else fold.nodes[0].op

    def _bars(self, fold: Fold) -> list[float]:
        blocks = fold.blocks
        if len(blocks) > MOST_BARS:
            stride = len(blocks) / MOST_BARS
            blocks = tuple(blocks[int(i * stride)] for i in range(MOST_BARS))
        bars = _scaled([self.norms.get(block[0].id) for block in blocks])
        return [bar or 0.0 for bar in bars] if any(bars) else []


def _scaled(norms: list[float | None]) -> list[float | None]:
    """Put norms on a log scale from 0.08 to 1."""
    logs = [math.log10(norm) if norm else None for norm in norms]
    known = [value for value in logs if value is not None]
    if not known:
        return [None] * len(norms)
    low, high = min(known), max(known)
    spread = max(high - low, 1.0)
    return [None if value is None else round(1 - 0.92 * (high - value) / spread, 3) for value in logs]


def _block(fold: Fold) -> str:
    block: tuple[NodeInfo, ...] = fold.blocks[0]
    if fold.leaves:
        return block[0].op
    names = [node.op.split("Backward")[0] for node in reversed(block)]
    return " → ".join(names) if len(names) <= 3 else f"{names[0]} → … → {names[-1]}"
