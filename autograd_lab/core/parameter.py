"""Parameters: tensors that a module counts among what it learns. `nn.parameter` is their public address."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import get_default_dtype
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.tensor import Tensor, TensorMeta, wrap


def clear_gradients(parameters: Iterable[Tensor], set_to_none: bool) -> None:
    """Forget the gradients of parameters, or (`set_to_none=False`) fill them with zeros, out of their graph."""
    for parameter in parameters:
        if parameter.grad is None:
            continue
        if set_to_none:
            parameter.grad = None
            continue
        if parameter.grad.grad_fn is not None:
            parameter.grad.detach_()
        else:
            parameter.grad.requires_grad_(False)
        parameter.grad.zero_()


class _ParameterMeta(TensorMeta):
    def __instancecheck__(cls, instance: Any) -> bool:  # noqa: N805 (of a metaclass)
        # A tensor subclass stays what it is when it becomes a parameter; a mark on it says that it is one.
        if cls is Parameter and isinstance(instance, Tensor) and instance.__dict__.get("_is_param", False):
            return True
        return super().__instancecheck__(instance)


class Parameter(Tensor, metaclass=_ParameterMeta):
    """A tensor that becomes a parameter of the module it is assigned to.

    Args:
        data: the tensor whose memory the parameter shares; without it an empty one.
        requires_grad: whether gradients flow to it; not lowered by `no_grad`.

    Raises RuntimeError for data that cannot require gradients (integers, bools).
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.parameter.Parameter.html

    >>> import autograd_lab as torch
    >>> torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    Parameter containing:
    tensor([1., 2.], requires_grad=True)
    """

    __module__ = "autograd_lab.nn.parameter"

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Any:
        """Return the tensor as a parameter; a tensor of another subclass keeps its class."""
        if data is None:
            data = wrap(np.empty((0,), get_default_dtype().numpy))
        refuse_strangers("Parameter", data)
        made = data.detach()
        if type(data) is Tensor or type(data) is Parameter:
            made.__class__ = cls
        else:
            made.__class__ = type(data)
            made.__dict__.update(data.__dict__)
            made._is_param = True
        if requires_grad and made._array.dtype.kind != "f":
            from autograd_lab.errors import explain

            raise explain(RuntimeError("Only Tensors of floating point and complex dtype can require gradients"),
                          "integer_grad")  # fmt: skip
        return made.requires_grad_(requires_grad)

    def __deepcopy__(self, memo: dict) -> Any:
        if id(self) in memo:
            return memo[id(self)]
        made = type(self)(wrap(np.array(self._array)), self.requires_grad)
        memo[id(self)] = made
        return made

    def __copy__(self) -> Any:
        made = super().__copy__()
        made._cell.version = 0
        return made

    def __repr__(self) -> str:  # type: ignore[override]
        return "Parameter containing:\n" + super().__repr__()

    def __reduce_ex__(self, protocol: Any) -> tuple:
        hooks: OrderedDict = OrderedDict()
        state = {name: value for name, value in self.__dict__.items() if name != "_is_param"}
        return _rebuild_parameter, (wrap(np.array(self._array)), self.requires_grad, hooks, state)


def _rebuild_parameter(data: Any, requires_grad: bool, backward_hooks: Any, state: dict | None = None) -> Any:
    made = Parameter(data, requires_grad)
    if state:
        made.__dict__.update(state)
    return made
