"""The learner's progress: one JSON file in the course folder, written so that nothing is ever lost."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from autograd_lab.course import shelf

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
    return merge(_read(path), _memory)


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
        with _Lock(path):
            record = merge(_read(path), _memory)
            change(record)
            _write(path, record)
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
    try:
        text = path.read_text(encoding="utf-8")
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return empty()
    except UnicodeDecodeError:
        return _set_aside(path)
    try:
        record = json.loads(text)
    except ValueError:
        return _set_aside(path)
    if not is_record(record):
        return _set_aside(path)
    return merge(record, empty())


def is_record(record: Any) -> bool:
    """Return whether something that was read is a progress record of this course."""
    if not isinstance(record, dict) or record.get("format") != FORMAT or not isinstance(record.get("engine", {}), dict):
        return False
    for section in ("predictions", "exercises", "recall"):
        entries = record.get(section, {})
        if not isinstance(entries, dict) or not all(isinstance(entry, dict) for entry in entries.values()):
            return False
    return True


def _set_aside(path: Path) -> dict[str, Any]:
    number = 1
    while (kept := path.with_name(f"{path.stem}-set-aside-{number}.json")).exists():
        number += 1
    os.replace(path, kept)
    print(f"{path.name} could not be read as a progress file. It is kept as {kept.name}; a new one begins.")
    return empty()


def _write(path: Path, record: dict[str, Any]) -> None:
    """Write beside the file and then put it in its place: a reader sees the old record or the new one, never half."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    try:
        with open(beside, "w", encoding="utf-8") as file:
            json.dump(record, file, indent=1, ensure_ascii=False, sort_keys=True)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


class _Lock:
    """A file that only one kernel can create; one that a dead kernel left behind is taken over after ten seconds."""

    def __init__(self, path: Path) -> None:
        self.path = path.with_name(f".{path.name}.lock")

    def __enter__(self) -> None:
        while True:
            try:
                os.close(os.open(self.path, os.O_CREAT | os.O_EXCL | os.O_WRONLY))
                return
            except FileExistsError:
                try:
                    if time.time() - self.path.stat().st_mtime > 10:
                        self.path.unlink(missing_ok=True)
                except FileNotFoundError:
                    continue
                time.sleep(0.01)

    def __exit__(self, *_: object) -> None:
        self.path.unlink(missing_ok=True)
