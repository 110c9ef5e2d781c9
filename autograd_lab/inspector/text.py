"""The text view: the same graph in words and outline numbers, for screen readers, for GitHub, and for nbval."""

from __future__ import annotations

from autograd_lab.inspector.view import count, findings
from autograd_lab.inspector.words import STATES, birth, first_bad, plain, ready, sentence
from autograd_lab.introspect.digest import shape_text, size_text
from autograd_lab.introspect.model import (
    ACCUMULATOR,
    CHANGED,
    FREED,
    STALE,
    UNKNOWN,
    BackwardTrace,
    GraphSnapshot,
    NodeInfo,
    SavedInfo,
)

WIDTH = 88
DEEP = 9  # nodes in a row; above, numbers go on instead of growing
TITLE = 28  # characters of a name or an expression
LINES = 400  # of an outline; larger graphs are cut and say so


def graph_text(graph: GraphSnapshot) -> str:
    """Return the graph as an outline: number, name, op, shape, dtype, place, state."""
    found = findings(graph)
    size = f"{'the first ' if graph.cut else ''}{count(len(graph.nodes) - graph.cut, 'node')}"
    head = f"Graph of {graph.title}: {size}, {count(len(graph.edges), 'edge')}"
    if found:
        head += f", {count(len(found), 'error')}"
    first = "1" if len(graph.roots) == 1 else f"1 to {len(graph.roots)}"
    lines = [f"{head}. Gradients go from {first} downwards.", ""]
    numbers, rows, cut = _outline(graph)
    if _is_deep(graph):
        lines[0] += " Numbers go on along the first input."
    widths = [
        max([len(cell) for cells, _, _ in rows if len(cells) > 2 for cell in (cells[i],)], default=0) for i in range(5)
    ]
    for cells, details, indent in rows:
        if len(cells) == 2:
            lines.append(f"{cells[0].ljust(widths[0])}  {cells[1]}".rstrip())
            continue
        fixed = "  ".join(cell.ljust(width) for cell, width in zip(cells[:5], widths))
        lines.append("  ".join([fixed, *(cell for cell in cells[5:] if cell)]).rstrip())
        lines += [" " * (widths[0] + 4 + indent) + detail for detail in details]
    if cut:
        lines.append(f"and {cut} more nodes, not listed")
    for index, item in enumerate(found, 1):
        node = graph.index[item["node"]]
        lines += [
            "",
            f"Finding {index} of {len(found)}, {item['severity']}: {item['code']} saved tensor at "
            f"{numbers.get(node.id, node.id)} ({node.label or node.op}, {node.op})",
            "  What  " + "".join(part for part, _ in item["what"]),
            f"  Then  {item['head']}",
            f"  Fix   {item['fix']}{item['fix_code']}" + (";" if item["fix_more"] else ""),
            *([f"        {item['fix_more']}"] if item["fix_more"] else []),
            f"  Read  chapter {item['chapter']}",
        ]
    return "\n".join(lines)


def trace_text(trace: BackwardTrace, step: int = 0) -> str:
    """Return the graph and the list of steps in sentences; the current step is marked by a word."""
    lines = [
        graph_text(trace.snapshot),
        "",
        f"Backward of {trace.snapshot.title}: {count(len(trace.steps), 'step')}, {trace.mode}.",
    ]
    if step == 0:
        lines.append(f"Step 0: {plain(ready(trace))}")
    width = len(str(len(trace.steps)))
    shown, born = min(len(trace.steps), LINES), first_bad(trace)
    for index in range(shown):
        mark = "  (now)" if index + 1 == step else ""
        step_now = trace.steps[index]
        told = plain([*sentence(trace, index), *(birth(step_now) if index == born else [])])
        lines.append(f"{index + 1:>{width}}  {step_now.kind:<10}  {told}{mark}")
    if shown < len(trace.steps):
        lines.append(f"and {len(trace.steps) - shown} more steps, not listed")
    return "\n".join(lines)


