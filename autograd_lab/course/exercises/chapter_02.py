"""Chapter 02, leaves: who is one, and what grad_fn tells."""

import autograd_lab as torch
from autograd_lab.course.exercises.inputs import matrix, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "02.1", 4, "c", "The name w now means the product. The leaf that got the gradient has no name any more."
    ),
    Prediction(
        "02.2", 3, "a", "No input requires grad, so nothing was recorded. A tensor without a history is a leaf."
    ),
    Prediction(
        "02.3",
        3,
        "b",
        "Without an argument requires_grad_() means requires_grad_(True). One of the two documents says False.",
    ),
)


def _observe_copy(function, tensor):
    """A copy must be a leaf of its own: same values, own memory, no history."""
    copy = function(tensor)
    if not isinstance(copy, torch.Tensor):
        return copy
    before = tensor.detach().clone()
    answer = {"the copy": copy.detach().clone(), "is_leaf": copy.is_leaf, "requires_grad": copy.requires_grad}
    with torch.no_grad():
        copy.add_(100)
    answer["the original afterwards"] = tensor.detach().clone()
    with torch.no_grad():
        tensor.copy_(before) if tensor.is_leaf else None
    return answer


EXERCISES = (
    Exercise(
        "02.4",
        "a small weight that stays a leaf",
        "order",
        header="def small_weight(data):",
        lines={
            "A": "w.requires_grad_()",
            "B": "return w.is_leaf, w.grad",
            "C": "w = torch.tensor(data)",
            "D": "(w * w).sum().backward()",
            "E": "w = w * 0.1",
        },
        function="small_weight",
        solution="C E A D B",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "a row of rows": lambda rng, size: ([numbers(rng, 2) for _ in range(size)],),
        },
        show=("data",),
        hint="Compute first, ask for gradients last: what is computed after requires_grad_() is a result.",
    ),
    Exercise(
        "02.5",
        "a leaf of its own",
        "fill",
        function="own_leaf",
        solution="""
def own_leaf(t):
    return t.detach().clone().requires_grad_()
""",
        families={
            "a leaf": lambda rng, size: (vector(rng, size).requires_grad_(),),
            "a result": lambda rng, size: (vector(rng, size).requires_grad_() * 2,),
            "a constant matrix": lambda rng, size: (matrix(rng, size, 2),),
        },
        observe=_observe_copy,
        show=("t",),
        hint="One method leaves the graph but shares the memory. The other copies the memory. You need both.",
    ),
    Exercise(
        "02.6",
        "three kinds of tensor",
        "blank",
        function="kind",
        solution="""
def kind(t):
    if not t.is_leaf:
        return "result"
    return "trainable" if t.requires_grad else "constant"
""",
        families={
            "a leaf": lambda rng, size: (vector(rng, size).requires_grad_(),),
            "a constant": lambda rng, size: (vector(rng, size) * 2,),
            "a result": lambda rng, size: (vector(rng, size).requires_grad_().exp(),),
            "out of the graph": lambda rng, size: ((vector(rng, size).requires_grad_() * 2).detach(),),
        },
        show=("t",),
        hint="Ask is_leaf first. A leaf may still differ in requires_grad.",
    ),
)
