"""Draw the view model as a matplotlib figure: black on white, readable when printed, the same layout as the widget."""

from __future__ import annotations

import base64
import io
from typing import TYPE_CHECKING, Any

import numpy as np

from autograd_lab.inspector.film import state_at
from autograd_lab.inspector.letters import outline

if TYPE_CHECKING:
    from matplotlib.figure import Figure

POINT = 72 / 96  # the view model counts in CSS pixels
TITLE, LEGEND = 34.0, 30.0
TAIL = "arrows: the way of the gradient"
CUT = 2600.0  # CSS pixels of the picture that a notebook stores
LARGEST = 120  # inches; a taller graph is drawn smaller
DETAILED_UP_TO = 150  # cards; above, only names are written

View = dict[str, Any]


def figure(scene: View, step: int = 0, cut: float | None = None, outlines: bool = False) -> Figure:
    """Return the picture of a view model at a step as a matplotlib figure, made without pyplot.

    Args:
        scene: the view model.
        step: the step of its film.
        cut: draw only so many pixels from the top, and say what was left out.
        outlines: draw letters as outlines, which is several times quicker and cannot be selected or searched.
    """
    from matplotlib.figure import Figure
    from matplotlib.font_manager import FontProperties

    sheet = scene["pictures"][scene["picture"]]
    tall = sheet["height"] if cut is None else min(sheet["height"], cut)
    # A narrow graph still needs room for the words above and below it.
    words = max(7.6 * len(_heading(scene, step)), sum(_widths(_kinds(sheet, scene))) + 6.0 * len(TAIL))
    width, height = max(sheet["width"], words) + 32, tall + TITLE + LEGEND
    scale = min(1.0, LARGEST * 96 / max(width, height))
    drawing = Figure(figsize=(width / 96 * scale, height / 96 * scale), dpi=96)
    axes = drawing.add_axes((0, 0, 1, 1))
    axes.set_axis_off()
    left = (width - sheet["width"]) / 2
    axes.set_xlim(-left, width - left)
    axes.set_ylim(height - TITLE, -TITLE)
    pen = _Pen(axes, scale, FontProperties, outlines)
    state = state_at(scene["film"], step) if scene["film"] else {"edges": {}, "cards": {}}
    now = scene["film"]["steps"][step] if scene["film"] else {"node": None}
    pen.text(sheet["width"] / 2, -TITLE + 16, _heading(scene, step), 15)
    cards = [card for card in sheet["cards"] if card["y"] + card["h"] <= tall]
    for wire in sheet["wires"]:
        if wire["points"][-1][1] <= tall:
            _wire(pen, wire, state, now, sheet["roomy"])
    for card in cards:
        _card(pen, card, state["cards"].get(card["nodes"][0], {}), now["node"] in card["nodes"], len(sheet["cards"]))
    for ref in sheet["references"]:
        if ref["y"] + 20 <= tall:
            pen.box([(ref["x"], ref["y"], ref["w"], 20.0)], 10, dashed=True)
            times = f" ×{ref['count']}" if ref["count"] > 1 else ""
            pen.text(ref["x"] + ref["w"] / 2, ref["y"] + 10, f"see {ref['name']}{times}", 10.5)
    if len(cards) < len(sheet["cards"]):
        missing = f"{len(sheet['cards']) - len(cards)} more boxes below are not drawn here"
        pen.text(sheet["width"] / 2, height - TITLE - LEGEND + 4, missing, 11, slanted=True)
    _legend(pen, sheet, scene, height - TITLE - 14)
    pen.finish()
    return drawing


def warm() -> None:
    """Load what the first picture needs, so that it comes as quickly as the second."""
    scene: View = {
        "title": "", "subtitle": "", "findings": [], "film": None, "picture": "open",
        "pictures": {"open": {"cards": [], "wires": [], "references": [], "width": 8.0, "height": 8.0, "roomy": True}},
    }  # fmt: skip
    png(scene)


