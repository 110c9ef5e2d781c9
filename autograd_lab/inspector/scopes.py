"""Group neighbours by where in the source they were made: notebook cell or file, function, line; a tree of scopes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from autograd_lab.introspect.model import NodeInfo, Place

Run = tuple[int, int]  # first node, and the one behind the last
FEW = 3  # runs
PIECES = 40  # of equal length, where scopes do not help


def path(place: Place | None) -> tuple[str, ...]:
    """Return the scopes around a line from the outside in: `("In [4]", "Net.forward", "line 7")`."""
    if place is None:
        return ()
    outside = f"In [{place.cell}]" if place.cell is not None else place.file.replace("\\", "/").rsplit("/", 1)[-1]
    functions = [part for part in place.scope.split(".<locals>.") if part and part != "<module>"]
    return (outside, *functions, f"line {place.line}")


def split(nodes: Sequence[NodeInfo], most: int) -> list[Run]:
    """Cut a stretch of neighbours into at most `most` runs, each within one scope: a function before its lines.

    The widest scopes that make three runs are taken, so that the tree is walked from the outside in; else any that
    make two. Where scopes take turns too often (the lines of a loop do), or the engine tells no lines, the pieces have
    equal length.
    """
    paths = [path(node.place) for node in nodes]
    some: list[Run] = []
    for depth in range(1, 1 + max(map(len, paths), default=0)):
        found, start = [], 0
        for _, run in groupby(paths, key=lambda scopes: scopes[:depth]):
            end = start + sum(1 for _ in run)
            found.append((start, end))
            start = end
        if len(found) > most:  # narrower scopes make no fewer
            break
        if len(found) >= FEW:
            return found
        some = found if len(found) > 1 else some
    if some:
        return some
    size = max(2, -(-len(nodes) // min(most, PIECES)))
    return [(start, min(len(nodes), start + size)) for start in range(0, len(nodes), size)]


def common(nodes: Sequence[NodeInfo]) -> tuple[str, ...]:
    """Return the narrowest scope that holds all the nodes."""
    paths = [path(node.place) for node in nodes]
    shared = []
    for parts in zip(*paths):
        if len(set(parts)) > 1:
            break
        shared.append(parts[0])
    return tuple(shared)
