"""The `@op` declaration: one row says an operation's value, its derivatives, what it saves and what it is called.

    @op(r"y = a \\odot b", dtype="promote", inplace=True, operators=("__mul__", "__rmul__"),
        self=Vjp(lambda grad, other: grad * other, r"\\bar a = \\bar y \\odot b"),
        other=Vjp(lambda grad, self: grad * self, r"\\bar b = \\bar y \\odot a"))
    def mul(self, other):
        return np.multiply(self, other)

The keyword rows are the differentiable inputs, in `next_functions` order. The parameter names of a formula say what is
saved: `grad` (or `grads`, a list, for several differentiable outputs), an input's name, `result` or an output's name,
`<input>_sizes`, `<input>_dtype`, any plain argument; `xp` is the vocabulary: functions on arrays in an ordinary
backward, on tensors when the backward is itself recorded.

Nothing is compiled at import. A declared function starts as a stub that, when first called, lets `codegen` write the
real code and swaps it in; the function object stays the same, so a captured reference becomes fast too.
"""

from __future__ import annotations

import linecache
import sys
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from autograd_lab.core import accumulate, codegen, operands, saved, views
from autograd_lab.core.inplace import augmented, inplace_twin
from autograd_lab.core.node import Output, node_class
from autograd_lab.core.provenance import GENERATED, user_files, user_frame
from autograd_lab.core.returns import return_type
from autograd_lab.core.rooms import Table, Vocabulary
from autograd_lab.core.state import local, mode, sequence
from autograd_lab.core.strided import strides_of
from autograd_lab.core.tensor import Tensor
from autograd_lab.core.versions import Cell, materialize

table: dict[str, Declaration] = Table()
arrays: Any = Vocabulary()      # `xp` of an ordinary backward
tensors: Any = Vocabulary()     # `xp` of a recorded backward
accumulate.tensors = tensors
functions: dict[str, Callable] = Table()     # public names of the package: torch.<name>


class Vjp:
    """One derivative: the vector-Jacobian product as a function, and the same as LaTeX for the learner."""

    __slots__ = ("function", "latex")

    def __init__(self, function: Callable, latex: str = "") -> None:
        self.function = function
        self.latex = latex


