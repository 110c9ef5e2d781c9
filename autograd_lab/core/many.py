"""Declarations for operations on a sequence of tensors, and for those that return several views of one tensor.

`@joins` is for cat and stack: the first parameter is a sequence, the node has one edge for each tensor, the formula
returns one gradient for each. `@splits` is for unbind and split: the kernel returns several NumPy views, the node has
as many outputs, the formula gets all their gradients (zeros for those that did not arrive).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from autograd_lab.core import failures as fail
from autograd_lab.core import saved as saved_room
from autograd_lab.core import views
from autograd_lab.core.node import SLOTS, Output, node_class
from autograd_lab.core.op import Declaration, Vjp, arrays, functions, table, tensors
from autograd_lab.core.operands import forbidden_first, records, unrecorded, write_out
from autograd_lab.core.promotion import promote_many
from autograd_lab.core.provenance import user_frame
from autograd_lab.core.saved_attributes import read
from autograd_lab.core.state import local, mode, sequence
from autograd_lab.core.tensor import Tensor, wrap
from autograd_lab.core.versions import materialize


class ManyDeclaration(Declaration):
    """What both kinds of rows share: one formula, and plain values that the node saves for it."""

    many = True

    @property
    def row(self) -> Vjp:
        """The only derivative."""
        (row,) = self.rows.values()
        return row

    @cached_property
    def wanted(self) -> list[str]:
        """What the formula reads besides the gradient and the vocabulary."""
        from inspect import signature

        return [name for name in list(signature(self.row.function).parameters)[1:] if name != "xp"]

    @cached_property
    def saved(self) -> list[str]:  # type: ignore[override]
        """The names that the node keeps."""
        return self.wanted

    @cached_property
    def takes_vocabulary(self) -> bool:
        """Whether the formula asks for `xp`."""
        from inspect import signature

        return "xp" in signature(self.row.function).parameters

    def call(self, grad: Any, values: tuple, recorded: bool) -> Any:
        """Run the formula."""
        if self.takes_vocabulary:
            return self.row.function(grad, *values, xp=tensors if recorded else arrays)
        return self.row.function(grad, *values)

    def members(self) -> dict[str, Any]:
        """Return what both node classes have in common."""
        found: dict[str, Any] = {"declaration": self, "saved_names": tuple(self.wanted), "saved_outputs": ()}
        for name in self.wanted:
            sizes = name.endswith("_sizes") and name not in self.parameters
            shown = f"_saved_{name.removesuffix('_sizes') + '_sym_sizes' if sizes else name}"
            if not (name == f"{self.inputs[0]}_sizes" and self.inputs[0] == "tensors"):
                found[shown] = read(self, name, shown)
        return found

    def record(self, edges: tuple, values: tuple, fix: Any) -> Any:
        """Make the node of one call."""
        node = self.node()
        node.edges, node.saved, node.fix = edges, values, fix
        node.seq, node.clock, node.extra, node.site = sequence(), mode.clock, None, user_frame(2)
        return node

    def finish(self, node: Any) -> None:
        """Tell the modes about a new node."""
        if not mode.plain:
            saved_room.special(node, tuple(self.wanted), ())

    def bind(self, args: tuple, kwargs: dict) -> dict[str, Any]:
        """Match the arguments after the first one with the kernel's parameters."""
        found = {}
        rest = list(args)
        for name, parameter in list(self.parameters.items())[1:]:
            if rest:
                found[name] = rest.pop(0)
            elif name in kwargs:
                found[name] = kwargs.pop(name)
            elif name == "dim" and "axis" in kwargs:
                found[name] = kwargs.pop("axis")
            elif parameter.default is not parameter.empty:
                found[name] = parameter.default
            else:
                raise TypeError(f"{self.name}() missing 1 required positional arguments: {name!r}")
        if kwargs:
            raise TypeError(f"{self.name}() got an unexpected keyword argument {next(iter(kwargs))!r}")
        if rest:
            raise TypeError(f"{self.name}() takes {len(self.parameters)} positional arguments but more were given")
        return found


