"""Hold Python's garbage collector back while a large picture is put together."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def uncollected() -> Iterator[None]:
    """Pause the cyclic collector: ten thousand small new objects would make it walk the notebook again and again.

    Nothing of the user's may run inside. Memory that reference counts free is freed as always.
    """
    was = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was:
            gc.enable()
