"""Saved tensors of a custom Function before they are unpacked: hooks may be registered on each, once."""

from __future__ import annotations

from typing import Any

from autograd_lab.autograd._node import CustomNode, PackedOutput, SavedOutput
from autograd_lab.core import failures as fail
from autograd_lab.core.node import Output
from autograd_lab.core.saved import new_tensor
from autograd_lab.core.saved_attributes import SavedTensor
from autograd_lab.core.tensor import wrap


class CustomSavedTensor(SavedTensor):
    """One of them."""

    _place: int

    def _item(self) -> Any:
        """Return what the node keeps in this place; None once it was freed."""
        return None if self._node.saved is None else self._node.saved[self._place]

    @property
    def data(self) -> Any:
        """The saved tensor or what a pack hook made of it; None once it was freed."""
        if self._node.saved is None:
            return None
        item = self._node.saved[self._place]
        if type(item) is PackedOutput:
            return item.pack_value
        return wrap(item.array) if type(item) is SavedOutput else item

    def register_hooks(self, *hooks: Any) -> None:
        """Let `pack_hook` take the saved tensor now and `unpack_hook` give it back in backward."""
        pack_hook, unpack_hook = self._two(hooks)
        node, place = self._node, self._place
        self._check()
        item, nr = node.saved[place], None
        if type(item) is SavedOutput:
            nr, item = item.nr, new_tensor(item.array, Output(node, item.nr), item.cell)
        packed = PackedOutput(item, (pack_hook, unpack_hook), nr, item.detach())
        node.saved = (*node.saved[:place], packed, *node.saved[place + 1:])


CustomSavedTensor.__name__ = CustomSavedTensor.__qualname__ = "SavedTensor"
CustomSavedTensor.__module__ = SavedTensor.__module__


def raw_saved(node: CustomNode) -> tuple:
    """Return the packed saved tensors of a node."""
    if node.saved is None:
        raise fail.freed(node)
    found = []
    for position in range(len(node.saved)):
        one: Any = CustomSavedTensor.of(None, node, "")
        one._place = position
        found.append(one)
    return tuple(found)
