"""Derivatives that torch has a node for: a formula in the shared vocabulary becomes a row with a name of its own.

A recorded backward runs formulas on tensors, and each operation in them makes a node. Where torch computes the whole
derivative in one kernel, its graph shows one node, `EluBackwardBackward0`. `@slope` makes a row of such a formula: its
value is the formula on arrays; its own derivatives are found by differentiating the formula: nobody writes them.
"""

from __future__ import annotations

from collections.abc import Callable
from inspect import Parameter, Signature, signature
from typing import Any

from autograd_lab.core import entry
from autograd_lab.core.op import Vjp, arrays, op, tensors
from autograd_lab.core.state import local, refresh
from autograd_lab.core.tensor import Tensor, wrap


def slope(latex: str, node: str, inputs: tuple[str, ...], **options: Any) -> Callable:
    """Declare the formula of a derivative, `f(grad_output, ..., xp)`, as a hidden row; options as for `op`.

    `inputs` are the parameters that the row is differentiable in, in the order of torch's `next_functions`.
    """

    def declare(formula: Callable) -> Callable:
        names = [name for name in signature(formula).parameters if name != "xp"]
        plain = [Parameter(name, Parameter.POSITIONAL_OR_KEYWORD) for name in names]

        def kernel(*values: Any) -> Any:
            return formula(*values, xp=arrays)

        kernel.__name__, kernel.__doc__ = formula.__name__, formula.__doc__
        kernel.__signature__ = Signature(plain)  # type: ignore[attr-defined]
        rows = {name: Vjp(_row(formula, names, names.index(name), plain, inputs)) for name in inputs}
        op(latex, node=node, function=False, method=False, out=False, **options, **rows)(kernel)
        return formula

    return declare


def _row(formula: Callable, names: list[str], place: int, plain: list[Parameter], inputs: tuple[str, ...]) -> Callable:
    """Return the derivative of a formula by one of its parameters, as a formula."""
    differentiable = [names.index(name) for name in inputs]

    def row(grad: Any, *values: Any, xp: Any) -> Any:
        if xp is tensors:
            # An alias, so that the derivative by this parameter alone is asked for if two of them are one tensor.
            given = list(values)
            given[place] = values[place].view_as(values[place])
            return _derivative(formula, given, place, grad, True)
        given = [wrap(value) if k in differentiable and value is not None else value for k, value in enumerate(values)]
        given = [wrap(one) if hasattr(one, "dtype") and not isinstance(one, Tensor) else one for one in given]
        given[place].requires_grad_()
        found = _quietly(lambda: _derivative(formula, given, place, wrap(grad), False))
        return found._array

    row.__signature__ = Signature([  # type: ignore[attr-defined]
        Parameter("grad", Parameter.POSITIONAL_OR_KEYWORD), *plain, Parameter("xp", Parameter.POSITIONAL_OR_KEYWORD),
    ])  # fmt: skip
    return row


def _derivative(formula: Callable, given: list, place: int, grad: Any, recorded: bool) -> Any:
    value = formula(*given, xp=tensors)
    if value._node is None:
        return tensors.zeros_like(given[place])
    (found,) = entry.grad(value, given[place], grad, create_graph=recorded, allow_unused=True)
    return tensors.zeros_like(given[place]) if found is None else found


def _quietly(compute: Callable) -> Any:
    """Run with gradients recorded, unseen by the user's hooks on saved tensors and by an observer."""
    before = local.grad, local.inference, local.pack_hooks, local.observer, local.mutation_guard
    local.grad, local.inference, local.pack_hooks, local.observer, local.mutation_guard = True, False, (), None, None
    refresh()
    try:
        return compute()
    finally:
        local.grad, local.inference, local.pack_hooks, local.observer, local.mutation_guard = before
        refresh()
