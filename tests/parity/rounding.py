"""What rounding alone makes of a random program: torch run again, its float32 kernels a little off.

NumPy's exp, tanh, sin … of float32 differ from torch's in the last digit or two. Where a program cancels that digit or
enlarges it (`sin(exp(14))`), the two show other numbers though both are right. So a difference is excused only if torch
shows one of the same size itself as soon as the results of these kernels are moved by two units in the last place.
"""

from __future__ import annotations

from typing import Any

KERNELS = frozenset(("exp", "tanh", "sigmoid", "sin", "cos", "_softmax"))


def nudged(torch: Any, units: int) -> Any:
    """Return a context in which the results of torch's kernels are `units` units in the last place higher."""
    from torch.utils._python_dispatch import TorchDispatchMode

    class Nudged(TorchDispatchMode):  # type: ignore[misc]
        def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
            made = func(*args, **(kwargs or {}))
            name = func._schema.name.partition("::")[2]
            if name.removesuffix("_") in KERNELS and made.dtype is torch.float32:
                toward = torch.full_like(made, float("inf") if units > 0 else -float("inf"))
                moved = made
                for _ in range(abs(units)):
                    moved = torch.nextafter(moved, toward)
                made.copy_(moved)
            return made

    return Nudged()


def rounding(run: Any, lines: list[str], torch: Any, k: int, mine: str, real: str, split: Any) -> str:
    """Say what the difference after statement `k` is: "numbers" or the "course" of the program may differ by rounding.

    An empty answer: neither, it is a difference. `run` runs a program, `split` parts a text from its numbers.
    """

    def again(units: int) -> str:
        with nudged(torch, units):
            return run(lines, torch)[k]

    if again(0) != real:
        return ""       # the program notices that it is watched
    text, numbers = split(real)
    moved = [split(again(units)) for units in (-2, -1, 1, 2)]
    if any(other != text for other, _ in moved):
        return "course"
    if split(mine)[0] != text:
        return ""
    reach = [max(abs(one[1][n] - number) for one in moved) for n, number in enumerate(numbers)]
    # A number that moves by more than a hundredth, as the sine of one beyond 2**24 does, has hardly a digit left.
    close = [abs(a - b) <= 1.01e-4 + 3e-5 * abs(b) + far * (10 if far > 0.01 * max(1, abs(b)) else 2)
             for a, b, far in zip(split(mine)[1], numbers, reach, strict=True)]  # fmt: skip
    return "numbers" if all(close) else ""
