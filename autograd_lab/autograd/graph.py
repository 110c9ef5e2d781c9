"""The graph as a thing to look at and to hook into: nodes, edges, saved-tensor hooks, multi-tensor hooks.

Source: https://docs.pytorch.org/docs/stable/autograd.html#module-torch.autograd.graph
"""

import abc
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Literal

from autograd_lab.autograd._context import BackwardCFunction
from autograd_lab.autograd._multi_hooks import _MultiHandle, register
from autograd_lab.autograd._mutation import _AllowMutationOnSavedContext, allow_mutation_on_saved_tensors
from autograd_lab.core.edges import GradientEdge, get_gradient_edge
from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.missing import answers_for
from autograd_lab.core.node import node_classes
from autograd_lab.core.state import local, refresh
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import touch

__all__ = [  # noqa: RUF022 (torch's order)
    "saved_tensors_hooks",
    "save_on_cpu",
    "disable_saved_tensors_hooks",
    "register_multi_grad_hook",
    "allow_mutation_on_saved_tensors",
    "Node",
    "GradientEdge",
    "get_gradient_edge",
    "increment_version",
    "region_activation_memory_budget",
    "set_warn_on_accumulate_grad_stream_mismatch",
    "set_override_stale_capture_stream",
]
__getattr__ = answers_for("torch.autograd.graph", __all__)


class Node(abc.ABC):
    """What every `grad_fn` is an instance of, whatever its class.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.graph.Node.name.html

    >>> import autograd_lab as torch
    >>> y = torch.ones(1, requires_grad=True).exp()
    >>> isinstance(y.grad_fn, torch.autograd.graph.Node)
    True
    """

    @abc.abstractmethod
    def name(self) -> str:
        """Return the name, such as 'MulBackward0'."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def next_functions(self) -> "tuple[tuple[Node | None, int], ...]":
        """The nodes that gradients are sent to, each with the number of the output that it made."""
        raise NotImplementedError

    @abc.abstractmethod
    def metadata(self) -> dict:
        """A dict for the user's own notes."""
        raise NotImplementedError

    @property
    @abc.abstractmethod
    def _input_metadata(self) -> list[Any]:
        raise NotImplementedError

    @abc.abstractmethod
    def _register_hook_dict(self, tensor: Tensor) -> None:
        raise NotImplementedError

    @abc.abstractmethod
    def _sequence_nr(self) -> int:
        raise NotImplementedError

    @abc.abstractmethod
    def register_hook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after the node has run."""
        raise NotImplementedError

    @abc.abstractmethod
    def register_prehook(self, fn: Callable[..., Any]) -> RemovableHandle:
        """Call `fn(grad_outputs)` before the node runs."""
        raise NotImplementedError

    @classmethod
    def __subclasshook__(cls, subclass: type) -> bool:
        if cls is Node and (subclass in node_classes or issubclass(subclass, BackwardCFunction)):
            return True
        return NotImplemented


class saved_tensors_hooks:
    """Let `pack_hook(tensor)` decide what is kept of each saved tensor, and `unpack_hook` give a tensor back.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.graph.saved_tensors_hooks

    >>> import autograd_lab as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 10, lambda t: t):
    ...     y = x.exp()
    >>> y.sum().backward()
    >>> x.grad
    tensor([27.1828, 27.1828])
    """

    def __init__(self, pack_hook: Callable[[Tensor], Any], unpack_hook: Callable[[Any], Tensor]) -> None:
        self.pack_hook = pack_hook
        self.unpack_hook = unpack_hook

    def __enter__(self) -> None:
        if local.hooks_disabled is not None:
            raise RuntimeError(local.hooks_disabled)
        if not callable(self.pack_hook) or not callable(self.unpack_hook):
            raise TypeError(
                "_push_saved_tensors_default_hooks(): incompatible function arguments. The following argument types "
                "are supported:\n    1. (arg0: collections.abc.Callable, arg1: collections.abc.Callable) -> None\n\n"
                f"Invoked with: {self.pack_hook!r}, {self.unpack_hook!r}"
            )
        local.pack_hooks = (*local.pack_hooks, (self.pack_hook, self.unpack_hook))
        refresh()

    def __exit__(self, *args: object) -> None:
        local.pack_hooks = local.pack_hooks[:-1]
        refresh()


class save_on_cpu(saved_tensors_hooks):
    """Keep saved tensors in main memory, where the lab's tensors are anyway."""

    def __init__(self, pin_memory: bool = False, device_type: str = "cuda") -> None:
        super().__init__(lambda tensor: (tensor.device, tensor), lambda packed: packed[1])


@contextmanager
def disable_saved_tensors_hooks(error_message: str) -> Generator[None, None, None]:
    """Raise RuntimeError(error_message) when saved-tensor hooks are used inside the block."""
    before = local.hooks_disabled
    if local.pack_hooks:
        raise RuntimeError(error_message)
    local.hooks_disabled = error_message
    try:
        yield
    finally:
        local.hooks_disabled = before


def increment_version(tensor: Tensor | Iterable[Tensor]) -> None:
    """Say that a tensor was written where the lab could not see it, as by NumPy: a later backward will know.

    >>> import autograd_lab as torch
    >>> t = torch.ones(2)
    >>> torch.autograd.graph.increment_version(t)
    >>> t._version
    1
    """
    if isinstance(tensor, Tensor):
        tensor = (tensor,)
    try:
        tensors = list(tensor)
    except TypeError:
        raise RuntimeError("increment_version expect a Iterable[Tensor] as input") from None
    for one in tensors:
        if not isinstance(one, Tensor):
            raise RuntimeError("increment_version expects each element of the iterable to be a tensor")
        if not one.is_inference():
            touch(one)


def register_multi_grad_hook(
    tensors: Sequence[Tensor],
    fn: Callable[[Sequence[Tensor | None]], None] | Callable[[Tensor], None],
    *,
    mode: Literal["all", "any"] = "all",
) -> RemovableHandle:
    """Call one hook for several tensors.

    With mode "all": once a run, when the gradients of all of them that the run will reach are there, with a list in
    which the others are None. With "any": once a run, with the first gradient.
    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.graph.register_multi_grad_hook

    >>> import autograd_lab as torch
    >>> x, y = torch.ones(1, requires_grad=True), torch.ones(1, requires_grad=True)
    >>> handle = torch.autograd.graph.register_multi_grad_hook((x, y), print)
    >>> (x * 2 + y * 3).backward()
    [tensor([2.]), tensor([3.])]
    """
    return register(tensors, fn, mode)


def region_activation_memory_budget(budget: float) -> AbstractContextManager[None]:
    """Accept torch's call for its compiler, of which the lab has none."""
    return nullcontext()


warns_of_streams = True


def set_warn_on_accumulate_grad_stream_mismatch(enabled: bool) -> None:
    """Keep torch's switch: there are no streams on the CPU to warn of."""
    global warns_of_streams
    warns_of_streams = bool(enabled)


def set_override_stale_capture_stream(enabled: bool) -> None:
    """Accept torch's call: there are no streams on the CPU."""


for _one in (_MultiHandle, _AllowMutationOnSavedContext, allow_mutation_on_saved_tensors):
    _one.__module__ = __name__
