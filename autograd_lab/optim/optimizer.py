"""The optimizers' common base: parameter groups, state, steps, hooks around a step, state dicts."""

from __future__ import annotations

import functools
import warnings
from collections import OrderedDict, defaultdict
from collections.abc import Callable, Iterable
from copy import deepcopy
from itertools import chain
from typing import Any

from autograd_lab.autograd import enable_grad, no_grad
from autograd_lab.core.foreign import refuse_strangers
from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.parameter import clear_gradients
from autograd_lab.core.tensor import Tensor
from autograd_lab.nn.modules.module import typename

DUPLICATES = (
    "optimizer contains a parameter group with duplicate parameters; in future, this will cause an error; see "
    "github.com/pytorch/pytorch/issues/40967 for more information"
)
NAMES = "all optimizer params should be with/without names. Some param names are missing"
OTHER_NAMES = (
    "all optimizer param groups should be with/without names. cannot add param group {} to the optimizer"
)
SETS = (
    "optimizer parameters need to be organized in ordered collections, but the ordering of tensors in sets will change "
    "between runs. Please use a list instead."
)


class _Required:
    """Stands for an option that every parameter group must bring."""

    def __repr__(self) -> str:
        return "<required parameter>"


required = _Required()


def _hooked(step: Callable) -> Callable:
    """Return a class's `step` with the hooks of the optimizer called around it."""

    @functools.wraps(step)
    def wrapper(*args: Any, **kwargs: Any) -> Any:
        self = args[0]
        for hook in list(self._optimizer_step_pre_hooks.values()):
            changed = hook(self, args, kwargs)
            if changed is not None:
                if not isinstance(changed, tuple) or len(changed) != 2:
                    raise RuntimeError(f"{step} must return None or a tuple of (new_args, new_kwargs), but got "
                                       f"{changed}.")  # fmt: skip
                args, kwargs = changed
        result = step(*args, **kwargs)
        for hook in list(self._optimizer_step_post_hooks.values()):
            hook(self, args, kwargs)
        return result

    wrapper.hooked = True  # type: ignore[attr-defined]
    return wrapper


