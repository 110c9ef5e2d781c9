"""The faults of the learner's engine: each replaces one part of the right one by a wrong one, in a few lines.

The functions below name things (`Value`, `order`, `record` …) that only exist inside an engine: `engine.build`
gives them the engine's own names.
"""

# ruff: noqa: F821
# mypy: disable-error-code="name-defined"

from __future__ import annotations

from typing import Any

from autograd_lab.course.model import Mutant


def _knowing(function: Any, **names: Any) -> Any:
    """Return the function with names of its own, which the engine will hold for it."""
    function.extra = names
    return function


def _assigns() -> list[Any]:
    def accumulate(leaf, grad):
        leaf.grad = grad

    return [accumulate]


def _recursion() -> list[Any]:
    def backward(root, grad=None):
        grad = Value(np.ones_like(root.data)) if grad is None else grad
        if not root.parents:
            accumulate(root, grad)
        arrived[root] = arrived[root] + grad if root in arrived else grad
        for parent, part in zip(root.parents, root.pull(arrived[root]) if root.parents else ()):
            backward(parent, part)

    return [_knowing(backward, arrived={})]


def _forgets_second() -> list[Any]:
    def mul(a, b):
        kept_b = save(b)
        return record(a.data * b.data, (a,), lambda grad: (grad * load(kept_b),), "mul")

    return [mul]


def _no_unbroadcast() -> list[Any]:
    def unbroadcast(array, shape):
        return array

    return [unbroadcast]


def _one_axis_only() -> list[Any]:
    def unbroadcast(array, shape):
        while array.ndim > len(shape):
            array = array.sum(axis=0)
        return array.sum(axis=0, keepdims=True) if shape and shape[0] == 1 else array

    return [unbroadcast]


def _version_check_off() -> list[Any]:
    def load(saved):
        return saved[0]

    return [load]


def _counts_nothing() -> list[Any]:
    def write_(value, data):
        value.data[...] = data
        value.version = 0

    return [write_]


def _suspects_everything() -> list[Any]:
    def add(a, b):
        result = record(a.data + b.data, (a, b), None, "add")
        kept = save(result)
        result.pullback = lambda grad: (grad, grad) if load(kept) else None
        return result

    return [add]


def _hook_ignored() -> list[Any]:
    def run_hooks(value, grad):
        for hook in value.hooks:
            hook(grad)
        return grad

    return [run_hooks]


def _hooks_in_reverse() -> list[Any]:
    def run_hooks(value, grad):
        for hook in reversed(value.hooks):
            new = hook(grad)
            grad = grad if new is None else new
        return grad

    return [run_hooks]


def _hook_none_is_zero() -> list[Any]:
    def run_hooks(value, grad):
        for hook in value.hooks:
            grad = hook(grad) or grad * 0.0
        return grad

    return [run_hooks]


def _grad_writes() -> list[Any]:
    def grad(root, inputs):
        for value in inputs:
            value.grad = None
        backward(root)
        return [value.grad for value in inputs]

    return [grad]


def _unused_is_zero() -> list[Any]:
    def grad(root, inputs):
        waiting = {root: Value(np.ones_like(root.data))}
        for value in order(root):
            for parent, part in zip(value.parents, value.pull(waiting[value]) if value.parents else ()):
                waiting[parent] = waiting[parent] + part if parent in waiting else part
        return [waiting.get(value, Value(np.zeros_like(value.data))) for value in inputs]

    return [grad]


def _stays_off_after_error() -> list[Any]:
    class no_grad:
        def __enter__(self):
            self.before = state["recording"]
            state["recording"] = False

        def __exit__(self, kind, *error):
            state["recording"] = self.before if kind is None else False

    return [no_grad]


def _always_on_again() -> list[Any]:
    class no_grad:
        def __enter__(self):
            state["recording"] = False

        def __exit__(self, *error):
            state["recording"] = True

    return [no_grad]


def _oldest_first() -> list[Any]:
    def by_number(root):
        return sorted(set(order(root)), key=lambda value: value.number)

    return [by_number]


def _custom_first_only() -> list[Any]:
    def custom(forward, backward, *inputs):
        arrays = [value.data for value in inputs]

        def pullback(grad):
            first, *others = backward(grad.data, *arrays)
            return [Value(first), *(Value(0 * part) for part in others)]

        return record(forward(*arrays), inputs, pullback, "custom")

    return [custom]


def _plain_exp() -> list[Any]:
    def exp(a):
        result = record(np.exp(a.data), (a,), None, "exp")
        kept = save(result)
        result.pullback = lambda grad: (grad * Value(load(kept).data),)
        return result

    return [exp]


