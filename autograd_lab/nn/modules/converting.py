"""What is done to a module as a whole: another dtype, training or evaluation, gradients cleared or switched off."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from autograd_lab.autograd import no_grad
from autograd_lab.core import dtypes
from autograd_lab.core.parameter import Parameter, clear_gradients
from autograd_lab.core.tensor import Tensor, device

REPLICA = (
    "Calling .zero_grad() from a module created with nn.DataParallel() has no effect. The parameters are copied (in a "
    "differentiable manner) from the original module. This means they are not leaf nodes in autograd and so don't "
    "accumulate gradients. If you need gradients in your forward method, consider using autograd.grad instead."
)


class Converting:
    """The part of Module that changes all members at once."""

    training: bool
    _parameters: dict[str, Any]
    _buffers: dict[str, Any]

    def _apply(self, fn: Callable, recurse: bool = True) -> Any:
        """Replace the data of every parameter, of its gradient and of every buffer by what `fn` makes of it."""
        if recurse:
            for child in self.children():  # type: ignore[attr-defined]
                child._apply(fn)
        for parameter in self._parameters.values():
            if parameter is None:
                continue
            grad = parameter.grad
            with no_grad():
                changed = fn(parameter)
                changed_grad = None if grad is None else fn(grad)
            if changed is not parameter:
                if changed_grad is not None:
                    parameter.grad = None
                parameter.data = changed
            if changed_grad is not None and changed_grad is not grad:
                parameter.grad = changed_grad.requires_grad_(grad.requires_grad)
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = fn(buffer)
        return self

    def apply(self, fn: Callable) -> Any:
        """Call `fn(module)` for every module below and then for this one; return this module."""
        for child in self.children():  # type: ignore[attr-defined]
            child.apply(fn)
        fn(self)
        return self

    def type(self, dst_type: Any) -> Any:
        """Convert all parameters and buffers to a dtype."""
        return self._apply(lambda t: t.type(dst_type))

    def float(self) -> Any:
        """Convert the floating-point parameters and buffers to float32."""
        return self._apply(lambda t: t.float() if t.is_floating_point() else t)

    def double(self) -> Any:
        """Convert the floating-point parameters and buffers to float64."""
        return self._apply(lambda t: t.double() if t.is_floating_point() else t)

    def half(self) -> Any:
        """Convert the floating-point parameters and buffers to float16."""
        return self._apply(lambda t: t.half() if t.is_floating_point() else t)

    def cpu(self) -> Any:
        """Return the module as it is: it is on the CPU already."""
        return self

    def to(self, *args: Any, **kwargs: Any) -> Any:
        """Convert the floating-point parameters and buffers to a dtype, or to that of a tensor; a device is accepted.

        Raises TypeError for a dtype that is not floating-point.
        """
        dtype = kwargs.get("dtype")
        for value in (*args, kwargs.get("device"), kwargs.get("tensor")):
            if isinstance(value, dtypes.dtype):
                dtype = value
            elif isinstance(value, Tensor):
                dtype = value.dtype
            elif isinstance(value, str):
                device(value)
        if dtype is None:
            return self
        if not dtype.is_floating_point:
            raise TypeError("nn.Module.to only accepts floating point or complex dtypes, but got desired "
                            f"dtype={dtype}")  # fmt: skip
        return self._apply(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def train(self, mode: bool = True) -> Any:
        """Put this module and all below it into training mode (Dropout drops, BatchNorm uses the batch)."""
        if not isinstance(mode, bool):
            raise ValueError("training mode is expected to be boolean")
        self.training = mode
        for child in self.children():  # type: ignore[attr-defined]
            child.train(mode)
        return self

    def eval(self) -> Any:
        """Put this module and all below it into evaluation mode."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Switch recording for all parameters; return the module."""
        for parameter in self.parameters():  # type: ignore[attr-defined]
            parameter.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or (`set_to_none=False`) fill them with zeros."""
        if getattr(self, "_is_replica", False):
            warnings.warn(REPLICA, stacklevel=2)
        clear_gradients(self.parameters(), set_to_none)  # type: ignore[attr-defined]

    def share_memory(self) -> Any:
        """Return the module: one process has nothing to share."""
        return self


__all__ = ["Converting", "Parameter"]
