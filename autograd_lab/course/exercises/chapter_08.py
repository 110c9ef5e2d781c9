"""Chapter 08, backward() and grad(), argument by argument."""

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.graphs import families
from autograd_lab.course.exercises.inputs import named, number, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("08.1", 3, "c", "u is no part of the graph. grad asks you to say that this is what you want."),
    Prediction("08.2", 3, "b", "The argument is ignored, with a warning. w.grad stays None."),
    Prediction("08.3", 3, "a", "inputs= names the leaves that may be changed. w is not among them."),
)

PRODUCT = named("lambda a, b: (a * b).sum()", lambda a, b: (a * b).sum())
FIRST = named("lambda a, b: (a * a).sum()", lambda a, b: (a * a).sum())
SECOND = named("lambda a, b: b.exp().sum()", lambda a, b: b.exp().sum())


def _observe_pair(function, f, a, b):
    a, b = a.clone().requires_grad_(), b.clone().requires_grad_()
    answer = function(f, a, b)
    untouched = a.grad is None and b.grad is None
    return {"the answer": answer, "no .grad was written": untouched}


def _observe_head(function, body, head, data):
    body, head = body.clone().requires_grad_(), head.clone().requires_grad_()
    function(body, head, data)
    return {"body.grad": body.grad, "head.grad": head.grad}


EXERCISES = (
    Exercise(
        "08.4",
        "one gradient, and nothing written",
        "order",
        header="def speed(values, weights):",
        lines={
            "A": "answer = torch.autograd.grad(loss, x)",
            "B": "x = torch.tensor(values, requires_grad=True)",
            "C": "loss.backward()",
            "D": "return answer[0], x.grad, w.grad",
            "E": "loss = (x * x * w).sum()",
            "F": "w = torch.tensor(weights, requires_grad=True)",
        },
        function="speed",
        solution="B F E A D",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5), numbers(rng, size, 0.5, 5)),
            "any numbers": lambda rng, size: (numbers(rng, size), numbers(rng, size)),
            "zero weights": lambda rng, size: (numbers(rng, size), [0.0] * size),
        },
        show=("values", "weights"),
        hint="grad gives a tuple and writes nothing. backward writes, so it is the line too many.",
    ),
    Exercise(
        "08.5",
        "train the head only",
        "fill",
        function="train_head",
        solution="""
def train_head(body, head, data):
    loss = ((data * body).exp() * head).sum()
    loss.backward(inputs=[head])
""",
        families={
            "one and more": lambda rng, size: (
                vector(rng, size, -1, 1),
                vector(rng, size, -1, 1),
                vector(rng, size, -1, 1),
            ),
            "a body of zeros": lambda rng, size: (torch.zeros(size), vector(rng, size), vector(rng, size)),
            "float64": lambda rng, size: tuple(vector(rng, size, -1, 1, torch.float64) for _ in range(3)),
        },
        observe=_observe_head,
        show=("body", "head", "data"),
        hint="The argument is called inputs, and it takes a list of the leaves that may be written.",
    ),
    Exercise(
        "08.6",
        "gradients with zeros for the unused",
        "blank",
        function="gradients",
        solution="""
def gradients(f, a, b):
    return torch.autograd.grad(f(a, b), [a, b], materialize_grads=True)
""",
        families={
            "both are used": lambda rng, size: (PRODUCT, vector(rng, size), vector(rng, size)),
            "only the first": lambda rng, size: (FIRST, vector(rng, size), vector(rng, size)),
            "only the second": lambda rng, size: (SECOND, vector(rng, size), vector(rng, size, -1, 1)),
        },
        observe=_observe_pair,
        show=("f", "a", "b"),
        hint="torch.autograd.grad with both inputs; materialize_grads=True turns a missing gradient into zeros.",
    ),
    Exercise(
        "08.7",
        "your engine answers without writing",
        "blank",
        function="grad",
        part="grad",
        solution=engine.solution("grad"),
        families=families(lambda make, rng, size: (make, [number(rng, -1, 1) for _ in range(3)])),
        observe=lambda mine, make, at: _asked(mine, make, at),
        show=("graph", "a, b, c"),
        hint=(
            "It is your backward without accumulate: keep every gradient in the dictionary, and look "
            "up the inputs at the end."
        ),
    ),
)


def _asked(mine, make, at):
    leaves = [mine.Value(one) for one in at]
    root = make(mine, *leaves)
    found = mine.grad(root, [*leaves, root])
    return {
        "the gradients": [None if one is None else one.data for one in found],
        "no .grad was written": all(leaf.grad is None for leaf in leaves),
    }
