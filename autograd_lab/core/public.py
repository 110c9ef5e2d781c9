"""The public side of operations: what is behind `torch.sum` and `Tensor.sum`, and sends wrong calls to torch's words.

A declared operation gets, for each public name, a function of its own, compiled when first called: the arguments by
position, checked by their classes only where one is no plain tensor or number, then the operation's code as `codegen`
writes it. Everything else that is published is called through `guarded`. Both ask `calls.refusal` what torch would have
said as soon as something raises; on the way of a right call nothing is parsed.
"""

from __future__ import annotations

import linecache
import re
import types
from collections.abc import Callable, Iterable
from typing import Any

from autograd_lab.core import codegen
from autograd_lab.core.dtypes import of_python
from autograd_lab.core.provenance import GENERATED

MANY = 512      # of the classes that a name was called with, so many are remembered


class _Absent:
    def __repr__(self) -> str:
        return "absent"


absent: Any = _Absent()


class Admitted(set):
    """The classes of arguments that torch's parser has let in under a public name."""

    __slots__ = ("public",)

    def __init__(self, public: str) -> None:
        super().__init__()
        self.public = public


def admit(admitted: Admitted, args: tuple, kwargs: dict[str, Any] | None = None) -> None:
    """Raise torch's error for arguments that its parser refuses; it is asked once for each row of classes."""
    key: tuple = tuple(map(type, args))
    if kwargs:
        key = (*key, *kwargs, *map(type, kwargs.values()))
    if key in admitted:
        return
    refuse(admitted, args, kwargs or {})
    from autograd_lab.core.calls import with_numbers

    # A tensor that stands for a number has to be 0-d each time, which its class does not tell.
    if len(admitted) < MANY and with_numbers(admitted.public, args, kwargs or {}) is None:
        admitted.add(key)


def refuse(admitted: Admitted, args: tuple, kwargs: dict[str, Any]) -> None:
    """Raise the error with which torch's parser refuses a call, if it does."""
    from autograd_lab.core.calls import refusal  # here: it is needed only when something is wrong or new

    args = tuple([one for one in args if one is not absent])
    error = refusal(admitted.public, args, kwargs)
    if error is not None:
        raise error from None


def by_name(function: Callable, admitted: Admitted, values: tuple, extra: tuple, named: dict[str, Any]) -> Any:
    """Run an operation some of whose arguments came as keywords, or came too many."""
    args = values + extra
    if args and args[-1] is absent:
        args = tuple([one for one in args if one is not absent])
    if (*map(type, args), *named, *map(type, named.values())) not in admitted:
        admit(admitted, args, named)
    try:
        return function(*args, **named)
    except Exception as error:
        refuse(admitted, args, named)
        again = second_try(admitted, error, args, named)
        if again is None:
            raise
    return function(*again[0], **again[1])


def guarded(function: Callable, public: str) -> Callable:
    """Return a function that answers wrong calls in torch's words, and else does what the given one does."""
    admitted = Admitted(public)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs or tuple(map(type, args)) not in admitted:
            admit(admitted, args, kwargs)
            if "out" in kwargs and not _knows_out(function):
                return _into(function, args, kwargs)
        try:
            return function(*args, **kwargs)
        except Exception as error:
            refuse(admitted, args, kwargs)
            again = second_try(admitted, error, args, kwargs)
            if again is None:
                raise
        return function(*again[0], **again[1])

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return dressed(call, function, public)


def _knows_out(function: Any) -> bool:
    """Say whether a function has a parameter `out`, or takes any keyword."""
    code = function.__code__
    return bool(code.co_flags & 8) or "out" in code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def _into(function: Callable, args: tuple, kwargs: dict[str, Any]) -> Any:
    """Run a function that does not know `out=`, and put its result there."""
    from autograd_lab.core.operands import put_out

    kwargs = dict(kwargs)
    out = kwargs.pop("out")
    return put_out(function.__name__, function(*args, **kwargs), out)


