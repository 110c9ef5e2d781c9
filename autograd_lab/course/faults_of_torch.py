"""The faults of torch for the chapters without an engine of their own: each puts one wrong function in its place.

A test gets `torch` (or `legacy`) as its argument. It is the lab itself, seen through a pane in which one name leads to
something else: functions are exchanged, methods of tensors are not.
"""

from __future__ import annotations

import importlib
from typing import Any

import autograd_lab as torch
from autograd_lab.course.model import Mutant

MODULES = {"torch": "autograd_lab", "legacy": "autograd_lab.legacy"}


class Pane:
    """A module seen with some names exchanged, also those of its submodules: {"autograd.backward": …}."""

    def __init__(self, module: Any, changed: dict[str, Any]) -> None:
        self._module, self._changed = module, changed

    def __getattr__(self, name: str) -> Any:
        """Return what stands under a name: the exchanged thing, a pane on a submodule, or the module's own."""
        if name in self._changed:
            return self._changed[name]
        below = {key.partition(".")[2]: part for key, part in self._changed.items() if key.startswith(f"{name}.")}
        own = getattr(self._module, name)
        return Pane(own, below) if below else own


def pane(of: str, changed: dict[str, Any] | None = None) -> Pane:
    """Return the lab's `torch` or `legacy` with some names exchanged."""
    return Pane(importlib.import_module(MODULES[of]), changed or {})


def _starts_afresh() -> dict[str, Any]:
    def backward(tensors: Any, *arguments: Any, **named: Any) -> None:
        for root in tensors if isinstance(tensors, (list, tuple)) else [tensors]:
            for leaf in _leaves(root):
                leaf.grad = None
        torch.autograd.backward(tensors, *arguments, **named)

    return {"autograd.backward": backward}


