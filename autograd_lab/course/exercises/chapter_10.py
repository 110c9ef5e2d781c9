"""Chapter 10, inside the engine: next_functions, AccumulateGrad, order."""

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.graphs import families
from autograd_lab.course.exercises.inputs import vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "10.1",
        3,
        "c",
        "y needs no gradient, so there is no one to send it to. The place is kept, the edge leads nowhere.",
    ),
    Prediction("10.2", 4, "b", "r was made after l, so it runs first. p waits until both have sent their gradients."),
    Prediction("10.3", 3, "a", "There is no recursion. The engine takes the next node from a queue."),
)


def _chain(rng, size):
    t = vector(rng, 2).requires_grad_()
    for _ in range(size):
        t = t.exp()
    return (t,)


def _product(rng, size):
    return ((vector(rng, size).requires_grad_() * vector(rng, size).requires_grad_()).sum(),)


def _constant(rng, size):
    return ((vector(rng, size).requires_grad_() * vector(rng, size)).sum(),)


def _diamond(rng, size):
    s = vector(rng, size).requires_grad_() * 2
    return ((s.exp() + s).sum(),)


def _same_twice(rng, size):
    x = vector(rng, size).requires_grad_()
    return ((x * x).sum(),)


def _observe_leaf(function, t):
    leaf = function(t)
    return {"it is a leaf": isinstance(leaf, torch.Tensor) and leaf.is_leaf, "its value": leaf}


EXERCISES = (
    Exercise(
        "10.4",
        "walk the graph",
        "order",
        header="def names(t):\n    found, stack = [], [t.grad_fn]",
        lines={
            "A": "        stack += [parent for parent, number in node.next_functions]",
            "B": "return found",
            "C": "    node = stack.pop()",
            "D": "while stack:",
            "E": "        found.append(node.name())",
            "F": "    if node is not None:",
        },
        function="names",
        solution="D C F E A B",
        families={"a chain": _chain, "a product": _product, "with a constant": _constant},
        show=("t",),
        hint="Take a node from the stack. If there is one, note its name and put its parents on the stack.",
    ),
    Exercise(
        "10.5",
        "down to the leaf",
        "fill",
        function="first_leaf",
        solution="""
def first_leaf(t):
    node = t.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    return node.variable
""",
        families={"a chain": _chain, "a product": _product, "the same leaf twice": _same_twice},
        observe=_observe_leaf,
        show=("t",),
        hint="Follow the first edge until there is none. The last node accumulates for one variable.",
    ),
    Exercise(
        "10.6",
        "count the nodes",
        "blank",
        function="count",
        solution="""
def count(t):
    seen, stack = set(), [t.grad_fn]
    while stack:
        node = stack.pop()
        if node is not None and node not in seen:
            seen.add(node)
            stack += [parent for parent, number in node.next_functions]
    return len(seen)
""",
        families={
            "a chain": _chain,
            "with a constant": _constant,
            "a diamond": _diamond,
            "the same leaf twice": _same_twice,
        },
        show=("t",),
        hint="A node that is reached twice counts once: keep a set. An edge may lead to None.",
    ),
    Exercise(
        "10.7",
        "your engine by age",
        "blank",
        function="by_number",
        part="by_number",
        solution=engine.solution("by_number"),
        families=families(lambda make, rng, size: (make,)),
        observe=lambda mine, make: _ages(mine, make),
        show=("graph",),
        hint="Collect every value that can be reached, in a set. Sort by value.number, the largest first.",
    ),
)


def _ages(mine, make):
    first = next(mine.counter)
    root = make(mine, *[mine.Value(one) for one in (1.0, 2.0, 3.0)])
    return [value.number - first for value in mine.by_number(root)]
