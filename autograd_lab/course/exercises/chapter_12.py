"""Chapter 12, derivatives of derivatives."""

from functools import partial

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import named, number, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("12.1", 3, "c", "Without create_graph the gradient is a plain number: nobody recorded how it was made."),
    Prediction("12.2", 4, "b", "3x² = 27, then 6x = 18, then 6."),
    Prediction(
        "12.3", 3, "b", "The derivative of x * 2 is 2, whatever x is. A constant has no history, recorded or not."
    ),
)

CUBE = named("lambda x: (x * x * x).sum()", lambda x: (x * x * x).sum())
COUPLED = named("lambda x: (x.sum() * x * x).sum()", lambda x: (x.sum() * x * x).sum())
EXP = named("lambda x: x.exp().sum()", lambda x: x.exp().sum())


def _leaf(rng, size, dtype=torch.float32):
    return vector(rng, size, -2, 2, dtype)


POLYNOMIALS = {
    "x * x": lambda mine, x: x * x,
    "x * x * x + x": lambda mine, x: x * x * x + x,
    "exp(x * x)": lambda mine, x: mine.exp(x * x),
    "x * 3": lambda mine, x: x * 3.0,
}


def _polynomial(words, rng, size):
    return words, number(rng, -1, 1), min(size, 3)


EXERCISES = (
    Exercise(
        "12.4",
        "how the slope itself changes",
        "order",
        header="def second(number):",
        lines={
            "A": "bend, = torch.autograd.grad(slope, x)",
            "B": "x = torch.tensor(number, requires_grad=True)",
            "C": "return bend.item()",
            "D": "slope, = torch.autograd.grad(y, x, create_graph=True)",
            "E": "y = x * x * x",
            "F": "slope, = torch.autograd.grad(y, x)",
        },
        function="second",
        solution="B E D A C",
        families={
            "positive": lambda rng, size: (number(rng, 0.5, 5),),
            "negative": lambda rng, size: (number(rng, -5, -0.5),),
            "near zero": lambda rng, size: (number(rng, -0.5, 0.5),),
        },
        show=("number",),
        hint="The first derivative must be recorded, or the second has nothing to go back through.",
    ),
    Exercise(
        "12.5",
        "a Hessian times a vector",
        "fill",
        function="hessian_times",
        solution="""
def hessian_times(f, x, v):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(f(x), x, create_graph=True)
    result, = torch.autograd.grad(slope, x, grad_outputs=v)
    return result
""",
        families={
            "a sum of cubes": lambda rng, size: (CUBE, _leaf(rng, size), _leaf(rng, size)),
            "coupled": lambda rng, size: (COUPLED, _leaf(rng, size), _leaf(rng, size)),
            "float64": lambda rng, size: (EXP, _leaf(rng, size, torch.float64), _leaf(rng, size, torch.float64)),
        },
        show=("f", "x", "v"),
        hint="Record the first backward. In the second, v is the weight on the slope (chapter 05).",
    ),
    Exercise(
        "12.6",
        "a whole Hessian",
        "blank",
        function="hessian",
        solution="""
def hessian(f, x):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(f(x), x, create_graph=True)
    rows = []
    for i in range(len(x)):
        row, = torch.autograd.grad(slope[i], x, retain_graph=True)
        rows.append(row)
    return torch.stack(rows)
""",
        families={
            "a sum of cubes": lambda rng, size: (CUBE, _leaf(rng, size)),
            "coupled": lambda rng, size: (COUPLED, _leaf(rng, size)),
            "float64": lambda rng, size: (EXP, _leaf(rng, size, torch.float64)),
        },
        show=("f", "x"),
        hint="Row i is the gradient of slope[i]. Each row needs the same graph: keep it.",
    ),
    Exercise(
        "12.7",
        "your engine, once more and once more",
        "blank",
        function="higher",
        part="higher",
        solution=engine.solution("higher"),
        families={words: partial(_polynomial, words) for words in POLYNOMIALS},
        observe=lambda mine, words, at, times: mine.higher(lambda x: POLYNOMIALS[words](mine, x), at, times),
        show=("f", "at", "times"),
        hint="Your grad returns Values that remember how they were made. So it can be called on its own answer.",
    ),
)
