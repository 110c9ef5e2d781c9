"""Chapter 17, from the lab to PyTorch: the same words on a real model."""

import autograd_lab as torch
from autograd_lab import nn
from autograd_lab.course.exercises.inputs import matrix
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "17.1",
        4,
        "b",
        "Two layers with a weight and a bias each. The data does not require gradients, so it is "
        "no leaf of this graph.",
    ),
    Prediction(
        "17.2",
        3,
        "a",
        "The weight was written through .data: its counter did not move, and PyTorch keeps no other trace.",
    ),
    Prediction(
        "17.3", 3, "c", "The bias of the first layer was not used: no path leads to it, and its .grad stays None."
    ),
)


def _model(rng, inputs):
    torch.manual_seed(int(rng.integers(1, 1000)))
    return nn.Sequential(nn.Linear(inputs, 2), nn.Tanh(), nn.Linear(2, 1))


def _case(rng, size):
    return _model(rng, size), matrix(rng, 3, size, -1, 1)


def _observe_frozen(function, model, data):
    function(model)
    model(data).sum().backward()
    return {
        "first layer asks": [p.requires_grad for p in model[0].parameters()],
        "last layer's gradients": [p.grad for p in model[2].parameters()],
        "first layer's gradients": [p.grad for p in model[0].parameters()],
    }


def _observe_norm(function, model, data):
    model(data).sum().backward()
    return function(model)


def _loss(model, data, part):
    if part == "all":
        return model(data).sum()
    return model[0](data).sum() if part == "first layer only" else (model[2].weight * 2).sum()


EXERCISES = (
    Exercise(
        "17.4",
        "train the last layer only",
        "order",
        header="def freeze(model):",
        lines={
            "A": "    p.requires_grad_(False)",
            "B": "for p in model[0].parameters():",
            "C": "for p in model.parameters():",
            "D": "    p.grad = None",
        },
        function="freeze",
        solution="B A",
        families={
            "a small model": _case,
            "a wider model": lambda rng, size: _case(rng, size + 2),
            "one row of data": lambda rng, size: (_model(rng, size), matrix(rng, 1, size, -1, 1)),
        },
        observe=_observe_frozen,
        show=("model", "data"),
        hint="Turn the switch of the first layer's parameters off. Two lines are enough.",
    ),
    Exercise(
        "17.5",
        "how long is the gradient?",
        "fill",
        function="gradient_norm",
        solution="""
def gradient_norm(model):
    total = 0.0
    for p in model.parameters():
        if p.grad is not None:
            total += (p.grad * p.grad).sum().item()
    return total ** 0.5
""",
        families={
            "a small model": _case,
            "a wider model": lambda rng, size: _case(rng, size + 2),
            "a frozen layer": lambda rng, size: (_frozen(_model(rng, size)), matrix(rng, 2, size, -1, 1)),
        },
        observe=_observe_norm,
        show=("model", "data"),
        hint=(
            "A parameter that no path reaches has the gradient None. The sum of squares is a tensor; you want a number."
        ),
    ),
    Exercise(
        "17.6",
        "which parameters does this loss reach?",
        "blank",
        function="reached",
        solution="""
def reached(model, loss):
    loss.backward()
    return [name for name, p in model.named_parameters() if p.grad is not None]
""",
        families={
            "the whole model": lambda rng, size: (*_case(rng, size), "all"),
            "the first layer": lambda rng, size: (*_case(rng, size), "first layer only"),
            "one weight": lambda rng, size: (*_case(rng, size), "one weight"),
        },
        observe=lambda function, model, data, part: function(model, _loss(model, data, part)),
        show=("model", "data", "loss of"),
        hint="Go backward, and see whose .grad is no longer None. model.named_parameters() gives names and tensors.",
    ),
)


def _frozen(model):
    for p in model[0].parameters():
        p.requires_grad_(False)
    return model
