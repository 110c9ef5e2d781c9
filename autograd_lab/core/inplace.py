"""In-place twins: compute like the plain operation, write the result into the tensor, and give it the new history."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core import views
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.operands import forbidden_first, operand, promoted
from autograd_lab.core.promotion import can_cast
from autograd_lab.core.public import Admitted, absent, admit, refuse, second_try
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.state import local, mode
from autograd_lab.core.tensor import Tensor, set_array, wrap
from autograd_lab.core.versions import cell_of, touch


def check_leaf(tensor: Any, recorded: bool) -> None:
    """Raise torch's errors for tensors that may not be written in place now."""
    extra = tensor._extra
    if not recorded or not local.grad:
        return
    if extra is not None and extra.base is not None:
        views.check_view(tensor)
        if tensor._node is not None and views.is_leaf(extra.base):
            raise fail.leaf_view_write()
    if tensor._node is not None and tensor._node.kind == 1:
        raise fail.leaf_write()


def any_requires_grad(values: tuple) -> bool:
    """Say whether a tensor among the arguments takes part in a graph."""
    for value in values:
        if isinstance(value, Tensor):
            if value._node is not None:
                return True
        elif isinstance(value, (tuple, list)) and any_requires_grad(tuple(value)):
            return True
    return False


def store(tensor: Any, value: Any, overlaps: bool | str = False) -> None:
    """Write an array into the tensor's memory and count the write; raise before anything is written.

    `overlaps`: every element gets the same value, so it does not matter when several are one place in memory; or the
    name of a method that torch still lets write to such places, with a warning.
    """
    target = tensor._array
    if not overlaps:
        check_overlap(target)
    if value.shape != target.shape:
        try:
            np.broadcast_to(value, target.shape)
        except ValueError:
            raise fail.output_shape(target.shape, value.shape) from None
    if value.dtype is not target.dtype and not can_cast(from_numpy(value.dtype), from_numpy(target.dtype)):
        raise fail.result_cast(from_numpy(value.dtype), from_numpy(target.dtype))
    if type(overlaps) is str and is_expanded(target):
        return write_expanded(tensor, value, overlaps)
    write(tensor, value)
    return None


def write(tensor: Any, value: Any) -> None:
    """Put the value into the tensor's memory without any check, and count the write."""
    if not mode.plain and local.mutation_guard is not None:
        local.mutation_guard.before_write(tensor)
    target = tensor._array
    if type(target) is np.ndarray:
        target[...] = value
    else:
        if tensor._cell is None or tensor._cell.memory is None:
            value = target.dtype.type(value)
            if tensor._cell is not None:
                tensor._cell.array = np.array(value)
                value = tensor._cell.array
        else:
            value = np.array(value, target.dtype)
            tensor._cell.array = value
        set_array(tensor, value)
    touch(tensor)


def check_overlap(array: Any) -> None:
    """Refuse to write to memory in which several elements are one."""
    if is_expanded(array):
        raise fail.overlapping_write()


def is_expanded(array: Any) -> bool:
    """Say whether several elements of an array are one place in memory."""
    return type(array) is np.ndarray and 0 in array.strides and array.size > 1 and any(
        stride == 0 and size > 1 for stride, size in zip(array.strides, array.shape, strict=True)
    )


def write_expanded(tensor: Any, value: Any, method: str) -> None:
    """Write to memory in which several elements are one: the last one that changes wins, with torch's warning."""
    warn_expanded(method)
    target = tensor._array
    changed = np.nonzero((target != value) & ~((target != target) & (value != value)))
    target[changed] = np.broadcast_to(value, target.shape)[changed]
    touch(tensor)


def warn_expanded(method: str) -> None:
    """Warn that a method will no longer write to expanded tensors."""
    from autograd_lab.core.switches import warn_once

    spelt = "tensor[indices] = tensor" if method == "index_put_" else "tensor[mask] = scalar"
    warn_once(method, f"Use of {method} on expanded tensors is deprecated. Please clone() the tensor before performing "
              f"this operation. This also applies to advanced indexing e.g. {spelt}", stacklevel=5)  # fmt: skip