class Declaration:
    """A parsed row of the op table. Everything that costs time is computed when first asked for."""

    def __init__(self, kernel: Callable, formula: str, rows: dict[str, Any], options: dict[str, Any]) -> None:
        self.kernel = kernel
        self.name = kernel.__name__
        self.formula = formula
        self.rows = {name: row if isinstance(row, Vjp) else Vjp(row) for name, row in rows.items()}
        self.inputs = list(rows)
        self.dtype: str | None = options.pop("dtype", None)
        self.view: bool = options.pop("view", False)
        self.outputs: tuple[str, ...] = options.pop("outputs", ())
        self.differentiable: tuple[str, ...] = options.pop("differentiable", self.outputs)
        self.optional: tuple[str, ...] = options.pop("optional", ())
        self.extra_tensors: tuple[str, ...] = options.pop("tensors", ())
        self.numbers: bool = options.pop("numbers", self.dtype is not None)
        self.node_name: str = options.pop("node", None) or camel(self.name) + "Backward0"
        self.fix: str | None = options.pop("fix", None)
        self.out: bool = options.pop("out", not self.view)
        self.is_inplace: bool = options.pop("inplace", False)
        self.extra_condition: str = options.pop("unless", "")
        self.promoted_names = options.pop("promoted", None)
        self.return_type = options.pop("return_type", None)
        self.overlaps: bool | str = options.pop("overlaps", False)
        self.lists: tuple[str, ...] = options.pop("lists", ())
        self.hidden: tuple[str, ...] = options.pop("hidden", ())
        self.rows_only: bool = options.pop("row_order", False)
        self.redirect: tuple | None = options.pop("redirect", None)
        self.checks: Callable | None = options.pop("checks", None)
        if options:
            raise TypeError(f"@op {self.name}: unknown option {next(iter(options))!r}")
        self.function: Callable = stub(self, "function")
        self.is_public = True       # False for rows that only other rows and dispatchers call

    @cached_property
    def parameters(self) -> dict[str, Any]:
        """The kernel's parameters."""
        from inspect import signature  # here: it is slow to import, and not needed before the first call

        return dict(signature(self.kernel).parameters)

    @cached_property
    def tensor_names(self) -> list[str]:
        """The parameters that are tensors, in the kernel's order."""
        wanted = {*self.inputs, *self.extra_tensors}
        if unknown := wanted - set(self.parameters):
            raise TypeError(f"@op {self.name}: {sorted(unknown)} are no parameters of the kernel")
        return [name for name in self.parameters if name in wanted]

    @property
    def promoted(self) -> list[str]:
        """The tensors that take part in type promotion."""
        return list(self.promoted_names) if self.promoted_names is not None else self.tensor_names

    @cached_property
    def result_names(self) -> tuple[str, ...]:
        """The names under which a formula may ask for the operation's own result."""
        return self.outputs or ("result",)

    @property
    def grad_name(self) -> str:
        """`grads` when several outputs are differentiable, else `grad`."""
        return "grads" if len(self.differentiable) > 1 else "grad"

    @cached_property
    def _formula_parameters(self) -> dict[str, list[str]]:
        from inspect import signature

        return {name: list(signature(row.function).parameters) for name, row in self.rows.items()}

    @cached_property
    def takes_xp(self) -> dict[str, list[str]]:
        """Which rows ask for the vocabulary."""
        return {name: ["xp"] if "xp" in used else [] for name, used in self._formula_parameters.items()}

    @cached_property
    def uses(self) -> dict[str, list[str]]:
        """What each row reads besides the incoming gradient."""
        found = {}
        for row, used in self._formula_parameters.items():
            if used[:1] != [self.grad_name]:
                raise TypeError(f"@op {self.name}, row {row}: the first parameter must be {self.grad_name!r}")
            rest = [name for name in used[1:] if name != "xp"]
            for name in rest:
                stem = name.removesuffix("_strides").removesuffix("_dim")
                if name.endswith(("_sizes", "_dtype", "_numel")):
                    stem = name[:-6]
                stem = stem.partition("_argsize_")[0] if "_sym_argsize_" not in stem else stem
                if stem not in self.parameters and name not in self.result_names:
                    raise TypeError(f"@op {self.name}, row {row}: {name!r} is neither an input nor an argument")
            found[row] = rest
        return found

    @cached_property
    def saved(self) -> list[str]:
        """The names that the node keeps, in order of first use."""
        return list(dict.fromkeys(name for used in self.uses.values() for name in used))

    @property
    def derivatives(self) -> dict[str, str]:
        """The derivative of each input as LaTeX."""
        return {name: row.latex for name, row in self.rows.items()}

    @cached_property
    def node(self) -> type:
        """The node class."""
        frees = any(name in (*self.result_names, *self.tensor_names, *self.lists) for name in self.saved)
        members: dict[str, Any] = {
            "declaration": self, "saved_names": tuple(self.saved), "saved_outputs": self.result_names, "frees": frees,
            "outputs": max(1, len(self.differentiable)), "backward": stub(self, "backward"),
            "backward_recorded": stub(self, "backward_recorded"),
        }  # fmt: skip
        plain = self.node_name in ("NotImplemented", "CopyBackwards", "Error")
        shown = f"torch::autograd::{self.node_name}" if plain else None
        return node_class(self.node_name, shown, **members, **saved_attributes(self))

    def compiled(self, kind: str) -> types.FunctionType:
        """Compile one of the functions from the text that `codegen` writes.

        `kind` is "function", "operator", "backward" or "backward_recorded".
        """
        text = "\n".join(codegen.SOURCES[kind](self)) + "\n"
        file = f"{GENERATED}{self.name} {kind}>"
        linecache.cache[file] = (len(text), None, text.splitlines(True), file)
        made: dict[str, Any] = {}
        exec(compile(text, file, "exec"), self.space, made)
        (function,) = made.values()
        return function

    @cached_property
    def space(self) -> dict[str, Any]:
        """The globals of the compiled functions."""
        space: dict[str, Any] = {
            "__name__": "autograd_lab.ops", "Tensor": Tensor, "new": object.__new__, "kernel": self.kernel,
            "mode": mode, "local": local, "sequence": sequence, "Cell": Cell, "getframe": sys._getframe,
            "user_files": user_files, "user_frame": user_frame, "function": self.function, "arrays": arrays,
            "tensors": tensors,
            "make_view": views.make_view, "pack_outputs": self.pack_outputs, "saved_names": tuple(self.saved),
            "result_names": self.result_names, "Output": Output, "check": saved.check, "check_each": saved.check_each,
            "unpack": saved.unpack, "misfit": saved.misfit, "result_array": saved.result_array,
            "result_tensor": saved.result_tensor, "forbidden_first": operands.forbidden_first, "special": saved.special, "operand": operands.operand, "known_number": operands.known_number,  # noqa: E501
            "promoted": operands.promoted, "to_float": operands.to_float, "fits": operands.fits,
            "settled": operands.settled,
            "laid_out": operands.laid_out,
            "missing_argument": operands.missing_argument, "broadcast_error": operands.broadcast_error,
            "undifferentiable": operands.undifferentiable, "in_row_order": operands.in_row_order,
            "write_out": operands.write_out, "not_a_tensor": operands.not_a_tensor, "unrecorded": operands.unrecorded,
            "records": operands.records, "ndarray": np.ndarray, "materialize": materialize, "strides_of": strides_of,
        }  # fmt: skip
        if self.checks:
            space["checks"] = self.checks
        if self.redirect:
            space["redirect"], space["operator_redirect"] = self.redirect[1], self.redirect[-1]
        space["Node"] = self.node
        space |= {f"d_{name}": row.function for name, row in self.rows.items()}
        space |= {f"{name}_default": parameter.default for name, parameter in self.parameters.items()}
        return space

    @property
    def pack_outputs(self) -> Callable:
        """How several outputs are returned: a named tuple of torch.return_types, or a plain tuple."""
        return return_type(self.return_type) if self.return_type else tuple


