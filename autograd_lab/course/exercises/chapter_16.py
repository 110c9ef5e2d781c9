"""Chapter 16, the museum: autograd before 0.4."""

import autograd_lab as torch
from autograd_lab import legacy
from autograd_lab.course.exercises.inputs import numbers
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("16.1", 3, "c", "A Variable met only Variables and plain numbers. The wrapper was a class of its own."),
    Prediction(
        "16.2",
        3,
        "b",
        "One volatile input was enough to make the result volatile, and a volatile result has no history.",
    ),
    Prediction("16.3", 3, "a", "In 0.3 the other leaves were filled as well. Today the argument is ignored."),
)


def _plain(variable):
    return variable.data if isinstance(variable, legacy.Variable) else variable


EXERCISES = (
    Exercise(
        "16.4",
        "a program of 2017",
        "order",
        header="def slope_of_2017(values):\n    from autograd_lab.legacy import Variable",
        lines={
            "A": "y = (x * x).sum()",
            "B": "y.backward()",
            "C": "x = Variable(torch.tensor(values), requires_grad=True)",
            "D": "return x.grad.data",
            "E": "x = Variable(torch.tensor(values), volatile=True)",
        },
        function="slope_of_2017",
        solution="C A B D",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "zeros": lambda rng, size: ([0.0] * size,),
        },
        show=("values",),
        hint="Wrap, compute, go backward; the gradient is a Variable, so its numbers are in .data.",
    ),
    Exercise(
        "16.5",
        "the same program today",
        "fill",
        function="slope_today",
        solution="""
def slope_today(values):
    x = torch.tensor(values, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    return x.grad, y.item()
""",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "zeros": lambda rng, size: ([0.0] * size,),
        },
        show=("values",),
        hint="The switch is an argument of the tensor. data[0] of a sum is item() today.",
    ),
    Exercise(
        "16.6",
        "an evaluation of 2017",
        "blank",
        function="evaluate_2017",
        solution="""
def evaluate_2017(weights, values):
    from autograd_lab import legacy
    w = legacy.Variable(weights, requires_grad=True)
    x = legacy.Variable(values, volatile=True)
    return (w * x).sum()
""",
        families={
            "positive numbers": lambda rng, size: (
                torch.tensor(numbers(rng, size, 1, 5)),
                torch.tensor(numbers(rng, size)),
            ),
            "any numbers": lambda rng, size: (torch.tensor(numbers(rng, size)), torch.tensor(numbers(rng, size))),
            "zeros": lambda rng, size: (torch.zeros(size), torch.tensor(numbers(rng, size))),
        },
        observe=lambda function, w, x: _observed(function(w, x)),
        show=("weights", "values"),
        hint=(
            "Wrap the weights with requires_grad=True, and the values with volatile=True. The result is then volatile."
        ),
    ),
)


def _observed(result):
    return {
        "it is a Variable": isinstance(result, legacy.Variable),
        "it is volatile": bool(getattr(result, "volatile", False)),
        "its numbers": _plain(result),
    }
