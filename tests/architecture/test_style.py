"""Ruff and mypy have nothing to say."""

import pytest

from tests.support import python


@pytest.mark.parametrize("command", [["ruff", "check", "."], ["mypy"]], ids=["ruff", "mypy"])
def test_the_tool_is_content(command):
    child = python("-m", *command)
    assert child.returncode == 0, child.stdout + child.stderr
