"""Views: who shares whose memory, and how an in-place write gives base and views their new history.

A view keeps its base; the base keeps weak references to its views. When the history of the memory changes, the base
gets a CopySlices node and every live view a node that leads back to the base.
"""

from __future__ import annotations

import weakref
from typing import Any

import numpy as np

from autograd_lab.core import saved, tensor, versions
from autograd_lab.core.failures import lost_gradient, short_name
from autograd_lab.core.node import edge_pair, extra_of, node_class
from autograd_lab.core.state import count_forbidden, local, mode, sequence
from autograd_lab.core.strided import Geometry, bytes_between, gather, scatter_into, strides_of
from autograd_lab.core.tensor import TensorExtra
from autograd_lab.core.versions import cell_of
from autograd_lab.errors import explain

MULTI_OUTPUT = (
    "This view is the output of a function that returns multiple views. Such functions do not allow the output views "
    "to be modified inplace. You should replace the inplace operation by an out-of-place one."
)
CUSTOM = (
    "This view was created inside a custom Function (or because an input was returned as-is) and the autograd logic to "
    "handle view+inplace would override the custom backward associated with the custom Function, leading to incorrect "
    "gradients. This behavior is forbidden. You can fix this by cloning the output of the custom Function."
)
NO_GRAD = (
    "Given that this use case is ambiguous and error-prone, it is forbidden. You can clarify your code by moving both "
    "the view and the inplace either both inside the no_grad block (if you don't want the inplace to be tracked) or "
    "both outside (if you want the inplace to be tracked)."
)


def make_view(result: Any, source: Any, creation: str | None = None) -> None:
    """Tie a new tensor to the memory of `source`, whose NumPy view it holds."""
    result._cell = cell_of(source)
    extra = result._extra = TensorExtra()
    above = source._extra
    base = source if above is None or above.base is None else above.base
    if base._extra is not None and base._extra.inference:
        extra.inference = True      # shares the memory; but no view of it is tracked
        return
    extra.base = base
    if not mode.plain and not local.grad:
        creation = "inference" if local.inference else "no_grad"
    if above is not None and above.base is not None and (creation is None or above.creation == "inference"):
        creation = above.creation       # a view of a view keeps what is forbidden, unless something newer is
    if creation is not None and creation != "default":
        extra.creation = creation
    root = base._extra
    if root is None:
        root = base._extra = TensorExtra()
    views = root.views
    if views is None:
        root.views = [weakref.ref(result)]
        cell = result._cell
        cell.bases = [ref for ref in cell.bases or () if ref() is not None] + [weakref.ref(base)]
        return
    views.append(weakref.ref(result))
    if len(views) > 16 and len(views) & (len(views) - 1) == 0:
        root.views = [ref for ref in views if ref() is not None]


def is_leaf(t: Any) -> bool:
    """Say whether a tensor is a leaf."""
    return t._node is None or t._node.kind == 1


def offset_of(t: Any) -> int:
    """Return where a tensor begins in its storage, in elements."""
    array = t._array
    owner = array
    while isinstance(getattr(owner, "base", None), np.ndarray):
        owner = owner.base
    if t._extra is not None and t._extra.base is None and t._extra.storage is not None:
        owner = t._extra.storage
    return 0 if owner is array else bytes_between(array, owner) // array.dtype.itemsize


def check_view(view: Any, indirect: bool = False) -> None:
    """Raise if writing into this view (or, indirectly, into its base) cannot be given a history."""
    creation = view._extra.creation
    if creation == "default":
        return
    raise explain(RuntimeError(forbidden_message(view, creation, indirect)), "view_write")


