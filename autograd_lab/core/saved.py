"""Saved tensors: what a node keeps for its backward, checked for later writes when it is read again.

A node's `saved` is a flat tuple. An input is kept as the Tensor itself; the node's own result as two entries, its
array and its version cell (the Tensor would make a reference cycle); anything else as it is. `saved` is None once it
was freed, and a `Packed` list when saved-tensor hooks took the values.
"""

from __future__ import annotations

import weakref
from sys import getrefcount
from typing import Any, NamedTuple

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.moored import settle
from autograd_lab.core.node import Output, accumulator, behind, extra_of
from autograd_lab.core.provenance import Site, resolve
from autograd_lab.core.state import local, mode, set_grad
from autograd_lab.core.versions import Cell, cell_of, version_at

new_tensor: Any = None      # set by core.tensor: (array, edge, cell) -> Tensor


class Packed(list):
    """The saved values of a node whose tensors went through pack hooks; items are values or `PackedTensor`."""


class PackedTensor:
    """One value that a pack hook gave, with what is needed to give the unpacked tensor its place in the graph."""

    __slots__ = ("edge", "is_output", "leaf", "like", "pack_value", "rank", "requires_grad", "unpack")

    def __init__(self, tensor: Any, hooks: tuple, is_output: bool, shown: Any = None,
                 name: str = "") -> None:  # fmt: skip
        pack, self.unpack = hooks
        self.is_output = is_output
        self.rank = is_output, name     # torch unpacks a node's inputs by name, then its results
        node = tensor._node
        self.leaf = node is not None and node.kind == 1
        self.requires_grad = node is not None
        self.edge = None if is_output else node
        self.like = tensor._array.shape, tensor._array.dtype
        before = set_grad(False)
        cell = tensor._cell
        version = cell.version if cell is not None else 0
        try:
            self.pack_value = pack(tensor if shown is None else shown)
        finally:
            set_grad(before)
        if (tensor._cell.version if tensor._cell is not None else 0) != version:
            raise fail.pack_hook_wrote()

    def tensor(self, node: Any, nr: int = 0) -> Any:
        """Call the unpack hook and return its tensor, put back into the graph."""
        before = set_grad(local.grad and (not local.depth or local.creating_graph))
        try:
            value = self.unpack(self.pack_value)
        finally:
            set_grad(before)
        if not hasattr(value, "_array"):
            raise fail.unpack_not_tensor(value)
        if self.leaf and value._array.dtype.kind != "f":
            raise RuntimeError("Only Tensors of floating point and complex dtype can require gradients")
        if self.is_output:
            return new_tensor(value._array, output_edge(node, nr), None)
        written = value._cell is not None and value._cell.last > node.clock     # not checked where hooks are
        if self.edge is None and value._node is None and not written:
            return value        # outside the graph already: the hook's tensor itself, as in torch
        return new_tensor(value._array, self.edge, None)


def output_edge(node: Any, nr: int) -> Any:
    """Return the edge that leads to output `nr` of the node; what a view was written by leads through its base."""
    inside = local.inside
    if inside is not None and inside[0] is node:
        return inside[1]
    return node if type(node).outputs == 1 and not node.custom else Output(node, nr)


def unpack(node: Any) -> tuple | list:
    """Return the flat saved tuple of a node whose `saved` is no plain tuple: unpack it, or say that it was freed.

    It comes as a list if an unpack hook gave a tensor of another shape or dtype than was packed.
    """
    saved = node.saved
    if saved is None:
        if len(node.edges) > 1 and not any(node.edges) and node.declaration and not always_kept(node.declaration):
            return (None,) * sum(1 + (name in node.saved_outputs) for name in node.saved_names)
        raise fail.freed(node)
    packed = sorted([item for item in saved if type(item) is PackedTensor], key=lambda item: item.rank)
    opened = {item: item.tensor(node) for item in packed}
    fits = all(item.like == (tensor._array.shape, tensor._array.dtype) for item, tensor in opened.items())
    flat: list[Any] = []
    for item in saved:
        if type(item) is not PackedTensor:
            flat.append(unpack_list(item) if type(item) in (tuple, list) else item)
        elif item.is_output:
            flat += (opened[item]._array, opened[item]._cell)
        else:
            flat.append(opened[item])
    return tuple(flat) if fits else flat


