"""Run a backward once and write down every event, so that it can be played back and forth without an engine."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from autograd_lab.introspect.digest import digest
from autograd_lab.introspect.model import (
    ACCUMULATE,
    ENTER,
    ERROR,
    EXIT,
    FINISH,
    HOOK,
    RELEASE,
    ROUTE,
    SEED,
    ArrayDigest,
    BackwardTrace,
    GraphSnapshot,
    Step,
)
from autograd_lab.introspect.problems import reject
from autograd_lab.introspect.shapes import shapes_of_run
from autograd_lab.introspect.walk import DETAILS_UP_TO, Walk

SUM_UP_TO = 4096  # elements; partial sums of larger gradients are not kept


class Recorder:
    """Collect the steps of one run. Adapters call it; it keeps digests, never an array of the engine's."""

    def __init__(self, graph: GraphSnapshot, adapter: Any) -> None:
        self.graph, self.adapter = graph, adapter
        self.brief = len(graph.nodes) > DETAILS_UP_TO
        self.steps: list[Step] = []
        self.problem: BaseException | None = None
        self.raised: tuple[str, str] | None = None
        self.arrived: dict[str, int] = {}
        self.sums: dict[str, np.ndarray | None] = {}
        self.pending: list[Step] = []
        self._edges = {(e.source, e.index): e for e in graph.edges}
        self._held: dict[int, tuple[Any, ArrayDigest | None]] = {}

    def expected(self, target: str) -> int:
        """Return how many gradients a node waits for."""
        return len(self.graph.arriving[target]) + (target in self.graph.roots)

    def digest(self, value: Any) -> ArrayDigest | None:
        """Digest a gradient; the same object inside one step is read once."""
        known = self._held.get(id(value))
        if known is not None and known[0] is value:
            return known[1]
        found = self.adapter.digest(value, self.brief)
        self._held[id(value)] = (value, found)
        return found

    def seed(self, node: str, output: int, grad: Any) -> None:
        """The run begins: a root receives its gradient."""
        self.arrived[node] = self.arrived.get(node, 0) + 1
        self.steps.append(Step(SEED, node, values=(self.digest(grad),)))

    def seed_later(self, loss: Any, gradient: Any) -> None:
        """The same for an engine that does not tell its seed; it counts only once a node was entered."""
        node = self.graph.roots[0]
        value = self.digest(gradient) if gradient is not None else digest(np.ones(tuple(loss.shape), np.float32))
        self.pending.append(Step(SEED, node, values=(value,)))
        self.arrived[node] = 1

    def enter(self, node: str, grads: Any) -> None:
        """A node begins its backward."""
        self._begin()
        self._held.clear()
        self.steps.append(Step(ENTER, node, values=tuple(self.digest(grad) for grad in _tuple(grads))))

    def exit(self, node: str, grads: Any) -> None:
        """A node has computed the gradients of its inputs."""
        self.steps.append(Step(EXIT, node, values=tuple(self.digest(grad) for grad in _tuple(grads))))

    def release(self, node: str) -> None:
        """A node let go of its saved tensors."""
        held = self.graph.index[node]
        if any(entry.is_tensor for entry in held.saved):
            self.steps.append(Step(RELEASE, node, nbytes=held.kept_bytes))

    def route(self, node: str, index: int, grad: Any) -> None:
        """A gradient travels along an edge."""
        edge = self._edges.get((node, index))
        if edge is None:
            return
        self.arrived[edge.target] = self.arrived.get(edge.target, 0) + 1
        if grad is None:  # it counts as arrived, and there is nothing to see
            return
        expected = self.expected(edge.target)
        total = self._sum(edge.target, grad) if expected > 1 else None
        self.steps.append(
            Step(ROUTE, edge.target, edge.id, (self.digest(grad),), self.arrived[edge.target], expected, total=total)
        )

    def accumulate(self, node: str, before: Any, after: Any) -> None:
        """A leaf's `.grad` has been written."""
        self._begin()
        first = before if isinstance(before, ArrayDigest) or before is None else self.adapter.digest(before)
        self.steps.append(Step(ACCUMULATE, node, before=first, after=self.adapter.digest(after)))

    def hook(self, node: str, name: str, before: ArrayDigest | None, after: ArrayDigest | None) -> None:
        """A hook of the user's changed a gradient."""
        self._begin()
        self._held.clear()
        self.steps.append(Step(HOOK, node, values=(after,), before=before, after=after, hook=name))

    def hook_raised(self, node: str, name: str) -> None:
        """A hook of the user's raised; the error itself is told later."""
        self.raised = node, name

    def error(self, node: str | None, problem: BaseException) -> None:
        """The run ended with an exception, at this node if it is known."""
        if self.problem is problem:
            return
        self.problem = problem
        message = str(problem)
        for note in getattr(problem, "__notes__", ()):
            message += "\n" + note
        hook = ""
        if self.raised is not None:
            node, hook = self.raised
        self.steps.append(Step(ERROR, node, error=type(problem).__name__, message=message, hook=hook))

    def finish(self) -> None:
        """The run went through."""
        self._begin()
        self.steps.append(Step(FINISH))

    def _begin(self) -> None:
        if self.pending:
            self.steps += self.pending
            self.pending = []

    def _sum(self, target: str, grad: Any) -> ArrayDigest | None:
        array = grad if isinstance(grad, (np.ndarray, np.generic)) or grad is None else self.adapter.array(grad)
        if array is None:
            known = self.sums.get(target)
            return digest(known) if known is not None else None
        array = np.asarray(array)
        if array.size > SUM_UP_TO:
            return None
        known = self.sums.get(target)
        if known is not None and known.shape != array.shape:  # outputs of one node differ: no common sum
            return None
        self.sums[target] = array.copy() if known is None else known + array
        return digest(self.sums[target])


