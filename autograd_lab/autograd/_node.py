"""The node of a custom Function, in two parts: the user's `ctx`, and what the engine reads.

In torch the `ctx` of a Function *is* the `grad_fn` of its outputs, and the user may give it any attribute. So the
engine's own data must not stand under names like `edges` or `outputs`, which a user would overwrite: it lies in slots
of the ctx that have no name there, and only `CustomNode`, the engine's handle on a ctx, reaches them. A graph holds the
handle and the handle its ctx; the ctx knows its handle only weakly, so that no cycle keeps a graph alive.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.accumulate import validate, wanted_dtype
from autograd_lab.core.node import Output
from autograd_lab.core.saved import PackedTensor, check, new_tensor, result_array
from autograd_lab.core.state import set_grad
from autograd_lab.core.tensor import Tensor, wrap

ACCESSED_ONCE = (
    "saved_tensors can only be accessed once when clear_saved_tensors_on_access=True is set on the autograd.Function. "
    "Either access saved_tensors only once, or set clear_saved_tensors_on_access=False."
)


EMPTY = {"edges": (), "seq": 0, "clock": 0, "extra": None, "saved": (), "site": None, "inputs": (), "results": (),
          "materialize": True, "handle": None}  # fmt: skip
HIDDEN = tuple(EMPTY)
_slots: dict[str, Any] = {}
_empty: list[tuple] = []


def take_slots(cls: type) -> type:
    """Take the names of the hidden slots away from the class of a ctx; only the handle still reaches them."""
    for name in HIDDEN:
        _slots[name] = vars(cls)[name]
        delattr(cls, name)
        _empty.append((_slots[name].__set__, EMPTY[name]))
    return cls


def _field(name: str) -> property:
    """Return a property of the handle that reads and writes a nameless slot of its ctx."""

    def get(node: CustomNode) -> Any:
        return _slots[name].__get__(node.ctx)

    def put(node: CustomNode, value: Any) -> None:
        _slots[name].__set__(node.ctx, value)

    return property(get, put)


class SavedOutput:
    """An output that its own node saved: array and version counter, for the tensor itself would make a cycle."""

    __slots__ = ("array", "cell", "nr")

    def __init__(self, tensor: Tensor, nr: int) -> None:
        self.array, self.cell, self.nr = tensor._array, tensor._cell, nr


class PackedOutput(PackedTensor):
    """A saved tensor that went through a pack hook, with the number of the output that it may be."""

    __slots__ = ("nr",)

    def __init__(self, tensor: Tensor, hooks: tuple, nr: int | None, shown: Tensor | None = None) -> None:
        self.nr = nr or 0
        super().__init__(tensor, hooks, nr is not None, shown)


class CustomNode:
    """The engine's handle on the ctx of a custom Function.

    `inputs` holds (shape, dtype) for each argument that was a tensor, else None; `results` (shape, dtype,
    differentiable) for each output that was one.
    """

    __slots__ = ("__weakref__", "ctx")
    kind = 0
    custom = True
    forbidden = False
    frees = True
    fix = None
    declaration = None
    saved_names = ()
    saved_outputs = ()

    edges = _field("edges")
    seq = _field("seq")
    clock = _field("clock")
    extra = _field("extra")
    saved = _field("saved")
    site = _field("site")
    inputs = _field("inputs")
    results = _field("results")
    materialize = _field("materialize")

    def __init__(self, ctx: Any) -> None:
        self.ctx = ctx
        _slots["handle"].__set__(ctx, weakref.ref(self))

    @property
    def outputs(self) -> int:
        """How many outputs the Function returned."""
        return len(self.results)

    def name(self) -> str:
        """Return the node's name, such as 'MulConstantBackward'."""
        return type(self.ctx).__name__

    def undefined(self) -> tuple:
        """Return no gradient for any edge."""
        return (None,) * len(self.edges)

    # ------------------------------------------------------------------ saved tensors
    def unpack(self) -> tuple:
        """Return the saved tensors, after the version checks."""
        if self.saved is None:
            raise fail.freed(self)
        if self.saved is ACCESSED_ONCE:
            raise RuntimeError(ACCESSED_ONCE)
        return tuple([self._unpack_one(item) for item in self.saved])

    def _unpack_one(self, item: Any) -> Any:
        if item is None:
            return None
        if type(item) is SavedOutput:
            return new_tensor(result_array(self, item.array, item.cell), Output(self, item.nr), item.cell)
        if type(item) is PackedOutput:
            return item.tensor(self, item.nr)
        check(self, item)
        return item

    def kept(self) -> list | None:
        """Return the saved tensors without any check or hook, or None when they are gone."""
        if self.saved is None or self.saved is ACCESSED_ONCE:
            return None
        found = []
        for item in self.saved:
            if type(item) is SavedOutput:
                found.append(new_tensor(item.array, Output(self, item.nr), item.cell))
            elif type(item) is PackedOutput:
                if isinstance(item.pack_value, Tensor):
                    found.append(item.pack_value)
            elif item is not None:
                found.append(item)
        return found

    # ------------------------------------------------------------------ the backward of the node
    def backward(self, grads: list) -> list:
        """Run the user's backward on arrays, unrecorded."""
        return self._run(grads, False)

    def backward_recorded(self, grads: list) -> list:
        """Run the user's backward on tensors, recorded."""
        return self._run(grads, True)

    def _run(self, grads: list, recorded: bool) -> list:
        shown = [grad if recorded or grad is None else wrap(grad) for grad in grads]
        if any(grad is None for grad in grads):
            results = self.results
            shown = [self._missing(results[k]) if grad is None else grad for k, grad in enumerate(shown)]
        before = set_grad(recorded)
        try:
            given = self.ctx.apply(*shown)
        finally:
            set_grad(before)
        return self._checked(given if isinstance(given, tuple) else (given,), recorded)

    def _missing(self, result: tuple | None) -> Tensor | None:
        """Return what the user's backward sees where no gradient arrived."""
        if result is None or not self.materialize:
            return None
        shape, dtype, differentiable = result
        if not differentiable and not self.ctx._materialize_non_diff_grads:
            return None
        return wrap(np.zeros(shape, dtype))

    def _checked(self, given: tuple, recorded: bool) -> list:
        """Return one gradient for each edge, in its input's shape and dtype, or say what is wrong with them."""
        inputs = self.inputs
        if len(given) > len(inputs) and all(one is None for one in given[len(inputs):]):
            given = given[: len(inputs)]
        if len(given) != len(inputs):
            raise RuntimeError(f"function {self.name()} returned an incorrect number of gradients (expected "
                               f"{len(inputs)}, got {len(given)})")  # fmt: skip
        found: list[Any] = []
        unfit: list[tuple] = []
        for position, (grad, source) in enumerate(zip(given, inputs, strict=True)):
            if source is None:
                if grad is not None:
                    raise RuntimeError(
                        f"function {self.name()} returned a gradient different than None at position {position + 1}, "
                        "but the corresponding forward input was not a Variable"
                    )
            elif grad is None:
                found.append(None)
            elif not isinstance(grad, Tensor):
                raise RuntimeError(f"expected Variable or None (got {type(grad).__name__})")
            else:
                array = grad._array
                if array.shape != source[0] or array.dtype is not source[1]:
                    edge = self.edges[len(found)]
                    if edge is not None and edge.kind == 1 and not edge.hidden:
                        source = source[0], wanted_dtype(edge) or array.dtype
                    unfit.append((len(found), source))
                found.append(grad if recorded else array)
        for index, (shape, dtype) in unfit:
            edge = self.edges[index]
            if edge is not None and (edge.kind != 1 or not edge.hidden):
                found[index] = validate(self, index, found[index], shape, dtype, recorded)
        return found


def prepare(ctx: Any) -> None:
    """Give a new ctx its empty slots."""
    for put, value in _empty:
        put(ctx, value)
    ctx.needs_input_grad = ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = ctx.saved_for_forward = None
    ctx._materialize_non_diff_grads = True


def handle_of(ctx: Any) -> CustomNode:
    """Return the engine's handle on a ctx."""
    ref = _slots["handle"].__get__(ctx)
    found = None if ref is None else ref()
    return CustomNode(ctx) if found is None else found
