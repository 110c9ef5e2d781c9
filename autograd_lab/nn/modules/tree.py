"""Walking over a module: its children, everything below it, and the parameters and buffers of all of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any


class Tree:
    """The part of Module that lists members."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]

    def named_modules(self, memo: set | None = None, prefix: str = "", remove_duplicate: bool = True) -> Iterator:
        """Yield (name, module) for this module and all below it, each module once."""
        if memo is None:
            memo = set()
        if self in memo:
            return
        if remove_duplicate:
            memo.add(self)
        yield prefix, self
        for name, child in self._modules.items():
            if child is not None:
                yield from child.named_modules(memo, f"{prefix}.{name}" if prefix else name, remove_duplicate)

    def modules(self) -> Iterator:
        """Yield this module and all below it."""
        for _, module in self.named_modules():
            yield module

    def named_children(self) -> Iterator:
        """Yield (name, module) for the modules that are direct members, each once."""
        seen = set()
        for name, child in self._modules.items():
            if child is not None and child not in seen:
                seen.add(child)
                yield name, child

    def children(self) -> Iterator:
        """Yield the modules that are direct members."""
        for _, child in self.named_children():
            yield child

    def _named_members(self, get_members_fn: Callable, prefix: str = "", recurse: bool = True,
                       remove_duplicate: bool = True) -> Iterator:  # fmt: skip
        """Yield (name, member) for what `get_members_fn` finds in each module, each object once."""
        seen = set()
        places = self.named_modules(prefix=prefix, remove_duplicate=remove_duplicate) if recurse else [(prefix, self)]
        for place, module in places:
            for name, member in get_members_fn(module):
                if member is None or member in seen:
                    continue
                if remove_duplicate:
                    seen.add(member)
                yield f"{place}.{name}" if place else name, member

    def named_parameters(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Iterator:
        """Yield (name, parameter), this module's own first."""
        yield from self._named_members(lambda module: module._parameters.items(), prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator:
        """Yield the parameters, which one hands to an optimizer."""
        for _, parameter in self.named_parameters(recurse=recurse):
            yield parameter

    def named_buffers(self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True) -> Iterator:
        """Yield (name, buffer), this module's own first."""
        yield from self._named_members(lambda module: module._buffers.items(), prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator:
        """Yield the buffers."""
        for _, buffer in self.named_buffers(recurse=recurse):
            yield buffer

    def get_submodule(self, target: str) -> Any:
        """Return the module under a dotted name; raise AttributeError if there is none."""
        from autograd_lab.nn.modules.module import Module

        module: Any = self
        if target:
            for part in target.split("."):
                if not hasattr(module, part):
                    raise AttributeError(f"{module._get_name()} has no attribute `{part}`")
                module = getattr(module, part)
                if not isinstance(module, Module):
                    raise AttributeError(f"`{part}` is not an nn.Module")
        return module

    def get_parameter(self, target: str) -> Any:
        """Return the parameter under a dotted name; raise AttributeError if there is none."""
        from autograd_lab.core.parameter import Parameter

        found = self._member(target)
        if not isinstance(found, Parameter):
            raise AttributeError(f"`{target.rpartition('.')[2]}` is not an nn.Parameter")
        return found

    def get_buffer(self, target: str) -> Any:
        """Return the buffer under a dotted name; raise AttributeError if there is none."""
        path, _, name = target.rpartition(".")
        found = self._member(target)
        if name not in self.get_submodule(path)._buffers:
            raise AttributeError(f"`{name}` is not a buffer")
        return found

    def _member(self, target: str) -> Any:
        path, _, name = target.rpartition(".")
        module = self.get_submodule(path)
        if not hasattr(module, name):
            raise AttributeError(f"{module._get_name()} has no attribute `{name}`")
        return getattr(module, name)
