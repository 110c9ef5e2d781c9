"""`allow_mutation_on_saved_tensors`: a saved tensor may be written in place, for backward gets a copy made before."""

from __future__ import annotations

import weakref
from collections.abc import Generator
from contextlib import contextmanager
from typing import Any

from autograd_lab.core.saved import new_tensor
from autograd_lab.core.state import local, refresh
from autograd_lab.core.versions import memory_of

OUTSIDE = (
    "Trying to backward outside of the 'allow_mutation_on_saved_tensors' contextin which the graph was originally "
    "recorded."
)


class _Saved:
    """One saved tensor: the tensor itself until its memory is about to be written, then a copy."""

    __slots__ = ("__weakref__", "context", "tensor")

    def __init__(self, tensor: Any, context: _AllowMutationOnSavedContext) -> None:
        self.tensor, self.context = tensor, context


class _AllowMutationOnSavedContext:
    """What the `with` statement gives: the tensors saved so far."""

    def __init__(self) -> None:
        self._by_memory: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        # Under torch's names, which its own tests read: the copies alive, and what stands for each saved tensor.
        self.cloned: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()
        self.tid_to_weakhandle: weakref.WeakValueDictionary = weakref.WeakValueDictionary()
        self._open = True

    def pack(self, tensor: Any) -> _Saved:
        """Take a saved tensor."""
        version = tensor._cell.version if tensor._cell is not None else 0
        found = self.tid_to_weakhandle.get((id(tensor), version))
        if found is None:
            found = self.tid_to_weakhandle[id(tensor), version] = _Saved(tensor, self)
        memory = memory_of(tensor)
        self._by_memory.setdefault(memory, weakref.WeakSet()).add(found)
        return found

    def unpack(self, saved: _Saved) -> Any:
        """Give it back as it was when it was saved."""
        if not self._open:
            raise AssertionError(OUTSIDE)
        return saved.tensor

    def before_write(self, tensor: Any) -> None:
        """Copy what was saved of the memory that is about to be written."""
        for saved in list(self._by_memory.pop(memory_of(tensor), ())):
            before = saved.tensor
            saved.tensor = self.cloned[saved] = new_tensor(before._array.copy(), before._node, None)

    def clear(self) -> None:
        """Forget everything."""
        self._by_memory.clear()
        self.cloned.clear()
        self.tid_to_weakhandle.clear()
        self._open = False


@contextmanager
def allow_mutation_on_saved_tensors() -> Generator[_AllowMutationOnSavedContext, None, None]:
    """Allow writing to saved tensors in place inside the block; backward has to run inside it too.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.graph.allow_mutation_on_saved_tensors

    >>> import autograd_lab as torch
    >>> x = torch.ones(2, requires_grad=True)
    >>> with torch.autograd.graph.allow_mutation_on_saved_tensors():
    ...     a = x * 1
    ...     b = a * a
    ...     a = a.mul_(100)
    ...     b.sum().backward()
    >>> x.grad
    tensor([2., 2.])
    """
    if local.mutation_guard is not None:
        raise RuntimeError("allow_mutation_on_saved_tensors contexts cannot be nested")
    context = _AllowMutationOnSavedContext()
    hooks = (context.pack, context.unpack)
    if local.hooks_disabled is not None:
        raise RuntimeError(local.hooks_disabled)
    local.pack_hooks = (*local.pack_hooks, hooks)
    local.mutation_guard = context
    refresh()
    try:
        yield context
    finally:
        context.clear()
        local.pack_hooks = local.pack_hooks[:-1]
        local.mutation_guard = None
        refresh()
