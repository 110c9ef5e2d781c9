"""What a checkpointed call saved in its first run and when it was repeated: for the error that `debug=True` gives."""

from __future__ import annotations

from autograd_lab.core.provenance import resolve, user_frame
from autograd_lab.core.tensor import Tensor

ERROR = """ An error happened while unpacking tensors; this is what both runs saved,
because you passed `debug=True` to `torch.utils.checkpoint.checkpoint()`.

Saved during the original forward:

{}

Saved during recomputation:

{}

+------------------------------------------------------------------------------+
 ERROR: Detected non-determinism while running activation checkpointing

 You are seeing this error because you passed `debug=True` to checkpoint and
 tensors to be saved during the original forward and differ between those saved
 during recomputation. Compare the two lists above from the top: the first line
 that differs is where the function did not compute the same again.
"""


class Record:
    """Two lists of saved tensors, each with the line of the user's program that saved it."""

    def __init__(self) -> None:
        self._runs: tuple[list[str], list[str]] = ([], [])

    def note(self, tensor: Tensor, again: bool) -> None:
        """Add a saved tensor to the list of the first run, or of the repetition."""
        site = user_frame(2)
        where = "" if site is None else f"   {resolve(site)}"
        self._runs[again].append(f"{tensor.dtype} {list(tensor.shape)}{where}")

    def told(self) -> str:
        """Return the text of the error."""
        return ERROR.format(*("\n".join(lines) for lines in self._runs))
