"""Wrong calls on torch and on the lab: what torch's argument parser refuses, the lab refuses in the same words."""

from __future__ import annotations

import itertools
import re

import pytest

import autograd_lab
from tests.parity.wrong_calls import every_call, outcome
from tests.support import require_torch

PARSER = re.compile(
    r"must be .*, (not|but found)|invalid combination|missing \d+ required|positional argument|unexpected keyword|"
    r"multiple values|failed to unpack|expected Tensor as element|takes no|needs an argument|doesn't apply to"
)
SHARES = 16     # the calls are dealt out to as many tests, of which the plain run takes two


@pytest.mark.parametrize("share", range(0, SHARES, 8))
def test_what_the_parser_of_torch_refuses_the_lab_refuses_in_its_words(share):
    torch = require_torch()
    different = []
    for call in itertools.islice(every_call(), share, None, SHARES):
        wanted = outcome(torch, call)
        if wanted.startswith("TypeError") and PARSER.search(wanted):
            # A method that is looked up on a tensor is named after the tensor's class, one called directly is not.
            wanted = wanted.replace("TypeError: Tensor.", "TypeError: TensorBase.") if "takes no" in wanted else wanted
            given = outcome(autograd_lab, call)
            if given != wanted:
                different.append((str(call), wanted, given))
    assert not different, f"{len(different)} calls, first {different[:3]}"


def test_the_table_is_what_the_installed_torch_says():
    """Names that are newer than the table are for `python -m tests.golden.record_signatures` to add."""
    require_torch()
    from tests.golden.record_signatures import TARGET, lines

    assert not set(TARGET.read_text(encoding="utf-8").splitlines()) - set(lines()[0])
