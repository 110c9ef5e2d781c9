"""The README keeps its word: two commands of one line, examples that run, links that lead somewhere."""

import doctest
import re

import pytest

from tests.support import ROOT

DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"]
README = DOCUMENTS[0].read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """Return the fenced blocks of the README that are marked with a language (none: an empty string)."""
    fenced = re.findall(r"^```(\w*)\n(.*?)^```$", README, flags=re.DOTALL | re.MULTILINE)
    return [text for name, text in fenced if name == language]


def test_there_are_two_commands_of_one_line():
    commands = [block.strip() for block in blocks("")]
    assert len(commands) == 2
    assert not any("\n" in command for command in commands)
    assert commands[0].endswith(".venv/bin/autograd-lab")
    assert commands[1].endswith(".venv/bin/python -m pytest")


def test_the_examples_run():
    source = "".join(block for block in blocks("python") if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    runner = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS)
    shown = []
    runner.run(test, out=shown.append)
    assert test.examples
    assert not runner.failures, "".join(shown)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    for target in re.findall(r"\]\(([^)#]+)\)", document.read_text(encoding="utf-8")):
        assert "://" in target or (document.parent / target).exists(), target
