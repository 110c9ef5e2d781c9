"""Saved tensors of a custom Function before they are unpacked: hooks may be registered on each, once."""

from __future__ import annotations

from typing import Any

from autograd_lab.autograd._node import CustomNode, PackedOutput, SavedOutput
from autograd_lab.core import failures as fail
from autograd_lab.core.node import Output
from autograd_lab.core.saved import new_tensor
from autograd_lab.core.saved_attributes import SavedTensor


class CustomSavedTensor(SavedTensor):
    """One of them."""

    def __init__(self, node: CustomNode, position: int) -> None:
        super().__init__(node, "", position, False)

    def register_hooks(self, pack_hook: Any, unpack_hook: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        node, position = self._node, self._position
        if node.saved is None:
            raise fail.freed(node)
        item = node.saved[position]
        if type(item) is PackedOutput:
            raise RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. "
                               "Hint: only one pair of hooks is allowed at a time.")  # fmt: skip
        if item is None:
            raise RuntimeError("Calling register_hooks on a saved tensor with value None is forbidden")
        nr = None
        if type(item) is SavedOutput:
            nr, item = item.nr, new_tensor(item.array, Output(node, item.nr), item.cell)
        items = list(node.saved)
        items[position] = PackedOutput(item, (pack_hook, unpack_hook), nr)
        node.saved = tuple(items)


CustomSavedTensor.__name__ = CustomSavedTensor.__qualname__ = "SavedTensor"
CustomSavedTensor.__module__ = SavedTensor.__module__


def raw_saved(node: CustomNode) -> tuple:
    """Return the packed saved tensors of a node."""
    if node.saved is None:
        raise fail.freed(node)
    return tuple([CustomSavedTensor(node, position) for position in range(len(node.saved))])
