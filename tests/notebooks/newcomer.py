"""A newcomer's answers to every question and exercise, written from the chapters' words and from nothing else.

Where a task leaves a choice they are not the declared solutions: a check that only knew its own would refuse them.
`test_newcomer` works through every chapter with them and with the tests in `newcomer_hunts`; `minutes` counts them.
"""

ANSWERS: dict[str, str] = {
    "00.4": "C E D B A",
    "00.5": """
def slope(f, number):
    x = torch.tensor(number, requires_grad=True)
    y = f(x)
    y.backward()
    return x.grad.item()
""",
    "00.6": """
def gradient(numbers):
    t = torch.tensor(numbers, requires_grad=True)
    result = (t**2).sum()
    result.backward()
    return t.grad
""",
    "01.4": "B E A D",
    "01.5": """
def evaluate(weights, data):
    with torch.no_grad():
        return (weights * data).sum()
""",
    "01.6": """
def variable(data, requires_grad):
    return data.detach().requires_grad_(requires_grad)
""",
    "02.4": "C E A D B",
    "02.5": """
def own_leaf(t):
    return t.clone().detach().requires_grad_()
""",
    "02.6": """
def kind(t):
    if t.grad_fn is not None:
        return "result"
    if t.requires_grad:
        return "trainable"
    return "constant"
""",
    "03.5": "E C F A B D",
    "03.6": """
def will_record(tensors):
    return any(t.requires_grad for t in tensors)
""",
    "03.7": """
def keeps_link(f, x):
    copy = x.detach().clone().requires_grad_()
    return f(copy).requires_grad
""",
    "04.5": "D C E B A",
    "04.6": """
def descend(w, steps):
    for _ in range(steps):
        w.grad = None
        (w * w).sum().backward()
        with torch.no_grad():
            w -= 0.25 * w.grad
""",
    "04.7": """
def separate(t, losses):
    found = []
    for f in losses:
        t.grad = None
        f(t).backward()
        found.append(t.grad.clone())
    return found
""",
    "04.8": """
def accumulate(leaf, grad):
    leaf.grad = grad if leaf.grad is None else leaf.grad + grad
""",
    "04.9": """
def order(root):
    waits = {root: 0}
    todo = [root]
    while todo:
        for parent in todo.pop().parents:
            if parent not in waits:
                waits[parent] = 0
                todo.append(parent)
            waits[parent] += 1
    found, ready = [], [root]
    while ready:
        value = ready.pop()
        found.append(value)
        for parent in value.parents:
            waits[parent] -= 1
            if waits[parent] == 0:
                ready.append(parent)
    return found
""",
    "04.10": """
def backward(root):
    arrived = {root: Value(np.ones_like(root.data))}
    for value in order(root):
        grad = arrived[value]
        if value.parents == ():
            accumulate(value, grad)
        else:
            for parent, part in zip(value.parents, value.pull(grad)):
                if parent in arrived:
                    arrived[parent] = arrived[parent] + part
                else:
                    arrived[parent] = part
""",
    "05.4": "A E C D B G F",
    "05.5": """
def weighted(f, x, weights):
    y = f(x)
    y.backward(gradient=weights)
    return x.grad
""",
    "05.6": """
def jacobian(f, x):
    x = x.detach().requires_grad_()
    y = f(x)
    rows = []
    for i in range(len(y)):
        row, = torch.autograd.grad(y[i], x, retain_graph=True)
        rows.append(row)
    return torch.stack(rows)
""",
    "05.7": """
def unbroadcast(array, shape):
    added = array.ndim - len(shape)
    array = array.sum(axis=tuple(range(added)))
    stretched = tuple(i for i, n in enumerate(shape) if n == 1)
    return array.sum(axis=stretched, keepdims=True)
""",
    "06.4": "F E C A B D",
    "06.5": """
def log_mean(t):
    return t.detach().mean().item()
""",
    "06.6": """
def freeze_rows(w, start, rows):
    with torch.no_grad():
        new = w - 0.1 * w.grad
        new[rows] = start[rows]
        w.copy_(new)
""",
    "06.7": """
def write_(value, data):
    value.data[...] = data
    value.version = value.version + 1

def save(value):
    return (value, value.version)

def load(saved):
    value, then = saved
    if then != value.version:
        raise RuntimeError(f"{value.op} was saved at version {then} and is now at version {value.version}")
    return value
""",
    "07.5": "D B E C A",
    "07.6": """
def limited(values, limit):
    x = torch.tensor(values, requires_grad=True)
    y = x * x
    y.register_hook(lambda grad: torch.where(grad > limit, torch.full_like(grad, limit), grad))
    (y * y).sum().backward()
    return x.grad
""",
    "07.7": """
def on_the_way(x, steps):
    results = []
    for step in steps:
        x = step(x)
        x.retain_grad()
        results.append(x)
    x.sum().backward()
    return [result.grad for result in results]
""",
    "07.8": """
def run_hooks(value, grad):
    for hook in value.hooks:
        answer = hook(grad)
        grad = grad if answer is None else answer
    return grad
""",
    "08.4": "B F E A D",
    "08.5": """
def train_head(body, head, data):
    loss = ((data * body).exp() * head).sum()
    loss.backward(inputs=[head])
""",
    "08.6": """
def gradients(f, a, b):
    return torch.autograd.grad(f(a, b), [a, b], materialize_grads=True)
""",
    "08.7": """
def grad(root, inputs):
    arrived = {root: Value(np.ones_like(root.data))}
    for value in order(root):
        if value.parents:
            for parent, part in zip(value.parents, value.pull(arrived[value])):
                arrived[parent] = arrived[parent] + part if parent in arrived else part
    return [arrived.get(one) for one in inputs]
""",
    "09.5": "G E C B D A F",
    "09.6": """
def slope_while_off(values):
    with torch.no_grad():
        with torch.enable_grad():
            x = torch.tensor(values, requires_grad=True)
            y = (x * x).sum()
        y.backward()
    return x.grad
""",
    "09.7": """
def quiet(f, x):
    with torch.no_grad():
        return f(x)
""",
    "09.8": """
class no_grad:
    def __enter__(self):
        self.old = state["recording"]
        state["recording"] = False

    def __exit__(self, *error):
        state["recording"] = self.old
""",
    "10.4": "D C F E A B",
    "10.5": """
def first_leaf(t):
    node = t.grad_fn
    while node.next_functions:
        node = node.next_functions[0][0]
    return node.variable
""",
    "10.6": """
def count(t):
    seen, todo = set(), [t.grad_fn]
    while todo:
        node = todo.pop()
        if node is None or node in seen:
            continue
        seen.add(node)
        for parent, _ in node.next_functions:
            todo.append(parent)
    return len(seen)
""",
    "10.7": """
def by_number(root):
    seen, todo = {root}, [root]
    for value in todo:
        for parent in value.parents:
            if parent not in seen:
                seen.add(parent)
                todo.append(parent)
    return sorted(todo, key=lambda value: value.number, reverse=True)
""",
    "11.4": "C E A D F",
    "11.5": """
class Exp(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        result = torch.exp(x)
        ctx.save_for_backward(result)
        return result
    @staticmethod
    def backward(ctx, grad):
        result, = ctx.saved_tensors
        return grad * result
""",
    "11.6": """
class Limit(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, top):
        ctx.below = x < top
        return torch.where(ctx.below, x, torch.full_like(x, top))
    @staticmethod
    def backward(ctx, grad):
        return grad * ctx.below, None
""",
    "11.7": """
def custom(forward, backward, *inputs):
    arrays = [value.data for value in inputs]
    result = forward(*arrays)

    def pullback(grad):
        return tuple(Value(one) for one in backward(grad.data, *arrays))

    return record(result, inputs, pullback, "custom")
""",
    "12.4": "B E D A C",
    "12.5": """
def hessian_times(f, x, v):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(f(x), x, create_graph=True)
    result, = torch.autograd.grad(slope, x, grad_outputs=v)
    return result
""",
    "12.6": """
def hessian(f, x):
    x = x.detach().requires_grad_()
    slope, = torch.autograd.grad(f(x), x, create_graph=True)
    rows = []
    for i in range(len(x)):
        row, = torch.autograd.grad(slope[i], x, retain_graph=True, materialize_grads=True)
        rows.append(row)
    return torch.stack(rows)
""",
    "12.7": """
def higher(f, at, times):
    x = Value(at)
    y = f(x)
    numbers = [float(y.data)]
    for _ in range(times):
        y = grad(y, [x])[0] or Value(0.0)
        numbers.append(float(y.data))
    return numbers
""",
    "13.4": "D C A B",
    "13.5": """
def with_first_zero(x):
    y = x.exp()
    z = y.clone()
    z[0] = 0.0
    return z
""",
    "13.6": """
def replace_rows(x, rows, f):
    new = x.clone()
    for row in rows:
        new[row] = f(x[row])
    return new
""",
    "14.4": "C E D A",
    "14.5": """
def masked_log(x, mask):
    inside = torch.where(mask > 0, x, torch.ones_like(x))
    return torch.where(mask > 0, torch.log(inside), torch.zeros_like(x))
""",
    "14.6": """
def ratio(a, b):
    zero = b == 0
    safe = torch.where(zero, torch.ones_like(b), b)
    return torch.where(zero, torch.zeros_like(b), a / safe)
""",
    "15.4": "D C B A E F",
    "15.5": """
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
    "15.6": """
def fit_line(xs, ys, steps):
    w = torch.zeros(1, requires_grad=True)
    b = torch.zeros(1, requires_grad=True)
    for _ in range(steps):
        loss = ((w * xs + b - ys) ** 2).mean()
        slope_w, slope_b = torch.autograd.grad(loss, [w, b])
        with torch.no_grad():
            w -= 0.1 * slope_w
            b -= 0.1 * slope_b
    return w.item(), b.item()
""",
    "16.4": "C A B D",
    "16.5": """
def slope_today(values):
    x = torch.tensor(values, requires_grad=True)
    y = (x * x).sum()
    y.backward()
    return x.grad, y.item()
""",
    "16.6": """
def evaluate_2017(weights, values):
    w = Variable(weights, requires_grad=True)
    v = Variable(values, volatile=True)
    product = w * v
    return product.sum()
""",
    "17.4": "B A",
    "17.5": """
def gradient_norm(model):
    total = 0.0
    for p in model.parameters():
        if p.grad is not None:
            total += (p.grad * p.grad).sum().item()
    return total ** 0.5
""",
    "17.6": """
def reached(model, loss):
    for p in model.parameters():
        p.grad = None
    loss.backward()
    return [name for name, p in model.named_parameters() if p.grad is not None]
""",
}

PREDICTIONS: dict[str, str] = {
    "00.1": "b", "00.2": "c", "00.3": "b", "01.1": "b", "01.2": "a", "01.3": "b", "02.1": "c", "02.2": "b", "02.3": "b",
    "03.1": "c", "03.2": "b", "03.3": "c", "03.4": "a", "04.1": "b", "04.2": "b", "04.3": "b", "04.4": "c", "05.1": "c",
    "05.2": "c", "05.3": "b", "06.1": "b", "06.2": "c", "06.3": "a", "07.1": "b", "07.2": "a", "07.3": "d", "07.4": "a",
    "08.1": "c", "08.2": "b", "08.3": "a", "09.1": "b", "09.2": "c", "09.3": "c", "09.4": "b", "10.1": "c", "10.2": "b",
    "10.3": "a", "11.1": "a", "11.2": "b", "11.3": "c", "12.1": "c", "12.2": "b", "12.3": "b", "13.1": "b", "13.2": "c",
    "13.3": "c", "14.1": "a", "14.2": "b", "14.3": "a", "15.1": "d", "15.2": "b", "15.3": "c", "16.1": "c", "16.2": "b",
    "16.3": "a", "17.1": "b", "17.2": "a", "17.3": "c",
}  # fmt: skip
"""What was predicted, right or wrong; always with certainty, so that the wrong ones come back."""
