"""The graph inspector: open a graph in a notebook, play its backward like a film, draw and export it."""

from autograd_lab.inspector.api import draw, inspect, step_through
from autograd_lab.inspector.drawing import Drawing

__all__ = ["Drawing", "draw", "inspect", "step_through"]
