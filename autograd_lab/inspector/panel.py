"""What the panel tells about one node: formula, saved tensors, memory, code, hooks; as pure data."""

from __future__ import annotations

import re
from bisect import bisect_left
from typing import Any

from autograd_lab.inspector import formula
from autograd_lab.inspector.cards import pretty, title_of
from autograd_lab.inspector.words import STATES
from autograd_lab.introspect.digest import shape_text, size_text
from autograd_lab.introspect.model import (
    CHANGED,
    ENTER,
    EXIT,
    FREED,
    STALE,
    ArrayDigest,
    BackwardTrace,
    GraphSnapshot,
    NodeInfo,
    Place,
    StorageInfo,
)

View = dict[str, Any]
_NUMBER = re.compile(r"-?\d+(\.\d+)?(e[+-]?\d+)?")
LETTERS = "stuvpqrz"
LONGEST_NAME = 14
COLUMN_UP_TO = 4  # numbers of a vector that still stand one below the other


class Panels:
    """Make the panel of each node of one graph."""

    def __init__(self, graph: GraphSnapshot, trace: BackwardTrace | None) -> None:
        self.graph, self.trace = graph, trace
        self.storages = {storage.id: storage for storage in graph.storages}
        self.entered: dict[str, tuple[int, Any]] = {}
        self.left: dict[str, tuple[int, Any]] = {}
        recorded = trace is not None and trace.mode == "recorded"
        for number, step in enumerate(trace.steps if trace is not None and recorded else (), 1):
            if step.kind == ENTER and step.node is not None:
                self.entered[step.node] = number, step
            if step.kind == EXIT and step.node is not None:
                self.left[step.node] = number, step
        self.untold = graph.engine == "torch"  # it keeps the version at save time to itself
        self.lines = _lines(graph)
        self.names = {name for node in graph.nodes for name in node.names}

    def panel(self, node: NodeInfo) -> View:
        """Return everything that the panel says about a node."""
        return {
            "name": title_of(node),
            "unnamed": not node.named,
            "names": list(node.names),
            "op": node.op,
            "kind": node.kind,
            "place": str(node.place) if node.place is not None else "",
            "shape": shape_text(node.shape),
            "dtype": node.dtype,
            "value": array(node.value),
            "formula": self._formula(node),
            "saved": [self._saved(entry) for entry in node.saved if entry.is_tensor],
            "plain": [[entry.name, entry.plain] for entry in node.saved if not entry.is_tensor],
            "bytes": size_text(node.kept_bytes),
            "notes": list(dict.fromkeys(note for entry in node.saved if (note := _note(entry)))),
            "memory": self._memory(node),
            "code": self._code(node),
            "hooks": list(node.hooks),
            "inputs": [
                [item.name, item.label or (item.target or "no gradient wanted"), item.target] for item in node.inputs
            ],
        }

    def _formula(self, node: NodeInfo) -> View | None:
        if not node.formula:
            return None
        whole = formula.parse(node.formula)
        rows = [(name, formula.parse(latex)) for name, latex in node.derivatives if latex]
        names, owner = self._names(node, whole, rows)
        values = self._values(node, owner)
        stale = {entry.name for entry in node.saved if entry.state in (STALE, CHANGED)}
        shown = []
        for name, math in rows:
            item = next((i for i in node.inputs if i.name == name), None)
            if item is None or item.target is None:
                continue
            plus = len(self.graph.arriving[item.target]) > 1
            renamed = _plus(formula.rename(math, names)) if plus else formula.rename(math, names)
            shown.append(
                {
                    "input": name,
                    "target": item.target,
                    "math": renamed,
                    "text": formula.text(renamed),
                    "stale": any(owner.get(symbol) in stale for symbol in formula.plain_symbols(math)),
                    **self._numbers(node, item.index, math, names, values, plus),
                }
            )
        named = formula.rename(whole, names)
        return {"math": named, "text": formula.text(named), "rows": shown}

    def _names(self, node: NodeInfo, whole: Any, rows: list[Any]) -> tuple[dict[str, str], dict[str, str]]:
        """Return names for the formula's symbols, and which saved value each symbol stands for."""
        names: dict[str, str] = {}
        owner: dict[str, str] = {}
        halves = formula.sides(whole)
        result = halves[0][1][1] if halves and len(halves[0]) == 2 and halves[0][1][0] == "sym" else "y"
        owner[result] = "result"
        if node.named and len(node.label) <= LONGEST_NAME:
            names[result] = node.label
        sources = {entry.name: entry.source for entry in node.saved if entry.source}
        for name, math in rows:
            symbol = formula.barred(math)
            if symbol is None:
                continue
            owner[symbol] = name
            item = next((i for i in node.inputs if i.name == name), None)
            target = self.graph.index.get(item.target) if item is not None and item.target else None
            label = target.label if target is not None and target.named else sources.get(name, "")
            if label and len(label) <= LONGEST_NAME:
                names[symbol] = label
        used = set(names.values()) | self.names
        everything = formula.symbols(whole).union(*(formula.symbols(math) for _, math in rows))
        for symbol in sorted(everything - set(names)):
            if symbol in used:
                names[symbol] = next(letter for letter in LETTERS + symbol.upper() if letter not in used | everything)
                used.add(names[symbol])
        return names, owner

    def _values(self, node: NodeInfo, owner: dict[str, str]) -> dict[str, Any]:
        saved = {entry.name: entry.value for entry in node.saved if entry.state not in (STALE, FREED)}
        found = {}
        for symbol, name in owner.items():
            value = saved.get(name)
            if value is None and name == "result" and node.saved:
                value = saved.get("result")
            if value is not None and value.complete:
                found[symbol] = matrix(value)
        for entry in node.saved:  # α of an addition, the exponent of a power
            symbol = "n" if entry.name == "exponent" else formula.SIGNS.get(entry.name, entry.name)
            if not entry.is_tensor and symbol not in owner and _NUMBER.fullmatch(entry.plain):
                found[symbol] = ["value", pretty(entry.plain)]
        return found

    def _numbers(
        self, node: NodeInfo, index: int, math: Any, names: dict[str, str], values: dict[str, Any], plus: bool
    ) -> View:
        if node.id not in self.left:
            return {"numbers": None, "step": 0}
        number, step = self.left[node.id]
        outcome = step.values[index] if index < len(step.values) else None
        halves = formula.sides(math)
        if outcome is None or halves is None:
            return {"numbers": None, "step": number}
        incoming = self.entered.get(node.id, (0, None))[1]
        arrived = incoming.values[0] if incoming is not None and incoming.values else None
        known = matrix(arrived) if arrived is not None and arrived.complete else None

        def put(part: Any) -> Any:  # bottom-up: a bar meets its symbol's value, and the gradient is not that
            if part[0] == "bar" and part[1][0] in ("sym", "found"):
                return known or ["bar", ["sym", part[1][-1]]]
            return ["found", values[part[1]], part[1]] if part[0] == "sym" and part[1] in values else None

        def settle(part: Any) -> Any:
            return part[1] if part[0] == "found" else None

        elementwise = len(halves[0]) == 2 and halves[0][1][0] == "bar"
        symbol = formula.barred(math)
        left = formula.rename(halves[0] if elementwise or symbol is None else ["row", ["bar", ["sym", symbol]]], names)
        sign = ["op", "+=" if plus else "="]
        middle = formula.rename(formula.multiplied(formula.walk(formula.walk(halves[1], put), settle)), names)
        if outcome.complete and not elementwise:  # indices in the formula stand for the whole sum: only the outcome
            return {"numbers": ["row", *left[1:], sign, matrix(outcome)], "step": number}
        if not outcome.complete:
            return {
                "numbers": ["row", *left[1:], sign, ["value", pretty(outcome.text)]],
                "step": number,
                "array": array(outcome),
            }
        total = [] if middle[1:] == [matrix(outcome)] else [["op", "="], matrix(outcome)]
        return {"numbers": ["row", *left[1:], sign, *middle[1:], *total], "step": number}

    def _saved(self, entry: Any) -> View:
        return {
            "name": entry.name,
            "source": entry.source,
            "state": entry.state,
            "words": STATES[entry.state],
            "shape": shape_text(entry.value.shape) if entry.value is not None else "",
            "bytes": entry.nbytes,
            "saved": "not told" if entry.version_saved is None and self.untold else _version(entry.version_saved),
            "now": _version(entry.version_now),
            "value": array(entry.value),
            "written": str(entry.written) if entry.written is not None else "",
        }

    def _memory(self, node: NodeInfo) -> list[View]:
        ids = [node.storage, *(entry.storage for entry in node.saved)]
        found = [self.storages[name] for name in dict.fromkeys(ids) if name in self.storages]
        return [storage_view(storage) for storage in sorted(found, key=lambda storage: storage.written is None)]

    def _code(self, node: NodeInfo) -> list[View]:
        """Return the node's line, the lines around it that made other nodes, and the lines that wrote its memory."""
        found: dict[tuple[str, int], View] = {}
        if node.place is not None:
            lines = self.lines[node.place.file]
            here = bisect_left(lines, node.place.line, key=lambda place: place.line)
            for place in lines[max(0, here - 1) : here + 3]:
                own = place.line == node.place.line
                line = _line(place, "made this node" if own else "")
                if own:
                    line["mark"] = node.place.expression
                found[place.file, place.line] = line
        for entry in node.saved:
            if entry.written is not None:
                place = entry.written
                found.setdefault((place.file, place.line), _line(place, f"wrote {entry.storage or entry.source}", True))
        return list(found.values())


