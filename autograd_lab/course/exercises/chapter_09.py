"""Chapter 09, no_grad, and the question that a document left open."""

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import named, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "09.1",
        3,
        "b",
        "y was recorded before. no_grad changes what happens to new operations, not what happened to old ones.",
    ),
    Prediction("09.2", 3, "a", "Backward walks a graph that exists already. It needs no recording."),
    Prediction(
        "09.3",
        3,
        "c",
        "sum() is a new operation. Inside the block it is not recorded, so there is nothing to go back through.",
    ),
    Prediction("09.4", 3, "b", "A new leaf is no operation. Its switch is what you wrote."),
)

SQUARE = named("lambda x: (x * x).sum()", lambda x: (x * x).sum())
EXP = named("lambda x: x.exp().sum()", lambda x: x.exp().sum())


def fails(x):
    """Raise an error half-way."""
    raise ValueError("half-way")


FAILS = named("a function that raises", fails)


def _observe_quiet(function, f, x):
    x = x.clone().requires_grad_()
    try:
        value = function(f, x)
    except ValueError:
        value = None
    on_again = torch.is_grad_enabled()
    torch.set_grad_enabled(True)
    recorded = isinstance(value, torch.Tensor) and value.requires_grad
    return {"the value": value, "it was recorded": recorded, "recording is on again": on_again}


def _observe_average(function, start, steps):
    w = torch.tensor(start, requires_grad=True)
    mean = function(w, steps)
    return {"w": w.detach().clone(), "the mean": mean, "the mean has a history": mean.requires_grad}


EXERCISES = (
    Exercise(
        "09.5",
        "a running mean that holds no graph",
        "order",
        header="def descend(w, steps):\n    mean = torch.zeros_like(w)\n    for step in range(steps):",
        lines={
            "A": "        mean += (w - mean) / (step + 1)",
            "B": "    with torch.no_grad():",
            "C": "    loss.backward()",
            "D": "        w -= 0.1 * w.grad",
            "E": "    loss = (w * w).sum()",
            "F": "return mean",
            "G": "    w.grad = None",
        },
        function="descend",
        solution="G E C B D A F",
        families={
            "one step": lambda rng, size: (numbers(rng, size), 1),
            "several steps": lambda rng, size: (numbers(rng, size), 1 + size),
            "from zero": lambda rng, size: ([0.0] * size, 2),
        },
        observe=_observe_average,
        show=("w", "steps"),
        hint=(
            "Forget, compute, go backward. Both writes belong into the block that does not record: "
            "first the step, then the mean."
        ),
    ),
    Exercise(
        "09.6",
        "recording on, inside off",
        "fill",
        function="slope_while_off",
        solution="""
def slope_while_off(values):
    with torch.no_grad():
        with torch.enable_grad():
            x = torch.tensor(values, requires_grad=True)
            y = (x * x).sum()
        y.backward()
    return x.grad
""",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "zeros": lambda rng, size: ([0.0] * size,),
        },
        show=("values",),
        hint="One block turns recording off, the block inside turns it on again. Backward works in both.",
    ),
    Exercise(
        "09.7",
        "quiet, whatever happens",
        "blank",
        function="quiet",
        solution="""
def quiet(f, x):
    with torch.no_grad():
        return f(x)
""",
        families={
            "squares": lambda rng, size: (SQUARE, vector(rng, size)),
            "exp": lambda rng, size: (EXP, vector(rng, size, -1, 1)),
            "an error half-way": lambda rng, size: (FAILS, vector(rng, size)),
        },
        observe=_observe_quiet,
        show=("f", "x"),
        hint="A with block puts the switch back, even when f raises. set_grad_enabled(False) alone does not.",
    ),
    Exercise(
        "09.8",
        "your engine can be quiet",
        "blank",
        function="no_grad",
        part="no_grad",
        solution=engine.solution("no_grad"),
        families={
            "a product": lambda rng, size: (numbers(rng, size), 1, False),
            "two blocks, one in the other": lambda rng, size: (numbers(rng, size), 2, False),
            "an error inside": lambda rng, size: (numbers(rng, size), 1, True),
        },
        observe=lambda mine, data, depth, error: _quietly(mine, data, depth, error),
        show=("x", "blocks, one in the other", "an error inside"),
        hint='Remember state["recording"] on the way in, set it to False, and put it back on the way out.',
    ),
)


def _quietly(mine, data, depth, error):
    x = mine.Value(data)
    blocks = [mine.no_grad() for _ in range(depth)]
    try:
        with blocks[0]:
            if depth == 2:
                with blocks[1]:
                    x * x
            inside = x * x
            if error:
                raise ValueError("inside")
    except ValueError:
        pass
    outside = x * x
    return {
        "inside, a product remembers": bool(inside.parents),
        "outside, a product remembers": bool(outside.parents),
        "the value inside": inside.data,
    }
