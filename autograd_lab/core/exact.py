"""The backward run as torch orders it, for when hooks, wanted inputs, an observer or anomaly mode can see the order.

Dependencies are counted first; a node is ready when all its gradients have arrived; the ready node with the highest
sequence number runs next, and a ready AccumulateGrad before any other.
"""

from __future__ import annotations

import operator
import warnings
from typing import Any

from autograd_lab.core import anomaly
from autograd_lab.core.accumulate import accumulate, one_thread
from autograd_lab.core.engine import apply, leading_to, release
from autograd_lab.core.hook_calls import call_post_accumulate, call_post_hooks, call_pre_hooks, call_tensor_hooks
from autograd_lab.core.moored import fit_moored
from autograd_lab.core.node import edge_pair, shown
from autograd_lab.core.ready import ReadyQueue
from autograd_lab.core.state import local, mode, set_grad
from autograd_lab.core.tensor import wrap


class Run:
    """One backward run: what it may execute, what waits, what it captured."""

    def __init__(self, roots: list, grads: list, retain_graph: bool, recorded: bool, wanted: list | None,
                 accumulating: bool) -> None:  # fmt: skip
        self.roots = [edge_pair(root) for root in roots]
        self.grads = grads if recorded else [grad._array for grad in grads]
        if mode.forbidden:
            self.grads = fit_moored(None, roots, self.grads, recorded)
        self.retain_graph, self.recorded = retain_graph, recorded
        self.queue = ReadyQueue()
        self.waiting: dict[Any, list] = {}
        self.captures: dict[Any, list[tuple[int, int]]] = {}
        self.captured: list[Any] = [None] * len(wanted or ())
        self.dependencies = self._count()
        # A hook on several tensors counts the nodes that a run leads to; the one root of a run is not among them.
        only = self.roots[0][0] if len(self.roots) == 1 else None
        self.outside = only if only is not None and self.dependencies[only] == 1 else None
        self.needed: set | None = None
        if wanted is not None:
            self._restrict(wanted, accumulating)

    def _count(self) -> dict[Any, int]:
        """Count how many gradients each node will receive."""
        dependencies: dict[Any, int] = {}
        seen: set = set()
        stack = []
        for node, _ in self.roots:
            dependencies[node] = dependencies.get(node, 0) + 1
            if node not in seen:
                seen.add(node)
                stack.append(node)
        while stack:
            for edge in stack.pop().edges:
                if edge is None:
                    continue
                node = edge.node if edge.kind == 2 else edge
                dependencies[node] = dependencies.get(node, 0) + 1
                if node not in seen:
                    seen.add(node)
                    stack.append(node)
        return dependencies

    def _restrict(self, wanted: list, accumulating: bool) -> None:
        """Keep only the nodes that lead to a wanted edge."""
        needed: set = set()
        targets: set = set()
        for position, edge in enumerate(wanted):
            if edge is None:
                continue
            node, nr = edge_pair(edge)
            if accumulating:
                needed.add(node)
            else:
                self.captures.setdefault(node, []).append((position, nr))
            targets.add(node)
        self.needed = needed | leading_to(targets, [node for node, _ in self.roots])

    def allowed(self, node: Any) -> bool:
        """Say whether the run may reach this node at all."""
        return self.needed is None or node in self.needed or node in self.captures

    def reaches(self, node: Any) -> bool:
        """Say whether the run will send the node a gradient."""
        if node not in self.dependencies or node is self.outside:
            return False
        if node.kind == 1 and node in self.captures:
            raise RuntimeError("A leaf node was passed to _will_engine_execute_node but we are currently running "
                               "autograd.grad(). This is currently not supported.")  # fmt: skip
        return self.allowed(node)

    def order(self) -> list:
        """Return the nodes of this run in the order in which it executes them."""
        arrivals: dict[Any, int] = {}
        expected = self._count()
        queue, found = ReadyQueue(), []
        for node, _ in self.roots:
            arrivals[node] = arrivals.get(node, 0) + 1
            if arrivals[node] == expected[node]:
                queue.push(node, [])
        while queue:
            node, _ = queue.pop()
            if not self.allowed(node):
                continue
            found.append(node)
            for edge in node.edges:
                if edge is not None:
                    target = edge.node if edge.kind == 2 else edge
                    arrivals[target] = arrivals.get(target, 0) + 1
                    if arrivals[target] == expected[target]:
                        queue.push(target, [])
        return found

    def send(self, node: Any, nr: int, grad: Any) -> None:
        """Deliver one gradient; put the node in the queue when it was the last one."""
        self.dependencies[node] -= 1
        slots = self.waiting.get(node)
        if slots is None:
            if not self.allowed(node):
                return
            slots = self.waiting[node] = [None] * (1 if node.kind == 1 else node.outputs)
        if grad is not None:
            slots[nr] = grad if slots[nr] is None else slots[nr] + grad
        if not self.dependencies[node]:
            self.queue.push(node, self.waiting.pop(node))

    def evaluate(self, node: Any, grads: list) -> None:
        """Run one node: hooks before, captures, the formula, hooks after, delivery."""
        recorded, extra, observer = self.recorded, node.extra, local.observer
        if node.kind == 1 and node.hidden:
            return      # a view made without recording: torch's graph does not lead there
        arrived = grads
        if extra is not None and (extra.tensor_hooks or extra.retain):
            grads = call_tensor_hooks(extra, grads, recorded)
        passed_by = self.needed is not None and node not in self.needed
        for position, nr in self.captures.get(node, ()):    # where the run goes on, torch takes what no hook has seen
            self.captured[position] = (grads if passed_by else arrived)[nr]
        if passed_by:
            return
        if extra is not None and extra.pre:
            grads = call_pre_hooks(extra, grads, recorded)
        if observer is not None:
            watch(observer.enter, shown(node), tuple(grads))
        out: tuple | list
        hooked = extra is not None and bool(extra.post)
        if node.kind == 1:
            out = self.leaf(node, grads, observer)
        else:
            out = apply(node, list(grads), recorded)
            if self.needed is not None and not node.custom:
                useful = [edge is None or self.allowed(edge.node if edge.kind == 2 else edge) for edge in node.edges]
                if getattr(node.declaration, "many", False):    # all gradients of a list, if any is of use
                    useful = [any(map(operator.and_, useful, [one is not None for one in node.edges]))] * len(useful)
                out = [grad if use else None for use, grad in zip(useful, out, strict=True)]
            if mode.forbidden:
                out = fit_moored(node, node.edges, out, recorded)
        if extra is not None and extra.post:
            # A hook that was hung on the node while it ran comes too late for the gradients that went in, as in torch.
            out = call_post_hooks(extra, out, grads if hooked else [], recorded)
        if observer is not None:
            watch(observer.exit, shown(node), tuple(out))
        if not self.retain_graph and node.kind != 1 and node.frees:
            release(node)
            if observer is not None:
                watch(observer.release, shown(node))
        if mode.anomaly and mode.check_nan:
            anomaly.check_nan(node, tuple(out))
        for k, edge in enumerate(node.edges):
            if edge is None:
                continue
            target, nr = (edge.node, edge.nr) if edge.kind == 2 else (edge, 0)
            if observer is not None and self.allowed(target):
                watch(observer.route, shown(node), k, shown(target), nr, out[k])
            self.send(target, nr, out[k])

    def leaf(self, node: Any, grads: list, observer: Any) -> tuple:
        """Add a gradient, the only one in the list, to a leaf."""
        if grads[0] is None:
            return ()
        before = None
        if observer is not None and node.grad is not None:
            before = node.grad if self.recorded else node.grad._array.copy()
        with one_thread:
            accumulate(node, grads, 0, self.recorded)
        if observer is not None:
            watch(observer.accumulate, node, before, node.grad if self.recorded else node.grad._array)
        if node.extra is not None and node.extra.post_accumulate:
            call_post_accumulate(node)
        return ()

    def go(self) -> None:
        """Run everything."""
        if len(self.roots) == 1:    # torch visits the one root of a run even if nothing wanted lies behind it
            self.waiting.setdefault(self.roots[0][0], [None] * (getattr(self.roots[0][0], "outputs", 1)))
        for (node, nr), grad in zip(self.roots, self.grads, strict=True):
            self.send(node, nr, grad)
        while self.queue:
            node, grads = self.queue.pop()
            before, local.evaluating = getattr(local, "evaluating", None), node
            try:
                self.evaluate(node, grads)
                if local.grad is not self.recorded:
                    set_grad(self.recorded)     # a hook switched recording: for itself only, as in torch
            except BaseException as error:
                if mode.anomaly:
                    anomaly.tell(node)
                if local.observer is not None:
                    watch(local.observer.error, shown(node), error)
                raise
            finally:
                local.evaluating = before


def watch(call: Any, *args: Any) -> None:
    """Tell the observer; one that fails is let go with a warning, and the run goes on."""
    try:
        call(*args)
    except Exception as error:
        local.observer = None
        warnings.warn(f"the observer of this backward run failed and was detached: {type(error).__name__}: {error}",
                      stacklevel=2)  # fmt: skip


def run_exact(roots: list, grads: list, retain_graph: bool, recorded: bool, wanted: list | None,
              accumulating: bool) -> list | None:  # fmt: skip
    """Run backward in torch's order; see `engine.run` for the arguments."""
    task = Run(roots, grads, retain_graph, recorded, wanted, accumulating)
    outer, local.run = local.run, task
    observer = local.observer
    grad_mode = set_grad(recorded)
    try:
        if observer is not None:
            watch(observer.begin, [(shown(node), nr) for node, nr in map(edge_pair, roots)], list(task.grads))
        task.go()
        if local.observer is not None:
            watch(local.observer.finish)
    finally:
        local.run = outer
        set_grad(grad_mode)
    if accumulating:
        return None
    return [grad if grad is None or recorded else wrap(grad) for grad in task.captured]
