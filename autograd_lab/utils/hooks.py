"""Hook handles under torch's path, `torch.utils.hooks`."""

from autograd_lab.core.hooks import BackwardHook, RemovableHandle, unserializable_hook, warn_if_has_hooks

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