def lie_alike(a: Any, b: Any) -> bool:
    """Say whether two arrays have the same strides; NumPy gives a new dimension of size 1 none, unlike torch."""
    return a.ndim == b.ndim and all(one == two or (size == 1 and not (one and two)) for one, two, size
                                    in zip(a.strides, b.strides, a.shape, strict=True))  # fmt: skip


def is_same_data(target: Any, source: Any) -> bool:
    """Say whether two tensors are the same elements of one memory: a copy has nothing to do."""
    a, b = target._array, source._array
    return (type(a) is type(b) is np.ndarray and a.shape == b.shape and a.dtype is b.dtype and lie_alike(a, b)
            and a.__array_interface__["data"] == b.__array_interface__["data"])  # fmt: skip


SHARED = ("unsupported operation: some elements of the input tensor and the written-to tensor refer to a single memory "
          "location. Please clone() the tensor before performing the operation.")  # fmt: skip


# What writes element by element to the places that an index names, and so may read from nothing that it writes to.
_APART = frozenset(("index_copy", "index_add", "index_fill_value", "scatter", "scatter_value", "scatter_add",
                    "scatter_reduce", "index_reduce", "put"))  # fmt: skip


def check_partial_overlap(target: Any, source: Any) -> bool:
    """Refuse to write to memory that an operand covers partly: some of it would be read after it was written.

    torch notices only where both fill their memory without gaps; for others, True says that it happens all the same.
    """
    one, two = target._cell, source._cell
    if one is None or two is None or one.memory is None or one.memory is not two.memory:
        return False
    a, b = target._array, source._array
    if type(a) is not np.ndarray or type(b) is not np.ndarray or not (a.size and b.size):
        return False
    (start, end), (other_start, other_end) = np.lib.array_utils.byte_bounds(a), np.lib.array_utils.byte_bounds(b)
    if start >= other_end or other_start >= end or ((start, end) == (other_start, other_end) and lie_alike(a, b)):
        return False
    if end - start != a.nbytes or other_end - other_start != b.nbytes:
        return a.dtype is b.dtype
    raise RuntimeError(SHARED)


def alias(tensor: Any, clone: bool) -> Tensor:
    """Return the tensor as it was before the write: the same place in the graph, its own data if a formula needs it."""
    before = wrap(tensor._array.copy() if clone else tensor._array)
    before._node = tensor._node
    if not clone:
        before._cell = None
    return before


def inplace_twin(decl: Any, name: str) -> Callable:
    """Return the in-place method of a declared operation."""

    admitted = Admitted(f"Tensor.{name}")
    alone = len(decl.inputs) < 2

    def method(self: Any = absent, /, *args: Any, **kwargs: Any) -> Any:
        # One tensor, one number that was taken before, a float by name: the everyday calls are not looked at.
        if len(args) == 1 and not kwargs:
            kind = type(args[0])
            if kind not in admitted and (alone or kind is not Tensor):
                admit(admitted, (self, *args))
                if kind is not Tensor:
                    admitted.add(kind)
        elif len(args) > 1 or [one for one in kwargs.values() if type(one) is not float]:
            admit(admitted, (self, *args), kwargs)
        try:
            return run_inplace(decl, self, args, kwargs)
        except Exception as error:
            refuse(admitted, (self, *args), kwargs)
            again = second_try(admitted, error, (self, *args), kwargs) if type(error) is TypeError else None
            if again is None:
                raise
        return run_inplace(decl, self, again[0][1:], again[1])

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place version of {decl.name}."
    method.is_public = True  # type: ignore[attr-defined]
    return method


