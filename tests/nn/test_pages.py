"""The programs of the page `nn` show on the lab what torch showed."""

import pytest

from tests.golden.pages import programs, recorded, shown


@pytest.mark.parametrize("title", programs("nn"))
def test_page(title):
    assert shown(programs("nn")[title], "autograd_lab") == recorded("nn")[title]
