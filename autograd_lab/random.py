"""The default random generator under torch's names: its seed, its state, and a block that leaves it as it was.

Source: https://docs.pytorch.org/docs/stable/random.html
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

from autograd_lab.core.missing import answers_for
from autograd_lab.core.random import (
    Generator,
    default_generator,
    get_rng_state,
    initial_seed,
    manual_seed,
    seed,
    set_rng_state,
)

__all__ = [
    "Generator", "default_generator", "fork_rng", "get_rng_state", "initial_seed", "manual_seed", "seed",
    "set_rng_state",
]  # fmt: skip


@contextlib.contextmanager
def fork_rng(devices: Any = None, enabled: bool = True, _caller: str = "fork_rng", _devices_kw: str = "devices",
             device_type: str = "cuda") -> Iterator[None]:  # fmt: skip
    """Put the default generator back, at the end of a with block, to where it stood at its start.

    With `enabled=False` the block does nothing. Devices other than the CPU have nothing to put back here.
    Source: https://docs.pytorch.org/docs/stable/random.html#torch.random.fork_rng

    >>> import autograd_lab as torch
    >>> _ = torch.manual_seed(0)
    >>> with fork_rng():
    ...     inside = torch.rand(1)
    >>> torch.equal(inside, torch.rand(1))
    True
    """
    if not enabled:
        yield
        return
    before = get_rng_state()
    try:
        yield
    finally:
        set_rng_state(before)


__getattr__ = answers_for("torch.random", __all__)
