"""What a backward run raises, as the user sees it: without the lab's own frames, and in torch's words for shapes."""

from __future__ import annotations

import os
import re
from types import TracebackType

from autograd_lab.core.provenance import is_internal


def in_torch_words(error: ValueError) -> Exception:
    """Return torch's error for shapes that do not broadcast in a formula of the lab; any other error comes back.

    They can disagree although the forward ran: `.data` may have been given another shape since, which nothing counts.
    """
    from autograd_lab.core.shapes import broadcast_shapes

    step = error.__traceback__
    while step is not None and step.tb_next is not None:
        step = step.tb_next
    if step is None or not is_internal(step.tb_frame.f_code.co_filename) or "broadcast" not in str(error):
        return error
    shapes = [tuple(map(int, filter(None, found.split(",")))) for found in re.findall(r"\(([\d,]*)\)", str(error))]
    try:
        broadcast_shapes(*shapes)
    except RuntimeError as mismatch:
        return mismatch.with_traceback(error.__traceback__)
    return error


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
