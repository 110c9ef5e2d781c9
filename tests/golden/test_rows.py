"""The nodes that torch made for the samples of each row of the op table, recorded: names, saved names, edges."""

from __future__ import annotations

import json

import pytest

import autograd_lab
from autograd_lab import ops
from autograd_lab.core.op import table
from tests.golden.rows import FILE, nodes_of
from tests.ops.frame import collect

ops.load_all()
RECORDED = json.loads(FILE.read_text(encoding="utf-8"))


@pytest.mark.parametrize("row", sorted(RECORDED))
def test_nodes_are_the_recorded_ones(row: str) -> None:
    for sample, expected in RECORDED[row].items():
        assert nodes_of(autograd_lab, sample) == expected, sample


def test_every_differentiable_row_is_recorded() -> None:
    """A new row has its nodes recorded with `python -m tests.golden.record_rows`."""
    samples = collect()
    assert not [row for row in samples if row in table and table[row].inputs and row not in RECORDED]


def test_the_recording_holds_samples_that_still_exist() -> None:
    samples = collect()
    gone = [(row, sample) for row, kept in RECORDED.items() for sample in kept if sample not in samples.get(row, ())]
    assert not gone