def augmented(decl: Any, name: str) -> Callable:
    """Return the method behind `a += b`: the in-place twin, but NotImplemented for what is no tensor and no number."""

    def method(self: Any, other: Any) -> Any:
        if not isinstance(other, (Tensor, int, float, np.generic, np.ndarray)):
            return NotImplemented
        return run_inplace(decl, self, (wrap(other) if isinstance(other, np.ndarray) else other,), {})

    method.__name__ = method.__qualname__ = name
    method.__doc__ = f"In-place {decl.name}."
    return method


def run_inplace(decl: Any, self: Any, args: tuple, kwargs: dict) -> Any:
    """Run a declared operation in place on `self`."""
    # torch writes truth values (logical_and_ and so on) into a leaf without a word.
    recorded = local.grad and (bool(decl.inputs) or not decl.name.startswith("logical_")) and (
        self._node is not None
        or any_requires_grad(args)
        or (bool(kwargs) and any_requires_grad(tuple(kwargs.values())))
    )
    overlaps = decl.overlaps
    if decl.name == "copy_into" and isinstance(args[0], Tensor):
        recorded = recorded and self._array.dtype.kind == "f"       # into integers no gradient is sent
        overlaps = overlaps or is_same_data(self, args[0])
    check_leaf(self, recorded)
    if decl.name in _APART and any(isinstance(value, Tensor) and value._array.size and (
            value is self or is_same_data(self, value)) for value in args):  # fmt: skip
        if decl.name == "index_add" or (decl.name == "put" and len({one._array.size for one in args[:2]}) > 1):
            decl.function(self.detach(), *args, **kwargs)       # torch looks at its shapes first
        raise RuntimeError(SHARED)
    reads_own = False
    for value in args if decl.overlaps is not True else ():
        if isinstance(value, Tensor) and value is not self:
            if mode.forbidden and recorded:
                value.grad_fn  # noqa: B018  # raises for a view that may no longer be used
            # What a mask or an index is filled with is read once, before anything is written.
            if type(decl.overlaps) is not str or value._array.size != 1:
                try:
                    reads_own |= check_partial_overlap(self, value)
                except RuntimeError:
                    if decl.name == "index_add":
                        decl.function(self.detach(), *args, **kwargs)       # torch looks at its shapes first
                    raise
    if not recorded and not reads_own and len(args) == 1 and decl.dtype == "promote" and type(args[0]) is Tensor:
        other = args[0]._array
        if other.dtype is self._array.dtype and other.dtype.kind == "f" and "out" not in kwargs:
            try:        # an optimizer's step: nothing to record, nothing to promote
                store(self, decl.kernel(self._array, other, **kwargs))
                return self
            except ValueError:
                pass    # shapes that do not broadcast: the ordinary way says so in torch's words
    before = alias(self, clone="self" in decl.saved or decl.redirect is not None) if recorded else self
    try:
        result = decl.function(before, *args, **kwargs)
    except TypeError as error:
        raise in_other_words(error, decl.name) from None
    except RuntimeError as error:
        if decl.overlaps == "masked_fill_" and isinstance(args[0], Tensor) and "0-dimensional" not in str(error):
            broadcast_shapes(self._array.shape, args[0]._array.shape)   # in place the mask is the one to be expanded
        forbidden_first((self, *[one for one in args if isinstance(one, Tensor)]))
        if not decl.overlaps:
            check_overlap(self._array)      # torch looks at the memory before it looks at the shapes
        if type(error) is NotImplementedError or str(error) == "ZeroDivisionError":
            check_target(decl, self, args)      # and at both before it asks a kernel
        raise
    clock = mode.clock
    value = result._array
    if reads_own and not decl.overlaps and value.shape == self._array.shape:
        from autograd_lab.core.overlaps import in_turn

        check_overlap(self._array)
        value = in_turn(decl.kernel, self._array,
                        tuple([one._array if isinstance(one, Tensor) else one for one in args]), kwargs)  # fmt: skip
    store(self, value, overlaps)
    node = result._node
    if not recorded or node is None:
        return self
    decl = type(node).declaration or decl       # another overload of the name may have answered
    adopt_result(decl, node, self)
    if type(node.saved) is tuple and any(item is self for item in node.saved):
        node.clock = clock      # it saved what it overwrote, as x.mul_(x) does: backward has to say so
    if self._array.dtype is not result._array.dtype or node.fix is not None:
        node.fix = node.fix or refit(decl, node, before, args, kwargs)
    views.rebase(self, node)
    return self


