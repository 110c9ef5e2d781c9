"""The few names of `torch._C` that programs about autograd reach for: the engine's state and some of its node classes.

torch calls them private; here too they may change without notice.
"""

from __future__ import annotations

import sys
import weakref
from types import SimpleNamespace
from typing import Any

from autograd_lab.autograd import graph
from autograd_lab.autograd._raw import make_saved_tensor
from autograd_lab.autograd.grad_mode import set_multithreading_enabled
from autograd_lab.autograd.graph import Node
from autograd_lab.core import engine
from autograd_lab.core.node import AccumulateGrad, behind, shown
from autograd_lab.core.saved_attributes import SavedTensor
from autograd_lab.core.state import local
from autograd_lab.core.switches import is_grad_enabled as is_grad_enabled
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import cell_of


def _current_graph_task_id() -> int:
    """Return the number of the backward run that this thread is in, or -1."""
    return local.task


def _current_autograd_node() -> Any:
    """Return the node that is being run, or None; known while hooks, an observer or wanted inputs order the run."""
    node = getattr(local, "evaluating", None)
    return None if node is None else shown(node)


def _current_graph_task_execution_order() -> list:
    """Return the nodes of the backward run that this thread is in, in the order of their execution."""
    if local.task == -1:
        raise RuntimeError("_current_graph_task_execution_order should only be called during the backward pass")
    if set_multithreading_enabled.enabled or local.run is None:
        raise RuntimeError(
            "get_current_graph_task_execution_order expects the current backward to be executed with multithreading "
            "disabled, e.g. by running:\n\n>>> with torch.autograd.set_multithreading_enabled(False):\n"
            "...     torch.autograd.grad(...)\n"
        )
    return [shown(node) for node in local.run.order()]


def _get_current_graph_task_keep_graph() -> bool:
    """Say whether the backward run that this thread is in keeps the graph; True outside of a run, as in torch."""
    frame: Any = sys._getframe(1)      # a run in no exact order leaves no other trace than its frame
    while frame is not None and frame.f_code is not engine.run.__code__:
        frame = frame.f_back
    return True if frame is None else frame.f_locals["retain_graph"]


def _warn_on_accumulate_grad_stream_mismatch() -> bool:
    """Return what `graph.set_warn_on_accumulate_grad_stream_mismatch` was last given; there are no streams here."""
    return graph.warns_of_streams


def _saved_tensors_hooks_is_enabled() -> bool:
    """Say whether hooks on saved tensors may be pushed."""
    return local.hooks_disabled is None


def _will_engine_execute_node(node: Any) -> bool:
    """Say, from a hook, whether the run that is going on will execute a node."""
    if isinstance(node, Tensor) or not hasattr(node, "next_functions"):
        raise RuntimeError("_will_engine_execute_node expects an grad_fn, but got " + type(node).__name__)
    if local.run is None:
        raise RuntimeError("_get_should_execute_nodes should only be called during the backward pass")
    return local.run.reaches(behind(node))


class _WeakTensorRef:
    """A reference that does not keep a tensor alive."""

    def __init__(self, tensor: Tensor) -> None:
        self._ref = weakref.ref(tensor)

    def expired(self) -> bool:
        """Say whether the tensor is gone."""
        return self._ref() is None


def _unsafe_set_version_counter(tensors: tuple, versions: tuple) -> None:
    for tensor, version in zip(tensors, versions, strict=True):
        if version < 0:
            raise RuntimeError(f"Cannot set a version_counter to a value below 0: {version}")
        cell_of(tensor).version = version


class UndefinedGrad:
    """`UndefinedGrad()(tensor)` is the tensor behind a node that lets no gradient through."""

    def __call__(self, *tensors: Tensor) -> Any:
        from autograd_lab.autograd._checks import undefined_grad

        found = tuple([undefined_grad(tensor) for tensor in tensors])
        return found[0] if len(found) == 1 else found


class DelayedError:
    """`DelayedError(message, count)(*tensors)` are the tensors behind a node that raises when backward reaches it."""

    def __init__(self, message: str, inputs: int) -> None:
        self._message = message

    def __call__(self, *tensors: Tensor) -> Any:
        from autograd_lab.autograd.function import delayed_error

        found = delayed_error(self._message, tensors)
        return found[0] if len(found) == 1 else tuple(found)


has_lapack = True      # NumPy brings its own

Node.register(UndefinedGrad)
Node.register(DelayedError)
_functions = SimpleNamespace(AccumulateGrad=AccumulateGrad, DelayedError=DelayedError, UndefinedGrad=UndefinedGrad)
_autograd = SimpleNamespace(
    SavedTensor=SavedTensor,
    _get_current_graph_task_keep_graph=_get_current_graph_task_keep_graph,
    _make_saved_tensor=make_saved_tensor,
    _saved_tensors_hooks_is_enabled=_saved_tensors_hooks_is_enabled,
    _unsafe_set_version_counter=_unsafe_set_version_counter,
)
