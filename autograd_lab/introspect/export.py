"""Hand a snapshot to networkx with everything it knows."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

from autograd_lab.introspect.model import GraphSnapshot

if TYPE_CHECKING:
    import networkx


def to_networkx(snapshot: GraphSnapshot) -> networkx.MultiDiGraph:
    """Return the graph as a networkx MultiDiGraph.

    Nodes are the ids `n0, n1, …`; edges point in the direction of the gradient and are keyed by their id, since
    `x * x` has two edges to one node. Every field of `NodeInfo` and `EdgeInfo` is an attribute; values are plain data.

    Example:
        >>> import autograd_lab as torch
        >>> from autograd_lab.introspect import snapshot, to_networkx
        >>> x = torch.tensor(3., requires_grad=True)
        >>> y = x * x
        >>> to_networkx(snapshot(y)).number_of_edges("n0", "n1")
        2
    """
    import networkx

    graph = networkx.MultiDiGraph(title=snapshot.title, engine=snapshot.engine, roots=list(snapshot.roots))
    for node in snapshot.nodes:
        graph.add_node(node.id, **_attributes(node))
    for edge in snapshot.edges:
        graph.add_edge(edge.source, edge.target, key=edge.id, **_attributes(edge))
    return graph


def _attributes(item: object) -> dict[str, object]:
    return {key: value for key, value in asdict(item).items() if key != "id"}  # type: ignore[call-overload]
