"""A tensor's memory as an object: how many bytes it has, where it begins, and what it holds."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from autograd_lab.core.strided import owner_of
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import materialize


class UntypedStorage:
    """The bytes that a tensor and its views share.

    Source: https://docs.pytorch.org/docs/stable/storage.html#torch.UntypedStorage
    """

    __module__ = "torch.storage"

    def __init__(self, tensor: Any) -> None:
        self._tensor = tensor
        whole = owner_of(materialize(tensor))
        self._bytes = whole.reshape(-1, order="A").view(np.uint8)

    device = property(lambda self: self._tensor.device, doc="The CPU.")

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self._bytes.size

    size = __len__ = nbytes

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return self._bytes.ctypes.data if self._bytes.size else 0

    def element_size(self) -> int:
        """Return 1: the elements are bytes."""
        return 1

    def tolist(self) -> list[int]:
        """Return the bytes as Python integers."""
        return self._bytes.tolist()

    def __getitem__(self, index: Any) -> Any:
        found = self._bytes[index]
        return int(found) if np.ndim(found) == 0 else found.tolist()

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def _is_shared_with(self, other: Any) -> bool:
        return self.data_ptr() == other.data_ptr()

    def __repr__(self) -> str:
        lines = "".join(f" {one}\n" for one in self.tolist())
        return f"{lines}[torch.storage.UntypedStorage(device=cpu) of size {len(self)}]"


WARNING = (
    "TypedStorage is deprecated. It will be removed in the future and UntypedStorage will be the only storage class. "
    "This should only matter to you if you are using storages directly.  To access UntypedStorage directly, use "
    "tensor.untyped_storage() instead of tensor.storage()"
)


_warned = False


class TypedStorage:
    """The same memory, counted in elements of the tensor's dtype; torch is about to take it away.

    Source: https://docs.pytorch.org/docs/stable/storage.html#torch.TypedStorage
    """

    __module__ = "torch.storage"

    def __init__(self, tensor: Any) -> None:
        self._untyped = UntypedStorage(tensor)
        self.dtype = tensor.dtype
        self._elements = self._untyped._bytes.view(tensor.dtype.numpy)

    device = property(lambda self: self._untyped.device, doc="The CPU.")

    def size(self) -> int:
        """Return the number of elements."""
        return self._elements.size

    __len__ = size

    def nbytes(self) -> int:
        """Return the number of bytes."""
        return self._untyped.nbytes()

    def data_ptr(self) -> int:
        """Return the address of the first byte."""
        return self._untyped.data_ptr()

    def element_size(self) -> int:
        """Return the number of bytes of an element."""
        return self.dtype.itemsize

    def untyped(self) -> UntypedStorage:
        """Return the memory in bytes."""
        return self._untyped

    def tolist(self) -> list:
        """Return the elements as Python numbers."""
        return self._elements.tolist()

    def __getitem__(self, index: int) -> Any:
        return self._elements[index].item()

    def __setitem__(self, index: Any, value: Any) -> None:
        self._elements[index] = value

    def __iter__(self) -> Any:
        return iter(self.tolist())

    def __repr__(self) -> str:
        lines = "".join(f" {one}\n" for one in self.tolist())
        return f"{lines}[torch.storage.TypedStorage(dtype={self.dtype}, device=cpu) of size {len(self)}]"


def untyped_storage(self: Tensor) -> UntypedStorage:
    """Return the memory that the tensor and its views share, in bytes."""
    return UntypedStorage(self)


def storage(self: Tensor) -> TypedStorage:
    """Return the memory that the tensor and its views share, in elements."""
    global _warned
    if not _warned:     # once, even with set_warn_always
        _warned = True
        warnings.warn(WARNING, UserWarning, stacklevel=2)
    return TypedStorage(self)


Tensor.untyped_storage, Tensor.storage = untyped_storage, storage  # type: ignore[attr-defined]