class Optimizer:
    """Change parameters by their gradients; the base of all optimizers.

    Args:
        params: tensors, or (name, tensor) pairs, or dicts with "params" and options of their own.
        defaults: the options of groups that do not bring them.

    Raises TypeError for parameters that are no tensors, ValueError for none at all, for computed ones and for one that
    stands in two groups.
    Source: https://docs.pytorch.org/docs/stable/optim.html
    """

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        self.defaults = defaults
        self._optimizer_step_pre_hooks: OrderedDict = OrderedDict()
        self._optimizer_step_post_hooks: OrderedDict = OrderedDict()
        self._patch_step_function()
        if isinstance(params, Tensor):
            raise TypeError("params argument given to the optimizer should be an iterable of Tensors or dicts, but got "
                            + typename(params))  # fmt: skip
        self.state: Any = defaultdict(dict)
        self.param_groups: list[dict[str, Any]] = []
        groups = list(params)
        if not groups:
            raise ValueError("optimizer got an empty parameter list")
        for group in groups if isinstance(groups[0], dict) else [{"params": groups}]:
            self.add_param_group(group)

    def _patch_step_function(self) -> None:
        step = type(self).step
        if not getattr(step, "hooked", False):
            type(self).step = _hooked(step)  # type: ignore[method-assign]

    def __getstate__(self) -> dict[str, Any]:
        return {"defaults": self.defaults, "state": self.state, "param_groups": self.param_groups}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.__dict__.setdefault("_optimizer_step_pre_hooks", OrderedDict())
        self.__dict__.setdefault("_optimizer_step_post_hooks", OrderedDict())
        self._patch_step_function()

    def __repr__(self) -> str:
        text = f"{type(self).__name__} ("
        for number, group in enumerate(self.param_groups):
            text += f"\nParameter Group {number}\n"
            text += "".join(f"    {name}: {group[name]}\n" for name in sorted(group) if name != "params")
        return text + ")"

    def add_param_group(self, param_group: dict[str, Any]) -> None:
        """Add parameters with options of their own; options that it lacks are the defaults."""
        if not isinstance(param_group, dict):
            raise TypeError(f"param_group must be a dict, but got {type(param_group)}")
        params = param_group["params"]
        if isinstance(params, set):
            raise TypeError(SETS)
        params = [params] if isinstance(params, Tensor) else list(params)
        names = [entry[0] for entry in params if isinstance(entry, tuple)]
        params = param_group["params"] = [entry[1] if isinstance(entry, tuple) else entry for entry in params]
        if names:
            if len(names) != len(params):
                raise ValueError(NAMES)
            param_group["param_names"] = names
        for param in params:
            if not isinstance(param, Tensor):
                refuse_strangers("Optimizer", param)
                raise TypeError(f"optimizer can only optimize Tensors, but one of the params is {typename(param)}")
            if not self.defaults.get("differentiable", None) and not (param.is_leaf or param.retains_grad):
                raise ValueError("can't optimize a non-leaf Tensor")
        for name, default in self.defaults.items():
            if default is required and name not in param_group:
                raise ValueError(f"parameter group didn't specify a value of required optimization parameter {name}")
            param_group.setdefault(name, default)
        if len(params) != len(set(params)):
            warnings.warn(DUPLICATES, stacklevel=3)
        self._check_against_others(param_group)
        self.param_groups.append(param_group)

    def _check_against_others(self, param_group: dict[str, Any]) -> None:
        known: set = set()
        for group in self.param_groups:
            known.update(group["params"])
            if ("param_names" in param_group) != ("param_names" in group):
                raise ValueError(OTHER_NAMES.format("with names" if "param_names" in param_group else "without names"))
        if not known.isdisjoint(param_group["params"]):
            raise ValueError("some parameters appear in more than one parameter group")

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Forget the gradients of all parameters, or (`set_to_none=False`) fill them with zeros."""
        for group in self.param_groups:
            clear_gradients(group["params"], set_to_none)

    def step(self, closure: Callable | None = None) -> Any:
        """Change the parameters once; every optimizer defines it."""
        raise NotImplementedError

    def state_dict(self) -> dict[str, Any]:
        """Return the options and the state, with numbers in place of parameters."""
        numbers: dict[int, int] = {}
        groups = []
        start = 0
        for group in self.param_groups:
            for position, param in enumerate(group["params"], start):
                numbers.setdefault(id(param), position)
            start += len(group["params"])
            packed = {name: value for name, value in group.items() if name != "params"}
            groups.append(packed | {"params": [numbers[id(param)] for param in group["params"]]})
        state = {numbers[id(key)] if isinstance(key, Tensor) else key: value for key, value in self.state.items()}
        return {"state": state, "param_groups": groups}

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """Take options and state from a state dict; raise ValueError if its groups do not match."""
        groups, saved = self.param_groups, deepcopy(state_dict["param_groups"])
        if len(groups) != len(saved):
            raise ValueError("loaded state dict has a different number of parameter groups")
        if any(len(own["params"]) != len(new["params"]) for own, new in zip(groups, saved, strict=True)):
            raise ValueError("loaded state dict contains a parameter group that doesn't match the size of optimizer's "
                             "group")  # fmt: skip
        numbers = chain.from_iterable(group["params"] for group in saved)
        by_number = dict(zip(numbers, chain.from_iterable(group["params"] for group in groups), strict=True))
        state: Any = defaultdict(dict)
        for key, value in state_dict["state"].items():
            if key in by_number:
                state[by_number[key]] = _fitted(by_number[key], value)
            else:
                state[key] = value
        for own, new in zip(groups, saved, strict=True):
            new["params"] = own["params"]
            if "param_names" in own:
                new.setdefault("param_names", own["param_names"])
        self.__setstate__({"state": state, "param_groups": saved})

    def register_step_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` before each step; it may return new arguments."""
        handle = RemovableHandle(self._optimizer_step_pre_hooks)
        self._optimizer_step_pre_hooks[handle.id] = hook
        return handle

    def register_step_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(optimizer, args, kwargs)` after each step."""
        handle = RemovableHandle(self._optimizer_step_post_hooks)
        self._optimizer_step_post_hooks[handle.id] = hook
        return handle


def _fitted(param: Tensor, value: Any, key: Any = None) -> Any:
    """Return a loaded state in the parameter's dtype; a count of steps keeps its own."""
    if isinstance(value, Tensor):
        return value.to(dtype=param.dtype) if key != "step" and param.is_floating_point() else value
    if isinstance(value, dict):
        return {name: _fitted(param, one, name) for name, one in value.items()}
    if isinstance(value, Iterable) and not isinstance(value, (str, bytes)):
        return type(value)(_fitted(param, one) for one in value)  # type: ignore[call-arg]
    return value


class EachParameter(Optimizer):
    """An optimizer that changes each parameter by itself: subclasses define `_update`."""

    def step(self, closure: Callable | None = None) -> Any:
        """Change the parameters once.

        Args:
            closure: computes the loss anew and returns it.

        Returns the closure's loss, or None.
        """
        loss = None
        with no_grad():
            if closure is not None:
                with enable_grad():
                    loss = closure()
            for group in self.param_groups:
                for param in group["params"]:
                    grad = param.grad
                    if grad is not None:
                        self._update(group, param, -grad if group["maximize"] else grad)
        return loss

    def _update(self, group: dict[str, Any], param: Tensor, grad: Tensor) -> None:
        raise NotImplementedError


def number(value: Any) -> Any:
    """Return an option that may be a one-element tensor as a number."""
    return value.item() if isinstance(value, Tensor) else value


def check_lr(lr: Any) -> None:
    """Raise ValueError for a learning rate that is negative, or a tensor of several elements."""
    if isinstance(lr, Tensor) and lr.numel() != 1:
        raise ValueError("Tensor lr must be 1-element")
    if not lr >= 0.0:
        raise ValueError(f"Invalid learning rate: {lr}")


def check_execution(differentiable: bool, fused: bool | None, foreach: bool | None) -> None:
    """Raise torch's errors for ways of execution that exclude each other, and refuse differentiable steps."""
    if fused and differentiable:
        raise RuntimeError("`fused` does not support `differentiable`")
    if fused and foreach:
        raise RuntimeError("`fused` and `foreach` cannot be `True` together.")
    if differentiable:
        raise NotImplementedError("autograd_lab has no differentiable steps; write the update by hand instead.")
