"""The programs of the pages on autograd show on the lab what torch showed."""

import pytest

from tests.golden.pages import programs, recorded, shown

NAMES = ("function", "modes", "graph", "functional", "gradcheck", "leaves", "views", "troubles")
PAGES = [(name, title) for name in NAMES for title in programs(name)]


@pytest.mark.parametrize(("name", "title"), PAGES)
def test_page(name, title):
    assert shown(programs(name)[title], "autograd_lab") == recorded(name)[title]
