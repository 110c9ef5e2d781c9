"""Small functions of torch's top level that read or set a switch."""

from __future__ import annotations

import builtins
import warnings
from typing import Any

from autograd_lab.core.state import grad_enabled, local, mode
from autograd_lab.core.tensor import Tensor

_warn_always = False
_warned: set[str] = set()


def is_grad_enabled() -> builtins.bool:
    """Say whether operations of this thread are recorded."""
    return grad_enabled()


def is_inference_mode_enabled() -> builtins.bool:
    """Say whether this thread is in inference mode."""
    return local.inference


def is_inference(tensor: Tensor) -> builtins.bool:
    """Say whether a tensor was made in inference mode."""
    return tensor.is_inference()


def is_anomaly_enabled() -> builtins.bool:
    """Say whether anomaly mode is on."""
    return mode.anomaly


def is_anomaly_check_nan_enabled() -> builtins.bool:
    """Say whether anomaly mode, when it is on, looks for NaN."""
    return mode.check_nan


def is_tensor(obj: Any) -> builtins.bool:
    """Say whether an object is a tensor of the lab."""
    return isinstance(obj, Tensor)


def set_warn_always(b: builtins.bool, /) -> None:
    """Have warnings that come once per process come every time."""
    global _warn_always
    _warn_always = b
    _warned.clear()


def is_warn_always_enabled() -> builtins.bool:
    """Say whether once-only warnings come every time."""
    return _warn_always


def warn_once(key: str, message: str, category: type[Warning] = UserWarning, stacklevel: int = 2) -> None:
    """Warn as torch's C++ side does: once per process for each place, unless set_warn_always(True)."""
    if not _warn_always:
        if key in _warned:
            return
        _warned.add(key)
    warnings.warn(message, category, stacklevel=stacklevel + 1)


def get_num_threads() -> builtins.int:
    """Return 1: the lab itself uses one thread (NumPy's matrix products may use more)."""
    return 1


def set_num_threads(int: builtins.int, /) -> None:
    """Accept torch's call; threads of matrix products are NumPy's own affair."""


def use_deterministic_algorithms(mode: builtins.bool, *, warn_only: builtins.bool = False) -> None:
    """Accept torch's call; everything in the lab is deterministic."""
