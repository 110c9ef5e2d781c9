"""Calls that torch would refuse: bind the arguments as torch's parser binds them, and raise its error where they fail.

A public function that raised something, or is given classes of arguments that it has not seen before, asks `refusal`
whether torch would let them in at all.
"""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

from autograd_lab.core import foreign
from autograd_lab.core.invalid import combination_text, type_name
from autograd_lab.core.signatures import Entry, Parameter, Signature
from autograd_lab.core.signatures import entry as entry_of

# Where a number may stand for a tensor, although the signature says Tensor.
_PLAIN = ("add", "sub", "subtract", "mul", "multiply", "div", "divide", "true_divide", "floor_divide")
NUMBERS_AS_TENSORS = frozenset((*_PLAIN, *[name + "_" for name in _PLAIN], "copy_", "to"))


def _accepted(public: str, args: tuple, kwargs: dict[str, Any]) -> tuple[int, Entry, Signature, list] | None:
    """Return the first signature that takes a call: how many arguments are `self`, its entry, it, and what it bound."""
    entry = entry_of(public)
    if entry is None:
        return None
    own = int(public.startswith("Tensor."))
    for signature in entry.signatures:
        try:
            return own, entry, signature, _bind(entry.called, signature, args[own:], kwargs)
        except TypeError:
            continue
    return None


def with_numbers(public: str, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]] | None:
    """Return an accepted call with numbers in the place of 0-d tensors where torch wants numbers; None if all are."""
    if (accepted := _accepted(public, args, kwargs)) is None:
        return None
    own, _, _, bound = accepted
    numbers = [value for parameter, value in bound
               if _is_tensor(value) and parameter.shown in ("Number", "float", "int")]  # fmt: skip
    if not numbers:
        return None

    def plain(value: Any) -> Any:
        return value.item() if any(value is one for one in numbers) else value

    return (*args[:own], *map(plain, args[own:])), {name: plain(value) for name, value in kwargs.items()}


def by_words(public: str, args: tuple, kwargs: dict[str, Any]) -> tuple[tuple, dict[str, Any]] | None:
    """Return an accepted call with its tensors by position and everything else by name; None if it is that already.

    So the forms of old are read too, `addmm(beta, input, alpha, mat1, mat2)` and their like; torch warns of them once.
    """
    if (accepted := _accepted(public, args, kwargs)) is None:
        return None
    own, entry, signature, bound = accepted
    given = [(parameter, value) for parameter, value in bound if value is not None]
    tensors = [value for parameter, value in given if parameter.kind == "Tensor" and parameter.name != "out"]
    named = {one.name: value for one, value in given if one.kind != "Tensor" or one.name == "out"}
    if len(tensors) + own == len(args) and named.keys() == kwargs.keys():
        return None
    if signature.hidden:
        _warn_of_old_form(entry, signature)
    return (*args[:own], *tensors), named


def _warn_of_old_form(entry: Entry, signature: Signature) -> None:
    from autograd_lab.core.switches import warn_once

    modern = "".join(f"\n\t{entry.called}{one.text}" for one in entry.signatures if not one.hidden)
    warn_once("overload", f"This overload of {entry.called} is deprecated:\n\t{entry.called}{signature.text}\n"
              f"Consider using one of the following signatures instead:{modern}", stacklevel=6)  # fmt: skip


class Unfit(TypeError):
    """The arguments do not fit a signature; the text is torch's."""


def refusal(public: str, args: tuple, kwargs: dict[str, Any]) -> Exception | None:
    """Return the error with which torch refuses a call, or None if its parser accepts the arguments.

    Args:
        public: a name of the table of signatures: "torch.sum", "Tensor.sum" (then the tensor is the first of `args`).
        args, kwargs: what was given.
    """
    entry = entry_of(public)
    stranger = foreign.find((*args, *kwargs.values()))
    if stranger is not None:
        return foreign.foreign_error(entry.called if entry is not None else public.rpartition(".")[2], stranger)
    if entry is None:
        return None
    if public.startswith("Tensor."):
        error, args = _bound_to(public[7:], args)
        if error is not None:
            return error
    try:
        _check(entry, args, kwargs, "TensorBase" if public.startswith("Tensor.") else "torch")
    except (TypeError, ValueError, OverflowError, RuntimeError) as found:
        for one in _flat((*args, *kwargs.values())):
            advice = getattr(type(one), "_where_a_tensor_is_wanted", None)  # what a class of the museum says here
            if advice is not None:
                found.add_note(advice.format(entry.called))
        return found
    return None


def _flat(values: tuple) -> Any:
    for value in values:
        if isinstance(value, (tuple, list)):
            yield from value
        else:
            yield value


