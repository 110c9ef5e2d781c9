"""What torch has besides as a function: the in-place forms, memory formats, tensors on a buffer, the name of a type."""

from __future__ import annotations

from typing import Any

import numpy as np

from autograd_lab.core import memory_formats
from autograd_lab.core.inplace import run_inplace
from autograd_lab.core.op import functions, table
from autograd_lab.core.tensor import Tensor, fresh
from autograd_lab.ops.activation import SELU
from autograd_lab.ops.data import check_dtype

# The methods with an underscore that torch also has as functions.
IN_PLACE = (
    "abs_", "acos_", "acosh_", "addmv_", "arccos_", "arccosh_", "arcsin_", "arcsinh_", "arctan_", "arctanh_",
    "as_strided_", "asin_", "asinh_", "atan_", "atanh_", "ceil_", "clamp_", "clamp_max_", "clamp_min_", "clip_", "cos_",
    "cosh_", "deg2rad_", "detach_", "erf_", "erfc_", "exp2_", "exp_", "expm1_", "fill_", "fix_", "floor_", "frac_",
    "gcd_", "lcm_", "ldexp_",
    "index_put_", "log10_", "log1p_", "log2_", "log_", "logit_", "nan_to_num_", "neg_", "negative_", "rad2deg_",
    "reciprocal_", "relu_", "resize_as_", "round_", "rsqrt_", "sigmoid_", "sin_", "sinc_", "sinh_", "sqrt_", "square_",
    "tan_", "tanh_", "trunc_", "xlogy_", "zero_",
)  # fmt: skip


def _form(name: str) -> Any:
    method = getattr(Tensor, name)

    def function(input: Tensor, *args: Any, **kwargs: Any) -> Tensor:
        return method(input, *args, **kwargs)

    function.__name__ = function.__qualname__ = name
    function.__doc__, function.__module__ = method.__doc__, "autograd_lab"
    return function


def celu_(input: Tensor, alpha: float = 1.0) -> Tensor:
    """In-place version of celu."""
    return run_inplace(table["celu_from_result"], input, (alpha,), {})


def selu_(input: Tensor) -> Tensor:
    """In-place version of selu."""
    return run_inplace(table["elu_from_result"], input, (SELU["alpha"], SELU["scale"], 1), {})


functions |= {name: _form(name) for name in IN_PLACE if hasattr(Tensor, name)}
functions |= {"celu_": celu_, "selu_": selu_}


functions |= {name: getattr(memory_formats, name) for name in (
    "memory_format", "contiguous_format", "preserve_format", "channels_last", "channels_last_3d")}  # fmt: skip


def typename(obj: Any, /) -> str:
    """Return the name of an object's type; for a tensor the name of its old constructor, torch.FloatTensor.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.typename.html

    >>> typename(fresh(np.zeros(1, np.float32)))
    'torch.FloatTensor'
    """
    if isinstance(obj, Tensor):
        return str(obj.type())
    named = obj if hasattr(obj, "__qualname__") else type(obj)
    module = getattr(named, "__module__", "") or ""
    module = module.replace("autograd_lab", "torch", 1) if module.startswith("autograd_lab") else module
    return named.__qualname__ if module in ("", "builtins") else f"{module}.{named.__qualname__}"


def frombuffer(buffer: Any, *, dtype: Any, count: int = -1, offset: int = 0, requires_grad: bool = False) -> Tensor:
    """Return a 1-d tensor that shares memory with an object that has Python's buffer protocol.

    Raises ValueError for a buffer that does not hold a whole number of elements from `offset` on.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.frombuffer.html

    >>> from autograd_lab.core import dtypes
    >>> frombuffer(bytearray(b"ab"), dtype=dtypes.uint8)
    tensor([97, 98], dtype=torch.uint8)
    """
    kind = check_dtype("frombuffer", dtype).numpy
    try:
        length = memoryview(buffer).nbytes
    except TypeError:
        raise ValueError("object does not implement Python buffer protocol.") from None
    if length == 0 or count == 0:
        raise ValueError(f"both buffer length ({length}) and count ({count}) must not be 0")
    if not 0 <= offset < length:
        raise ValueError(f"offset ({offset} bytes) must be non-negative and no greater than buffer length "
                         f"({length} bytes) minus 1")  # fmt: skip
    if count < 0 and (length - offset) % kind.itemsize:
        raise ValueError(f"buffer length ({length - offset} bytes) after offset ({offset} bytes) must be a multiple of "
                         f"element size ({kind.itemsize})")  # fmt: skip
    if offset + max(count, 0) * kind.itemsize > length:
        raise ValueError(f"requested buffer length ({count} * {kind.itemsize} bytes) after offset ({offset} bytes) "
                         f"must not be greater than actual buffer length ({length} bytes)")  # fmt: skip
    made = fresh(np.frombuffer(buffer, kind, count, offset))
    return made.requires_grad_() if requires_grad else made


functions |= {"typename": typename, "frombuffer": frombuffer}


def _on_elements(name: str, others: int) -> None:
    def method(self: Tensor, *given: Any) -> Tensor:
        *tensors, function = given
        if len(tensors) != others:
            raise TypeError(f"{name}() takes {others} tensors and a function")
        if any(one.requires_grad for one in (self, *tensors)):
            raise RuntimeError(f"Can't call {name}() on Variable that requires grad. "
                               f"Use var.detach().{name}() instead.")  # fmt: skip
        for which, one in zip(("other",) if others == 1 else ("x", "y"), tensors, strict=False):
            if one.dtype is not self.dtype:
                raise TypeError(f"{name}: expected {self.dtype.tensor_type} for '{which}' "
                                f"(got {one.dtype.tensor_type})")  # fmt: skip
        rows = [one.expand(self.shape).reshape(-1).tolist() for one in (self, *tensors)]
        made = np.array([function(*values) for values in zip(*rows, strict=True)]).reshape(tuple(self.shape))
        if type(self._array) is np.ndarray:     # torch does not count these writes
            self._array[...] = made
            return self
        return self.copy_(fresh(made.astype(self._array.dtype)))

    method.__name__ = method.__qualname__ = name
    method.__doc__ = "Replace each element by what a Python function makes of it; slow, and on the CPU only."
    setattr(Tensor, name, method)


for _name, _others in (("apply_", 0), ("map_", 1), ("map2_", 2)):
    _on_elements(_name, _others)


def is_same_size(input: Tensor, other: Tensor) -> bool:
    """Say whether two tensors have the same shape."""
    return bool(input._array.shape == other._array.shape)


functions["is_same_size"] = Tensor.is_same_size = is_same_size  # type: ignore[attr-defined]
