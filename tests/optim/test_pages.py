"""The programs of the page `optim` show on the lab what torch showed."""

import pytest

from tests.golden.pages import programs, recorded, shown


@pytest.mark.parametrize("title", programs("optim"))
def test_page(title):
    assert shown(programs("optim")[title], "autograd_lab") == recorded("optim")[title]