def png(scene: View, step: int = 0) -> str:
    """Return the figure as base64 PNG in shades of grey, the form in which notebooks store it."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from PIL import Image

    canvas = FigureCanvasAgg(figure(scene, step, CUT, outlines=True))
    canvas.draw()
    target = io.BytesIO()
    grey = np.ascontiguousarray(np.asarray(canvas.buffer_rgba())[:, :, 1])
    Image.fromarray(grey).save(target, "PNG", compress_level=2, dpi=(96, 96))
    return base64.b64encode(target.getvalue()).decode()


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

    def __init__(self, axes: Any, scale: float, font: Any, outlines: bool) -> None:
        self.axes, self.scale, self.font, self.outlines = axes, scale, font, outlines
        self.fonts: dict[Any, Any] = {}
        self.lines: dict[tuple[float, str], list[Any]] = {}
        self.boxes: dict[tuple[float, bool], list[Any]] = {}
        self.heads: list[Any] = []
        self.words: list[tuple[Any, ...]] = []
        self.hatched: list[Any] = []

    def text(
        self,
        x: float,
        y: float,
        words: str,
        size: float,
        bold: bool = False,
        slanted: bool = False,
        side: str = "center",
    ) -> None:
        self.words.append((x, y, words, size, bold, slanted, side))

    def line(self, points: Any, width: float, style: str = "-") -> None:
        self.lines.setdefault((width, style), []).append(points)

    def box(
        self, places: Any, round_: float = 0, width: float = 1.0, dashed: bool = False, below: bool = False
    ) -> None:
        self.boxes.setdefault((width, dashed), []).extend((*place, round_, below) for place in places)

    def finish(self) -> None:
        from matplotlib.collections import LineCollection, PathCollection, PolyCollection
        from matplotlib.path import Path

        for (width, style), group in self.lines.items():
            self.axes.add_collection(
                LineCollection(group, colors="black", linewidths=width * POINT * self.scale, linestyles=style, zorder=1)
            )
        self.axes.add_collection(PolyCollection(self.heads, facecolors="black", zorder=2, linewidths=0))
        for (width, dashed), group in self.boxes.items():
            self.axes.add_collection(
                PathCollection(
                    [_frame(Path, *place) for place in group],
                    facecolors="white",
                    edgecolors="black",
                    zorder=3,
                    linewidths=width * POINT * self.scale,
                    linestyles="--" if dashed else "-",
                )
            )
        if self.hatched:
            self.axes.add_collection(
                PathCollection(
                    [_frame(Path, x, y, w, h, 0, False) for x, y, w, h in self.hatched],
                    facecolors="white",
                    edgecolors="black",
                    zorder=4,
                    linewidths=POINT * self.scale,
                    hatch="/////",
                )
            )
        if self.outlines:
            shapes = [outline(*words) for words in self.words if words[2].strip()]
            self.axes.add_collection(PathCollection(shapes, facecolors="black", linewidths=0, zorder=5))
            return
        for x, y, words, size, bold, slanted, side in self.words:
            key = (size, bold, slanted)
            if key not in self.fonts:
                self.fonts[key] = self.font(
                    family="DejaVu Sans",
                    size=size * POINT * self.scale,
                    weight="bold" if bold else "normal",
                    style="oblique" if slanted else "normal",
                )
            self.axes.text(
                x,
                y,
                words,
                fontproperties=self.fonts[key],
                ha=side,
                va="center",
                zorder=5,
                parse_math=False,
                clip_on=False,
            )


def _frame(path: Any, x: float, y: float, w: float, h: float, r: float, below: bool) -> Any:
    """Return a rectangle whose corners (all, or only the lower two) are round."""
    if not r:
        return path([(x, y), (x + w, y), (x + w, y + h), (x, y + h), (x, y)], closed=True)
    m, l, c = path.MOVETO, path.LINETO, path.CURVE3
    top = (
        [((x, y), m), ((x + w, y), l)]
        if below
        else [((x + r, y), m), ((x + w - r, y), l), ((x + w, y), c), ((x + w, y + r), c)]
    )
    low = [
        ((x + w, y + h - r), l),
        ((x + w, y + h), c),
        ((x + w - r, y + h), c),
        ((x + r, y + h), l),
        ((x, y + h), c),
        ((x, y + h - r), c),
    ]
    end = [((x, y), l)] if below else [((x, y + r), l), ((x, y), c), ((x + r, y), c)]
    points = [*top, *low, *end]
    return path([point for point, _ in points], [code for _, code in points])


def _heading(scene: View, step: int) -> str:
    words = f"Graph of {scene['title']}: {scene['subtitle']}"
    if scene["findings"]:
        words += f", {len(scene['findings'])} error{'s' if len(scene['findings']) > 1 else ''}"
    if scene["film"]:
        words += f"; step {step} of {len(scene['film']['steps']) - 1}"
    return words


def _wire(pen: _Pen, wire: View, state: View, now: View, roomy: bool) -> None:
    found = [state["edges"][edge] for edge in wire["edges"] if edge in state["edges"]]
    moving = now.get("edge") in wire["edges"]
    stopped = bool(found and found[-1].get("stop"))
    points = [tuple(point) for point in wire["points"]]
    x, y = points[-1]
    pen.line(
        [*points[:-1], (x, y - 4)], 2.5 if moving else 1.6 if found and not stopped else 1.0, ":" if stopped else "-"
    )
    pen.heads.append([(x - 4.5, y - 9), (x + 4.5, y - 9), (x, y)])
    if found and found[-1].get("text") and (roomy or moving):
        words = found[-1]["text"]
        words = words if len(words) <= 28 else words[:27] + "…"
        cx, cy = wire["chip"]
        wide = len(words) * 7.0 + 10
        pen.box([(cx - wide / 2, cy - 9, wide, 18.0)], 2, 2.0 if moving else 0.6)
        pen.text(cx, cy, words, 10.5, bold=moving)


def _card(pen: _Pen, card: View, changes: View, now: bool, cards: int) -> None:
    x, y, w, h = card["x"], card["y"], card["w"], card["h"]
    foot = {**card["foot"], **changes} if card["foot"] else None
    leaf = card["kind"] == "accumulator"
    for shift in (8.0, 4.0) if len(card["nodes"]) > 1 else ():
        pen.box([(x + shift, y + shift, w, h)])
    pen.box([(x, y, w, h)], 12 if leaf else 0, 2.5 if now else 1.0, card["kind"] == "view", below=leaf)
    troubled = bool(foot and foot.get("tone") == "error")
    if troubled:
        pen.hatched.append((x, y, 10.0, h))
    room = w - (34 if troubled else 24)
    inset = 20 if troubled else 12
    name = card["name"]
    limit = max(4, int((room - len(card["shape"]) * 7.0) / 9.0))
    pen.text(
        x + inset,
        y + 14,
        name if len(name) <= limit else name[: limit - 1] + "…",
        13,
        not card["unnamed"],
        card["unnamed"],
        "left",
    )
    if cards > DETAILED_UP_TO:
        return
    pen.text(x + w - 12, y + 14, card["shape"], 10.5, side="right")
    pen.text(x + inset, y + 31, card["op"], 11, side="left")
    pen.text(x + w - 12, y + 31, card["dtype"], 10.5, side="right")
    if foot:
        pen.line([(x, y + h - 24), (x + w, y + h - 24)], 0.5)
        pen.text(x + inset, y + h - 12, foot["left"], 10.5, troubled, side="left")
        limit = max(6, int((room - len(foot["left"]) * 7.0) / 6.6))
        right = foot["right"]
        pen.text(x + w - 12, y + h - 12, right if len(right) <= limit else right[: limit - 1] + "…", 10.5, side="right")


def _kinds(sheet: View, scene: View) -> list[tuple[str, str]]:
    """Return what the legend explains: the kinds of cards on this sheet."""
    kinds = {card["kind"] for card in sheet["cards"]}
    names = [
        ("operation", "operation"),
        ("accumulator", "accumulator"),
        ("view", "view"),
        ("inplace", "in-place"),
        ("custom", "own Function"),
    ]
    items = [(kind, words) for kind, words in names if kind in kinds]
    if scene["findings"]:
        items.append(("error", "stale or changed"))
    return items


def _widths(items: list[tuple[str, str]]) -> list[float]:
    return [34 + len(words) * 6.8 for _, words in items]


def _legend(pen: _Pen, sheet: View, scene: View, y: float) -> None:
    items = _kinds(sheet, scene)
    widths = _widths(items)
    x = (sheet["width"] - sum(widths) - len(TAIL) * 6.0) / 2
    for (kind, words), wide in zip(items, widths):
        if kind == "error":
            pen.hatched.append((x, y - 5.5, 16.0, 11.0))
        else:
            pen.box(
                [(x, y - 5.5, 16.0, 11.0)],
                5 if kind == "accumulator" else 0,
                1.0,
                kind == "view",
                below=kind == "accumulator",
            )
        pen.text(x + 22, y, words, 10.5, side="left")
        x += wide
    pen.text(x, y, TAIL, 10.5, side="left")
