"""Chapter 01, Tensor and Variable: one class since 0.4."""

import autograd_lab as torch
from autograd_lab.course.exercises.inputs import matrix, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("01.1", 3, "b", "volatile does nothing since 0.4. It warns, and the graph is recorded as always."),
    Prediction(
        "01.2",
        3,
        "c",
        "Variable(a) makes a new tensor on the same memory. Its switch comes from the call, and "
        "there the default is False.",
    ),
    Prediction("01.3", 3, "c", "Tensor.backward has no such argument any more. Today it is called gradient."),
)


def _observe_variable(function, data, wanted):
    made = function(data, wanted)
    if not isinstance(made, torch.Tensor):
        return made
    return {
        "the values": made.detach().clone(),
        "requires_grad": made.requires_grad,
        "is_leaf": made.is_leaf,
        "it is a new tensor": made is not data,
        "it shares the memory": made.data_ptr() == data.data_ptr(),
    }


def _observe_evaluation(function, weights, data):
    weights = weights.clone().requires_grad_()
    answer = function(weights, data)
    recorded = isinstance(answer, torch.Tensor) and answer.requires_grad
    return {"the value": answer, "it was recorded": recorded, "weights still require grad": weights.requires_grad}


EXERCISES = (
    Exercise(
        "01.4",
        "an old program in today's words",
        "order",
        header="def slope_of_square(numbers):",
        lines={
            "A": "y.backward(gradient=torch.ones(x.size()))",
            "B": "x = torch.tensor(numbers, requires_grad=True)",
            "C": "x = torch.tensor(numbers, volatile=False)",
            "D": "return x.grad",
            "E": "y = x * x",
            "F": "y.backward(grad_variables=torch.ones(x.size()))",
        },
        function="slope_of_square",
        solution="B E A D",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "with a zero": lambda rng, size: ([*numbers(rng, size), 0.0],),
        },
        show=("numbers",),
        hint="Two lines use words that are gone: volatile and grad_variables.",
    ),
    Exercise(
        "01.5",
        "what volatile was for",
        "fill",
        function="evaluate",
        solution="""
def evaluate(weights, data):
    with torch.no_grad():
        return (weights * data).sum()
""",
        families={
            "one and more": lambda rng, size: (vector(rng, size), vector(rng, size)),
            "zeros": lambda rng, size: (torch.zeros(size), vector(rng, size)),
            "a matrix": lambda rng, size: (matrix(rng, size, 2), matrix(rng, size, 2)),
        },
        observe=_observe_evaluation,
        show=("weights", "data"),
        hint="The warning itself names the word: read what it says when you set volatile.",
    ),
    Exercise(
        "01.6",
        "Variable in one line",
        "blank",
        function="variable",
        solution="""
def variable(data, requires_grad):
    return data.detach().requires_grad_(requires_grad)
""",
        families={
            "plain data": lambda rng, size: (vector(rng, size), bool(size % 2)),
            "a leaf that requires grad": lambda rng, size: (vector(rng, size).requires_grad_(), bool(size % 2)),
            "a result": lambda rng, size: (vector(rng, size).requires_grad_() * 2, True),
        },
        observe=_observe_variable,
        show=("data", "requires_grad"),
        hint="detach() gives a new tensor on the same memory. requires_grad_(…) turns its switch.",
    ),
)
