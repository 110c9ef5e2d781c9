"""The backward run: from the roots down to the leaves, highest sequence number first, without recursion.

`run` takes the plain path when nobody can see the order of events, and `exact.run_exact` when somebody can: hooks,
retained gradients, wanted inputs, an observer, anomaly mode. Both give the same gradients.

On the plain path a node is ready as soon as it has the highest sequence number of all that wait, for everything that
could still send it a gradient was made after it. The gradients of leaves are gathered and written at the end; after an
exception only those of leaves that have got everything, so no state is half written.
"""

from __future__ import annotations

from collections.abc import Collection
from heapq import heappop, heappush
from typing import Any

from autograd_lab.core.accumulate import LARGE, accumulate, add_into, fit, one_thread
from autograd_lab.core.provenance import user_frame
from autograd_lab.core.reentrant import LEVELS, in_fresh_thread, run_callbacks
from autograd_lab.core.state import local, mode, next_task, refresh, set_grad
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.core.tracebacks import in_torch_words, shortened


def run(roots: list, grads: list, retain_graph: bool, create_graph: bool, wanted: list | None = None,
        accumulating: bool = True) -> list | None:  # fmt: skip
    """Run backward from `roots`.

    Args:
        roots: stored edges (a node, an Output or an AccumulateGrad).
        grads: their gradients, as tensors.
        retain_graph: keep what the nodes saved.
        create_graph: record the backward itself.
        wanted: edges at which to stop; None means all leaves.
        accumulating: add to `.grad` (backward) instead of returning the gradients (grad).

    Returns the captured gradients, as tensors, in the order of `wanted`; None when accumulating.
    """
    depth = local.depth
    if depth and depth % LEVELS == 0 and local.spawned != depth:
        return in_fresh_thread(run, roots, grads, retain_graph, create_graph, wanted, accumulating)
    plain = not mode.extras and local.observer is None and not mode.anomaly and (wanted is None or not accumulating)
    before = set_grad(True) if create_graph and not local.grad else None
    outer_creating, local.creating_graph = local.creating_graph, create_graph
    callbacks, local.callbacks = local.callbacks, None
    local.depth = depth + 1
    outer_task, local.task = local.task, next_task()
    outer_selective = local.selective
    if wanted is not None:
        local.selective = True
    outer_site, hooks = local.site, local.pack_hooks
    if create_graph and outer_site is None:
        local.site = user_frame(2)
    try:
        if plain:
            given = grads if create_graph else [grad._array for grad in grads]
            found = None
            if wanted is None:
                run_plain(roots, given, retain_graph, create_graph)
            else:
                found = run_wanted(roots, given, retain_graph, create_graph, wanted)
        else:
            from autograd_lab.core.exact import run_exact

            found = run_exact(roots, grads, retain_graph, create_graph, wanted, accumulating)
        if local.callbacks:
            run_callbacks(create_graph)
        return found
    except Exception as error:
        if type(error) is ValueError and (worded := in_torch_words(error)) is not error:
            raise shortened(worded) from None
        raise shortened(error)  # noqa: B904 - the same exception, less the lab's own frames; its own context stays
    finally:
        local.depth = depth
        local.task, local.selective = outer_task, outer_selective
        local.site = outer_site
        if local.pack_hooks is not hooks:
            local.pack_hooks = hooks
            refresh()
        local.callbacks = callbacks
        local.creating_graph = outer_creating
        if before is not None:
            set_grad(before)


def run_wanted(roots: list, grads: list, retain_graph: bool, recorded: bool, wanted: list) -> list:
    """Run only what leads to the wanted edges; return the gradients that arrive there, as tensors."""
    captures: dict[Any, list] = {}
    for edge in wanted:
        if edge is not None:
            captures.setdefault(edge.node if edge.kind == 2 else edge, [])
    needed = leading_to(captures, roots)
    run_plain(roots, grads, retain_graph, recorded, needed, captures)
    found = []
    for edge in wanted:
        grad = None
        if edge is not None and (got := captures[edge.node if edge.kind == 2 else edge]):
            grad = got[0][edge.nr] if edge.kind == 2 else got[0]
        found.append(grad if grad is None or recorded else wrap(grad))
    return found


def leading_to(targets: Any, roots: list) -> set:
    """Return the nodes from which one of the target nodes can be reached by at least one edge.

    Each node is met twice: on the way down, and when all below it are decided. (Sequence numbers would not do for an
    order: a node without a derivative has the highest, and users may set them.)
    """
    needed: set = set()
    seen: set = set()
    stack: list[tuple[Any, bool]] = [(root.node if root.kind == 2 else root, False) for root in roots]
    while stack:
        node, done = stack.pop()
        if not done:
            if node in seen or node.kind == 1:
                continue
            seen.add(node)
            stack.append((node, True))
        for edge in node.edges:
            if edge is not None:
                target = edge.node if edge.kind == 2 else edge
                if not done:
                    stack.append((target, False))
                elif target in needed or target in targets:
                    needed.add(node)
                    break
    return needed


