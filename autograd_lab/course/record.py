"""The learner's progress: one JSON file in the course folder, written so that nothing is ever lost."""

from __future__ import annotations

import errno
import json
import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograd_lab.course import shelf
from autograd_lab.course.lock import Lock
from autograd_lab.course.model import SURE

NAME = "autograd-lab-progress.json"
FORMAT = "autograd-lab progress 1"
PLACE = "AUTOGRAD_LAB_PROGRESS"
"""An environment variable: the folder for the progress file. Tests set it; a learner seldom needs it."""

_memory: dict[str, Any] = {}


def empty() -> dict[str, Any]:
    """Return the record of a learner who has not begun."""
    return {"format": FORMAT, "predictions": {}, "exercises": {}, "recall": {}, "engine": {}}


def place() -> Path | None:
    """Return where the progress file is or will be; None inside the project's own notebooks, which stay untouched."""
    chosen = os.environ.get(PLACE)
    if chosen:
        return Path(chosen) / NAME
    here = Path.cwd()
    for folder in (here, *here.parents):
        if (folder / NAME).exists():
            return folder / NAME
    originals = shelf.originals()
    if originals is not None and (here == originals or originals in here.parents):
        return None
    return here / NAME


def load() -> dict[str, Any]:
    """Read the record. A damaged or foreign file is set aside under another name, and said so."""
    path = place()
    if path is None:
        return merge(empty(), _memory)
    try:
        record, damaged = _parse(path)
        if damaged:
            # Look again while nobody else can: another notebook may have put it right in the meantime.
            with Lock(path):
                record = _read(path)
        return merge(record, _memory)
    except OSError:
        return merge(empty(), _memory)


def update(change: Callable[[dict[str, Any]], None]) -> dict[str, Any]:
    """Apply `change` to the newest record and write it. Two notebooks that write at once lose nothing."""
    path = place()
    if path is None:
        record = merge(empty(), _memory)
        change(record)
        _memory.update(record)
        return record
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with Lock(path):
            record = merge(_read(path), _memory)
            change(record)
            write(path, record)
        _memory.clear()
    except OSError as error:
        record = merge(empty(), _memory)
        change(record)
        _memory.update(record)
        print(
            f"Your progress could not be written to {path.name} ({error.strerror}). It is kept until this kernel stops."
        )
    return record


def merge(one: dict[str, Any], other: dict[str, Any]) -> dict[str, Any]:
    """Join two records: the earlier prediction counts, tries add up to the larger number, solved stays solved."""
    joined = empty()
    for section in ("predictions", "recall"):
        entries = [*one.get(section, {}).items(), *other.get(section, {}).items()]
        for key, entry in sorted(entries, key=lambda pair: str(pair[1].get("when", ""))):
            joined[section].setdefault(key, entry)
    for record in (one, other):
        for key, entry in record.get("exercises", {}).items():
            known = joined["exercises"].setdefault(key, dict(entry))
            known["tries"] = max(known.get("tries", 0), entry.get("tries", 0))
            if entry.get("solved") and not (known.get("solved") and known["solved"] <= entry["solved"]):
                known["solved"] = entry["solved"]
        joined["engine"].update(record.get("engine", {}))
    return joined


def now() -> str:
    """Return the time of day as it is written into the record (UTC)."""
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime())


def _read(path: Path) -> dict[str, Any]:
    """Return the record in a file; set a damaged one aside. Call it under the lock. OSError: it cannot be read."""
    record, damaged = _parse(path)
    return _set_aside(path, record) if damaged else record


def _parse(path: Path) -> tuple[dict[str, Any], bool]:
    """Return what can be used of a file, and whether it is damaged. A file that is not there is an empty record."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return empty(), False
    except UnicodeDecodeError:
        return empty(), True
    try:
        record = json.loads(text)
    except (ValueError, RecursionError):
        return empty(), True
    if is_record(record):
        return merge(record, empty()), False
    return _sound_part(record), True


def is_record(record: Any) -> bool:
    """Return whether something that was read is a progress record of this course."""
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        return False
    return all(
        isinstance(record.get(section, {}), dict) and all(map(sound, record.get(section, {}).items()))
        for section, sound in _SOUND.items()
    )


def _is_answer(pair: tuple[str, Any]) -> bool:
    key, entry = pair
    return (
        isinstance(entry, dict)
        and re.match(r"\d\d\.\d", key) is not None
        and isinstance(entry.get("answer"), str)
        and type(entry.get("sure")) is int
        and entry["sure"] in SURE
        and isinstance(entry.get("right"), bool)
        and isinstance(entry.get("question", ""), str)
        and isinstance(entry.get("options", []), list)
        and all(isinstance(option, str) for option in entry.get("options", []))
    )


def _is_trying(pair: tuple[str, Any]) -> bool:
    entry = pair[1]
    return (
        isinstance(entry, dict)
        and type(entry.get("tries", 0)) is int
        and isinstance(entry.get("solved") or "", str)
    )


_SOUND: dict[str, Callable[[tuple[str, Any]], bool]] = {
    "predictions": _is_answer,
    "exercises": _is_trying,
    "recall": _is_answer,
    "engine": lambda pair: isinstance(pair[1], str),
}


def _sound_part(record: Any) -> dict[str, Any]:
    """Return what can be used of a record in which some entries are damaged."""
    part = empty()
    if isinstance(record, dict) and record.get("format") == FORMAT:
        for section, sound in _SOUND.items():
            entries = record.get(section)
            part[section] = dict(filter(sound, entries.items())) if isinstance(entries, dict) else {}
    return part


def _set_aside(path: Path, part: dict[str, Any]) -> dict[str, Any]:
    number = 1
    while (kept := path.with_name(f"{path.stem}-set-aside-{number}.json")).exists():
        number += 1
    os.replace(path, kept)
    if part == empty():
        print(f"{path.name} could not be read as a progress file. It is kept as {kept.name}; a new one begins.")
        return empty()
    write(path, part)
    print(f"{path.name} has damaged entries. It is kept as {kept.name}; the sound entries go on in a new one.")
    return part


def write(path: Path, record: dict[str, Any]) -> None:
    """Write beside the file and then put it in its place: a reader sees the old record or the new one, never half."""
    path = Path(os.path.realpath(path))
    if path.exists() and not path.is_file():
        raise OSError(errno.EINVAL, "is no file", str(path))
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        # What UTF-8 cannot hold is written as JSON writes it: \ud800.
        with open(beside, "w", encoding="utf-8", errors="backslashreplace") as file:
            json.dump(record, file, indent=1, ensure_ascii=False, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)
