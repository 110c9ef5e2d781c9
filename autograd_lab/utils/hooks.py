"""Hook handles under torch's path, `torch.utils.hooks`."""

from autograd_lab.core.hooks import BackwardHook, RemovableHandle, unserializable_hook, warn_if_has_hooks
from autograd_lab.core.missing import answers_for

__all__ = ["BackwardHook", "RemovableHandle", "unserializable_hook", "warn_if_has_hooks"]
__getattr__ = answers_for("torch.utils.hooks", __all__)
