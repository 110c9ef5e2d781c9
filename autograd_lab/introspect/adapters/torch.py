"""Read real PyTorch tensors by duck typing; torch is never imported, only found when the user has imported it.

What torch does not tell stays untold: the version of a saved tensor when it was saved (only its message about a stale
one names it), and the moment of a release.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lab.introspect.adapters.base import Adapter, SavedRaw, span
from autograd_lab.introspect.adapters.hooks import TENSOR, listening
from autograd_lab.introspect.model import FREED, FRESH, STALE, UNKNOWN, Place

_VERSIONS = re.compile(r"is at version (\d+); expected version (\d+)")
_LINE = re.compile(r'File "(?P<file>[^"]+)", line (?P<line>\d+)[^\n]*\n\s*(?P<text>[^\n]*)')


class TorchAdapter(Adapter):
    """The adapter of `torch.Tensor`."""

    engine = "torch"
    most_nodes = 20_000  # torch overflows the stack when it frees a longer chain whose nodes Python has looked at

    def loaded(self) -> bool:
        """Say whether the user's program has imported torch."""
        return hasattr(sys.modules.get("torch"), "Tensor")

    def is_tensor(self, value: Any) -> bool:
        """Say whether `value` is a torch tensor."""
        return issubclass(type(value), sys.modules["torch"].Tensor)

    def array(self, tensor: Any) -> np.ndarray | None:
        """Return the data for reading; None for devices, layouts and dtypes that NumPy cannot see."""
        try:
            return tensor.detach().resolve_conj().resolve_neg().numpy()
        except (RuntimeError, TypeError, ValueError, NotImplementedError):
            return None

    def accumulator(self, leaf: Any) -> Any:
        """Return the leaf's accumulator; grad mode may be off where the user stands."""
        with sys.modules["torch"].enable_grad():
            return super().accumulator(leaf)

    def custom(self, node: Any) -> bool:
        """Say whether a user's Function made the node: then it is an instance of a class made for it."""
        return hasattr(node, "_forward_cls") or hasattr(node, "save_for_backward")

    def outputs(self, node: Any) -> list[tuple[tuple[int, ...], str]]:
        """Return shape and dtype of each output of the node."""
        try:
            return [(tuple(meta.shape), self.dtype(meta.dtype)) for meta in node._input_metadata]
        except Exception:
            return []

    def saved(self, node: Any) -> Iterator[SavedRaw]:
        """Yield every `_saved_*`; one that raises is stale or freed, and its message says which."""
        for attribute in dir(node):
            if not attribute.startswith("_saved_"):
                continue
            name = attribute.removeprefix("_saved_")
            try:
                value = getattr(node, attribute)
            except RuntimeError as problem:
                yield _unreadable(name, str(problem))
                continue
            if isinstance(value, (list, tuple)) and any(self.is_tensor(item) for item in value):
                for i, item in enumerate(value):
                    yield self._one(f"{name}[{i}]", item)
            else:
                yield self._one(name, value)
        if self.custom(node):
            yield from self._of_function(node)

    def _one(self, name: str, value: Any) -> SavedRaw:
        if self.is_tensor(value):
            return SavedRaw(name, value, True, FRESH, None, self.version(value))
        return SavedRaw(name, value, False, FRESH)

    def _of_function(self, node: Any) -> Iterator[SavedRaw]:
        try:
            values = node.saved_tensors
        except RuntimeError as problem:
            yield _unreadable("saved_tensors", str(problem))
            return
        for i, value in enumerate(values):
            yield self._one(f"saved_tensors[{i}]", value)

    def place(self, node: Any) -> Place | None:
        """Return the line that anomaly mode kept, None when it was off."""
        frames = (getattr(node, "metadata", None) or {}).get("traceback_") or ()
        for text in reversed(list(frames)):
            found = _LINE.search(text)
            if found and "/torch/" not in found["file"]:
                return Place(found["file"], int(found["line"]), None, found["text"].strip())
        return None

    def declaration(self, node: Any) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Return what the lab declares for the op of the same name: torch itself tells no formula."""
        found = lab_declarations().get(self.op(node))
        return (
            (found.name, found.formula, tuple(dict(found.derivatives).items())) if found is not None else ("", "", ())
        )

    def memory(self, value: Any) -> tuple[Any, int, int, int] | None:
        """Return the storage behind a torch tensor."""
        try:
            storage = value.untyped_storage()
            if not storage.nbytes():
                return None
            length = span(tuple(value.shape), tuple(value.stride()))
            return storage.data_ptr(), int(storage.nbytes()), int(value.storage_offset()), length
        except Exception:  # sparse, fake and functorch tensors have no storage to show
            return None

    def run(
        self, loss: Any, kwargs: dict[str, Any], watched: dict[int, tuple[str, Any]], holders: dict[str, Any], sink: Any
    ) -> None:
        """Run the backward with a hook before and after every node; they are removed whatever happens."""
        handles: list[Any] = []
        current: list[str | None] = [None]
        try:
            for name, node in watched.values():
                handles += self._hook(name, node, sink, current)
            sink.seed_later(loss, kwargs.get("gradient"))
            tensors = [(name, self.variable(node)) for name, node in watched.values()] + list(holders.items())
            hooks = {id(found): (name, found, TENSOR) for name, tensor in tensors
                     if (found := getattr(tensor, "_backward_hooks", None))}  # fmt: skip
            try:
                with listening(hooks.values(), sink):
                    loss.backward(**kwargs)
            except Exception as problem:
                sink.error(current[0], problem)
                raise
            sink.finish()
        finally:
            for handle in handles:
                handle.remove()

    def _hook(self, name: str, node: Any, sink: Any, current: list[str | None]) -> list[Any]:
        leaf = self.variable(node)
        before: list[Any] = [None]

        def enter(grads: Any) -> None:
            current[0] = name
            if leaf is None:
                sink.enter(name, grads)
            else:
                before[0] = self.digest(leaf.grad)

        def leave(inputs: Any, outputs: Any) -> None:
            current[0] = None
            if leaf is not None:
                sink.accumulate(name, before[0], leaf.grad)
                return
            sink.exit(name, inputs)
            for index, grad in enumerate(inputs):
                sink.route(name, index, grad)

        return [node.register_prehook(enter), node.register_hook(leave)]


def lab_declarations() -> dict[str, Any]:
    """Return the lab's op declarations by node name."""
    engine = sys.modules.get("autograd_lab.core.op")
    return {declared.node_name: declared for declared in engine.table.values()} if engine is not None else {}


def _unreadable(name: str, message: str) -> SavedRaw:
    found = _VERSIONS.search(message)
    if found:
        return SavedRaw(name, None, True, STALE, int(found[2]), int(found[1]))
    if "second time" in message or "freed" in message:
        return SavedRaw(name, None, True, FREED)
    return SavedRaw(name, None, True, UNKNOWN)


__all__ = ["TorchAdapter"]