def saved_attributes(decl: Declaration) -> dict[str, Any]:
    """Return the `_saved_*` and `_raw_saved_*` properties of a node class."""
    from autograd_lab.core.saved_attributes import raw, raw_list, read

    found = {}
    for name in decl.saved:
        if name in decl.hidden:
            continue
        is_tensor = name in decl.result_names or name in decl.tensor_names
        shown = name
        if "_argsize_" in name and "_sym_argsize_" not in name:
            shown = name.replace("_argsize_", "_sym_argsize_")
        for suffix in ("_sizes", "_strides", "_numel"):
            if name.endswith(suffix):
                shown = name.removesuffix(suffix) + "_sym" + suffix
        found[f"_saved_{shown}"] = read(decl, name, f"_saved_{shown}")
        if is_tensor:
            found[f"_raw_saved_{shown}"] = raw(decl, name)
        elif name in decl.lists:
            found[f"_raw_saved_{shown}"] = raw_list(decl, name)
    return found


def stub(decl: Declaration, kind: str) -> Any:
    """Return a function that compiles the declaration when first called and becomes the compiled function itself."""

    def compile_and_call(args: tuple, kwargs: dict) -> Any:
        real = decl.compiled(kind)
        function.__code__, function.__defaults__, function.__kwdefaults__ = (
            real.__code__, real.__defaults__, real.__kwdefaults__,
        )  # fmt: skip
        function.__globals__.update(decl.space)
        return function(*args, **kwargs)

    space = {"compile_and_call": compile_and_call, "__name__": "autograd_lab.ops", "__builtins__": __builtins__}
    function = types.FunctionType(_stub.__code__, space, decl.name)
    function.__qualname__ = decl.name
    function.__doc__ = decl.kernel.__doc__
    function.__module__ = "autograd_lab"
    return function


def _stub(*args: Any, **kwargs: Any) -> Any:
    return compile_and_call(args, kwargs)  # type: ignore[name-defined]  # noqa: F821


def camel(name: str) -> str:
    """Return an op's name as torch writes it in a node's name: masked_fill -> MaskedFill."""
    return "".join(part[:1].upper() + part[1:] for part in name.split("_"))


def op(formula: str = "", /, *, name: Any = None, method: Any = True, function: Any = True, operators: Any = (),
       aliases: Any = (), **options: Any) -> Callable:  # fmt: skip
    """Declare an operation; see the module's text for the rows.

    Options:
        dtype: "promote" brings the tensor operands to one dtype, "float" besides turns integers into the default
            float dtype; without it the kernel sees the arrays as they are.
        view: the kernel returns a NumPy view of the first input.
        outputs, differentiable: names of several outputs, and which of them carry gradients (default: all).
        tensors: parameters that are tensors but never differentiable. optional: tensors that may be None.
        promoted: which tensors take part in promotion (default: all).
        node: the node's class name, if it is not CamelCase + "Backward0".
        fix: "always" has the engine reduce and cast each gradient to its input's shape and dtype, "never" does not.
        inplace: also make the method with a trailing underscore. operators: dunder methods that are this op.
        redirect: (condition, function): calls for which the condition on the arguments holds go to the function: the
            other overloads of a name. A third entry is the function for calls by operator.
        checks: a function that sees the operands' arrays before promotion brings different dtypes together.
        lists: parameters that are sequences of tensors or None, never differentiable; their versions are checked too.
        overlaps: in place, it may write to memory in which several elements are one; a method's name: with a warning.
        row_order: the result lies in row order, however the operands lie.
        hidden: saved names that the node does not show as `_saved_<name>`.
        out: whether `out=` is accepted. method, function, aliases: the public names.
    """
    known = {"dtype", "view", "outputs", "differentiable", "tensors", "optional", "promoted", "node", "fix", "inplace",
             "out", "numbers", "unless", "return_type", "hidden", "lists", "overlaps", "redirect",
             "checks", "row_order"}  # fmt: skip
    rows = {key: value for key, value in options.items() if key not in known or isinstance(value, Vjp)}
    rest = {key: value for key, value in options.items() if key not in rows}

    def declare(kernel: Callable) -> Callable:
        if name is not None:
            kernel.__name__ = name
        decl = Declaration(kernel, formula, rows, dict(rest))
        if decl.name in table:
            raise TypeError(f"@op {decl.name}: declared twice")
        table[decl.name] = decl
        decl.is_public = function or method
        for public in (decl.name, *aliases):
            if function:
                functions[public] = decl.function
            if method:
                setattr(Tensor, public, decl.function)
            if decl.is_inplace:
                setattr(Tensor, public + "_", inplace_twin(decl, public + "_"))
        if operators:
            operator = stub(decl, "operator")
            for dunder in operators:
                setattr(Tensor, dunder, operator)
                if decl.is_inplace and not dunder.startswith("__r") and len(decl.inputs) == 2:
                    setattr(Tensor, "__i" + dunder[2:], augmented(decl, "__i" + dunder[2:]))
        setattr(arrays, decl.name, kernel)
        setattr(tensors, decl.name, decl.function)
        return decl.function

    return declare
