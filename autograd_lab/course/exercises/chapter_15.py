"""Chapter 15, a training loop by hand, and its six classic bugs."""

import autograd_lab as torch
from autograd_lab.course.exercises.inputs import vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("15.1", 4, "d", "After the first step, w is a result, and a result keeps no gradient."),
    Prediction(
        "15.2",
        3,
        "b",
        "(3, 1) and (3,) stretch to (3, 3): nine differences instead of three, and the mean of all nine.",
    ),
    Prediction(
        "15.3", 3, "c", "Each addition is a node that holds the whole graph of its step. A float would hold nothing."
    ),
)


def _line(rng, size):
    return vector(rng, size + 1), vector(rng, size + 1)


def _observe_fit(function, xs, ys, steps):
    w, b = function(xs, ys, steps)
    return [float(w), float(b)]


EXERCISES = (
    Exercise(
        "15.4",
        "the loop itself",
        "order",
        header="def fit(xs, ys):\n    w = torch.zeros(1, requires_grad=True)\n    for step in range(3):",
        lines={
            "A": "        w -= 0.05 * w.grad",
            "B": "    with torch.no_grad():",
            "C": "    loss.backward()",
            "D": "    loss = ((w * xs - ys) ** 2).mean()",
            "E": "    w.grad = None",
            "F": "return w.detach()",
            "G": "    w = w - 0.05 * w.grad",
        },
        function="fit",
        solution="D C B A E F",
        families={
            "any numbers": lambda rng, size: (vector(rng, size), vector(rng, size)),
            "positive numbers": lambda rng, size: (vector(rng, size, 0.5, 3), vector(rng, size, 0.5, 3)),
            "zeros": lambda rng, size: (torch.zeros(size), vector(rng, size)),
        },
        show=("xs", "ys"),
        hint="Compute, go backward, step outside the graph, forget. The line that gives w a new value is the bug.",
    ),
    Exercise(
        "15.5",
        "a log that holds no graph",
        "fill",
        function="train",
        solution="""
def train(w, xs, steps):
    log = []
    for step in range(steps):
        loss = ((w * xs) ** 2).sum()
        loss.backward()
        log.append(loss.item())
        with torch.no_grad():
            w -= 0.1 * w.grad
        w.grad = None
    return log
""",
        families={
            "one step": lambda rng, size: (vector(rng, size), vector(rng, size, -1, 1), 1),
            "several steps": lambda rng, size: (vector(rng, size), vector(rng, size, -1, 1), 1 + size),
            "zeros": lambda rng, size: (torch.zeros(size), vector(rng, size), 2),
        },
        observe=lambda function, w, xs, steps: function(w.clone().requires_grad_(), xs, steps),
        show=("w", "xs", "steps"),
        hint=(
            "A Python number holds no graph. The step is taken where nothing is recorded, and the "
            "gradient is forgotten."
        ),
    ),
    Exercise(
        "15.6",
        "a line through points",
        "blank",
        function="fit_line",
        solution="""
def fit_line(xs, ys, steps):
    w = torch.zeros(1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    for step in range(steps):
        loss = ((w * xs + b - ys) ** 2).mean()
        loss.backward()
        with torch.no_grad():
            for weight in (w, b):
                weight -= 0.1 * weight.grad
                weight.grad = None
    return w.item(), b.item()
""",
        families={
            "one step": lambda rng, size: (*_line(rng, size), 1),
            "three steps": lambda rng, size: (*_line(rng, size), 3),
            "flat": lambda rng, size: (vector(rng, size + 1, -1, 1), torch.ones(size + 1), 5),
        },
        observe=_observe_fit,
        show=("xs", "ys", "steps"),
        hint="Start from zeros of shape (1,). The loss is the mean of the squared differences. Step both, forget both.",
    ),
)
