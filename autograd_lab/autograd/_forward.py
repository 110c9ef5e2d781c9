"""`Function.apply`: run the user's forward unrecorded, then give its outputs their place in the graph."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable
from typing import Any

from autograd_lab.autograd._node import CustomNode, PackedOutput, SavedOutput, handle_of
from autograd_lab.core import failures as fail
from autograd_lab.core import views
from autograd_lab.core.anomaly import remember
from autograd_lab.core.node import Output
from autograd_lab.core.operands import forbidden_first
from autograd_lab.core.provenance import user_files, user_frame
from autograd_lab.core.state import local, mode, sequence, set_grad
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.core.versions import cell_of, materialize, touch

LEAF_WRITE = "a leaf Variable that requires grad has been used in an in-place operation."
VIEW_AND_MORE = (
    "If your Function modifies inplace an input that is a view of another Tensor, your Function cannot return more "
    "than one Tensor. This is not supported by the current autograd engine. You should either make sure the input is "
    "not a view (using .clone() for example) or make your Function only return one Tensor (potentially splitting it "
    "into two Functions: one doing the inplace that returns a single Tensor and a second one that does the other "
    "operations). You can ask on the forum https://discuss.pytorch.org/ if you need help to do this change."
)
NOT_AN_INPUT = (
    "ctx.mark_dirty() received a tensor that was not an input. Only input Tensors that have been mutated should be "
    "passed to ctx.mark_dirty()."
)
NOT_RETURNED = (
    "Some elements marked as dirty during the forward method were not returned as output. The inputs that are modified "
    "inplace must all be outputs of the Function."
)
PURE_VIEW = (
    "Pure view custom Function can only have one input Tensor and one output Tensor. Open an issue if you need to "
    "support more."
)
INPUT_SAVED = (
    "An input that has been returned as-is as output is being saved for backward. This is not supported if you "
    "override setup_context. You should return and save a view of the input instead, e.g. with x.view_as(x) or setup "
    "ctx inside the forward function itself."
)


def inference(tensor: Tensor) -> bool:
    """Say whether a tensor was made in inference mode."""
    return tensor._extra is not None and tensor._extra.inference


def with_keywords(forward: Callable, skip: int, args: tuple, kwargs: dict) -> tuple:
    """Return all arguments by position; keywords must fill the positions that follow."""
    from inspect import signature

    names = [
        name for name, parameter in list(signature(forward).parameters.items())[skip:]
        if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD)
    ]  # fmt: skip
    for name in kwargs:
        if name not in names:
            raise TypeError(f"forward() got an unexpected keyword argument '{name}'")
        if name in names[: len(args)]:
            raise TypeError(f"forward() got multiple values for argument '{name}'")
    found = list(args)
    for position in range(len(args), len(args) + len(kwargs)):
        if names[position] not in kwargs:
            raise TypeError(f"forward() missing required argument: '{names[position]}' (position {position})")
        found.append(kwargs[names[position]])
    return tuple(found)


def with_defaults(forward: Callable, args: tuple, kwargs: dict) -> tuple:
    """Return all arguments by position, defaults filled in, as the setup_context form wants them."""
    from inspect import signature

    bound = signature(forward).bind(*args, **kwargs)
    bound.apply_defaults()
    return with_keywords(forward, 0, bound.args, bound.kwargs) if bound.kwargs else bound.args


def apply(cls: Any, ctx: Any, args: tuple, has_setup: bool, depth: int = 2) -> Any:
    """Run one Function; see `Function.apply`."""
    inputs = [arg for arg in args if isinstance(arg, Tensor)]
    ctx.needs_input_grad = needs = tuple([isinstance(arg, Tensor) and arg._node is not None for arg in args])
    recorded = local.grad and True in needs
    edges = tuple([tensor._node for tensor in inputs])      # before forward, which may write into its inputs
    if recorded and mode.forbidden:
        forbidden_first(tuple(inputs))
    before = set_grad(False)
    try:
        if has_setup:
            output = cls.forward(*args)
            cls.setup_context(ctx, args, output)
        else:
            output = cls.forward(ctx, *args)
    finally:
        set_grad(before)
    outputs = output if isinstance(output, tuple) else (output,)
    node = None
    if recorded:
        node = handle_of(ctx)
        node.seq = sequence()
        node.edges = edges
        node.inputs = tuple([(a._array.shape, a._array.dtype) if isinstance(a, Tensor) else None for a in args])
        frame = sys._getframe(depth)
        code = frame.f_code
        node.site = (code, frame.f_lasti) if code.co_filename in user_files else user_frame(depth - 1)
        if mode.anomaly:
            remember(node)
    try:
        wrapped = wrap_outputs(ctx, node, inputs, outputs, has_setup)
        if node is not None:
            node.clock = mode.clock
            save(ctx, node, outputs)
    finally:    # a pack hook may raise, as a checkpoint's does when it has enough: nothing may be kept alive by that
        ctx.to_save = ctx.dirty_tensors = ctx.non_differentiable = None
    return tuple(wrapped) if isinstance(output, tuple) else wrapped[0]


def marked(ctx: Any, name: str, refusal: str) -> dict[int, Tensor]:
    """Return the tensors that the user marked, by identity."""
    given = getattr(ctx, name)
    if given is None:
        return {}
    if not isinstance(given, tuple):
        raise RuntimeError(f"autograd internal error: {name} attribute is expected to be a tuple but is ")
    for one in given:
        if not isinstance(one, Tensor):
            raise RuntimeError(refusal)
    return {id(one): one for one in given}


def wrap_outputs(ctx: Any, node: CustomNode | None, inputs: list, outputs: tuple, has_setup: bool) -> list:
    """Give each output its place in the graph, and see to views, writes in place and inputs returned as they are."""
    pure = getattr(ctx, "_is_pure_view", False)
    if pure and (len(inputs) != 1 or sum(isinstance(one, Tensor) for one in outputs) != 1):
        raise RuntimeError(PURE_VIEW)
    if len(outputs) == 1 and node is not None and ctx.dirty_tensors is None and ctx.non_differentiable is None:
        one = outputs[0]
        is_new = type(one) is Tensor and one._extra is None and id(one) not in map(id, inputs)
        if is_new and one._array.dtype.kind == "f":
            node.results = ((one._array.shape, one._array.dtype, True),)
            one._node = Output(node, 0)
            return [one]
    given = {id(tensor) for tensor in inputs}
    fixed = marked(ctx, "non_differentiable", "mark_non_differentiable only accepts variable arguments, but got ")
    dirty = marked(ctx, "dirty_tensors", "mark_dirty can only accept variables, but argument ")
    for tensor in dirty.values():
        if not inference(tensor):
            touch(tensor)
    saved_ids = {id(one) for one in ctx.to_save or ()} if has_setup and isinstance(ctx.to_save, tuple) else set()
    if node is not None:
        node.results = tuple([
            (one._array.shape, one._array.dtype, id(one) not in fixed and one._array.dtype.kind == "f")
            if isinstance(one, Tensor) else None for one in outputs
        ])  # fmt: skip
    found: list[Any] = []
    differentiable = 0
    for nr, one in enumerate(outputs):
        if not isinstance(one, Tensor):
            found.append(one)
            continue
        is_input, is_dirty = id(one) in given, id(one) in dirty
        flows = node is not None and id(one) not in fixed and one._array.dtype.kind == "f"
        if not flows:
            one = without_gradient(one, is_input, is_dirty)
        elif node is None:
            raise AssertionError("a gradient flows only through a recorded Function")
        elif is_dirty:
            written(one, node, nr, is_input, len(outputs))
        elif is_input:
            if id(one) in saved_ids:
                raise RuntimeError(INPUT_SAVED)
            one = view_of_itself(one)
            one._node = Output(node, nr)
        else:
            one._node = Output(node, nr)
        if not (is_input and is_dirty) and one._extra is not None and one._extra.base is not None:
            one._extra.creation = "default" if pure else "custom"
        differentiable += flows
        found.append(one)
    if differentiable > 1:
        for one in found:
            if isinstance(one, Tensor) and one._extra is not None and one._extra.base is not None:
                one._extra.creation = "multi_output"
    returned = {id(one) for one in outputs}
    if any(key not in returned for key in dirty):
        raise RuntimeError(NOT_RETURNED)
    return found


def view_of_itself(tensor: Tensor) -> Tensor:
    """Return a view of the whole tensor: what an input that is returned as it is becomes."""
    made = wrap(materialize(tensor))
    views.make_view(made, tensor, "custom")
    return made


def without_gradient(tensor: Tensor, is_input: bool, is_dirty: bool) -> Tensor:
    """Return an output that carries no gradient."""
    if tensor._node is None:
        return view_of_itself(tensor) if is_input and not is_dirty else tensor
    if is_input:
        return tensor.detach()
    if tensor._extra is None or tensor._extra.base is None:
        tensor.detach_()
    return tensor


def written(tensor: Tensor, node: CustomNode, nr: int, is_input: bool, count: int) -> None:
    """Give an input that forward wrote in place its new history."""
    before = tensor._node
    if before is not None and before.kind == 0 and before.forbidden:
        before = before.before      # what forward itself wrote has made this view one that may not be used
    if before is not None and before.kind == 1:
        raise RuntimeError(LEAF_WRITE)
    extra = tensor._extra
    is_view = extra is not None and extra.base is not None
    if not is_input:
        if is_view:
            raise RuntimeError(NOT_AN_INPUT)
        warnings.warn(NOT_AN_INPUT, stacklevel=5)
    if is_view and count > 1:
        raise RuntimeError(VIEW_AND_MORE)
    if extra is not None:
        extra.grad = None
    if is_view:
        views.check_view(tensor)
        if views.is_leaf(extra.base) and extra.base._node is not None:
            raise fail.leaf_view_write()
        views.rebase(tensor, node)
    else:
        lost = extra is not None and views.has_lost_gradient(tensor, nr)
        views.set_history(tensor, Output(node, nr))
        views.regenerate(tensor)
        if lost:
            raise fail.lost_gradient()


dirty_none: dict[int, int] = {}


def save(ctx: Any, node: CustomNode, outputs: tuple) -> None:
    """Keep what save_for_backward was given."""
    tensors = ctx.to_save
    if not tensors:
        if tensors is not None and not isinstance(tensors, tuple):
            raise RuntimeError("autograd internal error: to_save attribute is expected to be a tuple but is ")
        return
    if not isinstance(tensors, tuple):
        raise RuntimeError("autograd internal error: to_save attribute is expected to be a tuple but is ")
    # A view that forward wrote leads to this node by way of its base: it is an output too, and kept as one.
    dirty = {id(one) for one in ctx.dirty_tensors or ()}
    rewritten = {id(one): nr for nr, one in enumerate(outputs) if id(one) in dirty} if dirty else dirty_none
    items: list[Any] = []
    for position, tensor in enumerate(tensors):
        if tensor is None:
            items.append(None)
            continue
        if not isinstance(tensor, Tensor):
            raise TypeError(
                f"save_for_backward can only save variables, but argument {position} is of type {type(tensor).__name__}"
            )
        if inference(tensor):
            raise fail.inference_saved()
        place = tensor._node
        nr = place.nr if place is not None and place.kind == 2 and place.node is node else rewritten.get(id(tensor))
        if local.pack_hooks:
            if local.hooks_disabled is not None:
                raise RuntimeError(local.hooks_disabled)
            items.append(PackedOutput(tensor, local.pack_hooks[-1], nr))
        elif nr is not None:
            cell_of(tensor)
            items.append(SavedOutput(tensor, nr))
        else:
            items.append(tensor)
    node.saved = tuple(items)
