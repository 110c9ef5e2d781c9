"""my_grad: the small engine that the learner writes, part by part; this file is the course's own version of it.

Each part between two `# part` lines belongs to a chapter. `course.engine` puts the learner's parts in their place.
"""

import itertools

import numpy as np

counter = itertools.count()


class Value:
    """An array that remembers how it was made."""

    __array_ufunc__ = None  # so that `array * value` asks Value, not NumPy

    def __init__(self, data, parents=(), pullback=None, op="leaf"):
        self.data = np.array(data, dtype=np.float64)
        self.parents = parents  # the values that it was made from; a leaf has none
        self.pullback = pullback  # its own gradient -> one gradient for each parent
        self.op = op
        self.grad = None
        self.version = 0
        self.number = next(counter)  # the age of a value: larger is younger
        self.hooks = []

    def pull(self, grad):
        """Return one gradient for each parent, in the parent's shape."""
        parts = self.pullback(run_hooks(self, grad))
        return [sum_to(part, parent.data.shape) for part, parent in zip(parts, self.parents, strict=True)]

    def __add__(self, other):
        return add(self, as_value(other))

    def __mul__(self, other):
        return mul(self, as_value(other))

    __radd__, __rmul__ = __add__, __mul__

    def __repr__(self):
        return f"Value({np.array2string(self.data, separator=', ')})"


# part order (chapter 04)
def order(root):
    """Return every value of the graph once, each before its parents, the root first."""
    seen, stack, result = set(), [(root, False)], []
    while stack:
        value, parents_done = stack.pop()
        if parents_done:
            result.append(value)
        elif value not in seen:
            seen.add(value)
            stack.append((value, True))
            stack += [(parent, False) for parent in value.parents]
    return result[::-1]


# part accumulate (chapter 04)
def accumulate(leaf, grad):
    """Add a gradient to what the leaf already has."""
    leaf.grad = grad if leaf.grad is None else leaf.grad + grad


# part backward (chapter 04)
def backward(root):
    """Send a gradient of one from the root to every leaf."""
    waiting = {root: Value(np.ones_like(root.data))}
    for value in order(root):
        grad = waiting.pop(value)
        if not value.parents:
            accumulate(value, grad)
            continue
        for parent, part in zip(value.parents, value.pull(grad)):
            waiting[parent] = waiting[parent] + part if parent in waiting else part


# part unbroadcast (chapter 05)
def unbroadcast(array, shape):
    """Sum an array back to the shape that broadcasting stretched."""
    while array.ndim > len(shape):
        array = array.sum(axis=0)
    for axis, size in enumerate(shape):
        if size == 1:
            array = array.sum(axis=axis, keepdims=True)
    return array


# part write_ (chapter 06)
def write_(value, data):
    """Write new data into a value, in place."""
    value.data[...] = data
    value.version += 1


# part save (chapter 06)
def save(value):
    """Keep a value for the backward pass, and the version that it has now."""
    return value, value.version


# part load (chapter 06)
def load(saved):
    """Give a saved value back, or say that it was changed."""
    value, version = saved
    if value.version != version:
        raise RuntimeError(f"output of {value.op} is at version {value.version}; expected version {version}")
    return value


# part run_hooks (chapter 07)
def run_hooks(value, grad):
    """Show a gradient to each hook in turn; what a hook returns takes its place."""
    for hook in value.hooks:
        new = hook(grad)
        if new is not None:
            grad = new
    return grad


# part grad (chapter 08)
def grad(root, inputs):
    """Return the gradient of the root for each input, and leave every .grad alone."""
    waiting = {root: Value(np.ones_like(root.data))}
    for value in order(root):
        for parent, part in zip(value.parents, value.pull(waiting[value]) if value.parents else ()):
            waiting[parent] = waiting[parent] + part if parent in waiting else part
    return [waiting.get(value) for value in inputs]


# part no_grad (chapter 09)
class no_grad:
    """Inside, results remember nothing."""

    def __enter__(self):
        self.before = state["recording"]
        state["recording"] = False

    def __exit__(self, *error):
        state["recording"] = self.before


# part by_number (chapter 10)
def by_number(root):
    """Return every value of the graph once, the youngest first."""
    found, stack = set(), [root]
    while stack:
        value = stack.pop()
        if value not in found:
            found.add(value)
            stack += value.parents
    return sorted(found, key=lambda value: -value.number)


# part custom (chapter 11)
def custom(forward, backward, *inputs):
    """Return forward(*arrays) as a value; backward(grad, *arrays) gives one gradient for each input."""
    arrays = [value.data for value in inputs]

    def pullback(grad):
        return [Value(part) for part in backward(grad.data, *arrays)]

    return record(forward(*arrays), inputs, pullback, "custom")


# part higher (chapter 12)
def higher(f, at, times):
    """Return the values of f and of its first derivatives at a point, as plain numbers."""
    x = Value(at)
    results = [f(x)]
    for _ in range(times):
        (slope,) = grad(results[-1], [x])
        results.append(Value(0.0) if slope is None else slope)
    return [float(result.data) for result in results]


# part end
state = {"recording": True}


def record(data, parents, pullback, op):
    """Return a result that remembers its parents, unless recording is off."""
    return Value(data, parents, pullback, op) if state["recording"] else Value(data, op=op)


def as_value(number):
    """Return a Value for a plain number or array."""
    return number if isinstance(number, Value) else Value(number)


def add(a, b):
    """Add two values; shapes broadcast."""
    return record(a.data + b.data, (a, b), lambda grad: (grad, grad), "add")


def mul(a, b):
    """Multiply two values; shapes broadcast."""
    kept_a, kept_b = save(a), save(b)
    return record(a.data * b.data, (a, b), lambda grad: (grad * load(kept_b), grad * load(kept_a)), "mul")


def exp(a):
    """Return e to the power of a value; the result itself is kept."""
    result = record(np.exp(a.data), (a,), None, "exp")
    kept = save(result)
    result.pullback = lambda grad: (grad * load(kept),)
    return result


def total(a):
    """Return the sum of all elements."""
    return record(a.data.sum(), (a,), lambda grad: (expand(grad, a.data.shape),), "total")


def expand(a, shape):
    """Stretch a value to a shape, as broadcasting does."""
    return record(np.broadcast_to(a.data, shape), (a,), lambda grad: (sum_to(grad, a.data.shape),), "expand")


def sum_to(a, shape):
    """Sum a value back to a shape; nothing happens when it has that shape."""
    if a.data.shape == shape:
        return a
    return record(unbroadcast(a.data, shape), (a,), lambda grad: (expand(grad, a.data.shape),), "sum_to")
