"""Pages: small programs with everything that torch printed, warned and raised when it ran them.

The programs stand in `pages/<name>.txt`, each under a line `### <title>`; `record_pages.py` writes what the pinned
torch shows into `pages/<name>.json`. A program finds `torch`, `nn` and `optim`; where further imports name torch, the
lab's run has `autograd_lab`. `attempt(f, …)` prints what each function returns or raises.
"""

import contextlib
import importlib
import io
import json
import re
import warnings
from pathlib import Path

FOLDER = Path(__file__).parent / "pages"
NAMES = tuple(sorted(path.stem for path in FOLDER.glob("*.txt")))


def programs(name: str) -> dict[str, str]:
    """Return the programs of a page by their titles."""
    text = (FOLDER / f"{name}.txt").read_text(encoding="utf-8")
    parts = re.split(r"^### (.+)\n", text, flags=re.MULTILINE)[1:]
    return dict(zip(parts[::2], parts[1::2], strict=True))


def recorded(name: str) -> dict[str, list[str]]:
    """Return what torch showed, by the programs' titles."""
    return json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))


def attempt(*functions) -> None:
    """Print what each function returns or raises."""
    for function in functions:
        try:
            print(function())
        except Exception as error:
            print(type(error).__name__, error)


def clean(text: str) -> str:
    """Fold together what may differ: addresses, the package's name, places in C++, the order of a set."""
    text = re.sub(r"0x[0-9a-f]+", "0x…", text)
    text = re.sub(r" \(Triggered internally at [^)]*\)", "", text)
    return text.replace("autograd_lab", "torch").replace("{'same', 'valid'}", "{'valid', 'same'}")


def shown(source: str, module_name: str) -> list[str]:
    """Run a program and return the lines that it showed."""
    module = importlib.import_module(module_name)
    source = re.sub(r"^(\s*(?:from|import) )torch\b", rf"\g<1>{module_name}", source, flags=re.MULTILINE)
    names = {"torch": module, "nn": module.nn, "optim": module.optim, "attempt": attempt, "__name__": "page"}
    output = io.StringIO()
    with contextlib.redirect_stdout(output), warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            exec(compile(source, "page.py", "exec"), names)
        except Exception as error:
            print(type(error).__name__, error)
        finally:
            module.set_grad_enabled(True)
    # torch's forward mode is built with its own deprecated compiler, which is no business of a page.
    said = [f"{one.category.__name__}: {one.message}" for one in caught if "torch.jit.script" not in str(one.message)]
    return clean("\n".join([output.getvalue().rstrip(), *said])).split("\n")
