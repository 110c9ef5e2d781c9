"""Follow the notebook: after each cell a new snapshot, compared with the last one."""

from __future__ import annotations

import sys
from collections import Counter
from typing import Any

from autograd_lab.inspector.widget import GraphInspector
from autograd_lab.introspect.adapters import adapter_for, adapters
from autograd_lab.introspect.calm import uncollected
from autograd_lab.introspect.model import ACCUMULATOR, FREED, GraphSnapshot, NodeInfo
from autograd_lab.introspect.names import name_tensors, namespace
from autograd_lab.introspect.problems import TooLarge
from autograd_lab.introspect.walk import Walk

NOTHING = GraphSnapshot((), (), (), "nothing yet")


class LiveInspector(GraphInspector):
    """An inspector that looks again after each cell. It keeps names, not tensors, so it keeps no graph alive."""

    def __init__(self, tensors: tuple[Any, ...]) -> None:
        found: dict[int, tuple[Any, list[str]]] = {}
        variables = namespace()
        for adapter in adapters():
            found |= name_tensors(variables, adapter.is_tensor)
        self._follows = []
        self._unnamed = []  # without a name, a tensor can only be followed by holding it
        for position, tensor in enumerate(tensors, 1):
            adapter_for(tensor, "watch", position)
            if id(tensor) in found:
                self._follows.append(found[id(tensor)][1][0])
            else:
                self._unnamed.append(tensor)
        self._all = not tensors
        super().__init__(self._look(variables))
        ipython = sys.modules.get("IPython")
        self._shell = ipython.get_ipython() if ipython is not None else None
        self.watching = True
        if self._shell is not None:
            self._shell.events.register("post_run_cell", self._after_cell)

    def stop(self) -> None:
        """Stop following; the last picture stays."""
        if self.watching and self._shell is not None:
            self._shell.events.unregister("post_run_cell", self._after_cell)
        self.watching = False
        self.scene = {**self.scene, "note": "no longer followed"}

    def refresh(self) -> None:
        """Look again now; outside a notebook nobody else does it."""
        before = self.snapshot
        after = self._look(namespace())
        marks, words = compare(before, after)
        if marks or words != "unchanged" or len(before.nodes) != len(after.nodes):
            self.show(after, words, marks)
        elif self.scene.get("note") != words:
            self.show(after, words)

    def _after_cell(self, _: Any = None) -> None:
        try:
            with uncollected():
                self.refresh()
        except Exception as problem:  # whatever happens here, the user's cell has run and must stay so
            self.scene = {**self.scene, "note": f"could not follow: {type(problem).__name__}"}

    def _look(self, variables: dict[str, Any]) -> GraphSnapshot:
        for adapter in adapters():
            named = {
                name: tensor for tensor, names in name_tensors(variables, adapter.is_tensor).values() for name in names
            }
            wanted = list(named.values()) if self._all else [named[name] for name in self._follows if name in named]
            wanted += [tensor for tensor in self._unnamed if adapter.is_tensor(tensor)]
            usable = [tensor for tensor in wanted if adapter.has_graph(tensor)]
            made = [tensor for tensor in usable if tensor.grad_fn is not None]
            if usable:
                try:
                    return Walk(tuple(made or usable), variables, "watch").snapshot()
                except TooLarge:
                    continue
        return NOTHING


def compare(before: GraphSnapshot, after: GraphSnapshot) -> tuple[dict[str, str], str]:
    """Return (what to write at each node of the new graph, the difference in words)."""
    old = {_key(node): node for node in before.nodes}
    marks: dict[str, str] = {}
    for node in after.nodes:
        known = old.pop(_key(node), None)
        if known is None:
            marks[node.id] = "new"
        elif any(e.state == FREED for e in node.saved) and not any(e.state == FREED for e in known.saved):
            marks[node.id] = "freed"
        elif _state(known) != _state(node):
            marks[node.id] = "changed"
    counts = Counter(marks.values())
    words = [f"{counts[word]} {word}" for word in ("new", "changed", "freed") if counts[word]]
    if old:
        words.append(f"{len(old)} gone")
    return marks, ", ".join(words) or "unchanged"


def _key(node: NodeInfo) -> Any:
    """Return what tells a node apart from cell to cell: its sequence number; of a leaf, its name."""
    return (node.label or node.id, ACCUMULATOR) if node.kind == ACCUMULATOR else (node.order, node.op)


def _state(node: NodeInfo) -> Any:
    grad = (node.grad.text, node.grad.rows) if node.grad is not None else None
    value = (node.value.text, node.value.rows) if node.value is not None else None
    return node.names, node.version, grad, value, tuple((e.name, e.state, e.version_now) for e in node.saved)
