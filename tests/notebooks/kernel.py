"""Run a notebook in a fresh kernel and make its outputs the same on every machine and every day."""

from __future__ import annotations

import copy
import os
import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import nbformat
from nbclient import NotebookClient

ROOT = Path(__file__).resolve().parents[2]
NOTEBOOKS = ROOT / "notebooks"
WIDGET = "application/vnd.jupyter.widget-view+json"
COLOUR = re.compile(r"\x1b\[[0-9;]*m")


def chapters() -> list[Path]:
    """Return the chapters in order."""
    return sorted(NOTEBOOKS.glob("[0-9][0-9]_*.ipynb"))


def solutions() -> list[Path]:
    """Return the solutions in order."""
    return sorted((NOTEBOOKS / "solutions").glob("[0-9][0-9]_*.ipynb"))


def read(path: Path) -> Any:
    """Read a notebook."""
    return nbformat.read(path, as_version=4)


def notebook(cells: Iterable[tuple[str, str, list[str]]]) -> Any:
    """Return a notebook made of code cells: (id, source, tags)."""
    made = nbformat.v4.new_notebook(metadata={"kernelspec": {"display_name": "Python 3", "name": "python3"}})
    for name, source, tags in cells:
        cell = nbformat.v4.new_code_cell(source, metadata={"tags": list(tags)})
        cell.id = name
        made.cells.append(cell)
    return made


def run(notebook: Any, folder: Path = NOTEBOOKS, progress: Path | None = None) -> Any:
    """Return a copy of a notebook with the outputs that it gives now, made stable.

    `progress` is the folder in which answers are kept; without one they are forgotten.
    """
    ran = copy.deepcopy(notebook)
    with _quiet_environment(progress):
        NotebookClient(
            ran, timeout=300, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(folder)}}
        ).execute()
    ran.metadata.pop("widgets", None)
    for cell in ran.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            outputs = [stable(output) for output in cell.outputs if output.output_type != "update_display_data"]
            cell.outputs = joined(outputs)
    return ran


def joined(outputs: list[Any]) -> list[Any]:
    """Return the outputs with neighbouring pieces of one stream put together: how they were cut is chance."""
    result: list[Any] = []
    for output in outputs:
        if output.output_type == "stream" and result and result[-1].get("name") == output.name:
            result[-1].text += output.text
        else:
            result.append(output)
    return result


def stable(output: Any) -> Any:
    """Return an output without what changes from run to run: addresses, paths, widget models, library frames."""
    if output.output_type == "stream":
        output.text = clean(output.text)
    elif output.output_type == "error":
        frames = [clean(frame) for frame in output.traceback]
        output.traceback = [frame for frame in frames if not COLOUR.sub("", frame).lstrip().startswith("File ")]
        output.evalue = clean(output.evalue)
    else:
        output.data = {
            kind: clean(data) if kind == "text/plain" else data for kind, data in output.data.items() if kind != WIDGET
        }
    return output


def clean(text: str) -> str:
    """Return text without addresses, kernel paths and torch's “Triggered internally” tails."""
    text = re.sub(r"0x[0-9a-f]{6,16}", "0x...", text)
    text = re.sub(r"\S*ipykernel_\d+[/\\]\d+\.py", "<cell>", text)
    text = re.sub(r"\S*[/\\](autograd_lab|torch|IPython)[/\\]\S+\.py:\d+", "<library>", text)
    return re.sub(r" \(Triggered internally at [^)]*\)", "", text)


@contextmanager
def _quiet_environment(progress: Path | None) -> Iterator[None]:
    """Keep the learner's progress file out of a test run, and the arithmetic on one thread."""
    with tempfile.TemporaryDirectory() as folder:
        changed = {"AUTOGRAD_LAB_PROGRESS": str(progress or folder), "OMP_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
        changed["PYTHONPATH"] = os.pathsep.join([str(ROOT), *filter(None, [os.environ.get("PYTHONPATH")])])
        before = {name: os.environ.get(name) for name in changed}
        os.environ.update(changed)
        try:
            yield
        finally:
            for name, value in before.items():
                if value is None:
                    os.environ.pop(name, None)
                else:
                    os.environ[name] = value