def _outline(graph: GraphSnapshot) -> tuple[dict[str, str], list[tuple[list[str], list[str], int]], int]:
    """Return the number of each node, the rows in order, and how many nodes found no room."""
    deep = _is_deep(graph)
    numbers: dict[str, str] = {}
    rows: list[tuple[list[str], list[str], int]] = []
    stack = [(root, str(i), 0) for i, root in enumerate(graph.roots, 1)][::-1]
    while stack and len(rows) < LINES:
        name, number, depth = stack.pop()
        node = graph.index[name]
        indent = "  " * min(number.count(".") if deep else depth, 8)
        title = node.label or node.id
        title = title if len(title) <= TITLE else title[: TITLE - 1] + "…"
        if name in numbers:
            rows.append(([number, f"{indent}{title}  see {numbers[name]}"], [], 0))
            continue
        numbers[name] = number
        rows.append((_cells(number, indent + title, node), _details(node, graph), len(indent)))
        for i, edge in reversed(list(enumerate(graph.leaving[name], 1))):
            follows = _next(number, len(graph.roots) == 1) if deep and i == 1 else f"{number}.{i}"
            stack.append((edge.target, follows, depth + 1))
    return numbers, rows, len(graph.nodes) - len(numbers)


def _is_deep(graph: GraphSnapshot) -> bool:
    """Say whether the way along the first inputs is so long that its outline numbers could not be read."""
    name, steps = graph.roots[0] if graph.roots else None, 0
    while name is not None and steps <= DEEP:
        following = graph.leaving[name]
        name, steps = following[0].target if following else None, steps + 1
    return steps > DEEP


def _next(number: str, alone: bool) -> str:
    """Return the number along the first input in a deep graph: 1, 2, 3; at a branch 3.2, 3.2-2, 3.2-3."""
    if alone and number.isdigit():
        return str(int(number) + 1)
    head, _, tail = number.rpartition("-")
    return f"{head}-{int(tail) + 1}" if head and tail.isdigit() else f"{number}-2"


def _cells(number: str, title: str, node: NodeInfo) -> list[str]:
    grad = f".grad {node.grad.text if node.grad is not None else 'None'}" if node.kind == ACCUMULATOR else ""
    state = "STALE" if node.stale else "CHANGED" if any(e.state == CHANGED for e in node.saved) else ""
    names = f"also {', '.join(node.names[1:])}" if len(node.names) > 1 else ""
    return [number, title, node.op, shape_text(node.shape), node.dtype, str(node.place or ""), grad, names, state]


def _details(node: NodeInfo, graph: GraphSnapshot) -> list[str]:
    lines = [_saved(entry) for entry in node.saved if entry.is_tensor]
    if node.kind == ACCUMULATOR:
        storage = next((s for s in graph.storages if s.id == node.storage), None)
        if storage is not None:
            others = [alias.label for alias in storage.aliases if alias.label not in node.names]
            shared = f"shared with {', '.join(others)}" if others else "not shared"
            written = f"last written {storage.written}" if storage.written is not None else ""
            if others or written:
                lines.append(
                    f"storage {storage.id}, {shared}" + (f"; {written}, now v{node.version}" if written else "")
                )
    lines += [f"hook {name}" for name in node.hooks]
    return lines


def _saved(entry: SavedInfo) -> str:
    who = f"saved {entry.name}" + (f" = {entry.source}" if entry.source else "")
    if entry.state in (FREED, UNKNOWN) or (entry.value is None and entry.state != STALE):
        return f"{who}  {STATES[entry.state]}"
    size = f"  {shape_text(entry.value.shape)}  {size_text(entry.nbytes)}" if entry.value is not None else ""
    versions = f"  saved v{entry.version_saved}, now v{entry.version_now}" if entry.version_saved is not None else ""
    if not versions and entry.version_now is not None:
        versions = f"  version when saved not known, now v{entry.version_now}"
    return f"{who}{size}{versions}  {STATES[entry.state]}"
