"""Anomaly mode: each node remembers the lines that made it, and backward tells them when it fails there."""

from __future__ import annotations

import os
import sys
import traceback
import warnings
from typing import Any

import numpy as np

from autograd_lab.core.node import extra_of
from autograd_lab.core.provenance import PACKAGE, is_internal
from autograd_lab.core.state import local, mode

COMMAND = os.path.join(PACKAGE, "cli.py")

def remember(node: Any) -> None:
    """Keep the current stack in a new node, if anomaly mode is on."""
    if not mode.anomaly:
        return
    extra = extra_of(node)
    stack = traceback.extract_stack()
    while stack and is_internal(stack[-1].filename):
        stack.pop()
    extra.trace = traceback.format_list(_from_the_script(stack))
    extra.parent = getattr(local, "evaluating", None)
    if extra.metadata is None:
        extra.metadata = {}
    extra.metadata["traceback_"] = extra.trace


def _from_the_script(stack: list[Any]) -> list[Any]:
    """Leave out the frames of `autograd-lab run`, below which a script stands as it does when Python itself runs it."""
    first = max((k + 1 for k, frame in enumerate(stack) if frame.filename == COMMAND), default=0)
    while 0 < first < len(stack) and "runpy" in stack[first].filename:
        first += 1
    return stack[first:]


def _warn(text: str) -> None:
    """Warn; where warnings are errors, write to stderr instead, for the run's own exception is on its way."""
    try:
        warnings.warn(text, stacklevel=3)
    except Warning:
        print(text, file=sys.stderr)


def tell(node: Any) -> None:
    """Warn with the forward call that made the node, and with those of its parents for higher derivatives."""
    extra = node.extra
    old = extra is not None and extra.maker is not None and extra.maker() is None   # of a graph that is gone
    trace = None if extra is None or old else extra.trace
    name = node.name()
    if trace is None:
        _warn(f"Error detected in {name}. No forward pass information available. Enable detect anomaly during forward "
              "pass for more information.")  # fmt: skip
        return
    _warn(f"Error detected in {name}. Traceback of forward call that caused the error:\n{''.join(trace)}")
    parent = node.extra.parent
    while parent is not None:
        name = parent.name()
        trace = None if parent.extra is None else parent.extra.trace
        if trace is None:
            _warn(f"\n\nPrevious calculation was induced by {name}. No forward pass information available. "
                  "Enable detect anomaly during forward pass for more information.")  # fmt: skip
            return
        _warn(f"\n\nPrevious calculation was induced by {name}. Traceback of forward call that induced the "
              f"previous calculation:\n{''.join(trace)}")  # fmt: skip
        parent = parent.extra.parent


def check_nan(node: Any, grads: tuple) -> None:
    """Raise when a node of a run in anomaly mode returned NaN."""
    for k, grad in enumerate(grads):
        array = getattr(grad, "_array", grad)
        if array is not None and array.dtype.kind == "f" and np.isnan(array).any():
            raise RuntimeError(f"Function '{node.name()}' returned nan values in its {k}th output.")
