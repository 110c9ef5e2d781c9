"""The clock of all measurements: CPU time of this thread, because the machine is shared.

A workload is a function that makes a `step` to be repeated. A step whose set-up must not count returns a `Timed`.
"""

import statistics
import time
from collections.abc import Callable

Step = Callable[[], object]
now = time.thread_time


class Timed(float):
    """Seconds that a step measured itself, because a part of it must not count."""


def seconds(step: Step, repeats: int) -> float:
    """Return the time of one step, as the mean of `repeats`."""
    own = 0.0
    start = now()
    for _ in range(repeats):
        result = step()
        if type(result) is Timed:
            own += result
    passed = now() - start
    return (own or passed) / repeats


def race(steps: dict[str, Step], rounds: int, block: float) -> dict[str, float]:
    """Return each step's median time over `rounds`, the steps taking turns so that a slow minute slows all of them.

    `block` is the time that one turn takes, in seconds.
    """
    repeats = {}
    for name, step in steps.items():
        step()
        step()
        repeats[name] = max(1, int(block / max(seconds(step, 1), 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in steps}
    for _ in range(rounds):
        for name, step in steps.items():
            times[name].append(seconds(step, repeats[name]))
    return {name: statistics.median(values) for name, values in times.items()}