def storage_view(storage: StorageInfo) -> View:
    """Return a storage with its aliases as fractions of its length, for the strip."""
    end = max([1, *(alias.offset + alias.length for alias in storage.aliases)])
    return {
        "id": storage.id,
        "bytes": size_text(storage.nbytes),
        "elements": end,
        "version": _version(storage.version),
        "written": str(storage.written) if storage.written is not None else "",
        "aliases": [
            {
                "label": a.label,
                "from": a.offset / end,
                "to": (a.offset + a.length) / end,
                "graph": a.in_graph,
                "shape": shape_text(a.shape),
            }
            for a in storage.aliases
        ],
    }


def array(value: ArrayDigest | None) -> View | None:
    """Return a digest for the browser: text, rows of numbers as text, statistics."""
    if value is None:
        return None
    statistics = [
        [name, pretty(f"{number:.4g}")]
        for name, number in (("min", value.low), ("max", value.high), ("mean", value.mean), ("norm", value.norm))
        if number is not None and not value.complete
    ]
    if value.bad:
        statistics.append(["not finite", str(value.bad)])
    return {
        "text": pretty(value.text),
        "rows": [[pretty(word) for word in row] for row in value.rows],
        "column": len(value.shape) == 1 and len(value.rows[0] if value.rows else ()) <= COLUMN_UP_TO,
        "shape": shape_text(value.shape),
        "stats": statistics,
    }


