"""Chapter 03, requires_grad spreads."""

from autograd_lab.course.exercises.inputs import matrix, named, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction("03.1", 3, "c", "Whole numbers have no slope. Write [1.] and it works."),
    Prediction(
        "03.2",
        3,
        "b",
        "b requires grad, so the sum does. Two inputs that do not require it give a result that does not.",
    ),
    Prediction(
        "03.3",
        3,
        "c",
        "long() cannot be differentiated, so it records nothing. float() afterwards starts from a "
        "tensor without a history.",
    ),
    Prediction(
        "03.4", 3, "a", "floor() is flat between its steps: its slope is 0, and 0 is a gradient like any other."
    ),
)

SQUARE = named("lambda x: x * x", lambda x: x * x)
ROUND_TRIP = named("lambda x: x.long().float()", lambda x: x.long().float())
DETACHED = named("lambda x: (x * 2).detach() + 1", lambda x: (x * 2).detach() + 1)
HALF = named("lambda x: x + x.detach()", lambda x: x + x.detach())
STEPS = named("lambda x: x.floor()", lambda x: x.floor())
COMPARED = named("lambda x: (x > 0).float()", lambda x: (x > 0).float())


def _observe_link(function, f, x):
    before = x.requires_grad
    return {"the answer": function(f, x), "x.requires_grad is unchanged": x.requires_grad == before}


EXERCISES = (
    Exercise(
        "03.5",
        "count hits without breaking the loss",
        "order",
        header="def loss_and_hits(weights, data, wanted):",
        lines={
            "A": "hits = int(((scores > 0) == (wanted > 0)).sum())",
            "B": "loss.backward()",
            "C": "scores = w * data",
            "D": "return w.grad, hits",
            "E": "w = torch.tensor(weights, requires_grad=True)",
            "F": "loss = ((scores - wanted) * (scores - wanted)).sum()",
            "G": "loss = ((scores > 0) == (wanted > 0)).sum()",
        },
        function="loss_and_hits",
        solution="E C F B A D",
        families={
            "any numbers": lambda rng, size: (numbers(rng, size), vector(rng, size), vector(rng, size)),
            "all positive": lambda rng, size: (
                numbers(rng, size, 1, 4),
                vector(rng, size, 1, 4),
                vector(rng, size, 1, 4),
            ),
            "zero weights": lambda rng, size: ([0.0] * size, vector(rng, size), vector(rng, size)),
        },
        show=("weights", "data", "wanted"),
        hint="A comparison has no slope, so it cannot be the loss. Count beside the graph, not in it.",
    ),
    Exercise(
        "03.6",
        "the rule itself",
        "fill",
        function="will_record",
        solution="""
def will_record(tensors):
    return any(t.requires_grad for t in tensors)
""",
        families={
            "none": lambda rng, size: ([vector(rng, size) for _ in range(2)],),
            "one of two": lambda rng, size: ([vector(rng, size).requires_grad_(), vector(rng, size)],),
            "all": lambda rng, size: ([vector(rng, size).requires_grad_() for _ in range(size)],),
        },
        show=("tensors",),
        hint="One input that requires grad is enough. Python has a word for that.",
    ),
    Exercise(
        "03.7",
        "is the link still there?",
        "blank",
        function="keeps_link",
        solution="""
def keeps_link(f, x):
    leaf = x.detach().requires_grad_()
    return f(leaf).requires_grad
""",
        families={
            "a smooth function": lambda rng, size: (SQUARE, vector(rng, size)),
            "through whole numbers": lambda rng, size: (ROUND_TRIP, vector(rng, size)),
            "detached": lambda rng, size: (DETACHED, matrix(rng, size, 2)),
            "half detached": lambda rng, size: (HALF, vector(rng, size).requires_grad_()),
            "a comparison": lambda rng, size: (COMPARED, vector(rng, size)),
            "steps": lambda rng, size: (STEPS, vector(rng, size)),
        },
        observe=_observe_link,
        show=("f", "x"),
        hint="Give f a leaf of your own that requires grad, and look at the result's switch. Do not touch x.",
    ),
)
