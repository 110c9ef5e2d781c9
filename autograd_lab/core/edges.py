"""`GradientEdge`: a place in the graph, named by a node and the number of its output."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograd_lab.core.node import Output, behind, shown


class GradientEdge(NamedTuple):
    """Where a gradient arrives: output `output_nr` of `node`.

    Source: torch.autograd.graph.GradientEdge.
    """

    node: Any
    output_nr: int
    ownership_token: Any = None


GradientEdge.__module__ = "autograd_lab.autograd.graph"


def get_gradient_edge(tensor: Any) -> GradientEdge:
    """Return the gradient edge of a tensor.

    Raises RuntimeError for a tensor that does not require grad.
    """
    if not tensor.requires_grad:
        raise RuntimeError("It is not possible to get the gradient edge for a Tensor that does not require gradients")
    node = tensor._node
    if node.kind == 2:
        return GradientEdge(shown(node.node), node.nr)
    return GradientEdge(node, 0)


def edge_of(one: Any) -> Any:
    """Return the stored edge of a tensor or a GradientEdge."""
    if isinstance(one, GradientEdge):
        node = behind(one.node)
        if node.kind == 0 and (node.custom or node.outputs > 1):
            return Output(node, one.output_nr)
        return node
    return one._node
