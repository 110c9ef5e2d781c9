"""Draw the view model quickly as the grey PNG that a notebook stores: what a reader without a kernel sees.

The figure for a paper takes a tenth of a second, and a reader who waits for the widget waits for the stored picture
too. Here the same strokes are set as pixels, in sixteen greys, in about a tenth of that time.
"""

from __future__ import annotations

import base64
import importlib.util
import struct
import zlib
from functools import cache, lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from autograd_lab.inspector.strokes import TITLE, extent, paint

CUT = 2600.0  # CSS pixels of the picture that a notebook stores
WIDEST = 6000  # pixels; a wider graph is drawn smaller
BASELINE = 0.36  # of a text's size: how far its baseline stands below the middle of the line
FINE = 8  # a round corner is drawn so many times larger first

View = dict[str, Any]


def png(scene: View, step: int = 0) -> str:
    """Return the picture of a view model at a step as base64 PNG, equal graphs as equal pictures."""
    width, height, left = extent(scene, step, CUT)
    pen = _Pen(width, height, left, min(1.0, WIDEST / width))
    paint(pen, scene, step, CUT)
    return base64.b64encode(_pack(pen.finish(), pen.image.width)).decode()


def warm() -> None:
    """Load what the first picture needs, so that it comes as quickly as the second."""
    scene: View = {
        "title": "a", "subtitle": "", "findings": [], "film": None, "picture": "open",
        "pictures": {"open": {"cards": [], "wires": [], "references": [], "width": 8.0, "height": 8.0, "roomy": True}},
    }  # fmt: skip
    png(scene)


