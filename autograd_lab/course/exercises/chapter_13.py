"""Chapter 13, in place and views."""

import autograd_lab as torch
from autograd_lab.course.exercises.inputs import matrix, named, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "13.1",
        3,
        "b",
        "tanh saved its result, and the result was overwritten. The other formula's last step is "
        "a subtraction: it saves nothing.",
    ),
    Prediction(
        "13.2",
        4,
        "c",
        "The write went through the view into a, and a's history was rewritten: three of the four "
        "elements were multiplied by 3.",
    ),
    Prediction(
        "13.3",
        3,
        "c",
        "Going through a tensor row by row makes all views at once. PyTorch refuses to rewrite "
        "the history of such views.",
    ),
)

DOUBLE = named("lambda t: t * 2", lambda t: t * 2)
EXP = named("lambda t: t.exp()", lambda t: t.exp())


def _observe_pull(function, values, *more):
    x = values.clone().requires_grad_()
    before = x.detach().clone()
    result = function(x, *more)
    result.sum().backward()
    return {
        "the result": result.detach(),
        "x.grad": x.grad,
        "x itself": before if torch.equal(x, before) else "changed",
    }


def _observe_chart(function, values):
    y = torch.tensor(values, requires_grad=True)
    result = function(y)
    result.backward()
    return {"the result": result.detach(), "y.grad": y.grad}


EXERCISES = (
    Exercise(
        "13.4",
        "a sum kept in one cell",
        "order",
        header="def chart(y):",
        lines={
            "A": "    cell[0] = 2 * cell[0] + y[i]",
            "B": "return cell[0]",
            "C": "for i in range(len(y)):",
            "D": "cell = torch.zeros(1)",
            "E": "    cell.data[0] = 2 * cell[0] + y[i]",
        },
        function="chart",
        solution="D C A B",
        families={
            "positive numbers": lambda rng, size: (numbers(rng, size, 0.5, 5),),
            "any numbers": lambda rng, size: (numbers(rng, size),),
            "zeros": lambda rng, size: ([0.0] * size,),
        },
        observe=_observe_chart,
        show=("y",),
        hint="Writing into a cell is fine, and it is recorded. Only .data would hide it.",
    ),
    Exercise(
        "13.5",
        "write without spoiling",
        "fill",
        function="with_first_zero",
        solution="""
def with_first_zero(x):
    y = x.exp()
    z = y.clone()
    z[0] = 0.0
    return z
""",
        families={
            "one and more": lambda rng, size: (vector(rng, size, -1, 1),),
            "zeros": lambda rng, size: (torch.zeros(size),),
            "a matrix": lambda rng, size: (matrix(rng, size, 2, -1, 1),),
        },
        observe=_observe_pull,
        show=("x",),
        hint="exp needs its result unharmed. Write into a copy that is still in the graph.",
    ),
    Exercise(
        "13.6",
        "new rows for old",
        "blank",
        function="replace_rows",
        solution="""
def replace_rows(x, rows, f):
    y = x.clone()
    for row in rows:
        y[row] = f(x[row])
    return y
""",
        families={
            "one row": lambda rng, size: (matrix(rng, size, 2, -1, 1), [0], DOUBLE),
            "every row": lambda rng, size: (matrix(rng, size, 2, -1, 1), list(range(size)), EXP),
            "no row": lambda rng, size: (matrix(rng, size, 3, -1, 1), [], EXP),
        },
        observe=_observe_pull,
        show=("x", "rows", "f"),
        hint="Clone first: x may be a leaf, and it must stay as it is. Then write row after row: y[row] = f(x[row]).",
    ),
)