def run_plain(roots: list, grads: list, retain_graph: bool, recorded: bool, needed: Collection = (),
              captures: dict | None = None) -> None:  # fmt: skip
    """Run backward when nobody can observe the order of events.

    With `needed` and `captures`, run only the needed nodes, put what arrives at the captured ones into their lists, and
    leave `.grad` alone.
    """
    pending: dict[Any, Any] = {}
    heap: list[tuple[int, Any]] = []
    leaves: dict[Any, Any] = {}
    for target, grad in zip(roots, grads, strict=True):
        deliver(target, grad, pending, heap, leaves)
    try:
        while heap:
            node = heappop(heap)[1]
            grad = pending.pop(node)
            while True:
                if captures is not None:
                    if node in captures:
                        captures[node].append(grad)
                    if node not in needed:
                        break
                if grad is None:
                    out = node.undefined()
                else:
                    out = node.backward_recorded(grad) if recorded else node.backward(grad)
                    if node.fix is not None:
                        out = fit(out, node.fix, recorded)
                if not retain_graph and (frees := node.frees):
                    if frees is True:
                        node.saved = None
                    else:
                        frees()
                follow = None
                k = 0
                for target in node.edges:
                    if target is not None:
                        grad = out[k]
                        kind = target.kind
                        if captures is not None:
                            owner = target.node if kind == 2 else target
                            if owner not in needed and owner not in captures:
                                k += 1
                                continue
                        if kind == 1:
                            if grad is not None:
                                old = leaves.get(target)
                                if old is None:
                                    leaves[target] = grad
                                elif recorded or old.size < LARGE:
                                    leaves[target] = old + grad
                                else:
                                    add_into(leaves, target, grad)
                        elif kind == 2 or grad is None:
                            deliver(target, grad, pending, heap, leaves)
                        elif target in pending:
                            old = pending[target]
                            if old is None:
                                pending[target] = grad
                            elif recorded or old.size < LARGE:
                                pending[target] = old + grad
                            else:
                                add_into(pending, target, grad)
                        elif follow is None:
                            if not heap or target.seq > -heap[0][0]:
                                follow, carried = target, grad
                            else:
                                pending[target] = grad
                                heappush(heap, (-target.seq, target))
                        elif follow is target:
                            carried = carried + grad
                        else:
                            pending[target] = grad
                            heappush(heap, (-target.seq, target))
                    k += 1
                out = grad = None
                if follow is None:
                    break
                if heap and -heap[0][0] > follow.seq:
                    pending[follow] = carried
                    heappush(heap, (-follow.seq, follow))
                    break
                node, grad = follow, carried
                carried = None
    except Exception:
        if captures is None:
            store_complete(leaves, [node, *[waiting for _, waiting in heap]], recorded)
        raise
    if captures is not None:
        for leaf in leaves:
            if leaf in captures:        # a root may be a leaf that nobody wants
                captures[leaf].append(leaves[leaf])
        return
    with one_thread:
        old = None
        for leaf in leaves:
            accumulate(leaf, leaves, leaf, recorded)
            leaves[leaf] = None     # two leaves may have got one array: the next may be alone with it


def store_complete(leaves: dict, waiting: list, recorded: bool) -> None:
    """Store, when a run has failed, the gradients of the leaves to which no more would have come: torch has done so."""
    lacking: set = set()
    stack = list(waiting)
    while stack:
        node = stack.pop()
        if node not in lacking:
            lacking.add(node)
            stack += [edge.node if edge.kind == 2 else edge for edge in node.edges if edge is not None]
    with one_thread:
        for leaf in list(leaves):
            if leaf not in lacking:
                accumulate(leaf, leaves, leaf, recorded)
                leaves[leaf] = None


def deliver(target: Any, grad: Any, pending: dict, heap: list, leaves: dict) -> None:
    """Send a gradient to any kind of edge."""
    kind = target.kind
    if kind == 1:
        if grad is not None:
            old = leaves.get(target)
            leaves[target] = grad if old is None else old + grad
        return
    node = target.node if kind == 2 else target
    if node not in pending:
        pending[node] = [None] * node.outputs if kind == 2 else None
        heappush(heap, (-node.seq, node))
    if grad is None:
        return
    if kind == 2:
        slots, nr = pending[node], target.nr
        slots[nr] = grad if slots[nr] is None else slots[nr] + grad
    else:
        old = pending[node]
        pending[node] = grad if old is None else old + grad


def release(node: Any) -> None:
    """Free what a node saved."""
    frees = node.frees
    if frees is True:
        node.saved = None
    elif frees:
        frees()


def apply(node: Any, grads: list, recorded: bool) -> tuple | list:
    """Run one node on the gradients of its outputs; return those of its inputs, in the right shapes."""
    if node.kind == 1:
        if grads[0] is not None:
            with one_thread:
                accumulate(node, grads, 0, recorded)
        return ()
    if node.custom or node.outputs > 1:
        if all(grad is None for grad in grads) and not node.custom:
            return node.undefined()
        out = node.backward_recorded(grads) if recorded else node.backward(grads)
    elif grads[0] is None:
        return node.undefined()
    else:
        out = node.backward_recorded(grads[0]) if recorded else node.backward(grads[0])
    return out if node.fix is None else fit(out, node.fix, recorded)


def apply_inner(node: Any, grad: Any, recorded: bool) -> tuple | list:
    """Run a node that another one wraps (CopySlices) on the gradient of its first output."""
    if node.custom or node.outputs > 1:
        return apply(node, [grad] + [None] * (node.outputs - 1), recorded)
    return apply(node, [grad], recorded)


def call_node(node: Any, grads: tuple, kwargs: dict) -> Any:
    """Call a node as a function: `node(grad)` gives the gradients of its inputs."""
    if kwargs:
        raise TypeError(f"{type(node).__name__}() takes no keyword arguments")
    count = 1 if node.kind == 1 else node.outputs
    if len(grads) != count:
        raise TypeError(f"expected {count} arguments, got {len(grads)} instead")
    for grad in grads:
        if grad is not None and not isinstance(grad, Tensor):
            raise TypeError(f"expected a tensor or None as gradient, got {type(grad).__name__}")
    recorded = local.grad
    out = apply(node, list(grads) if recorded else [None if g is None else g._array for g in grads], recorded)
    shown = tuple(out) if recorded else tuple(None if g is None else wrap(g) for g in out)
    return shown[0] if len(shown) == 1 else shown
