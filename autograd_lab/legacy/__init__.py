"""The museum: autograd as it was before PyTorch 0.4, when a Variable wrapped a tensor.

Documents of that time run here after a change of the imports: `from autograd_lab.legacy import Variable, Function`, and
`legacy.mm(x, y)` for `torch.mm(x, y)`.
Everything is built on the public engine of today. Texts of errors are those of 0.2 and 0.3.

| then (0.1 to 0.3) | now (0.4 and later) | what changed |
|---|---|---|
| `Variable(t, requires_grad=True)` | `t.requires_grad_()` | tensors record by themselves |
| `x.data`, a tensor | `x.detach()` | autograd does not see what is written through `.data` |
| `x.grad`, a Variable | `x.grad`, a tensor | one kind of object instead of two |
| `x.creator` (0.1), `x.grad_fn` (0.2) | `x.grad_fn` | a node of the engine, no longer a Python object |
| `Variable(t, volatile=True)` | `with torch.no_grad():` | a property of code; it no longer spreads with data |
| `y.backward(grad_variables)` | `y.backward(gradient)` | renamed |
| `y.backward(retain_variables=True)` | `y.backward(retain_graph=True)` | renamed in 0.2 |
| `create_graph=None` | `create_graph=False` | no longer on because a given gradient is not volatile |
| `grad(…, only_inputs=False)` | the argument is ignored | it also filled the other leaves; `backward` does that |
| `class F(Function)`, called `F(a)(x)` | `F.apply(x, a)` | forward is static; its state is in `ctx` |
| `loss.data[0]` | `loss.item()` | a sum has no dimension, it had one |
| `Variable containing:` and numbers | `tensor([...])` | prints what can be pasted back |

`Variable`, `Function`, `backward` and `grad` are the museum's rooms. Any function of the engine can be had for
Variables too, as `torch.mm` took them then: `legacy.mm(x, y)`. Some things are as today: `.data` is a tensor of
today and prints like one, and messages not mentioned here are the engine's.

>>> import autograd_lab as torch
>>> from autograd_lab.legacy import Variable
>>> x = Variable(torch.ones(2), requires_grad=True)
>>> (x * 3).backward(torch.ones(2))
>>> print(x.grad, end="")
Variable containing:
 3
 3
[torch.FloatTensor of size 2]
"""

from __future__ import annotations

from typing import Any

from autograd_lab.legacy.backward import backward, grad
from autograd_lab.legacy.function import Function
from autograd_lab.legacy.variable import Variable

__all__ = ["Function", "Variable", "backward", "grad"]


def __getattr__(name: str) -> Any:
    """Return a function of the engine that takes and returns Variables."""
    import autograd_lab as torch
    from autograd_lab.legacy.lifting import lift

    if name.startswith("_"):
        raise AttributeError(f"module 'autograd_lab.legacy' has no attribute {name!r}")
    function = getattr(torch, name)
    if not callable(function) or isinstance(function, type):
        raise AttributeError(f"module 'autograd_lab.legacy' has no attribute {name!r}")
    return lift(function, name)
