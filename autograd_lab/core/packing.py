"""Objects as flat tables of JSON values, and back: what `files` writes and reads.

Every object is a row `[kind, ...]`; where it holds other objects, the row has their numbers. A row may therefore refer
to itself, and depth costs no recursion.
"""

from __future__ import annotations

import base64
from collections import OrderedDict
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.parameter import Parameter
from autograd_lab.core.sizes import Size, make_size
from autograd_lab.core.strided import offset_within, owner_of, strides_of
from autograd_lab.core.tensor import CPU, Tensor, device, wrap
from autograd_lab.core.versions import Cell, Memory, cell_of, materialize

_PLAIN = (bool, int, float, str, type(None))
_HOLDERS: dict[str, type] = {"dict": dict, "OrderedDict": OrderedDict, "list": list, "tuple": tuple, "set": set,
                             "frozenset": frozenset}  # fmt: skip
_TENSORS: dict[str, type] = {"Tensor": Tensor, "Parameter": Parameter}


class Packer:
    """Gather objects into rows, and the memories of their tensors."""

    def __init__(self) -> None:
        self.objects: list[Any] = []
        self.memories: list[np.ndarray] = []
        self._numbers: dict[int, int] = {}
        self._memory_numbers: dict[int, int] = {}
        self._kept: list[Any] = []      # keeps ids unique while packing
        self._open: list[tuple[int, Any]] = []

    def pack(self, root: Any) -> int:
        """Add an object and everything it holds; return its number."""
        number = self._number(root)
        while self._open:
            at, value = self._open.pop()
            self.objects[at] = self._row(value)
        return number

    def _number(self, value: Any) -> int:
        known = self._numbers.get(id(value))
        if known is not None:
            return known
        number = self._numbers[id(value)] = len(self.objects)
        self.objects.append(None)
        self._kept.append(value)
        self._open.append((number, value))
        return number

    def _row(self, value: Any) -> list:
        kind = type(value)
        if kind in _PLAIN:
            return ["plain", value]
        if kind.__name__ in _HOLDERS and kind is _HOLDERS[kind.__name__]:
            if issubclass(kind, dict):
                held = [[self._number(key), self._number(item)] for key, item in value.items()]
                metadata = getattr(value, "_metadata", None)
                return [kind.__name__, held, None if metadata is None else self._number(metadata)]
            return [kind.__name__, [self._number(item) for item in value]]
        if isinstance(value, Tensor):
            return self._tensor(value)
        if kind is Size:
            return ["Size", list(value)]
        if kind is bytes:
            return ["bytes", base64.b64encode(value).decode()]
        if kind is dtypes.dtype:
            return ["dtype", str(value)]
        if kind is device:
            return ["device"]
        if isinstance(value, (np.ndarray, np.generic)) and value.dtype.kind in "biufSU":
            return ["ndarray", self._memory(np.ascontiguousarray(value)), list(value.shape), kind is np.ndarray]
        error = TypeError(f"torch.save cannot write an object of type {kind.__module__}.{kind.__qualname__}")
        error.add_note("autograd_lab saves tensors and plain containers, no other objects, so that loading is safe.")
        if hasattr(value, "state_dict"):
            error.add_note("Save value.state_dict() instead, and restore it by load_state_dict.")
        raise error

    def _tensor(self, value: Any) -> list:
        from autograd_lab.core.hooks import warn_if_has_hooks

        name = type(value).__name__
        if _TENSORS.get(name) is not type(value):
            raise TypeError(f"torch.save cannot write a tensor of the class {type(value).__qualname__}: save its .data")
        warn_if_has_hooks(value)
        array = materialize(value)
        owner = owner_of(array)
        if owner.dtype != array.dtype or not owner.flags.c_contiguous:
            owner = array = np.ascontiguousarray(array).reshape(array.shape)
        where = [list(array.shape), list(strides_of(array)), 0 if owner is array else offset_within(array, owner)]
        return [name, self._memory(owner), *where, value.requires_grad]

    def _memory(self, owner: np.ndarray) -> int:
        number = self._memory_numbers.get(id(owner))
        if number is None:
            number = self._memory_numbers[id(owner)] = len(self.memories)
            self.memories.append(owner.reshape(-1))
            self._kept.append(owner)
        return number


