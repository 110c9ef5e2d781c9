"""The one table of what the lab knowingly does not do yet: each row is a strict xfail with its reason.

A row whose statement begins to agree fails the test run, so that the table cannot grow old. The numbers are those that
`python -m tests.golden.replay autograd_lab` prints; `...` stands for a whole entry.
"""

from types import EllipsisType

#: entry of oracle.jsonl → (numbers of its statements, reason)
STATEMENTS: dict[str, tuple[tuple[int, ...] | EllipsisType, str]] = {}

#: case of cases.jsonl → reason
CASES: dict[str, str] = {}
