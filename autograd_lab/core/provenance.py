"""Where in the user's code a node was made or a tensor was written: kept as (code, lasti), resolved only when asked."""

from __future__ import annotations

import linecache
import os
import re
import sys
from types import CodeType
from typing import Any, NamedTuple

from autograd_lab.core.state import local

PACKAGE = os.path.dirname(os.path.dirname(os.path.abspath(__file__))) + os.sep
GENERATED = "<autograd_lab "     # file names of the functions that `op` compiles

# File names already known to be the user's: the hot path asks this set and nothing else.
user_files: set[str] = set()
_internal_files: set[str] = set()

_CELL = re.compile(r"ipykernel_\d+|ipython-input-(\d+)")


class Site(NamedTuple):
    """A line of the user's code.

    Attributes:
        file: the source file, or the name that IPython gave to the cell.
        line: line number, from 1.
        cell: execution count of the notebook cell, or None outside a notebook.
        text: the source line without its indentation ("" when it cannot be read).
    """

    file: str
    line: int
    cell: int | None
    text: str

    def __str__(self) -> str:
        if self.cell is not None:
            return f"In [{self.cell}], line {self.line}"
        return f"{os.path.basename(self.file)}, line {self.line}"


def is_internal(file: str) -> bool:
    """Say whether a source file belongs to the package (compiled operations included)."""
    return file.startswith((PACKAGE, GENERATED))


def user_frame(depth: int = 1) -> tuple[CodeType, int]:
    """Return (code, lasti) of the first frame outside the package, counted from the caller's caller.

    Inside a recorded backward run it is the line that started the run, found once for all its nodes.
    """
    if local.site is not None:
        return local.site
    frame = sys._getframe(depth + 1)
    while True:
        file = frame.f_code.co_filename
        if file in user_files:
            break
        if file not in _internal_files:
            if not is_internal(file):
                user_files.add(file)
                break
            _internal_files.add(file)
        if frame.f_back is None:
            break
        frame = frame.f_back
    return frame.f_code, frame.f_lasti


def line_of(code: CodeType, lasti: int) -> int:
    """Return the line number of the instruction at byte offset `lasti`."""
    found = code.co_firstlineno
    for start, end, line in code.co_lines():
        if start <= lasti < end and line is not None:
            return line
    return found


def cell_number(file: str) -> int | None:
    """Return the execution count of the notebook cell that `file` names, if IPython is loaded and knows it."""
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None and hasattr(ipython, "get_ipython") else None
    if shell is None:
        return None
    names = getattr(getattr(shell, "compile", None), "_filename_map", None)
    if names and file in names:
        return names[file]
    match = _CELL.search(file)
    return int(match.group(1)) if match and match.group(1) else None


def resolve(site: tuple[CodeType, int] | None) -> Site | None:
    """Turn a stored (code, lasti) into a readable line."""
    if site is None:
        return None
    code, lasti = site
    line = line_of(code, lasti)
    file = code.co_filename
    return Site(file, line, cell_number(file), linecache.getline(file, line).strip())


def where(node: Any) -> Site | None:
    """Return the line that made a node, or None when it is not known (leaves, nodes of other engines)."""
    return resolve(getattr(getattr(node, "_engine_node", node), "site", None))


def written(tensor: Any) -> Site | None:
    """Return the line that last wrote to the tensor's memory in place, through any of its aliases."""
    cell = tensor._cell
    if cell is None or cell.memory is None:
        return None
    return resolve(cell.memory.site)
