"""The search for the size of a step that fulfils the strong Wolfe conditions.

The loss must have fallen enough for the length of the step, and its slope must have flattened enough.
Source: Nocedal and Wright, Numerical Optimization (2006), algorithms 3.5 and 3.6.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

FALL, FLATTEN = 1e-4, 0.9


@dataclass
class Point:
    """What is known at one size of the step: loss, gradient, and the slope along the direction."""

    size: Any
    loss: float
    gradient: Any
    slope: Any


def lowest_of_cubic(a: Point, b: Point, low: Any = None, high: Any = None) -> Any:
    """Return where the cubic through two points with their slopes is lowest, between the bounds."""
    if low is None:
        low, high = (a.size, b.size) if a.size <= b.size else (b.size, a.size)
    middle = a.slope + b.slope - 3 * (a.loss - b.loss) / (a.size - b.size)
    square = middle**2 - a.slope * b.slope
    if square < 0:
        return (low + high) / 2.0
    root = square.sqrt()
    if a.size > b.size:
        a, b = b, a
    lowest = b.size - (b.size - a.size) * ((b.slope + root - middle) / (b.slope - a.slope + 2 * root))
    return min(max(lowest, low), high)


def strong_wolfe(measure: Callable, size: Any, direction: Any, start: Point, most: int) -> tuple[Point, int]:
    """Return a point that fulfils the conditions, or the best that was met, and how often was measured.

    Args:
        measure: returns loss and gradient at a size of the step.
        size: the first guess.
        direction: the direction of the step.
        start: where the step begins.
        most: how many sizes are tried after the first.
    """

    def at(size: Any) -> Point:
        loss, gradient = measure(size)
        return Point(size, loss, gradient, gradient.dot(direction))

    new, before = at(size), Point(0, start.loss, start.gradient, start.slope)
    measured, tries = 1, 0
    while tries < most:
        if not _fell(start, new) or (tries > 1 and new.loss >= before.loss) or new.slope >= 0:
            if _fell(start, new) and not (tries > 1 and new.loss >= before.loss) and _flat(start, new):
                return new, measured
            break
        if _flat(start, new):
            return new, measured
        low, high = new.size + 0.01 * (new.size - before.size), new.size * 10
        next_size = lowest_of_cubic(before, new, low, high)
        before, new = new, at(next_size)
        measured, tries = measured + 1, tries + 1
    else:
        before = start
    ends = [before, new]
    return _zoom(at, ends, start, float(direction.abs().max()), measured, most - tries)


def _fell(start: Point, point: Point) -> bool:
    return not point.loss > start.loss + FALL * point.size * start.slope


def _flat(start: Point, point: Point) -> bool:
    return bool(abs(point.slope) <= -FLATTEN * start.slope)


def _zoom(at: Callable, ends: list[Point], start: Point, reach: float, measured: int, tries: int) -> tuple[Point, int]:
    """Narrow an interval that holds a good point; `ends` are its two ends."""
    stuck = False
    low = 0 if ends[0].loss <= ends[1].loss else 1
    for _ in range(tries):
        if abs(ends[1].size - ends[0].size) * reach < 1e-9:
            break
        size = lowest_of_cubic(*ends)
        left, right = min(ends[0].size, ends[1].size), max(ends[0].size, ends[1].size)
        margin = 0.1 * (right - left)
        if min(right - size, size - left) < margin:
            # Too near an end: accept that once, but not twice running, and not on the end itself.
            if stuck or size >= right or size <= left:
                size = right - margin if abs(size - right) < abs(size - left) else left + margin
                stuck = False
            else:
                stuck = True
        else:
            stuck = False
        new = at(size)
        measured += 1
        high = 1 - low
        if not _fell(start, new) or new.loss >= ends[low].loss:
            ends[high] = new
            low = 0 if ends[0].loss <= ends[1].loss else 1
            continue
        done = _flat(start, new)
        if not done and new.slope * (ends[high].size - ends[low].size) >= 0:
            ends[high] = ends[low]
        ends[low] = new
        if done:
            break
    return ends[low], measured
