"""autograd_lab: PyTorch's tensors and autograd in NumPy, made to be watched. `import autograd_lab as torch`.

Everything under a PyTorch name behaves as torch 2.13.0 (`REFERENCE`) does. What PyTorch has not lives in subpackages of
its own: `inspector`, `introspect`, `course`, `legacy`. This module only re-exports; the operations come from the op
table (`core.op.functions`), the submodules are imported when first used.
"""

from __future__ import annotations

import sys as _sys
from importlib import import_module as _import_module
from math import e, inf, nan, pi
from typing import Any

import numpy as _np

# Infinity and NaN are ordinary values in a tensor library: torch never warns about them, so neither may NumPy here.
_np.seterr(all="ignore")

from autograd_lab import ops as _ops
from autograd_lab.autograd.grad_mode import enable_grad, inference_mode, no_grad, set_grad_enabled
from autograd_lab.core.dtypes import bool as bool
from autograd_lab.core.dtypes import (
    double,
    dtype,
    finfo,
    float,
    float16,
    float32,
    float64,
    get_default_dtype,
    half,
    iinfo,
    int,
    int8,
    int16,
    int32,
    int64,
    long,
    set_default_dtype,
    short,
    uint8,
)
from autograd_lab.core.missing import MissingModules as _MissingModules
from autograd_lab.core.missing import explain_missing as _explain_missing
from autograd_lab.core.op import functions as _functions
from autograd_lab.core.printing import set_printoptions
from autograd_lab.core.public import publish_module as _publish_module
from autograd_lab.core.rooms import open_all as _open_all
from autograd_lab.core.sizes import Size
from autograd_lab.core.switches import (
    get_num_threads,
    is_anomaly_check_nan_enabled,
    is_anomaly_enabled,
    is_grad_enabled,
    is_inference,
    is_inference_mode_enabled,
    is_tensor,
    is_warn_always_enabled,
    set_num_threads,
    set_warn_always,
    use_deterministic_algorithms,
)
from autograd_lab.core.tensor import Tensor, device, layout, strided

newaxis = None
REFERENCE = "2.13.0"
__version__ = "0.1.0"

_SUBMODULES = frozenset((
    "_tensor_str", "autograd", "backends", "course", "cuda", "inspector", "introspect", "legacy", "linalg", "nn", "optim", "random",  # noqa: E501
    "return_types", "testing", "utils",
))  # fmt: skip
_CLASSIC = ("FloatTensor", "DoubleTensor", "HalfTensor", "LongTensor", "IntTensor", "ShortTensor", "CharTensor",
            "ByteTensor", "BoolTensor")  # fmt: skip

# What torch.nn.functional has under the same name because it is the same function.
_FROM_NN = ("adaptive_avg_pool1d", "avg_pool1d", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
            "cosine_similarity", "pairwise_distance")  # fmt: skip

_sys.meta_path.append(_MissingModules)
globals().update(_functions)
_publish_module("torch", ("is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_inference",
                          "is_inference_mode_enabled"), globals())  # fmt: skip

_NAMES = (
    "REFERENCE", "Size", "Tensor", "bool", "device", "double", "dtype", "e", "enable_grad", "finfo", "float", "float16",
    "float32", "float64", "get_default_dtype", "get_num_threads", "half", "iinfo", "inf", "inference_mode", "int",
    "int16", "int32", "int64", "int8", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_grad_enabled",
    "is_inference", "is_inference_mode_enabled", "is_tensor", "is_warn_always_enabled", "nan", "newaxis", "pi",
    "set_printoptions", "set_warn_always", "short", "strided", "uint8", "use_deterministic_algorithms",
)  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _SUBMODULES:
        return _import_module(f"autograd_lab.{name}")
    if name in _CLASSIC:
        from autograd_lab.core.construct import typed_constructor

        return typed_constructor(name)
    if name == "_C":
        return _import_module("autograd_lab.autograd._c")
    if name == "save" or name == "load":
        from autograd_lab.core import files

        return getattr(files, name)
    if name == "__all__":
        return _all_names()
    if name in _FROM_NN:
        return getattr(_import_module("autograd_lab.nn.functional"), name)
    if not name.startswith("__"):
        _open_all()
        if name in _functions:
            globals().update(_functions)
            return _functions[name]
    raise _explain_missing(name, (*_all_names(), *_SUBMODULES, *_CLASSIC))


def _all_names() -> list[str]:
    _open_all()
    globals().update(_functions)
    return sorted({*_NAMES, *(name for name in _functions if not name.startswith("_"))})


def __dir__() -> list[str]:
    return sorted({*_all_names(), *_SUBMODULES, *_CLASSIC, "load", "save", "__version__"})
