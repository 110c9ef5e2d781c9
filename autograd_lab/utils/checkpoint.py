"""Checkpointing: forget what a part of the graph saved, and compute it again when backward needs it.

Source: https://docs.pytorch.org/docs/stable/checkpoint.html
"""

from __future__ import annotations

import threading
import warnings
import weakref
from collections.abc import Callable
from contextlib import contextmanager, nullcontext
from typing import Any

from autograd_lab.autograd import Function, enable_grad
from autograd_lab.autograd.graph import saved_tensors_hooks
from autograd_lab.core.missing import answers_for
from autograd_lab.core.random import default_generator
from autograd_lab.core.state import local
from autograd_lab.core.switches import is_grad_enabled
from autograd_lab.core.tensor import Tensor
from autograd_lab.utils.checkpoint_record import Record
from autograd_lab.utils.checkpoint_reentrant import CheckpointFunction

__all__ = ["CheckpointError", "GraphExecGroup", "checkpoint", "checkpoint_sequential", "noop_context_fn",
           "set_checkpoint_debug_enabled", "set_checkpoint_early_stop"]  # fmt: skip
__getattr__ = answers_for("torch.utils.checkpoint", __all__)

UNDECIDED_SEQUENCE = (
    "torch.utils.checkpoint.checkpoint_sequential: the use_reentrant parameter should be passed explicitly. In version "
    "2.9 we will raise an exception if use_reentrant is not passed. use_reentrant=False is recommended, but if you "
    "need to preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on "
    "the differences between the two variants."
)
UNDECIDED = (
    "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly. Starting in PyTorch 2.9, calling "
    "checkpoint without use_reentrant will raise an exception. use_reentrant=False is recommended, but if you need to "
    "preserve the current default behavior, you can pass use_reentrant=True. Refer to docs for more details on the "
    "differences between the two variants."
)
TIP = """
Tip: To see a more detailed error message, either pass `debug=True` to
`torch.utils.checkpoint.checkpoint(...)` or wrap the code block
with `with torch.utils.checkpoint.set_checkpoint_debug_enabled(True):` to
enable checkpoint\N{NON-BREAKING HYPHEN}debug mode globally.

If this error occurs under torch.compile with automatic_dynamic_shapes enabled,
it may be because the recomputation selected a different compiled graph than the
forward pass (e.g., a dynamic graph instead of the original static graph).
To fix this, either:
  - Use torch._dynamo.mark_dynamic() to explicitly mark varying dimensions as
    dynamic upfront, avoiding the static-to-dynamic transition.
  - Call torch._C._dynamo.eval_frame._set_lru_cache(False) to disable LRU cache
    reordering, which can change which graph is checked first between forward
    and recompute.
See https://github.com/pytorch/pytorch/issues/166926 for more details and
workaround examples.
"""
OTHER_COUNT = (
    "torch.utils.checkpoint: A different number of tensors was saved during the original forward and recomputation.\n"
    "Number of tensors saved during forward: {}\nNumber of tensors saved during recomputation: {}.\n" + TIP
)
MORE = (
    "torch.utils.checkpoint: trying to save more tensors during recomputation than during the original forward pass.\n"
    + TIP
)
TWICE = (
    "torch.utils.checkpoint: Unpack is being triggered for a tensor that was already unpacked once. {}If you are "
    "calling ctx.saved_tensors in backward, make sure to do so only once. Otherwise please open an issue with details "
    "on your use case."
)
OVERLAP = (
    "Performing two backward calls that overlap (i.e. require the same saved activation in order to compute gradients) "
    "is not allowed while under the torch.utils.checkpoint.GraphExecGroup context. "
)
OTHER_TENSORS = (
    "torch.utils.checkpoint: Recomputed values for the following tensors have different metadata than during the "
    "forward pass.\n{}.\n" + TIP
)


class CheckpointError(RuntimeError):
    """The function did not compute the same again."""


class _Enough(Exception):
    """Everything that backward needs has been computed again."""


def noop_context_fn() -> tuple[Any, Any]:
    """Return two contexts that do nothing."""
    return nullcontext(), nullcontext()


_switches: dict[str, bool | None] = {"early_stop": None, "debug": None}


@contextmanager
def set_checkpoint_early_stop(enable: bool) -> Any:
    """Say for all checkpoints made in the block whether they stop as soon as everything was computed again."""
    before, _switches["early_stop"] = _switches["early_stop"], enable
    try:
        yield
    finally:
        _switches["early_stop"] = before


