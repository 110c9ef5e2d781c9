"""Draw the view model as a matplotlib figure: black on white, readable when printed, the same layout as the widget."""

from __future__ import annotations

import io
from typing import TYPE_CHECKING, Any

from autograd_lab.inspector.strokes import TITLE, extent, paint

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINT = 72 / 96  # the view model counts in CSS pixels
LARGEST = 120  # inches; a taller graph is drawn smaller

View = dict[str, Any]


def figure(scene: View, step: int = 0) -> Figure:
    """Return the picture of a view model at a step as a matplotlib figure, made without pyplot."""
    from matplotlib.figure import Figure

    width, height, left = extent(scene, step)
    scale = min(1.0, LARGEST * 96 / max(width, height))
    drawing = Figure(figsize=(width / 96 * scale, height / 96 * scale), dpi=96)
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    axes.set_xlim(-left, width - left)
    axes.set_ylim(height - TITLE, -TITLE)
    pen = _Pen(axes, scale)
    paint(pen, scene, step)
    pen.finish()
    return drawing


def image(scene: View, step: int, kind: str, dpi: float = 96) -> bytes:
    """Return the figure as a file in one of matplotlib's formats, equal graphs as equal files."""
    import matplotlib

    target = io.BytesIO()
    metadata: dict[str, Any] = {"png": {"Software": None}, "svg": {"Date": None, "Creator": None}}.get(kind, {})
    with matplotlib.rc_context({"svg.hashsalt": "autograd_lab", "svg.fonttype": "none", "pdf.fonttype": 42}):
        figure(scene, step).savefig(target, format=kind, dpi=dpi, metadata=metadata)
    return target.getvalue()


class _Pen:
    """Collect strokes and draw them in few artists: a figure of hundreds of boxes stays quick."""

    def __init__(self, axes: Any, scale: float) -> None:
        self.axes, self.scale = axes, scale
        self.fonts: dict[Any, Any] = {}
        self.lines: dict[tuple[float, str], list[Any]] = {}
        self.boxes: dict[tuple[float, bool], list[Any]] = {}
        self.polygons: dict[float, list[Any]] = {}
        self.heads: list[Any] = []
        self.words: list[tuple[Any, ...]] = []
        self.hatched: list[Any] = []

    def text(
        self, x: float, y: float, words: str, size: float, bold: bool = False, slanted: bool = False,
        side: str = "center",
    ) -> None:
        self.words.append((x, y, words, size, bold, slanted, side))

    def line(self, points: Any, width: float, style: str = "-") -> None:
        self.lines.setdefault((width, style), []).append(points)

    def head(self, x: float, y: float) -> None:
        self.heads.append([(x - 4.5, y - 9), (x + 4.5, y - 9), (x, y)])

    def box(
        self, places: Any, corner: float = 0, width: float = 1.0, dashed: bool = False, below: bool = False
    ) -> None:
        self.boxes.setdefault((width, dashed), []).extend((*place, corner, below) for place in places)

    def polygon(self, points: Any, width: float = 1.0) -> None:
        self.polygons.setdefault(width, []).append(points)

    def hatch(self, place: Any) -> None:
        self.hatched.append(place)

    def finish(self) -> None:
        from matplotlib.collections import LineCollection, PathCollection, PolyCollection
        from matplotlib.font_manager import FontProperties
        from matplotlib.path import Path

        thin = POINT * self.scale
        for (width, style), group in self.lines.items():
            artist = LineCollection(group, colors="black", linewidths=width * thin, linestyles=style, zorder=1)
            self.axes.add_collection(artist)
        self.axes.add_collection(PolyCollection(self.heads, facecolors="black", zorder=2, linewidths=0))
        look: dict[str, Any] = {"facecolors": "white", "edgecolors": "black"}
        for (width, dashed), group in self.boxes.items():
            frames = [_frame(Path, *box) for box in group]
            style = "--" if dashed else "-"
            self.axes.add_collection(
                PathCollection(frames, zorder=3, linewidths=width * thin, linestyles=style, **look)
            )
        for width, group in self.polygons.items():
            self.axes.add_collection(PolyCollection(group, zorder=3, linewidths=width * thin, **look))
        if self.hatched:
            frames = [_frame(Path, x, y, w, h, 0, False) for x, y, w, h in self.hatched]
            self.axes.add_collection(PathCollection(frames, zorder=4, linewidths=thin, hatch="/////", **look))
        for x, y, words, size, bold, slanted, side in self.words:
            key = (size, bold, slanted)
            if key not in self.fonts:
                self.fonts[key] = FontProperties(
                    family="DejaVu Sans", size=size * thin, weight="bold" if bold else "normal",
                    style="oblique" if slanted else "normal",
                )  # fmt: skip
            self.axes.text(
                x, y, words, fontproperties=self.fonts[key], ha=side, va="center", zorder=5, parse_math=False,
                clip_on=False,
            )  # fmt: skip


def _frame(path: Any, x: float, y: float, w: float, h: float, r: float, below: bool) -> Any:
    """Return a rectangle whose corners (all, or only the lower two) are round."""
    if not r:
        return path([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], closed=True)
    m, l, c = path.MOVETO, path.LINETO, path.CURVE3
    top = [(x, y, m), (x + w, y, l)] if below else [(x + r, y, m), (x + w - r, y, l), (x + w, y, c), (x + w, y + r, c)]
    low = [
        (x + w, y + h - r, l), (x + w, y + h, c), (x + w - r, y + h, c),
        (x + r, y + h, l), (x, y + h, c), (x, y + h - r, c),
    ]  # fmt: skip
    end = [(x, y, l)] if below else [(x, y + r, l), (x, y, c), (x + r, y, c)]
    points = [*top, *low, *end]
    return path([(x, y) for x, y, _ in points], [code for _, _, code in points])
