"""The pages on autograd are true: the installed torch of the pinned version shows what was recorded."""

import pytest

from tests.autograd.test_pages import PAGES
from tests.golden.pages import programs, recorded, shown
from tests.support import require_torch


@pytest.mark.parametrize(("name", "title"), PAGES)
def test_torch_shows_what_was_recorded(name, title):
    require_torch()
    assert shown(programs(name)[title], "torch") == recorded(name)[title]