OF_ENGINE: dict[str, Mutant] = {
    "assigns": Mutant(
        "04",
        _assigns,
        "Nothing is wrong with one backward. What should be there after the second?",
        """
def test(engine):
    a = engine.Value(3.0)
    engine.backward(a * 2.0)
    engine.backward(a * 2.0)
    assert a.grad.data == 4
""",
    ),
    "recursion": Mutant(
        "04",
        _recursion,
        "A value that is used twice is visited twice. Give it a parent that is not a leaf.",
        """
def test(engine):
    a = engine.Value(1.0)
    b = a + a
    engine.backward(b + b)
    assert a.grad.data == 4
""",
    ),
    "forgets-second": Mutant(
        "04",
        _forgets_second,
        "A product has two factors. Look at both.",
        """
def test(engine):
    a, b = engine.Value(2.0), engine.Value(3.0)
    engine.backward(a * b)
    assert b.grad is not None and b.grad.data == 2
""",
    ),
    "no-unbroadcast": Mutant(
        "05",
        _no_unbroadcast,
        "Multiply a number with a vector. What shape has the number's gradient?",
        """
def test(engine):
    a, b = engine.Value(2.0), engine.Value([1.0, 3.0])
    engine.backward(engine.total(a * b))
    assert a.grad.data.shape == ()
""",
    ),
    "one-axis-only": Mutant(
        "05",
        _one_axis_only,
        "A row is treated well. Try a column, shape (2, 1).",
        """
def test(engine):
    column, row = engine.Value([[1.0], [2.0]]), engine.Value([[3.0, 4.0]])
    engine.backward(engine.total(column * row))
    assert column.grad.data.shape == (2, 1)
""",
    ),
    "version-check-off": Mutant(
        "06",
        _version_check_off,
        "Which value must be spoiled, and when? After it was saved, before backward.",
        """
def test(engine):
    y = engine.exp(engine.Value(1.0))
    engine.write_(y, 0.0)
    try: engine.backward(y)
    except RuntimeError: return
    assert False
""",
    ),
    "counts-nothing": Mutant(
        "06",
        _counts_nothing,
        "Write, and look at the counter itself.",
        """
def test(engine):
    x = engine.Value(1.0)
    engine.write_(x, 5.0)
    assert x.version == 1
""",
    ),
    "suspects-everything": Mutant(
        "06",
        _suspects_everything,
        "This one raises too often. Write into a value that nobody needs.",
        """
def test(engine):
    x = engine.Value(1.0)
    y = x + 1.0
    engine.write_(y, 5.0)
    engine.backward(y)
""",
    ),
    "hook-ignored": Mutant(
        "07",
        _hook_ignored,
        "A hook that only looks shows nothing. Return something.",
        """
def test(engine):
    x = engine.Value(1.0)
    y = x * 1.0
    y.hooks.append(lambda grad: grad * 10.0)
    engine.backward(y)
    assert x.grad.data == 10
""",
    ),
    "hooks-in-reverse": Mutant(
        "07",
        _hooks_in_reverse,
        "Two hooks whose order matters: one adds, one multiplies.",
        """
def test(engine):
    x = engine.Value(1.0)
    y = x * 1.0
    y.hooks += [lambda grad: grad + 1.0, lambda grad: grad * 10.0]
    engine.backward(y)
    assert x.grad.data == 20
""",
    ),
    "hook-none-is-zero": Mutant(
        "07",
        _hook_none_is_zero,
        "What may a hook return if it only looks?",
        """
def test(engine):
    x = engine.Value(1.0)
    y = x * 2.0
    y.hooks.append(lambda grad: None)
    engine.backward(y)
    assert x.grad.data == 2
""",
    ),
    "grad-writes": Mutant(
        "08",
        _grad_writes,
        "The answer is right. Look at what else happened.",
        """
def test(engine):
    x = engine.Value(2.0)
    engine.grad(x * x, [x])
    assert x.grad is None
""",
    ),
    "unused-is-zero": Mutant(
        "08",
        _unused_is_zero,
        "Ask for an input that is not in the graph.",
        """
def test(engine):
    x, other = engine.Value(2.0), engine.Value(2.0)
    assert engine.grad(x * x, [other]) == [None]
""",
    ),
    "stays-off-after-error": Mutant(
        "09",
        _stays_off_after_error,
        "Leave the block by an error.",
        """
def test(engine):
    x = engine.Value(2.0)
    try:
        with engine.no_grad(): raise ValueError
    except ValueError: pass
    assert (x * x).parents
""",
    ),
    "always-on-again": Mutant(
        "09",
        _always_on_again,
        "Put a block into a block, and look between the two ends.",
        """
def test(engine):
    x = engine.Value(2.0)
    with engine.no_grad():
        with engine.no_grad(): pass
        assert not (x * x).parents
""",
    ),
    "oldest-first": Mutant(
        "10",
        _oldest_first,
        "Which value must come first, whatever the graph?",
        """
def test(engine):
    x = engine.Value(2.0)
    root = x * x
    assert engine.by_number(root)[0] is root
""",
    ),
    "custom-first-only": Mutant(
        "11",
        _custom_first_only,
        "Give your function two inputs.",
        """
def test(engine):
    a, b = engine.Value(2.0), engine.Value(3.0)
    y = engine.custom(lambda x, y: x * y, lambda grad, x, y: [grad * y, grad * x], a, b)
    engine.backward(y)
    assert b.grad.data == 2
""",
    ),
    "plain-exp": Mutant(
        "12",
        _plain_exp,
        "The first derivative of exp is right. Ask for the second.",
        """
def test(engine):
    assert engine.higher(engine.exp, 0.0, 2) == [1, 1, 1]
""",
    ),
}
