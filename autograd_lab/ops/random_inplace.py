"""Tensors filled with random numbers in place: normal_, uniform_, bernoulli_, random_ and their relatives."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import discrete, distributions
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import Vjp, op, table
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops.random_ops import _check_generator, fill_in_memory
from autograd_lab.ops.shape import _expand_kernel


def _filler(name: str, formula: str, node: str, kernel: Any, parameters: str) -> None:
    """Declare the fill as a row whose gradient is 0, and its in-place method."""
    space: dict[str, Any] = {"kernel": kernel, "fill": fill_in_memory}
    call = ", ".join(part.partition("=")[0] for part in parameters.split(", ") if part)
    text = (f"def {name}_fill(self, {parameters}, *, generator=None):\n"
            f"    return fill(self, lambda shape, kind: kernel(self, shape, kind, {call}, generator))")  # fmt: skip
    exec(text, space)
    made = space[f"{name}_fill"]
    made.__doc__ = f"Draw the numbers of {name}_."
    op(formula, function=False, method=False, out=False, node=node,
       self=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar a = 0"))(made)

    def method(self: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        _check_generator(f"{name}_", kwargs.get("generator"))
        if "from" in kwargs:
            kwargs["from_"] = kwargs.pop("from")
        return run_inplace(table[f"{name}_fill"], self, args, kwargs)

    if name.startswith(("random", "bernoulli")):
        return          # several rows share one method
    method.__name__ = method.__qualname__ = f"{name}_"
    method.__doc__ = f"Fill the tensor with random numbers in place ({name})."
    setattr(Tensor, f"{name}_", method)


def _normal(array: Any, shape: Any, kind: Any, mean: float, std: float, generator: Any) -> Any:
    contiguous = not isinstance(array, np.ndarray) or array.flags.c_contiguous
    return distributions.normal(shape, kind, mean, std, generator, contiguous=contiguous)


def _uniform(array: Any, shape: Any, kind: Any, low: float, high: float, generator: Any) -> Any:
    return distributions.uniform(shape, kind, low, high, generator)


def _exponential(array: Any, shape: Any, kind: Any, lambd: float, generator: Any) -> Any:
    return distributions.exponential(shape, kind, lambd, generator)


def _log_normal(array: Any, shape: Any, kind: Any, mean: float, std: float, generator: Any) -> Any:
    return distributions.log_normal(shape, kind, mean, std, generator)


def _cauchy(array: Any, shape: Any, kind: Any, median: float, sigma: float, generator: Any) -> Any:
    return distributions.cauchy(shape, kind, median, sigma, generator)


def _geometric(array: Any, shape: Any, kind: Any, p: float, generator: Any) -> Any:
    return discrete.geometric(shape, kind, p, generator)


def _random(array: Any, shape: Any, kind: Any, from_: Any, to: Any, generator: Any) -> Any:
    if from_ is None:
        return discrete.integers(shape, kind, generator)
    return discrete.random_integers(shape, kind, from_, to, generator)


def _random_to(array: Any, shape: Any, kind: Any, to: Any, generator: Any) -> Any:
    return discrete.random_integers(shape, kind, 0, to, generator)


def _bernoulli(array: Any, shape: Any, kind: Any, p: Any, generator: Any) -> Any:
    return discrete.bernoulli(shape, kind, p, generator)


_filler("normal", r"y \sim \mathcal N(\mu, \sigma)", "NormalBackward0", _normal, "mean=0.0, std=1.0")
_filler("uniform", r"y \sim U(a, b)", "UniformBackward0", _uniform, "from_=0.0, to=1.0")
_filler("exponential", r"y \sim \operatorname{Exp}(\lambda)", "ExponentialBackward0", _exponential, "lambd=1.0")
_filler("log_normal", r"\ln y \sim \mathcal N(\mu, \sigma)", "LogNormalBackward0", _log_normal, "mean=1.0, std=2.0")
_filler("cauchy", r"y \sim \operatorname{Cauchy}(m, s)", "CauchyBackward0", _cauchy, "median=0.0, sigma=1.0")
_filler("geometric", r"y \sim \operatorname{Geom}(p)", "GeometricBackward0", _geometric, "p")
_filler("random", r"y \sim U\{a, \dots, b - 1\}", "RandomBackward0", _random, "from_, to")
_filler("random_to", r"y \sim U\{0, \dots, b - 1\}", "RandomBackward1", _random_to, "to")
_filler("random_any", r"y \sim U\{0, \dots\}", "RandomBackward2", _random, "from_=None, to=None")
_filler("bernoulli_number", r"y \sim \operatorname{Bernoulli}(p)", "BernoulliBackward2", _bernoulli, "p=0.5")


def random_(self: Tensor, *bounds: Any, generator: Any = None, **named: Any) -> Tensor:
    """Fill the tensor with whole numbers of [from, to), of [0, to), or of all that the dtype holds."""
    _check_generator("random_", generator)
    if "from" in named:
        bounds = (named["from"], named.get("to", bounds[0] if bounds else None))
    elif "to" in named:
        bounds = (*bounds, named["to"])
    row = ("random_any_fill", "random_to_fill", "random_fill")[len(bounds)]
    if len(bounds) == 2 and bounds[1] is None:
        row = "random_fill"
    return run_inplace(table[row], self, bounds, {"generator": generator})


Tensor.random_ = random_


@op(r"y \sim \operatorname{Bernoulli}(p)", function=False, method=False, out=False, node="BernoulliBackward1",
    fix="always",
    self=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar a = 0"),
    p=Vjp(lambda grad, xp: xp.zeros_like(grad), r"\bar p = 0"))
def bernoulli_tensor_fill(self, p, *, generator=None):
    """Draw 1 with probabilities that are a tensor."""
    made = np.empty_like(np.asarray(self))
    order = sorted(range(made.ndim), key=lambda axis: -made.strides[axis])
    made.transpose(order)[...] = discrete.bernoulli_of(_expand_kernel(p, self.shape).transpose(order), self.dtype,
                                                       generator)
    return made


def bernoulli_(self: Tensor, p: Any = 0.5, *, generator: Any = None) -> Tensor:
    """Fill the tensor with draws of 1 with probability `p`, else 0."""
    _check_generator("bernoulli_", generator)
    name = "bernoulli_tensor_fill" if isinstance(p, Tensor) else "bernoulli_number_fill"
    return run_inplace(table[name], self, (p,), {"generator": generator})


Tensor.bernoulli_ = bernoulli_
