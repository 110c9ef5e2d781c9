"""Shorter tracebacks: the lab's own frames inside a backward run are left out, so that the reader's lines stand out."""

from __future__ import annotations

import os
from types import TracebackType

from autograd_lab.core.provenance import is_internal


def shortened(error: BaseException) -> BaseException:
    """Take the package's frames out of an exception's traceback; the user's hooks and Functions stay.

    Set the environment variable AUTOGRAD_LAB_FULL_TRACEBACK to keep everything, as developers of the lab will want.
    """
    if os.environ.get("AUTOGRAD_LAB_FULL_TRACEBACK"):
        return error
    kept = []
    step = error.__traceback__
    while step is not None:
        if not is_internal(step.tb_frame.f_code.co_filename):
            kept.append(step)
        step = step.tb_next
    following: TracebackType | None = None
    for step in reversed(kept):
        following = TracebackType(following, step.tb_frame, step.tb_lasti, step.tb_lineno)
    return error.with_traceback(following)
