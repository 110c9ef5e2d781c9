"""Walk the engine's order on the side: which steps a backward would take, without running anything."""

from __future__ import annotations

import heapq

from autograd_lab.introspect.digest import shape_text
from autograd_lab.introspect.model import (
    ACCUMULATE,
    ACCUMULATOR,
    ENTER,
    ERROR,
    EXIT,
    FINISH,
    FREED,
    RELEASE,
    ROUTE,
    SEED,
    STALE,
    ArrayDigest,
    BackwardTrace,
    GraphSnapshot,
    NodeInfo,
    Step,
)

FORECAST_UP_TO = 600  # nodes; a longer forecast would keep the reader waiting for the picture


def forecast(graph: GraphSnapshot) -> BackwardTrace | None:
    """Return the steps that a backward from the graph's roots would take; None when the graph is too large.

    No hook runs and no `.grad` is touched, so gradients have shapes and no values. The forecast ends at the node that
    would raise: one whose saved tensor was written since, or was let go of.
    """
    if len(graph.nodes) > FORECAST_UP_TO:
        return None
    steps: list[Step] = []
    only = {node.id: shape_only(node) for node in graph.nodes}
    waiting = {node.id: len(graph.arriving[node.id]) for node in graph.nodes}
    arrived: dict[str, int] = dict.fromkeys(waiting, 0)
    ready: list[tuple[int, int, str]] = []

    def push(name: str) -> None:
        order = graph.index[name].order
        heapq.heappush(ready, (-(order if order is not None else 0), int(name[1:]), name))

    for root in graph.roots:
        arrived[root] += 1
        steps.append(_seed(graph.index[root]))
        if not waiting[root]:
            push(root)
    while ready:
        name = heapq.heappop(ready)[2]
        node = graph.index[name]
        if node.kind == ACCUMULATOR:
            steps.append(Step(ACCUMULATE, name, values=(only[name],), before=node.grad))
            continue
        steps.append(Step(ENTER, name, values=(only[name],)))
        problem = _trouble(node)
        if problem is not None:
            steps.append(problem)
            return BackwardTrace(graph, tuple(steps), "forecast")
        steps.append(Step(EXIT, name, values=tuple(only[i.target] if i.target else None for i in node.inputs)))
        if graph.engine != "torch" and any(entry.is_tensor for entry in node.saved):
            steps.append(Step(RELEASE, name, nbytes=node.kept_bytes))
        for edge in graph.leaving[name]:
            arrived[edge.target] += 1
            waiting[edge.target] -= 1
            expected = len(graph.arriving[edge.target]) + (edge.target in graph.roots)
            steps.append(Step(ROUTE, edge.target, edge.id, (only[edge.target],), arrived[edge.target], expected))
            if not waiting[edge.target]:
                push(edge.target)
    steps.append(Step(FINISH))
    return BackwardTrace(graph, tuple(steps), "forecast")


def begin(graph: GraphSnapshot) -> tuple[BackwardTrace, int] | None:
    """Return the forecast's first step alone and the number of all its steps: enough for a picture that does not play.

    None when the graph is too large, or when the run would stop at an error: then only the forecast knows where.
    """
    if len(graph.nodes) > FORECAST_UP_TO or any(_trouble(node) for node in graph.nodes):
        return None
    steps = len(graph.roots) + len(graph.edges) + 1
    for node in graph.nodes:
        if node.kind == ACCUMULATOR:
            steps += 1
        else:
            steps += 3 if graph.engine != "torch" and any(entry.is_tensor for entry in node.saved) else 2
    return BackwardTrace(graph, tuple(_seed(graph.index[root]) for root in graph.roots[:1]), "forecast"), steps


def _seed(node: NodeInfo) -> Step:
    seed = ArrayDigest((), node.dtype, 0, "1", (("1",),)) if node.shape == () else shape_only(node)
    return Step(SEED, node.id, values=(seed,))


def shape_only(node: NodeInfo) -> ArrayDigest:
    """Return a gradient of which only the shape is known."""
    shape = node.shape if node.shape is not None else ()
    return ArrayDigest(shape, node.dtype, 0, shape_text(node.shape) or "shape not known", complete=False)


def _trouble(node: NodeInfo) -> Step | None:
    if any(entry.state == STALE for entry in node.saved):
        return Step(ERROR, node.id, error="RuntimeError", message="a saved tensor was modified by an inplace operation")
    if any(entry.state == FREED for entry in node.saved):
        message = "Trying to backward through the graph a second time"
        return Step(ERROR, node.id, error="RuntimeError", message=message)
    return None
