"""The questions that the walker and the recorder ask of an engine, answered for whatever mirrors torch's node API."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from autograd_lab.introspect.digest import digest
from autograd_lab.introspect.model import (
    ACCUMULATOR,
    CUSTOM,
    INPLACE,
    OPERATION,
    VIEW,
    ArrayDigest,
    Place,
)

VIEWS = frozenset(
    [
        "View",
        "Reshape",
        "Transpose",
        "T",
        "Permute",
        "Expand",
        "Squeeze",
        "Unsqueeze",
        "Select",
        "Slice",
        "Alias",
        "Unbind",
        "Split",
        "Diagonal",
        "AsStrided",
        "Narrow",
        "Movedim",
        "Swapaxes",
        "ReshapeAlias",
        "UnsafeView",
        "Detach",
        "Unfold",
    ]
)


@dataclass(frozen=True, slots=True)
class SavedRaw:
    """One saved value as the engine gives it; `value` is a tensor, an array, or a plain Python value."""

    name: str
    value: Any
    is_tensor: bool
    state: str
    version_saved: int | None = None
    version_now: int | None = None
    written: Place | None = None


class Adapter:
    """What can be asked of every engine. A subclass overrides what its engine knows better."""

    engine = "unknown"
    tells_release = False
    most_nodes: int | None = None  # how many nodes may be looked at, None for any number
    kwargs = ("gradient", "retain_graph", "create_graph", "inputs")

    def loaded(self) -> bool:
        """Say whether the engine is in use in this process."""
        return True

    def is_tensor(self, value: Any) -> bool:
        """Say whether `value` is one of the engine's tensors."""
        raise NotImplementedError

    def array(self, tensor: Any) -> np.ndarray | None:
        """Return the tensor's data for reading, None when NumPy cannot look at it."""
        raise NotImplementedError

    def digest(self, tensor: Any, brief: bool = False) -> ArrayDigest | None:
        """Summarise a tensor, an array, or a tuple's entry that may be None."""
        if tensor is None:
            return None
        if isinstance(tensor, (np.ndarray, np.generic)):
            return digest(tensor, brief=brief)
        data = self.array(tensor)
        if data is not None:
            return digest(data, self.dtype(tensor.dtype), brief)
        shape = tuple(tensor.shape)
        return ArrayDigest(shape, self.dtype(tensor.dtype), self.nbytes(tensor), f"{shape}", complete=False)

    def dtype(self, dtype: Any) -> str:
        """Return the short name of a dtype."""
        return str(dtype).rsplit(".", 1)[-1]

    def nbytes(self, tensor: Any) -> int:
        """Return the bytes of the tensor's elements."""
        return int(np.prod(tuple(tensor.shape), dtype=np.int64)) * int(tensor.element_size())

    def has_graph(self, tensor: Any) -> bool:
        """Say whether a backward could start at the tensor."""
        return tensor.grad_fn is not None or bool(tensor.requires_grad)

    def root(self, tensor: Any) -> tuple[Any, int]:
        """Return the node that the tensor came from, and which of its outputs it is."""
        if tensor.grad_fn is not None:
            return tensor.grad_fn, int(getattr(tensor, "output_nr", 0))
        return self.accumulator(tensor), 0

    def accumulator(self, leaf: Any) -> Any:
        """Return the node that adds into the leaf's `.grad`."""
        return leaf.view_as(leaf).grad_fn.next_functions[0][0]

    def op(self, node: Any) -> str:
        """Return the node's name as drawings show it."""
        return str(node.name()).rsplit("::", 1)[-1]

    def kind(self, node: Any) -> str:
        """Tell operation, accumulator, view, in-place and custom nodes apart."""
        if getattr(node, "variable", None) is not None:
            return ACCUMULATOR
        name = self.op(node)
        if name.startswith(("CopySlices", "AsStrided")):
            return INPLACE
        if self.custom(node):
            return CUSTOM
        return VIEW if name.split("Backward")[0] in VIEWS else OPERATION

    def custom(self, node: Any) -> bool:
        """Say whether a user's own Function made the node."""
        return hasattr(node, "saved_tensors") and hasattr(type(node), "_forward_cls")

    def variable(self, node: Any) -> Any:
        """Return the leaf of an accumulator, None for other nodes."""
        return getattr(node, "variable", None)

    def outputs(self, node: Any) -> list[tuple[tuple[int, ...], str]]:
        """Return shape and dtype of each output of the node, [] when the engine does not tell."""
        return []

    def elementwise(self, declared: str) -> bool:
        """Say whether an op works element by element, so that its inputs' shapes tell its own."""
        return False

    def saved(self, node: Any) -> Iterator[SavedRaw]:
        """Yield what the node keeps for its backward."""
        yield from ()

    def place(self, node: Any) -> Place | None:
        """Return the line that made the node, None when it is not known."""
        return None

    def places(self, nodes: list[Any]) -> list[Place | None]:
        """Return the lines that made the nodes."""
        return [self.place(node) for node in nodes]

    def order(self, node: Any) -> int | None:
        """Return the node's sequence number: the engine runs the highest first."""
        try:
            return int(node._sequence_nr())
        except Exception:
            return None

    def declaration(self, node: Any) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Return (name, formula, derivatives by input name) of the node's op, empty when not declared."""
        return "", "", ()

    def hooks(self, node: Any, tensor: Any) -> tuple[str, ...]:
        """Return the names of the hooks on the node and on its tensor."""
        found = getattr(tensor, "_backward_hooks", None) if tensor is not None else None
        return tuple(function_name(hook) for hook in (found or {}).values())

    def version(self, tensor: Any) -> int | None:
        """Return the tensor's version counter."""
        try:
            return int(tensor._version)
        except Exception:
            return None

    def written(self, tensor: Any) -> Place | None:
        """Return the line that last wrote to the tensor's memory, None when it is not known."""
        return None

    def memory(self, value: Any) -> tuple[Any, int, int, int] | None:
        """Return (key, bytes, offset, span) of the memory behind a tensor or array; offset and span in elements."""
        return None

    def run(
        self, loss: Any, kwargs: dict[str, Any], watched: dict[int, tuple[str, Any]], holders: dict[str, Any], sink: Any
    ) -> None:
        """Run `loss.backward(**kwargs)` and report every event to `sink` (see recorder.Recorder).

        Args:
            loss: where the run begins.
            kwargs: for `backward`.
            watched: (id, node) of every node, by the node's `id()`.
            holders: a tensor of each node that has a named one, by the node's id in the snapshot.
            sink: what is told.
        """
        raise NotImplementedError


def function_name(hook: Any) -> str:
    """Return what to call a hook in a sentence."""
    return getattr(hook, "__qualname__", None) or type(hook).__name__


def span(shape: tuple[int, ...], strides: tuple[int, ...]) -> int:
    """Return how many elements lie between the first and the last element of a strided array, both counted."""
    return 0 if 0 in shape else 1 + sum((size - 1) * abs(step) for size, step in zip(shape, strides))
