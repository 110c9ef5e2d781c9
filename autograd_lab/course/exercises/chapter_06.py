"""Chapter 06, `.data` or `.detach()`: the version counter."""

import re

import autograd_lab as torch
from autograd_lab.course import engine
from autograd_lab.course.exercises.inputs import matrix, numbers, vector
from autograd_lab.course.model import Exercise, Prediction

PREDICTIONS = (
    Prediction(
        "06.1", 4, "d", "w * w was kept from before the write, w itself was read after it: 1·1 + 2·10·10 = 201."
    ),
    Prediction(
        "06.2", 3, "c", "exp keeps its own result y. The write raised y's version to 1, and backward expects 0."
    ),
    Prediction(
        "06.3",
        3,
        "a",
        "z + nothing keeps z: the sum needs only its shape. A write is a fault only if a node "
        "still needs the old value.",
    ),
)


def _observe_clamped(function, start, target):
    w = torch.tensor(start, requires_grad=True)
    function(w, torch.tensor(target))
    return {"w": w.detach().clone(), "w is still a leaf": w.is_leaf}


def _observe_log(function, values):
    x = values.clone().requires_grad_()
    y = x.exp()
    seen = function(y)
    y.sum().backward()
    return {"the mean": seen, "x.grad afterwards": x.grad}


def _observe_frozen(function, w, rows):
    w = w.clone().requires_grad_()
    start = w.detach().clone()
    for _ in range(2):
        w.grad = None
        loss = (w * w * w).sum()
        loss.backward()
        function(w, start, rows)
    return {"w": w.detach().clone(), "w is still a leaf": w.is_leaf, "w.requires_grad": w.requires_grad}


def _rows(rng, count):
    return sorted(int(row) for row in rng.choice(count, size=max(1, count // 2), replace=False))


EXERCISES = (
    Exercise(
        "06.4",
        "weights that stay small",
        "order",
        header="def train(w, target):\n    for step in range(3):",
        lines={
            "A": "    with torch.no_grad():",
            "B": "        w -= 0.6 * w.grad",
            "C": "    loss.backward()",
            "D": "        w.copy_(torch.where(w > 1, torch.ones_like(w), w))",
            "E": "    loss = ((w - target) * (w - target)).sum()",
            "F": "    w.grad = None",
        },
        function="train",
        solution="F E C A B D",
        families={
            "far above one": lambda rng, size: (numbers(rng, size, 2, 5), numbers(rng, size, 2, 5)),
            "below one": lambda rng, size: (numbers(rng, size, -3, 0), numbers(rng, size, -3, 0)),
            "both sides": lambda rng, size: (numbers(rng, size), numbers(rng, size)),
        },
        observe=_observe_clamped,
        show=("w", "target"),
        hint=(
            "Forget the old gradient, compute, go backward, and only then write, outside the graph: "
            "first the step, then the limit."
        ),
    ),
    Exercise(
        "06.5",
        "look, but do not touch",
        "fill",
        function="log_mean",
        solution="""
def log_mean(t):
    return t.detach().mean().item()
""",
        families={
            "one and more": lambda rng, size: (vector(rng, size, -1, 1),),
            "zeros": lambda rng, size: (torch.zeros(size),),
            "float64": lambda rng, size: (vector(rng, size, -1, 1, torch.float64),),
        },
        observe=_observe_log,
        show=("t",),
        hint=(
            "One word takes the values out of the graph. The other turns a tensor of one element into a Python number."
        ),
    ),
    Exercise(
        "06.6",
        "frozen rows",
        "blank",
        function="freeze_rows",
        solution="""
def freeze_rows(w, start, rows):
    with torch.no_grad():
        w -= 0.1 * w.grad
        for row in rows:
            w[row] = start[row]
""",
        families={
            "one column": lambda rng, size: (matrix(rng, size, 1, -1, 1), _rows(rng, size)),
            "three columns": lambda rng, size: (matrix(rng, size, 3, -1, 1), _rows(rng, size)),
            "no row": lambda rng, size: (matrix(rng, size, 2, -1, 1), []),
        },
        observe=_observe_frozen,
        show=("w", "rows"),
        hint=(
            "Inside torch.no_grad(): take the step with w -= …, then write each old row back with w[row] = start[row]."
        ),
    ),
    Exercise(
        "06.7",
        "your engine keeps count",
        "blank",
        function="write_ save load",
        part="write_ save load",
        solution=engine.solution("write_", "save", "load"),
        families={
            "write into a saved result": lambda rng, size: (numbers(rng, size), "result", size),
            "write into what nobody saved": lambda rng, size: (numbers(rng, size), "nobody", size),
            "write into a saved input": lambda rng, size: (numbers(rng, size), "input", size),
            "no write": lambda rng, size: (numbers(rng, size), "none", size),
        },
        observe=lambda mine, data, where, times: _kept_count(mine, data, where, times),
        show=("x", "the write goes into (result: exp's own)", "times"),
        hint=(
            "write_ raises value.version. save keeps the pair (value, value.version). load compares, "
            "and raises RuntimeError."
        ),
    ),
)


def _kept_count(mine, data, where, times):
    x = mine.Value(data)
    y = mine.exp(x) if where != "input" else x * x
    z = y + 1
    target = {"result": y, "nobody": z, "input": x, "none": None}[where]
    if target is not None:
        for _ in range(times):
            mine.write_(target, 0 * target.data)
    try:
        mine.backward(mine.total(z))
    except RuntimeError as error:
        words = str(error)
        op = "exp" if where == "result" else "leaf"
        named = re.search(rf"\b{op}\b", words) is not None  # “expected” does not name exp
        return {"an error": True, f"it names {op}": named, f"it says version {times}": f"{times}" in words}
    return {"an error": False, "x.grad": x.grad.data, "version": target.version if target else 0}