def check_target(decl: Any, self: Any, args: tuple) -> None:
    """Raise if the result of an operation on operands of any shapes and dtypes could not be stored in the tensor."""
    if decl.dtype is None or len(decl.promoted) < 2:
        return
    named = zip([name for name in decl.parameters if name != "self"], args, strict=False)
    given = [one for name, one in named if name in decl.promoted and one is not None]
    operands = (self, *[operand(one, self, decl.name, "other", False) for one in given])
    shape = broadcast_shapes(*[one._array.shape for one in operands])
    if shape != self._array.shape:
        raise fail.output_shape(self._array.shape, shape)
    made = from_numpy(promoted(decl.dtype == "float", operands)[0].dtype)
    if not can_cast(made, self.dtype):
        raise fail.result_cast(made, self.dtype)


def in_other_words(error: TypeError, name: str) -> TypeError:
    """Return an error about arguments as the method with an underscore words it: its name, one argument less."""
    text = str(error)
    if not text.startswith(f"{name}()"):
        return error
    text = f"{name}_{text[len(name):]}".replace("got (Tensor, ", "got (")
    return TypeError(re.sub(r"\(position (\d+)\)", lambda found: f"(position {int(found[1]) - 1})", text))


def refit(decl: Any, node: Any, before: Any, args: tuple, kwargs: dict) -> tuple | None:
    """Return the shapes and dtypes that a node's gradients must have when its result was cast on being stored."""
    bound = dict(zip([n for n in decl.parameters if n != "self"], args, strict=False)) | kwargs | {"self": before}
    found = []
    for name in decl.inputs:
        value = bound.get(name)
        found.append((value._array.shape, value._array.dtype) if isinstance(value, Tensor) else None)
    return tuple(found)


def adopt_result(decl: Any, node: Any, tensor: Any) -> None:
    """Make a node that saved its result refer to the memory the result was stored in."""
    if not any(name in decl.saved for name in decl.result_names) or type(node.saved) is not tuple:
        return      # an operand that shares the written memory is stale from the start, as in torch
    node.clock = mode.clock
    items, position = list(node.saved), 0
    for name in decl.saved:
        if name in decl.result_names:
            cell = cell_of(tensor)
            items[position], items[position + 1] = tensor._array, cell
            position += 2
        else:
            position += 1
    node.saved = tuple(items)


def overwrite(target: Any, value: Any, name: str, place: int = 0) -> None:
    """Write a computed tensor, one of several, into `target`, which takes its shape (`out=`)."""
    if target._array.dtype is not value._array.dtype:
        from autograd_lab.core.outs import check_dtype

        check_dtype(name, place, target._array, value._array)      # before the tensor is given another shape
    if target._array.shape != value._array.shape:
        if target._array.size:
            import warnings

            from autograd_lab.core.sizes import size_text

            warnings.warn(
                f"An output with one or more elements was resized since it had shape {size_text(target._array.shape)}, "
                f"which does not match the required output shape {size_text(value._array.shape)}. This behavior is "
                "deprecated, and in a future PyTorch release outputs will not be resized unless they have zero "
                "elements. You can explicitly reuse an out tensor t by resizing it, inplace, to zero elements with "
                "t.resize_(0).",
                stacklevel=4,
            )
        set_array(target, np.empty(value._array.shape, target._array.dtype))
    store(target, value._array)
