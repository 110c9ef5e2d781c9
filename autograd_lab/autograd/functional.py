"""Jacobians, Hessians and their products with vectors, of any Python function of tensors.

Source: https://docs.pytorch.org/docs/stable/autograd.html#functional-higher-level-api
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lab.autograd._tuples import as_tuple, check_strict, check_vector, enter, filled, gradients, leave, only
from autograd_lab.autograd.grad_mode import enable_grad, set_grad_enabled
from autograd_lab.core.missing import answers_for
from autograd_lab.core.op import tensors as ops
from autograd_lab.core.state import local

__all__ = ["vjp", "jvp", "jacobian", "hessian", "hvp", "vhp"]  # noqa: RUF022 (torch's order)
__getattr__ = answers_for("torch.autograd.functional", __all__)

USER_OUTPUTS = "outputs of the user-provided function"
NO_VECTOR_OUTPUT = (
    "The vector v can only be None if the user-provided function returns a single Tensor with a single element."
)
NO_VECTOR_INPUT = (
    "The vector v can only be None if the input to the user-provided function is a single Tensor with a single element."
)


def _vector(v: Any, like: tuple, was_tuple: bool, function: str, message: str) -> tuple | None:
    """Return the given vector as a tuple of fresh tensors; without one, `like` must hold a single element."""
    if v is None:
        if len(like) != 1 or like[0].nelement() != 1:
            raise RuntimeError(message)
        return None
    _, vector = as_tuple(v, "v", function)
    return vector


def vjp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """Return `func(*inputs)` and the product of `v` with its Jacobian (one gradient for each input).

    `v` has the shapes of the outputs and may be left out for a single output of one element. With `create_graph` the
    results can be differentiated; with `strict` an output that does not depend on the inputs raises RuntimeError
    instead of giving zeros.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.vjp.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.vjp(lambda x: x * x, torch.ones(2), torch.ones(2))
    (tensor([1., 1.]), tensor([2., 2.]))
    """
    with enable_grad():
        is_tuple, inputs = as_tuple(inputs, "inputs", "vjp")
        inputs = enter(inputs, create_graph, need_graph=True)
        is_tuple_out, outputs = as_tuple(func(*inputs), USER_OUTPUTS, "vjp")
        check_strict(outputs, "outputs", strict)
        vector = _vector(v, outputs, is_tuple_out, "vjp", NO_VECTOR_OUTPUT)
        if vector is not None:
            vector = enter(vector, create_graph, need_graph=False)
            check_vector(vector, outputs, is_tuple_out)
    with set_grad_enabled(create_graph or local.grad):
        found = gradients(outputs, inputs, vector, create_graph)
        found = filled(found, inputs, strict, create_graph, "back")
    return only(leave(outputs, create_graph), is_tuple_out), only(leave(found, create_graph), is_tuple)


def jvp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """Return `func(*inputs)` and the product of its Jacobian with `v` (one directional derivative for each output).

    `v` has the shapes of the inputs and may be left out for a single input of one element. Computed by two backward
    runs: the gradient is linear in its weights, so the derivative by the weights is the product.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.jvp.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.jvp(lambda x: x * x, torch.ones(2), torch.ones(2))
    (tensor([1., 1.]), tensor([2., 2.]))
    """
    with enable_grad():
        is_tuple, inputs = as_tuple(inputs, "inputs", "jvp")
        inputs = enter(inputs, create_graph, need_graph=True)
        vector = _vector(v, inputs, is_tuple, "jvp", NO_VECTOR_INPUT)
        if vector is not None:
            vector = enter(vector, create_graph, need_graph=False)
            check_vector(vector, inputs, is_tuple)
        is_tuple_out, outputs = as_tuple(func(*inputs), USER_OUTPUTS, "jvp")
        check_strict(outputs, "outputs", strict)
        weights = tuple([ops.zeros_like(one).requires_grad_() for one in outputs])
        backward = gradients(outputs, inputs, weights, create_graph=True)
        check_strict(backward, "grad_inputs", strict)
    with set_grad_enabled(create_graph or local.grad):
        found = gradients(backward, weights, vector, create_graph)
        found = filled(found, outputs, strict, create_graph, "back_trick")
    return only(leave(outputs, create_graph), is_tuple_out), only(leave(found, create_graph), is_tuple_out)


def _rows(output: Any, number: int, inputs: tuple, create_graph: bool, strict: bool) -> list[list]:
    """Return, for each input, the gradient of each element of one output."""
    rows: list[list] = [[] for _ in inputs]
    for element in range(output.nelement()):
        found = gradients((output.reshape(-1)[element],), inputs, create_graph=create_graph, retain_graph=True)
        for position, (one, source) in enumerate(zip(found, inputs, strict=True)):
            if one is None:
                if strict:
                    raise RuntimeError(f"Output {number} of the user-provided function is independent of input "
                                       f"{position}. This is not allowed in strict mode.")  # fmt: skip
                one = ops.zeros_like(source)
            elif strict and create_graph and not one.requires_grad:
                raise RuntimeError("The jacobian of the user-provided function is independent of input "
                                   f"{number}. This is not allowed in strict mode when create_graph=True.")  # fmt: skip
            rows[position].append(one)
    return rows


def _check_strategy(create_graph: bool, strict: bool, vectorize: bool, strategy: str) -> None:
    if strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError(
            'Expected strategy to be either "forward-mode" or "reverse-mode". Hint: If your function has more outputs '
            'than inputs, "forward-mode" tends to be more performant. Otherwise, prefer to use "reverse-mode".'
        )
    if strategy == "reverse-mode":
        return
    for flag, name, error in ((create_graph, "create_graph", NotImplementedError), (strict, "strict", RuntimeError)):
        if flag:
            raise error(
                f'torch.autograd.functional.jacobian: `{name}=True` and `strategy="forward-mode"` are not supported '
                f'together (yet). Please either set `{name}=False` or `strategy="reverse-mode"`.'
            )
    if not vectorize:
        raise NotImplementedError("Computing Jacobian using forward-AD or forward-over-reverse Hessian isonly "
                                  "implemented for `vectorize=True`.")  # fmt: skip


def jacobian(func: Callable, inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
             strategy: str = "reverse-mode") -> Any:  # fmt: skip
    """Return the Jacobian of `func` at `inputs`.

    For one output of shape S and one input of shape T: a tensor of shape S + T. Tuples of outputs or inputs give
    tuples, of outputs first. `vectorize` and `strategy` are accepted; the result is the same.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.jacobian.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.jacobian(lambda x: x * x, torch.tensor([1., 2.]))
    tensor([[2., 0.],
            [0., 4.]])
    """
    _check_strategy(create_graph, strict, vectorize, strategy)
    with enable_grad():
        is_tuple, inputs = as_tuple(inputs, "inputs", "jacobian")
        inputs = enter(inputs, create_graph, need_graph=True)
        forward = strategy == "forward-mode"
        names = ("outputs", "None") if forward else (USER_OUTPUTS, "jacobian")     # torch's words
        is_tuple_out, outputs = as_tuple(func(*inputs), *names)
        check_strict(outputs, "outputs", strict)
        if vectorize and strict:
            raise RuntimeError("torch.autograd.functional.jacobian: `strict=True` and `vectorized=True` are not "
                               "supported together. Please either set `strict=False` or "
                               "`vectorize=False`.")  # fmt: skip
        blocks = []
        for number, output in enumerate(outputs):
            if vectorize and not forward and not output.nelement():
                raise IndexError("index 0 is out of bounds for dimension 0 with size 0")
            rows = _rows(output, number, inputs, create_graph, strict)
            blocks.append(tuple([
                _block(row, output, source, forward) for row, source in zip(rows, inputs, strict=True)
            ]))  # fmt: skip
        found = leave(tuple(blocks), create_graph)
        kind = list if forward and is_tuple else tuple
        return only(kind([only(kind(block), is_tuple) for block in found]), is_tuple_out)


def _block(row: list, output: Any, source: Any, forward: bool) -> Any:
    if forward and not row:
        return source.new_zeros(tuple(output.shape) + tuple(source.shape))
    return ops.stack(row, 0).view(tuple(output.shape) + tuple(source.shape))


def _single(func: Callable, function: str, strict: bool) -> Callable:
    """Return the user's function, its result checked to be one tensor of one element."""

    def checked(*args: Any) -> Any:
        is_tuple, outputs = as_tuple(func(*args), USER_OUTPUTS, function)
        check_strict(outputs, "outputs", strict)
        if is_tuple:
            raise RuntimeError(f"The function given to {function} should return a single Tensor")
        if outputs[0].nelement() != 1:
            raise RuntimeError(f"The Tensor returned by the function given to {function} should contain a single "
                               "element")  # fmt: skip
        return outputs[0]

    return checked


