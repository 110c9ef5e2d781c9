"""The two ways into the engine, `backward` and `grad`: their arguments checked and filled in as torch does."""

from __future__ import annotations

import math
import operator
import sys
import warnings
from collections.abc import Sequence
from typing import Any, Union

from autograd_lab.core import failures as fail
from autograd_lab.core import tensor as tensor_room
from autograd_lab.core import tensor_autograd
from autograd_lab.core.dtypes import from_numpy, get_default_dtype
from autograd_lab.core.edges import GradientEdge, edge_of, shape_and_dtype
from autograd_lab.core.engine import run
from autograd_lab.core.moored import settle
from autograd_lab.core.ones import ones_array, ones_like, zeros_like
from autograd_lab.core.op import tensors
from autograd_lab.core.sizes import make_size
from autograd_lab.core.state import local, mode
from autograd_lab.core.switches import warn_once
from autograd_lab.core.tensor import Tensor
from autograd_lab.errors import explain

CYCLE = (
    "Using backward() with create_graph=True will create a reference cycle between the parameter and its gradient "
    "which can cause a memory leak. We recommend using autograd.grad when creating the graph to avoid this. If you "
    "have to use this function, make sure to reset the .grad fields of your parameters to None after use to break the "
    "cycle and avoid the leak."
)


def backward(tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None, create_graph: bool = False,
             grad_variables: Any = None, inputs: Any = None) -> None:  # fmt: skip
    """Add to the `.grad` of the leaves the gradients of `tensors`, weighted by `grad_tensors`."""
    if grad_variables is not None:
        warnings.warn("`grad_variables` is deprecated. Use `grad_tensors` instead.", FutureWarning, stacklevel=2)
        if grad_tensors is not None:
            raise RuntimeError(
                "`grad_tensors` and `grad_variables` (deprecated) arguments both passed to `backward()`. Please only "
                "use `grad_tensors`."
            )
        grad_tensors = grad_variables
    if inputs is not None and _is_empty(inputs):
        raise RuntimeError("`inputs` argument to `backward()` cannot be empty.")
    outputs = (tensors,) if isinstance(tensors, (Tensor, GradientEdge)) else tuple(tensors)
    wanted: tuple | None
    if inputs is None:
        wanted = None
    elif isinstance(inputs, (Tensor, GradientEdge)):
        wanted = (inputs,)
    else:
        wanted = tuple(inputs.values()) if isinstance(inputs, dict) else tuple(inputs)
    grads = make_grads(outputs, _as_tuple(grad_tensors, len(outputs)))
    retain = _flag(create_graph if retain_graph is None else retain_graph)
    roots = [root_edge(output, k) for k, output in enumerate(outputs)]
    outer, local.late = local.late, [("create_graph", CYCLE)] if create_graph else []
    try:
        edges = None
        if wanted is not None:
            edges = []
            for one in wanted:
                check_input(one)
                if isinstance(one, Tensor):
                    one.retain_grad()
                edges.append(edge_of(one))
        if roots:
            run(roots, grads, retain, bool(create_graph), edges, accumulating=True)
    finally:
        late, local.late = local.late, outer
        for key, message in late:
            warn_once(key, message, stacklevel=3)


def backward_of_loss(loss: Any) -> None:
    """Do what `backward(loss)` does, without the arguments that a training step does not use."""
    edge = loss._node
    array = loss._array
    if edge is None or array.size != 1 or array.dtype.kind != "f":
        backward(loss)
        return
    run([root_edge(loss, 0)], [tensor_room.wrap(ones_array(array.shape, array.dtype))], False, False)


