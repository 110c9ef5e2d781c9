"""The package's source files, as the architecture tests read them."""

import ast
import functools
from pathlib import Path

from tests.support import PACKAGE, ROOT


def modules() -> list[Path]:
    """Return every Python file of the package, in a steady order."""
    return sorted(path for path in PACKAGE.rglob("*.py") if "__pycache__" not in path.parts)


def files_of_tests() -> list[Path]:
    """Return every Python file of the tests."""
    return sorted(path for path in (ROOT / "tests").rglob("*.py") if "__pycache__" not in path.parts)


@functools.cache
def tree(path: Path) -> ast.Module:
    """Return the syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"), filename=str(path))


def label(path: Path) -> str:
    """Return a file's name from the root on."""
    return path.relative_to(ROOT).as_posix()


def imported(path: Path) -> set[str]:
    """Return the top-level names of what a file imports absolutely, also inside functions."""
    names = set()
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and not node.level:
            names.add(node.module.partition(".")[0])
    return names
