"""Random tensors: factories, draws from given probabilities, and tensors filled in place, with torch's numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import discrete, distributions, dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core import random as stream
from autograd_lab.core.op import Vjp, functions, op, tensors
from autograd_lab.core.random import Generator
from autograd_lab.core.tensor import Tensor
from autograd_lab.ops import refusals
from autograd_lab.ops.create import deliver, sizes
from autograd_lab.ops.data import check_device, check_dtype
from autograd_lab.ops.words import vanishing

functions |= {name: getattr(stream, name) for name in stream.__all__}


def _check_generator(name: str, generator: Any) -> None:
    if generator is not None and not isinstance(generator, Generator):
        raise TypeError(f"{name}(): argument 'generator' must be torch.Generator, not {type(generator).__name__}")


# ------------------------------------------------------------------ factories
def _drawn(name: str, draw: Any) -> None:
    def factory(*size: Any, generator: Any = None, out: Any = None, dtype: Any = None, layout: Any = None,
                device: Any = None,
                requires_grad: bool = False, pin_memory: bool = False,
                **more: Any) -> Tensor:  # fmt: skip
        if more.keys() - {"size"}:
            raise TypeError(f"{name}() got an unexpected keyword argument '{next(iter(more))}'")
        check_device(device)
        _check_generator(name, generator)
        target = check_dtype(name, dtype) or (dtypes.get_default_dtype() if out is None else out.dtype)
        return deliver(name, draw(sizes(name, size, more.get("size")), target, generator), out, requires_grad)

    def like(input: Any, *, dtype: Any = None, layout: Any = None, device: Any = None, requires_grad: bool = False,
             memory_format: Any = None, generator: Any = None) -> Tensor:  # fmt: skip
        if not isinstance(input, Tensor):
            raise fail.bad_argument(f"{name}_like", "input", input, 1)
        target = check_dtype(f"{name}_like", dtype) or input.dtype
        array = np.asarray(input._array)
        in_rows = {"contiguous": array.flags.c_contiguous} if name == "randn" else {}
        made = _in_memory(array, target, lambda shape: draw(shape, target, generator, **in_rows))
        return deliver(f"{name}_like", made, None, requires_grad)

    what = "even numbers of [0, 1)" if name == "rand" else "standard normal numbers"
    for function, public in ((factory, name), (like, f"{name}_like")):
        function.__name__ = function.__qualname__ = public
        function.__doc__ = f"Draw {what}."
        function.__module__ = "autograd_lab"
    functions[name], functions[f"{name}_like"] = factory, like


def _in_memory(array: Any, kind: dtypes.dtype, draw: Any) -> Any:
    """Draw numbers into an array laid out like `array`, in the order of memory."""
    made = np.empty_like(array, dtype=kind.numpy)
    target = distributions.in_memory_order(made)
    target[...] = draw(target.shape)
    return made


_drawn("rand", distributions.rand)
_drawn("randn", distributions.randn)


def randint(*args: Any, generator: Any = None, out: Any = None, dtype: Any = None, layout: Any = None,
            device: Any = None,
            requires_grad: bool = False, pin_memory: bool = False, **named: Any) -> Tensor:  # fmt: skip
    """Draw whole numbers of [low, high): `randint(high, size)` or `randint(low, high, size)`."""
    names = ("high", "size") if len(args) + len(named.keys() & {"low", "high", "size"}) < 3 else ("low", "high", "size")
    given = {"low": 0} | dict(zip([name for name in names if name not in named], args, strict=False)) | named
    check_device(device)
    _check_generator("randint", generator)
    for name in ("low", "high"):
        if isinstance(given.get(name), Tensor):
            given[name] = given[name].item()
        if not hasattr(given.get(name, 0), "__index__"):
            raise TypeError(f"randint(): argument '{name}' (position {names.index(name) + 1}) must be int, not "
                            f"{type(given[name]).__name__}")  # fmt: skip
    if not isinstance(given.get("size"), (tuple, list)):
        raise TypeError(f"randint(): argument 'size' (position {len(names)}) must be tuple of ints, not "
                        f"{type(given.get('size')).__name__}")  # fmt: skip
    target = check_dtype("randint", dtype) or (dtypes.int64 if out is None else out.dtype)
    shape = sizes("randint", (given["size"],))
    return deliver("randint", discrete.randint(given["low"], given["high"], shape, target, generator), out,
                   requires_grad)


def randint_like(input: Tensor, *bounds: Any, dtype: Any = None, requires_grad: bool = False, layout: Any = None,
                 device: Any = None, memory_format: Any = None, generator: Any = None,
                 **named: Any) -> Tensor:  # fmt: skip
    """Draw whole numbers in the shape of another tensor."""
    low, high = (named.get("low", 0), named.get("high")) if not bounds else (0, *bounds) if len(bounds) == 1 else bounds
    high = named.get("high", high)
    target = check_dtype("randint_like", dtype) or input.dtype
    made = _in_memory(np.asarray(input._array), target,
                      lambda shape: discrete.randint(low, high, shape, target, generator))
    return deliver("randint_like", made, None, requires_grad)


def randperm(n: Any, *, generator: Any = None, out: Any = None, dtype: Any = None, layout: Any = None,
             device: Any = None,
             requires_grad: bool = False, pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Draw a permutation of 0 … n-1."""
    if not hasattr(n, "__index__"):
        raise TypeError(f"randperm(): argument 'n' (position 1) must be int, not {type(n).__name__}")
    check_device(device)
    target = check_dtype("randperm", dtype) or (dtypes.int64 if out is None else out.dtype)
    return deliver("randperm", discrete.randperm(n.__index__(), target, generator), out, requires_grad)


