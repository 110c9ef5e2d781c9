"""The engine's exceptions: torch's message for each, with the lab's notes on the lines that led there."""

from __future__ import annotations

import math
import re
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core.provenance import resolve, where
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import mode
from autograd_lab.core.versions import Cell, version_at
from autograd_lab.errors import explain


def _made(node: Any) -> str:
    site = where(node)
    return f"{node.name()} was made in {site}: {site.text}" if site is not None else ""


def freed(node: Any) -> Exception:
    """A saved tensor was asked for after backward had freed it."""
    error = RuntimeError(
        "Trying to backward through the graph a second time (or directly access saved tensors after they have already "
        "been freed). Saved intermediate values of the graph are freed when you call .backward() or autograd.grad(). "
        "Specify retain_graph=True if you need to backward through the graph a second time or if you need to access "
        "saved tensors after calling backward."
    )
    return explain(error, "freed", _made(node))


def stale(node: Any, array: Any, cell: Cell, tensor: Any = None) -> Exception:
    """A saved tensor was written in place since it was saved."""
    name = dtypes.from_numpy(array.dtype).shown_type
    producer, nr = (tensor._node, 0) if tensor is not None else (_written_as(node), 0)
    if producer is not None and producer.kind == 2:
        producer, nr = producer.node, producer.nr
    origin = ""
    if producer is not None and producer.kind == 0 and producer.forbidden:
        return RuntimeError(producer.message)
    if producer is not None and producer.kind == 0:
        origin = f", which is output {nr} of {short_name(producer)},"
    hint = (
        "the backtrace further above shows the operation that failed to compute its gradient. The variable in question "
        "was changed in there or anywhere later. Good luck!"
        if mode.anomaly else
        "enable anomaly detection to find the operation that failed to compute its gradient, with "
        "torch.autograd.set_detect_anomaly(True, check_nan=False)."
    )
    error = RuntimeError(
        "one of the variables needed for gradient computation has been modified by an inplace operation: "
        f"[{name} {size_text(array.shape)}]{origin} is at version {cell.version}; expected version "
        f"{version_at(cell, node.clock)} instead. Hint: {hint}"
    )
    site = resolve(cell.memory.site) if cell.memory is not None else None
    wrote = f"The write in place was {site}: {site.text}" if site is not None else ""
    return explain(error, "stale", _made(node), wrote)


def _written_as(node: Any) -> Any:
    """Return the node that stands for a node's saved result: itself, or that of the view it was written into.

    In torch the view still has that one after others have written, as long as nobody has asked for its `grad_fn`.
    """
    from autograd_lab.core.node import is_known
    from autograd_lab.core.views import written_as

    if node not in written_as:
        return node
    view, place = (ref() for ref in written_as[node])
    now = None if view is None else view._node
    if place is None and now is not None and now.kind == 0 and now.seq != view._extra.placed and not is_known(now):
        place = now
    return place or node


def short_name(node: Any) -> str:
    """Return a node's name as messages show it: MulBackward0 is Mul, UnsqueezeBackward1 is Unsqueeze1.

    >>> from types import SimpleNamespace
    >>> short_name(SimpleNamespace(name=lambda: "UnsqueezeBackward1"))
    'Unsqueeze1'
    """
    name, found, number = node.name().rpartition("Backward")
    if number and not number.isdigit():     # torch::autograd::CopyBackwards
        return name + found + number
    return name + ("" if number == "0" else number)


def hooks_are_set() -> Exception:
    """A saved tensor gets hooks a second time."""
    return RuntimeError("Calling register_hooks on a saved tensor whose hooks have already been set. "
                        "Hint: only one pair of hooks is allowed at a time.")  # fmt: skip


def detached_in_place() -> Exception:
    """A saved tensor was taken out of the graph with detach_()."""
    return RuntimeError(
        "Trying to use a saved tensor that has been detached in-place, i.e. with .detach_().This is not supported, "
        "please use out-of-place `.detach()` instead"
    )


