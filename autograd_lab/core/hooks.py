"""The handle that takes a hook away again."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from typing import Any


class RemovableHandle:
    """Remove a hook by `handle.remove()`, or by leaving a `with` block.

    Source: torch.utils.hooks.RemovableHandle.

    Args:
        hooks_dict: the ordered dict that holds the hook under `handle.id`.
        extra_dict: one more dict, or a list of them, from which the id is removed too.
    """

    __module__ = "autograd_lab.utils.hooks"
    id: int
    next_id = 0

    def __init__(self, hooks_dict: Any, *, extra_dict: Any = None) -> None:
        self.hooks_dict_ref = weakref.ref(hooks_dict)
        self.id = RemovableHandle.next_id
        RemovableHandle.next_id += 1
        extra = () if extra_dict is None else (extra_dict,) if isinstance(extra_dict, dict) else tuple(extra_dict)
        self.extra_dict_ref = tuple(weakref.ref(one) for one in extra)

    def remove(self) -> None:
        """Take the hook away; a second call does nothing."""
        for ref in (self.hooks_dict_ref, *self.extra_dict_ref):
            hooks = ref()
            if hooks is not None and self.id in hooks:
                del hooks[self.id]

    def __getstate__(self) -> tuple:
        return self.hooks_dict_ref(), self.id, tuple(ref() for ref in self.extra_dict_ref)

    def __setstate__(self, state: tuple) -> None:
        hooks, self.id = state[0], state[1]
        self.hooks_dict_ref = weakref.ref(OrderedDict() if hooks is None else hooks)
        RemovableHandle.next_id = max(RemovableHandle.next_id, self.id + 1)
        extra = state[2] if len(state) > 2 else ()
        self.extra_dict_ref = tuple(weakref.ref(OrderedDict() if one is None else one) for one in extra)

    def __enter__(self) -> RemovableHandle:
        return self

    def __exit__(self, *exc: Any) -> None:
        self.remove()


class BackwardHook:
    """Placeholder that module hooks subclass; the lab's modules register on tensors instead."""


def unserializable_hook(f: Any) -> Any:
    """Mark a hook so that serializing a tensor that has it warns."""
    f.__torch_unserializable__ = True
    return f


def warn_if_has_hooks(tensor: Any) -> None:
    """Warn when a tensor that is being serialized has hooks that the file cannot keep."""
    for hook in (tensor._backward_hooks or {}).values():
        if not hasattr(hook, "__torch_unserializable__"):
            warnings.warn(
                f"backward hook {hook!r} on tensor will not be serialized.  If this is expected, you can decorate "
                "the function with @torch.utils.hooks.unserializable_hook to suppress this warning",
                stacklevel=3,
            )
