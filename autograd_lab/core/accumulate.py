"""What happens to a gradient on its way: fitted to its input's shape and dtype, added up, stored in a leaf."""

from __future__ import annotations

from sys import getrefcount
from threading import RLock
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core.dtypes import from_numpy
from autograd_lab.core.moored import heir_of, warn_uneven
from autograd_lab.core.sizes import size_text
from autograd_lab.core.state import local
from autograd_lab.core.strided import layout
from autograd_lab.core.tensor import TensorExtra, wrap
from autograd_lab.core.versions import touch

tensors: Any = None     # the recorded vocabulary, set by core.op
one_thread = RLock()    # runs of several threads may meet at a leaf: read, add and store belong together
LARGE = 4096        # elements from which a buffer is worth reusing


def reduce_array(grad: Any, shape: tuple) -> Any:
    """Sum an array over the dimensions that broadcasting added, down to `shape`."""
    extra = grad.ndim - len(shape)
    if extra:
        grad = np.add.reduce(grad, tuple(range(extra)) if extra > 1 else 0)
        if grad.shape == shape:
            return grad
    axes = tuple([k for k, size in enumerate(shape) if size == 1 and grad.shape[k] != 1])
    return np.add.reduce(grad, axes, keepdims=True) if axes else grad


def reduce_tensor(grad: Any, shape: tuple) -> Any:
    """Do the same with recorded operations."""
    given = grad._array.shape
    extra = len(given) - len(shape)
    added = tuple(range(extra))
    stretched = tuple([k + extra for k, size in enumerate(shape) if size == 1 and given[k + extra] != 1])
    if not shape:
        return tensors.sum(grad)
    if added or stretched:
        grad = tensors.sum(grad, added + stretched, True)
    return tensors.view(grad, shape) if extra else grad


def fit(grads: tuple, fix: tuple, recorded: bool) -> list:
    """Bring each gradient of a node to the shape and dtype that its input has."""
    found: list[Any] = []
    for grad, want in zip(grads, fix, strict=True):
        if grad is not None and want is not None:
            shape, dtype = want
            array = grad._array if recorded else grad
            if array.shape != shape:
                grad = reduce_tensor(grad, shape) if recorded else reduce_array(grad, shape)
            if array.dtype is not dtype:
                if recorded:
                    grad = tensors._to_copy(grad, from_numpy(dtype))
                else:
                    grad = grad.astype(dtype)
        found.append(grad)
    return found


def expandable(shape: tuple, other: tuple) -> bool:
    """Say whether a tensor of `shape` can be broadcast to `other`."""
    if len(shape) > len(other):
        return False
    return all(a == b or a == 1 for a, b in zip(reversed(shape), reversed(other), strict=False))


def validate(node: Any, index: int, grad: Any, shape: tuple, dtype: Any, recorded: bool) -> Any:
    """Check a gradient that user code returned against its input; reduce and cast it if that is allowed."""
    array = grad._array if recorded else grad
    if array.shape != shape and not expandable(shape, array.shape):
        raise fail.invalid_gradient(
            node, index, f"got {size_text(array.shape)} but expected shape compatible with {size_text(shape)}"
        )
    return fit((grad,), ((shape, dtype),), recorded)[0]


def alone(box: Any, key: Any, names: int = 0) -> bool:
    """Say whether an array in a list or dict is held by nothing else than that box and so many of the caller's names.

    Asked of the box, because how often an argument is counted differs from Python to Python (3.14 borrows it).
    """
    return getrefcount(box[key]) <= 2 + names


def add_into(sums: dict, key: Any, new: Any) -> None:
    """Add a large gradient to the one in a dict, into its memory when nobody but the dict and one name can see it."""
    old = sums[key]
    if (
        type(old) is np.ndarray and old.base is None and old.flags.writeable and old.dtype is new.dtype
        and old.shape == new.shape and alone(sums, key, names=2)
    ):  # fmt: skip
        old += new
    else:
        sums[key] = old + new


def fits_layout(grad: Any, leaf: Any) -> bool:
    """Say whether a gradient's elements lie in memory as `.grad` has them: in its leaf's order."""
    if grad.flags.c_contiguous and (type(leaf) is not np.ndarray or leaf.flags.c_contiguous):
        return True
    return grad.strides == layout(leaf).strides