def unpack_not_tensor(value: Any) -> Exception:
    """An unpack hook gave something else than a tensor."""
    return TypeError(
        f"Output of saved tensor unpack_hook expected to be a Tensor but got result of type {type(value).__name__}"
    )


def pack_hook_wrote() -> Exception:
    """A pack hook wrote into the tensor that it was given."""
    return RuntimeError(
        "A saved tensor pack hook is modifying its input in place. Tensors provided as input to pack hook cannot be "
        "modified by in-place operations as this can lead to unexpected side-effects. Please open an issue if you need "
        "to perform in-place operations on the input to a pack hook."
    )


def inference_saved() -> Exception:
    """An inference tensor would have to be saved."""
    return explain(RuntimeError(
        "Inference tensors cannot be saved for backward. Please do not use Tensors created in inference mode in "
        "computation tracked by autograd. To work around this, you can make a clone to get a normal tensor and use it "
        "in autograd, or use `torch.no_grad()` instead of `torch.inference_mode()`."), "inference")  # fmt: skip


def inference_write() -> Exception:
    """An inference tensor is written in place outside inference mode."""
    return explain(RuntimeError(
        "Inplace update to inference tensor outside InferenceMode is not allowed.You can make a clone to get a normal "
        "tensor before doing inplace update.See https://github.com/pytorch/rfcs/pull/17 for more details."),
        "inference")  # fmt: skip


def leaf_write() -> Exception:
    """A leaf that requires grad is written in place while recording."""
    return explain(RuntimeError(
        "a leaf Variable that requires grad is being used in an in-place operation."), "leaf_write")  # fmt: skip


def leaf_view_write() -> Exception:
    """A view of such a leaf is written in place."""
    return explain(RuntimeError(
        "a view of a leaf Variable that requires grad is being used in an in-place operation."),
        "leaf_write")  # fmt: skip


def output_shape(target: tuple, given: tuple) -> Exception:
    """An in-place result does not fit into the tensor."""
    return explain(RuntimeError(
        f"output with shape {size_text(target)} doesn't match the broadcast shape {size_text(given)}"),
        "shapes")  # fmt: skip


def does_not_fit(error: ValueError, target: Any, value: Any) -> Exception:
    """A value could not be written into memory of another shape."""
    from autograd_lab.core.operands import broadcast_error

    found = broadcast_error(error, (target, value))
    if found is not error:
        return found
    return output_shape(target.shape, value.shape) if target.shape != value.shape else error


def misfit(error: Exception, arrays: tuple) -> Exception:
    """A formula met a tensor from an unpack hook that is not like the one that was packed."""
    from autograd_lab.core.operands import broadcast_error

    if isinstance(error, ValueError):
        return broadcast_error(error, arrays)
    if "indices" in str(error):
        return IndexError("tensors used as indices must be long, int, byte or bool tensors")
    return error


def result_cast(given: Any, target: Any) -> Exception:
    """An in-place result has a dtype that the tensor cannot hold."""
    return RuntimeError(
        f"result type {given.scalar_name} can't be cast to the desired output type {target.scalar_name}"
    )


def lost_gradient() -> Exception:
    """A tensor that retains its gradient was reshaped in place, then written: torch loses its way, and says so."""
    return RuntimeError('out != nullptr INTERNAL ASSERT FAILED at "/__w/pytorch/pytorch/torch/csrc/autograd/variable.cpp":207, '  # noqa: E501
                        "please report a bug to PyTorch. ")  # fmt: skip


def overlapping_write() -> Exception:
    """Several elements of the written tensor are one place in memory."""
    return RuntimeError(
        "unsupported operation: more than one element of the written-to tensor refers to a single memory location. "
        "Please clone() the tensor before performing the operation."
    )


def size_mismatch(a: int, b: int, dim: int) -> Exception:
    """Two shapes do not broadcast."""
    return explain(RuntimeError(
        f"The size of tensor a ({a}) must match the size of tensor b ({b}) at non-singleton dimension {dim}"),
        "shapes")  # fmt: skip


