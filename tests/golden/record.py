"""Record the oracle's answers anew from the installed torch: `python -m tests.golden.record`.

Statements, titles and flags stay; only what torch shows is written. A different torch than the pinned one is refused,
because then the lab would be held to two versions at once: change `autograd_lab.REFERENCE` first, and read the diff.
"""

import json
import sys

from tests.golden.replay import ORACLE, replay
from tests.support import TORCH


def main() -> None:
    import torch

    version = torch.__version__.split("+")[0]
    if version != TORCH:
        sys.exit(f"torch is {version}; the oracle is recorded from {TORCH}")
    if sys.version_info[:2] != (3, 11):
        sys.exit("signatures are recorded on Python 3.11, and other Pythons print them in another way")
    rows = {row["id"]: row for row in map(json.loads, ORACLE.read_text(encoding="utf-8").splitlines())}
    changed = 0
    for entry, shown in replay("torch"):
        steps = [[source, answer] for (source, _), answer in zip(entry.steps, shown)]
        changed += sum(old != new for old, new in zip(rows[entry.id]["steps"], steps))
        rows[entry.id]["steps"] = steps
    ORACLE.write_text("".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows.values()), encoding="utf-8")
    print(f"{len(rows)} entries written, {changed} answers changed")


if __name__ == "__main__":
    main()
