"""`torch.Tensor(...)` and the typed constructors of old: sizes or data, by position."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import dtypes


def legacy_tensor(cls: type, args: tuple, kwargs: dict, dtype: Any = None) -> Any:
    """Return what `torch.Tensor(*args)` makes: uninitialised memory of a size, or float data, or an alias."""
    from autograd_lab.core.tensor import Tensor, wrap

    kwargs.pop("device", None)
    if kwargs:
        name = next(iter(kwargs))
        if name not in ("data", "size"):
            raise TypeError(f"new() received an unexpected keyword argument {name!r}")
        args = (kwargs[name],)
    numpy_dtype = (dtype or dtypes.get_default_dtype()).numpy
    if len(args) == 1 and isinstance(args[0], Tensor):
        source = args[0]
        if source._array.dtype is not numpy_dtype:
            raise TypeError(f"expected {cls.__name__} (got {source.dtype.tensor_type})")
        made = source.detach()
    elif len(args) == 1 and not isinstance(args[0], int) and not _is_size(args[0]):
        made = wrap(np.array(args[0], dtype=numpy_dtype))
    else:
        sizes = args[0] if len(args) == 1 and _is_size(args[0]) else args
        if not args:
            sizes = (0,)
        made = wrap(np.zeros(tuple(int(size) for size in sizes), numpy_dtype))
    if cls is not Tensor:
        made.__class__ = cls
    return made


def _is_size(value: Any) -> bool:
    from autograd_lab.core.sizes import Size

    return isinstance(value, Size)
