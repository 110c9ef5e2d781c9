"""The Variable: a tensor in a wrapper that remembers where it came from."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import autograd_lab as torch
from autograd_lab.legacy.lifting import lift
from autograd_lab.legacy.node import remember, shown
from autograd_lab.legacy.printing import old_text

BOTH = "Variable can't be volatile and require_grad at the same time!"
COMPUTED = "you can only change requires_grad flags of leaf variables."
HINT = (
    " If you want to use a computed variable in a subgraph that doesn't require differentiation use var_no_grad = "
    "var.detach()."
)
# What a Variable could not do: all of it came with 0.4, or belonged to tensors alone.
LATER = frozenset(("item", "numpy", "requires_grad_", "retains_grad", "tolist", "dtype", "device", "ndim", "layout"))


class Variable:
    """Wrap a tensor, so that what is computed from it can be differentiated.

    Args:
        data: the tensor; its memory is shared.
        requires_grad: whether gradients are wanted.
        volatile: whether to record nothing of what is computed from it; every result is volatile too.

    Raises TypeError for data that is no tensor, RuntimeError for both flags at once.

    >>> import autograd_lab as torch
    >>> y = Variable(torch.ones(2), volatile=True) * Variable(torch.ones(2), requires_grad=True)
    >>> y.volatile, y.requires_grad
    (True, False)
    """

    __slots__ = ("__weakref__", "_data", "_grad", "_tensor", "_volatile", "name")
    _where_a_tensor_is_wanted = "Today's functions take tensors. For Variables: autograd_lab.legacy.{0}."

    def __init__(self, data: Any = None, requires_grad: bool = False, volatile: bool = False) -> None:
        if volatile and requires_grad:
            raise RuntimeError(BOTH)
        if data is None:
            data = torch.empty(0)
        if not isinstance(data, torch.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(data).__name__}")
        self._tensor = data.detach()
        self._tensor.requires_grad_(requires_grad)
        self._data = data if not data.requires_grad and data.dim() else None
        self._volatile = volatile
        self._grad: Variable | None = None
        self.name: str | None = None
        remember(self)

    @classmethod
    def _of(cls, tensor: Any, volatile: bool = False) -> Variable:
        """Return a Variable around a tensor and its place in the graph."""
        made = cls.__new__(cls)
        made._tensor, made._volatile, made._data, made._grad, made.name = tensor, volatile, None, None, None
        return made

    def _become_volatile(self) -> None:
        self._tensor = self._tensor.detach()
        self._volatile = True

    # ------------------------------------------------------------------ what it holds
    @property
    def data(self) -> Any:
        """The tensor inside; a result without dimensions shows one, as every tensor had one."""
        if self._data is None:
            inside = self._tensor.data
            self._data = inside if inside.dim() else inside.view(1)
        return self._data

    @data.setter
    def data(self, value: Any) -> None:
        if not isinstance(value, torch.Tensor):
            raise TypeError(f"Variable data has to be a tensor, but got {type(value).__name__}")
        self._tensor.data = value
        self._data = value

    @property
    def grad(self) -> Variable | None:
        """The gradient, itself a Variable; None before the first backward and for what is not a leaf."""
        inside = self._tensor.grad if self._tensor.is_leaf else None
        if inside is None:
            self._grad = None
        elif self._grad is None or self._grad._tensor is not inside:
            # A gradient whose own computation was not recorded was volatile.
            self._grad = Variable._of(inside, volatile=not inside.requires_grad)
        return self._grad

    @grad.setter
    def grad(self, value: Variable | None) -> None:
        if value is not None and not isinstance(value, Variable):
            raise TypeError(f"expected Variable or None (got {type(value).__name__})")
        self._tensor.grad = None if value is None else value._tensor
        self._grad = value

    @property
    def grad_fn(self) -> Any:
        """What computed this Variable: an old-style Function, or a node of the engine; None for a leaf."""
        return shown(self._tensor.grad_fn)

    @property
    def creator(self) -> Any:
        """The name that `grad_fn` had in 0.1."""
        return self.grad_fn

    @property
    def is_leaf(self) -> bool:
        """Whether the Variable was made by the user."""
        return self._tensor.is_leaf

    @property
    def output_nr(self) -> int:
        """Which output of `grad_fn` this is."""
        return self._tensor.output_nr

    @property
    def requires_grad(self) -> bool:
        """Whether gradients flow to this Variable."""
        return self._tensor.requires_grad

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("requires_grad must be a bool")
        if not self.is_leaf:
            raise RuntimeError(COMPUTED + (HINT if not value else ""))
        if value and self._volatile:
            raise RuntimeError(BOTH)
        self._tensor.requires_grad_(value)

    @property
    def volatile(self) -> bool:
        """Whether nothing of what is computed from this Variable is recorded."""
        return self._volatile

    @volatile.setter
    def volatile(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise RuntimeError("volatile must be a bool")
        if not self.is_leaf:
            raise RuntimeError("volatile can only be set on leaf variables")
        if value and self.requires_grad:
            raise RuntimeError(BOTH)
        self._volatile = value

    @property
    def shape(self) -> Any:
        """The size of each dimension; at least one."""
        return self.data.shape

    def size(self, dim: int | None = None) -> Any:
        """Return the size of each dimension, or of one."""
        return self.data.size() if dim is None else self.data.size(dim)

    def dim(self) -> int:
        """Return the number of dimensions; at least one."""
        return self.data.dim()

    # ------------------------------------------------------------------ what it does
    def backward(self, gradient: Any = None, retain_graph: bool | None = None, create_graph: bool | None = None,
                 retain_variables: bool | None = None, *, grad_variables: Any = None) -> None:  # fmt: skip
        """Compute the gradients of all leaves below and add them to their `.grad`; see `legacy.backward`."""
        from autograd_lab.legacy.backward import backward, one_of

        retain_graph = one_of(retain_graph, retain_variables)
        if gradient is not None and grad_variables is not None:
            raise ValueError("only one of gradient and grad_variables can be specified")
        given = gradient if gradient is not None else grad_variables
        if isinstance(given, (list, tuple)) and len(given) == 1 and isinstance(given[0], (Variable, torch.Tensor)):
            given = given[0]
        elif isinstance(given, (list, tuple)):
            given = torch.tensor(given, dtype=self._tensor.dtype)
        backward(self, given, retain_graph, create_graph)

    def register_hook(self, hook: Callable) -> Any:
        """Call `hook(grad)` with each gradient, a Variable; a returned Variable replaces it."""
        if self._volatile:
            raise RuntimeError("cannot register a hook on a volatile variable")
        if not self.requires_grad:
            raise RuntimeError("cannot register a hook on a variable that doesn't require gradient")

        def with_variable(grad: Any) -> Any:
            changed = hook(Variable._of(grad, volatile=not grad.requires_grad))
            return None if changed is None else changed._tensor

        return self._tensor.register_hook(with_variable)

    def detach(self) -> Variable:
        """Return a Variable with the same data outside the graph; volatile if this one is."""
        return Variable._of(self._tensor.detach(), self._volatile)

    def detach_(self) -> Variable:
        """Take this Variable itself out of the graph; return it."""
        self._tensor.detach_()
        return self

    def __getattr__(self, name: str) -> Any:
        # Names of the engine's own stay inside, or its functions would take a Variable for a tensor.
        if (name.startswith("_") and name != "_version") or name in LATER or not hasattr(torch.Tensor, name):
            error = AttributeError(f"'Variable' object has no attribute '{name}'")
            if name in LATER:
                error.add_note(f"Variables got {name!r} in 0.4, when they became tensors. Before: variable.data.")
            raise error
        method = getattr(torch.Tensor, name)
        if not callable(method):
            return lift(lambda tensor: getattr(tensor, name), name)(self)
        lifted = lift(method, name)
        return lambda *args, **kwargs: lifted(self, *args, **kwargs)

    def __repr__(self) -> str:
        return "Variable containing:" + old_text(self._tensor.data)

    def __bool__(self) -> bool:
        if self._tensor.numel() == 0:
            return False
        raise RuntimeError(f"bool value of Variable objects containing non-empty {self._tensor.type()} is ambiguous")

    def __float__(self) -> float:
        return float(self._tensor.data)

    def __int__(self) -> int:
        return int(self._tensor.data)

    def __len__(self) -> int:
        return len(self.data)

    def __iter__(self) -> Iterator:
        return iter([self[position] for position in range(len(self))])

    def __getitem__(self, index: Any) -> Variable:
        if not self._tensor.dim() and index in (0, -1):
            return self
        return lift(torch.Tensor.__getitem__, "getitem")(self, index)

    def __setitem__(self, index: Any, value: Any) -> None:
        lift(torch.Tensor.__setitem__, "setitem")(self, index, value)

    def __deepcopy__(self, memo: dict) -> Variable:
        if not self.is_leaf:
            raise RuntimeError("Only Variables created explicitly by the user (graph leaves) support the deepcopy "
                               "protocol at the moment")  # fmt: skip
        made = Variable(self.data.clone(), self.requires_grad, self._volatile)
        memo[id(self)] = made
        return made


def _operator(name: str) -> Callable:
    lifted = lift(getattr(torch.Tensor, name), name.strip("_"))

    def method(self: Variable, *args: Any) -> Any:
        return lifted(self, *args)

    method.__name__ = name
    return method


for _name in ("add", "radd", "sub", "rsub", "mul", "rmul", "truediv", "rtruediv", "pow", "rpow", "matmul", "neg",
              "iadd", "isub", "imul", "itruediv", "mod", "eq", "ne", "lt", "le", "gt", "ge"):  # fmt: skip
    if hasattr(torch.Tensor, f"__{_name}__"):
        setattr(Variable, f"__{_name}__", _operator(f"__{_name}__"))
Variable.__hash__ = object.__hash__  # type: ignore[method-assign]
