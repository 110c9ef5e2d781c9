"""Chapter 14, NaN, ties and kinks."""

import autograd_lab as torch
from autograd_lab.course.exercises.inputs import numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "14.1",
        4,
        "d",
        "where sends a gradient of 0 into the branch that it did not take. There, 0 meets 1/√0 = ∞, and 0·∞ is nan.",
    ),
    Prediction("14.2", 3, "b", "At the kink, PyTorch chooses 0: it lies between the slopes −1 and 1 on both sides."),
    Prediction("14.3", 4, "c", "max over all elements shares the gradient among equal winners."),
)


def _observe_gradient(function, *tensors):
    leaves = [one.clone().requires_grad_() for one in tensors]
    result = function(*leaves)
    result.sum().backward()
    return {"the result": result.detach(), "the gradients": [leaf.grad for leaf in leaves]}


def _with_zero(rng, size, low=0.5, high=4):
    return torch.tensor([*numbers(rng, size, low, high), 0.0])


EXERCISES = (
    Exercise(
        "14.4",
        "a root that is safe at zero",
        "order",
        header="def safe_root(x):",
        lines={
            "A": "return torch.where(positive, root, torch.zeros_like(x))",
            "B": "root = torch.sqrt(x)",
            "C": "positive = x > 0",
            "D": "root = torch.sqrt(inside)",
            "E": "inside = torch.where(positive, x, torch.ones_like(x))",
        },
        function="safe_root",
        solution="C E D A",
        families={
            "positive": lambda rng, size: (vector(rng, size, 0.5, 4),),
            "with a zero": lambda rng, size: (_with_zero(rng, size),),
            "with negative numbers": lambda rng, size: (vector(rng, size, -4, -0.5),),
        },
        observe=_observe_gradient,
        show=("x",),
        hint="Make the number safe before the root, and choose the result after it: where, twice.",
    ),
    Exercise(
        "14.5",
        "a mean over what counts",
        "fill",
        function="masked_log",
        solution="""
def masked_log(x, mask):
    inside = torch.where(mask > 0, x, torch.ones_like(x))
    return torch.where(mask > 0, torch.log(inside), torch.zeros_like(x))
""",
        families={
            "all count": lambda rng, size: (vector(rng, size, 0.5, 4), torch.ones(size)),
            "a zero is left out": lambda rng, size: (_with_zero(rng, size), torch.tensor([1.0] * size + [0.0])),
            "nothing counts": lambda rng, size: (torch.zeros(size), torch.zeros(size)),
        },
        observe=lambda function, x, mask: _observe_gradient(lambda leaf: function(leaf, mask), x),
        show=("x", "mask"),
        hint="The log of 1 is 0, and its slope there is finite. Put a 1 where nothing counts.",
    ),
    Exercise(
        "14.6",
        "a ratio without nan",
        "blank",
        function="ratio",
        solution="""
def ratio(a, b):
    safe = torch.where(b == 0, torch.ones_like(b), b)
    return torch.where(b == 0, torch.zeros_like(a), a / safe)
""",
        families={
            "no zero": lambda rng, size: (vector(rng, size), vector(rng, size, 0.5, 4)),
            "a zero below": lambda rng, size: (vector(rng, size + 1), _with_zero(rng, size)),
            "only zeros": lambda rng, size: (torch.zeros(size), torch.zeros(size)),
        },
        observe=_observe_gradient,
        show=("a", "b"),
        hint="First make b safe where it is 0, then divide, then put 0 where b was 0.",
    ),
)