def forbidden_message(view: Any, creation: str, indirect: bool) -> str:
    """Return torch's text about a view whose in-place change is forbidden."""
    node, nr = edge_pair(view._node) if view._node is not None and view._node.kind != 1 else (None, 0)
    if node is not None and node.forbidden:
        if indirect:
            return node.message
        before = node.before
        node, nr = edge_pair(before) if before is not None and before.kind != 1 else (None, 0)
    what = "its base or another view of its base has been" if indirect else "is being"
    if node is not None:
        made = f"Output {nr} of {short_name(node)} is a view"
    if creation in ("no_grad", "inference") or node is None:
        start = f"{made} of a view which was created in" if node is not None else "A view was created in"
        if creation == "inference":
            start = f"{start} inference mode and {what} modified inplace in normal mode."
        else:
            start = f"{start} no_grad mode and {what} modified inplace with grad mode enabled."
    else:
        start = f"{made} and {what} modified inplace."
    if creation == "no_grad":
        return f"{start} {NO_GRAD}"
    if creation == "inference":
        return f"{start} {NO_GRAD.replace('no_grad', 'inference_mode')}"
    return f"{start} {CUSTOM if creation == 'custom' else MULTI_OUTPUT}"


# Node that saved a view it had written -> weak references to the view, and to the place in the graph that the write
# gave it. Only messages ask for them.
written_as: weakref.WeakKeyDictionary = weakref.WeakKeyDictionary()


# ------------------------------------------------------------------ history after an in-place write
def rebase(t: Any, node: Any, geometry: Geometry | None = None) -> None:
    """Give a tensor that was just written in place by `node` its new history; `geometry` is where it lay in its base."""  # noqa: E501
    extra = t._extra
    lost = extra is not None and has_lost_gradient(t, 0)
    if extra is None or extra.base is None:
        set_history(t, node)
        base = t
    else:
        if has_lost_gradient(extra.base, 0):
            raise lost_gradient()
        base = extra.base
        copy = CopySlices()
        copy.seq, copy.clock, copy.extra, copy.fix = sequence(), mode.clock, None, None
        copy.edges = (base._node, *node.edges[1:])
        copy.saved = (geometry or Geometry.of(base._array, t._array), node)
        copy.site = node.site
        saved.special(copy, (), ())
        set_history(base, copy)
    regenerate(base)
    if base is not t and t._node.kind == 0:
        extra.placed = t._node.seq
        if node.saved_outputs:
            written_as[node] = weakref.ref(t), weakref.ref(t._node)
    if lost:
        raise lost_gradient()


def has_lost_gradient(t: Any, nr: int) -> bool:
    """Say whether a tensor retains its gradient but its node does not know: one that was reshaped in place since.

    torch asks the old node about the tensor's new output number, and so does not find what was retained by another.
    """
    if not t._extra.retains_grad or t._node is None or t._node.kind == 1:
        return False
    node, _ = edge_pair(t._node)
    return node is not None and not node.forbidden and (node.extra is None or nr not in node.extra.retain)


def set_history(t: Any, edge: Any) -> None:
    """Make `edge` the tensor's place in the graph; hooks stay with the old node, a retained gradient moves."""
    extra = t._extra
    before = t._node
    t._node = edge
    if extra is None:
        return
    extra.hooks = None
    if extra.retains_grad and before is not None and before.kind != 1:
        old, _ = edge_pair(before)
        new, nr = edge_pair(edge)
        kept = None if old.extra is None else old.extra.retain.pop(nr, None)
        if kept is not None:
            extra_of(new).retain[nr] = kept


def regenerate(base: Any) -> None:
    """Give every live view of `base` a node that leads back to the base.

    torch does so when a view is next looked at after its version changed; here it happens with the change itself.
    """
    extra = base._extra
    if extra is None or extra.views is None:
        return
    for ref in extra.views:
        view = ref()
        if view is None or view._extra is None or view._extra.base is not base:
            continue
        if is_leaf(view) and base._node is None:
            view._extra.behind = True       # should the base require grad later, this view must lead to it
            continue
        if view._extra.creation != "default":
            node = Forbidden()
            count_forbidden(1)
            node.edges, node.seq, node.extra, node.saved = (), sequence(), None, ()
            node.fix, node.clock, node.site = None, mode.clock, None
            node.message = forbidden_message(view, view._extra.creation, True)
            before = view._node
            node.before = before.before if before is not None and before.kind == 0 and before.forbidden else before
            view._node = node
            continue
        node = AsStridedBackward0()
        node.seq, node.clock, node.extra, node.fix = sequence(), mode.clock, None, None
        node.edges = (base._node,)
        node.saved = (Geometry.of(base._array, view._array),)
        node.site = None
        set_history(view, node)


