"""Listen to the user's hooks while a run is recorded: which of them changed a gradient, which of them raised."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

Hooks = MutableMapping[Any, Callable[..., Any]]
TENSOR, NODE, LEAF = "tensor", "node", "leaf"  # called with a gradient; with tuples of them; with the leaf itself


@contextmanager
def listening(groups: Iterable[tuple[str, Hooks, str]], sink: Any) -> Iterator[None]:
    """Put a listener in the place of every hook for the length of the block, and the hooks back at its end.

    Args:
        groups: (node id, the hooks by their key, how they are called).
        sink: gets `hook(node, name, before, after)` and `hook_raised(node, name)`.
    """
    placed: list[tuple[Hooks, Any, Any, Any]] = []
    try:
        for node, hooks, how in groups:
            for key, hook in list(hooks.items()):
                listener = _listener(node, hook, how, sink)
                hooks[key] = listener
                placed.append((hooks, key, listener, hook))
        yield
    finally:
        for hooks, key, listener, hook in placed:
            if hooks.get(key) is listener:  # a hook that was removed during the run stays removed
                hooks[key] = hook


def _listener(node: str, hook: Callable[..., Any], how: str, sink: Any) -> Callable[..., Any]:
    name = getattr(hook, "__name__", None) or type(hook).__name__

    def listen(*given: Any) -> Any:
        before = _read(given[0], how, sink)
        try:
            result = hook(*given)
        except BaseException:
            sink.hook_raised(node, name)
            raise
        after = _read(given[0] if result is None else result, how, sink)
        for old, new in zip(before, after):
            if old != new:
                sink.hook(node, name, old, new)
                break
        return result

    try:
        return functools.update_wrapper(listen, hook)
    except (AttributeError, TypeError):  # a callable object without the attributes of a function
        listen.__name__ = name
        return listen


def _read(value: Any, how: str, sink: Any) -> list[Any]:
    """Return digests of the gradients that a hook was given or gave back; nothing that goes wrong here may be seen."""
    try:
        found = [value.grad] if how == LEAF else list(value) if how == NODE else [value]
        return [sink.adapter.digest(grad, sink.brief) for grad in found]
    except Exception:
        return []