def record(
    loss: Any, *, names: Mapping[str, Any] | None = None, call: str = "record", **backward_kwargs: Any
) -> BackwardTrace:
    """Run `loss.backward(**backward_kwargs)` once and return the recorded run.

    The run is a real one: `.grad` is written, hooks run, buffers are freed. An error inside the run does not come out
    of this call: it is the last step of the trace and stands in `trace.error`.

    Args:
        loss: a tensor with a graph.
        names: variables by name; by default those of the notebook, else of the calling frame.
        call: the name of the call in error sentences.
        backward_kwargs: `gradient`, `retain_graph`, `create_graph`, `inputs`, as torch's `Tensor.backward` takes them.

    Raises:
        NotATensor, NoGraph: as `snapshot`.
        UnknownKeyword: a keyword that `backward` does not have.
        RuntimeError: what `backward` raises before the run begins (a loss that is no scalar).

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.introspect import record
        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> trace = record((x * x).sum())
        >>> [step.kind for step in trace.steps]
        ['seed', 'enter', 'exit', 'route', 'enter', 'exit', 'release', 'route', 'route', 'accumulate', 'finish']
    """
    walk = Walk((loss,), names, call, whole=True)
    reject(call, backward_kwargs, walk.adapter.kwargs)
    graph = walk.snapshot()
    recorder = Recorder(graph, walk.adapter)
    watched = {key: (name, node) for key, (name, node) in walk.ids.items()}
    try:
        walk.adapter.run(loss, backward_kwargs, watched, walk.holders, recorder)
    except Exception as problem:
        if recorder.raised is None and not any(step.kind in (ENTER, ACCUMULATE, HOOK) for step in recorder.steps):
            raise
        recorder.error(None, problem)
    retain = backward_kwargs.get("retain_graph")
    retained = bool(backward_kwargs.get("create_graph") if retain is None else retain)
    shapes_of_run(graph, recorder.steps)
    return BackwardTrace(graph, tuple(recorder.steps), "recorded", recorder.problem, retained)


def _tuple(grads: Any) -> tuple[Any, ...]:
    return grads if isinstance(grads, tuple) else tuple(grads) if isinstance(grads, list) else (grads,)
