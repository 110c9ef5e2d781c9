"""Modules that hold modules: Sequential, ModuleList and ModuleDict."""

from __future__ import annotations

import operator
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from autograd_lab.nn.modules.module import Module


def _at(size: int, index: Any) -> int:
    """Return an index counted from the front; raise IndexError if it lies outside."""
    index = operator.index(index)
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of range")
    return index % size


class _Numbered(Module):
    """Children under the names "0", "1", …"""

    def _renumber(self, children: Iterable) -> None:
        self.__dict__["_modules"] = {str(position): child for position, child in enumerate(children)}

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator:
        return iter(self._modules.values())

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]


class Sequential(_Numbered):
    """Apply modules one after the other.

    Args:
        args: the modules, or one OrderedDict of names and modules.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Sequential.html

    >>> import autograd_lab as torch
    >>> torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.ReLU())
    Sequential(
      (0): Linear(in_features=3, out_features=2, bias=True)
      (1): ReLU()
    )
    """

    def __init__(self, *args: Any) -> None:
        super().__init__()
        if len(args) == 1 and isinstance(args[0], OrderedDict):
            for name, module in args[0].items():
                self.add_module(name, module)
        else:
            for position, module in enumerate(args):
                self.add_module(str(position), module)

    def forward(self, input: Any) -> Any:
        """Apply the modules in order."""
        for module in self:
            input = module(input)
        return input

    def _name(self, index: Any) -> str:
        return next(islice(self._modules, _at(len(self), index), None))

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(OrderedDict(list(self._modules.items())[index]))
        return self._modules[self._name(index)]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, self._name(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)[index] if isinstance(index, slice) else [self._name(index)]
        for name in names:
            delattr(self, name)
        self._renumber(self)

    def __add__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                f"add operator supports only objects of Sequential class, but {type(other)!s} is given."
            )
        return Sequential(*self, *other)

    def __iadd__(self, other: Any) -> Sequential:
        if not isinstance(other, Sequential):
            raise ValueError(
                f"add operator supports only objects of Sequential class, but {type(other)!s} is given."
            )
        return self.extend(other)

    def append(self, module: Module) -> Sequential:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def extend(self, sequential: Iterable[Module]) -> Sequential:
        """Add modules at the end."""
        for module in list(sequential):
            self.append(module)
        return self

    def insert(self, index: int, module: Module) -> Sequential:
        """Add a module before the one at `index`."""
        if not isinstance(module, Module):
            raise AssertionError(f"module should be of type: {Module}")
        if not -len(self) <= index <= len(self):
            raise IndexError(f"Index out of range: {index}")
        children = list(self)
        children.insert(index, module)
        self._renumber(children)
        return self

    def pop(self, key: Any) -> Module:
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module


class ModuleList(_Numbered):
    """Hold modules in a list; what is done with them is up to `forward` of the module that owns the list."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.extend(modules)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__(list(self)[index])
        return self._modules[str(_at(len(self), index))]

    def __setitem__(self, index: int, module: Module) -> None:
        setattr(self, str(_at(len(self), index)), module)

    def __delitem__(self, index: Any) -> None:
        children = list(self)
        if not isinstance(index, slice):
            index = _at(len(self), index)
        del children[index]
        self._renumber(children)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def insert(self, index: int, module: Module) -> None:
        """Add a module before the one at `index`."""
        children = list(self)
        children.insert(index, module)
        self._renumber(children)

    def append(self, module: Module) -> ModuleList:
        """Add a module at the end."""
        self.add_module(str(len(self)), module)
        return self

    def pop(self, key: Any) -> Module:
        """Remove a module and return it."""
        module = self[key]
        del self[key]
        return module

    def extend(self, modules: Iterable[Module]) -> ModuleList:
        """Add modules at the end."""
        if not isinstance(modules, Iterable):
            raise TypeError(f"ModuleList.extend should be called with an iterable, but got {type(modules).__name__}")
        for module in list(modules):
            self.append(module)
        return self

    def __repr__(self) -> str:
        """Show a run of equal modules once, with its length."""
        runs: list[list] = []
        for position, text in enumerate(repr(child) for child in self):
            if runs and runs[-1][2] == text:
                runs[-1][1] = position
            else:
                runs.append([position, position, text])
        if not runs:
            return f"{self._get_name()}()"
        lines = []
        for first, last, text in runs:
            shown = f"({first}): {text}" if first == last else f"({first}-{last}): {last - first + 1} x {text}"
            lines.append("  " + shown.replace("\n", "\n  "))
        return f"{self._get_name()}(\n" + "\n".join(lines) + "\n)"


class ModuleDict(Module):
    """Hold modules in a dict; what is done with them is up to `forward` of the module that owns the dict."""

    def __init__(self, modules: Mapping[str, Module] | None = None) -> None:
        super().__init__()
        if modules is not None:
            self.update(modules)

    def __getitem__(self, key: str) -> Module:
        return self._modules[key]

    def __setitem__(self, key: str, module: Module) -> None:
        self.add_module(key, module)

    def __delitem__(self, key: str) -> None:
        del self._modules[key]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, key: str) -> bool:
        return key in self._modules

    def clear(self) -> None:
        """Remove all modules."""
        self._modules.clear()

    def pop(self, key: str) -> Module:
        """Remove a module and return it."""
        return self._modules.pop(key)

    def keys(self) -> Any:
        """Return the names."""
        return self._modules.keys()

    def items(self) -> Any:
        """Return the names and modules."""
        return self._modules.items()

    def values(self) -> Any:
        """Return the modules."""
        return self._modules.values()

    def update(self, modules: Any) -> None:
        """Add modules from a mapping or from pairs."""
        if not isinstance(modules, Iterable):
            raise TypeError("ModuleDict.update should be called with an iterable of key/value pairs, but got "
                            + type(modules).__name__)  # fmt: skip
        if isinstance(modules, (OrderedDict, ModuleDict, Mapping)):
            for key, module in modules.items():
                self[key] = module
            return
        for position, pair in enumerate(modules):
            if not isinstance(pair, Iterable):
                raise TypeError("ModuleDict update sequence element #" + str(position) + " should be Iterable; is"
                                + type(pair).__name__)  # fmt: skip
            if len(pair) != 2:  # type: ignore[arg-type]
                raise ValueError("ModuleDict update sequence element #" + str(position) + " has length "
                                 + str(len(pair)) + "; 2 is required")  # type: ignore[arg-type]  # fmt: skip
            self[pair[0]] = pair[1]  # type: ignore[index]
