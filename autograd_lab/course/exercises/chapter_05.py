"""Chapter 05, vectors: `gradient=` and `grad_tensors` are weights."""

import numpy as np

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import named, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("05.1", 4, "c", "Each element's own slope, 2x, times its weight: [2·1·1, 2·2·10]."),
    Prediction("05.2", 3, "c", "The shape must be exactly the shape of the result. Nothing is stretched."),
    Prediction(
        "05.3",
        3,
        "b",
        "a was stretched from (3, 1) to (3, 2). Its gradient is summed back: two copies of 2 for each row.",
    ),
)

SQUARE = named("lambda x: x * x", lambda x: x * x)
MIXED = named("lambda x: x * x.sum()", lambda x: x * x.sum())
CHAIN = named("lambda x: (x * x).exp()", lambda x: (x * x).exp())
PAIR = named("lambda x: (x * 3)[:1]", lambda x: (x * 3)[:1])


def _observe_pull(function, f, values, weights):
    x = values.clone().requires_grad_()
    return function(f, x, weights)


EXERCISES = (
    Exercise(
        "05.4",
        "a Jacobian, row by row",
        "order",
        header=(
            "def rows(values):\n    x = torch.tensor(values, requires_grad=True)\n    y = x * x.sum()\n    table = []"
        ),
        lines={
            "A": "for i in range(len(values)):",
            "B": "    table.append(x.grad)",
            "C": "    weights[i] = 1.0",
            "D": "    y.backward(weights, retain_graph=True)",
            "E": "    weights = torch.zeros(len(values))",
            "F": "return torch.stack(table)",
            "G": "    x.grad = None",
        },
        function="rows",
        solution="A G E C D B F",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "with a zero": lambda rng, size: ([*numbers(rng, size), 0.0],),
        },
        show=("values",),
        hint="A weight of 1 on one element and 0 on all others gives one row. Clear .grad before each row.",
    ),
    Exercise(
        "05.5",
        "a weighted sum, without the sum",
        "fill",
        function="weighted",
        solution="""
def weighted(f, x, weights):
    y = f(x)
    y.backward(gradient=weights)
    return x.grad
""",
        families={
            "squares": lambda rng, size: (SQUARE, vector(rng, size), vector(rng, size)),
            "mixed elements": lambda rng, size: (MIXED, vector(rng, size), vector(rng, size)),
            "a chain": lambda rng, size: (CHAIN, vector(rng, size, -1, 1), vector(rng, size)),
        },
        observe=_observe_pull,
        show=("f", "x", "weights"),
        hint="The argument is called gradient. What arrives stands in x.grad.",
    ),
    Exercise(
        "05.6",
        "a whole Jacobian",
        "blank",
        function="jacobian",
        solution="""
def jacobian(f, x):
    x = x.detach().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(y)):
        row, = torch.autograd.grad(y[i], x, retain_graph=True)
        rows.append(row)
    return torch.stack(rows)
""",
        families={
            "squares": lambda rng, size: (SQUARE, vector(rng, size)),
            "mixed elements": lambda rng, size: (MIXED, vector(rng, size)),
            "fewer outputs than inputs": lambda rng, size: (PAIR, vector(rng, size + 1)),
            "float64": lambda rng, size: (CHAIN, vector(rng, size, -1, 1, torch.float64)),
        },
        show=("f", "x"),
        hint="One backward for each element of the result; stack the rows. Row i is the gradient of y[i].",
    ),
    Exercise(
        "05.7",
        "your engine undoes a stretch",
        "blank",
        function="unbroadcast",
        part="unbroadcast",
        solution=engine.solution("unbroadcast"),
        families={
            "new axes in front": lambda rng, size: (rng.integers(-5, 5, (2, size, 3)).astype(float), (3,)),
            "an axis of one": lambda rng, size: (rng.integers(-5, 5, (size, 2)).astype(float), (size, 1)),
            "both": lambda rng, size: (rng.integers(-5, 5, (2, size, 2)).astype(float), (1, 2)),
            "to a number": lambda rng, size: (rng.integers(-5, 5, (size, 2)).astype(float), ()),
            "nothing to do": lambda rng, size: (rng.integers(-5, 5, (size, 2)).astype(float), (size, 2)),
        },
        observe=lambda mine, array, shape: np.asarray(mine.unbroadcast(array, shape)),
        show=("array", "shape"),
        hint=(
            "First sum away the axes that are too many, from the front. Then sum each axis that "
            "should be 1, and keep it."
        ),
    ),
)
