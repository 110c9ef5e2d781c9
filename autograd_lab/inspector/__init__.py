"""The graph inspector: open a graph in a notebook, play its backward like a film, draw and export it."""

import sys
from contextlib import suppress

from autograd_lab.inspector.api import draw, explore, inspect, step_through, watch
from autograd_lab.inspector.drawing import Drawing

__all__ = ["Drawing", "draw", "explore", "inspect", "step_through", "watch"]

if (
    "IPython" in sys.modules
):  # in a notebook the picture libraries are wanted soon: load them with this cell, not the next
    with suppress(ImportError):
        from autograd_lab.inspector import widget as _widget

        _widget.Library.here()
        _widget.sketch.warm()
