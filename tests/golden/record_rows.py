"""Record the nodes that the pinned torch makes for the op table's samples: `python -m tests.golden.record_rows`.

Of each row one sample is kept for every different set of node names and saved names that torch shows.
"""

from __future__ import annotations

import importlib
import json

from tests.golden.rows import FILE, nodes_of
from tests.ops.frame import collect


def main() -> None:
    """Write rows.json."""
    torch = importlib.import_module("torch")
    importlib.import_module("torch.nn.functional")
    facts = {}
    for row, samples in sorted(collect().items()):
        different: dict[str, tuple[str, object]] = {}
        for sample in dict.fromkeys(samples):
            found = nodes_of(torch, sample)
            if found is not None:
                different.setdefault(json.dumps(found), (sample, found))
        if different:
            facts[row] = dict(different.values())
    lines = [f"{json.dumps(row)}: {json.dumps(kept)}" for row, kept in facts.items()]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
