"""Switches of gradient recording: contexts, functions and decorators, for the thread that uses them."""

from typing import Any

from autograd_lab.core import versions
from autograd_lab.core.missing import answers_for
from autograd_lab.core.state import grad_enabled, set_grad, set_inference
from autograd_lab.core.state import mode as plain_or_exact
from autograd_lab.core.tensor import Tensor
from autograd_lab.utils._contextlib import _DecoratorContextManager, _NoParamDecoratorContextManager

__all__ = [
    "enable_grad",
    "enforce_grad_layout_policy",
    "inference_mode",
    "no_grad",
    "set_grad_enabled",
    "set_multithreading_enabled",
]  # fmt: skip
__getattr__ = answers_for("torch.autograd.grad_mode", __all__)


def must_be_bool(function: str, value: Any) -> bool:
    """Return a flag, or raise torch's TypeError."""
    if type(value) is not bool:
        raise TypeError(
            f"{function}(): argument 'enabled' (position 1) must be bool, not {type(value).__name__}"
        )
    return value


class no_grad(_NoParamDecoratorContextManager):
    """Record nothing inside the block or the decorated function.

    Results of operations have requires_grad=False. What was recorded before stays as it is.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.no_grad.html

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.], requires_grad=True)
    >>> with torch.no_grad():
    ...     y = x * 2
    >>> y.requires_grad
    False
    """

    def __init__(self) -> None:
        self.prev = False

    def __enter__(self) -> None:
        self.prev = set_grad(False)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad(self.prev)


class enable_grad(_NoParamDecoratorContextManager):
    """Record again inside the block or the decorated function, for use within no_grad.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.enable_grad.html

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.], requires_grad=True)
    >>> with torch.no_grad(), torch.enable_grad():
    ...     y = x * 2
    >>> y.requires_grad
    True
    """

    def __enter__(self) -> None:
        self.prev = set_grad(True)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad(self.prev)


class set_grad_enabled(_DecoratorContextManager):
    """Switch recording on or off: at once when called as a function, for a block as a context, or as a decorator.

    Raises TypeError when `mode` is not a bool.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad_mode.set_grad_enabled.html

    >>> import autograd_lab as torch
    >>> with torch.set_grad_enabled(False):
    ...     torch.is_grad_enabled()
    False
    """

    def __init__(self, mode: bool) -> None:
        self.prev = grad_enabled()
        self.mode = mode
        set_grad(must_be_bool("set_grad_enabled", mode))

    def __call__(self, orig_func: Any) -> Any:
        """Decorate a function, and undo the switch that making this object was."""
        set_grad(self.prev)
        return super().__call__(orig_func)

    def __enter__(self) -> None:
        set_grad(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        set_grad(self.prev)

    def __str__(self) -> str:
        return f"{type(self).__module__}.{type(self).__qualname__}(mode={self.mode})"

    __repr__ = __str__

    def clone(self) -> "set_grad_enabled":
        """Return a context with the same mode."""
        return self.__class__(self.mode)


class inference_mode(_DecoratorContextManager):
    """Record nothing and count no versions: tensors made inside cannot take part in a graph later.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.grad_mode.inference_mode.html

    >>> import autograd_lab as torch
    >>> with torch.inference_mode():
    ...     torch.ones(1).is_inference()
    True
    """

    def __new__(cls, mode: Any = True) -> Any:  # noqa: D102
        if isinstance(mode, bool):
            return super().__new__(cls)
        return cls()(mode)

    def __init__(self, mode: bool = True) -> None:
        self.mode = mode
        self._before = (False, True)

    def __enter__(self) -> None:
        self._before = set_inference(self.mode)

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        inference, grad = self._before
        set_inference(inference)
        set_grad(grad)

    def clone(self) -> "inference_mode":
        """Return a context with the same mode."""
        return self.__class__(self.mode)


class set_multithreading_enabled(_DecoratorContextManager):
    """Accept torch's switch. A backward run of the lab stays in the thread that called it.

    Switched off, runs keep torch's order of events, so that `torch._C._current_graph_task_execution_order` can tell it.
    """

    enabled = True

    def __init__(self, mode: bool) -> None:
        self.prev = set_multithreading_enabled.enabled
        self.mode = mode
        self._set(must_be_bool("set_multithreading_enabled", mode))

    @staticmethod
    def _set(enabled: bool) -> None:
        plain_or_exact.extras += set_multithreading_enabled.enabled - enabled
        set_multithreading_enabled.enabled = enabled

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        self._set(self.prev)

    def clone(self) -> "set_multithreading_enabled":
        """Return a context with the same mode."""
        return self.__class__(self.mode)


class enforce_grad_layout_policy(_DecoratorContextManager):
    """Accept torch's switch. The lab has one layout."""

    enabled = True

    def __init__(self, enable: bool = True) -> None:
        self.prev = enforce_grad_layout_policy.enabled
        self.enable = enable
        enforce_grad_layout_policy.enabled = enable

    def __enter__(self) -> None:
        pass

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        enforce_grad_layout_policy.enabled = self.prev

    def clone(self) -> "enforce_grad_layout_policy":
        """Return a context with the same setting."""
        return self.__class__(self.enable)


class _unsafe_preserve_version_counter(_DecoratorContextManager):
    """Give one tensor, or a tuple of them, the version on leaving that it had on entering."""

    def __init__(self, tensors: Tensor | tuple[Tensor, ...]) -> None:
        self.tensors = (tensors,) if isinstance(tensors, Tensor) else tensors
        if not isinstance(self.tensors, tuple):
            raise AssertionError("Expected tensors to be a tuple")

    def __enter__(self) -> None:
        self._before = []
        for tensor in self.tensors:
            cell = versions.cell_of(tensor)
            self._before.append((cell, cell.version, cell.last, list(cell.log or ())))

    def __exit__(self, exc_type: Any, exc_value: Any, traceback: Any) -> None:
        for cell, version, last, log in self._before:
            cell.version, cell.last, cell.log = version, last, log


def is_multithreading_enabled() -> bool:
    """Return what set_multithreading_enabled was last given."""
    return set_multithreading_enabled.enabled
