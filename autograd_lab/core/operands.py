"""What the compiled operations do off their fast path: numbers become tensors, dtypes meet, shapes are reported."""

from __future__ import annotations

import re
import sys
from typing import Any

import numpy as np

from autograd_lab.core import dtypes
from autograd_lab.core import failures as fail
from autograd_lab.core.node import Nowhere, accumulator
from autograd_lab.core.promotion import number_dtype, promote_many
from autograd_lab.core.shapes import broadcast_shapes
from autograd_lab.core.state import local, mode
from autograd_lab.core.strided import dimension_order, in_order
from autograd_lab.core.tensor import Tensor, TensorExtra, wrap

_numbers: dict[tuple, Tensor] = {}      # (type, value, dtype beside it) -> the number as a tensor
known_number = _numbers.get
dtypes.on_default_change(_numbers.clear)
# Operations that torch declares twice, for a tensor and for a number; their errors list both forms.
TWO_OVERLOADS = frozenset((
    "eq", "ne", "lt", "le", "gt", "ge", "remainder", "fmod", "floor_divide", "bitwise_and", "bitwise_or", "bitwise_xor",
    "bitwise_left_shift", "bitwise_right_shift", "not_equal", "less", "greater", "less_equal", "greater_equal",
))  # fmt: skip
_NUMBER_TYPES = frozenset((bool, int, float))


def number(value: Any, beside: Any) -> Tensor:
    """Return a Python number as a 0-d tensor of the dtype that it takes beside an array; cached.

    Beside an ndarray it is kept as a 0-d ndarray, beside a NumPy scalar as a NumPy scalar: NumPy is fastest so.
    """
    like, kind = beside.dtype, beside.__class__
    key = (type(value), value, like, kind)
    if value == 0 and type(value) is float:
        # 0.0 and -0.0 are equal as keys; the compiled operations look for plain keys only and must not confuse them.
        key = (float, str(value), like, kind)
    found = _numbers.get(key)
    if found is not None:
        return found
    dtype = number_dtype(value, like)
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        raise OverflowError("int too big to convert")
    if like.kind == "b" and isinstance(value, int) and value >= 2**63:
        raise RuntimeError("Promotion for uint16, uint32, uint64 types is not supported, attempted to promote Bool and "
                           "UInt64")  # fmt: skip
    with np.errstate(over="ignore"):     # beyond the largest integer a number wraps around, as in C++
        array = np.array(value, dtype=np.float64 if dtype.kind == "f" else None).astype(dtype)
    made = wrap(array if kind is np.ndarray else array[()])
    made._extra = TensorExtra()
    made._extra.wrapped_number, made._extra.number = True, value
    if len(_numbers) > 4096:
        _numbers.clear()
    _numbers[key] = made
    return made


def operand(value: Any, like: Any, op: str, name: str, operator: bool) -> Any:
    """Return an operand as a tensor; what cannot be one gives NotImplemented to an operator and an error to a call."""
    if isinstance(value, Tensor):
        return value
    if type(value) in _NUMBER_TYPES or isinstance(value, (bool, int, float, np.generic)):
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, complex):
            raise fail.complex_number()
        if isinstance(like, Tensor):
            return number(value, like._array)
        own = {bool: np.bool_(), int: np.int64()}.get(type(value))     # beside another number
        return number(value, dtypes.get_default_dtype().numpy.type() if own is None else own)
    if isinstance(value, complex):
        raise fail.complex_number()
    if isinstance(value, np.ndarray) and operator:
        return wrap(value)
    if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "grad_fn"):
        raise fail.foreign_tensor(op, value)
    if operator:
        return NotImplemented
    if op in TWO_OVERLOADS:
        raise TypeError(
            f"{op}() received an invalid combination of arguments - got (Tensor, {type(value).__name__}), but expected "
            "one of:\n * (Tensor input, Tensor other, *, Tensor out = None)\n"
            " * (Tensor input, Number other, *, Tensor out = None)\n"
        )
    raise fail.bad_argument(op, "input" if name == "self" else name, value)