def second_try(admitted: Admitted, error: Exception, args: tuple, kwargs: dict[str, Any]) -> tuple | None:
    """Return an accepted call that failed with its 0-d tensors as numbers, or None if that is not why it failed.

    Raises NotImplementedError for a form of the call that torch has and the lab has not.
    """
    from autograd_lab.core.calls import by_words, with_numbers
    from autograd_lab.core.failures import too_large

    name = admitted.public.rpartition(".")[2]
    if "dtype" in kwargs and of_python(kwargs["dtype"]) is not kwargs["dtype"]:
        return args, {**kwargs, "dtype": of_python(kwargs["dtype"])}
    if type(error) is TypeError and not _NUMPY_NAMES.keys().isdisjoint(kwargs):
        if name in ("norm", "split"):       # written in Python in torch, and there without NumPy's names
            called = f"Tensor.{name}" if admitted.public.startswith("Tensor.") else name
            word = next(word for word in kwargs if word in _NUMPY_NAMES)
            raise TypeError(f"{called}() got an unexpected keyword argument {word!r}")
        return args, {_NUMPY_NAMES.get(word, word): value for word, value in kwargs.items()}
    if (unmade := too_large(error, args)) is not None:
        raise unmade from None
    again = with_numbers(admitted.public, args, kwargs)
    if again is None and type(error) is TypeError and re.search(_NOT_TAKEN, str(error)):
        again = by_words(admitted.public, args, kwargs)
        if again is not None:
            return again
        raise NotImplementedError(f"{name}(): torch takes these arguments, autograd_lab has not this form: {error}")
    return again


_NUMPY_NAMES = {"axis": "dim", "keepdims": "keepdim"}
_NOT_TAKEN = r"positional arguments? but|positional arguments? \(and|unexpected keyword argument"


def dressed(function: Any, like: Any, public: str) -> Any:
    """Give a function the name of a public one, and the documentation of another."""
    function.__name__ = function.__qualname__ = public.partition(".")[2]
    function.__doc__, function.__module__ = like.__doc__, like.__module__
    function.is_public = True
    return function


# ------------------------------------------------------------------ declared operations
def public_stub(decl: Any, public: str) -> Callable:
    """Return the public function of a declared operation; it compiles itself when first called."""

    def compile_and_call(args: tuple, kwargs: dict) -> Any:
        text = "\n".join(source(decl)) + "\n"
        file = f"{GENERATED}{public}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        made: dict[str, Any] = {}
        space = decl.space | {"absent": absent, "admit": admit, "refuse": refuse, "by_name": by_name,
                              "second_try": second_try, "admitted": Admitted(public)}  # fmt: skip
        exec(compile(text, file, "exec"), space, made)
        (real,) = made.values()
        function.__code__, function.__defaults__ = real.__code__, real.__defaults__
        function.__globals__.update(space)
        return function(*args, **kwargs)

    space = {"compile_and_call": compile_and_call, "__name__": "autograd_lab.ops", "__builtins__": __builtins__}
    function = types.FunctionType(_stub.__code__, space, decl.name)
    return dressed(function, decl.function, public)


def _stub(*args: Any, **kwargs: Any) -> Any:
    return compile_and_call(args, kwargs)  # type: ignore[name-defined]  # noqa: F821


def source(decl: Any) -> list[str]:
    """Return the source of the public function."""
    shape = Shape(decl)
    values = shape.values(len(shape.positional))
    lines = [f"def forward({', '.join(f'{name}=absent' for name in shape.positional)}, /, *extra_, **named_):",
             "    if extra_:", f"        return by_name(function, admitted, ({values}), extra_, named_)",
             "    if named_:", *shape.words(), "    else:", *shape.places()]  # fmt: skip
    nothing = [*codegen.numpy_names(decl), *(["out"] if decl.out else [])]
    if nothing:
        lines.append(f"    {' = '.join(nothing)} = None")
    body = ["    " + line for line in codegen.forward(decl)[1:]]
    refusing = f"        refuse(admitted, values_ if named_ else ({values})[:given_], named_)"
    again = f"        again_ = second_try(admitted, error_, values_ if named_ else ({values})[:given_], named_)"
    return [*lines, "    try:", *body, "    except Exception as error_:", refusing, again,
            "        if again_ is None:", "            raise", "    return function(*again_[0], **again_[1])"]


