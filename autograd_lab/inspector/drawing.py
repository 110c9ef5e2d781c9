"""The still drawing: shows itself as a picture and hands itself out in the formats that people ask for."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from autograd_lab.inspector import figure, formats, sketch, text
from autograd_lab.inspector.strokes import still
from autograd_lab.inspector.view import view_of
from autograd_lab.introspect.export import to_networkx
from autograd_lab.introspect.model import BackwardTrace, GraphSnapshot

if TYPE_CHECKING:
    import networkx
    from matplotlib.figure import Figure


class Drawing:
    """A still drawing of a graph, or of one step of a recorded run.

    Each `to_…` call returns text, bytes or the graph; given a path, it writes there and returns the path.
    """

    def __init__(self, source: GraphSnapshot | BackwardTrace, step: int = 0) -> None:
        self.source, self.step = source, step
        self.snapshot = source.snapshot if isinstance(source, BackwardTrace) else source
        self.trace = source if isinstance(source, BackwardTrace) else None
        self.scene = view_of(source)

    @property
    def figure(self) -> Figure:
        """The drawing as a new matplotlib figure, for a paper or a slide."""
        return figure.figure(self.scene, self.step)

    def to_png(self, path: str | Path | None = None, dpi: float = 144) -> bytes | Path:
        """Return the picture as PNG."""
        return formats.hand_out(figure.image(self.scene, self.step, "png", dpi), path)

    def to_svg(self, path: str | Path | None = None) -> str | Path:
        """Return the picture as SVG with selectable text."""
        return formats.hand_out(figure.image(self.scene, self.step, "svg").decode(), path)

    def to_dot(self, path: str | Path | None = None) -> str | Path:
        """Return the graph in Graphviz' language."""
        return formats.hand_out(formats.dot(self.snapshot), path)

    def to_mermaid(self, path: str | Path | None = None) -> str | Path:
        """Return the graph as a Mermaid flowchart, which GitHub draws in Markdown."""
        return formats.hand_out(formats.mermaid(self.snapshot), path)

    def to_json(self, path: str | Path | None = None) -> str | Path:
        """Return everything as JSON; `Drawing.from_json` reads it back."""
        return formats.hand_out(formats.to_json(self.source), path)

    def to_html(self, path: str | Path | None = None) -> str | Path:
        """Return one HTML file that needs no kernel and no network; a recorded run can be played in it."""
        return formats.hand_out(formats.html(view_of(self.source, whole=True), str(self)), path)

    def to_networkx(self) -> networkx.MultiDiGraph:
        """Return the graph as a networkx MultiDiGraph."""
        return to_networkx(self.snapshot)

    @classmethod
    def from_json(cls, source: str | Path) -> Drawing:
        """Read a drawing that `to_json` wrote: the text, or the path of the file."""
        return cls(formats.from_json(source))

    def __repr__(self) -> str:
        return f"<Drawing of {self.snapshot.title}: {len(self.snapshot.nodes)} nodes, {len(self.snapshot.edges)} edges>"

    def __str__(self) -> str:
        return text.trace_text(self.trace, self.step) if self.trace is not None else text.graph_text(self.snapshot)

    def _repr_mimebundle_(self, **_: Any) -> tuple[dict[str, Any], dict[str, Any]]:
        data = {"image/png": sketch.png(self.scene, still(self.scene, self.step)), "text/plain": str(self)}
        return data, {"image/png": {"alt": f"Graph of {self.snapshot.title}"}}
