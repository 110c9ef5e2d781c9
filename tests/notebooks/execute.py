"""Run the chapters and store their outputs: `python -m tests.notebooks.execute [04 06 …]`, all without a number."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import nbformat

from tests.notebooks import kernel, write_solutions


def store(path: Path) -> bool:
    """Run one notebook and write it back; return whether anything changed."""
    before = path.read_text(encoding="utf-8")
    after = nbformat.writes(kernel.run(kernel.read(path), path.parent)) + "\n"
    path.write_text(after, encoding="utf-8")
    return after != before


def main(wanted: list[str]) -> None:
    """Store the outputs of the wanted chapters and of their solutions."""
    write_solutions.main()
    for path in (*kernel.chapters(), *kernel.solutions()):
        if path.name.startswith("17_to") and importlib.util.find_spec("torch") is None:
            print(f"{path.name}: left as it is, because torch is not installed here")
        elif not wanted or path.name[:2] in wanted:
            print(f"{path.relative_to(kernel.NOTEBOOKS)}: {'new outputs' if store(path) else 'as before'}", flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