def promoted(to_floats: bool, inputs: tuple) -> tuple:
    """Return the operands' arrays, brought to the dtype that torch computes in."""
    given = [tensor._array for tensor in inputs if tensor is not None]
    wrapped = [t for t in inputs if t is not None and t._extra is not None and t._extra.wrapped_number]
    if wrapped and len(wrapped) < len(given):
        others = [t._array for t in inputs if t is not None and not (t._extra is not None and t._extra.wrapped_number)]
        target = promote_many(others)
        for tensor in wrapped:
            target = number_dtype(tensor._extra.number, target)
    else:
        target = promote_many(given)
    if to_floats and target.kind != "f":
        target = dtypes.get_default_dtype().numpy
    return tuple([None if tensor is None else cast_operand(tensor, target) for tensor in inputs])


def cast_operand(tensor: Any, target: np.dtype) -> Any:
    """Return an operand's array in a dtype; a Python number is converted from its own value."""
    array = tensor._array
    if array.dtype is target:
        return array
    if tensor._extra is not None and tensor._extra.wrapped_number:
        return np.array(tensor._extra.number).astype(target)[()]
    return array.astype(target)


def to_float(array: Any) -> Any:
    """Return an integer or bool array in the default float dtype."""
    return array.astype(dtypes.get_default_dtype().numpy)


def settled(made: Any, arrays: tuple) -> Any:
    """Return a result in row order if only expanded operands made NumPy choose another one.

    NumPy takes a dimension of stride 0 for the fastest; torch lets such dimensions stand where they are.
    """
    for array in arrays:
        if type(array) is np.ndarray and array.shape == made.shape and 0 in array.strides:
            return np.ascontiguousarray(made)
    return made


def laid_out(made: Any, arrays: tuple) -> Any:
    """Return a pointwise result in the order in memory that torch gives it: the first operand decides, not NumPy."""
    first = arrays[0]
    if type(first) is np.ndarray and first.strides == made.strides and first.shape == made.shape and (
            0 not in first.strides and 1 not in first.shape):
        return made
    if in_rows(arrays):
        return made if made.flags.c_contiguous else np.ascontiguousarray(made)
    return in_order(made, dimension_order(made.shape, tuple([one for one in arrays if one is not None])))


def in_rows(arrays: tuple) -> bool:
    """Say whether all strides fall from dimension to dimension, so that nothing but row order can result."""
    for array in arrays:
        above = sys.maxsize
        for stride in getattr(array, "strides", ()):
            if stride:
                if stride >= above:
                    return False
                above = stride
    return True


def fits(pairs: tuple) -> tuple:
    """Return, for each differentiable input, the shape and dtype that its gradient must come back in."""
    return tuple([None if tensor is None else (tensor._array.shape, tensor._array.dtype) for _, tensor in pairs])


def broadcast_error(error: Exception, arrays: tuple, inputs: tuple = (), saved: tuple = ()) -> Exception:
    """Return torch's error for shapes that do not broadcast; anything else comes back unchanged."""
    forbidden_first(inputs, saved)
    if type(error) is not NotImplementedError and not re.search("broadcast|ZeroDivision", str(error)):
        return error    # what a kernel refuses comes after the shapes
    try:
        broadcast_shapes(*[array.shape for array in arrays if array is not None])
    except RuntimeError as mismatch:
        return mismatch.with_traceback(None)
    return error


def forbidden_first(inputs: tuple, saved: tuple = ()) -> None:
    """Raise for a view that may no longer be used, or an inference tensor that would have to be saved.

    torch finds these before anything else that is wrong with the call.
    """
    if mode.plain or not local.grad:
        return
    for tensor in inputs if mode.forbidden else ():
        if tensor is not None:
            tensor.grad_fn  # noqa: B018  # reading this raises
    if mode.pinned and records(inputs) and any(one is not None and one._node is not None for one in inputs):
        for tensor in saved:
            if tensor is not None and tensor._extra is not None and tensor._extra.inference:
                raise fail.inference_saved()