class _Pen:
    """Collect strokes; `finish` sets them layer by layer, lines lowest, texts on top."""

    def __init__(self, width: float, height: float, left: float, scale: float) -> None:
        self.scale, self.left = scale, left
        size = 2 * max(1, round(width * scale / 2)), max(1, round(height * scale))
        self.pixels = np.full((size[1], -(-size[0] // 8) * 8), 255, np.uint8)  # rows of whole words compare quickly
        self.image = Image.frombuffer("L", size, self.pixels, "raw", "L", self.pixels.shape[1], 1)
        self.image.readonly = 0  # the pen draws into the array itself: nothing is copied to be packed
        self.draw = ImageDraw.Draw(self.image)
        self.lines: list[tuple[Any, float, str]] = []
        self.heads: list[tuple[float, float]] = []
        self.boxes: list[tuple[Any, ...]] = []
        self.hatched: list[Any] = []
        self.words: list[tuple[Any, ...]] = []

    def text(
        self, x: float, y: float, words: str, size: float, bold: bool = False, slanted: bool = False,
        side: str = "center",
    ) -> None:
        self.words.append((x, y, words, size, bold, slanted, side))

    def line(self, points: Any, width: float, style: str = "-") -> None:
        self.lines.append((points, width, style))

    def head(self, x: float, y: float) -> None:
        self.heads.append((x, y))

    def box(
        self, places: Any, corner: float = 0, width: float = 1.0, dashed: bool = False, below: bool = False
    ) -> None:
        self.boxes += [(place, corner, width, dashed, below) for place in places]

    def polygon(self, points: Any, width: float = 1.0) -> None:
        self.boxes.append((points, width))

    def hatch(self, place: Any) -> None:
        self.hatched.append(place)

    def finish(self) -> np.ndarray:
        for points, width, style in self.lines:
            for (x1, y1), (x2, y2) in pairwise(points):
                self._stroke(self._at(x1, y1), self._at(x2, y2), width, 3 if style == ":" else 0)
        for x, y in self.heads:
            middle, tip = self._at(x, y)
            mark = _head(round(9 * self.scale))
            self.image.paste(0, (middle - mark.width // 2, tip - mark.height), mark)
        for box in self.boxes:
            (self._polygon if len(box) == 2 else self._box)(*box)
        for place in self.hatched:
            self._hatch(place)
        for x, y, words, size, bold, slanted, side in self.words:
            mask, baseline = _word(words, size * self.scale, bold, slanted)
            start = (x + self.left) * self.scale - {"left": 0.0, "center": 0.5, "right": 1.0}[side] * mask.width
            top = (y + TITLE + BASELINE * size) * self.scale - baseline
            self.image.paste(0, (round(start), round(top)), mask)
        return self.pixels

    def _at(self, x: float, y: float) -> tuple[int, int]:
        return int((x + self.left) * self.scale), int((y + TITLE) * self.scale)

    def _stroke(self, start: tuple[int, int], end: tuple[int, int], width: float, gap: int = 0) -> None:
        """Draw a horizontal or vertical line; with a gap, dashes of the same length as the gap."""
        ink, thick = 120 if width < 1 else 0, _thick(width)
        left, right = sorted((start[0], end[0]))
        top, low = sorted((start[1], end[1]))
        half = thick // 2
        if top != low and left != right:  # no wire of the layout; whoever gives one gets it
            self.draw.line([start, end], ink, thick)
        elif gap and top == low:
            for x in range(left, right, 2 * gap):
                self.draw.rectangle((x, top - half, min(right, x + gap - 1), top - half + thick - 1), ink)
        elif gap:
            for y in range(top, low, 2 * gap):
                self.draw.rectangle((left - half, y, left - half + thick - 1, min(low, y + gap - 1)), ink)
        else:
            self.draw.rectangle((left - half, top - half, right - half + thick - 1, low - half + thick - 1), ink)

    def _box(self, place: Any, corner: float, width: float, dashed: bool, below: bool) -> None:
        x, y, w, h = place
        (left, top), (right, low) = self._at(x, y), self._at(x + w, y + h)
        radius = round(min(corner, w / 2, h / 2) * self.scale)
        upper = 0 if below else radius
        self.draw.rectangle((left, top + upper, right, low - radius), 255)
        if radius:
            self.draw.rectangle((left + radius, top, right - radius, low), 255)
        gap = 5 if dashed else 0
        self._stroke((left + upper, top), (right - upper, top), width, gap)
        self._stroke((left + radius, low), (right - radius, low), width, gap)
        self._stroke((left, top + upper), (left, low - radius), width, gap)
        self._stroke((right, top + upper), (right, low - radius), width, gap)
        if not radius:
            return
        thick = _thick(width)
        size, half = radius + thick // 2, thick // 2
        far, deep = right - half + thick - size, low - half + thick - size
        places = [(left - half, top - half), (far, top - half), (far, deep), (left - half, deep)]
        for turn in range(2 if below else 0, 4):
            ground, edge = _corner(size, thick, turn)
            self.image.paste(255, places[turn], ground)
            self.image.paste(0, places[turn], edge)

    def _polygon(self, points: Any, width: float) -> None:
        corners = [self._at(x, y) for x, y in points]
        self.draw.polygon(corners, 255)
        self.draw.line([*corners, corners[0]], 0, _thick(width), "curve" if width > 1 else None)

    def _hatch(self, place: Any) -> None:
        x, y, w, h = place
        (left, top), (right, low) = self._at(x, y), self._at(x + w, y + h)
        self.image.paste(_stripes(right - left + 1, low - top + 1), (left, top))
        for a, b in (((left, top), (right, top)), ((left, low), (right, low)), ((left, top), (left, low)),
                     ((right, top), (right, low))):  # fmt: skip
            self._stroke(a, b, 1.0)


def _thick(width: float) -> int:
    return max(1, round(width + 0.2))


@cache
def _fonts() -> Path:
    """Return the folder of DejaVu Sans, which comes with matplotlib; matplotlib itself need not be loaded for it."""
    found = importlib.util.find_spec("matplotlib")
    if found is None or not found.submodule_search_locations:
        raise ImportError("matplotlib is not installed", name="matplotlib")
    return Path(found.submodule_search_locations[0]) / "mpl-data" / "fonts" / "ttf"


@cache
def _font(size: float, bold: bool, slanted: bool) -> Any:
    style = ("Bold" if bold else "") + ("Oblique" if slanted else "")
    file = _fonts() / f"DejaVuSans{'-' + style if style else ''}.ttf"
    return ImageFont.truetype(str(file), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(4096)
def _letter(letter: str, size: float, bold: bool, slanted: bool) -> tuple[Image.Image | None, int, int, int]:
    """Return a letter as a mask, where it stands from the pen and the baseline, and how far the pen moves on."""
    font = _font(size, bold, slanted)
    left, top, right, low = (int(edge) for edge in font.getbbox(letter, anchor="ls"))
    step = round(font.getlength(letter))
    if right <= left or low <= top:
        return None, 0, 0, step
    mask = Image.new("L", (right - left, low - top), 0)
    ImageDraw.Draw(mask).text((-left, -top), letter, 255, font, anchor="ls")
    return mask, left, top, step


@lru_cache(4096)
def _word(words: str, size: float, bold: bool, slanted: bool) -> tuple[Image.Image, int]:
    """Return a line of text as a mask, and how far its baseline stands below its upper edge.

    FreeType takes most of the time that a picture takes; a letter, and a line that comes back, is set only once.
    """
    letters = [_letter(letter, size, bold, slanted) for letter in words.replace("\n", " ")]
    rise, deep = round(size * 1.2), round(size * 0.5)
    width = sum(step for _, _, _, step in letters)
    mask = Image.new("L", (max(1, width + 2), rise + deep), 0)
    at = 0
    for shape, left, top, step in letters:
        if shape is not None:
            mask.paste(255, (at + left, rise + top), shape)
        at += step
    return mask, rise


@cache
def _head(size: int) -> Image.Image:
    """Return an arrow head that points down, as a mask."""
    size = max(3, size)
    large = Image.new("L", (size * FINE, size * FINE), 0)
    ImageDraw.Draw(large).polygon([(0, 0), (size * FINE, 0), (size * FINE // 2, size * FINE)], 255)
    return large.resize((size, size), Image.Resampling.BOX)


@cache
def _corner(size: int, thick: int, turn: int) -> tuple[Image.Image, Image.Image]:
    """Return the inside and the edge of a round corner as masks; `turn` 0 is the upper left, then clockwise."""
    outer, inner = size * FINE, (size - thick) * FINE
    inside = Image.new("L", (outer, outer), 0)
    ImageDraw.Draw(inside).ellipse((0, 0, 2 * outer, 2 * outer), 255)
    edge = inside.copy()
    shift = outer - inner
    ImageDraw.Draw(edge).ellipse((shift, shift, shift + 2 * inner, shift + 2 * inner), 0)
    masks = [mask.resize((size, size), Image.Resampling.BOX).rotate(-90 * turn) for mask in (inside, edge)]
    return masks[0], masks[1]


@cache
def _stripes(width: int, height: int) -> Image.Image:
    """Return a hatched piece."""
    rows, columns = np.mgrid[0:height, 0:width]
    return Image.fromarray(np.where((rows + columns) % 5 == 0, 0, 255).astype(np.uint8))


def _pack(pixels: np.ndarray, width: int) -> bytes:
    """Return pixels as PNG in sixteen greys, half a byte each: most rows equal the one above, so it packs quickly."""
    words = pixels.view(np.uint64)
    unlike = np.flatnonzero(np.append(True, (words[1:] != words[:-1]).any(axis=1)))  # the row above
    found = words[unlike]
    found &= 0xF0F0F0F0F0F0F0F0
    found |= found >> 12  # two neighbours in one byte: the left one, which is the lower, gets the upper half
    pairs = found.view(np.uint8)[:, 0:width:2]
    rows = np.zeros((len(words), 1 + width // 2), np.uint8)
    rows[:, 0] = 2  # PNG's filter "up": the difference to the row above
    rows[0, 1:] = pairs[0]
    rows[unlike[1:], 1:] = pairs[1:] - pairs[:-1]  # the row above an unlike row is the last unlike one again
    parts = [
        (b"IHDR", struct.pack(">IIBBBBB", width, len(words), 4, 0, 0, 0, 0)),
        (b"pHYs", struct.pack(">IIB", 3780, 3780, 1)),  # 96 pixels an inch
        (b"IDAT", zlib.compress(rows.tobytes(), 1)),
        (b"IEND", b""),
    ]
    chunks = [struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
              for name, data in parts]  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)