def in_layout(grad: Any, leaf: Any) -> Any:
    """Return a copy of a gradient in the order in memory that its leaf's `.grad` has."""
    if leaf.shape == grad.shape and (type(leaf) is not np.ndarray or leaf.flags.c_contiguous):
        return np.array(grad, order="C")
    if type(leaf) is not np.ndarray:
        leaf = np.array(leaf)
    made = layout(leaf, grad.dtype)
    try:
        made[...] = grad
    except ValueError as error:
        raise fail.does_not_fit(error, made, grad) from None
    return made


def _leave_to(heir: Any, leaf: Any, box: Any, key: Any, recorded: bool) -> None:
    """Add to the `.grad` of a leaf's present node what an older one of it got, in the older one's shape."""
    adding = heir.grad is not None
    ref, leaf.ref, leaf.grad = leaf.ref, lambda: None, heir.grad
    try:
        accumulate(leaf, box, key, recorded)
    finally:
        leaf.ref, heir.grad, leaf.grad = ref, leaf.grad, None
    if adding and heir.extra is not None and heir.extra.uneven:
        warn_uneven(heir)


def accumulate(leaf: Any, box: Any, key: Any, recorded: bool) -> None:
    """Add the gradient `box[key]` to a leaf's `.grad`: in place if it is there, unless the run is itself recorded.

    A first gradient becomes `.grad` itself if nobody but the box has it.
    """
    tensor = leaf.ref()
    if leaf.hidden or (tensor is not None and tensor._node is not leaf):
        heir = None if tensor is None or leaf.hidden else heir_of(leaf, tensor)
        if heir is not None:
            _leave_to(heir, leaf, box, key, recorded)
            return
        if tensor is not None and not leaf.hidden and tensor.grad_fn is not None:
            raise RuntimeError("leaf variable has been moved into the graph interior")
        return      # requires_grad was switched off since
    old = leaf.grad
    own = old is None and alone(box, key)
    grad = box[key]
    if recorded:
        if old is None:
            leaf.grad = tensors.copy_of_gradient(wrap(leaf.array), grad)
        else:
            leaf.grad = old + grad
            if leaf.extra is not None and leaf.extra.uneven:
                warn_uneven(leaf)
        return
    if old is None:
        moored = leaf.extra is not None and leaf.extra.made_for is not None     # it was brought to an older dtype
        target = None if moored else wanted_dtype(leaf)
        if target is not None and grad.dtype is not target:
            grad = grad.astype(target)
    if old is None:
        if type(grad) is np.ndarray and not (
            own and grad.base is None and fits_layout(grad, leaf.array) and grad.flags.writeable
            and (leaf.extra is None or grad.shape == leaf.array.shape or grad.strides == leaf.array.strides)
        ):
            grad = in_layout(grad, leaf.array) if grad.ndim or leaf.array.ndim else grad[()]
        leaf.grad = wrap(grad)
        if local.inference:
            leaf.grad._extra = TensorExtra()
            leaf.grad._extra.inference = True
        return
    array = old._array
    if type(array) is np.ndarray:
        try:
            array += grad
        except ValueError as error:     # the leaf got data of another shape since
            raise fail.does_not_fit(error, array, grad) from None
        touch(old, True)
        if leaf.extra is not None and leaf.extra.uneven:
            warn_uneven(leaf)
    elif old._cell is not None and old._cell.memory is not None:
        old._array = old._cell.array = np.array(array + grad, dtype=array.dtype)
        touch(old, True)
    else:
        old._array = array + grad if grad.dtype is array.dtype else (array + grad).astype(array.dtype)
        touch(old, True)


def wanted_dtype(leaf: Any) -> Any:
    """Return the NumPy dtype that a gradient of the leaf is cast to: its own, its `grad_dtype`, or None for any."""
    tensor = leaf.ref()
    extra: TensorExtra | None = None if tensor is None else tensor._extra
    if extra is None or extra.grad_dtype is None:
        return leaf.array.dtype
    return None if extra.grad_dtype == "any" else extra.grad_dtype.numpy
