"""Walk a live graph from its outputs to its leaves and write down what stands there, without recursion."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any

import numpy as np

from autograd_lab.introspect.adapters import Adapter, adapter_for
from autograd_lab.introspect.arguments import input_names
from autograd_lab.introspect.calm import uncollected
from autograd_lab.introspect.memory import Memories
from autograd_lab.introspect.model import (
    ACCUMULATOR,
    OPERATION,
    REST,
    ArrayDigest,
    EdgeInfo,
    GraphSnapshot,
    InputInfo,
    NodeInfo,
    SavedInfo,
)
from autograd_lab.introspect.names import name_tensors, namespace
from autograd_lab.introspect.problems import NoGraph, TooLarge, no_graph
from autograd_lab.introspect.shapes import infer_shapes

DETAILS_UP_TO = 300  # nodes; above, a digest has shape and norm, and no single numbers
VALUES_UP_TO = 5_000  # nodes; above, values and source lines are left out, or a walk would take seconds


class Walk:
    """A live graph together with the ids that its nodes get. Holds the nodes, so that identity stays true."""

    def __init__(
        self, tensors: tuple[Any, ...], names: Mapping[str, Any] | None = None, call: str = "snapshot",
        whole: bool = False,
    ) -> None:  # fmt: skip
        if not tensors:
            raise NoGraph(f"{call}() got nothing to open. Pass one or several tensors, for example {call}(loss).")
        self.adapter: Adapter = adapter_for(tensors[0], call)
        variables = dict(names) if names is not None else namespace()
        self.named = name_tensors(variables, self.adapter.is_tensor)
        self.roots: list[Any] = []
        self.root_ids: list[str] = []
        for position, tensor in enumerate(tensors, 1):
            adapter = adapter_for(tensor, call, position)
            if adapter is not self.adapter:
                raise NoGraph(
                    f"{call}() got tensors of two engines, {self.adapter.engine} and {adapter.engine}; one graph has "
                    f"one engine. Open them in two calls."
                )
            if not adapter.has_graph(tensor):
                known = self.named.get(id(tensor))
                raise no_graph(call, position, known[1][0] if known else "")
            self.roots.append(adapter.root(tensor)[0])
        self.tensors, self.call, self.whole, self.cut = tensors, call, whole, False
        self.ids: dict[int, tuple[str, Any]] = {}
        self.order: list[Any] = []
        self.links: list[tuple] = []
        self.sorts: dict[Any, Any] = {}
        self.digests: dict[Any, tuple[Any, ArrayDigest | None]] = {}
        self._visit()
        self.labels, self.holders = self._label()

    def _visit(self) -> None:
        queue: deque[Any] = deque()
        for node in self.roots:
            if self._meet(node):
                queue.append(node)
            name = self.ids[id(node)][0]
            if name not in self.root_ids:
                self.root_ids.append(name)
        while queue:
            node = queue.popleft()
            following = tuple(node.next_functions)
            self.links.append(following)
            for target, _ in following:
                if target is not None and self._meet(target):
                    queue.append(target)

    def _meet(self, node: Any) -> bool:
        """Give a node its id; say whether it is new, and its own targets are to be met."""
        if id(node) in self.ids:
            return False
        if len(self.order) == self.adapter.most_nodes:
            if self.whole:
                engine, most = self.adapter.engine, self.adapter.most_nodes
                raise TooLarge(
                    f"This {engine} graph has more than {most} nodes, and {engine} crashes when so long a chain is "
                    f"freed after somebody looked at its nodes. inspect() opens the first {most}; {self.call}() needs "
                    f"a shorter part of it."
                )
            self.cut = True
            self.ids[id(node)] = (f"n{len(self.order)}", node)  # one stands for all that is not looked at
            return False
        self.ids[id(node)] = (f"n{len(self.order)}", node)
        self.order.append(node)
        return True

    def _label(self) -> tuple[dict[str, list[str]], dict[str, Any]]:
        """Return the names, and one tensor, of each node that a variable of the user's leads to."""
        labels: dict[str, list[str]] = {}
        holders: dict[str, Any] = {}
        leaves = {id(leaf): self.ids[id(n)][0] for n in self.order if (leaf := self.adapter.variable(n)) is not None}
        given = [(tensor, self.named.get(id(tensor), (tensor, []))[1]) for tensor in self.tensors]
        for tensor, names in [*self.named.values(), *given]:
            name = leaves.get(id(tensor))
            if name is None and tensor.grad_fn is not None and id(tensor.grad_fn) in self.ids:
                name = self.ids[id(tensor.grad_fn)][0]
            if name is None:
                continue
            known = labels.setdefault(name, [])
            known += [word for word in names if word not in known]
            holders.setdefault(name, tensor)
        return labels, holders

    def snapshot(self) -> GraphSnapshot:
        """Write the graph down."""
        with uncollected():
            return self._write()

    def _write(self) -> GraphSnapshot:
        full = len(self.order) <= VALUES_UP_TO
        self.brief = len(self.order) > DETAILS_UP_TO
        memories = Memories(self.adapter)
        sources = self._sources(memories)
        self.places = self.adapter.places(self.order) if full else [None] * len(self.order)
        self.titles = [self._title(index) for index in range(len(self.order))]
        nodes: list[NodeInfo] = []
        edges: list[EdgeInfo] = []
        for index, node in enumerate(self.order):
            info = self._node(index, node, memories, sources, full)
            nodes.append(info)
            for item, (_, output) in zip(info.inputs, self.links[index]):
                if item.target is not None:
                    edges.append(EdgeInfo(f"e{len(edges)}", info.id, item.target, item.index, output, item.name))
        if self.cut:
            nodes.append(NodeInfo(f"n{len(nodes)}", REST, OPERATION, "more nodes, not looked at"))
        kinds = {name: self.adapter.elementwise(name) for name in {node.declared for node in nodes}}
        infer_shapes(nodes, lambda node: kinds[node.declared])
        if full:
            told = {id(holder): labels[0] for name, holder in self.holders.items() if (labels := self.labels[name])}
            for tensor, names in self.named.values():
                if told.get(id(tensor)) != names[0]:  # the others were noted with their nodes
                    memories.note(names[0], tensor, in_graph=False)
        titles = [nodes[int(name[1:])].label or nodes[int(name[1:])].op for name in self.root_ids]
        title = ", ".join(titles[:3]) + (f" and {len(titles) - 3} more" if len(titles) > 3 else "")
        return GraphSnapshot(
            tuple(nodes), tuple(edges), tuple(self.root_ids), title, self.adapter.engine, memories.storages(),
            self.cut,
        )  # fmt: skip

    def _sources(self, memories: Memories) -> dict[Any, str]:
        """Return names by the ways in which a saved value can be recognised: the object, or its memory and shape."""
        sources: dict[Any, str] = {}
        for tensor, names in self.named.values():
            sources.setdefault(id(tensor), names[0])
            if hasattr(tensor, "_array"):
                sources.setdefault(id(tensor._array), names[0])
            place = memories.place(tensor)
            if place is not None:
                sources.setdefault((place[0], place[2], tuple(tensor.shape)), names[0])
        return sources

    def _title(self, index: int) -> str:
        """Return the user's name of a node's tensor, else its source expression."""
        names, place = self.labels.get(f"n{index}"), self.places[index]
        return names[0] if names else place.expression if place is not None else ""

    def _inputs(self, op: str, index: int, derivatives: tuple[tuple[str, str], ...]) -> tuple[InputInfo, ...]:
        following = self.links[index]
        arguments = input_names(op, len(following), derivatives)
        inputs = []
        for i, (target, _) in enumerate(following):
            if target is None:
                inputs.append(InputInfo(i, arguments[i], None))
            else:
                name = self.ids[id(target)][0]
                title = self.titles[int(name[1:])] if int(name[1:]) < len(self.titles) else ""
                inputs.append(InputInfo(i, arguments[i], name, title))
        return tuple(inputs)

    def _node(self, index: int, node: Any, memories: Any, sources: dict[Any, str], full: bool) -> NodeInfo:
        adapter, name, label = self.adapter, f"n{index}", self.titles[index]
        leaf = adapter.variable(node)
        tensor = leaf if leaf is not None else self.holders.get(name)
        outputs = adapter.outputs(node)
        shape, dtype = outputs[0] if outputs else (None, "")
        if tensor is not None:
            shape, dtype = tuple(tensor.shape), adapter.dtype(tensor.dtype)
        op = adapter.op(node)
        kind, (declared, formula, derivatives) = self._sort(node, op, leaf)
        inputs = self._inputs(op, index, derivatives)
        saved: list[SavedInfo] = []
        if full:
            order = {item.name: item.index for item in inputs}
            labels = {item.name: item.label for item in inputs}
            saved = [self._saved(raw, memories, sources, labels) for raw in adapter.saved(node)]
            saved.sort(key=lambda entry: order.get(entry.name, len(order)))
        known = full and tensor is not None
        return NodeInfo(
            id=name, op=op, kind=kind, label=label, names=tuple(self.labels.get(name, ())), shape=shape,
            dtype=dtype, outputs=max(1, len(outputs)), place=self.places[index], inputs=inputs, saved=tuple(saved),
            hooks=adapter.hooks(node, tensor) if full else (), declared=declared, formula=formula,
            derivatives=derivatives, value=self._digest(tensor) if known else None,
            grad=self._digest(leaf.grad) if known and leaf is not None else None,
            version=adapter.version(tensor) if known else None,
            storage=memories.note(label or op, tensor) if known else None, order=adapter.order(node),
        )  # fmt: skip

    def _sort(self, node: Any, op: str, leaf: Any) -> tuple[str, tuple[str, str, tuple[tuple[str, str], ...]]]:
        """Return kind and declaration; what nodes of one class and name share is found out once."""
        if leaf is not None:
            return ACCUMULATOR, ("", "", ())
        key = type(node), op
        if key not in self.sorts:
            self.sorts[key] = self.adapter.kind(node), self.adapter.declaration(node)
        return self.sorts[key]

    def _saved(self, raw: Any, memories: Any, sources: dict[Any, str], labels: dict[str, str]) -> SavedInfo:
        versions = {"version_saved": raw.version_saved, "version_now": raw.version_now, "written": raw.written}
        fallback = labels.get(raw.name, "")  # what can no longer be read is known by where it came from
        if not raw.is_tensor:
            return SavedInfo(raw.name, False, raw.state, plain=_plain(raw.value), **versions)
        if raw.value is None:
            return SavedInfo(raw.name, True, raw.state, fallback, **versions)
        value, place = raw.value, None if self.brief else memories.place(raw.value)
        source = sources.get(id(value), "")
        if not source and place is not None:
            source = sources.get((place[0], place[2], tuple(value.shape)), "")
        node = getattr(value, "grad_fn", None)
        if not source and node is not None and id(node) in self.ids:
            source = (self.labels.get(self.ids[id(node)][0]) or [""])[0]
        source = source or fallback
        storage = None if self.brief else memories.note(source, value, raw.written, kept=True)
        return SavedInfo(
            raw.name, True, raw.state, source, self._digest(value), storage=storage, **versions
        )


    def _digest(self, value: Any) -> ArrayDigest | None:
        """Digest a tensor or an array; a weight is a leaf's value and a node's saved tensor, and read once."""
        array = getattr(value, "_array", value)
        if type(array) is not np.ndarray:
            return self.adapter.digest(value, self.brief)
        key = id(array), str(value.dtype).rsplit(".", 1)[-1]
        if key not in self.digests:
            self.digests[key] = array, self.adapter.digest(value, self.brief)  # held, so that its id stays its own
        return self.digests[key][1]


def snapshot(*tensors: Any, names: Mapping[str, Any] | None = None) -> GraphSnapshot:
    """Write down the graph behind one or several tensors.

    Args:
        tensors: results of a calculation; lab tensors or real torch tensors, of one engine.
        names: variables by name; by default those of the notebook, else of the calling frame.

    Raises:
        NotATensor: an argument is no tensor.
        NoGraph: no tensor was given, or one without a graph.

    Of a torch graph with more than 20,000 nodes the first 20,000 are looked at (torch crashes when it frees a longer
    chain that was): `cut` says so, and one node stands for the rest.

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.introspect import snapshot
        >>> x = torch.tensor([1., 2.], requires_grad=True)
        >>> loss = (x * x).sum()
        >>> snapshot(loss)
        <GraphSnapshot of loss: 3 nodes, 3 edges>
    """
    return Walk(tensors, names).snapshot()


def _plain(value: Any) -> str:
    words = str(value)
    return words if len(words) <= 60 else words[:59] + "…"


__all__ = ["Walk", "snapshot"]
