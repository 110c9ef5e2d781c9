"""Say what a still picture is made of: texts, lines and boxes, in CSS pixels, for whichever pen draws them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from autograd_lab.inspector.film import state_at

TITLE, LEGEND = 34.0, 30.0  # room above and below the graph
TAIL = "arrows: the way of the gradient"
DETAILED_UP_TO = 150  # cards; above, only names are written

View = dict[str, Any]
Point = tuple[float, float]
Place = tuple[float, float, float, float]  # left, top, width, height


class Pen(Protocol):
    """What a renderer must be able to do. It may collect strokes and draw them at the end, texts on top."""

    def text(
        self, x: float, y: float, words: str, size: float, bold: bool = False, slanted: bool = False,
        side: str = "center",
    ) -> None:
        """Write a line; `x` is its left, middle or right, `y` its middle."""

    def line(self, points: Sequence[Point], width: float, style: str = "-") -> None:
        """Draw a line of horizontal and vertical parts, solid or dotted (`:`)."""

    def head(self, x: float, y: float) -> None:
        """Draw an arrow head that points down to `x`, `y`."""

    def box(
        self, places: Sequence[Place], corner: float = 0, width: float = 1.0, dashed: bool = False, below: bool = False
    ) -> None:
        """Draw white boxes whose corners (or only the lower two) are round."""

    def polygon(self, points: Sequence[Point], width: float = 1.0) -> None:
        """Draw a white polygon; it covers the boxes that were drawn before it."""

    def hatch(self, place: Place) -> None:
        """Draw a hatched box."""


def extent(scene: View, step: int, cut: float | None = None) -> tuple[float, float, float]:
    """Return width and height of the whole picture, and how far the graph stands from its left edge."""
    sheet = scene["pictures"][scene["picture"]]
    # A narrow graph still needs room for the words above and below it.
    words = max(7.6 * len(heading(scene, step)), sum(_widths(_kinds(sheet, scene, step))) + 6.0 * len(TAIL))
    width = max(sheet["width"], words) + 32
    return width, _tall(sheet, cut) + TITLE + LEGEND, (width - sheet["width"]) / 2


def paint(pen: Pen, scene: View, step: int, cut: float | None = None) -> None:
    """Draw a view model at a step with the pen; the graph's own corner is at 0, 0.

    Args:
        pen: what draws.
        scene: the view model.
        step: the step of its film.
        cut: draw only so many pixels from the top, and say what was left out.
    """
    sheet = scene["pictures"][scene["picture"]]
    tall = _tall(sheet, cut)
    state = state_at(scene["film"], step) if scene["film"] else {"edges": {}, "cards": {}}
    now = scene["film"]["steps"][step] if scene["film"] else {"node": None}
    pen.text(sheet["width"] / 2, -TITLE + 16, heading(scene, step), 15)
    cards = [card for card in sheet["cards"] if card["y"] + card["h"] <= tall]
    shown = {card["id"] for card in cards}
    at_hand = {edge for ref in sheet["references"] if ref["y"] + 20 <= tall for edge in ref["edges"]}
    for wire in sheet["wires"]:
        if wire["source"] in shown:
            arrives = wire["target"] in shown or wire["id"] in at_hand
            _wire(pen, wire, state, now, sheet["roomy"], None if arrives else tall)
    freed = _freed(sheet, scene, step)
    for card in cards:
        _card(pen, card, state["cards"].get(card["nodes"][0], {}), now["node"] in card["nodes"], len(sheet["cards"]))
        if card["id"] in freed:
            _ring(pen, card["x"] + card["w"], card["y"] + card["h"] / 2)
    for ref in sheet["references"]:
        if ref["y"] + 20 <= tall:
            pen.box([(ref["x"], ref["y"], ref["w"], 20.0)], 10, dashed=True)
            times = f" ×{ref['count']}" if ref["count"] > 1 else ""
            pen.text(ref["x"] + ref["w"] / 2, ref["y"] + 10, f"see {ref['name']}{times}", 10.5)
    if len(cards) < len(sheet["cards"]):
        missing = f"{len(sheet['cards']) - len(cards)} more boxes below are not drawn here"
        pen.text(sheet["width"] / 2, tall + 4, missing, 11, slanted=True)
    _legend(pen, sheet, scene, step, tall + LEGEND - 14)


def still(scene: View, step: int) -> int:
    """Return the step that a stored picture shows: of a film that nobody has moved yet the end, not the beginning.

    The reader of a stored picture cannot press play; at the end every gradient stands on its edge.
    """
    film = scene["film"]
    return film["last"] if film and film["mode"] == "recorded" and step == 0 else step


def heading(scene: View, step: int) -> str:
    """Return the line above the graph."""
    words = f"Graph of {scene['title']}: {scene['subtitle']}"
    if scene["findings"]:
        words += f", {len(scene['findings'])} error{'s' if len(scene['findings']) > 1 else ''}"
    if scene["film"]:
        last = scene["film"]["last"]
        words += f"; after all {last} steps" if step == last and scene["film"]["mode"] == "recorded" else (
            f"; step {step} of {last}"
        )  # fmt: skip
    return words


def _tall(sheet: View, cut: float | None) -> float:
    return float(sheet["height"] if cut is None else min(sheet["height"], cut))


def _wire(pen: Pen, wire: View, state: View, now: View, roomy: bool, cut: float | None) -> None:
    found = [state["edges"][edge] for edge in wire["edges"] if edge in state["edges"]]
    moving = now.get("edge") in wire["edges"]
    stopped = bool(found and found[-1].get("stop"))
    points = [tuple(point) for point in wire["points"]]
    x, y = points[-1]
    width, style = 2.5 if moving else 1.6 if found and not stopped else 1.0, ":" if stopped else "-"
    if cut is None:
        pen.line([*points[:-1], (x, y - 4)], width, style)
        pen.head(x, y)
    else:  # it goes on below the picture
        pen.line([(x, min(y, cut)) for x, y in points], width, style)
    if found and found[-1].get("text") and (roomy or moving) and (cut is None or wire["chip"][1] < cut):
        words = found[-1]["text"]
        words = words if len(words) <= 28 else words[:27] + "…"
        cx, cy = wire["chip"]
        wide = len(words) * 7.0 + 10
        pen.box([(cx - wide / 2, cy - 9, wide, 18.0)], 2, 2.0 if moving else 0.6)
        pen.text(cx, cy, words, 10.5, bold=moving)


def _card(pen: Pen, card: View, changes: View, now: bool, cards: int) -> None:
    x, y, w, h = card["x"], card["y"], card["w"], card["h"]
    foot = {**card["foot"], **changes} if card["foot"] else None
    for shift in (8.0, 4.0) if len(card["nodes"]) > 1 else ():
        pen.box([(x + shift, y + shift, w, h)])
    _outline(pen, card["kind"], (x, y, w, h), 2.5 if now else 1.0, 12.0)
    troubled = bool(foot and foot.get("tone") == "error")
    if troubled:
        pen.hatch((x, y, 10.0, h))
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


def _freed(sheet: View, scene: View, step: int) -> set[str]:
    """Return the cards whose nodes have let go of what they had saved."""
    gone = set(state_at(scene["film"], step)["freed"]) if scene["film"] else set()
    return {card["id"] for card in sheet["cards"] if card.get("freed") or gone.issuperset(card["nodes"])}


def _ring(pen: Pen, x: float, y: float) -> None:
    """Draw the sign of a node that was freed: an empty ring on its edge."""
    pen.box([(x - 4, y - 4, 8.0, 8.0)], 4)


def _outline(pen: Pen, kind: str, place: Place, width: float, corner: float) -> None:
    """Draw the box of a card: its shape tells its kind, as in the live picture."""
    x, y, w, h = place
    right, low = x + w, y + h
    if kind == "custom":
        c = corner * 0.6
        top = [(x + c, y), (right - c, y), (right, y + c), (right, low - c)]
        pen.polygon([*top, (right - c, low), (x + c, low), (x, low - c), (x, y + c)], width)
    elif kind == "inplace":
        c = corner * 0.8
        fold = [(right - c, y), (right, y + c)]
        pen.polygon([(x, y), *fold, (right, low), (x, low)], width)
        pen.polygon([fold[0], fold[1], (right - c, y + c)], width)
    else:
        leaf = kind == "accumulator"
        pen.box([place], corner if leaf else 0, width, kind == "view", below=leaf)


def _kinds(sheet: View, scene: View, step: int) -> list[tuple[str, str]]:
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
    if _freed(sheet, scene, step):
        items.append(("freed", "freed"))
    if scene["findings"]:
        items.append(("error", "stale or changed"))
    return items


def _widths(items: list[tuple[str, str]]) -> list[float]:
    return [34 + len(words) * 6.8 for _, words in items]


def _legend(pen: Pen, sheet: View, scene: View, step: int, y: float) -> None:
    items = _kinds(sheet, scene, step)
    widths = _widths(items)
    x = (sheet["width"] - sum(widths) - len(TAIL) * 6.0) / 2
    for (kind, words), wide in zip(items, widths):
        if kind == "error":
            pen.hatch((x, y - 5.5, 16.0, 11.0))
        elif kind == "freed":
            _ring(pen, x + 8, y)
        else:
            _outline(pen, kind, (x, y - 5.5, 16.0, 11.0), 1.0, 5.0)
        pen.text(x + 22, y, words, 10.5, side="left")
        x += wide
    pen.text(x, y, TAIL, 10.5, side="left")
