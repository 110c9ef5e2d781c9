"""Show text, and a widget where a notebook can show one; everything works without IPython too."""

from __future__ import annotations

import importlib.util
import sys
from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"


def notebook() -> bool:
    """Return whether this program runs in a notebook kernel that could show a widget."""
    if "IPython" not in sys.modules or importlib.util.find_spec("ipywidgets") is None:
        return False
    shell = sys.modules["IPython"].get_ipython()
    return shell is not None and getattr(shell, "kernel", None) is not None


def show(text: str, widget: Any) -> None:
    """Display one output that is a widget where widgets work and the text everywhere else."""
    from IPython.display import display

    display(
        {"text/plain": text, WIDGET: {"model_id": widget.model_id, "version_major": 2, "version_minor": 0}}, raw=True
    )
