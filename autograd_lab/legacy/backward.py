"""`backward` and `grad` with the arguments that they had before 0.4."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

import autograd_lab as torch
from autograd_lab.legacy.variable import Variable

UNUSED = (
    "One of the differentiated Variables appears to not have been used in the graph. Set allow_unused=True if this is "
    "the desired behavior."
)
NO_GRAD_FN = "element {} of variables tuple does not require grad and does not have a grad_fn"
RETAIN = "retain_variables option is deprecated and will be removed in 0.3. Use retain_graph instead."


def backward(variables: Any, grad_variables: Any = None, retain_graph: bool | None = None,
             create_graph: bool | None = None, retain_variables: bool | None = None) -> None:  # fmt: skip
    """Compute the gradients of the leaves below some Variables and add them to their `.grad`.

    Args:
        variables: one Variable or several.
        grad_variables: a gradient for each, a Variable or a tensor; None for those with one element.
        retain_graph: keep what the nodes saved; without it as `create_graph`.
        create_graph: record the backward itself; without it on if a given gradient is a non-volatile Variable.
        retain_variables: the name of `retain_graph` in 0.1.

    Raises RuntimeError for a volatile Variable, for one without history, for a missing gradient.
    """
    roots = _sequence(variables)
    grads = _sequence(grad_variables) if grad_variables is not None else [None] * len(roots)
    retain_graph = one_of(retain_graph, retain_variables)
    tensors = _checked(roots)
    weights = [_weight(root, grad) for root, grad in zip(roots, grads, strict=True)]
    create_graph = _guessed(create_graph, grads)
    with warnings.catch_warnings():
        # Today's advice about create_graph and reference cycles was not given then.
        warnings.filterwarnings("ignore", message="Using backward\\(\\) with create_graph=True")
        torch.autograd.backward(tensors, weights, retain_graph, create_graph)


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None,
         create_graph: bool | None = None, only_inputs: bool = True, allow_unused: bool = False) -> tuple:  # fmt: skip
    """Return the gradients of outputs with respect to inputs, as Variables.

    Args:
        outputs, inputs, grad_outputs: one Variable or several; the gradients as in `backward`.
        retain_graph, create_graph: as in `backward`.
        only_inputs: False also adds the gradients of all other leaves to their `.grad`.
        allow_unused: give None for an input that the outputs do not depend on, instead of raising.

    Raises RuntimeError for a volatile output, for an input that is not used.
    """
    roots, wanted = _sequence(outputs), _sequence(inputs)
    grads = _sequence(grad_outputs) if grad_outputs is not None else [None] * len(roots)
    tensors = _checked(roots)
    weights = [_weight(root, one) for root, one in zip(roots, grads, strict=True)]
    create_graph = _guessed(create_graph, grads)
    targets = [variable._tensor for variable in wanted]
    for target in targets:
        if not target.requires_grad:
            raise RuntimeError("One of the differentiated Variables does not require grad")
    others = [] if only_inputs else _other_leaves(tensors, targets)
    found = torch.autograd.grad(tensors, [*targets, *others], weights, retain_graph, create_graph, allow_unused=True)
    given, rest = found[: len(targets)], found[len(targets):]
    if not allow_unused and any(one is None for one in given):
        raise RuntimeError(UNUSED)
    for leaf, addition in zip(others, rest, strict=True):
        if addition is not None:
            leaf.grad = addition if leaf.grad is None else leaf.grad + addition
    return tuple(None if one is None else Variable._of(one, volatile=not create_graph) for one in given)


def _sequence(value: Any) -> list[Any]:
    return list(value) if isinstance(value, Sequence) else [value]


def one_of(retain_graph: bool | None, retain_variables: bool | None) -> bool | None:
    """Return the flag under either of its names; warn about the older one, refuse both."""
    if retain_variables is None:
        return retain_graph
    if retain_graph is not None:
        raise ValueError("only one of retain_graph and retain_variables can be specified")
    warnings.warn(RETAIN, stacklevel=3)
    return retain_variables


def _checked(roots: list[Any]) -> list[Any]:
    """Return the tensors of the roots; raise the errors of the day for what cannot be differentiated."""
    for position, root in enumerate(roots):
        if not isinstance(root, Variable):
            raise RuntimeError(f"element {position} of variables tuple is not a Variable")
        if root.volatile:
            error = RuntimeError(f"element {position} of variables tuple is volatile")
            error.add_note("A volatile Variable, and everything computed from one, records nothing.")
            raise error
        if not root.requires_grad:
            raise RuntimeError(NO_GRAD_FN.format(position))
    return [root._tensor for root in roots]


def _weight(root: Variable, grad: Any) -> Any:
    """Return the gradient that a root starts with, in the root's shape."""
    if grad is None:
        if root._tensor.numel() != 1:
            raise RuntimeError("grad can be implicitly created only for scalar outputs")
        return torch.ones_like(root._tensor.detach())
    if not isinstance(grad, (Variable, torch.Tensor)):
        raise TypeError(f"expected Tensor, Variable, or None, got {type(grad).__name__}")
    tensor = grad._tensor if isinstance(grad, Variable) else grad
    # A sum had one element in one dimension; today it has none.
    return tensor.view(root._tensor.shape) if tensor.numel() == 1 == root._tensor.numel() else tensor


def _guessed(create_graph: bool | None, grads: list[Any]) -> bool:
    if create_graph is not None:
        return create_graph
    return any(isinstance(grad, Variable) and not grad.volatile for grad in grads)


def _other_leaves(roots: list[Any], wanted: list[Any]) -> list[Any]:
    """Return the leaves below the roots that are not among the wanted tensors, in the order in which they are met."""
    found, seen = [], set()
    nodes = [root.grad_fn for root in roots if root.grad_fn is not None]
    while nodes:
        node = nodes.pop(0)
        if node in seen:
            continue
        seen.add(node)
        leaf = getattr(node, "variable", None)
        if isinstance(leaf, torch.Tensor) and not any(leaf is one for one in wanted):
            found.append(leaf)
        nodes += [edge[0] for edge in node.next_functions if edge[0] is not None]
    return found