def verify(node: Any) -> None:
    """Unpack what a node saved, as it does before it looks at its gradients, and check the versions."""
    saved = node.saved if type(node.saved) is tuple else unpack(node)
    position = 0
    for name in node.saved_names:
        item = saved[position]
        position += 1
        if name in node.saved_outputs:
            result_array(node, item, saved[position])
            position += 1
        elif hasattr(item, "_array"):
            check(node, item)


def misfit(node: Any, flat: list, grad: Any) -> tuple:
    """Run a formula on tensors, because an unpack hook gave one of another shape or dtype: its errors are torch's."""
    from autograd_lab.core.accumulate import validate

    kept, node.saved = node.saved, tuple(flat)
    before = set_grad(False)
    try:
        several = isinstance(grad, list)
        given = [None if one is None else new_tensor(one, None, None) for one in (grad if several else [grad])]
        out = node.backward_recorded(given if several else given[0])
    except (ValueError, IndexError) as error:
        arrays = [getattr(one, "_array", one) for one in (*flat, *given)]
        raise fail.misfit(error, tuple([one for one in arrays if hasattr(one, "shape")])) from None
    finally:
        node.saved = kept
        set_grad(before)
    packed = [item for item in kept if type(item) is PackedTensor and not item.is_output]
    found: list[Any] = []
    like: tuple | None
    for k, (edge, one) in enumerate(zip(node.edges, out, strict=True)):
        if edge is not None and edge.kind == 1:
            like = edge.array.shape, edge.array.dtype
        else:
            like = next((item.like for item in packed if edge is not None and item.edge is edge), None)
        if one is None or like is None:
            found.append(None if one is None else one._array)
        else:
            found.append(validate(node, k, one._array, like[0], like[1], False))
    return tuple(found)


def unpack_list(items: Any) -> Any:
    """Return a saved list of tensors (or anything else) with the packed ones unpacked."""
    if not any(type(one) is PackedTensor for one in items):
        return items
    return type(items)([one.tensor(None) if type(one) is PackedTensor else one for one in items])


def result_array(node: Any, array: Any, cell: Cell | None) -> Any:
    """Return the data of a saved result, after the version check."""
    if cell is None:
        return array
    if cell.last > node.clock and version_at(cell, node.clock) != cell.version:
        raise fail.stale(node, array, cell)
    return array if cell.array is None else cell.array


def result_tensor(node: Any, array: Any, cell: Cell | None, nr: int = 0) -> Any:
    """Return a saved result as a tensor whose history is the node itself."""
    # Indices and the like are results too, but nothing flows back through them.
    return new_tensor(result_array(node, array, cell), output_edge(node, nr) if array.dtype.kind == "f" else None, cell)


def check(node: Any, tensor: Any) -> None:
    """Raise if a saved tensor was written in place since the node saved it."""
    cell = tensor._cell
    if cell is not None and cell.last > node.clock:
        if tensor._node is None and tensor._extra is not None and tensor._extra.detached:
            raise fail.detached_in_place()
        if version_at(cell, node.clock) != cell.version:
            raise fail.stale(node, tensor._array, cell, tensor)


def check_each(node: Any, tensors: Any) -> None:
    """Do the same for a saved sequence of tensors (or None)."""
    for tensor in tensors:
        if tensor is not None:
            check(node, tensor)


def special(node: Any, names: tuple[str, ...], outputs: tuple[str, ...]) -> None:
    """Finish a node that was made while some mode of the thread is special: hooks, inference, anomaly."""
    from autograd_lab.core.anomaly import remember

    if mode.forbidden:
        for edge in node.edges:
            if edge is None or edge.kind == 2:
                continue
            if edge.kind == 1:
                if edge.extra is not None and edge.extra.made_for is not None:
                    settle(edge, node.edges)
            elif edge.forbidden:
                raise RuntimeError(edge.message)
    remember(node)
    if mode.anomaly:
        for k, edge in enumerate(node.edges):
            # The tensor, this loop and the count hold a new leaf's node, and for each edge the edges and a name.
            if edge is not None and edge.kind == 1 and getrefcount(node.edges[k]) <= 3 + 2 * node.edges.count(edge):
                remember(edge)
                edge.extra.maker = weakref.ref(node)
    if len(node.edges) > 1 and any(edge is not None and edge.hidden for edge in node.edges):
        drop_hidden(node, names)
    saved = node.saved
    if not saved:
        return
    if local.hooks_disabled is not None and local.pack_hooks:
        raise RuntimeError(local.hooks_disabled)
    hooks = local.pack_hooks[-1] if local.pack_hooks else None
    packed: Packed = Packed()
    waiting: list[tuple] = []       # (is a result, name, place, tensor)
    position = 0
    for name in names:
        item = saved[position]
        position += 1
        packed.append(item)
        if name in outputs:
            cell = saved[position]
            position += 1
            if hooks is None:
                packed.append(cell)
                continue
            edge = output_edge(node, outputs.index(name)) if item.dtype.kind == "f" else None
            waiting.append((True, name, len(packed) - 1, new_tensor(item, edge, cell)))
        elif hasattr(item, "_array"):
            if item._extra is not None and item._extra.inference:
                raise fail.inference_saved()
            if hooks is not None and not (item._extra is not None and item._extra.wrapped_number):
                waiting.append((False, name, len(packed) - 1, item))
    for is_output, name, place, tensor in sorted(waiting, key=lambda one: one[:2]):
        packed[place] = PackedTensor(tensor, hooks, is_output, name=name)  # type: ignore[arg-type]  # there are hooks
    if waiting:
        node.saved = packed
        extra_of(node)      # unpack hooks are the user's code, which may ask which node runs and hang hooks on it