def in_row_order(made: Any) -> Any:
    """Return a kernel's result, or each of several, in row order."""
    return tuple(map(np.ascontiguousarray, made)) if type(made) is tuple else np.ascontiguousarray(made)


def undifferentiable(made: Any) -> Exception:
    """Return the error for a result that is to be recorded in a dtype without gradients."""
    return RuntimeError(f"Autograd not support dtype: {dtypes.from_numpy(made.dtype).scalar_name}")


def missing_argument(op: str, name: str) -> Exception:
    """Return the error for a required argument that was not given."""
    return TypeError(f'{op}() missing 1 required positional arguments: "{name}"')


def not_a_tensor(op: str, names: list[str], values: tuple) -> Exception:
    """Return the error for an argument that should have been a tensor."""
    for position, (name, value) in enumerate(zip(names, values, strict=True)):
        if not isinstance(value, Tensor):
            if type(value).__module__.partition(".")[0] == "torch" and hasattr(value, "grad_fn"):
                return fail.foreign_tensor(op, value)
            return fail.bad_argument(op, "input" if name == "self" else name, value, position + 1)
    return TypeError(f"{op}(): bad arguments")


def records(inputs: tuple) -> bool:
    """Say, while some special mode is on, whether an operation on these tensors (or None) is recorded.

    It is not where all of them were made in inference mode, whatever they require.
    """
    if not local.grad or not mode.pinned:
        return local.grad
    return any(tensor is not None and (tensor._extra is None or not tensor._extra.inference) for tensor in inputs)


def unrecorded(result: Any, inputs: tuple) -> None:
    """Finish a result that was not recorded while some special mode is on.

    In inference mode it becomes an inference tensor. A view made in no-grad or inference mode of a tensor that requires
    grad says so too, as a leaf of its own.
    """
    for tensor in result if isinstance(result, tuple) else (result,):
        extra = tensor._extra
        if extra is not None and extra.base is not None and extra.base._node is not None and not local.grad:
            tensor._node = accumulator(tensor, Nowhere)
        if not local.inference:
            continue
        if extra is None:
            extra = tensor._extra = TensorExtra()
        if extra.base is None:
            extra.inference = True
        else:
            source = extra.base._extra
            extra.inference = source is not None and source.inference


def put_out(name: str, found: Any, out: Any) -> Any:
    """Return a result that was found without `out=`, or put it there; `name` is the operation's in messages."""
    if out is None:
        return found

    def ready() -> Any:
        return found

    ready.__name__ = name
    return write_out(out, ready)


def write_out(out: Any, function: Any, *args: Any, **kwargs: Any) -> Any:
    """Compute a result and put it into `out`, as `out=` asks."""
    from autograd_lab.core.inplace import check_partial_overlap, overwrite
    from autograd_lab.core.op import table
    from autograd_lab.core.outs import refuse_recorded, refuse_shared
    from autograd_lab.core.returns import return_type

    name, given = function.__name__, (*args, *kwargs.values())
    if isinstance(out, (tuple, list)):
        refuse_recorded(name, *given, *out)
        values = function(*args, **kwargs)
        refuse_recorded(name, *values)
        for place, (target, value) in enumerate(zip(out, values, strict=True)):
            overwrite(target, value, name, place)
        return return_type(f"{type(values).__name__}_out")(out) if type(values) is not tuple else tuple(out)
    if not isinstance(out, Tensor):
        raise fail.bad_argument(name, "out", out)
    refuse_recorded(name, *given, out)
    for value in given:
        if isinstance(value, Tensor) and value is not out:
            check_partial_overlap(out, value)
    refuse_shared(name, out, given)
    if kwargs.get("dtype", ...) is None and name in ("cumsum", "cumprod"):
        kwargs["dtype"] = out.dtype
    value = function(*args, **kwargs)
    refuse_recorded(name, value)
    decl = table.get(name)
    if value._array.shape != out._array.shape and any(one is out for one in given) and getattr(decl, "dtype", None):
        raise fail.output_shape(out._array.shape, value._array.shape)      # an operand is given no other shape
    overwrite(out, value, name)
    return out
