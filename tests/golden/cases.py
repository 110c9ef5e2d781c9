"""Run the troubles of real users as small programs, each with the answer that torch gives.

    python -m tests.golden.cases autograd_lab [--only WORD]     one line a case that fails, then the counts by topic

`cases.jsonl` holds one case a line: `id`, `url` (the public thread), `topic`, `trouble`, `code`, and what the program
must do: print `expect_stdout`, or raise `expect_error_type` with a message that `expect_error_regex` finds (having
printed `expect_stdout` first, where that is given too).
"""

import argparse
import collections
import contextlib
import importlib
import io
import json
import re
import signal
import sys
import warnings
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

CASES = Path(__file__).with_name("cases.jsonl")
SECONDS = 60


class TooSlow(BaseException):
    """A case ran longer than SECONDS. No Exception, so that the case itself cannot catch it."""


def cases(word: str = "") -> list[dict[str, str]]:
    """Return the cases in whose id or topic `word` occurs."""
    rows = map(json.loads, CASES.read_text(encoding="utf-8").splitlines())
    return [row for row in rows if word in row["id"] or word in row["topic"]]


@contextlib.contextmanager
def time_limit(seconds: int) -> Iterator[None]:
    """Raise TooSlow in the block when it takes longer; without SIGALRM (Windows) there is no limit."""
    if not hasattr(signal, "SIGALRM"):
        yield
        return

    def ring(signum, frame):
        raise TooSlow(f"took longer than {seconds} s")

    before = signal.signal(signal.SIGALRM, ring)
    signal.alarm(seconds)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)


def run(case: dict[str, str], torch: ModuleType) -> str:
    """Run one case and return what is wrong with its answer, or nothing."""
    screen = io.StringIO()
    error: BaseException | None = None
    with contextlib.redirect_stdout(screen), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            with time_limit(SECONDS):
                exec(compile(case["code"], "<case>", "exec"), {"torch": torch, "__name__": "case"})
        except (Exception, TooSlow) as exception:
            error = exception
        finally:
            torch.set_grad_enabled(True)
    return wrong_error(case, error) or wrong_text(case, screen.getvalue())


def wrong_error(case: dict[str, str], error: BaseException | None) -> str:
    """Compare how the case ended with how it should."""
    shown = f"raised {type(error).__name__}: {str(error)[:200]}"
    wanted = case.get("expect_error_type")
    if wanted is None:
        return "" if error is None else shown
    if error is None:
        return f"raised nothing, {wanted} is wanted"
    if type(error).__name__ != wanted:
        return f"{shown}; {wanted} is wanted"
    if not re.search(case["expect_error_regex"], str(error), re.DOTALL):
        return f"{shown}; the message should match {case['expect_error_regex']!r}"
    return ""


def wrong_text(case: dict[str, str], printed: str) -> str:
    """Compare what the case printed with what it should."""
    wanted = case.get("expect_stdout", printed)
    return "" if printed == wanted else f"printed {printed!r}, not {wanted!r}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("module", nargs="?", default="autograd_lab")
    parser.add_argument("--only", default="", help="part of an id or topic")
    options = parser.parse_args()

    torch = importlib.import_module(options.module)
    right, all_of = collections.Counter(), collections.Counter()
    for case in cases(options.only):
        wrong = run(case, torch)
        all_of[case["topic"]] += 1
        right[case["topic"]] += not wrong
        if wrong:
            print(f"{case['id']}: {wrong}")
    print(", ".join(f"{topic} {right[topic]}/{count}" for topic, count in all_of.most_common()))
    print(f"{options.module}: {right.total()}/{all_of.total()} cases agree")
    sys.exit(right.total() < all_of.total())


if __name__ == "__main__":
    main()
