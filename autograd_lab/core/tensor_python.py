"""The Python side of a Tensor: numbers, lists, NumPy arrays, iteration, copies, pickles, formatting."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.state import local
from autograd_lab.core.strided import bytes_between, owner_of
from autograd_lab.core.versions import Cell, cell_of, materialize, memory_of, written_once
from autograd_lab.errors import explain

SCALAR_WARNING = (
    "Converting a tensor with requires_grad=True to a scalar may lead to unexpected behavior.\n"
    "Consider using tensor.detach() first."
)
DEEPCOPY = (
    "Only Tensors created explicitly by the user (graph leaves) support the deepcopy protocol at the moment.  If you "
    "were attempting to deepcopy a module, this may be because of a torch.nn.utils.weight_norm usage, see "
    "https://github.com/pytorch/pytorch/pull/103001"
)


class PythonMethods:
    """Methods of Tensor that hand its values to Python or NumPy."""

    __slots__ = ()
    _array: Any
    _node: Any
    _extra: Any

    def item(self) -> Any:
        """Return the only element as a Python number."""
        if self._array.size != 1:
            raise RuntimeError(f"a Tensor with {self._array.size} elements cannot be converted to Scalar")
        return self._array.item()

    def tolist(self) -> Any:
        """Return the elements as nested Python lists (a number for a 0-d tensor)."""
        return self._array.tolist()

    def numpy(self, *, force: bool = False) -> np.ndarray:
        """Return an ndarray that shares the tensor's memory.

        Raises RuntimeError for a tensor that requires grad, unless `force=True`.
        """
        if self._node is not None and local.grad and not force:
            raise explain(RuntimeError("Can't call numpy() on Tensor that requires grad. Use tensor.detach().numpy() "
                                       "instead."), "numpy")  # fmt: skip
        cell_of(self)
        return materialize(self)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        array = self.numpy()
        if dtype is not None and np.dtype(dtype) is not array.dtype:
            return array.astype(dtype)
        return array.copy() if copy else array

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        from autograd_lab.core.tensor import wrap

        return wrap(np.asarray(array))

    def _number(self, kind: type) -> Any:
        if self._node is not None and kind is float and local.grad:
            from autograd_lab.core.switches import warn_once

            warn_once("scalar", SCALAR_WARNING, stacklevel=3)
        if self._array.size != 1:
            raise ValueError("only one element tensors can be converted to Python scalars")
        return kind(self._array.item())

    def __bool__(self) -> bool:
        size = self._array.size
        if size != 1:
            values = "more than one value" if size else "no values"
            raise RuntimeError(f"Boolean value of Tensor with {values} is ambiguous")
        return bool(self._array.item())

    def __float__(self) -> float:
        return self._number(float)

    def __int__(self) -> int:
        return self._number(int)

    def __complex__(self) -> complex:
        return complex(self._number(float))

    def __index__(self) -> int:
        if self._array.size != 1 or self._array.dtype.kind not in "iub":
            raise TypeError("only integer tensors of a single element can be converted to an index")
        return int(self._array.item())

    def __len__(self) -> int:
        if self._array.ndim == 0:
            raise TypeError("len() of a 0-d tensor")
        return self._array.shape[0]

    def __iter__(self) -> Iterator[Any]:
        if self._array.ndim == 0:
            raise TypeError("iteration over a 0-d tensor")
        return iter(self.unbind(0))  # type: ignore[attr-defined]

    def __contains__(self, element: Any) -> bool:
        from autograd_lab.core.tensor import Tensor

        if isinstance(element, (Tensor, int, float, bool)):
            return bool((self == element)._array.any())
        raise RuntimeError(f"Tensor.__contains__ only supports Tensor or scalar, but you passed in a {type(element)}.")

    def __hash__(self) -> int:
        return id(self)

    def __reversed__(self) -> Any:
        return self if self._array.ndim == 0 else self.flip(0)  # type: ignore[attr-defined]

    def __dir__(self) -> list[str]:
        return sorted({*dir(type(self)), *self.__dict__})

    def __format__(self, spec: str) -> str:
        if self._array.ndim == 0:
            return self._array.item().__format__(spec)
        return object.__format__(self, spec)

    def __deepcopy__(self, memo: dict) -> Any:
        from autograd_lab.core.tensor import wrap

        if not self.is_leaf:  # type: ignore[attr-defined]
            raise RuntimeError(DEEPCOPY)
        if id(self) in memo:
            return memo[id(self)]
        import copy

        made: Any = wrap(copy_in_memory(self, memo))
        written_once(made)
        made.__class__ = type(self)
        memo[id(self)] = made
        made.__dict__.update(copy.deepcopy(self.__dict__, memo))
        if self._node is not None:
            made.requires_grad_(True)
        grad = self.grad  # type: ignore[attr-defined]
        if grad is not None:
            made.grad = copy.deepcopy(grad, memo)
        return made

    def __copy__(self) -> Any:
        from autograd_lab.core.hooks import warn_if_has_hooks

        warn_if_has_hooks(self)
        from autograd_lab.core.tensor import wrap

        made: Any = wrap(materialize(self), None, Cell())
        made._cell.memory = memory_of(self)
        written_once(made)
        made.__class__ = type(self)
        made.__dict__.update(self.__dict__)
        if self._node is not None:
            made.requires_grad_(True)
        return made

    def __reduce_ex__(self, protocol: Any) -> tuple:
        from autograd_lab.core.hooks import warn_if_has_hooks

        warn_if_has_hooks(self)
        array, where = self._array, None
        if type(array) is np.ndarray and array.base is not None:
            owner = owner_of(array)
            if owner.dtype == array.dtype and owner.flags.c_contiguous:     # a view takes its whole memory along
                where = array.shape, array.strides, bytes_between(array, owner)
                array = owner
        return rebuild, (type(self), np.array(array), self._node is not None, self.__dict__ or None, where)

    def data_ptr(self) -> int:
        """Return the address of the first element."""
        return materialize(self).__array_interface__["data"][0] if self._array.size else 0

    def stride(self, dim: int | None = None) -> Any:
        """Return the strides in elements, or one of them."""
        from autograd_lab.core.views import strides_of

        strides = strides_of(self._array)
        if dim is None:
            return strides
        from autograd_lab.core.dims import sized, wrap_dim

        sized(self, dim)        # a 0-d tensor has none
        return strides[wrap_dim(dim, self._array.ndim)]

    def storage_offset(self) -> int:
        """Return where in its storage the tensor begins, in elements."""
        from autograd_lab.core.views import offset_of

        return offset_of(self)

    def is_contiguous(self, memory_format: Any = None) -> bool:
        """Say whether the elements lie in memory in row order (or in another one) without gaps."""
        if memory_format is not None:
            from autograd_lab.core.memory_formats import is_arranged

            return is_arranged(np.asarray(self._array), memory_format)
        return bool(self._array.flags.c_contiguous)


def rebuild(cls: type, array: np.ndarray, requires_grad: bool, attributes: dict | None, where: Any = None) -> Any:
    """Make a tensor again from its pickle; `where` says how a view lay in its memory."""
    from autograd_lab.core.shapes import strided
    from autograd_lab.core.tensor import wrap

    # A pickled array brings a copy of its dtype; the engine compares dtypes by identity.
    array = array.view(dtypes.from_numpy(array.dtype).numpy)
    made = wrap(array if where is None else strided(array, *where))
    written_once(made)
    made.__class__ = cls
    if requires_grad:
        made.requires_grad_(True)
    if attributes:
        made.__dict__.update(attributes)
    return made


def copy_in_memory(tensor: Any, memo: dict) -> np.ndarray:
    """Return a copy of a tensor's array; tensors that share a memory share its one copy again."""
    array = tensor._array
    if type(array) is not np.ndarray or (array.base is None and tensor._extra is None):
        return np.array(array)
    owner = owner_of(array)
    if owner.dtype != array.dtype or not owner.flags.c_contiguous:
        return np.array(array)
    from autograd_lab.core.shapes import strided

    key = ("memory", id(owner))
    if key not in memo:
        memo[key] = np.array(owner, array.dtype).reshape(-1)    # its own dtype: the engine compares them by identity
        memo.setdefault(id(memo), []).append(owner)     # alive as long as its id is a key
    return strided(memo[key], array.shape, array.strides, bytes_between(array, owner))