def grad(outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: bool | None = None,
         create_graph: bool = False, only_inputs: bool = True, allow_unused: bool | None = None,
         is_grads_batched: bool = False, materialize_grads: bool = False) -> Any:  # fmt: skip
    """Return the gradients of `outputs` with respect to `inputs`; leave `.grad` alone."""
    if materialize_grads and allow_unused is False:
        raise ValueError("Expected allow_unused to be True or not passed when materialize_grads=True, but got: "
                         "allow_unused=False.")  # fmt: skip
    if allow_unused is None:
        allow_unused = materialize_grads
    given = (outputs,) if isinstance(outputs, (Tensor, GradientEdge)) else tuple(outputs)
    names = None
    if isinstance(inputs, dict):
        names, wanted = tuple(inputs), tuple(inputs.values())
    else:
        wanted = (inputs,) if isinstance(inputs, (Tensor, GradientEdge)) else tuple(inputs)
    if not only_inputs:
        warnings.warn(
            "only_inputs argument is deprecated and is ignored now (defaults to True). To accumulate gradient for "
            "other parts of the graph, please use torch.autograd.backward.",
            FutureWarning, stacklevel=2,
        )  # fmt: skip
    grads = make_grads(given, _as_tuple(grad_outputs, len(given)), is_grads_batched)
    retain = _flag(create_graph if retain_graph is None else retain_graph)
    if is_grads_batched:
        from autograd_lab.core.batched import batched_grad

        found = batched_grad(given, grads, wanted, retain, bool(create_graph), bool(allow_unused))
    else:
        found = _run_grad(given, grads, wanted, retain, bool(create_graph), bool(allow_unused))
    if materialize_grads:
        if any(g is None and isinstance(one, GradientEdge) for g, one in zip(found, wanted, strict=True)):
            raise RuntimeError("materialize_grads cannot be used when the given input is a GradientEdge")
        found = tuple(_zeros(one, create_graph) if g is None else g for g, one in zip(found, wanted, strict=True))
    return dict(zip(names, found, strict=True)) if names is not None else tuple(found)


def _run_grad(outputs: tuple, grads: list, wanted: tuple, retain: bool, create: bool, allow_unused: bool) -> tuple:
    if not wanted:
        raise RuntimeError("`inputs` argument to `grad()` cannot be empty.")
    roots = [root_edge(output, k) for k, output in enumerate(outputs)]
    edges = []
    for one in wanted:
        check_input(one)
        if isinstance(one, Tensor) and one._node is None:
            raise explain(RuntimeError("One of the differentiated Tensors does not require grad"), "no_grad_fn")
        if isinstance(one, Tensor):
            one.grad_fn  # noqa: B018  # raises for a view that may no longer be used
        edges.append(edge_of(one))
    found = run(roots, grads, retain, create, edges, accumulating=False) if roots else [None] * len(edges)
    if not allow_unused:
        for k, value in enumerate(found or ()):
            if value is None:
                raise explain(RuntimeError(
                    f"The differentiated Tensor at index {k} appears to not have been used in the graph. Set "
                    "allow_unused=True if this is the desired behavior."), "unused")  # fmt: skip
    return tuple(found or ())


def check_input(one: Any) -> None:
    """Raise unless something is a tensor or an edge, as `inputs` have to be."""
    if isinstance(one, Tensor):
        return
    if isinstance(one, GradientEdge):
        if one.node is None:
            raise AssertionError("Expected gradient function to be set")
        return
    if fail.is_foreign(one):
        raise fail.foreign_tensor("grad", one)
    raise RuntimeError(f"all inputs have to be Tensors or GradientEdges, but got {type(one).__name__}")


def root_edge(output: Any, position: int) -> Any:
    """Return the edge at which backward starts."""
    if isinstance(output, GradientEdge):
        if output.node is None:
            raise AssertionError("Expected gradient function to be set")
        return edge_of(output)
    if output._node is None or output._node.hidden:
        raise fail.no_grad_fn(position)
    if output._node.kind == 0 and output._node.forbidden:
        raise RuntimeError(output._node.message)
    if mode.forbidden and output._node.kind == 1 and output._node.extra and output._node.extra.made_for:
        settle(output._node, ())
    return output._node


def _flag(value: Any) -> bool:
    return value if type(value) is bool else bool(operator.index(value))


def _is_empty(inputs: Any) -> bool:
    return not isinstance(inputs, (Tensor, GradientEdge)) and len(inputs) == 0


def _as_tuple(grads: Any, count: int) -> tuple:
    if grads is None:
        return (None,) * count
    return (grads,) if isinstance(grads, Tensor) else tuple(grads)


