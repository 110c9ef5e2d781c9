"""Module: a function that owns parameters, buffers and further modules.

What a module can do besides is in rooms of its own: `tree` (walking over it), `states` (state dicts), `hooking` (hooks
around `forward`), `converting` (dtype, training mode, gradients).
"""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.parameter import Parameter
from autograd_lab.core.tensor import Tensor
from autograd_lab.nn.modules.converting import Converting
from autograd_lab.nn.modules.hooking import Hooking
from autograd_lab.nn.modules.states import States
from autograd_lab.nn.modules.tree import Tree

_MEMBERS = ("_parameters", "_buffers", "_modules")
_TABLES = (
    "_backward_pre_hooks", "_backward_hooks", "_forward_hooks", "_forward_hooks_with_kwargs",
    "_forward_hooks_always_called", "_forward_pre_hooks", "_forward_pre_hooks_with_kwargs", "_state_dict_hooks",
    "_state_dict_pre_hooks", "_load_state_dict_pre_hooks", "_load_state_dict_post_hooks",
)  # fmt: skip


def typename(value: Any) -> str:
    """Return a value's class as torch's messages write it."""
    if isinstance(value, Tensor):
        return value.dtype.tensor_type if type(value) is Tensor else _qualified(type(value))
    return _qualified(value if isinstance(value, type) else type(value))


def _qualified(cls: type) -> str:
    """Return a class's name with its module, without the module for Python's own classes."""
    module = cls.__module__
    return cls.__qualname__ if module in ("builtins", "__builtin__") else f"{module}.{cls.__qualname__}"


