"""The one table of what the lab knowingly does in another way: each row is a strict xfail with its reason.

A row whose statement begins to agree fails the test run, so that the table cannot grow old. The numbers are those that
`python -m tests.golden.replay autograd_lab` prints; `...` stands for a whole entry.
"""

from types import EllipsisType

#: (entry of oracle.jsonl, numbers of its statements, reason)
STATEMENTS: tuple[tuple[str, tuple[int, ...] | EllipsisType, str], ...] = (
    ("S2-08", (9, 10, 11), "torch's methods are written in C, and print so; the lab's are Python functions"),
    ("P-03", (16,), "NumPy has no bfloat16; the lab says so and names the types that it has"),
    ("P-08", (18, 25, 26), "so do the functions of torch itself, and its unbound methods"),
    ("P-08", (31,), "__version__ is the lab's own; autograd_lab.REFERENCE names the torch that it follows"),
)

#: (entry, statement, the Python since which it prints something else than on 3.11, what changed)
NEWER_PYTHON: tuple[tuple[str, int, tuple[int, int], str], ...] = (
    ("R-02", 7, (3, 12), "the repr of an OrderedDict"),
    ("S1-16", 1, (3, 14), "the repr of a Union"),
    ("S1-16", 2, (3, 14), "the repr of a Union"),
    ("R-05", 29, (3, 13), "the message of an AttributeError"),
)

#: case of cases.jsonl → reason
CASES: dict[str, str] = {}