@contextmanager
def set_checkpoint_debug_enabled(enabled: bool | None) -> Any:
    """Say for all checkpoints made in the block whether an error lists what both runs saved; None leaves it to each."""
    before, _switches["debug"] = _switches["debug"], enabled
    try:
        yield
    finally:
        _switches["debug"] = before


class _Groups(threading.local):
    """The group of backward runs that this thread is in."""

    current: Any = None


_groups = _Groups()


class GraphExecGroup:
    """Let several backward runs that do not overlap share what a checkpoint computes again."""

    def __enter__(self) -> GraphExecGroup:
        if _groups.current is not None:
            raise RuntimeError(f"GraphExecGroup contexts cannot be nested. Already inside group {_groups.current}")
        _groups.current = self
        return self

    def __exit__(self, *args: object) -> None:
        _groups.current = None


class _Place:
    """What the graph keeps instead of a saved tensor."""

    __slots__ = ("__weakref__", "number")

    def __init__(self, number: int) -> None:
        self.number = number


class _Region:
    """One checkpointed call: how to repeat it, and what it saved in the original run."""

    def __init__(self, repeat: Callable[[], Any], context: Any, check: bool, early_stop: bool,
                 record: Record | None) -> None:  # fmt: skip
        self.repeat, self.context, self.check, self.early_stop = repeat, context, check, early_stop
        self.record = record
        self.places: list[Any] = []             # weak references: a place dies when its node is freed
        self.described: list[tuple] = []
        # What was computed again, and not asked for yet: for each backward run (or group of runs) by number.
        self.values: dict[Any, dict[int, Tensor]] = {}
        self.completed = False                  # a backward inside the function asks before all is saved

    def pack(self, tensor: Tensor) -> _Place:
        """Forget a saved tensor; keep its number and what it was like."""
        if self.record is not None:
            self.record.note(tensor, again=False)
        place = _Place(len(self.places))
        self.places.append(weakref.ref(place))
        self.described.append(_description(tensor))
        return place

    def unpack(self, place: _Place) -> Tensor:
        """Return the saved tensor, computed again if need be: once for each backward run, or group of runs."""
        group = _groups.current
        run = local.task if group is None else group
        if group is None and run == -1:
            return self._run_again()[place.number]      # outside a run nothing is kept
        values = self.values.get(run)
        if values is None:
            values = self.values[run] = self._run_again()
        if place.number not in values:
            raise CheckpointError(TWICE.format("" if group is None else OVERLAP))
        return values.pop(place.number)

    def _run_again(self) -> dict[int, Tensor]:
        try:
            return self._repeat()
        except CheckpointError as error:
            if self.record is None:
                raise
            raise CheckpointError(self.record.told()) from error

    def _repeat(self) -> dict[int, Tensor]:
        count, compared = 0, self.check
        values: dict[int, Tensor] = {}

        def keep(tensor: Tensor) -> Tensor:
            nonlocal count, compared
            if self.record is not None:
                self.record.note(tensor, again=True)
            tensor = tensor.detach() if tensor.requires_grad else tensor
            if count >= len(self.places):
                if self.completed:
                    raise CheckpointError(MORE)
                compared = False
            if count < len(self.places) and self.places[count]() is not None:
                values[count] = tensor
            count += 1
            if count == len(self.places) and self.early_stop:
                raise _Enough
            return tensor

        try:
            with enable_grad(), self.context, saved_tensors_hooks(keep, lambda tensor: tensor):
                self.repeat()
        except _Enough:
            pass
        if compared:
            if count != len(self.places):
                raise CheckpointError(OTHER_COUNT.format(len(self.places), count))
            self._compare(values)
        return values

    def _compare(self, values: dict[int, Tensor]) -> None:
        """Raise if a tensor is of another shape or dtype than in the original run."""
        wrong = []
        for number, tensor in values.items():
            before, now = self.described[number], _description(tensor)
            if before != now:
                wrong.append(f"tensor at position {number}:\nsaved metadata: {_shown(before)}\n"
                             f"recomputed metadata: {_shown(now)}\n")  # fmt: skip
        if wrong:
            raise CheckpointError(OTHER_TENSORS.format("".join(wrong)))