class Joining(ManyDeclaration):
    """A row for an operation on a sequence of tensors."""

    @cached_property
    def node(self) -> type:  # type: ignore[override]
        """The node class."""

        def backward(node: Any, grad: Any) -> Any:
            return self.call(grad, saved_values(node), False)

        def recorded(node: Any, grad: Any) -> Any:
            return self.call(grad, saved_values(node), True)

        return node_class(self.node_name, backward=backward, backward_recorded=recorded, **self.members())

    def forward(self, sequence_of: Any, args: tuple, kwargs: dict) -> Any:
        """Compute the result and record it."""
        out = kwargs.pop("out", None)
        if out is not None:
            given = self.check(sequence_of)
            if local.grad and any(one._node is not None for one in (*given, out)):
                raise RuntimeError(f"{self.name}(): functions with out=... arguments don't support automatic differentiation, but "  # noqa: E501
                                   "one of the arguments requires grad.")  # fmt: skip
            return write_out(out, self.function, sequence_of, *args, **kwargs)
        given = self.check(sequence_of)
        values = self.bind(args, kwargs)
        datas = [tensor._array for tensor in given]
        if not datas:
            self.kernel(datas)
        first = datas[0].dtype
        mixed = any(data.dtype is not first for data in datas)
        if mixed:
            target = promote_many(datas)
            datas = [data if data.dtype is target else data.astype(target) for data in datas]
        result = wrap(self.kernel(datas, **values))
        if all(tensor._node is None for tensor in given) or not (mode.plain or records(tuple(given))):
            if not mode.plain:
                unrecorded(result, tuple(given))
            return result
        values[f"{self.inputs[0]}_sizes"] = tuple(data.shape for data in datas)
        fix = tuple((t._array.shape, t._array.dtype) for t in given) if mixed else None
        node = self.record(tuple(t._node for t in given), tuple(values[name] for name in self.wanted), fix)
        self.finish(node)
        result._node = node
        return result

    def check(self, sequence_of: Any) -> list:
        """Return the sequence as a list of tensors, or raise as torch does."""
        name = self.name
        if not isinstance(sequence_of, (tuple, list)):
            raise TypeError(f"{name}(): argument 'tensors' (position 1) must be tuple of Tensors, not "
                            f"{type(sequence_of).__name__}")  # fmt: skip
        for position, one in enumerate(sequence_of):
            if not isinstance(one, Tensor):
                if type(one).__module__.partition(".")[0] == "torch" and hasattr(one, "grad_fn"):
                    raise fail.foreign_tensor(name, one)
                raise TypeError(f"expected Tensor as element {position} in argument 0, but got {type(one).__name__}")
            if mode.forbidden and local.grad:
                _ = one.grad_fn     # raises for a view that may no longer be used
        return list(sequence_of)


class Splitting(ManyDeclaration):
    """A row for an operation that returns several views."""

    tracked = True      # whether the parts are known as views

    @cached_property
    def node(self) -> type:  # type: ignore[override]
        """The node class; its number of outputs is decided by each call."""

        def backward(node: Any, grads: Any) -> Any:
            return splitting_backward(self, node, grads, False)

        def recorded(node: Any, grads: Any) -> Any:
            return splitting_backward(self, node, grads, True)

        return node_class(
            self.node_name, backward=backward, backward_recorded=recorded, __slots__=(*SLOTS, "shapes"),
            **self.members() | {"outputs": property(lambda node: len(node.shapes))},
        )  # fmt: skip

    def forward(self, input: Any, args: tuple, kwargs: dict) -> tuple:
        """Make the views and record them."""
        if not isinstance(input, Tensor):
            raise fail.bad_argument(self.name, "input", input, 1)
        values = self.bind(args, kwargs)
        array = materialize(input)
        forbidden_first((input,))
        parts = self.kernel(array, **values)
        creation = "multi_output" if local.grad and not local.inference else None
        results = []
        for part in parts:
            made = wrap(part)
            if self.tracked:
                views.make_view(made, input, creation)
            results.append(made)
        if input._node is None or not (mode.plain or records((input,))):
            if not mode.plain:
                unrecorded(tuple(results), (input,))
            return tuple(results)
        values["self_sizes"] = array.shape
        node = self.record((input._node,), tuple(values[name] for name in self.wanted), None)
        node.shapes = tuple(part.shape for part in parts)
        self.finish(node)
        for k, made in enumerate(results):
            made._node = Output(node, k)
        return tuple(results)


