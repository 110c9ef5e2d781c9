"""Who may import whom: the floors of the house, and which room may know a third party."""

import ast
import sys

import pytest

from tests.architecture.source import imported, label, modules, tree
from tests.support import PACKAGE, python

#: The first matching prefix (from the package's root) says which third parties a file may import.
PICTURES = {"numpy", "networkx", "matplotlib", "ipywidgets", "anywidget", "IPython", "traitlets", "nbformat", "PIL"}
MAY_KNOW = {
    "introspect/": {"numpy", "networkx"},
    "inspector/": PICTURES,
    "course/": PICTURES - {"networkx"},
    "": {"numpy"},
}


def test_import_linter_contracts():
    child = python("-c", "from importlinter.cli import lint_imports_command as main; main()", "--no-cache")
    assert child.returncode == 0, child.stdout + child.stderr


@pytest.mark.parametrize("path", modules(), ids=label)
def test_third_parties_stay_in_their_rooms(path):
    place = path.relative_to(PACKAGE).as_posix()
    allowed = next(names for prefix, names in MAY_KNOW.items() if place.startswith(prefix))
    foreign = imported(path) - set(sys.stdlib_module_names) - {"autograd_lab"}
    assert foreign <= allowed, f"{label(path)} imports {sorted(foreign - allowed)}"


@pytest.mark.parametrize(
    "path", [path for room in ("core", "ops") for path in modules() if PACKAGE / room in path.parents], ids=label
)
def test_the_engine_does_not_enter_by_its_own_front_door(path):
    """The façade imports the engine; an engine that imports the façade would make every floor one room."""
    for node in ast.walk(tree(path)):
        if isinstance(node, ast.Import):
            assert "autograd_lab" not in {alias.name for alias in node.names}, f"line {node.lineno}"
        elif isinstance(node, ast.ImportFrom) and node.module == "autograd_lab":
            rooms = {child.stem for child in PACKAGE.iterdir()}
            assert {alias.name for alias in node.names} <= rooms, f"line {node.lineno}"
