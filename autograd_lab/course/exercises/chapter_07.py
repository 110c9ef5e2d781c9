"""Chapter 07, gradients in the middle: retain_grad, hooks, autograd.grad."""

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import named, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "07.1", 3, "b", "The gradient of a result is passed on and not kept. Nothing is cleared: nothing was stored."
    ),
    Prediction("07.2", 3, "a", "autograd.grad hands the gradients to you. It writes nothing."),
    Prediction("07.3", 4, "d", "What a hook returns takes the gradient's place, before it is added to .grad."),
    Prediction("07.4", 3, "c", "retain_grad looks last, whatever was registered first."),
)

DOUBLE = named("lambda t: t * 2", lambda t: t * 2)
SQUARE = named("lambda t: t * t", lambda t: t * t)
EXP = named("lambda t: t.exp()", lambda t: t.exp())


def _observe_middle(function, values, steps):
    return function(values.clone().requires_grad_(), steps)


EXERCISES = (
    Exercise(
        "07.5",
        "a gradient in the middle",
        "order",
        header="def middle(values):\n    seen = []",
        lines={
            "A": "return seen[0]",
            "B": "y = x.exp()",
            "C": "(y * y).sum().backward()",
            "D": "x = torch.tensor(values, requires_grad=True)",
            "E": "y.register_hook(seen.append)",
            "F": "return y.grad",
        },
        function="middle",
        solution="D B E C A",
        families={
            "small numbers": lambda rng, size: (numbers(rng, size, -1, 1),),
            "zeros": lambda rng, size: ([0.0] * size,),
            "a row of rows": lambda rng, size: ([numbers(rng, 2, -1, 1) for _ in range(size)],),
        },
        show=("values",),
        hint="The hook must hang on y before backward passes by. y.grad stays None.",
    ),
    Exercise(
        "07.6",
        "a gradient with a limit",
        "fill",
        function="limited",
        solution="""
def limited(values, limit):
    x = torch.tensor(values, requires_grad=True)
    y = x * x
    y.register_hook(lambda grad: torch.where(grad > limit, limit, grad))
    (y * y).sum().backward()
    return x.grad
""",
        families={
            "small numbers": lambda rng, size: (numbers(rng, size, -1, 1), 1.0),
            "large numbers": lambda rng, size: (numbers(rng, size, 2, 5), 3.0),
            "both": lambda rng, size: (numbers(rng, size), 2.0),
        },
        show=("values", "limit"),
        hint=(
            "The method registers a hook. Inside it, the gradient is the larger number only where it "
            "is below the limit."
        ),
    ),
    Exercise(
        "07.7",
        "every gradient on the way",
        "blank",
        function="on_the_way",
        solution="""
def on_the_way(x, steps):
    results = []
    for step in steps:
        x = step(x)
        x.retain_grad()
        results.append(x)
    x.sum().backward()
    return [result.grad for result in results]
""",
        families={
            "one step": lambda rng, size: (vector(rng, size, -1, 1), [SQUARE]),
            "three steps": lambda rng, size: (vector(rng, size, -1, 1), [DOUBLE, SQUARE, EXP]),
            "the same step twice, float64": lambda rng, size: (
                vector(rng, size, -1, 1, torch.float64),
                [SQUARE, SQUARE],
            ),
        },
        observe=_observe_middle,
        show=("x", "steps"),
        hint="Call retain_grad() on each result before the backward of the sum, and read their .grad afterwards.",
    ),
    Exercise(
        "07.8",
        "your engine has hooks",
        "blank",
        function="run_hooks",
        part="run_hooks",
        solution=engine.solution("run_hooks"),
        families={
            "no hook": lambda rng, size: (numbers(rng, size), []),
            "a hook that only looks": lambda rng, size: (numbers(rng, size), [None]),
            "two hooks that change": lambda rng, size: (numbers(rng, size), [2.0, 3.0]),
            "looking between changes": lambda rng, size: (numbers(rng, size), [2.0, None, 0.5]),
        },
        observe=lambda mine, data, factors: _hooked(mine, data, factors),
        show=("x", "factors (None: the hook returns None)"),
        hint="Go through value.hooks in order. If a hook returns something, that is the gradient from now on.",
    ),
)


def _hooked(mine, data, factors):
    x = mine.Value(data)
    y = x * x
    seen = []

    def hook(factor):
        def run(grad):
            seen.append(grad.data.copy())
            return None if factor is None else grad * factor

        return run

    y.hooks = [hook(factor) for factor in factors]
    mine.backward(mine.total(y))
    return {"what the hooks saw": seen, "x.grad": x.grad.data}
