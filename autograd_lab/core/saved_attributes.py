"""The attributes `_saved_<name>` and `_raw_saved_<name>` of a node: its saved values, read by the user."""

from __future__ import annotations

from typing import Any

from autograd_lab.core.saved import Packed, PackedTensor, check, result_tensor, unpack


# Arguments that torch declares as integers (not as numbers of any kind) and therefore reads back as unsigned.
INTEGERS = frozenset((
    "dim", "dims", "dim0", "dim1", "dim2", "dimension", "index", "start", "end", "step", "offset", "diagonal", "k",
    "shifts", "ignore_index", "split_sizes", "size", "stride", "padding_idx", "repeats",
))  # fmt: skip


def _find(decl: Any, node: Any, name: str) -> tuple[Any, Any]:
    """Return the flat entries (value, cell) of a saved name."""
    flat, position = unpack(node), 0
    for one in decl.saved:
        if one in decl.result_names:
            if one == name:
                return flat[position], flat[position + 1]
            position += 2
        else:
            if one == name:
                return flat[position], None
            position += 1
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


class SavedTensor:
    """A saved tensor before it is unpacked (torch's `_raw_saved_*`): hooks may be registered on it, once."""

    def __init__(self, node: Any, name: str, position: int, is_output: bool) -> None:
        self._node, self._name, self._position, self._is_output = node, name, position, is_output

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        node = self._node
        if node.saved is None:
            unpack(node)
        position = self._position
        items = list(node.saved)
        if self._is_output and type(items[position]) is not PackedTensor:
            tensor = result_tensor(node, items[position], items[position + 1])
            del items[position + 1]
        else:
            tensor = items[position]
        if type(tensor) is PackedTensor:
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. "
                               "Hint: only one pair of hooks is allowed at a time.")  # fmt: skip
        if tensor is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        items[position] = PackedTensor(tensor, (pack_hook, unpack_hook), self._is_output)
        node.saved = Packed(items)


def raw(decl: Any, name: str) -> property:
    """Return the property that gives a saved tensor still packed."""

    def get(node: Any) -> SavedTensor:
        if node.saved is None:
            unpack(node)
        position = 0
        for one in decl.saved:
            if one == name:
                break
            packed = type(node.saved[position]) is PackedTensor
            position += 2 if one in decl.result_names and not packed else 1
        return SavedTensor(node, name, position, name in decl.result_names)

    return property(get)
