"""The autograd side of a Tensor: requires_grad, grad, grad_fn, data, detach, hooks, backward."""

from __future__ import annotations

import warnings
import weakref
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.moored import keep_shape
from autograd_lab.core.node import Nowhere, accumulator, extra_of, note_output
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import local, mode
from autograd_lab.core.versions import Cell, cell_of, materialize, memory_of
from autograd_lab.errors import explain

entry: Any = None       # the room of `backward`, set when it is imported

NON_LEAF_GRAD = (
    "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute won't be "
    "populated during autograd.backward(). If you indeed want the .grad field to be populated for a non-leaf Tensor, "
    "use .retain_grad() on the non-leaf Tensor. If you access the non-leaf Tensor by mistake, make sure you access the "
    "leaf Tensor instead. See github.com/pytorch/pytorch/pull/30531 for more information."
)
DETACH_VIEW = (
    "Can't detach views in-place. Use detach() instead. If you are using DistributedDataParallel (DDP) for training, "
    "and gradient_as_bucket_view is set as True, gradients are views of DDP buckets, and hence detach_() cannot be "
    "called on these gradients. To fix this error, please refer to the Optimizer.zero_grad() function in "
    "torch/optim/optimizer.py as the solution."
)


def _not_writable(name: str) -> Callable:
    def setter(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{name}' of 'torch._C.TensorBase' objects is not writable")

    return setter


def _not_deletable(message: str) -> Callable:
    def deleter(self: Any) -> None:
        raise RuntimeError(message)

    return deleter


def _set_grad_fn(tensor: Any, value: Any) -> None:
    if value is not None:
        raise RuntimeError("_grad_fn can be only set to None")
    tensor.detach_()


def _extra(tensor: Any) -> Any:
    from autograd_lab.core.tensor import extra_of as tensor_extra

    return tensor_extra(tensor)


class AutogradMethods:
    """Methods and attributes of Tensor that speak of the graph."""

    __slots__ = ()
    _array: Any
    _cell: Any
    _extra: Any
    _node: Any

    def _get_requires_grad(self) -> bool:
        """Whether gradients flow to this tensor."""
        return self._node is not None

    def _set_requires_grad(self, value: Any) -> None:
        if type(value) is not bool:
            raise RuntimeError("requires_grad must be a bool")
        _set_flag(self, value, "only Tensors of floating point and complex dtype can require gradients", True)

    requires_grad = property(_get_requires_grad, _set_requires_grad, _not_deletable("requires_grad must be a bool"))

    def requires_grad_(self, requires_grad: bool = True) -> Any:
        """Switch recording for this leaf, in place; return it."""
        if type(requires_grad) is not bool:
            raise TypeError("requires_grad_(): argument 'requires_grad' (position 1) must be bool, not "
                            f"{type(requires_grad).__name__}")  # fmt: skip
        _set_flag(self, requires_grad, "only Tensors of floating point dtype can require gradients")
        return self

    @property
    def is_leaf(self) -> bool:
        """Whether the tensor was not computed by a recorded operation."""
        node = self._node
        return node is None or node.kind == 1 or self.grad_fn is None

    is_leaf = is_leaf.setter(_not_writable("is_leaf"))

    @property
    def grad_fn(self) -> Any:
        """The node that made this tensor, or None for a leaf."""
        node = self._node
        if node is None or node.kind == 1:
            return None
        nr = 0
        if node.kind == 2:
            node, nr = node.node, node.nr
        if node.forbidden:
            raise RuntimeError(node.message)
        if node.custom:
            return node.ctx
        note_output(node, nr, self._array)
        return node

    grad_fn = grad_fn.setter(_not_writable("grad_fn"))
    _grad_fn = property(lambda self: self.grad_fn, _set_grad_fn,
                        _not_deletable("Deletion of _grad_fn not allowed. Detach tensor instead!"))  # fmt: skip

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this tensor is."""
        return self._node.nr if self._node is not None and self._node.kind == 2 else 0

    def _get_grad(self) -> Any:
        """The gradient that backward has gathered, or None."""
        node = self._node
        if node is not None and node.kind == 1:
            return node.grad
        extra = self._extra
        if node is not None and node.kind == 0 and node.forbidden:
            node = node.before      # a view that may no longer be used: it is what it was before that
            if node is not None and node.kind == 1:
                node = None
        if node is None:
            return None if extra is None else extra.grad
        if extra is None or (extra.grad is None and not extra.retains_grad):
            warnings.warn(NON_LEAF_GRAD, stacklevel=2)
            return None
        return extra.grad

    def _set_grad(self, value: Any) -> None:
        if value is not None:
            _check_grad(self, value)
        node = self._node
        if node is not None and node.kind == 1:
            node.grad = value
            if value is not None and not (_in_rows(value._array) and _in_rows(node.array)):
                extra_of(node).uneven = True
        elif value is not None or self._extra is not None:
            _extra(self).grad = value

    def _del_grad(self) -> None:
        self._set_grad(None)

    grad = property(_get_grad, _set_grad, _del_grad)
    _grad = property(lambda self: self._get_grad(), _set_grad, _del_grad)

    def _get_grad_dtype(self) -> Any:
        """The dtype that a gradient of this leaf must have."""
        extra = self._extra
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be accessed on leaf tensors.")
        if extra is not None and extra.grad_dtype is not None:
            return None if extra.grad_dtype == "any" else extra.grad_dtype
        return dtypes.from_numpy(self._array.dtype)

    def _set_grad_dtype(self, value: Any) -> None:
        if not self.is_leaf:
            raise RuntimeError("grad_dtype can only be set on leaf tensors.")
        if value is not None and not isinstance(value, dtypes.dtype):
            raise RuntimeError(f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}")
        grad = self._get_grad()
        if value is not None and grad is not None and grad.dtype is not value:
            raise RuntimeError(
                f"Cannot set grad_dtype to '{value.scalar_name}' because there is already a gradient with dtype "
                f"'{grad.dtype.cpp_name}'. Please clear the gradient (.grad = None) before changing grad_dtype, or "
                "ensure the new grad_dtype matches the existing gradient's dtype."
            )
        _extra(self).grad_dtype = "any" if value is None else value

    grad_dtype = property(_get_grad_dtype, _set_grad_dtype)

    @property
    def _version(self) -> int:
        """How often the tensor's memory was written in place."""
        if self._extra is not None and self._extra.inference and not self._extra.counted:
            raise RuntimeError("Inference tensors do not track version counter.")
        return 0 if self._cell is None else self._cell.version

    _version = _version.setter(_not_writable("_version"))

    @property
    def _base(self) -> Any:
        """The tensor that this one is a view of, or None."""
        return None if self._extra is None else self._extra.base

    _base = _base.setter(_not_writable("_base"))

    def _is_view(self) -> bool:
        """Say whether this tensor is a view."""
        return self._extra is not None and self._extra.base is not None

    def _get_data(self) -> Any:
        """The same memory outside the graph, with a version counter of its own."""
        from autograd_lab.core.tensor import wrap

        cell = Cell()
        cell.memory = memory_of(self)
        made = wrap(materialize(self), None, cell)
        if self._extra is not None and self._extra.inference:
            _extra(made).inference = True
        return made

    def _set_data(self, value: Any) -> None:
        from autograd_lab.core.tensor import Tensor, set_array

        if not isinstance(value, Tensor):
            refuse_strangers("data", value)
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        if self._node is not None and value._array.dtype.kind != "f":
            raise RuntimeError("data set to a tensor that requires gradients must be floating point or complex dtype")
        if self._node is not None:
            keep_shape(self, value._array.shape, value._array.dtype)
        set_array(self, materialize(value))  # type: ignore[arg-type]  # every AutogradMethods is a Tensor
        cell = cell_of(self)
        cell.memory, cell.array = memory_of(value), None
        inference = value._extra is not None and value._extra.inference
        if inference or (self._extra is not None and self._extra.inference):
            extra = _extra(self)
            extra.inference = extra.counted = inference

    data = property(_get_data, _set_data,
                    _not_deletable("Deleting tensor data is not allowed. Delete tensor instead!"))  # fmt: skip

    def detach(self) -> Any:
        """Return a tensor that shares the memory and the version counter, but not the graph."""
        from autograd_lab.core.tensor import wrap

        if self._extra is not None and self._extra.inference:
            made = self.data        # there is no counter to share
            _extra(made).counted = not local.inference
            return made
        return wrap(materialize(self), None, cell_of(self))

    def detach_(self) -> Any:
        """Take this tensor itself out of the graph; return it."""
        if self._extra is not None and self._extra.base is not None:
            raise RuntimeError(DETACH_VIEW)
        if local.inference:
            return self     # there torch looks at no graph at all
        node = self._node
        if node is not None and node.kind != 1:     # nodes that saved it have to find out: their check is by the clock
            _extra(self).detached = True
            mode.clock += 1
            cell_of(self).last = mode.clock
        _release_leaf(self)
        self._node = None
        _flag_views(self, False)
        return self

    def retain_grad(self) -> None:
        """Have backward store the gradient of this non-leaf tensor in `.grad`."""
        node = self._node
        if node is None:
            raise RuntimeError("can't retain_grad on Tensor that has requires_grad=False")
        if node.kind == 0 and node.forbidden and (node.before is None or node.before.kind == 1):
            return      # a leaf until torch finds out
        if node.kind == 1 or _extra(self).retains_grad or self.grad_fn is None:
            return
        _extra(self).retains_grad = True
        owner, nr = (node.node, node.nr) if node.kind == 2 else (node, 0)
        extra_of(owner).retain[nr] = weakref.ref(self)

    @property
    def retains_grad(self) -> bool:
        """Whether backward stores the gradient of this non-leaf tensor."""
        return self._extra is not None and self._extra.retains_grad

    retains_grad = retains_grad.setter(_not_writable("retains_grad"))

    @property
    def _backward_hooks(self) -> Any:
        return None if self._extra is None else self._extra.hooks

    @_backward_hooks.setter
    def _backward_hooks(self, value: Any) -> None:
        _extra(self).hooks = value

    _backward_hooks = _backward_hooks.deleter(_not_deletable("Deletion of _backwards_hooks not allowed!"))

    def register_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(grad)` whenever a gradient of this tensor is ready; a returned tensor replaces it."""
        node = self._node
        if node is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        extra = _extra(self)
        if node.kind == 0 and node.forbidden:
            if extra.hooks is None:     # torch makes the dict before it finds out, and asks no second time
                extra.hooks = OrderedDict()
                raise RuntimeError(node.message)
            handle = RemovableHandle(extra.hooks)
            extra.hooks[handle.id] = hook
            return handle
        if extra.hooks is None or not _attached(node, extra.hooks):
            extra.hooks = OrderedDict()
            owner, nr = (node.node, node.nr) if node.kind == 2 else (node, 0)
            extra_of(owner).tensor_hooks.setdefault(nr, []).append(extra.hooks)
        handle = RemovableHandle(extra.hooks)
        extra.hooks[handle.id] = hook
        return handle

    def register_post_accumulate_grad_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(tensor)` after backward has added to this leaf's `.grad`."""
        node = self._node
        if node is None:
            raise RuntimeError("cannot register a hook on a tensor that doesn't require gradient")
        if not self.is_leaf:
            raise RuntimeError("post accumulate grad hooks cannot be registered on non-leaf tensors")
        hooks = extra_of(node).post_accumulate
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return handle

    @property
    def _post_accumulate_grad_hooks(self) -> Any:
        node = self._node
        return node.extra.post_accumulate if node is not None and node.kind == 1 and node.extra is not None else None

    def backward(self, gradient=None, retain_graph=None, create_graph=False, inputs=None):  # type: ignore[no-untyped-def]
        """Compute the gradients of this tensor with respect to the graph's leaves and add them to their `.grad`.

        Source: https://docs.pytorch.org/docs/stable/generated/torch.Tensor.backward.html
        """
        if (gradient is None and retain_graph is None and inputs is None and create_graph is False
                and not mode.extras):  # fmt: skip
            entry.backward_of_loss(self)
        else:
            entry.backward(self, gradient, retain_graph, create_graph, inputs=inputs)

    def _get_volatile(self) -> bool:
        warnings.warn("volatile was removed (Variable.volatile is always False)", stacklevel=2)
        return False

    def _set_volatile(self, value: Any) -> None:
        warnings.warn("volatile was removed and now has no effect. Use `with torch.no_grad():` instead.", stacklevel=2)

    volatile = property(_get_volatile, _set_volatile)


def _in_rows(array: Any) -> bool:
    """Say whether an array lies in memory in the order of its indices."""
    return type(array) is not np.ndarray or array.flags.c_contiguous


def _attached(node: Any, hooks: Any) -> bool:
    """Say whether the tensor's dict of hooks hangs on this node (an in-place write gives the tensor another)."""
    owner, nr = (node.node, node.nr) if node.kind == 2 else (node, 0)
    return owner.extra is not None and any(one is hooks for one in owner.extra.tensor_hooks.get(nr, ()))


def _set_flag(tensor: Any, value: bool, message: str, by_attribute: bool = False) -> None:
    node = tensor._node
    if node is not None and node.kind == 0 and node.forbidden:
        node = node.before      # torch looks at the node that it last gave the view, and at no other
        if node is None or node.kind == 1:
            return      # it requires grad as long as its base does
    if node is not None and node.kind != 1:
        if not value:
            raise fail.leaf_flag()
        if by_attribute:
            raise explain(RuntimeError("you can only change requires_grad flags of leaf variables."), "leaf_flag")
        return
    if value == (node is not None and not node.hidden):
        return
    if not value:
        _release_leaf(tensor)
        base = None if tensor._extra is None else tensor._extra.base
        # A view requires grad as long as its base does, whatever its own flag says.
        tensor._node = None if base is None or base._node is None else accumulator(tensor, Nowhere)
        _flag_views(tensor, False)
        return
    if tensor._array.dtype.kind != "f":
        raise explain(RuntimeError(message), "integer_grad")
    if tensor._extra is not None and tensor._extra.inference and not local.inference:
        raise explain(RuntimeError(
            "Setting requires_grad=True on inference tensor outside InferenceMode is not allowed."),
            "inference")  # fmt: skip
    extra = tensor._extra
    kept = None if extra is None else extra.accumulator
    made = kept if kept is not None else accumulator(tensor)
    made.array, made.cell = tensor._array, tensor._cell
    if extra is not None:
        made.grad, extra.grad, extra.accumulator = extra.grad, None, None
    tensor._node = made
    _flag_views(tensor, True)


def _flag_views(base: Any, value: bool) -> None:
    """Let the views of a leaf that were made before its flag was switched require grad with it.

    Nothing is gathered for them, neither there nor in the base, unless the memory has been written since.
    """
    extra = base._extra
    for ref in (extra.views or ()) if extra is not None else ():
        view = ref()
        if view is None or view._extra is None or view._extra.base is not base:
            continue
        if value and view._extra.behind:
            from autograd_lab.core.views import regenerate

            regenerate(base)
        elif value and view._node is None:
            view._node = accumulator(view, Nowhere)
        elif not value and view._node is not None:
            node = view._node.before if getattr(view._node, "forbidden", False) else view._node
            if node is None or node.kind == 1:      # no leaf: it goes on saying that it may not be used
                view._node = None


def _release_leaf(tensor: Any) -> None:
    """Keep the gradient and the hooks of a leaf whose requires_grad is switched off."""
    node = tensor._node
    if node is None or node.kind != 1:
        return
    extra = _extra(tensor)
    extra.grad, node.grad = node.grad, None
    extra.accumulator = node


def _check_grad(tensor: Any, value: Any) -> None:
    from autograd_lab.core.tensor import Tensor

    if not isinstance(value, Tensor):
        refuse_strangers("grad", value)
        raise TypeError(f"assigned grad expected to be a Tensor or None but got grad of type {type(value).__name__}")
    if value is tensor:
        raise RuntimeError("can't assign Variable as its own grad")
    wanted = tensor._get_grad_dtype() if tensor.is_leaf else dtypes.from_numpy(tensor._array.dtype)
    if wanted is not None and value.dtype is not wanted:
        raise RuntimeError(
            f"attempting to assign a gradient with dtype '{value.dtype.cpp_name}' to a tensor with grad_dtype "
            f"'{wanted.scalar_name}'. The gradient must match the tensor's grad_dtype (defaults to the tensor's "
            "dtype). You can set the tensor's grad_dtype attribute with a specific dtype, or None to allow any dtype. "
            "Set grad_dtype with caution. Diverging the dtypes of a tensor and its gradient may break downstream "
            "systems that assume they match."
        )
    if value._array.shape != tensor._array.shape:
        raise RuntimeError(
            f"attempting to assign a gradient of size '{size_text(value._array.shape)}' to a tensor of size "
            f"'{size_text(tensor._array.shape)}'. Please ensure that the gradient and the tensor are the same size"
        )
