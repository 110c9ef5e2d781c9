"""Chapter 11, your own Function, and the check that catches a document's bug."""

import numpy as np

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import number, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "11.1", 3, "a", "backward returned the incoming gradient as it was. Nobody compared it with the forward."
    ),
    Prediction(
        "11.3",
        3,
        "c",
        "backward must return one entry for each argument of forward, None for those that are no tensors.",
    ),
    Prediction(
        "11.2",
        3,
        "b",
        "gradcheck moves each input a little and looks at the result. float32 has too few digits for that.",
    ),
)


def _observe(function, x, *more):
    x = x.clone().requires_grad_()
    y = function.apply(x, *more)
    y.backward(torch.arange(1.0, 1.0 + len(x)).to(x.dtype))
    return {"the value": y.detach(), "x.grad": x.grad}


EXERCISES = (
    Exercise(
        "11.4",
        "the document's class, repaired",
        "order",
        header=(
            "class MulConstant(torch.autograd.Function):\n    @staticmethod\n    def forward(ctx, tensor, constant):"
        ),
        lines={
            "A": "@staticmethod",
            "B": "    return grad_output, None",
            "C": "    ctx.constant = constant",
            "D": "def backward(ctx, grad_output):",
            "E": "    return tensor * constant",
            "F": "    return grad_output * ctx.constant, None",
        },
        function="MulConstant",
        solution="C E A D F",
        families={
            "whole constants": lambda rng, size: (vector(rng, size), int(rng.integers(2, 9))),
            "a negative constant": lambda rng, size: (vector(rng, size), -number(rng, 1, 5)),
            "float64": lambda rng, size: (vector(rng, size, -3, 3, torch.float64), number(rng, 2, 5)),
        },
        observe=_observe,
        show=("tensor", "constant"),
        hint="Keep the constant before you return. The gradient must be multiplied by it, too.",
    ),
    Exercise(
        "11.5",
        "an exponential of your own",
        "fill",
        function="Exp",
        solution="""
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad):
        result, = ctx.saved_tensors
        return grad * result
""",
        families={
            "small numbers": lambda rng, size: (vector(rng, size, -1, 1),),
            "zeros": lambda rng, size: (torch.zeros(size),),
            "float64": lambda rng, size: (vector(rng, size, -1, 1, torch.float64),),
        },
        observe=_observe,
        show=("x",),
        hint="save_for_backward keeps tensors, saved_tensors gives them back. exp is its own derivative.",
    ),
    Exercise(
        "11.6",
        "a limit of your own",
        "blank",
        function="Limit",
        solution="""
class Limit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, top):
        ctx.save_for_backward(x < top)
        return torch.where(x < top, x, torch.full_like(x, top))
    @staticmethod
    def backward(ctx, grad):
        below, = ctx.saved_tensors
        return grad * below, None
""",
        families={
            "all below": lambda rng, size: (vector(rng, size, -3, 1), 2.0),
            "all above": lambda rng, size: (vector(rng, size, 3, 5), 2.0),
            "both sides": lambda rng, size: (vector(rng, size), 0.05),
        },
        observe=_observe,
        show=("x", "top"),
        hint="Save which elements are below the top. The gradient passes there; elsewhere it is 0. top is no tensor.",
    ),
    Exercise(
        "11.7",
        "your engine takes functions from outside",
        "blank",
        function="custom",
        part="custom",
        solution=engine.solution("custom"),
        families={
            "a sine": lambda rng, size: (numbers(rng, size), "sin"),
            "a cube": lambda rng, size: (numbers(rng, size), "cube"),
            "two inputs": lambda rng, size: (numbers(rng, size), "ratio"),
        },
        observe=lambda mine, data, which: _customised(mine, data, which),
        show=("x", "function"),
        hint=(
            "Run forward on the arrays. record(…, inputs, pullback, name) remembers them; the pullback calls backward."
        ),
    ),
)


def _customised(mine, data, which):
    forward, backward, count = {
        "sin": (np.sin, lambda grad, x: [grad * np.cos(x)], 1),
        "cube": (lambda x: x**3, lambda grad, x: [3 * x**2 * grad], 1),
        "ratio": (
            lambda x, y: x / (y * y + 1),
            lambda grad, x, y: [grad / (y * y + 1), -2 * x * y * grad / (y * y + 1) ** 2],
            2,
        ),
    }[which]
    inputs = [mine.Value(data), mine.Value([2.0] * len(data))][:count]
    y = mine.custom(forward, backward, *inputs)
    mine.backward(mine.total(y * y))
    return {"the value": y.data, "the gradients": [one.grad.data for one in inputs]}
