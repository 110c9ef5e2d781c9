"""`GradientEdge`: a place in the graph, named by a node and the number of its output."""

from __future__ import annotations

from typing import Any, NamedTuple

from autograd_lab.core.node import Output, behind, known_output
from autograd_lab.core.state import local, set_grad


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
    if node.kind == 1:
        if local.inference or tensor.is_inference():    # torch asks a view of the leaf, which is not recorded here
            raise AttributeError("'NoneType' object has no attribute 'next_functions'")
        if node.hidden:
            raise AssertionError("Expected gradient function to be set")
        return GradientEdge(node, 0)
    token = None
    owner = node.node if node.kind == 2 else node
    if owner.custom:        # torch lets a node of its own keep the graph of a custom Function alive
        before = set_grad(True)
        try:
            token = tensor.view_as(tensor).grad_fn
        finally:
            set_grad(before)
    return GradientEdge(tensor.grad_fn, node.nr if node.kind == 2 else 0, token)


def shape_and_dtype(edge: GradientEdge) -> tuple[tuple, Any] | None:
    """Return the shape and the dtype that a gradient must have at this edge, or None where nobody knows them."""
    return None if edge.node is None else known_output(behind(edge.node), edge.output_nr)


def edge_of(one: Any) -> Any:
    """Return the stored edge of a tensor or a GradientEdge; None for a view at which no gradient can arrive."""
    if isinstance(one, GradientEdge):
        node = behind(one.node)
        if node.kind == 0 and (node.custom or node.outputs > 1):
            return Output(node, one.output_nr)
        return node
    return None if one._node.hidden else one._node
