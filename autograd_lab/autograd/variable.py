"""`Variable`, which since 0.4 is another name for Tensor: calling it makes one, every Tensor is an instance."""

from __future__ import annotations

import operator
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lab.core.dtypes import get_default_dtype
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.missing import answers_for
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.errors import explain

__all__ = ["Variable", "VariableMeta"]
__getattr__ = answers_for("torch.autograd.variable", __all__)
_NAMES = ("data", "requires_grad", "volatile", "_grad_fn", "name")


class _LegacyVariableBase:
    """The constructor of old: `Variable(data, requires_grad=False, volatile=False)`."""

    __module__ = "torch._C"

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        given = dict(zip(_NAMES, args, strict=False))
        for name, value in kwargs.items():
            if name not in _NAMES:
                raise TypeError(f"'{name}' is an invalid keyword argument for this function")
            given[name] = value
        requires_grad = bool(operator.index(given.get("requires_grad", False)))
        volatile = bool(operator.index(given.get("volatile", False)))
        if volatile:
            warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.",
                          stacklevel=2)  # fmt: skip
        if volatile and requires_grad:
            raise ValueError("Variable can't be volatile and require_grad at the same time!")
        data = given.get("data")
        if data is None:
            made = wrap(np.zeros(0, get_default_dtype().numpy))
        elif not isinstance(data, Tensor):
            refuse_strangers("Variable", data)
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        else:
            made = data.detach()
        if requires_grad:
            if not made.is_floating_point():
                raise explain(RuntimeError("Only Tensors of floating point and complex dtype can require gradients"),
                              "integer_grad")  # fmt: skip
            made.requires_grad_()
        return made


class VariableMeta(type):
    """Says that a Tensor is a Variable."""

    def __instancecheck__(cls, other: object) -> bool:
        return isinstance(other, Tensor)


class _EngineBase:
    """The handle on the running backward that `Variable._execution_engine` is."""

    __module__ = "torch._C"

    def queue_callback(self, callback: Callable[[], Any]) -> None:
        """Call `callback()` when the backward run that is going on has finished.

        Raises RuntimeError outside a backward run.
        """
        from autograd_lab.core.reentrant import queue_callback

        queue_callback(callback)

    def is_checkpoint_valid(self) -> bool:
        """Say whether the backward run that is going on computes the gradients of all leaves."""
        from autograd_lab.core.state import local

        return not local.selective


class Variable(_LegacyVariableBase, metaclass=VariableMeta):  # noqa: D101 (torch's has no docstring either)
    _execution_engine = _EngineBase()


def variable(*args: Any, **kwargs: Any) -> Any:
    raise RuntimeError("torch.autograd.variable(...) is deprecated, use torch.tensor(...) instead")


variable.Variable = Variable  # type: ignore[attr-defined]
variable.__module__ = "autograd_lab.autograd"
