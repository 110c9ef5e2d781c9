"""One table of help: for each of torch's errors that a learner meets, why it matters, how to mend it, where to read on.

The message of an exception stays torch's, to the letter. What the lab adds stands in notes (PEP 678), which Python and
IPython print below the message.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar

Error = TypeVar("Error", bound=BaseException)


class Help(NamedTuple):
    """What the lab adds to an error: the cause, the fix, and the chapter that explains it."""

    why: str
    fix: str
    chapter: str


HELP: dict[str, Help] = {
    "freed": Help(
        "Backward frees what its nodes saved as soon as they have run, so that memory does not pile up.",
        "Compute the loss again before the next backward, or pass retain_graph=True to the first one.",
        "04",
    ),
    "stale": Help(
        "A node saved this tensor for its derivative. A later write in place changed the numbers it needs.",
        "Write out of place: y = y + 1 instead of y += 1. For a write outside the graph, copy first: "
        "t.detach().clone().",
        "06",
    ),
    "not_scalar": Help(
        "A gradient is the derivative of one number. This tensor holds several.",
        "Reduce it first (loss.sum() or loss.mean()), or pass gradient= with one weight for each element.",
        "05",
    ),
    "no_grad_fn": Help(
        "Nothing that this tensor was computed from was recorded, so there is no path to go back along.",
        "Look for a missing requires_grad=True, for no_grad, detach(), .data, .item() or NumPy on the way to the loss.",
        "03",
    ),
    "leaf_write": Help(
        "The graph starts at this leaf. Overwriting it while recording would lose the value that gradients refer to.",
        "To change a parameter between steps, write inside `with torch.no_grad():`.",
        "06",
    ),
    "leaf_flag": Help(
        "This tensor was computed; whether it needs a gradient follows from its inputs.",
        "Use t.detach() for the values without the graph.",
        "02",
    ),
    "unused": Help(
        "No path leads from the output back to this input, so its gradient is not zero but undefined.",
        "Pass allow_unused=True to get None for it, or materialize_grads=True to get zeros.",
        "08",
    ),
    "gradient_shape": Help(
        "The gradient you pass weighs each element of the output, so it must have exactly the output's shape.",
        "Pass torch.ones_like(output), or reshape the gradient you have.",
        "05",
    ),
    "numpy": Help(
        "NumPy cannot record operations, so the graph would silently end here.",
        "Say that this is wanted: t.detach().numpy().",
        "03",
    ),
    "shapes": Help(
        "Shapes are compared from the last dimension back; two sizes fit when they are equal or one of them is 1.",
        "Compare the shapes of both operands; reshape or unsqueeze one of them.",
        "05",
    ),
    "integer_grad": Help(
        "A derivative needs numbers that can move a little; integers and booleans cannot.",
        "Make the tensor a float one first: torch.tensor([1., 2.]) or t.float().",
        "03",
    ),
    "view_write": Help(
        "Writing into a view also writes into its base, and autograd has to know how both are connected.",
        "Replace the write by an out-of-place operation, or clone() the view first.",
        "13",
    ),
    "inference": Help(
        "Tensors made in inference mode keep no version counter, so autograd cannot vouch for them.",
        "Use t.clone() outside inference mode, or torch.no_grad() instead of it.",
        "09",
    ),
    "function": Help(
        "A custom Function returns one gradient for each argument of forward, and None for what is no tensor.",
        "Count the arguments of forward (without ctx) and return as many values from backward.",
        "11",
    ),
    "leaf_shape": Help(
        "A leaf took data of another shape while an older graph was alive, and that graph still expects the old shape.",
        "Let go of the old graph first (del loss), or make a new leaf of the new shape.",
        "13",
    ),
    "foreign": Help(
        "Half of the program uses the real torch, the other half the lab: their tensors cannot meet.",
        "Look for an import line that still says torch, such as `from torch.autograd import Variable`, and write "
        "autograd_lab there too.",
        "00",
    ),
}


def explain(error: Error, key: str, *facts: str) -> Error:
    """Add the lab's notes to an exception and return it.

    Args:
        error: the exception, with torch's message.
        key: a row of `HELP`.
        facts: sentences about this very case (which line, which tensor), put before the general help.

    >>> explain(RuntimeError("boom"), "freed").__notes__[-1]
    'Chapter 04 explains it.'
    """
    entry = HELP[key]
    for fact in facts:
        if fact:
            error.add_note(fact)
    error.add_note(f"Why: {entry.why}")
    error.add_note(f"Fix: {entry.fix}")
    error.add_note(f"Chapter {entry.chapter} explains it.")
    return error
