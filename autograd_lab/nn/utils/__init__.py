"""Gradients clipped, and parameters as one vector: torch's `torch.nn.utils`, the part that a small net needs."""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from typing import Any

from autograd_lab.autograd import no_grad
from autograd_lab.core.foreign import is_stranger, refuse_strangers
from autograd_lab.core.missing import answers_for
from autograd_lab.core.op import functions
from autograd_lab.core.tensor import Tensor

__all__ = ["clip_grad_norm", "clip_grad_norm_", "clip_grad_value_", "get_total_norm", "parameters_to_vector",
           "vector_to_parameters"]  # fmt: skip
__getattr__ = answers_for("torch.nn.utils", __all__)


def _gradients(parameters: Any) -> list[Tensor]:
    parameters = [parameters] if isinstance(parameters, Tensor) or is_stranger(parameters) else list(parameters)
    refuse_strangers("clip_grad", parameters)
    return [parameter.grad for parameter in parameters if parameter.grad is not None]


def get_total_norm(tensors: Any, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                   foreach: bool | None = None) -> Tensor:  # fmt: skip
    """Return the norm of all tensors' elements together; raise RuntimeError if asked to and it is not finite."""
    with no_grad():
        return _total_norm([tensors] if isinstance(tensors, Tensor) else list(tensors), norm_type, error_if_nonfinite)


def _total_norm(tensors: list[Tensor], norm_type: float, error_if_nonfinite: bool) -> Tensor:
    norm = _vector_norm
    norm_type = float(norm_type)
    if not tensors:
        return functions["tensor"](0.0)
    total = norm(functions["stack"]([norm(tensor, norm_type) for tensor in tensors]), norm_type)
    if error_if_nonfinite and bool(functions["isnan"](total) | functions["isinf"](total)):
        raise RuntimeError(
            f"The total norm of order {norm_type} for gradients from `parameters` is non-finite, so it cannot be "
            "clipped. To disable this error and scale the gradients by the non-finite norm anyway, set "
            "`error_if_nonfinite=False`"
        )
    return total


def _vector_norm(tensor: Tensor, order: float) -> Tensor:
    from autograd_lab import linalg

    return linalg.vector_norm(tensor, order)


def clip_grad_norm_(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                    foreach: bool | None = None) -> Tensor:  # fmt: skip
    """Scale all gradients in place so that their norm together is at most `max_norm`; return the norm before.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.utils.clip_grad_norm_.html
    """
    with no_grad():
        gradients = _gradients(parameters)
        total = _total_norm(gradients, norm_type, error_if_nonfinite)
        factor = (float(max_norm) / (total + 1e-6)).clamp(max=1.0)
        for gradient in gradients:
            gradient.mul_(factor)
        return total


def clip_grad_norm(parameters: Any, max_norm: float, norm_type: float = 2.0, error_if_nonfinite: bool = False,
                   foreach: bool | None = None) -> Tensor:  # fmt: skip
    """Call `clip_grad_norm_` under its name of old, with torch's warning."""
    warnings.warn("torch.nn.utils.clip_grad_norm is now deprecated in favor of torch.nn.utils.clip_grad_norm_.",
                  FutureWarning, stacklevel=2)  # fmt: skip
    return clip_grad_norm_(parameters, max_norm, norm_type, error_if_nonfinite, foreach)


def clip_grad_value_(parameters: Any, clip_value: float, foreach: bool | None = None) -> None:
    """Cut every element of all gradients off at ±`clip_value`, in place."""
    limit = float(clip_value)
    with no_grad():
        for gradient in _gradients(parameters):
            gradient.clamp_(min=-limit, max=limit)


def parameters_to_vector(parameters: Iterable[Tensor]) -> Tensor:
    """Return all parameters' elements as one vector, differentiably."""
    return functions["cat"]([parameter.reshape(-1) for parameter in parameters])


def vector_to_parameters(vec: Tensor, parameters: Iterable[Tensor]) -> None:
    """Make the parameters share the memory of consecutive parts of a vector.

    Raises TypeError unless `vec` is a tensor.
    """
    if not isinstance(vec, Tensor):
        raise TypeError(f"expected torch.Tensor, but got: {type(vec).__module__}.{type(vec).__qualname__}".replace(
            "builtins.", ""))  # fmt: skip
    start = 0
    for parameter in parameters:
        end = start + parameter.numel()
        parameter.data = vec[start:end].view_as(parameter).data
        start = end