def unpack(rows: list[Any], root: int, memories: list[np.ndarray]) -> Any:
    """Return the object of number `root`, and with it everything it holds."""
    made: list[Any] = [_hollow(row, memories) for row in rows]
    cells: dict[int, Memory] = {}
    frozen = []
    for number, row in enumerate(rows):
        kind = row[0]
        if kind in _TENSORS:
            # Tensors on one memory count their writes apart, as after torch.load, but know that they share it.
            cell = cell_of(made[number])
            cell.memory = cells.setdefault(row[1], cell.memory or Memory())
        elif kind in ("tuple", "frozenset"):
            frozen.append(number)
    _freeze(rows, made, frozen)
    for number, row in enumerate(rows):
        kind, holder = row[0], made[number]
        if kind in ("dict", "OrderedDict"):
            for key, item in row[1]:
                holder[made[key]] = made[item]
            if row[2] is not None:
                holder._metadata = made[row[2]]
        elif kind == "list":
            holder.extend(made[item] for item in row[1])
        elif kind == "set":
            holder.update(made[item] for item in row[1])
    return made[root]


def _freeze(rows: list[Any], made: list[Any], frozen: list[int]) -> None:
    """Make the tuples and frozen sets, the inner ones first; in a file of `save` none holds itself."""
    waiting = set(frozen)
    stack = list(reversed(frozen))
    budget = 4 * (len(rows) + sum(len(rows[number][1]) for number in frozen)) + 4
    while stack:
        number = stack[-1]
        inner = [item for item in rows[number][1] if item in waiting]
        budget -= 1
        if budget < 0:
            raise ValueError("a tuple that holds itself")
        if number in waiting and inner:
            stack.extend(inner)
            continue
        if number in waiting:
            made[number] = _HOLDERS[rows[number][0]](made[item] for item in rows[number][1])
            waiting.discard(number)
        stack.pop()


def _hollow(row: list[Any], memories: list[np.ndarray]) -> Any:
    """Return a row's object, containers still empty."""
    kind: str = row[0]
    value: Any = row[1] if len(row) > 1 else None
    if kind == "plain":
        return value
    if kind in _HOLDERS:
        return _HOLDERS[kind]()
    if kind in _TENSORS:
        return _revive(kind, memories[value], *row[2:6])
    if kind == "Size":
        return make_size(tuple(value))
    if kind == "bytes":
        return base64.b64decode(value)
    if kind == "dtype":
        found = getattr(dtypes, value.removeprefix("torch."))
        if not isinstance(found, dtypes.dtype):
            raise ValueError(f"a dtype {value!r}")
        return found
    if kind == "device":
        return CPU
    if kind == "ndarray":
        array = memories[value].reshape(row[2])
        return array if row[3] else array[()]
    raise ValueError(f"an object of the kind {kind!r}")


def _revive(kind: str, memory: np.ndarray, sizes: list, strides: list, offset: int, requires_grad: bool) -> Any:
    last = offset + sum((size - 1) * stride for size, stride in zip(sizes, strides, strict=True))
    if offset < 0 or min(strides, default=0) < 0 or (0 not in sizes and last >= memory.size):
        raise ValueError("a tensor that reaches beyond its memory")
    memory = memory.reshape(-1)
    array = np.lib.stride_tricks.as_strided(
        memory[offset:], sizes, [stride * memory.itemsize for stride in strides], writeable=True
    )
    made = wrap(array)
    made._cell = Cell()
    if kind == "Parameter":
        return Parameter(made, requires_grad)
    return made.requires_grad_(requires_grad)
