"""The attributes `_saved_<name>` and `_raw_saved_<name>` of a node: its saved values, read by the user."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.saved import Packed, PackedTensor, check, result_tensor, unpack, unpack_list
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
        if name in decl.lists and type(value) in (tuple, list):
            value = tuple(unpack_list(value))
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
    "Calling register_hooks on a saved tensor after it has been freed. Saved intermediate values of the graph are "
    "freed when you call .backward() or autograd.grad(). Specify retain_graph=True if you need to backward through "
    "the graph a second time or if you need to access saved variables after calling backward."
)


class SavedTensor:
    """A saved tensor before it is unpacked (torch's `_raw_saved_*`): hooks may be registered on it, once."""

    __module__ = "autograd_lab._C._autograd"

    _node: Any
    _decl: Any
    _name: str

    def __init__(self, *args: Any) -> None:
        raise RuntimeError("Trying to create a SavedTensor object from Python is forbidden.")

    @classmethod
    def of(cls, decl: Any, node: Any, name: str) -> SavedTensor:
        """Return the handle on one saved tensor of a node."""
        made = object.__new__(cls)
        made._decl, made._node, made._name = decl, node, name
        return made

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise TypeError("cannot pickle 'torch._C._autograd.SavedTensor' object")

    def _item(self) -> Any:
        """Return what the node keeps in this place; None once it was freed."""
        return None if self._node.saved is None else self._node.saved[self._position]

    @property
    def unpack_hook(self) -> Any:
        """The hook that will give the tensor back, or None."""
        return getattr(self._item(), "unpack", None)

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

    def register_hooks(self, *hooks: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        pack_hook, unpack_hook = self._two(hooks)
        node, position = self._node, self._position if self._node.saved is not None else 0
        self._check()
        is_output = self._name in self._decl.result_names
        items = list(node.saved)
        if is_output:
            tensor = result_tensor(node, items[position], items[position + 1])
            del items[position + 1]
        else:
            tensor = items[position]
        items[position] = PackedTensor(tensor, (pack_hook, unpack_hook), is_output, tensor.detach())
        node.saved = Packed(items)

    def unpack(self) -> Any:
        """Return the saved tensor; a node's own result cannot be had here, for it comes without the node."""
        if self._node.saved is None:
            raise fail.freed(self._node)
        return self._unpacked()

    def _unpacked(self) -> Any:
        if self._name in self._decl.result_names:
            raise fail.detached_in_place()
        return read(self._decl, self._name, "").__get__(self._node)

    def _two(self, hooks: tuple) -> tuple:
        """Return the two hooks, or raise TypeError."""
        if len(hooks) != 2 or not all(map(callable, hooks)):
            raise TypeError(
                "register_hooks(): incompatible function arguments. The following argument types are supported:\n"
                "    1. (self: torch._C._autograd.SavedTensor, arg0: collections.abc.Callable, arg1: "
                f"collections.abc.Callable) -> None\n\nInvoked with: {', '.join(map(repr, (self, *hooks)))}"
            )
        return hooks

    def _check(self) -> None:
        """Raise unless hooks may be registered now."""
        if self._node.saved is None:
            raise RuntimeError(FREED)
        item = self._item()
        if isinstance(item, PackedTensor):
            raise fail.hooks_are_set()
        if item is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")


def raw(decl: Any, name: str) -> property:
    """Return the property that gives a saved tensor still packed."""
    return property(lambda node: SavedTensor.of(decl, node, name))


class ListedSavedTensor(SavedTensor):
    """One tensor (or None) of a saved list."""

    _number: int

    def _item(self) -> Any:
        """Return what the list keeps in this place."""
        return None if self._node.saved is None else self._node.saved[self._position][self._number]

    @property
    def data(self) -> Any:
        """The saved tensor or what a pack hook made of it."""
        item = self._item()
        return item.pack_value if type(item) is PackedTensor else item

    def _unpacked(self) -> Any:
        item = self._item()
        if item is None:
            return None
        if type(item) is PackedTensor:
            return item.tensor(self._node)
        check(self._node, item)
        return item

    def register_hooks(self, *hooks: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        hooks = self._two(hooks)
        self._check()
        items, position = list(self._node.saved), self._position
        tensor = self._item()
        row = list(items[position])
        row[self._number] = PackedTensor(tensor, hooks, False, tensor.detach())
        items[position] = tuple(row)
        self._node.saved = Packed(items)


ListedSavedTensor.__name__ = ListedSavedTensor.__qualname__ = "SavedTensor"
ListedSavedTensor.__module__ = SavedTensor.__module__


def raw_list(decl: Any, name: str) -> property:
    """Return the property that gives the tensors of a saved list still packed."""

    def get(node: Any) -> tuple:
        found = []
        for number in range(len(_find(decl, node, name)[0])):
            one = ListedSavedTensor.of(decl, node, name)
            one._number = number
            found.append(one)
        return tuple(found)

    return property(get)