def hessian(func: Callable, inputs: Any, create_graph: bool = False, strict: bool = False, vectorize: bool = False,
            outer_jacobian_strategy: str = "reverse-mode") -> Any:  # fmt: skip
    """Return the Hessian of a function that returns one number.

    For one input of shape T: a tensor of shape T + T; for a tuple of inputs a tuple of tuples.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.hessian.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.hessian(lambda x: (x ** 3).sum(), torch.tensor([1., 2.]))
    tensor([[ 6.,  0.],
            [ 0., 12.]])
    """
    is_tuple, inputs = as_tuple(inputs, "inputs", "hessian")
    if outer_jacobian_strategy not in ("forward-mode", "reverse-mode"):
        raise AssertionError('Expected strategy to be either "forward-mode" or "reverse-mode".')
    single = _single(func, "hessian", strict)

    def gradient(*args: Any) -> tuple:
        found = jacobian(lambda *inner: single(*inner).squeeze(), args, create_graph=True)
        check_strict(found, "jacobian", strict)
        return found

    found = jacobian(gradient, inputs, create_graph, strict, vectorize, outer_jacobian_strategy)
    return found if is_tuple else found[0][0]


def _product(function: str, func: Callable, inputs: Any, v: Any, create_graph: bool, strict: bool) -> tuple:
    """Return (value, product of v and the Hessian): from the left for vhp, from the right for hvp."""
    with enable_grad():
        is_tuple, inputs = as_tuple(inputs, "inputs", function)
        inputs = enter(inputs, create_graph, need_graph=True)
        vector = _vector(v, inputs, is_tuple, function, NO_VECTOR_INPUT)
        if vector is not None:
            vector = enter(vector, create_graph, need_graph=False)
            check_vector(vector, inputs, is_tuple)
        output = _single(func, function, strict)(*inputs)
        slope = gradients((output,), inputs, create_graph=True)
        check_strict(slope, "jacobian", strict)
        stage, sources = "double_back", inputs
        if function == "hvp":
            stage, sources = "double_back_trick", tuple([ops.zeros_like(one).requires_grad_() for one in inputs])
            slope = gradients(slope, inputs, sources, create_graph=True)
    with set_grad_enabled(create_graph or local.grad):
        found = gradients(slope, sources, vector, create_graph)
        found = filled(found, inputs, strict, create_graph, stage)
    return leave(output, create_graph), only(leave(found, create_graph), is_tuple)


def vhp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """Return the value of `func` and the product of `v` with its Hessian: one more backward through the gradient.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.vhp.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.vhp(lambda x: (x ** 3).sum(), torch.tensor([1., 2.]), torch.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _product("vhp", func, inputs, v, create_graph, strict)


def hvp(func: Callable, inputs: Any, v: Any = None, create_graph: bool = False, strict: bool = False) -> tuple:
    """Return the value of `func` and the product of its Hessian with `v`.

    Computed by two backward runs more than `vhp`; prefer that one, for a Hessian is symmetric.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.functional.hvp.html

    >>> import autograd_lab as torch
    >>> torch.autograd.functional.hvp(lambda x: (x ** 3).sum(), torch.tensor([1., 2.]), torch.ones(2))
    (tensor(9.), tensor([ 6., 12.]))
    """
    return _product("hvp", func, inputs, v, create_graph, strict)