def always_kept(decl: Any) -> list[str]:
    """Return the tensors that torch keeps for an operation even if no input wants a gradient.

    It asks whether the one input does whose formula reads the tensor; not for what several read, nor for results.
    """
    return [name for name in decl.saved if "backward" in decl.name or name in decl.result_names or (
            name in decl.tensor_names and sum(name in decl.uses[row] for row in decl.inputs) > 1)]  # fmt: skip


def drop_hidden(node: Any, names: tuple[str, ...]) -> None:
    """Cut the edges at which nothing is gathered, and let go of what only their gradients would have needed."""
    node.edges = edges = tuple([None if edge is not None and edge.hidden else edge for edge in node.edges])
    decl = node.declaration
    if decl is None or type(node.saved) is not tuple or len(edges) != len(decl.inputs):
        return
    useful = {name for row, edge in zip(decl.inputs, edges, strict=True) if edge is not None for name in decl.uses[row]}
    useful.update(always_kept(decl))
    if len(names) == len(node.saved):
        node.saved = tuple([value if name in useful or not hasattr(value, "_array") else None
                            for name, value in zip(names, node.saved, strict=True)])  # fmt: skip


class SavedEntry(NamedTuple):
    """One value that a node keeps for its backward, as an inspector shows it.

    `state` is "fresh", "stale" (a write that backward will report), "changed" (a write through `.data`, which the
    version counter did not see) or "freed".
    """

    name: str
    value: Any
    is_tensor: bool
    version_saved: int
    version_now: int
    state: str
    nbytes: int
    written: Site | None


def _entry(node: Any, name: str, array: Any, cell: Cell | None) -> SavedEntry:
    before, now, state, site = version_at(cell, node.clock), 0, "fresh", None
    if cell is not None:
        now = cell.version
        if cell.last > node.clock:
            state = "stale" if before != now else "fresh"
        elif cell.memory is not None and cell.memory.last > node.clock:
            state = "changed"
        if state != "fresh" and cell.memory is not None:
            site = resolve(cell.memory.site)
    return SavedEntry(name, array, True, before, now, state, int(np.asarray(array).nbytes), site)


def entries(node: Any) -> tuple[SavedEntry, ...]:
    """Describe everything that the node keeps, without running any hook and without raising."""
    node = behind(node)
    kind = type(node)
    if kind.custom:
        return tuple(_entry(node, f"saved_tensors[{k}]", t._array, t._cell) for k, t in enumerate(node.kept() or ()))
    names, outputs = kind.saved_names, kind.saved_outputs if kind.saved_names else ()
    if node.saved is None:
        return tuple(SavedEntry(name, None, True, 0, 0, "freed", 0, None) for name in names)
    found, position = [], 0
    for name in names:
        item = node.saved[position]
        position += 1
        if type(item) is PackedTensor:
            found.append(SavedEntry(name, item.pack_value, False, 0, 0, "fresh", 0, None))
        elif name in outputs:
            found.append(_entry(node, name, item, node.saved[position]))
            position += 1
        elif hasattr(item, "_array"):
            found.append(_entry(node, name, item._array, item._cell))
        elif item is not None:
            found.append(SavedEntry(name, item, False, 0, 0, "fresh", 0, None))
    return tuple(found)


__all__ = ["Packed", "PackedTensor", "SavedEntry", "accumulator", "cell_of", "check", "entries", "result_array",
           "result_tensor", "special", "unpack"]  # fmt: skip