def make_grads(outputs: tuple, grads: tuple, batched: bool = False) -> list:
    """Check the given gradients against the outputs, and make the implicit ones of one-element outputs."""
    made = []
    for k, (output, given) in enumerate(zip(outputs, grads, strict=False)):
        is_edge = isinstance(output, GradientEdge)
        if not is_edge and not isinstance(output, Tensor):
            if fail.is_foreign(output):
                raise fail.foreign_tensor("backward", output)
            raise AssertionError("Expected output to be a torch.Tensor")
        if given is None:
            made.append(_implicit(output, is_edge))
            continue
        if fail.is_foreign(given):
            raise fail.foreign_tensor("backward", given)
        if not isinstance(given, Tensor):
            raise TypeError(f"gradients can be either Tensors or None, but got {type(given).__name__}")
        want = _expected(output, is_edge)
        shape = None if want is None else want[0]
        own = _own_shape(given, is_edge) if batched else given._array.shape
        if shape is not None and own != shape:
            raise _mismatch(k, own, given._array.shape, shape, batched)
        if want is not None and given._array.dtype is not want[1]:
            given = tensors._to_copy(given, from_numpy(want[1]))
        made.append(given)
    if len(grads) != len(outputs) and len(grads) < len(outputs):
        raise RuntimeError(f"got {len(outputs)} tensors and {len(grads)} gradients")
    return made


def _zeros(like: Tensor, create_graph: Any) -> Tensor:
    """Return the gradient of a tensor that the outputs do not depend on."""
    made = zeros_like(like)
    return made.requires_grad_() if create_graph and made._node is None else made


def _expected(output: Any, is_edge: bool) -> tuple | None:
    """Return the shape and the dtype that the weight of an output must have."""
    return shape_and_dtype(output) if is_edge else (output._array.shape, output._array.dtype)


def _own_shape(given: Tensor, is_edge: bool) -> tuple:
    """Return the shape of one row of a batch of weights."""
    if is_edge:
        raise RuntimeError("Batched grads are not supported with GradientEdge")
    return given[0]._array.shape


def _mismatch(k: int, own: tuple, given: tuple, shape: tuple, batched: bool) -> Exception:
    if batched:
        return RuntimeError(
            "If `is_grads_batched=True`, we interpret the first dimension of each grad_output as the batch dimension. "
            f"The sizes of the remaining dimensions are expected to match the shape of corresponding output, but a "
            f"mismatch was detected: grad_output[{k}] has a shape of {make_size(own[1:])} and output[{k}] has a shape "
            f"of {make_size(shape)}. If you only want some tensors in `grad_output` to be considered batched, consider "
            "using vmap."
        )
    return explain(RuntimeError(
        f"Mismatch in shape: grad_output[{k}] has a shape of {make_size(given)} and output[{k}] has a shape of "
        f"{make_size(shape)}."), "gradient_shape")  # fmt: skip


def _implicit(output: Any, is_edge: bool) -> Any:
    if is_edge:
        shape, dtype = shape_and_dtype(output) or ((), get_default_dtype().numpy)
        if math.prod(shape) != 1:
            raise explain(RuntimeError("grad can be implicitly created only for scalar outputs"), "not_scalar")
        return tensor_room.wrap(ones_array(shape, dtype))
    if output._node is None:
        return tensor_room.wrap(ones_array(output._array.shape, output._array.dtype))
    if output._array.size != 1:
        raise explain(RuntimeError("grad can be implicitly created only for scalar outputs"), "not_scalar")
    if output._array.dtype.kind != "f":
        raise RuntimeError("grad can be implicitly created only for real scalar outputs but got "
                           f"{output.dtype}")  # fmt: skip
    return ones_like(output)


# What `typing.get_type_hints` says of torch's two functions: there GradientEdge is a name written out, not the class.
_EDGES = Union[Tensor, Sequence[Tensor], "GradientEdge", Sequence["GradientEdge"]]
_GRADS = Tensor | Sequence[Tensor | None] | None
_INPUTS = Union[Tensor, Sequence[Tensor], "GradientEdge", Sequence["GradientEdge"], dict[str, Tensor]]
backward.__annotations__ = {
    "tensors": _EDGES, "grad_tensors": _GRADS, "retain_graph": bool | None, "create_graph": bool,
    "grad_variables": _GRADS, "inputs": _INPUTS | None, "return": None,
}  # fmt: skip
grad.__annotations__ = {
    "outputs": _EDGES, "inputs": _INPUTS, "grad_outputs": _GRADS, "retain_graph": bool | None, "create_graph": bool,
    "only_inputs": bool, "allow_unused": bool | None, "is_grads_batched": bool, "materialize_grads": bool,
    "return": tuple[Tensor, ...] | dict[str, Tensor],
}  # fmt: skip

tensor_autograd.entry = sys.modules[__name__]
