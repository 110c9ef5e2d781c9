"""One hook for the gradients of several tensors: `register_multi_grad_hook`."""

from __future__ import annotations

import functools
import threading
import weakref
from collections.abc import Callable, Sequence
from typing import Any

from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.state import local


class _MultiHandle(RemovableHandle):
    """Removes the hook from all of its tensors."""

    def __init__(self, handles: tuple[RemovableHandle, ...]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Take the hook away."""
        for handle in self.handles:
            handle.remove()

    def __getstate__(self) -> tuple[RemovableHandle, ...]:
        return self.handles

    def __setstate__(self, state: tuple[RemovableHandle, ...]) -> None:
        self.handles = state


def node_of(tensor: Any) -> Any:
    """Return the engine's node at which the tensor's gradient arrives."""
    place = tensor._node
    if place is None or place.hidden:
        raise AssertionError("Expected gradient function to be set")
    return place.node if place.kind == 2 else place


def register(tensors: Sequence[Any], fn: Callable, mode: str) -> RemovableHandle:
    """Hook `fn` to the tensors; see `graph.register_multi_grad_hook`."""
    if mode not in ("all", "any"):
        raise ValueError(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "all":
        return _MultiHandle(_register_all(tensors, fn))
    return _MultiHandle(_register_any(tensors, fn))


def _register_all(tensors: Sequence[Any], fn: Callable) -> tuple[RemovableHandle, ...]:
    nodes = [node_of(tensor) for tensor in tensors]
    runs: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()    # run -> [gradients, how many are still to come]
    lock = threading.Lock()

    def arrived(position: int, grad: Any) -> None:
        run = local.run
        if run is None:
            raise AssertionError("expected this hook to be called inside a backward call")
        with lock:
            if run not in runs:
                runs[run] = [[None] * len(nodes), sum(run.reaches(node) for node in nodes)]
            state = runs[run]
            state[0][position] = grad
            state[1] -= 1
            done = state[1] == 0
            if done:
                del runs[run]
        if done:
            fn(state[0])

    def hook_of(position: int) -> Callable:
        def inner_hook(grad: Any) -> None:
            arrived(position, grad)

        # Warnings about hooks that a file cannot keep name the function, as torch does.
        inner_hook.__qualname__ = "register_multi_grad_hook.<locals>.get_inner_hook.<locals>.inner_hook"
        return inner_hook

    return tuple([tensor.register_hook(hook_of(k)) for k, tensor in enumerate(tensors)])


def _register_any(tensors: Sequence[Any], fn: Callable) -> tuple[RemovableHandle, ...]:
    seen: weakref.WeakSet = weakref.WeakSet()
    lock = threading.Lock()

    @functools.wraps(fn)
    def arrived(grad: Any) -> None:
        with lock:
            first = local.run not in seen
            seen.add(local.run)
        if first:
            fn(grad)

    return tuple([tensor.register_hook(arrived) for tensor in tensors if tensor.requires_grad])
