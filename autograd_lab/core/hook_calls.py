"""Calling the user's hooks during backward: arrays become tensors on the way in, and are checked on the way out."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.tensor import Tensor, extra_of, wrap


def _shown(grads: Any, recorded: bool) -> list:
    return [grad if recorded or grad is None else wrap(grad) for grad in grads]


def _hidden(grads: Any, recorded: bool) -> list:
    return [grad if recorded or grad is None else grad._array for grad in grads]


def hook_name(hook: Any) -> str:
    """Return the name of a hook as torch's messages show it."""
    return getattr(hook, "__name__", None) or type(hook).__name__


def check_result(before: Any, after: Any, hook: Any) -> None:
    """Refuse a hook's result that is no tensor or does not fit."""
    if not isinstance(after, Tensor):
        raise TypeError(f"expected Variable, but hook returned '{type(after).__name__}'")
    if before is None:
        return
    if after._array.dtype is not before._array.dtype:
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has changed the type of value (was {before.dtype.shown_type} got "
            f"{after.dtype.shown_type})"
        )
    if after._array.shape != before._array.shape:
        raise RuntimeError(f"hook '{hook_name(hook)}' has changed the size of value")


def call_tensor_hooks(extra: Any, grads: list, recorded: bool) -> list:
    """Call the hooks of the tensors that the node made, then store the gradients that are retained."""
    found = _shown(grads, recorded)
    for nr, dicts in list(extra.tensor_hooks.items()):
        for hooks in list(dicts):
            for hook in list(hooks.values()):
                result = hook(found[nr])
                if result is not None:
                    check_result(found[nr], result, hook)
                    found[nr] = result
    for nr, ref in list(extra.retain.items()):
        tensor = ref()
        grad = found[nr]
        if tensor is None or grad is None:
            continue
        keep = extra_of(tensor)
        if keep.grad is None:
            keep.grad = grad if recorded and grad._node is not None else wrap(grad._array.copy())
            if recorded:
                keep.grad = grad.clone()
        else:
            keep.grad = keep.grad + grad
    return _hidden(found, recorded)


def call_pre_hooks(extra: Any, grads: list, recorded: bool) -> list:
    """Call the node's prehooks."""
    found = tuple(_shown(grads, recorded))
    for hook in list(extra.pre.values()):
        result = hook(found)
        if result is not None:
            found = _replaced(found, result, hook)
    return _hidden(found, recorded)


def call_post_hooks(extra: Any, out: Any, grads: list, recorded: bool) -> list:
    """Call the node's hooks with what it returned and what it was given."""
    found = tuple(_shown(out, recorded))
    given = tuple(_shown(grads, recorded))
    for hook in list(extra.post.values()):
        result = hook(found, given)
        if result is not None:
            found = _replaced(found, result, hook)
    return _hidden(found, recorded)


def _replaced(before: tuple, after: Any, hook: Any) -> tuple:
    if not isinstance(after, tuple):
        raise TypeError(f"expected tuple, but hook returned '{type(after).__name__}'")
    if len(after) != len(before):
        raise RuntimeError(
            f"hook '{hook_name(hook)}' has returned an incorrect number of values (got {len(after)}, but expected "
            f"{len(before)})"
        )
    for old, new in zip(before, after, strict=True):
        if new is not None:
            check_result(old, new, hook)
    return after


def call_post_accumulate(node: Any) -> None:
    """Call the hooks of a leaf whose `.grad` was just updated."""
    tensor = node.variable
    for hook in list(node.extra.post_accumulate.values()):
        result = hook(tensor)
        if result is None:
            continue
        if not isinstance(result, Tensor):
            raise TypeError(f"expected Variable, but hook returned '{type(result).__name__}'")
        raise RuntimeError("Tensor post accumulate grad hooks should return None.")


__all__ = ["call_post_accumulate", "call_post_hooks", "call_pre_hooks", "call_tensor_hooks"]
