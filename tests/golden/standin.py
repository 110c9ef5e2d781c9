"""Let another module answer to the name `torch`, submodules included, for the rest of the process.

`import torch.nn.functional` must then give the module's own `nn.functional`: the same object, not a second copy with
classes of its own. Since this changes `sys.modules` for good, it belongs into a child process.
"""

import importlib
import sys
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType


class StandIn(MetaPathFinder, Loader):
    """Finder and loader that answer `torch.x` with `<module>.x`."""

    def __init__(self, module_name: str) -> None:
        self.module_name = module_name

    def find_spec(self, fullname, path=None, target=None):
        head, _, tail = fullname.partition(".")
        if head != "torch" or not tail:
            return None
        try:
            module = importlib.import_module(f"{self.module_name}.{tail}")
        except ModuleNotFoundError:
            return None
        return ModuleSpec(fullname, self, origin=module.__name__, loader_state=module)

    def create_module(self, spec):
        module = spec.loader_state
        spec.loader_state = module.__spec__  # the import system is about to overwrite it
        return module

    def exec_module(self, module):
        module.__spec__ = module.__spec__.loader_state


def stand_in(module_name: str) -> ModuleType:
    """Bind the name `torch` to the module of that name, and return the module."""
    module = importlib.import_module(module_name)
    if module_name != "torch":
        sys.modules["torch"] = module
        sys.meta_path.insert(0, StandIn(module_name))
    return module
