"""Read the lab's own tensors: with source line, saved versions and formula, which torch does not tell."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

import numpy as np

from autograd_lab.core import provenance
from autograd_lab.core.node import behind, shown
from autograd_lab.core.strided import offset_within, owner_of
from autograd_lab.introspect.adapters.base import Adapter, SavedRaw, function_name, span
from autograd_lab.introspect.adapters.hooks import LEAF, NODE, TENSOR, listening
from autograd_lab.introspect.model import Place

# Tables of ops whose result has the shape of its (broadcast) inputs; glu, which halves it, is the exception.
ELEMENTWISE = frozenset({
    "activation", "blend", "casts", "extremes", "pointwise", "pointwise_float", "power", "rounding",
    "special_functions", "trigonometry",
})  # fmt: skip
LONGEST = 28  # characters of a source expression that fit on a card


class LabAdapter(Adapter):
    """The adapter of `autograd_lab.Tensor`."""

    engine = "autograd_lab"
    tells_release = True

    def is_tensor(self, value: Any) -> bool:
        """Say whether `value` is a lab tensor."""
        engine = sys.modules.get("autograd_lab.core.tensor")  # while it is not loaded, no lab tensor exists
        return engine is not None and issubclass(type(value), engine.Tensor)

    def array(self, tensor: Any) -> np.ndarray:
        """Return the tensor's own memory, for reading."""
        return np.asarray(tensor._array)

    def nbytes(self, tensor: Any) -> int:
        """Return the bytes of the tensor's elements."""
        return int(np.asarray(tensor._array).nbytes)

    def elementwise(self, declared: str) -> bool:
        """Say whether an op works element by element, so that its inputs' shapes tell its own."""
        found = lab_table().get(declared)
        if found is None or declared == "glu":
            return False
        return found.kernel.__module__.rsplit(".", 1)[-1] in ELEMENTWISE

    def saved(self, node: Any) -> Iterator[SavedRaw]:
        """Yield the saved values with the versions that the lab keeps."""
        from autograd_lab.core.saved import entries

        for entry in entries(behind(node)) if self.variable(node) is None else ():
            yield SavedRaw(
                entry.name,
                entry.value,
                entry.is_tensor,
                entry.state,
                entry.version_saved,
                entry.version_now,
                to_place(entry.written),
            )

    def place(self, node: Any) -> Place | None:
        """Return the line that made the node, with the expression on it."""
        node = behind(node)
        return to_place(provenance.where(node), getattr(node, "site", None))

    def places(self, nodes: list[Any]) -> list[Place | None]:
        """Return the lines that made the nodes; a line in a loop made many and is read once."""
        known: dict[Any, Place | None] = {}
        found = []
        for node in nodes:
            site = getattr(behind(node), "site", None)
            if site not in known:
                known[site] = self.place(node)
            found.append(known[site])
        return found

    def written(self, tensor: Any) -> Place | None:
        """Return the line that last wrote to the tensor's memory."""
        return to_place(provenance.written(tensor))

    def declaration(self, node: Any) -> tuple[str, str, tuple[tuple[str, str], ...]]:
        """Return name, formula and derivatives as the op declares them."""
        declared = getattr(type(node), "declaration", None)
        if declared is None:
            return "", "", ()
        return declared.name, declared.formula, tuple(dict(declared.derivatives).items())

    def custom(self, node: Any) -> bool:
        """Say whether a user's own Function made the node."""
        return bool(getattr(behind(node), "custom", False))

    def hooks(self, node: Any, tensor: Any) -> tuple[str, ...]:
        """Return the names of the hooks on the node, its tensors and its `.grad`."""
        extra = getattr(behind(node), "extra", None)
        if extra is None:
            return ()
        groups = [*(group for groups in extra.tensor_hooks.values() for group in groups)]
        groups += [extra.pre, extra.post, extra.post_accumulate]
        return tuple(function_name(hook) for group in groups for hook in group.values())

    def memory(self, value: Any) -> tuple[Any, int, int, int] | None:
        """Return the piece of memory behind a lab tensor or an array."""
        array = value._array if self.is_tensor(value) else value
        if not isinstance(array, np.ndarray):
            return (id(array), int(array.nbytes), 0, 1) if isinstance(array, np.generic) else None
        if array.size == 0:
            return None
        owner, width = owner_of(array), array.itemsize
        start = owner.__array_interface__["data"][0]
        if array.flags.c_contiguous:  # nearly all are, and thousands are asked
            offset = 0 if owner is array else (array.__array_interface__["data"][0] - start) // width
            return start, int(owner.nbytes), offset, array.size
        steps = tuple(step // width for step in array.strides)
        return start, int(owner.nbytes), offset_within(array, owner), span(array.shape, steps)

    def run(
        self, loss: Any, kwargs: dict[str, Any], watched: dict[int, tuple[str, Any]], holders: dict[str, Any], sink: Any
    ) -> None:
        """Run the backward with an observer that passes every event on."""
        from autograd_lab.core.state import observing

        ids = {key: name for key, (name, _) in watched.items()}
        leaves = {key for key, (_, node) in watched.items() if self.variable(node) is not None}
        groups = [group for name, node in watched.values() for group in _hooks(name, behind(node))]
        with observing(_Observer(ids, leaves, sink)), listening(groups, sink):
            loss.backward(**kwargs)


def _hooks(name: str, node: Any) -> Iterator[tuple[str, Any, str]]:
    """Yield the dictionaries in which a node keeps its hooks, and how each is called."""
    extra = getattr(node, "extra", None)
    if extra is None:
        return
    for dicts in list(extra.tensor_hooks.values()):
        yield from ((name, hooks, TENSOR) for hooks in dicts)
    yield from ((name, hooks, NODE) for hooks in (extra.pre, extra.post))
    yield name, extra.post_accumulate, LEAF


class _Observer:
    """Translate the engine's events into the recorder's."""

    def __init__(self, ids: dict[int, str], leaves: set[int], sink: Any) -> None:
        self.ids, self.accumulators, self.sink = ids, leaves, sink

    def _id(self, node: Any) -> str | None:
        return self.ids.get(id(shown(node) if getattr(node, "custom", False) else node))

    def begin(self, roots: Any, grads: Any) -> None:
        for (node, output), grad in zip(roots, grads):
            if (name := self._id(node)) is not None:
                self.sink.seed(name, output, grad)

    def enter(self, node: Any, grads: Any) -> None:
        if (name := self._id(node)) is not None and id(node) not in self.accumulators:
            self.sink.enter(name, grads)

    def exit(self, node: Any, grads: Any) -> None:
        if (name := self._id(node)) is not None and id(node) not in self.accumulators:
            self.sink.exit(name, grads)

    def route(self, node: Any, index: int, target: Any, nr: int, grad: Any) -> None:
        if (name := self._id(node)) is not None:
            self.sink.route(name, index, grad)

    def accumulate(self, node: Any, before: Any, after: Any) -> None:
        if (name := self._id(node)) is not None:
            self.sink.accumulate(name, before, after)

    def release(self, node: Any) -> None:
        if (name := self._id(node)) is not None and id(node) not in self.accumulators:
            self.sink.release(name)

    def error(self, node: Any, exception: BaseException) -> None:
        self.sink.error(self._id(node) if node is not None else None, exception)

    def finish(self) -> None:
        self.sink.finish()


def lab_table() -> dict[str, Any]:
    """Return the lab's op declarations by name."""
    engine = sys.modules.get("autograd_lab.core.op")
    return engine.table if engine is not None else {}


def to_place(site: Any, raw: tuple | None = None) -> Place | None:
    """Turn the engine's Site into a Place; `raw` is its (code, lasti), from which the expression is read."""
    if site is None:
        return None
    scope = raw[0].co_qualname if raw else ""
    return Place(site.file, site.line, site.cell, site.text, expression(raw) if raw else "", scope)


def expression(raw: tuple) -> str:
    """Return the piece of source that an instruction computes, "" when it cannot be read or is too long to show."""
    code, lasti = raw
    line, last, start, stop = next(islice(code.co_positions(), lasti // 2, None), (None, None, None, None))
    if line is None or start is None or stop is None or line != last:
        return ""
    text = linecache.getline(code.co_filename, line).encode()[start:stop].decode(errors="replace").strip()
    return text if 0 < len(text) <= LONGEST else ""


__all__ = ["LabAdapter", "expression", "to_place"]