class Shape:
    """The parameters of an operation's public function, and the lines that take the arguments in."""

    def __init__(self, decl: Any) -> None:
        self.tensors = {codegen.public(name) for name in decl.tensor_names}
        self.parameters = {codegen.public(name): one for name, one in decl.parameters.items()}
        self.positional = [name for name, one in self.parameters.items() if one.kind is not one.KEYWORD_ONLY]
        self.keyword_only = [name for name in self.parameters if name not in self.positional]
        # The text of each default; a required `dim` may also come as `axis`.
        self.default: dict[str, str] = {}
        for original, one in decl.parameters.items():
            if one.default is not one.empty:
                self.default[codegen.public(original)] = f"{original}_default"
            elif original == "dim" and codegen.takes_axis(decl):
                self.default["dim"] = "None"

    def values(self, count: int) -> str:
        """Return the first parameters as the inside of a tuple."""
        return "".join(f"{name}, " for name in self.positional[:count])

    def odd(self, names: list[str]) -> str:
        """Return a test: is one of these no plain tensor, integer or flag, so that torch's parser has to be asked?"""
        tests = []
        for name in names:
            default = self.parameters[name].default
            kind = {bool: "bool", float: "float"}.get(type(default), "int")
            tests.append(f"type({name}) is not Tensor" if name in self.tensors else f"{name}.__class__ is not {kind}")
        return " or ".join(tests)

    def places(self) -> list[str]:
        """Return the lines for a call without keywords."""
        count = len(self.positional)
        lines = [f"        {name} = {self.default[name]}" for name in self.keyword_only]
        first = next((k for k, name in enumerate(self.positional) if name in self.default), count)
        for place in range(first, count):
            lines += [f"        {'if' if place == first else 'elif'} {self.positional[place]} is absent:",
                      f"            given_ = {place}", *self.check(place, "            ")]  # fmt: skip
            lines += [f"            {name} = {self.default[name]}" for name in self.positional[place:]]
        if first == count:
            return [*lines, f"        given_ = {count}", *self.check(count, "        ")]
        return [*lines, "        else:", f"            given_ = {count}", *self.check(count, "            ")]

    def check(self, count: int, indent: str) -> list[str]:
        """Return the lines that ask torch's parser about the first arguments if one of them is out of the ordinary."""
        if not count:
            return []
        return [f"{indent}if {self.odd(self.positional[:count])}:",
                f"{indent}    admit(admitted, ({self.values(count)}))"]  # fmt: skip

    def words(self) -> list[str]:
        """Return the lines for a call with keywords; what they leave over is for `by_name`."""
        count = " ".join(f"{place} if {name} is absent else" for place, name in enumerate(self.positional))
        lines = [f"        given_ = {count} {len(self.positional)}",
                 f"        values_ = ({self.values(len(self.positional))})[:given_]",
                 "        left_ = len(named_); odd_ = False"]  # fmt: skip
        for name in self.parameters:
            odd = f"if {self.odd([name])}:"
            take = [f"if {name!r} in named_:", f"    {name} = named_[{name!r}]", "    left_ -= 1", f"    {odd}",
                    "        odd_ = True"]  # fmt: skip
            if name in self.default:
                take += ["else:", f"    {name} = {self.default[name]}"]
            if name in self.positional:
                take = [f"if {name} is absent:", *["    " + line for line in take], f"el{odd}", "    odd_ = True"]
            lines += ["        " + line for line in take]
        required = [f" or {name} is absent" for name in self.parameters if name not in self.default]
        lines += [f"        if left_{''.join(required)}:",
                  "            return by_name(function, admitted, values_, extra_, named_)",
                  "        if odd_:", "            admit(admitted, values_, named_)"]  # fmt: skip
        return lines


