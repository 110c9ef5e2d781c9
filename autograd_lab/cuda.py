"""torch.cuda, as a machine without a GPU has it: a script that asks whether there is one is told no, and runs on.

Asking, seeding and clearing a cache do what they do there: nothing. What needs a device says as torch that there is
none. The lab computes on the CPU only.
Source: https://docs.pytorch.org/docs/stable/cuda.html

>>> import autograd_lab as torch
>>> "cuda" if torch.cuda.is_available() else "cpu"
'cpu'
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from autograd_lab.core.missing import explain_missing

# What each call answers on a machine without a GPU.
_ANSWERS: dict[str, Any] = {
    "is_available": False, "is_initialized": False, "is_bf16_supported": False, "device_count": 0,
    "memory_allocated": 0, "max_memory_allocated": 0, "memory_reserved": 0, "max_memory_reserved": 0,
    "get_arch_list": (), "empty_cache": None, "manual_seed": None, "manual_seed_all": None, "seed": None,
    "seed_all": None,
}  # fmt: skip
_NEED_A_DEVICE = (
    "can_device_access_peer", "current_device", "current_stream", "default_stream", "get_device_capability",
    "get_device_name", "get_device_properties", "get_rng_state", "init", "initial_seed", "ipc_collect", "mem_get_info",
    "reset_peak_memory_stats", "set_device", "set_rng_state", "synchronize",
)  # fmt: skip


def _answering(name: str, answer: Any) -> Callable:
    def function(*args: Any, **kwargs: Any) -> Any:
        return list(answer) if answer == () else answer

    function.__name__ = function.__qualname__ = name
    function.__doc__ = f"Return what torch.cuda.{name} returns where there is no GPU: {answer!r}."
    return function


def _refusing(name: str) -> Callable:
    def function(*args: Any, **kwargs: Any) -> Any:
        error = AssertionError("Torch not compiled with CUDA enabled")
        error.add_note("autograd_lab computes on the CPU only; torch.cuda.is_available() is always False.")
        raise error

    function.__name__ = function.__qualname__ = name
    function.__doc__ = "Raise AssertionError: there is no GPU."
    return function


globals().update({name: _answering(name, answer) for name, answer in _ANSWERS.items()})
globals().update({name: _refusing(name) for name in _NEED_A_DEVICE})
__all__ = sorted((*_ANSWERS, *_NEED_A_DEVICE))


def __getattr__(name: str) -> Any:
    error = explain_missing(name, __all__, "torch.cuda")
    if not name.startswith("_"):
        error.add_note("autograd_lab computes on the CPU only; torch.cuda.is_available() is always False.")
    raise error
