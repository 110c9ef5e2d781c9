"""The classes behind `ctx`: what a custom Function's node answers to the user, under torch's own class names."""

from __future__ import annotations

import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import Any

from autograd_lab.autograd._node import ACCESSED_ONCE, HIDDEN, CustomNode, handle_of, prepare, take_slots
from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.node import NodeMethods


def _once(self: Any) -> None:
    """Let the saved tensors go if the Function asks for that on access."""
    if getattr(getattr(type(self), "_forward_cls", None), "clear_saved_tensors_on_access", False):
        handle_of(self).saved = ACCESSED_ONCE


def _read_only(getter: Callable) -> property:
    def refuse(self: Any, value: Any) -> None:
        raise AttributeError(f"attribute '{getter.__name__}' of 'torch._C._FunctionBase' objects is not writable")

    return property(getter, refuse, doc=getter.__doc__)


@take_slots
class _FunctionBase:
    """What every node answers, asked of a ctx."""

    __module__ = "torch._C"
    __slots__ = (*HIDDEN, "needs_input_grad", "to_save", "dirty_tensors", "non_differentiable", "saved_for_forward",
                 "_materialize_non_diff_grads", "__weakref__")  # fmt: skip
    declaration = None

    def __new__(cls, *args: Any, **kwargs: Any) -> Any:
        ctx = object.__new__(cls)
        prepare(ctx)
        return ctx

    @property
    def _engine_node(self) -> CustomNode:
        return handle_of(self)

    def name(self) -> str:
        """Return the node's name, such as 'MulConstantBackward'."""
        return type(self).__name__

    @_read_only
    def next_functions(self) -> tuple:
        """The nodes that gradients are sent to, one for each tensor among the arguments."""
        return NodeMethods.next_functions.__get__(handle_of(self))

    @_read_only
    def metadata(self) -> dict:
        """A dict for the user's own notes about this node."""
        return NodeMethods.metadata.__get__(handle_of(self))

    def _sequence_nr(self) -> int:
        return handle_of(self).seq

    def _set_sequence_nr(self, value: int) -> None:
        handle_of(self).seq = value

    def register_hook(self, fn: Callable) -> RemovableHandle:
        """Call `fn(grad_inputs, grad_outputs)` after the node has run; a returned tuple replaces the grad_inputs."""
        return NodeMethods.register_hook(handle_of(self), fn)  # type: ignore[arg-type]

    def register_prehook(self, fn: Callable) -> RemovableHandle:
        """Call `fn(grad_outputs)` before the node runs; a returned tuple replaces them."""
        return NodeMethods.register_prehook(handle_of(self), fn)  # type: ignore[arg-type]

    def _register_hook_dict(self, tensor: Any) -> None:
        NodeMethods._register_hook_dict(handle_of(self), tensor)  # type: ignore[arg-type]

    @_read_only
    def requires_grad(self) -> bool:
        """Whether gradients flow through the node."""
        return bool(handle_of(self).edges)

    @_read_only
    def saved_tensors(self) -> tuple:
        """The tensors given to save_for_backward, checked for later writes in place."""
        found = handle_of(self).unpack()
        _once(self)
        return found

    @_read_only
    def saved_variables(self) -> tuple:
        """The former name of saved_tensors."""
        warnings.warn("'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2)
        return handle_of(self).unpack()

    @_read_only
    def _raw_saved_tensors(self) -> tuple:
        from autograd_lab.autograd._raw import raw_saved

        return raw_saved(handle_of(self))

    @_read_only
    def _input_metadata(self) -> tuple:
        from autograd_lab.core.node import input_metadata

        return input_metadata(handle_of(self))

    def maybe_clear_saved_tensors(self) -> None:
        """Let the saved tensors go if the Function has clear_saved_tensors_on_access."""
        _once(self)

    def _get_materialize_grads(self) -> Any:
        raise AttributeError("attribute 'materialize_grads' of 'torch._C._FunctionBase' objects is not readable")

    def _set_materialize_grads(self, value: Any) -> None:
        if type(value) is not bool:
            raise TypeError("set_materialize_grads received an invalid combination of arguments - got (), but expected "
                            "(bool)")  # fmt: skip
        handle_of(self).materialize = value

    materialize_grads = property(_get_materialize_grads, _set_materialize_grads)


class FunctionCtx:
    """What `forward` may tell its node through `ctx`."""

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for backward, where `ctx.saved_tensors` gives them back.

        Call it once, in forward or setup_context; a second call replaces the first. Backward raises RuntimeError when
        a saved tensor was written in place meanwhile.

        >>> from autograd_lab.autograd import Function
        >>> class Square(Function):
        ...     @staticmethod
        ...     def forward(ctx, x):
        ...         ctx.save_for_backward(x)
        ...         return x * x
        ...     @staticmethod
        ...     def backward(ctx, grad):
        ...         (x,) = ctx.saved_tensors
        ...         return 2 * x * grad
        """
        self.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors for `jvp`."""
        for tensor in tensors:
            if not hasattr(tensor, "grad_fn") and tensor is not None:
                raise AssertionError(
                    "save_for_forward expects all arguments to be tensors; you should save non-tensors as attributes "
                    "on ctx."
                )
        self.saved_for_forward = tensors

    def mark_dirty(self, *args: Any) -> None:
        """Say which inputs forward writes in place; each must be returned."""
        self.dirty_tensors = args

    def mark_shared_storage(self, *pairs: Any) -> None:
        """Do nothing but warn: shared storage is tracked by itself."""
        warnings.warn(
            "`mark_shared_storage` is deprecated. Tensors with shared storages are automatically tracked. Note that "
            "calls to `set_()` are not tracked",
            FutureWarning, stacklevel=2,
        )  # fmt: skip

    def mark_non_differentiable(self, *args: Any) -> None:
        """Say which outputs carry no gradient; backward still gets zeros for them."""
        self.non_differentiable = args

    def set_materialize_grads(self, value: bool) -> None:
        """Choose whether backward sees zeros (True, the default) or None where no gradient arrived."""
        self.materialize_grads = value


class _HookMixin:
    """The hooks of a node as an ordered dict."""

    @staticmethod
    def _register_hook(backward_hooks: Any, hook: Callable) -> tuple:
        hooks = OrderedDict() if backward_hooks is None else backward_hooks
        handle = RemovableHandle(hooks)
        hooks[handle.id] = hook
        return hooks, handle


class BackwardCFunction(_FunctionBase, FunctionCtx, _HookMixin):
    """The class of every ctx: one subclass for each Function, named after it."""

    _forward_cls: Any

    def _get_user_fn(self) -> Callable:
        from autograd_lab.autograd.function import Function

        backward, vjp = self._forward_cls.backward, self._forward_cls.vjp
        if vjp is not Function.vjp and backward is not Function.backward:
            raise RuntimeError("Implementing both 'backward' and 'vjp' for a custom Function is not allowed. You "
                               "should only implement one of them.")  # fmt: skip
        return vjp if vjp is not Function.vjp else backward

    def apply(self, *args: Any) -> Any:
        """Run the user's backward (or vjp)."""
        return self._get_user_fn()(self, *args)

    def apply_jvp(self, *args: Any) -> Any:
        """Run the user's jvp."""
        return self._forward_cls.jvp(self, *args)


for _public in (FunctionCtx, _HookMixin, BackwardCFunction):
    _public.__module__ = "autograd_lab.autograd.function"
