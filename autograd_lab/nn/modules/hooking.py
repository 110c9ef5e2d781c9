"""Calling a module: hooks before and after `forward`, and hooks around its backward."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.tensor import Tensor

MIXED = (
    "Cannot use both regular backward hooks and full backward hooks on a single Module. Please use only one of them."
)
OUTPUT = "For backward hooks to be called, module output should be a Tensor or a tuple of Tensors but received {}"
SILENCED = "module forward hook with ``always_call=True`` raised an exception that was silenced as another error was raised in forward: {}"  # noqa: E501


class Hooking:
    """The part of Module that calls `forward` and the hooks around it."""

    _forward_hooks: OrderedDict
    _forward_hooks_with_kwargs: OrderedDict
    _forward_hooks_always_called: OrderedDict
    _forward_pre_hooks: OrderedDict
    _forward_pre_hooks_with_kwargs: OrderedDict
    _backward_hooks: OrderedDict
    _backward_pre_hooks: OrderedDict
    _is_full_backward_hook: bool | None

    def forward(self, *input: Any) -> Any:
        """Compute the module's output; every subclass defines it."""
        raise NotImplementedError(f'Module [{type(self).__name__}] is missing the required "forward" function')

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the hooks and `forward`."""
        if not (self._forward_hooks or self._forward_pre_hooks or self._backward_hooks or self._backward_pre_hooks):
            return self.forward(*args, **kwargs)
        called: set[int] = set()
        seen: list[Any] = [args, kwargs, None]
        try:
            return self._call_hooked(seen, called)
        except Exception:
            self._call_always(seen, called)
            raise

    def _call_hooked(self, seen: list, called: set[int]) -> Any:
        """Run hooks and forward; `seen` keeps the arguments and the result for hooks that are always called."""
        for number, hook in list(self._forward_pre_hooks.items()):
            self._call_pre(number, hook, seen)
        around = None
        if self._backward_pre_hooks or (self._backward_hooks and self._is_full_backward_hook):
            from autograd_lab.nn.modules.backward_hooks import AroundBackward

            around = AroundBackward(self, list(self._backward_hooks.values()), list(self._backward_pre_hooks.values()))
            seen[0] = around.watch_inputs(seen[0])
        seen[2] = self.forward(*seen[0], **seen[1])
        for number, hook in list(self._forward_hooks.items()):
            if number in self._forward_hooks_always_called:
                called.add(number)
            changed = self._call_post(number, hook, seen)
            if changed is not None:
                seen[2] = changed
        if around is not None:
            if not isinstance(seen[2], (Tensor, tuple)):
                warnings.warn(OUTPUT.format(type(seen[2])), stacklevel=3)
            seen[2] = around.watch_outputs(seen[2])
        if self._backward_hooks and self._is_full_backward_hook is False:
            from autograd_lab.nn.modules.backward_hooks import hang_on_output

            hang_on_output(self, seen[0], seen[2], list(self._backward_hooks.values()))
        return seen[2]

    def _call_pre(self, number: int, hook: Callable, seen: list) -> None:
        if number not in self._forward_pre_hooks_with_kwargs:
            changed = hook(self, seen[0])
            if changed is not None:
                seen[0] = changed if isinstance(changed, tuple) else (changed,)
            return
        changed = hook(self, seen[0], seen[1])
        if changed is None:
            return
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise RuntimeError(
                f"forward pre-hook must return None or a tuple of (new_args, new_kwargs), but got {changed}."
            )
        seen[0], seen[1] = changed

    def _call_post(self, number: int, hook: Callable, seen: list) -> Any:
        if number in self._forward_hooks_with_kwargs:
            return hook(self, seen[0], seen[1], seen[2])
        return hook(self, seen[0], seen[2])

    def _call_always(self, seen: list, called: set[int]) -> None:
        """After an error, run the hooks with `always_call=True` that have not run."""
        for number, hook in list(self._forward_hooks.items()):
            if number in self._forward_hooks_always_called and number not in called:
                try:
                    changed = self._call_post(number, hook, seen)
                    seen[2] = seen[2] if changed is None else changed
                except Exception as error:
                    warnings.warn(SILENCED.format(error), stacklevel=3)

    def register_forward_pre_hook(self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False) -> Any:
        """Call `hook(module, args)` before `forward`; a returned value replaces the arguments."""
        return _add(self._forward_pre_hooks, hook, prepend,
                    [self._forward_pre_hooks_with_kwargs] if with_kwargs else [])  # fmt: skip

    def register_forward_hook(self, hook: Callable, *, prepend: bool = False, with_kwargs: bool = False,
                              always_call: bool = False) -> RemovableHandle:  # fmt: skip
        """Call `hook(module, args, output)` after `forward`; a returned value replaces the output."""
        marks = [self._forward_hooks_with_kwargs] if with_kwargs else []
        marks += [self._forward_hooks_always_called] if always_call else []
        return _add(self._forward_hooks, hook, prepend, marks)

    def register_full_backward_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_input, grad_output)` when the gradients of the module's inputs are known.

        A returned tuple replaces `grad_input`.
        """
        if self._is_full_backward_hook is False:
            raise RuntimeError(MIXED)
        self._is_full_backward_hook = True
        return _add(self._backward_hooks, hook, prepend, [])

    def register_full_backward_pre_hook(self, hook: Callable, prepend: bool = False) -> RemovableHandle:
        """Call `hook(module, grad_output)` when the gradients of the module's outputs are known."""
        return _add(self._backward_pre_hooks, hook, prepend, [])

    def register_backward_hook(self, hook: Callable) -> RemovableHandle:
        """Call a hook at the node of the output alone: deprecated, use `register_full_backward_hook`."""
        if self._is_full_backward_hook is True:
            raise RuntimeError(MIXED)
        self._is_full_backward_hook = False
        return _add(self._backward_hooks, hook, False, [])


def _add(table: OrderedDict, hook: Callable, prepend: bool, marks: list[OrderedDict]) -> RemovableHandle:
    """Register a hook, and its number in the tables that say how it is called."""
    handle = RemovableHandle(table, extra_dict=marks)
    table[handle.id] = hook
    for mark in marks:
        mark[handle.id] = True
    if prepend:
        table.move_to_end(handle.id, last=False)
    return handle
