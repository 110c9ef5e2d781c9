"""A tensor that took another shape than its node expects, or whose `.grad` lies differently in memory.

A node notes the shapes of its outputs when it is made; a tensor that is reshaped without recording stays where it was.
torch makes an AccumulateGrad when an operation first needs it, and the node dies with the last graph that leads to it.
Here it lives as long as the leaf, so the older shape is noted only while a graph still expects it.
"""

from __future__ import annotations

import gc
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_lab.core.node import accumulator, edge_pair, extra_of
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import count_forbidden, local, sequence
from autograd_lab.core.strided import fills, strides_of

UNEVEN = "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance."


def keep_shape(tensor: Any, shape: tuple, dtype: Any = None) -> None:
    """Note, before a tensor gets another shape or dtype but no other place in the graph, what its node expects.

    A leaf's node expects the old one only while a graph leads to it: then there are more references to the node than
    the tensor's own, the name here and the one that counts.
    """
    edge = tensor._node
    if (shape == tensor._array.shape and (dtype is None or dtype is tensor._array.dtype)) or edge.hidden:
        return
    node, nr = edge_pair(edge)
    if node.kind == 1:
        if edge.grad is not None:
            extra_of(edge).uneven = True
        if getrefcount(tensor._node) > 4:       # the tensor, two names here and the one that counts
            gc.collect()                # a graph that an exception has left in a cycle is none
        if getrefcount(tensor._node) <= 4:
            return
    extra = extra_of(node)
    if extra.made_for is None:
        extra.made_for = {}
        count_forbidden(1)      # operations ask about every edge now: see `settle`
    until = None if dtype is None or dtype is tensor._array.dtype else sequence()   # for what is recorded from now on,
    extra.made_for.setdefault(nr, (tensor._array.shape, tensor._array.dtype, until))   # torch makes a new leaf node


def renew(tensor: Any, shape: tuple) -> None:
    """Give a leaf a new AccumulateGrad, as torch does when `set_` changes its memory (and shape) without recording.

    What was recorded before still leads to the old one, which adds to the same `.grad` and calls the same hooks.
    """
    box = [tensor._node]
    made = tensor._node = accumulator(tensor)
    led_to = getrefcount(box[0]) > 2        # the box and the one that counts; else a graph
    (old,) = box
    made.grad, old.grad = old.grad, None
    if old.extra is not None:
        extra, before = extra_of(made), old.extra
        extra.tensor_hooks, extra.post_accumulate = before.tensor_hooks, before.post_accumulate
        extra.uneven = before.uneven
    if made.grad is not None and shape != tensor._array.shape:
        extra_of(made).uneven = True
    if led_to:
        extra_of(old).heir = made


def heir_of(leaf: Any, tensor: Any) -> Any:
    """Return the leaf node that a tensor has now, if it came after the given one; else None."""
    while leaf is not None and leaf is not tensor._node:
        leaf = None if leaf.extra is None else leaf.extra.heir
    return leaf


def settle(leaf: Any, edges: tuple) -> None:
    """Let a leaf expect its present shape, if nothing but the node that was made just now leads to it."""
    for one in gc.get_referrers(leaf):
        if one is not edges and isinstance(one, (tuple, list)) and any(item is leaf for item in one):
            return
    extra = leaf.extra
    extra.made_for = None
    count_forbidden(-1)


def lies_as(grad: Any, leaf: Any) -> bool:
    """Say whether a `.grad` lies in memory as torch wants it: with its leaf's strides, or else in row order."""
    steps, own = strides_of(grad), strides_of(leaf)
    if not fills(leaf):
        return bool(np.asarray(grad).flags.c_contiguous)
    return all(size == 1 or (k < len(own) and steps[k] == own[k]) for k, size in enumerate(grad.shape))


def warn_uneven(leaf: Any) -> None:
    """Warn if the `.grad` that was just added to lies differently in memory than its leaf."""
    grad, own = leaf.grad._array, leaf.array
    if not lies_as(grad, own):
        message = (f"{UNEVEN}\ngrad.sizes() = {size_text(grad.shape)}, strides() = {size_text(strides_of(grad))}\n"
                   f"param.sizes() = {size_text(own.shape)}, strides() = {size_text(strides_of(own))}")
        if local.late is not None:
            local.late.append(("uneven", message))
        else:       # no `backward` is going on: a node was called
            from autograd_lab.core.switches import warn_once

            warn_once("uneven", message)


def fit_moored(node: Any, edges: tuple | list, out: Any, recorded: bool) -> Any:
    """Bring what a node (None: the user) sends to the shapes that the next nodes were made for, or raise as torch."""
    fitted = None
    for k, edge in enumerate(edges):
        if edge is None or out[k] is None:
            continue
        target, nr = (edge.node, edge.nr) if edge.kind == 2 else (edge, 0)
        made_for = None if target.extra is None else target.extra.made_for
        if made_for is None or nr not in made_for:
            continue
        shape, dtype, until = made_for[nr]
        if until is not None and node is not None and node.seq > until:
            continue
        from autograd_lab.core.accumulate import validate

        fitted = fitted or list(out)
        fitted[k] = validate(node, k, out[k], shape, dtype, recorded)
    return fitted or out


__all__ = ["fit_moored", "heir_of", "keep_shape", "lies_as", "renew", "settle", "warn_uneven"]
