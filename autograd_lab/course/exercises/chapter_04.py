"""Chapter 04, backward: one number in, gradients out; they add up; the graph is used up."""

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.graphs import families
from autograd_lab.course.exercises.inputs import named, number, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("04.1", 4, "d", "exp kept its result for the first backward, and that backward set it free."),
    Prediction(
        "04.2", 3, "a", "x + 2 and sum keep no values. There is nothing to set free, so there is nothing to miss."
    ),
    Prediction("04.3", 3, "b", "Each backward adds [1, 1, 1]. The sum that was only computed adds nothing."),
    Prediction("04.4", 4, "c", "A tensor with one element is enough, whatever its shape. Three elements are not."),
)

SUM = named("t.sum()", lambda t: t.sum())
SQUARES = named("(t * t).sum()", lambda t: (t * t).sum())
EXP = named("t.exp().sum()", lambda t: t.exp().sum())
MEAN = named("(t * 3).mean()", lambda t: (t * 3).mean())


def _observe_descent(function, start, steps):
    w = torch.tensor(start, requires_grad=True)
    function(w, steps)
    return w.detach()


def _observe_separate(function, values, losses):
    t = values.clone().requires_grad_()
    return function(t, losses)


EXERCISES = (
    Exercise(
        "04.5",
        "two losses, one shared part",
        "order",
        header="def both(values):",
        lines={
            "A": "return x.grad",
            "B": "(first + second).backward()",
            "C": "shared = x.exp()",
            "D": "x = torch.tensor(values, requires_grad=True)",
            "E": "first, second = (shared * 2).sum(), (shared * 3).sum()",
            "F": "first.backward()",
            "G": "second.backward()",
        },
        function="both",
        solution="D C E B A",
        families={
            "one number and more": lambda rng, size: (numbers(rng, size, -1, 1),),
            "zeros": lambda rng, size: ([0.0] * size,),
            "a row of rows": lambda rng, size: ([numbers(rng, 2, -1, 1) for _ in range(size)],),
        },
        show=("values",),
        hint="The shared part can be used by one backward only. Add the losses first. Two lines are not needed.",
    ),
    Exercise(
        "04.6",
        "a descent that forgets",
        "fill",
        function="descend",
        solution="""
def descend(w, steps):
    for _ in range(steps):
        w.grad = None
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
""",
        families={
            "one step": lambda rng, size: (numbers(rng, size), 1),
            "several steps": lambda rng, size: (numbers(rng, size), 1 + size),
            "from zero": lambda rng, size: ([0.0] * size, 2),
        },
        observe=_observe_descent,
        show=("w", "steps"),
        hint=(
            "What the last step left in .grad must go before the next backward. Only leaves outside "
            "the graph may be written."
        ),
    ),
    Exercise(
        "04.7",
        "one gradient a loss",
        "blank",
        function="separate",
        solution="""
def separate(t, losses):
    answer = []
    for loss in losses:
        t.grad = None
        loss(t).backward()
        answer.append(t.grad)
    return answer
""",
        families={
            "two losses": lambda rng, size: (vector(rng, size), [SUM, SQUARES]),
            "the same loss twice": lambda rng, size: (vector(rng, size), [SQUARES, SQUARES]),
            "three losses, float64": lambda rng, size: (vector(rng, size, -1, 1, torch.float64), [EXP, MEAN, SUM]),
        },
        observe=_observe_separate,
        show=("t", "losses"),
        hint="Clear t.grad before each backward. Keep the tensor that .grad was; set .grad = None, do not zero it.",
    ),
    Exercise(
        "04.8",
        "your engine adds up",
        "fill",
        function="accumulate",
        part="accumulate",
        solution=engine.solution("accumulate"),
        families={
            "an empty leaf": lambda rng, size: (numbers(rng, size), [numbers(rng, size)]),
            "two gradients": lambda rng, size: (numbers(rng, size), [numbers(rng, size), numbers(rng, size)]),
            "a gradient of zeros": lambda rng, size: (numbers(rng, size), [[0.0] * size, numbers(rng, size)]),
        },
        observe=lambda mine, data, grads: _accumulated(mine, data, grads),
        show=("leaf", "gradients"),
        hint="The first gradient is kept as it is. Every later one is added to it with +.",
    ),
    Exercise(
        "04.9",
        "your engine finds an order",
        "blank",
        function="order",
        part="order",
        solution=engine.solution("order"),
        families=families(lambda make, rng, size: (make,)),
        observe=lambda mine, make: _ordered(mine, make),
        show=("graph",),
        hint="Walk from the root. Put a value on your list only when all its parents are on it. Turn the list round.",
    ),
    Exercise(
        "04.10",
        "your engine goes backward",
        "blank",
        function="backward",
        part="backward",
        solution=engine.solution("backward"),
        families=families(lambda make, rng, size: (make, [number(rng, -1, 1) for _ in range(3)])),
        observe=lambda mine, make, at: _gradients(mine, make, at),
        show=("graph", "a, b, c"),
        hint=(
            "Keep a dictionary of gradients that have arrived. A value that is reached twice adds "
            "them before it passes them on."
        ),
    ),
)


def _accumulated(mine, data, grads):
    leaf = mine.Value(data)
    for grad in grads:
        mine.accumulate(leaf, mine.Value(grad))
    return leaf.grad.data


def _ordered(mine, make):
    leaves = [mine.Value(number) for number in (1.0, 2.0, 3.0)]
    root = make(mine, *leaves)
    found = list(mine.order(root))
    everything, stack = set(), [root]
    while stack:
        value = stack.pop()
        if value not in everything:
            everything.add(value)
            stack += value.parents
    place = {value: index for index, value in enumerate(found)}
    return {
        "the root comes first": bool(found) and found[0] is root,
        "each value comes once": len(found) == len(everything) and set(found) == everything,
        "each value comes before its parents": all(
            place.get(value, 0) < place.get(parent, -1) for value in everything for parent in value.parents
        ),
    }


def _gradients(mine, make, at):
    leaves = [mine.Value(number) for number in at]
    mine.backward(make(mine, *leaves))
    return [None if leaf.grad is None else leaf.grad.data for leaf in leaves]
