"""Every example in a docstring runs and shows what it says."""

import doctest
import importlib
import io

import pytest

from tests.architecture.source import label, modules
from tests.support import PACKAGE

OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def module_name(path) -> str:
    """Return the name under which a file of the package is imported."""
    parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


@pytest.mark.parametrize("path", [path for path in modules() if path.name != "__main__.py"], ids=label)
def test_examples(path):
    import autograd_lab

    module = importlib.import_module(module_name(path))
    runner = doctest.DocTestRunner(optionflags=OPTIONS, verbose=False)
    report = io.StringIO()
    for example in doctest.DocTestFinder(exclude_empty=True).find(module):
        example.globs.setdefault("torch", autograd_lab)
        runner.run(example, out=report.write)
    assert not runner.failures, report.getvalue()
