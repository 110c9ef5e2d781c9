"""What a torch name that the lab has not answers: the nearest name that exists, or why it is out of scope."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from autograd_lab.core.dtypes import OUT_OF_SCOPE

SCOPE = {
    "mps": "it computes on the CPU only",
    "xpu": "it computes on the CPU only",
    "jit": "it runs eagerly only, without a compiler",
    "compile": "it runs eagerly only, without a compiler",
    "compiler": "it runs eagerly only, without a compiler",
    "fx": "it runs eagerly only, without a tracer",
    "export": "it runs eagerly only, without a compiler",
    "onnx": "it exports no models",
    "sparse": "it has dense tensors only",
    "sparse_coo_tensor": "it has dense tensors only",
    "sparse_csr_tensor": "it has dense tensors only",
    "nested": "it has dense tensors only",
    "quantization": "it has no quantized tensors",
    "quantize_per_tensor": "it has no quantized tensors",
    "complex": "it computes with real numbers only",
    "polar": "it computes with real numbers only",
    "view_as_complex": "it computes with real numbers only",
    "view_as_real": "it computes with real numbers only",
    "fft": "it computes with real numbers only",
    "distributed": "it runs in one process",
    "multiprocessing": "it runs in one process",
    "vmap": "it has no function transforms; loop over the batch, or use is_grads_batched=True",
    "func": "it has no function transforms; see autograd.functional",
    "distributions": "it has no probability distributions beyond the random functions",
    "hub": "it loads no models",
    "profiler": "it has no profiler; see the inspector",
    "forward_ad": "it goes backward only; see autograd.functional.jvp",
    "autocast": "it has no automatic mixed precision",
    "amp": "it has no automatic mixed precision",
}
ATTRIBUTE_SCOPE = {
    **dict.fromkeys(("cuda", "mps", "xpu", "hip", "pin_memory"), "it computes on the CPU only"),
    **dict.fromkeys(("to_sparse", "sparse_mask", "coalesce", "to_mkldnn"), "it has dense tensors only"),
    **dict.fromkeys(("cfloat", "cdouble", "chalf", "view_as_complex"), "it computes with real numbers only"),
    **dict.fromkeys(("names", "refine_names", "rename", "align_to"), "its dimensions have no names"),
    "bfloat16": "NumPy has no such numbers",
}


def nearest(name: str, names: Iterable[str]) -> list[str]:
    """Return the public name that is spelt most alike, if one is near enough to have been meant."""
    from difflib import get_close_matches

    return get_close_matches(name, [one for one in names if not one.startswith("_")], n=1, cutoff=0.7)


def explain_missing(name: str, names: Iterable[str], module: str = "torch") -> Exception:
    """Return the AttributeError for a name that the package, or a module of it, has not.

    >>> str(explain_missing("reluu", ["relu"])).splitlines()[0]
    "module 'torch' has no attribute 'reluu'"
    """
    if name in OUT_OF_SCOPE:
        return AttributeError(f"module {module!r} has no attribute {name!r} in autograd_lab: {OUT_OF_SCOPE[name]}")
    error = AttributeError(f"module {module!r} has no attribute {name!r}")
    if name in SCOPE:
        error.add_note(f"{module}.{name} is outside the scope of autograd_lab: {SCOPE[name]}.")
    else:
        near = nearest(name, names)
        if near:
            error.add_note(f"The nearest name that exists is {near[0]!r}.")
    lab = module.replace("torch", "autograd_lab", 1)
    error.add_note(f"dir({lab}) lists everything that there is.")
    return _from_an_import(error, name, lab)


def _from_an_import(error: AttributeError, name: str, module: str) -> Exception:
    """Return the error that `from autograd_lab import …` shows: Python keeps an ImportError, and its notes."""
    frame = sys._getframe(2)
    for _ in range(3):
        if frame.f_code.co_name == "_handle_fromlist":
            with suppress(ModuleNotFoundError):
                if find_spec(f"{module}.{name}") is not None:
                    return error        # a submodule, which Python imports next
            found = ImportError(f"cannot import name {name!r} from {module!r}", name=module)
            for note in error.__notes__:
                found.add_note(note)
            return found
        if frame.f_back is None:
            break
        frame = frame.f_back
    return error


def answers_for(module: str, names: Iterable[str]) -> Callable[[str], Any]:
    """Return the `__getattr__` of a module that has these names and imports nothing later."""

    def answer(name: str) -> Any:
        if name.startswith("__"):       # Python itself asks, for `__path__` and the like
            raise AttributeError(f"module {module!r} has no attribute {name!r}")
        raise explain_missing(name, names, module)

    return answer


def explain_missing_attribute(tensor: Any, name: str) -> Exception:
    """Return the AttributeError for a method or attribute that tensors have not.

    >>> explain_missing_attribute(1.5, "is_integerr").__notes__[0]
    "The nearest name that exists is 'is_integer'."
    """
    error = AttributeError(f"{type(tensor).__name__!r} object has no attribute {name!r}")
    if name.startswith("_"):
        return error
    if name in ATTRIBUTE_SCOPE:
        error.add_note(f"Tensor.{name} is outside the scope of autograd_lab: {ATTRIBUTE_SCOPE[name]}.")
    else:
        near = nearest(name, dir(type(tensor)))
        if near:
            error.add_note(f"The nearest name that exists is {near[0]!r}.")
    error.add_note("dir(autograd_lab.Tensor) lists everything that there is.")
    return error


class MissingModules:
    """Python's last finder: says of a submodule that torch may have and the lab has not why, or what is near."""

    @staticmethod
    def find_spec(full: str, path: Any = None, target: Any = None) -> None:
        """Raise ModuleNotFoundError for a submodule of the package; leave every other module alone."""
        package, _, name = full.rpartition(".")
        if not full.startswith("autograd_lab.") or name.startswith("_") or package not in sys.modules:
            return
        error = ModuleNotFoundError(f"No module named {full!r}", name=full)
        torch_name = package.replace("autograd_lab", "torch", 1)
        for note in explain_missing(name, dir(sys.modules[package]), torch_name).__notes__:
            error.add_note(note)
        raise error