class Module(Tree, States, Hooking, Converting):
    """The base of everything that has parameters; subclasses call `super().__init__()` first and define `forward`.

    A `Parameter` or a Module assigned as an attribute becomes a member: it is found by `parameters()`, moves into
    `state_dict()`, changes with `train()` and `to()`.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.Module.html

    >>> import autograd_lab as torch
    >>> class Shift(torch.nn.Module):
    ...     def __init__(self):
    ...         super().__init__()
    ...         self.by = torch.nn.Parameter(torch.tensor([1.0, 2.0]))
    ...     def forward(self, x):
    ...         return x + self.by
    >>> [name for name, _ in Shift().named_parameters()]
    ['by']
    """

    training: bool
    call_super_init: bool = False
    dump_patches: bool = False
    _version: int = 1

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        if not self.call_super_init and kwargs:
            name = next(iter(kwargs))
            raise TypeError(f"{type(self).__name__}.__init__() got an unexpected keyword argument '{name}'")
        if not self.call_super_init and args:
            raise TypeError(f"{type(self).__name__}.__init__() takes 1 positional argument but {len(args) + 1} were "
                            "given")  # fmt: skip
        own = self.__dict__
        own["training"] = True
        for name in _MEMBERS:
            own[name] = {}
        own["_non_persistent_buffers_set"] = set()
        own["_is_full_backward_hook"] = None
        for name in _TABLES:
            own[name] = OrderedDict()
        if self.call_super_init:
            super().__init__(*args, **kwargs)

    def __getattr__(self, name: str) -> Any:
        own = self.__dict__
        for table in _MEMBERS:
            members = own.get(table)
            if members is not None and name in members:
                return members[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __setattr__(self, name: str, value: Any) -> None:
        own = self.__dict__
        parameters = own.get("_parameters")
        if isinstance(value, Parameter):
            if parameters is None:
                raise AttributeError("cannot assign parameters before Module.__init__() call")
            self._drop(name, except_for="_parameters")
            self.register_parameter(name, value)
        elif parameters is not None and name in parameters:
            if value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as parameter '{name}' "
                                "(torch.nn.Parameter or None expected)")  # fmt: skip
            self.register_parameter(name, value)
        elif isinstance(value, Module):
            if own.get("_modules") is None:
                raise AttributeError("cannot assign module before Module.__init__() call")
            self._drop(name, except_for="_modules")
            own["_modules"][name] = value
        elif name in own.get("_modules", ()):
            if value is not None:
                raise TypeError(f"cannot assign '{typename(value)}' as child module '{name}' "
                                "(torch.nn.Module or None expected)")  # fmt: skip
            own["_modules"][name] = value
        elif name in own.get("_buffers", ()):
            if value is not None and not isinstance(value, Tensor):
                refuse_strangers("__setattr__", value)
                raise TypeError(f"cannot assign '{typename(value)}' as buffer '{name}' "
                                "(torch.nn.Buffer, torch.Tensor or None expected)")  # fmt: skip
            own["_buffers"][name] = value
        else:
            if type(value).__name__ == "Parameter":     # one of the real torch, which nobody would train
                refuse_strangers("__setattr__", value)
            super().__setattr__(name, value)

    def __delattr__(self, name: str) -> None:
        own = self.__dict__
        for table in _MEMBERS:
            if name in own[table]:
                del own[table][name]
                own["_non_persistent_buffers_set"].discard(name)
                return
        super().__delattr__(name)

    def _drop(self, name: str, except_for: str) -> None:
        """Forget what stood under this name, so that no two kinds of member share it."""
        own = self.__dict__
        own.pop(name, None)
        for table in _MEMBERS:
            if table != except_for:
                own[table].pop(name, None)
        own["_non_persistent_buffers_set"].discard(name)

    def _check_name(self, kind: str, name: Any, table: str) -> None:
        """Raise torch's error for a name that a new member may not have."""
        if not isinstance(name, str):
            raise TypeError(f"{kind} name should be a string. Got {typename(name)}")
        if kind == "module" and hasattr(self, name) and name not in self.__dict__[table]:
            raise KeyError(f"attribute '{name}' already exists")
        if "." in name:
            raise KeyError(f"{kind} name can't contain \".\"" + (f", got: {name}" if kind == "module" else ""))
        if name == "":
            raise KeyError(f'{kind} name can\'t be empty string ""')
        if kind != "module" and hasattr(self, name) and name not in self.__dict__[table]:
            raise KeyError(f"attribute '{name}' already exists")

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter under a name; None reserves the name."""
        if "_parameters" not in self.__dict__:
            raise AttributeError("cannot assign parameter before Module.__init__() call")
        self._check_name("parameter", name, "_parameters")
        if param is not None and not isinstance(param, Parameter):
            refuse_strangers("register_parameter", param)
            raise TypeError(f"cannot assign '{typename(param)}' object to parameter '{name}' "
                            "(torch.nn.Parameter or None required)")  # fmt: skip
        if param is not None and param.grad_fn is not None:
            raise ValueError(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be created explicitly. To "
                f"express '{name}' as a function of another Tensor, compute the value in the forward() method."
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the state but is not learned; `persistent=False` keeps it out of state dicts."""
        if "_buffers" not in self.__dict__:
            raise AttributeError("cannot assign buffer before Module.__init__() call")
        self._check_name("buffer", name, "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            refuse_strangers("register_buffer", tensor)
            raise TypeError(f"cannot assign '{typename(tensor)}' object to buffer '{name}' "
                            "(torch Tensor or None required)")  # fmt: skip
        self._buffers[name] = tensor
        if persistent:
            self._non_persistent_buffers_set.discard(name)
        else:
            self._non_persistent_buffers_set.add(name)

    def add_module(self, name: str, module: Any) -> None:
        """Add a child module under a name."""
        if module is not None and not isinstance(module, Module):
            raise TypeError(f"{typename(module)} is not a Module subclass")
        self._check_name("module", name, "_modules")
        self._modules[name] = module

    def register_module(self, name: str, module: Any) -> None:
        """Add a child module under a name; the same as `add_module`."""
        self.add_module(name, module)

    def extra_repr(self) -> str:
        """Return what the repr shows in parentheses; subclasses override it."""
        return ""

    def _get_name(self) -> str:
        return self.__class__.__name__

    def __repr__(self) -> str:
        extra = self.extra_repr()
        lines = extra.split("\n") if extra else []
        children = [f"({name}): " + repr(child).replace("\n", "\n  ") for name, child in self._modules.items()]
        inside = lines + children
        if len(lines) == 1 and not children:
            return f"{self._get_name()}({lines[0]})"
        if not inside:
            return f"{self._get_name()}()"
        return f"{self._get_name()}(\n  " + "\n  ".join(inside) + "\n)"

    def __dir__(self) -> list[str]:
        names = [*dir(self.__class__), *self.__dict__, *(name for table in _MEMBERS for name in self.__dict__[table])]
        return sorted(name for name in names if not name[0].isdigit())

    def __setstate__(self, state: dict) -> None:
        self.__dict__.update(state)
        for name in _TABLES:
            self.__dict__.setdefault(name, OrderedDict())
