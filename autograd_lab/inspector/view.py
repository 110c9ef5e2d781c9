"""The view model: all that a renderer needs to show a graph or a film, as pure data. Renderers decide nothing."""

from __future__ import annotations

from typing import Any

from autograd_lab.inspector.cards import card, footer, picture
from autograd_lab.inspector.film import film, opening
from autograd_lab.inspector.fold import Fold, fold
from autograd_lab.inspector.panel import Panels
from autograd_lab.inspector.stacks import Stacks
from autograd_lab.introspect.digest import size_text
from autograd_lab.introspect.model import CHANGED, STALE, BackwardTrace, GraphSnapshot

View = dict[str, Any]
VERSION = 1
PANELS_UP_TO = 250  # nodes; of a larger graph the panels of folded nodes are asked for one by one
OPEN_UP_TO = 2_000  # nodes that are drawn open


def view_of(source: GraphSnapshot | BackwardTrace, whole: bool = False) -> View:
    """Return the view model of a snapshot or a trace.

    Its parts: `title`, `subtitle`, `pictures` (cards, wires and references with places; `folded` for a large graph),
    `panels` by node id, `stacks` by fold id, `film` (steps, spans, leaves; None without a trace), `findings`, `kept`.

    Args:
        source: what to show.
        whole: take in what a kernel would be asked for later: every panel, and the open picture of a folded graph.
    """
    graph, trace = _parts(source)
    view = opening_of(source, whole)
    panels = Panels(graph, trace)
    view["panels"] = {name: panels.panel(graph.index[name]) for name in shown_nodes(graph, view, whole)}
    view["film"] = film(trace) if trace is not None else None
    return view


def opening_of(source: GraphSnapshot | BackwardTrace, whole: bool = False) -> View:
    """Return the part of the view model that the first picture needs: no panel, and of the film its first step."""
    graph, trace = _parts(source)
    folds = fold(graph)
    pictures = {"folded" if folds else "open": picture_of(source, folds)}
    if whole and folds and len(graph.nodes) <= OPEN_UP_TO:
        pictures["open"] = picture_of(source, [])
    stacks = Stacks(graph, trace)
    return {
        "version": VERSION, "title": graph.title, "engine": graph.engine, "roots": list(graph.roots),
        "subtitle": f"{'the first ' if graph.cut else ''}{count(len(graph.nodes) - graph.cut, 'node')}, "
        f"{count(len(graph.edges), 'edge')}",
        "pictures": pictures, "picture": next(iter(pictures)), "panels": {},
        "stacks": {item.id: stacks.panel(item) for item in folds},
        "openable": bool(folds) and len(graph.nodes) <= OPEN_UP_TO,
        "film": opening(trace) if trace is not None else None,
        "findings": findings(graph), "kept": size_text(graph.kept_bytes),
    }  # fmt: skip


def shown_nodes(graph: GraphSnapshot, view: View, whole: bool = False) -> list[str]:
    """Return the nodes whose panels are sent unasked: all of a small graph, else those that have a card."""
    if whole or len(graph.nodes) <= PANELS_UP_TO:
        return [node.id for node in graph.nodes]
    return [name for sheet in view["pictures"].values() for card in sheet["cards"] for name in card["nodes"][:1]]


def _parts(source: GraphSnapshot | BackwardTrace) -> tuple[GraphSnapshot, BackwardTrace | None]:
    return (source.snapshot, source) if isinstance(source, BackwardTrace) else (source, None)


def picture_of(source: GraphSnapshot | BackwardTrace, folds: list[Fold]) -> View:
    """Return the picture of a graph in which each fold is one card."""
    graph, trace = _parts(source)
    stacks = Stacks(graph, trace)
    home = {node.id: item for item in folds for node in item.nodes}
    cards, seen = [], set()
    for node in graph.nodes:
        item = home.get(node.id)
        if item is None:
            cards.append(card(node, footer(node, graph, trace)))
        elif item.id not in seen:
            seen.add(item.id)
            cards.append(stacks.card(item))
    return picture(graph, cards)


def findings(graph: GraphSnapshot) -> list[View]:
    """Return what is wrong with the saved tensors: the ribbon of the widget, the last lines of the text."""
    found, told = [], set()
    for node in graph.nodes:
        for entry in node.saved:
            key = node.id, entry.storage or entry.source or entry.name, entry.state
            if entry.state not in (STALE, CHANGED) or key in told:  # of `w * w` both saved values are one tensor
                continue
            told.add(key)
            who = entry.source or entry.name
            where = str(entry.written) if entry.written is not None else "a later line"
            line = entry.written.text if entry.written is not None else ""
            stale = entry.state == STALE
            outside = f"only for a write outside the graph copy first, {who}.detach().clone()"
            found.append(
                {
                    "node": node.id,
                    "severity": "error",
                    "code": entry.state,
                    "head": "Backward will raise." if stale else "Backward will silently be wrong.",
                    "what": [
                        [node.op, "op"],
                        [" saved ", ""],
                        [who, "name"],
                        [
                            f" at version {entry.version_saved}; {where} wrote into it"
                            + (
                                f": version {entry.version_now}."
                                if stale
                                else ", and the version counter did not see it."
                            ),
                            "",
                        ],
                    ],
                    "fix": "make a new tensor instead of writing, for example "
                    if stale
                    else "write into a copy, or through .detach() to be warned: ",
                    "fix_code": f"{who if who.isidentifier() else 'y'} = {who} + 1" if stale else f"{who}.detach()",
                    "fix_more": outside if stale else "",
                    "line": line,
                    "chapter": "06",
                }
            )
    return found


def count(number: int, noun: str) -> str:
    """Write a number with its noun: `1 node`, `2 nodes`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