def _leaves(root: Any) -> list[Any]:
    found, seen, stack = [], set(), [root.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [parent for parent, _ in node.next_functions]
            if hasattr(node, "variable"):
                found.append(node.variable)
    return found


def _variable_does_nothing() -> dict[str, Any]:
    return {"autograd.Variable": lambda data, requires_grad=False: data}


def _variable_keeps_the_switch() -> dict[str, Any]:
    def variable(data: Any, requires_grad: bool | None = None) -> Any:
        return data.detach().requires_grad_(data.requires_grad if requires_grad is None else requires_grad)

    return {"autograd.Variable": variable}


def _clone_forgets() -> dict[str, Any]:
    return {"clone": lambda x: torch.clone(x.detach())}


def _whole_numbers_pass() -> dict[str, Any]:
    def tensor(data: Any, *, requires_grad: bool = False, **named: Any) -> Any:
        made = torch.tensor(data, **named)
        if requires_grad and not made.is_floating_point():
            made = made.float()
        return made.requires_grad_(requires_grad)

    return {"tensor": tensor}


def _floor_cuts() -> dict[str, Any]:
    return {"floor": lambda x: torch.floor(x.detach())}


def _unseen_window() -> dict[str, Any]:
    return {"narrow": lambda x, dim, start, length: torch.narrow(x.detach(), dim, start, length)}


def _clone_is_a_window() -> dict[str, Any]:
    return {"clone": lambda x: x.view(x.shape)}


def _both_win() -> dict[str, Any]:
    def largest(x: Any, *dim: Any) -> Any:
        if dim:
            return torch.max(x, *dim)
        value = torch.max(x).detach()
        return value + (torch.where(x == value, x - x.detach(), torch.zeros_like(x))).sum()

    return {"max": largest}


def _slope_at_the_kink() -> dict[str, Any]:
    return {"relu": lambda x: torch.where(x >= 0, x, torch.zeros_like(x))}


def _forgets_nothing() -> dict[str, Any]:
    class SGD(torch.optim.SGD):
        def zero_grad(self, set_to_none: bool = True) -> None:
            pass

    return {"optim.SGD": SGD}


def _steps_uphill() -> dict[str, Any]:
    class SGD(torch.optim.SGD):
        def __init__(self, params: Any, lr: float, **named: Any) -> None:
            super().__init__(params, lr, maximize=True, **named)

    return {"optim.SGD": SGD}


def _fills_nobody_else() -> dict[str, Any]:
    legacy = importlib.import_module(MODULES["legacy"])

    def grad(outputs: Any, inputs: Any, *arguments: Any, only_inputs: bool = True, **named: Any) -> Any:
        return legacy.grad(outputs, inputs, *arguments, **named)

    return {"grad": grad}


def _forgets_the_bias() -> dict[str, Any]:
    class Linear(torch.nn.Linear):
        def forward(self, x: Any) -> Any:
            return x @ self.weight.t()

    return {"nn.Linear": Linear}


OF_TORCH: dict[str, Mutant] = {
    "starts-afresh": Mutant(
        "00",
        _starts_afresh,
        "One backward is right. What should stand in .grad after two?",
        """
def test(torch):
    x = torch.tensor(3.0, requires_grad=True)
    torch.autograd.backward(x * x)
    torch.autograd.backward(x * x)
    assert x.grad == 12
""",
        "torch",
    ),
    "variable-does-nothing": Mutant(
        "01",
        _variable_does_nothing,
        "Is the Variable the tensor itself?",
        """
def test(torch):
    a = torch.ones(2)
    assert torch.autograd.Variable(a) is not a
""",
        "torch",
    ),
    "variable-keeps-the-switch": Mutant(
        "01",
        _variable_keeps_the_switch,
        "Wrap a tensor that requires gradients, and say nothing about them.",
        """
def test(torch):
    a = torch.ones(2, requires_grad=True)
    assert not torch.autograd.Variable(a).requires_grad
""",
        "torch",
    ),
    "clone-forgets": Mutant(
        "02",
        _clone_forgets,
        "A clone is a result. What does a result remember?",
        """
def test(torch):
    x = torch.ones(2, requires_grad=True)
    assert not torch.clone(x).is_leaf
""",
        "torch",
    ),
    "whole-numbers-pass": Mutant(
        "03",
        _whole_numbers_pass,
        "Something must be refused here. A test may expect an error: try, except, return; then assert False.",
        """
def test(torch):
    try: torch.tensor([1], requires_grad=True)
    except RuntimeError: return
    assert False
""",
        "torch",
    ),
    "floor-cuts": Mutant(
        "03",
        _floor_cuts,
        "No link, or a flat place? Ask the result of floor.",
        """
def test(torch):
    x = torch.tensor([1.5], requires_grad=True)
    assert torch.floor(x).requires_grad
""",
        "torch",
    ),
    "unseen-window": Mutant(
        "13",
        _unseen_window,
        "Write through the window, go backward from the base, and look at the leaf.",
        """
def test(torch):
    x = torch.ones(2, requires_grad=True)
    y = x * 1
    torch.narrow(y, 0, 0, 1).mul_(3)
    y.sum().backward()
    assert x.grad.tolist() == [3, 1]
""",
        "torch",
    ),
    "clone-is-a-window": Mutant(
        "13",
        _clone_is_a_window,
        "Who else sees what is written into a clone?",
        """
def test(torch):
    x = torch.ones(2)
    torch.clone(x).mul_(3)
    assert x.tolist() == [1, 1]
""",
        "torch",
    ),
    "both-win": Mutant(
        "14",
        _both_win,
        "Make a tie. What must the parts of the gradient add up to?",
        """
def test(torch):
    m = torch.tensor([1.0, 1.0, 0.0], requires_grad=True)
    torch.max(m).backward()
    assert m.grad.sum() == 1
""",
        "torch",
    ),
    "slope-at-the-kink": Mutant(
        "14",
        _slope_at_the_kink,
        "Left of the kink it is right, and on the other side too.",
        """
def test(torch):
    x = torch.tensor(0.0, requires_grad=True)
    torch.relu(x).backward()
    assert x.grad == 0
""",
        "torch",
    ),
    "forgets-nothing": Mutant(
        "15",
        _forgets_nothing,
        "What should be left in .grad after zero_grad()?",
        """
def test(torch):
    w = torch.ones(1, requires_grad=True)
    (w * w).sum().backward()
    torch.optim.SGD([w], lr=0.1).zero_grad()
    assert w.grad is None
""",
        "torch",
    ),
    "steps-uphill": Mutant(
        "15",
        _steps_uphill,
        "Take one step on w * w. On which side of the start should w be?",
        """
def test(torch):
    w = torch.ones(1, requires_grad=True)
    (w * w).sum().backward()
    torch.optim.SGD([w], lr=0.1).step()
    assert w.item() < 1
""",
        "torch",
    ),
    "fills-nobody-else": Mutant(
        "16",
        _fills_nobody_else,
        "Two leaves, and a question about one of them. What did only_inputs=False do to the other?",
        """
def test(legacy):
    a = legacy.Variable(torch.ones(1), requires_grad=True)
    b = legacy.Variable(torch.ones(1), requires_grad=True)
    legacy.grad((a * b).sum(), a, only_inputs=False)
    assert b.grad is not None
""",
        "legacy",
    ),
    "forgets-the-bias": Mutant(
        "17",
        _forgets_the_bias,
        "Send something through the layer, go backward, and ask each parameter.",
        """
def test(torch):
    layer = torch.nn.Linear(2, 1)
    layer(torch.ones(1, 2)).sum().backward()
    assert layer.bias.grad is not None
""",
        "torch",
    ),
}
