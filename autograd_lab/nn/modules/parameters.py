"""Modules that hold parameters: ParameterList and ParameterDict."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from autograd_lab.core.parameter import Parameter
from autograd_lab.core.tensor import Tensor
from autograd_lab.nn.modules.container import _at
from autograd_lab.nn.modules.module import Module


def _as_parameter(value: Any) -> Any:
    return Parameter(value) if isinstance(value, Tensor) and not isinstance(value, Parameter) else value


def _described(name: Any, value: Any, old: bool = False) -> str:
    """Return one line of the repr; a dict still shows the tensor's type by its old name."""
    if not isinstance(value, Tensor):
        return f"  ({name}): Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    dtype = value.dtype.tensor_type if old else value.dtype
    return f"  ({name}): {kind} containing: [{dtype} of size {'x'.join(map(str, value.shape))}]"


class ParameterList(Module):
    """Hold parameters in a list; plain tensors become parameters, other values stay what they are."""

    def __init__(self, values: Iterable | None = None) -> None:
        super().__init__()
        self._size = 0
        if values is not None:
            self.extend(values)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return self.__class__([self[position] for position in range(*index.indices(len(self)))])
        return getattr(self, str(_at(len(self), index)))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, str(_at(len(self), index)), _as_parameter(value))

    def __len__(self) -> int:
        return self._size

    def __iter__(self) -> Iterator:
        return iter(self[position] for position in range(len(self)))

    def __iadd__(self, values: Iterable) -> ParameterList:
        return self.extend(values)

    def __dir__(self) -> list[str]:
        return [name for name in super().__dir__() if not name.isdigit()]

    def append(self, value: Any) -> ParameterList:
        """Add a value at the end."""
        self._size += 1
        self[self._size - 1] = value
        return self

    def extend(self, values: Iterable) -> ParameterList:
        """Add values at the end."""
        if not isinstance(values, Iterable) or isinstance(values, Tensor):
            raise TypeError("ParameterList.extend should be called with an iterable, but got "
                            + type(values).__name__)  # fmt: skip
        for value in values:
            self.append(value)
        return self

    def extra_repr(self) -> str:
        """Return a line for each value."""
        return "\n".join(_described(position, value) for position, value in enumerate(self))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a list of parameters computes nothing."""
        raise RuntimeError("ParameterList should not be called.")


class ParameterDict(Module):
    """Hold parameters in a dict; plain tensors become parameters, other values stay what they are."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self._keys: dict[str, None] = {}
        if parameters is not None:
            self.update(parameters)

    def _attribute(self, key: str) -> str:
        if not isinstance(key, str):
            raise TypeError("Index given to ParameterDict cannot be used as a key as it is not a string (type is "
                            f"'{type(key).__name__}'). Open an issue on github if you need non-string "
                            "keys.")  # fmt: skip
        return key

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self._attribute(key))

    def __setitem__(self, key: str, value: Any) -> None:
        self._keys[key] = None
        setattr(self, self._attribute(key), _as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self._keys[key]
        delattr(self, self._attribute(key))

    def __len__(self) -> int:
        return len(self._keys)

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self._keys))

    def __contains__(self, key: str) -> bool:
        return key in self._keys

    def copy(self) -> ParameterDict:
        """Return a new dict with the same values."""
        return ParameterDict({key: self[key] for key in self._keys})

    def setdefault(self, key: str, default: Any = None) -> Any:
        """Return a value; if there is none, put the default there first."""
        if key not in self:
            self[key] = default
        return self[key]

    def clear(self) -> None:
        """Remove everything."""
        for key in list(self._keys):
            del self[key]

    def pop(self, key: str) -> Any:
        """Remove a value and return it."""
        value = self[key]
        del self[key]
        return value

    def popitem(self) -> tuple[str, Any]:
        """Remove the last value; return its key and it."""
        key, _ = self._keys.popitem()
        self._keys[key] = None
        return key, self.pop(key)

    def get(self, key: str, default: Any = None) -> Any:
        """Return a value, or the default."""
        return self[key] if key in self._keys else default

    def keys(self) -> Any:
        """Return the keys."""
        return self._keys.keys()

    def items(self) -> Iterable[tuple[str, Any]]:
        """Return the keys and values."""
        return ((key, self[key]) for key in self._keys)

    def values(self) -> Iterable:
        """Return the values."""
        return (self[key] for key in self._keys)

    def update(self, parameters: Any) -> None:
        """Add values from a mapping or from pairs."""
        if not isinstance(parameters, Iterable):
            raise TypeError("ParametersDict.update should be called with an iterable of key/value pairs, but got "
                            + type(parameters).__name__)  # fmt: skip
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        for key, value in pairs:
            self[key] = value

    def extra_repr(self) -> str:
        """Return a line for each value."""
        return "\n".join(_described(key, value, old=True) for key, value in self.items())

    def __call__(self, input: Any) -> Any:
        """Refuse: a dict of parameters computes nothing."""
        raise RuntimeError("ParameterDict should not be called.")

    def __or__(self, other: ParameterDict) -> ParameterDict:
        made = self.copy()
        made.update(other)
        return made

    def __ior__(self, other: ParameterDict) -> ParameterDict:
        self.update(other)
        return self