def number_overflow(value: float, dtype: Any = None) -> Exception:
    """A Python number does not fit into a dtype, int64 unless another is given."""
    name = "int64" if dtype is None else dtype.name
    known = {"int32": "int", "float16": "c10::Half", "float32": "float", "float64": "double"}
    return RuntimeError(f"value cannot be converted to type {known.get(name, name + '_t')} without overflow")


def complex_number() -> Exception:
    """A complex number was used."""
    return NotImplementedError("autograd_lab computes with real numbers only; complex numbers are outside its scope.")


def bad_argument(op: str, name: str, value: Any, position: int | None = None) -> Exception:
    """An argument should have been a tensor; one of the real torch looks like one, and is told apart."""
    if is_foreign(value):
        return foreign_tensor(op, value)
    place = f" (position {position if position is not None else 1 if name == 'input' else 2})"
    error = TypeError(f"{op}(): argument '{name}'{place} must be Tensor, not {type(value).__name__}")
    advice = getattr(type(value), "_where_a_tensor_is_wanted", None)    # what a class of the museum says here
    if advice is not None:
        error.add_note(advice.format(op))
    return error


def is_foreign(value: Any) -> bool:
    """Say whether a value is a tensor of the real torch."""
    return any(kind.__module__ == "torch" and kind.__name__ == "Tensor" and hasattr(kind, "__torch_function__")
               for kind in type(value).__mro__)  # fmt: skip


def foreign_tensor(op: str, value: Any) -> Exception:
    """A tensor of the real torch met a tensor of the lab."""
    return explain(TypeError(
        f"{op}(): expected a tensor of autograd_lab, got {type(value).__module__}.{type(value).__name__}"),
        "foreign")  # fmt: skip


def leaf_flag() -> Exception:
    """requires_grad of a computed tensor was to be switched off."""
    return explain(RuntimeError(
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a "
        "subgraph that doesn't require differentiation use var_no_grad = var.detach()."), "leaf_flag")  # fmt: skip


def no_grad_fn(index: int) -> Exception:
    """Backward starts at a tensor without history."""
    return explain(RuntimeError(
        f"element {index} of tensors does not require grad and does not have a grad_fn"), "no_grad_fn")  # fmt: skip


def invalid_gradient(node: Any, index: int, detail: str) -> Exception:
    """A node returned a gradient that does not fit its input; None stands for the user, who gave the first ones."""
    if node is None:
        return explain(RuntimeError(f"invalid gradient at index {index} - {detail}"), "leaf_shape")
    return explain(RuntimeError(
        f"Function {node.name()} returned an invalid gradient at index {index} - {detail}"),
        "function" if node.custom else "leaf_shape", _made(node))  # fmt: skip


def too_large(error: Exception, args: tuple) -> Exception | None:
    """NumPy could not make an array of the asked size; None for any other error."""
    text = str(error)
    if isinstance(error, MemoryError):
        found = re.search(r"shape \(([\d, ]*)\) and data type (\w+)", text)
        if found is None:
            return None
        count = math.prod(int(part) for part in found[1].split(",") if part.strip())
        # Random numbers are drawn as pairs of 64 bits first.
        each = dtypes.get_default_dtype().numpy.itemsize if found[2] == "uint64" else np.dtype(found[2]).itemsize
        return RuntimeError(
            "[enforce fail at alloc_cpu.cpp:127] err == 0. DefaultCPUAllocator: can't allocate memory: "
            f"you tried to allocate {count * each} bytes. Error code 12 (Cannot allocate memory)"
        )
    if type(error) is ValueError and re.search("array is too big|Maximum allowed dimension exceeded", text):
        sizes = next((list(one) for one in args if isinstance(one, (tuple, list))), None)
        sizes = [one for one in args if type(one) is int] if sizes is None else sizes
        return RuntimeError(f"Storage size calculation overflowed with sizes={sizes}")
    return None
