"""Put the progress files that students handed in into one table, for whoever teaches."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from autograd_lab.course import page
from autograd_lab.course import record as store


def files(places: Iterable[Path]) -> list[Path]:
    """Return the files to read: each place itself, or every .json file below it when it is a folder.

    Raises FileNotFoundError for a place that is not there.
    """
    found = []
    for place in places:
        if not place.exists():
            raise FileNotFoundError(f"there is no file or folder {str(place)!r}")
        found += sorted(path for path in place.rglob("*.json") if path.is_file()) if place.is_dir() else [place]
    return found


def table(paths: Iterable[Path]) -> tuple[list[list[str]], list[Path]]:
    """Return one row a student, under a row of titles, and the files that hold no progress of this course.

    A student is named by the file, or by its folder where the file has the name that the course gives it.
    Two files of one name become two rows.
    """
    titles = ["student", "predictions answered", "of them right", "exercises solved", "mutants killed"]
    rows: list[list[str]] = []
    unreadable = []
    for path in paths:
        record = _read(path)
        if record is None:
            unreadable.append(path)
            continue
        counted = page.rows(record)
        numbers = [
            sum(row.answered for row in counted),
            sum(row.right for row in counted),
            sum(row.solved for row in counted),
            sum(row.killed for row in counted),
        ]
        solved = [f"{row.solved} of {row.tasks}" for row in counted]
        rows.append([path.parent.name if path.name == store.NAME else path.stem, *map(str, numbers), *solved])
    chapters = [f"exercises of {row.chapter}" for row in page.rows(store.empty())]
    return [[*titles, *chapters], *rows], unreadable


def as_csv(rows: list[list[str]]) -> str:
    """Return the whole table as CSV, which every spreadsheet opens."""
    written = io.StringIO()
    csv.writer(written, lineterminator="\n").writerows(rows)
    return written.getvalue()


def as_text(rows: list[list[str]]) -> str:
    """Return the first columns as text; the exercises of each chapter stand in the CSV."""
    short = [row[:5] for row in rows]
    widths = [max(len(row[place]) for row in short) for place in range(5)]
    lines = []
    for row in short:
        numbers = (cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True))
        lines.append("  ".join([row[0].ljust(widths[0]), *numbers]).rstrip())
    return "\n".join(lines)


def _read(path: Path) -> dict[str, Any] | None:
    try:
        record = json.loads(path.read_text(encoding="utf-8-sig"))
    except (OSError, ValueError, RecursionError):
        return None
    return store.merge(record, store.empty()) if store.is_record(record) else None