def _as_strided_backward(node: Any, grad: Any) -> tuple:
    (geometry,) = node.saved
    return (gather(geometry, grad),)


def _as_strided_recorded(node: Any, grad: Any) -> tuple:
    from autograd_lab.core.op import tensors

    return (tensors.unview(grad, node.saved[0]),)


def _copy_slices(node: Any, grad: Any) -> tuple:
    from autograd_lab.core.engine import apply_inner

    if node.saved[1] is None:
        from autograd_lab.core import failures as fail

        raise fail.freed(node)
    geometry, inner = node.saved
    if 0 in geometry.strides and any(not step and size > 1 for step, size in zip(geometry.strides, geometry.shape,
                                                                                strict=True)):  # fmt: skip
        from autograd_lab.core.failures import overlapping_write

        raise overlapping_write()
    whole, part = scatter_into(geometry, grad)
    first, *rest = apply_inner(inner, part.copy() if part.ndim else part[()], False)
    part[...] = 0 if first is None else first
    return (None if node.edges[0] is None else whole, *rest)


def _copy_slices_recorded(node: Any, grad: Any) -> tuple:
    from autograd_lab.core.engine import apply_inner
    from autograd_lab.core.op import tensors

    if node.saved[1] is None:
        from autograd_lab.core import failures as fail

        raise fail.freed(node)
    geometry, inner = node.saved
    part = tensors.strided_view(grad, geometry)
    view = AsStridedBackward0()     # what the written view became: its saved value has this history, not the inner node
    view.seq, view.clock, view.extra, view.fix, view.site = sequence(), mode.clock, None, None, None
    view.edges, view.saved = (node,), (geometry,)
    outer, local.inside = local.inside, (inner, view)
    try:
        first, *rest = apply_inner(inner, part, True)
    finally:
        local.inside = outer
    if node.edges[0] is None:
        return (None, *rest)
    if first is None:
        first = tensor.wrap(np.zeros_like(part._array))
    return (tensors.strided_write(grad, first, geometry), *rest)


def _release_copy_slices(node: Any) -> None:
    node.saved = (node.saved[0], None)     # the inner node is let go, not freed: a saved result may lead to it directly


AsStridedBackward0 = node_class(
    "AsStridedBackward0", backward=_as_strided_backward, backward_recorded=_as_strided_recorded,
    _saved_size=property(lambda node: node.saved[0].shape), _saved_stride=property(lambda node: node.saved[0].strides),
    _saved_storage_offset=property(lambda node: node.saved[0].offset),
)  # fmt: skip
CopySlices = node_class(
    "CopySlices", "torch::autograd::CopySlices", backward=_copy_slices, backward_recorded=_copy_slices_recorded,
    frees=_release_copy_slices,
)  # fmt: skip


def _forbidden(node: Any, grad: Any) -> tuple:
    raise RuntimeError(node.message)


def _gone(node: Any) -> None:
    count_forbidden(-1)


Forbidden = node_class(
    "Forbidden", forbidden=True, __del__=_gone, backward=_forbidden, backward_recorded=_forbidden,
    __slots__=("__weakref__", "before", "clock", "edges", "extra", "fix", "message", "saved", "seq", "site"),
)  # fmt: skip

versions.regenerate = regenerate

__all__ = ["CopySlices", "check_view", "is_leaf", "make_view", "offset_of", "rebase", "regenerate", "strides_of"]
