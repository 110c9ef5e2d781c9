"""Where the chapters stand, and how a learner gets a copy of them that is never overwritten."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Layout:
    """What laying out the chapters did: file names that are new, that stayed, and that have a newer edition."""

    added: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)
    newer: list[str] = field(default_factory=list)


def originals() -> Path | None:
    """Return the folder of the chapters: inside an installed package, or beside it in a checkout."""
    here = Path(__file__).resolve().parent
    for folder in (here.parent / "notebooks", here.parents[1] / "notebooks"):
        if folder.is_dir() and any(folder.glob("[0-9][0-9]_*.ipynb")):
            return folder
    return None


def chapters() -> dict[str, Path]:
    """Return the chapters by number: {"00": …/00_start_here.ipynb, …}.

    Raises FileNotFoundError when the package was installed without its notebooks.
    """
    folder = originals()
    if folder is None:
        raise FileNotFoundError("the chapters are missing from this installation; install autograd_lab again")
    return {path.name[:2]: path for path in sorted(folder.glob("[0-9][0-9]_*.ipynb"))}


def lay_out(folder: Path) -> Layout:
    """Copy every chapter that is not there yet into `folder`; what exists is never touched.

    A copy has no outputs after its first prediction, so that the answer is not on the page before the question.
    Raises OSError when the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    layout = Layout()
    for original in chapters().values():
        copy = folder / original.name
        edition = _edition(original)
        if not copy.exists():
            # "x": if another process created the file in the meantime, that file stays.
            with open(copy, "x", encoding="utf-8") as file:
                file.write(learner_copy(original, edition))
            layout.added.append(original.name)
        elif _edition_of_copy(copy) in (edition, None):
            layout.kept.append(original.name)
        else:
            layout.newer.append(original.name)
    return layout


def learner_copy(original: Path, edition: str = "") -> str:
    """Return the text of a chapter with the outputs cleared from the first prediction on."""
    notebook = json.loads(original.read_text(encoding="utf-8"))
    asked = False
    for cell in notebook["cells"]:
        asked = asked or "predict(" in "".join(cell["source"])
        if asked and cell["cell_type"] == "code":
            cell["outputs"] = []
            cell["execution_count"] = None
    notebook["metadata"]["autograd_lab"] = {"edition": edition or _edition(original)}
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _edition(original: Path) -> str:
    """Return a mark of what a chapter says and asks; outputs that were stored anew make no new edition."""
    cells = json.loads(original.read_text(encoding="utf-8"))["cells"]
    text = "\0".join("".join(cell["source"]) for cell in cells)
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def _edition_of_copy(copy: Path) -> str | None:
    try:
        return json.loads(copy.read_text(encoding="utf-8"))["metadata"]["autograd_lab"]["edition"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
