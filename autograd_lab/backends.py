"""torch.backends: which kernels a program could use elsewhere. In the lab NumPy computes everything, so none are there.

The switches can be set and read; they change nothing.
Source: https://docs.pytorch.org/docs/stable/backends.html

>>> import autograd_lab as torch
>>> torch.backends.cudnn.is_available(), torch.backends.cudnn.benchmark
(False, False)
"""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

from autograd_lab.core.missing import answers_for


def _missing(name: str, **switches: Any) -> ModuleType:
    """Return a submodule for kernels that are not there, with switches that keep what they are set to."""
    made = ModuleType(f"{__name__}.{name}", f"torch.backends.{name}: not in the lab; NumPy computes everything.")
    vars(made).update(switches)
    made.__getattr__ = answers_for(f"torch.backends.{name}", tuple(switches))  # type: ignore[method-assign]
    sys.modules[made.__name__] = made       # so that `import autograd_lab.backends.cudnn` finds it
    return made


def _no() -> bool:
    return False


def _no_version() -> None:
    return None


cudnn = _missing("cudnn", is_available=_no, version=_no_version, enabled=True, deterministic=False, benchmark=False,
                 benchmark_limit=10, allow_tf32=True)  # fmt: skip
cuda = _missing("cuda", is_built=_no, matmul=SimpleNamespace(allow_tf32=False))
mps = _missing("mps", is_available=_no, is_built=_no)
mkldnn = _missing("mkldnn", is_available=_no, enabled=True, deterministic=False, allow_tf32=True)
mkl = _missing("mkl", is_available=_no)
openmp = _missing("openmp", is_available=_no)
__all__ = ["cuda", "cudnn", "mkl", "mkldnn", "mps", "openmp"]
__getattr__ = answers_for("torch.backends", __all__)