def _bound_to(method: str, args: tuple) -> tuple[TypeError | None, tuple]:
    """Check that a method has its tensor, and take it off the arguments."""
    if not args:
        return TypeError(f"unbound method TensorBase.{method}() needs an argument"), args
    if not _is_tensor(args[0]):
        kind = type_name(args[0])
        text = f"descriptor '{method}' for 'torch._C.TensorBase' objects doesn't apply to a '{kind}' object"
        return TypeError(text), args
    return None, args[1:]


def _check(entry: Entry, args: tuple, kwargs: dict[str, Any], owner: str) -> None:
    """Raise torch's error unless one of the overloads takes the arguments."""
    name, signatures = entry
    if not signatures:
        if kwargs:
            raise TypeError(f"{owner}.{name}() takes no keyword arguments")
        if args:
            raise TypeError(f"{owner}.{name}() takes no arguments ({len(args)} given)")
        return
    if len(signatures) > 1:
        for one in signatures:
            try:
                bound = _bind(name, one, args, kwargs)
            except Unfit:
                continue
            _unpack(name, bound)
            return
        count = len(args) + len(kwargs)
        plausible = [one for one in signatures if not one.hidden and one.least <= count <= len(one.parameters)]
        if len(plausible) != 1:
            options = [one.text for one in signatures if not one.hidden]
            raise TypeError(combination_text(f"{name}()", args, kwargs, options))
        signatures = tuple(plausible)
    try:
        bound = _bind(name, signatures[0], args, kwargs)
    except Unfit as unfit:
        raise TypeError(*unfit.args) from None
    _unpack(name, bound)


def _bind(name: str, signature: Signature, args: tuple, kwargs: dict[str, Any]) -> list[tuple[Parameter, Any]]:
    """Return the parameters with what each of them gets, or raise Unfit with torch's words."""
    spread = signature.positional == 1 and _is_int_list_kind(signature.parameters[0]) and _is_int_list(args)[0]
    if len(args) > signature.positional and not spread:
        raise Unfit(_too_many(name, signature, args))
    found: list[tuple[Parameter, Any]] = []
    position, left = 0, len(kwargs)
    for parameter in signature.parameters:
        given = by_keyword = False
        value: Any = None
        if position < len(args):
            if parameter.keyword_only:
                raise Unfit(_too_many(name, signature, args))
            value, given = args[position], True
        else:
            word = next((word for word in parameter.names if word in kwargs), None)
            if word is not None:
                value, given, by_keyword = kwargs[word], True, True
        place = None if by_keyword else position + 1
        if given and not (value is None and parameter.may_be_none):
            fits, failed = _fits(name, parameter, value, len(found))
            if fits:
                found.append((parameter, value))
            elif spread and position == 0 and not by_keyword:
                found.append((parameter, args))
                position = len(args)
                continue
            else:
                raise Unfit(_wrong_type(name, parameter, value, place, failed))
        elif not given and not parameter.optional:
            raise Unfit(_missing(name, signature, len(found)))
        else:
            found.append((parameter, None))
        if by_keyword:
            left -= 1
        elif given:
            position += 1
    if left > 0:
        raise Unfit(_unknown(name, signature, args, kwargs))
    return found


def _too_many(name: str, signature: Signature, args: tuple) -> str:
    most, least, given = signature.positional, signature.least, len(args)
    if least != most:
        return f"{name}() takes from {least} to {most} positional arguments but {given} were given"
    return (f"{name}() takes {most} positional argument{'' if most == 1 else 's'} but {given} "
            f"{'was' if given == 1 else 'were'} given")  # fmt: skip


def _missing(name: str, signature: Signature, start: int) -> str:
    names = [f'"{one.name}"' for one in signature.parameters[start:] if not one.optional]
    return (f"{name}() missing {len(names)} required positional argument{'s' if len(names) == 1 else ''}: "
            f"{', '.join(names)}")  # fmt: skip


def _unknown(name: str, signature: Signature, args: tuple, kwargs: dict[str, Any]) -> str:
    names = [one.name for one in signature.parameters]
    for word in kwargs:
        if word not in names:
            return f"{name}() got an unexpected keyword argument '{word}'"
        if names.index(word) < len(args):
            return f"{name}() got multiple values for argument '{word}'"
    return "invalid keyword arguments"


def _wrong_type(name: str, parameter: Parameter, value: Any, place: int | None, failed: int | None) -> str:
    text = f"{name}(): argument '{parameter.name}'"
    if place is None:
        return f"{text} must be {parameter.shown}, not {type_name(value)}"
    text += f" (position {place}) must be {parameter.shown}, "
    if failed is not None:
        return text + f"but found element of type {type_name(value[failed])} at pos {failed}"
    return text + f"not {type_name(value)}"


