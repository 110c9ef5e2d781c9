"""The attributes `_saved_<name>` and `_raw_saved_<name>` of a node: its saved values, read by the user."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core.saved import Packed, PackedTensor, check, result_tensor, unpack
from autograd_lab.core.tensor import wrap


# Arguments that torch declares as integers (not as numbers of any kind) and therefore reads back as unsigned.
INTEGERS = frozenset((
    "dim", "dims", "dim0", "dim1", "dim2", "dimension", "index", "start", "end", "step", "offset", "diagonal", "k",
    "shifts", "ignore_index", "split_sizes", "size", "stride", "padding_idx", "repeats", "pad",
))  # fmt: skip


def _find(decl: Any, node: Any, name: str) -> tuple[Any, Any]:
    """Return the flat entries (value, cell) of a saved name."""
    saved, position = node.saved, 0
    if saved is None:
        unpack(node)
    for one in decl.saved:
        is_result, packed = one in decl.result_names, type(saved[position]) is PackedTensor
        if one == name:
            if packed:
                tensor = saved[position].tensor(node)
                return (tensor._array, tensor._cell) if is_result else (tensor, None)
            return saved[position], saved[position + 1] if is_result else None
        position += 2 if is_result and not packed else 1
    raise KeyError(name)


def read(decl: Any, name: str, shown: str) -> property:
    """Return the property that unpacks one saved value."""

    def get(node: Any) -> Any:
        value, cell = _find(decl, node, name)
        if value is None:
            return None
        if name in decl.result_names:
            return result_tensor(node, value, cell, decl.result_names.index(name))
        if hasattr(value, "_array"):
            check(node, value)
            if value._extra is not None and value._extra.wrapped_number:
                return wrap(np.array(value._extra.number)[()])      # torch keeps the number's own dtype
        return unsigned(value) if name in INTEGERS else value

    def refuse(node: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{shown}' of '{type(node).__name__}' objects is not writable")

    return property(get, refuse)


def unsigned(value: Any) -> Any:
    """Return an int as torch hands it out: read as unsigned, so that -1 is 2**64 - 1; likewise in a tuple or list."""
    if type(value) is int:
        return value % 2**64
    if isinstance(value, (tuple, list)):
        return tuple(unsigned(item) for item in value)
    return value


FREED = (
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are freed "
    "when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through the graph a "
    "second time or if you need to access saved variables after calling backward."
)


class SavedTensor:
    """A saved tensor before it is unpacked (torch's `_raw_saved_*`): hooks may be registered on it, once."""

    __module__ = "autograd_lab._C._autograd"

    def __init__(self, decl: Any, node: Any, name: str) -> None:
        self._decl, self._node, self._name = decl, node, name

    @property
    def _position(self) -> int:
        position = 0
        for one in self._decl.saved:
            if one == self._name:
                break
            packed = type(self._node.saved[position]) is PackedTensor
            position += 2 if one in self._decl.result_names and not packed else 1
        return position

    @property
    def data(self) -> Any:
        """The saved tensor or what a pack hook made of it; None once it was freed."""
        node = self._node
        if node.saved is None:
            return None
        item = node.saved[self._position]
        if type(item) is PackedTensor:
            return item.pack_value
        if self._name in self._decl.result_names:
            return wrap(item)
        return item

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        node, position = self._node, self._position if self._node.saved is not None else 0
        self._check(pack_hook, unpack_hook, position)
        is_output = self._name in self._decl.result_names
        items = list(node.saved)
        if is_output:
            tensor = result_tensor(node, items[position], items[position + 1])
            del items[position + 1]
        else:
            tensor = items[position]
        items[position] = PackedTensor(tensor, (pack_hook, unpack_hook), is_output, tensor.detach())
        node.saved = Packed(items)

    def _check(self, pack_hook: Any, unpack_hook: Any, position: int) -> None:
        """Raise unless hooks may be registered now."""
        if not (callable(pack_hook) and callable(unpack_hook)):
            raise TypeError(
                "register_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, arg1: "
                f"collections.abc.Callable) -> None\n\nInvoked with: {self!r}, {pack_hook!r}, {unpack_hook!r}"
            )
        if self._node.saved is None:
            raise RuntimeError(FREED)
        item = self._node.saved[position]
        if isinstance(item, PackedTensor):
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. "
                               "Hint: only one pair of hooks is allowed at a time.")  # fmt: skip
        if item is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")


def raw(decl: Any, name: str) -> property:
    """Return the property that gives a saved tensor still packed."""
    return property(lambda node: SavedTensor(decl, node, name))
