"""torch.autograd.forward_ad is outside the lab's scope: derivatives go backward here. Each of its names says so."""

from __future__ import annotations

from typing import Any

_NAMES = ("UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual", "unpack_dual")


def __getattr__(name: str) -> Any:
    error = AttributeError(f"module 'torch.autograd.forward_ad' has no attribute {name!r}")
    if name in _NAMES:
        error.add_note(
            "Forward-mode derivatives are outside the scope of autograd_lab: it goes backward only. "
            "autograd.functional.jvp gives a Jacobian-vector product by way of two backward runs."
        )
    raise error