# ------------------------------------------------------------------ publishing
def publish(functions: dict[str, Callable], methods: type, table: dict[str, Any]) -> None:
    """Put the public functions in the place of those that the rooms have left in the tables of names."""
    declared = {id(decl.function): decl for decl in table.values()}
    for section, names in (("torch", functions), ("Tensor", dict(vars(methods)))):
        for name, function in list(names.items()):
            if type(function) is not types.FunctionType or name.startswith("_") or hasattr(function, "is_public"):
                continue
            if section == "Tensor" and function.__module__.startswith("autograd_lab.core.tensor"):
                continue
            decl = declared.get(id(function))
            public = f"{section}.{name}"
            plain = decl is None or getattr(decl, "many", False)
            made = guarded(function, public) if plain else public_stub(decl, public)
            if section == "torch":
                functions[name] = made
            else:
                setattr(methods, name, made)


def publish_methods(methods: type) -> None:
    """Guard the methods in the class's own body that torch's parser checks; those that take nothing at little cost."""
    for name in _TAKE_NOTHING:
        setattr(methods, name, bare(getattr(methods, name), f"Tensor.{name}"))
    for name in _TAKE_ARGUMENTS:
        setattr(methods, name, guarded(getattr(methods, name), f"Tensor.{name}"))


_TAKE_NOTHING = ("data_ptr", "detach", "detach_", "dim", "element_size", "is_complex", "is_floating_point",
                 "is_inference", "is_signed", "item", "ndimension", "nelement", "numel", "retain_grad",
                 "storage_offset", "tolist")  # fmt: skip
_TAKE_ARGUMENTS = ("is_contiguous", "numpy", "requires_grad_", "size", "stride")


def bare(function: Callable, public: str) -> Callable:
    """Return a method without arguments that says so in torch's words."""
    admitted = Admitted(public)

    def call(self: Any = absent, /, *extra: Any, **named: Any) -> Any:
        if extra or named or self is absent:
            refuse(admitted, (self, *extra), named)
        try:
            return function(self)
        except Exception:
            refuse(admitted, (self, *extra), named)
            raise

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return dressed(call, function, public)


def publish_inner(space: dict[str, Any], inner: dict[str, tuple]) -> None:
    """Guard Python functions by the signatures of what torch's own versions of them hand their arguments to.

    Args:
        space: the module's names.
        inner: for each function the name of the inner one, and what that gets: names of the function's parameters, a
            name in a list for a number or a pair that is handed on as a pair, or values that are no strings.
    """
    for name, (public, *order) in inner.items():
        space[name] = behind(space[name], f"inner.{public}", order)


def behind(function: Callable, public: str, order: list) -> Callable:
    """Return the function, with errors of its arguments worded for the inner function that torch gives them to."""
    admitted = Admitted(public)
    seen: set[tuple] = set()

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            made = function(*args, **kwargs)
        except Exception:
            if (handed := handed_on(function, order, args, kwargs)) is not None:
                refuse(admitted, handed, {})
            raise
        # What the lab's own arithmetic takes, such as a tensor for a number, the inner parser may still refuse.
        key = (*map(type, args), *kwargs, *map(type, kwargs.values()))
        if key not in seen and (handed := handed_on(function, order, args, kwargs)) is not None:
            admit(admitted, handed)
            if tuple(map(type, handed)) in admitted and len(seen) < MANY:
                seen.add(key)
        return made

    call.__wrapped__ = function  # type: ignore[attr-defined]
    return dressed(call, function, f"torch.{function.__name__}")


def handed_on(function: Callable, order: list, args: tuple, kwargs: dict[str, Any]) -> tuple | None:
    """Return what a Python function hands on to an inner one, or None if its own arguments do not fit."""
    from inspect import signature  # here: it is slow to import

    try:
        bound = signature(function).bind(*args, **kwargs)
    except TypeError:
        return None
    bound.apply_defaults()

    def value(one: Any) -> Any:
        if isinstance(one, list):
            found = bound.arguments[one[0]]
            return tuple(found) if isinstance(found, (tuple, list)) else (found, found)
        return bound.arguments[one] if isinstance(one, str) else one

    return tuple([value(one) for one in order])


def publish_module(section: str, names: Iterable[str], space: dict[str, Any]) -> None:
    """Guard the functions of a module; those that are public already under torch's own names stay as they are."""
    for name in names:
        if not hasattr(space[name], "is_public"):
            space[name] = guarded(space[name], f"{section}.{name}")
