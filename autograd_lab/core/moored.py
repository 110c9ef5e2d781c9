"""A leaf whose `.grad` no longer fits it: the leaf took another shape, or its `.grad` lies differently in memory.

torch makes an AccumulateGrad when an operation first needs it; the node notes the shape then, and dies with the last
graph that leads to it. Here it lives as long as the leaf, so the older shape is noted while a graph still expects it.
"""

from __future__ import annotations

import gc
from sys import getrefcount
from typing import Any

import numpy as np

from autograd_lab.core.node import extra_of
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import count_forbidden
from autograd_lab.core.strided import strides_of

UNEVEN = "grad and param do not obey the gradient layout contract. This is not an error, but may impair performance."


def new_shape(leaf: Any) -> None:
    """Note, before the leaf gets data of another shape, the shape that the graphs which lead to it were made for.

    `leaf` is an AccumulateGrad; the caller and the tensor hold it, so more references than theirs are a graph's.
    """
    if leaf.extra is not None and leaf.extra.made_for is not None:
        return
    if getrefcount(leaf) > 4:       # the tensor, the caller's name, the argument here, the one that counts
        extra_of(leaf).made_for = leaf.array.shape
        count_forbidden(1)      # operations ask about every edge now: see `settle`
    if leaf.grad is not None:
        extra_of(leaf).uneven = True


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


def fills(array: Any) -> bool:
    """Say whether an array's elements fill a piece of memory, each once and without gaps, in whatever order."""
    step = 1
    for stride, size in sorted(zip(strides_of(array), array.shape, strict=True)):
        if size != 1:
            if stride != step:
                return False
            step *= size
    return True


def warn_uneven(leaf: Any) -> None:
    """Warn if the `.grad` that was just added to lies differently in memory than its leaf."""
    grad, own = leaf.grad._array, leaf.array
    if not lies_as(grad, own):
        from autograd_lab.core.switches import warn_once

        warn_once("uneven", f"{UNEVEN}\ngrad.sizes() = {size_text(grad.shape)}, strides() = "
                  f"{size_text(strides_of(grad))}\nparam.sizes() = {size_text(own.shape)}, strides() = "
                  f"{size_text(strides_of(own))}")  # fmt: skip


def fit_moored(node: Any, out: Any, recorded: bool) -> Any:
    """Bring what a node returns to the shapes that its leaves were made for, or raise torch's error."""
    fitted = None
    for k, edge in enumerate(node.edges):
        if edge is None or edge.kind != 1 or edge.extra is None or edge.extra.made_for is None or out[k] is None:
            continue
        from autograd_lab.core.accumulate import validate

        fitted = fitted or list(out)
        fitted[k] = validate(node, k, out[k], edge.extra.made_for, edge.array.dtype, recorded)
    return fitted or out


__all__ = ["fit_moored", "lies_as", "new_shape", "settle", "warn_uneven"]
