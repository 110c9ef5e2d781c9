"""Saved tensors of a custom Function, or of no node, before they are unpacked: hooks may be registered once."""

from __future__ import annotations

from typing import Any

from autograd_lab.autograd._node import CustomNode, PackedOutput, SavedOutput
from autograd_lab.core import failures as fail
from autograd_lab.core.node import Output
from autograd_lab.core.saved import PackedTensor, check, new_tensor
from autograd_lab.core.saved_attributes import SavedTensor
from autograd_lab.core.state import local, mode
from autograd_lab.core.tensor import Tensor, wrap


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

    def _unpacked(self) -> Any:
        item: Any = self._item()
        if type(item) is SavedOutput:
            raise fail.detached_in_place()
        if type(item) is PackedOutput:
            return item.tensor(self._node, item.nr)
        if item is not None:
            check(self._node, item)
        return item

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


class LooseSavedTensor(SavedTensor):
    """A tensor saved for no node, by `_make_saved_tensor`: it still knows the version, and which hooks were pushed."""

    kind, custom, name = 0, False, staticmethod(lambda: "")     # what is asked of a node in messages

    def __init__(self, tensor: Tensor, is_output: bool) -> None:
        self.clock = mode.clock
        self._tensor = tensor
        self._lost = is_output and tensor._node is not None and not tensor.is_leaf
        self._packed: PackedTensor | None = None
        if local.pack_hooks:
            self._pack(local.pack_hooks[-1], tensor)

    def _pack(self, hooks: tuple, shown: Tensor) -> None:
        self._packed = PackedTensor(self._tensor, hooks, False, shown)

    def _item(self) -> Any:
        """Return what is kept."""
        return self._packed or self._tensor

    @property
    def data(self) -> Any:
        """The tensor, or what a pack hook made of it."""
        if self._packed is not None:
            return self._packed.pack_value
        return self._tensor.detach() if self._lost else self._tensor

    def unpack(self) -> Any:
        """Return the tensor, or what the unpack hook makes of what was packed; raise if it was written since."""
        if self._lost:
            raise fail.detached_in_place()
        if self._packed is not None:
            return self._packed.tensor(self)
        check(self, self._tensor)
        return self._tensor

    def register_hooks(self, *hooks: Any) -> None:
        """Let `pack_hook` take the tensor now and `unpack_hook` give it back in `unpack`."""
        hooks = self._two(hooks)
        if self._packed is not None:
            raise fail.hooks_are_set()
        self._pack(hooks, self._tensor.detach())


def make_saved_tensor(*args: Any, **kwargs: Any) -> LooseSavedTensor:
    """Save a tensor for no node: `_make_saved_tensor(tensor, is_output, is_inplace_on_view=False)`."""
    names = ("tensor", "is_output", "is_inplace_on_view")
    given = dict(zip(names, args, strict=False)) | kwargs
    if (len(args) > 3 or not {*given} <= {*names} or not isinstance(given.get("tensor"), Tensor)
            or type(given.get("is_output")) is not bool):  # fmt: skip
        shown = ", ".join([*map(repr, args), *(f"{name}={value!r}" for name, value in kwargs.items())])
        raise TypeError(
            "_make_saved_tensor(): incompatible function arguments. The following argument types are supported:\n"
            "    1. (tensor: torch.Tensor, is_output: bool, is_inplace_on_view: bool = False) -> "
            f"torch._C._autograd.SavedTensor\n\nInvoked with: {shown}"
        )
    return LooseSavedTensor(given["tensor"], given["is_output"])


for _one in (CustomSavedTensor, LooseSavedTensor):
    _one.__name__ = _one.__qualname__ = "SavedTensor"
    _one.__module__ = SavedTensor.__module__


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
