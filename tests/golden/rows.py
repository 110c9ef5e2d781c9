"""What is recorded of a row of the op table: the name, the saved names and the edges of the nodes it makes."""

from __future__ import annotations

import warnings
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.ops.frame import Inputs, flat, node_facts, text_of

FILE = Path(__file__).with_name("rows.json")


def nodes_of(torch: ModuleType, sample: str) -> list[Any] | None:
    """Return for each result its node's name, saved names and the names of the next nodes; None without a node."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            outputs = flat(eval(text_of(sample), Inputs(torch)))
        except Exception:
            return None
    facts = [node_facts(one) for one in outputs]
    if not any(facts):
        return None
    return [one and [one["name"], one["saved"], [list(edge) for edge in one["edges"]]] for one in facts]
