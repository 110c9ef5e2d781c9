"""The tests with which the newcomer of `newcomer.py` kills each mutant, written from the chapters' words."""

HUNTS: dict[str, str] = {
    "starts-afresh": """
def test(torch):
    x = torch.ones(2, requires_grad=True)
    for _ in range(3):
        torch.autograd.backward((x * 5).sum())
    assert x.grad.tolist() == [15, 15]
""",
    "variable-does-nothing": """
def test(torch):
    a = torch.ones(3, requires_grad=True)
    assert torch.autograd.Variable(a).requires_grad is False
""",
    "variable-keeps-the-switch": """
def test(torch):
    a = torch.ones(3, requires_grad=True)
    assert torch.autograd.Variable(a).requires_grad is False
""",
    "clone-forgets": """
def test(torch):
    a = torch.ones(3, requires_grad=True)
    assert torch.clone(a).requires_grad
""",
    "whole-numbers-pass": """
def test(torch):
    try:
        torch.tensor([1, 2], requires_grad=True)
    except RuntimeError:
        return
    assert False
""",
    "floor-cuts": """
def test(torch):
    x = torch.tensor([1.5, 2.5], requires_grad=True)
    torch.floor(x).sum().backward()
    assert x.grad.tolist() == [0, 0]
""",
    "assigns": """
def test(engine):
    a = engine.Value(2.)
    engine.backward(a * a)
    engine.backward(a * a)
    assert a.grad.data == 8
""",
    "recursion": """
def test(engine):
    x = engine.Value(1.)
    y = x * 2.
    engine.backward(y * y * y)
    assert x.grad.data == 24
""",
    "forgets-second": """
def test(engine):
    a = engine.Value(2.)
    engine.backward(a * a)
    assert a.grad.data == 4
""",
    "no-unbroadcast": """
def test(engine):
    s = engine.Value(2.)
    engine.backward(engine.total(s * engine.Value([1., 2., 3.])))
    assert s.grad.data.shape == () and s.grad.data == 6
""",
    "one-axis-only": """
def test(engine):
    a, b = engine.Value([[1.], [2.]]), engine.Value([[1., 2., 3.]])
    engine.backward(engine.total(a * b))
    assert a.grad.data.tolist() == [[6.], [6.]]
""",
    "version-check-off": """
def test(engine):
    x = engine.Value([1., 2.])
    y = x * x
    engine.write_(x, [0., 0.])
    try: engine.backward(engine.total(y))
    except RuntimeError: return
    assert False
""",
    "counts-nothing": """
def test(engine):
    x = engine.Value([1., 2.])
    engine.write_(x, 3.)
    engine.write_(x, 4.)
    assert x.version == 2
""",
    "suspects-everything": """
def test(engine):
    x = engine.Value([1., 2.])
    z = x + 1.
    engine.write_(z, 0.)
    engine.backward(engine.total(z))
    assert x.grad.data.tolist() == [1, 1]
""",
    "hook-ignored": """
def test(engine):
    x = engine.Value(1.)
    y = x + 0.
    y.hooks.append(lambda grad: grad * 3.)
    engine.backward(y)
    assert x.grad.data == 3
""",
    "hooks-in-reverse": """
def test(engine):
    x, seen = engine.Value(1.), []
    y = x + 0.
    y.hooks += [lambda grad: seen.append(1), lambda grad: seen.append(2)]
    engine.backward(y)
    assert seen == [1, 2]
""",
    "hook-none-is-zero": """
def test(engine):
    x = engine.Value(1.)
    y = x + 0.
    y.hooks.append(lambda grad: None)
    engine.backward(y)
    assert x.grad.data == 1
""",
    "grad-writes": """
def test(engine):
    x = engine.Value(1.)
    engine.backward(x * 3.)
    engine.grad(x * x, [x])
    assert x.grad.data == 3
""",
    "unused-is-zero": """
def test(engine):
    x, other = engine.Value(1.), engine.Value(1.)
    assert engine.grad(x * x, [x, other])[1] is None
""",
    "stays-off-after-error": """
def test(engine):
    x = engine.Value(1.)
    try:
        with engine.no_grad(): 1 / 0
    except ZeroDivisionError: pass
    assert len((x * x).parents) == 2
""",
    "always-on-again": """
def test(engine):
    x = engine.Value(1.)
    with engine.no_grad():
        with engine.no_grad(): pass
        y = x * x
    assert len(y.parents) == 0
""",
    "oldest-first": """
def test(engine):
    a = engine.Value(1.)
    b = a + 1.
    assert engine.by_number(b)[0] is b
""",
    "custom-first-only": """
def test(engine):
    a, b = engine.Value(2.), engine.Value(5.)
    engine.backward(engine.custom(lambda x, y: x - y, lambda grad, x, y: [grad, -grad], a, b))
    assert a.grad.data == 1 and b.grad.data == -1
""",
    "plain-exp": """
def test(engine):
    assert engine.higher(lambda x: engine.exp(x * 3.), 0., 2) == [1, 3, 9]
""",
    "unseen-window": """
def test(torch):
    x = torch.ones(3, requires_grad=True)
    y = x * 2
    torch.narrow(y, 0, 0, 1).zero_()
    y.sum().backward()
    assert x.grad.tolist() == [0, 2, 2]
""",
    "clone-is-a-window": """
def test(torch):
    x = torch.zeros(3)
    y = torch.clone(x)
    y.add_(1)
    assert x.sum() == 0
""",
    "both-win": """
def test(torch):
    m = torch.ones(4, requires_grad=True)
    torch.max(m).backward()
    assert m.grad.tolist() == [0.25] * 4
""",
    "slope-at-the-kink": """
def test(torch):
    x = torch.tensor([-1., 0., 1.], requires_grad=True)
    torch.relu(x).sum().backward()
    assert x.grad.tolist() == [0, 0, 1]
""",
    "forgets-nothing": """
def test(torch):
    w = torch.ones(2, requires_grad=True)
    w.sum().backward()
    torch.optim.SGD([w], lr=0.5).zero_grad()
    assert w.grad is None
""",
    "steps-uphill": """
def test(torch):
    w = torch.ones(2, requires_grad=True)
    w.sum().backward()
    torch.optim.SGD([w], lr=0.5).step()
    assert w.tolist() == [0.5, 0.5]
""",
    "fills-nobody-else": """
def test(legacy):
    a = legacy.Variable(torch.ones(2), requires_grad=True)
    b = legacy.Variable(torch.ones(2), requires_grad=True)
    legacy.grad((a * b).sum(), a, only_inputs=False)
    assert b.grad.data.tolist() == [1, 1]
""",
    "forgets-the-bias": """
def test(torch):
    layer = torch.nn.Linear(3, 2)
    out = layer(torch.zeros(1, 3))
    assert out.tolist()[0] == layer.bias.tolist()
""",
}