def matrix(value: ArrayDigest) -> Any:
    """Return a small array as a part of a formula."""
    rows = [[pretty(word) for word in row] for row in value.rows]
    if value.shape == ():
        return ["value", rows[0][0]]
    if not rows:  # no element at all
        return ["value", pretty(value.text)]
    if len(value.shape) == 1 and len(rows[0]) <= COLUMN_UP_TO:
        rows = [[word] for word in rows[0]]
    return ["mat", rows]


def _plus(math: Any) -> Any:
    done = False

    def change(part: Any) -> Any:
        nonlocal done
        if part == ["op", "="] and not done:
            done = True
            return ["op", "+="]
        return None

    return formula.walk(math, change)


def _version(version: int | None) -> str:
    return "–" if version is None else f"v{version}"


def _note(entry: Any) -> str:
    if entry.state == STALE:
        where = f" in {entry.written}" if entry.written is not None else ""
        return (
            f"Backward will raise: {entry.source or entry.name} was saved at version {entry.version_saved} and written "
            f"since{where}; it is now at version {entry.version_now}."
        )
    if entry.state == CHANGED:
        where = f" in {entry.written}" if entry.written is not None else ""
        return (
            f"{entry.source or entry.name} was written{where} behind autograd's back: backward will silently be wrong."
        )
    return ""


def _lines(graph: GraphSnapshot) -> dict[str, list[Place]]:
    """Return the lines that made nodes, by file, in order."""
    found: dict[str, dict[int, Place]] = {}
    for node in graph.nodes:
        if node.place is not None:
            found.setdefault(node.place.file, {}).setdefault(node.place.line, node.place)
    return {file: [lines[number] for number in sorted(lines)] for file, lines in found.items()}


def _line(place: Place, role: str, write: bool = False) -> View:
    cell = f"In [{place.cell}]" if place.cell is not None else place.file.rsplit("/", 1)[-1]
    return {
        "cell": cell,
        "line": place.line,
        "text": place.text,
        "role": role,
        "mark": "",
        "write": write,
        "key": f"{cell}:{place.line}",
    }
