"""Borders made of the tensor itself: mirrored, repeated or wrapped around."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.op import Vjp, functions, op, table, tensors
from autograd_lab.ops.refusals import not_implemented
from autograd_lab.ops.words import vanishing


def sources(size: int, before: int, after: int, mirrored: bool) -> np.ndarray:
    """Return, for every place along a padded dimension, the index that it is a copy of."""
    places = np.arange(-before, size + after)
    if mirrored:
        return (size - 1) - np.abs((size - 1) - np.abs(places))
    return np.clip(places, 0, size - 1)


def pairs(padding: Any) -> list[tuple[int, int, int]]:
    """Return (axis, before, after) for each padded dimension, counted from the last."""
    return [(-1 - k, padding[2 * k], padding[2 * k + 1]) for k in range(len(padding) // 2)]


def check(self: Any, padding: Any, kernel: str, mirrored: bool) -> None:
    """Raise torch's errors for a border that does not fit."""
    count = len(padding) // 2
    if 0 in self.shape[self.ndim - count - 1 :]:
        raise RuntimeError(f"Expected {count + 1}D or {count + 2}D (batch mode) tensor with possibly 0 batch size and "
                           f"other non-zero dimensions for input, but got: {list(self.shape)}")  # fmt: skip
    for place, (axis, before, after) in enumerate(pairs(padding)):
        size = self.shape[axis]
        if mirrored and max(before, after) >= size:
            raise RuntimeError(
                f"Argument #{4 + 2 * place}: Padding size should be less than the corresponding input dimension, but "
                f"got: padding ({before}, {after}) at dimension {self.ndim + axis} of input {list(self.shape)}"
            )
        if size + before + after < 1:
            letter = "WHD"[place]
            raise RuntimeError(f"input ({letter}: {size}) is too small. Calculated output {letter}: "
                               f"{size + before + after}")  # fmt: skip
    if self.dtype.kind == "b":
        raise not_implemented(kernel, self)


def padded(self: Any, padding: Any, mirrored: bool) -> Any:
    """Return the array with its border."""
    for axis, before, after in pairs(padding):
        self = np.take(self, sources(self.shape[axis], before, after, mirrored), axis)
    return self


def folded(grad: Any, shape: tuple, padding: Any, mirrored: bool) -> Any:
    """Add every element of a padded array to the one that it is a copy of."""
    for axis, before, after in pairs(padding):
        index = sources(shape[axis], before, after, mirrored)
        made = np.zeros((shape[axis], *np.moveaxis(grad, axis, 0).shape[1:]), grad.dtype)
        np.add.at(made, index, np.moveaxis(grad, axis, 0))
        grad = np.moveaxis(made, 0, axis)
    return np.ascontiguousarray(grad)


def _rows(name: str, count: int, mirrored: bool) -> None:
    kernel, node = f"{name}_pad{count}d", f"{name.capitalize()}Pad{count}D"

    def pad(self, padding):
        check(self, padding, kernel, mirrored)
        return padded(self, padding, mirrored)

    def pad_backward(grad_output, self, padding):
        return folded(grad_output, self.shape, padding, mirrored)

    pad.__name__, pad_backward.__name__ = kernel, f"{kernel}_backward"
    pad.__doc__ = "Put a border of mirrored elements around." if mirrored else "Repeat the elements of the edge."
    pad_backward.__doc__ = "Add the gradient of every copy to the element it is a copy of."
    op(r"y_j = a_{i(j)}", node=f"{node}Backward0", function=False, method=False,
       self=Vjp(lambda grad, self, padding, xp: getattr(xp, f"{kernel}_backward")(grad, self, padding),
                r"\bar a_i = \textstyle\sum_{j : i(j) = i} \bar y_j"))(pad)  # fmt: skip
    op(r"a_i = \textstyle\sum_{j : i(j) = i} y_j", node=f"{node}BackwardBackward0", function=False, method=False,
       grad_output=Vjp(lambda grad, padding, xp: getattr(xp, kernel)(grad, padding), r"\bar y_j = \bar a_{i(j)}"),
       self=Vjp(vanishing, r"\bar a = 0"))(pad_backward)  # fmt: skip


for _count in (1, 2, 3):
    _rows("reflection", _count, True)
    _rows("replication", _count, False)


def circular(input: Any, padding: Any) -> Any:
    """Let the tensor follow itself; copies inside the result, as torch makes it."""
    count, shape = len(padding) // 2, list(input.shape)
    for axis, before, after in pairs(padding):
        size = shape[axis]
        if before > size or after > size:
            raise RuntimeError("Padding value causes wrapping around more than once.")
        if size + before + after <= 0:
            raise RuntimeError("Negative padding value is resulting in an empty dimension")
        shape[axis] = size + before + after
    out = functions["empty"](shape, dtype=input.dtype)
    inner, source = out, input
    for axis, before, after in pairs(padding):
        inner = tensors.slice(inner, axis, max(before, 0), shape[axis] - max(after, 0), 1)
        source = tensors.slice(source, axis, max(-before, 0), input.shape[axis] - max(-after, 0), 1)
    inner.copy_(source)
    for axis, before, after in reversed(pairs(padding)[:count]):
        length, left, right = shape[axis], max(before, 0), max(after, 0)
        if before > 0:
            source = tensors.slice(out, axis, length - before - right, length - right, 1)
            tensors.slice(out, axis, 0, before, 1).copy_(source)
        if after > 0:
            tensors.slice(out, axis, length - after, length, 1).copy_(tensors.slice(out, axis, left, left + after, 1))
    return out


def pad_with_itself(input: Any, padding: Any, mode: str, value: float | None) -> Any:
    """Run `F.pad` in the modes reflect, replicate and circular.

    Raises NotImplementedError for a mode or a number of dimensions that torch has not, RuntimeError for a border that
    does not fit.
    """
    if value is not None and value != 0:
        raise RuntimeError(f"Padding mode \"{mode}\" doesn't take in value argument")
    count, ndim = len(padding) // 2, input._array.ndim
    if mode not in ("reflect", "replicate", "circular"):
        raise NotImplementedError(f"Unrecognised padding mode {mode}")
    if not 1 <= count <= 3 or ndim not in (count + 1, count + 2):
        raise NotImplementedError(f"Padding size {len(padding)} is not supported for {ndim}D input tensor.")
    if mode == "circular":
        return circular(input, padding)
    return table[f"{'reflection' if mode == 'reflect' else 'replication'}_pad{count}d"].function(input, tuple(padding))