class _Arguments(Function):
    """Keep the arguments of a checkpointed call as saved tensors, so that a later write to one is an error."""

    @staticmethod
    def forward(ctx: Any, anchor: Tensor, args: tuple) -> Tensor:
        places = [k for k, one in enumerate(args) if isinstance(one, Tensor)]
        ctx.save_for_backward(*[args[k] for k in places])
        ctx.places = places
        ctx.others = [None if k in places else one for k, one in enumerate(args)]
        return anchor.detach()

    @staticmethod
    def read(ctx: Any) -> list:
        """Return the arguments again."""
        found = list(ctx.others)
        for k, tensor in zip(ctx.places, ctx.saved_tensors, strict=True):
            found[k] = tensor
        return found


def _description(tensor: Tensor) -> tuple:
    return tensor.shape, tensor.dtype, tensor.device


def _shown(description: tuple) -> dict:
    return dict(zip(("shape", "dtype", "device"), description, strict=True))


@contextmanager
def _random_state(state: Any) -> Any:
    """Let the same random numbers be drawn as in the original run, and put the generator back."""
    if state is None:
        yield
        return
    before = default_generator.get_state()
    default_generator.set_state(state)
    try:
        yield
    finally:
        default_generator.set_state(before)


def checkpoint(function: Callable, *args: Any, use_reentrant: bool | None = None, context_fn: Any = noop_context_fn,
               determinism_check: str = "default", debug: bool = False, early_stop: bool = True,
               preserve_rng_state: bool = True, **kwargs: Any) -> Any:  # fmt: skip
    """Call a function so that backward computes what it saved again instead of keeping it.

    Args:
        function: the part of the forward; it must compute the same when called again.
        args, kwargs: its arguments.
        use_reentrant: False is recommended; True runs the part's backward inside the backward, as torch did at first.
        context_fn: returns two contexts, for the forward and for its repetition.
        determinism_check: "none" accepts other shapes and dtypes in the repetition.
        preserve_rng_state: draw the same random numbers again.

    Raises CheckpointError if the repetition saves other tensors than the original run.

    >>> import autograd_lab as torch
    >>> x = torch.tensor([1.0, 2.0], requires_grad=True)
    >>> checkpoint(lambda x: (x * x).sin(), x, use_reentrant=False).sum().backward()
    >>> x.grad
    tensor([ 1.0806, -2.6146])
    """
    if use_reentrant is None:
        warnings.warn(UNDECIDED, stacklevel=2)
        use_reentrant = True
    debug = debug if _switches["debug"] is None else bool(_switches["debug"])
    state = default_generator.get_state() if preserve_rng_state else None
    if use_reentrant:
        if kwargs:
            raise ValueError("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug is not False:
            raise ValueError("Passing `context_fn` or `debug` is only supported when use_reentrant=False.")
        return CheckpointFunction.apply(function, lambda: _random_state(state), *args)

    if debug and context_fn is not noop_context_fn:
        raise ValueError("debug=True is incompatible with non-default context_fn")
    if determinism_check not in ("default", "none"):
        raise ValueError(f"determinism_check should be one of ['default', 'none'], but got {determinism_check}")
    if not is_grad_enabled():
        return function(*args, **kwargs)
    kept = _Arguments.apply(Tensor([]).requires_grad_(), args).grad_fn

    def repeat() -> None:
        with _random_state(state):
            function(*_Arguments.read(kept), **kwargs)

    forward, again = context_fn()
    stop = early_stop if _switches["early_stop"] is None else _switches["early_stop"]
    region = _Region(repeat, again, determinism_check != "none", stop, Record() if debug else None)
    with forward, saved_tensors_hooks(region.pack, region.unpack):
        result = function(*args, **kwargs)
    region.completed = True
    return result


def checkpoint_sequential(functions: Any, segments: int, input: Any, use_reentrant: bool | None = None,
                          **kwargs: Any) -> Any:  # fmt: skip
    """Call functions one after the other, in `segments` checkpointed groups; the last group is not checkpointed."""
    if use_reentrant is None:
        warnings.warn(UNDECIDED_SEQUENCE, stacklevel=2)
        use_reentrant = True
    steps = list(functions.children()) if hasattr(functions, "children") else list(functions)
    size = len(steps) // segments

    def run(first: int, last: int) -> Callable:
        def group(value: Any) -> Any:
            for step in steps[first:last]:
                value = step(value)
            return value

        return group

    start = 0
    for start in range(0, size * (segments - 1), size):
        input = checkpoint(run(start, start + size), input, use_reentrant=use_reentrant, **kwargs)
    return run(start + size if segments > 1 else 0, len(steps))(input)

