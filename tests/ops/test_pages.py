"""The programs of the page `operations` show on the lab what torch showed."""

import pytest

from tests.golden.pages import programs, recorded, shown


@pytest.mark.parametrize("title", programs("operations"))
def test_page(title):
    assert shown(programs("operations")[title], "autograd_lab") == recorded("operations")[title]
