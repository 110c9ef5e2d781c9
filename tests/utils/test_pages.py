"""The programs of the page `utils` show on the lab what torch showed."""

import pytest

from tests.golden.pages import programs, recorded, shown


@pytest.mark.parametrize("title", programs("utils"))
def test_page(title):
    assert shown(programs("utils")[title], "autograd_lab") == recorded("utils")[title]
