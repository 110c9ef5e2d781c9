"""What `autograd.functional` does to arguments and results: tuples in, tuples out, checks on the way."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.entry import grad
from autograd_lab.core.op import tensors as ops
from autograd_lab.core.tensor import Tensor

STRICT = {
    "outputs": (
        "Output {} of the user-provided function does not require gradients. The outputs must be computed in a "
        "differentiable manner from the input when running in strict mode."
    ),
    "grad_inputs": (
        "The gradient with respect to input {} is independent of the inputs of the user-provided function. This is not "
        "allowed in strict mode."
    ),
    "jacobian": (
        "While computing the hessian, found that the jacobian of the user-provided function with respect to input {} "
        "is independent of the input. This is not allowed in strict mode. You should ensure that your function is "
        "twice differentiable and that the jacobian depends on the inputs (this would be violated by a linear function "
        "for example)."
    ),
    "hessian": (
        "The hessian of the user-provided function with respect to input {} is independent of the input. This is not "
        "allowed in strict mode. You should ensure that your function is thrice differentiable and that the hessian "
        "depends on the inputs."
    ),
}
MISSING = {
    "back": (
        "The output of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "back_trick": (
        "The gradient with respect to the input is independent of entry {} in the grad_outputs when using the double "
        "backward trick to compute forward mode gradients. This is not allowed in strict mode."
    ),
    "double_back": (
        "The jacobian of the user-provided function is independent of input {}. This is not allowed in strict mode."
    ),
    "double_back_trick": (
        "The hessian of the user-provided function is independent of entry {} in the grad_jacobian. This is not "
        "allowed in strict mode as it prevents from using the double backward trick to replace forward mode AD."
    ),
}


def as_tuple(given: Any, what: str, function: str) -> tuple[bool, tuple]:
    """Return (was it a tuple, the tuple); raise TypeError for anything but tensors."""
    was_tuple = isinstance(given, tuple)
    found = given if was_tuple else (given,)
    for position, one in enumerate(found):
        if not isinstance(one, Tensor):
            which = f"value at index {position}" if was_tuple else f"given {what}"
            raise TypeError(f"The {what} given to {function} must be either a Tensor or a tuple of Tensors but the "
                            f"{which} has type {type(one)}.")  # fmt: skip
    return was_tuple, found


def enter(inputs: tuple, create_graph: bool, need_graph: bool) -> tuple:
    """Return new tensors for the user's function: on the graph of the inputs if that is wanted, else leaves."""
    return tuple([
        one.view_as(one) if create_graph and one.requires_grad else one.detach().requires_grad_(need_graph)
        for one in inputs
    ])  # fmt: skip


def leave(results: Any, create_graph: bool) -> Any:
    """Return the results, nested tuples as they are, without history unless it is wanted."""
    if create_graph:
        return results
    if isinstance(results, Tensor):
        return results.detach()
    return tuple([leave(one, False) for one in results])


def only(results: tuple | list, was_tuple: bool) -> Any:
    """Return a tuple as the user's own form asks: the tuple, or its single entry."""
    return results if was_tuple else results[0]


def check_vector(v: tuple, like: tuple, was_tuple: bool) -> None:
    """Raise unless the vector has the shapes of what it is multiplied with."""
    if len(v) != len(like):
        if was_tuple:
            raise RuntimeError(f"v is a tuple of invalid length: should be {len(like)} but got {len(v)}.")
        raise RuntimeError("The given v should contain a single Tensor.")
    for position, (one, other) in enumerate(zip(v, like, strict=True)):
        if one.shape != other.shape:
            start = f"Entry {position} in " if was_tuple else ""
            raise RuntimeError(f"{start}v has invalid size: should be {other.shape} but got {one.shape}.")


def check_strict(values: tuple, kind: str, strict: bool) -> None:
    """In strict mode, raise where a value does not depend on the inputs."""
    if not strict:
        return
    for position, one in enumerate(values):
        if one is None:
            raise RuntimeError(MISSING["back"].format(position))
        if not one.requires_grad:
            raise RuntimeError(STRICT[kind].format(position))


def gradients(outputs: tuple, inputs: tuple, weights: tuple | None = None, create_graph: bool = False,
              retain_graph: bool | None = None) -> tuple:  # fmt: skip
    """Return the gradients of those outputs that have a history; None where nothing leads."""
    pairs = [
        (output, weight) for output, weight in zip(outputs, weights or (None,) * len(outputs), strict=True)
        if output is not None and output.requires_grad
    ]  # fmt: skip
    if not pairs:
        return (None,) * len(inputs)
    return grad(tuple([pair[0] for pair in pairs]), inputs, tuple([pair[1] for pair in pairs]), allow_unused=True,
                create_graph=create_graph, retain_graph=retain_graph)  # fmt: skip


def filled(grads: tuple, like: tuple, strict: bool, create_graph: bool, stage: str) -> tuple:
    """Return the gradients with zeros for those that do not exist; in strict mode, raise instead."""
    found = []
    for position, (one, other) in enumerate(zip(grads, like, strict=True)):
        if one is None:
            if strict:
                raise RuntimeError(MISSING[stage].format(position))
            one = ops.zeros_like(other)
        elif strict and create_graph and not one.requires_grad:
            what = "hessian" if "double" in stage else "jacobian"
            raise RuntimeError(f"The {what} of the user-provided function is independent of input {position}. This is "
                               "not allowed in strict mode when create_graph=True.")  # fmt: skip
        found.append(one)
    return tuple(found)