def _unpack(name: str, bound: list[tuple[Parameter, Any]]) -> None:
    """Raise torch's error for integers that are too big, and for sequences that are integers only at their start."""
    for parameter, value in bound:
        if parameter.kind == "Device" and _is_int(value):
            from autograd_lab.core.tensor import check_device_name

            check_device_name(value)
        if isinstance(value, int) and parameter.kind in ("Scalar", "Tensor") and not -(2**63) <= value < 2**64:
            raise OverflowError("int too big to convert")
        if isinstance(value, int) and parameter.shown in ("int", "tuple of ints") and not -(2**63) <= value < 2**63:
            raise ValueError("Overflow when unpacking long long")
        if not _is_int_list_kind(parameter) or not isinstance(value, (tuple, list)):
            continue
        for position, one in enumerate(value):
            text = (f"{name}(): argument '{parameter.name}' failed to unpack the object at pos {position + 1} "
                    "with error ")  # fmt: skip
            if not _is_index(one, strict=False):
                raise TypeError(f'{text}"type must be tuple of ints,but got {type_name(one)}"')
            if not -(2**63) <= operator.index(one) < 2**63:
                raise TypeError(f'{text}"Overflow when unpacking long long')


# ------------------------------------------------------------------ what fits
def _is_tensor(value: Any) -> bool:
    from autograd_lab.core.tensor import Tensor

    return isinstance(value, Tensor)


def _is_zero_dim(value: Any, kinds: str) -> bool:
    return _is_tensor(value) and value._array.ndim == 0 and not value.requires_grad and value._array.dtype.kind in kinds


def _is_int(value: Any) -> bool:
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool)


def _is_index(value: Any, strict: bool = True) -> bool:
    if isinstance(value, (bool, np.bool_)):
        return not strict and isinstance(value, bool)
    try:
        operator.index(value)
    except Exception:
        return False
    return True


def _is_int_list_kind(parameter: Parameter) -> bool:
    return parameter.kind in ("IntArrayRef", "SymIntArrayRef")


def _is_int_list(value: Any, size: int = 0) -> tuple[bool, int | None]:
    """Say whether a value passes as a list of integers (torch looks at the first only), and which element does not."""
    if isinstance(value, (tuple, list)):
        return (True, None) if not value or _is_index(value[0]) else (False, 0)
    return size > 0 and (_is_int(value) or _is_zero_dim(value, "iu")), None


def _fits(name: str, parameter: Parameter, value: Any, number: int) -> tuple[bool, int | None]:
    """Say whether a value may be given for a parameter; for a sequence also which element is wrong."""
    kind = parameter.kind
    if _is_int_list_kind(parameter):
        return _is_int_list(value, parameter.size)
    if kind == "Tensor":
        return _is_tensor(value) or (name in NUMBERS_AS_TENSORS and _is_number(value)), None
    if kind in ("TensorList", "c10::List<::std::optional<Tensor>>"):
        return _is_tensor_list(value, number, kind != "TensorList"), None
    check = _CHECKS.get(kind)
    return check is None or check(value), None


def _is_number(value: Any) -> bool:
    return isinstance(value, (bool, int, float, complex, np.number, np.bool_))


def _is_tensor_list(value: Any, number: int, optional: bool) -> bool:
    if not isinstance(value, (tuple, list)):
        return False
    for position, one in enumerate(value):
        if not _is_tensor(one) and not (optional and one is None):
            raise TypeError(f"expected Tensor as element {position} in argument {number}, but got {type_name(one)}")
    return True


def _is_dtype(value: Any) -> bool:
    from autograd_lab.core.dtypes import dtype

    return isinstance(value, dtype) or any(value is kind for kind in (bool, int, float, complex))


def _is_device(value: Any) -> bool:
    from autograd_lab.core.tensor import device

    return isinstance(value, (device, str)) or _is_int(value)


def _is_layout(value: Any) -> bool:
    from autograd_lab.core.tensor import layout

    return isinstance(value, layout)


def _is_generator(value: Any) -> bool:
    from autograd_lab.core.random import Generator

    return isinstance(value, Generator)


def _is_float(value: Any) -> bool:
    return isinstance(value, (float, int)) or _is_zero_dim(value, "fiub")


_CHECKS: dict[str, Any] = {
    "Scalar": lambda value: _is_number(value) or _is_zero_dim(value, "fiub"),
    "double": _is_float,
    "int64_t": lambda value: _is_int(value) or _is_zero_dim(value, "iu"),
    "SymInt": lambda value: _is_int(value) or _is_zero_dim(value, "iu"),
    "bool": lambda value: isinstance(value, bool),
    "ArrayRef<double>": lambda value: isinstance(value, (tuple, list)) and (not value or _is_float(value[0])),
    "ScalarType": _is_dtype, "Device": _is_device, "Layout": _is_layout, "Generator": _is_generator,
    "MemoryFormat": lambda value: type_name(value) == "torch.memory_format",
    "c10::string_view": lambda value: isinstance(value, str), "std::string_view": lambda value: isinstance(value, str),
    "std::string": lambda value: isinstance(value, str),
}  # fmt: skip
