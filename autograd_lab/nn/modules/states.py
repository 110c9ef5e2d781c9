"""State dicts: a module's parameters and buffers as an ordered dict of names, and back."""

from __future__ import annotations

import warnings
from collections import OrderedDict, namedtuple
from collections.abc import Callable, Mapping
from typing import Any

from autograd_lab.autograd import no_grad
from autograd_lab.core.hooks import RemovableHandle
from autograd_lab.core.parameter import Parameter
from autograd_lab.core.tensor import Tensor

EXTRA = "_extra_state"
POSITIONAL = (
    "Positional args are being deprecated, use kwargs instead. Refer to "
    "https://pytorch.org/docs/main/generated/torch.nn.Module.html#torch.nn.Module.state_dict for details."
)


class _IncompatibleKeys(namedtuple("IncompatibleKeys", ("missing_keys", "unexpected_keys"))):
    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if self.missing_keys or self.unexpected_keys else "<All keys matched successfully>"

    __str__ = __repr__


class States:
    """The part of Module that speaks of state dicts."""

    _parameters: dict[str, Any]
    _buffers: dict[str, Any]
    _modules: dict[str, Any]
    _non_persistent_buffers_set: set
    _version: int
    _state_dict_hooks: OrderedDict
    _state_dict_pre_hooks: OrderedDict
    _load_state_dict_pre_hooks: OrderedDict
    _load_state_dict_post_hooks: OrderedDict

    def get_extra_state(self) -> Any:
        """Return more state to keep in state dicts; subclasses override it together with `set_extra_state`."""
        raise RuntimeError(
            "Reached a code path in Module.get_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def set_extra_state(self, state: Any) -> None:
        """Take back what `get_extra_state` gave."""
        raise RuntimeError(
            "Reached a code path in Module.set_extra_state() that should never be called. Please file an issue at "
            "https://github.com/pytorch/pytorch/issues/new?template=bug-report.yml to report this bug."
        )

    def _persistent(self) -> dict[str, Any]:
        """Return the parameters and buffers that belong into a state dict, by name."""
        buffers = {k: v for k, v in self._buffers.items() if k not in self._non_persistent_buffers_set}
        return {name: value for name, value in {**self._parameters, **buffers}.items() if value is not None}

    def _overrides(self, method: str) -> bool:
        return getattr(type(self), method) is not getattr(States, method)

    def _save_to_state_dict(self, destination: Any, prefix: str, keep_vars: bool) -> None:
        for name, value in self._persistent().items():
            destination[prefix + name] = value if keep_vars else value.detach()
        if self._overrides("get_extra_state"):
            destination[prefix + EXTRA] = self.get_extra_state()

    def state_dict(self, *args: Any, destination: Any = None, prefix: str = "", keep_vars: bool = False) -> Any:
        """Return the whole state as an ordered dict from dotted names to detached tensors that share memory.

        Args:
            destination: a dict to fill instead of a new one.
            prefix: what every name begins with.
            keep_vars: give the parameters themselves instead of detached tensors.
        """
        if args:
            warnings.warn(POSITIONAL, FutureWarning, stacklevel=2)
            destination = args[0] if destination is None else destination
            prefix = args[1] if len(args) > 1 and prefix == "" else prefix
            keep_vars = args[2] if len(args) > 2 and keep_vars is False else keep_vars
        if destination is None:
            destination = OrderedDict()
            destination._metadata = OrderedDict()
        metadata = {"version": self._version}
        if hasattr(destination, "_metadata"):
            destination._metadata[prefix[:-1]] = metadata
        for hook in self._state_dict_pre_hooks.values():
            hook(self, prefix, keep_vars)
        self._save_to_state_dict(destination, prefix, keep_vars)
        for name, child in self._modules.items():
            if child is not None:
                child.state_dict(destination=destination, prefix=f"{prefix}{name}.", keep_vars=keep_vars)
        for hook in self._state_dict_hooks.values():
            changed = hook(self, destination, prefix, metadata)
            if changed is not None:
                if getattr(hook, "_from_public_api", False):
                    raise RuntimeError("state_dict post-hook must return None")
                destination = changed
        return destination

    def _load_from_state_dict(self, state_dict: Any, prefix: str, local_metadata: dict, strict: bool,
                              missing_keys: list, unexpected_keys: list, error_msgs: list) -> None:  # fmt: skip
        for hook in self._load_state_dict_pre_hooks.values():
            hook(state_dict, prefix, local_metadata, strict, missing_keys, unexpected_keys, error_msgs)
        state = self._persistent()
        for name, current in state.items():
            key = prefix + name
            if key in state_dict:
                error = self._load_one(name, current, key, state_dict[key], local_metadata)
                if error:
                    error_msgs.append(error)
            elif strict:
                missing_keys.append(key)
        extra = prefix + EXTRA
        if self._overrides("set_extra_state"):
            if extra in state_dict:
                self.set_extra_state(state_dict[extra])
            elif strict:
                missing_keys.append(extra)
        elif strict and extra in state_dict:
            unexpected_keys.append(extra)
        if strict:
            for key in state_dict:
                if key.startswith(prefix) and key != extra:
                    first, dot, _ = key[len(prefix):].partition(".")
                    if first not in (self._modules if dot else state):
                        unexpected_keys.append(key)

    def _load_one(self, name: str, current: Any, key: str, given: Any, metadata: dict) -> str | None:
        """Put one tensor of a state dict into its place; return what went wrong."""
        if not isinstance(given, Tensor):
            return (f'While copying the parameter named "{key}", expected torch.Tensor or Tensor-like object from '
                    f"checkpoint but received {type(given)}")  # fmt: skip
        # Before 0.4 there were no 0-d tensors; such checkpoints hold one element instead.
        if current.dim() == 0 and tuple(given.shape) == (1,):
            given = given[0]
        if given.shape != current.shape:
            return (f"size mismatch for {key}: copying a param with shape {given.shape} from checkpoint, the shape in "
                    f"current model is {current.shape}.")  # fmt: skip
        try:
            if not metadata.get("assign_to_params_buffers", False):
                with no_grad():
                    current.copy_(given)
            elif not isinstance(current, Parameter):
                setattr(self, name, given)
            elif isinstance(given, Parameter):
                setattr(self, name, given.requires_grad_(current.requires_grad))
            else:
                setattr(self, name, Parameter(given, current.requires_grad))
        except Exception as error:
            return (f'While copying the parameter named "{key}", whose dimensions in the model are {current.size()} '
                    f"and whose dimensions in the checkpoint are {given.size()}, an exception occurred : "
                    f"{error.args}.")
        return None

    def load_state_dict(self, state_dict: Mapping[str, Any], strict: bool = True, assign: bool = False) -> Any:
        """Copy a state dict's tensors into this module and all below it.

        Args:
            state_dict: names and tensors as `state_dict()` gives them.
            strict: whether names that are missing or unknown are an error.
            assign: take the tensors themselves instead of their values.

        Returns a named tuple of the missing and the unexpected names. Raises RuntimeError that lists everything that
        does not fit, TypeError for what is no mapping.
        """
        if not isinstance(state_dict, Mapping):
            raise TypeError(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
        missing: list[str] = []
        unexpected: list[str] = []
        errors: list[str] = []
        metadata = getattr(state_dict, "_metadata", None)
        state: Any = OrderedDict(state_dict)
        if metadata is not None:
            state._metadata = metadata

        def load(module: Any, part: Any, prefix: str) -> None:
            known = {} if metadata is None else metadata.get(prefix[:-1], {})
            if assign:
                known["assign_to_params_buffers"] = assign
            module._load_from_state_dict(part, prefix, known, True, missing, unexpected, errors)
            for name, child in module._modules.items():
                if child is not None:
                    below = f"{prefix}{name}."
                    load(child, {k: v for k, v in part.items() if k.startswith(below)}, below)
            for hook in module._load_state_dict_post_hooks.values():
                if hook(module, _IncompatibleKeys(missing, unexpected)) is not None:
                    raise AssertionError(
                        "Hooks registered with ``register_load_state_dict_post_hook`` are not expected to return new "
                        "values, if incompatible_keys need to be modified, it should be done inplace."
                    )

        load(self, state, "")
        if strict:
            for keys, words in ((unexpected, "Unexpected"), (missing, "Missing")):
                if keys:
                    quoted = ", ".join(f'"{key}"' for key in keys)
                    errors.insert(0, f"{words} key(s) in state_dict: {quoted}. ")
        if errors:
            text = "\n\t".join(errors)
            raise RuntimeError(f"Error(s) in loading state_dict for {type(self).__name__}:\n\t{text}")
        return _IncompatibleKeys(missing, unexpected)

    def register_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, metadata)` after `state_dict()` gathered this module's part."""
        hook._from_public_api = True  # type: ignore[attr-defined]
        return _add(self._state_dict_hooks, hook)

    def register_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, prefix, keep_vars)` before `state_dict()` gathers this module's part."""
        return _add(self._state_dict_pre_hooks, hook)

    def register_load_state_dict_pre_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, state_dict, prefix, …)` before this module loads its part."""
        return _add(self._load_state_dict_pre_hooks, lambda *args: hook(self, *args))

    def register_load_state_dict_post_hook(self, hook: Callable) -> RemovableHandle:
        """Call `hook(module, incompatible_keys)` after this module loaded its part."""
        return _add(self._load_state_dict_post_hooks, hook)


def _add(table: OrderedDict, hook: Callable) -> RemovableHandle:
    handle = RemovableHandle(table)
    table[handle.id] = hook
    return handle