def multinomial(input: Tensor, num_samples: int, replacement: bool = False, *, generator: Any = None,
                out: Any = None) -> Tensor:
    """Draw indices, each as likely as its weight says."""
    array = discrete.multinomial(np.asarray(input._array), num_samples, replacement, generator)
    return deliver("multinomial", array, out, False)


# ------------------------------------------------------------------ draws with a place in the graph (gradient 0)
@op(r"y \sim \mathcal N(\mu, \sigma)", function=False, method=False, node="NormalBackward1", fix="always",
    mean=Vjp(lambda grad, mean_sizes, xp: xp.zeros_like(grad), r"\bar\mu = 0"))
def _normal_mean(mean, std, generator):
    """Draw normal numbers around given means."""
    return distributions.normal_of(mean, std, generator)


@op(r"y \sim \mathcal N(\mu, \sigma)", function=False, method=False, node="NormalBackward2", fix="always",
    std=Vjp(lambda grad, std_sizes, xp: xp.zeros_like(grad), r"\bar\sigma = 0"))
def _normal_std(std, mean, generator):
    """Draw normal numbers of given standard deviations."""
    return distributions.normal_of(mean, std, generator)


@op(r"y \sim \mathcal N(\mu, \sigma)", function=False, method=False, node="NormalBackward3", fix="always",
    mean=Vjp(lambda grad, mean_sizes, xp: xp.zeros_like(grad), r"\bar\mu = 0"),
    std=Vjp(lambda grad, std_sizes, xp: xp.zeros_like(grad), r"\bar\sigma = 0"))
def _normal_both(mean, std, generator):
    """Draw normal numbers of given means and standard deviations."""
    try:
        return distributions.normal_of(mean, std, generator)
    except ValueError as error:
        from autograd_lab.core.operands import broadcast_error

        raise broadcast_error(error, (mean, std)) from None


def normal(mean: Any, std: Any = None, size: Any = None, *, generator: Any = None, out: Any = None, dtype: Any = None,
           layout: Any = None, device: Any = None, requires_grad: bool = False,
           pin_memory: bool = False) -> Tensor:  # fmt: skip
    """Draw normal numbers: `mean` and `std` are tensors, or numbers with a `size`."""
    _check_generator("normal", generator)
    if isinstance(mean, Tensor) and isinstance(std, Tensor):
        return tensors._normal_both(mean, std, generator, out=out)
    if isinstance(mean, Tensor):
        return tensors._normal_mean(mean, 1.0 if std is None else std, generator, out=out)
    if isinstance(std, Tensor):
        return tensors._normal_std(std, mean, generator, out=out)
    if size is None:
        kinds = ", ".join(type(one).__name__ for one in (mean, std) if one is not None)
        raise TypeError(
            f"normal() received an invalid combination of arguments - got ({kinds}), but expected one of:\n"
            " * (Tensor mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)\n"
            " * (Tensor mean, float std = 1, *, torch.Generator generator = None, Tensor out = None)\n"
            " * (float mean, Tensor std, *, torch.Generator generator = None, Tensor out = None)\n"
            " * (float mean, float std, tuple of ints size, *, torch.Generator generator = None, Tensor out = None, "
            "torch.dtype dtype = None, torch.layout layout = None, torch.device device = None, "
            "bool pin_memory = False, "
            "bool requires_grad = False)\n"
        )
    target = check_dtype("normal", dtype) or (dtypes.get_default_dtype() if out is None else out.dtype)
    array = distributions.normal(sizes("normal", (size,)), target, mean, std, generator)
    return deliver("normal", array, out, requires_grad)


@op(r"y \sim \operatorname{Bernoulli}(a)", function=False, method=False, node="BernoulliBackward0",
    self=Vjp(vanishing, r"\bar a = 0"))
def _bernoulli(self, generator):
    """Draw 1 with the given probabilities."""
    return discrete.bernoulli_of(np.ascontiguousarray(self).reshape(self.shape), None, generator)


@op(r"y \sim \operatorname{Bernoulli}(p)", function=False, method=False, node="NotImplemented",
    self=Vjp(lambda grad: refusals.no_derivative("bernoulli")))
def _bernoulli_number(self, p, generator):
    """Draw 1 with one probability."""
    return discrete.bernoulli(self.shape, self.dtype, p, generator)


def fill_in_memory(array: Any, draw: Any) -> Any:
    """Draw numbers for every element of an array, in the order of memory: `draw(shape, dtype)`."""
    array = np.asarray(array)
    return _in_memory(array, dtypes.from_numpy(array.dtype), lambda shape: draw(shape, array.dtype))


def bernoulli(input: Tensor, p: Any = None, *, generator: Any = None, out: Any = None) -> Tensor:
    """Draw 1 with the probabilities in the input (or with probability `p`), else 0."""
    if p is not None:
        return tensors._bernoulli_number(input, p, generator, out=out)
    return tensors._bernoulli(input, generator, out=out)


functions |= {"randint": randint, "randint_like": randint_like, "randperm": randperm, "multinomial": multinomial,
              "normal": normal, "bernoulli": bernoulli}  # fmt: skip
Tensor.bernoulli, Tensor.multinomial = bernoulli, multinomial
