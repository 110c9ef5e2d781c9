"""What “agrees with torch” means in chapter 12: the same cases pass on the lab, and on torch where it is installed."""

import importlib
import types

import pytest

from autograd_lab.course import conformance, engine
from tests import support


def as_engine(torch):
    """Return torch in the clothes of the small engine."""

    class Value:
        def __init__(self, data, tensor=None):
            made = torch.tensor(data, dtype=torch.float64, requires_grad=True) if tensor is None else tensor
            self.tensor, self.hooks = made, types.SimpleNamespace(append=made.register_hook)

        data = property(lambda self: self.tensor.detach().numpy())
        grad = property(lambda self: of(self.tensor.grad))
        parents = property(lambda self: self.tensor.grad_fn)

        def __add__(self, other):
            return of(self.tensor + getattr(other, "tensor", other))

        def __mul__(self, other):
            return of(self.tensor * getattr(other, "tensor", other))

    def of(tensor):
        if tensor is None:
            return None
        value = Value.__new__(Value)
        value.tensor = tensor
        value.hooks = types.SimpleNamespace(append=lambda hook: tensor.register_hook(lambda grad: hook(grad)))
        return value

    def custom(forward, backward, *inputs):
        class Custom(torch.autograd.Function):
            @staticmethod
            def forward(ctx, *tensors):
                ctx.save_for_backward(*tensors)
                return torch.from_numpy(forward(*(one.detach().numpy() for one in tensors)))

            @staticmethod
            def backward(ctx, grad):
                parts = backward(grad.numpy(), *(one.detach().numpy() for one in ctx.saved_tensors))
                return tuple(map(torch.from_numpy, parts))

        return of(Custom.apply(*(one.tensor for one in inputs)))

    def higher(f, at, times):
        x = Value(at)
        results = [f(x).tensor]
        for _ in range(times):
            results += torch.autograd.grad(results[-1], x.tensor, create_graph=True)
        return [one.item() for one in results]

    def by_number(root):
        found, todo = set(), [root.tensor.grad_fn]
        while todo:
            node = todo.pop()
            if node not in found:
                found.add(node)
                todo += [parent for parent, _ in node.next_functions]
        numbers = sorted((node._sequence_nr() for node in found), reverse=True)
        return [types.SimpleNamespace(number=number) for number in numbers]

    def grad(root, inputs):
        found = torch.autograd.grad(root.tensor, [one.tensor for one in inputs], allow_unused=True)
        return [of(one) for one in found]

    return types.SimpleNamespace(
        Value=Value,
        total=lambda value: of(value.tensor.sum()),
        exp=lambda value: of(value.tensor.exp()),
        backward=lambda root: root.tensor.backward(),
        write_=lambda value, data: value.tensor.detach().copy_(torch.tensor(data)),
        no_grad=torch.no_grad,
        grad=grad,
        custom=custom,
        higher=higher,
        by_number=by_number,
    )


@pytest.mark.parametrize("name", ["autograd_lab", "torch"])
def test_the_cases_of_chapter_12_are_what_torch_computes(name):
    if name == "torch":
        support.require_torch()
    assert conformance.failures(as_engine(importlib.import_module(name))) == {}


def test_an_engine_that_borrows_says_how_much_of_it_is_ones_own(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    own = {"accumulate": engine.solution("accumulate")}
    (tmp_path / engine.FILE).write_text(engine.file_text(own), encoding="utf-8")
    conformance.conformance()
    number = len(conformance.CASES)
    assert capsys.readouterr().out == (
        f"engine: my_grad.py, 1 of {len(engine.parts())} parts are yours\n{number} of {number} cases agree with torch\n"
    )


@pytest.mark.parametrize("own", [(), ("order",), tuple(engine.parts())])
def test_my_grad_shows_nothing_that_the_learner_has_not_written(own):
    text = engine.file_text({name: engine.solution(name) for name in own})
    for name, (_, source) in engine.parts().items():
        body = source.strip().splitlines()[-1].strip()
        assert (body in text) == (name in own), name
    space = {"__name__": "my_grad"}
    exec(compile(text, "my_grad.py", "exec"), space)
    assert set(space["borrowed"]) == set(engine.parts()) - set(own)
    assert not conformance.failures(types.SimpleNamespace(**space))