class Cutting(Splitting):
    """A row for an operation whose several results share the memory, but promise not to be views."""

    tracked = False


def saved_values(node: Any) -> tuple:
    """Return the values that the node keeps."""
    saved = node.saved
    return saved if type(saved) is tuple else tuple(saved_room.unpack(node))


def splitting_backward(decl: Splitting, node: Any, grads: Any, recorded: bool) -> tuple:
    """Run the formula of an operation with several views, with zeros for the views that sent no gradient."""
    if not isinstance(grads, (list, tuple)):
        grads = [grads]
    present = next((grad for grad in grads if grad is not None), None)
    if present is None:
        return (None,)
    full = []
    for grad, shape in zip(grads, node.shapes, strict=True):
        if grad is None:
            grad = np.zeros(shape, (present._array if recorded else present).dtype)
            grad = wrap(grad) if recorded else grad
        full.append(grad)
    return (decl.call(full, saved_values(node), recorded),)


def _declare(kind: type, formula: str, function: bool, method: bool, name: str | None, options: dict) -> Callable:
    rows = {key: value for key, value in options.items() if isinstance(value, Vjp)}
    rest = {key: value for key, value in options.items() if key not in rows}

    def declare(kernel: Callable) -> Callable:
        if name is not None:
            kernel.__name__ = name
        decl = kind(kernel, formula, rows, rest)

        def call(first: Any, *args: Any, **kwargs: Any) -> Any:
            return decl.forward(first, args, kwargs)

        def keyword(*args: Any, **kwargs: Any) -> Any:
            if args:
                return call(*args, **kwargs)
            for spelling in ("tensors", "input"):
                if spelling in kwargs:
                    return call(kwargs.pop(spelling), **kwargs)
            return call(**kwargs)

        keyword.__name__ = keyword.__qualname__ = decl.name
        keyword.__doc__, keyword.__module__ = kernel.__doc__, "autograd_lab"
        decl.function = keyword
        table[decl.name] = decl
        setattr(arrays, decl.name, kernel)
        setattr(tensors, decl.name, keyword)
        if function:
            functions[decl.name] = keyword
        if method:
            setattr(Tensor, decl.name, keyword)
        return keyword

    return declare


def joins(formula: str = "", /, *, name: str | None = None, function: bool = True, **options: Any) -> Callable:
    """Declare an operation on a sequence of tensors; options as for `op`."""
    return _declare(Joining, formula, function, False, name, options)


def splits(formula: str = "", /, *, name: str | None = None, function: bool = True, method: bool = True,
           **options: Any) -> Callable:  # fmt: skip
    """Declare an operation that returns several views; options as for `op`."""
    return _declare(Splitting, formula, function, method, name, options)


def cuts(formula: str = "", /, *, name: str | None = None, function: bool = True, method: bool = True,
         **options: Any) -> Callable:  # fmt: skip
    """Declare an operation that returns several parts which are no views; options as for `op`."""
    return _declare(Cutting, formula, function, method, name, options)


__all__ = ["Cutting", "Joining", "ManyDeclaration", "Splitting", "cuts", "joins", "splits"]
