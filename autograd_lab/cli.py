"""The command `autograd-lab`: lay the chapters out and open them, run a torch script, or collect students' progress."""

from __future__ import annotations

import argparse
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import os
import runpy
import signal
import socket
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, TracebackType

import autograd_lab
from autograd_lab.course import shelf

LAB = "autograd_lab"
FOLDER = "autograd-lab-course"
EPILOG = """\
examples:
  autograd-lab                          open the course in JupyterLab
  autograd-lab --notebook 04            open chapter 04
  autograd-lab --folder my-course       keep the chapters in another folder
  autograd-lab run train.py --steps 3   run an unchanged torch script on autograd_lab
  autograd-lab collect handed-in        one table of all progress files in a folder
"""


class Trouble(Exception):
    """Something that the person at the keyboard can put right; the message says how."""


def main(arguments: list[str] | None = None) -> int:
    """Run the command and return its exit status: 0, or 1 after one sentence that says what to do."""
    arguments = sys.argv[1:] if arguments is None else arguments
    try:
        if arguments[:1] == ["run"]:
            return run_script(arguments[1:])
        if arguments[:1] == ["collect"]:
            return collect(arguments[1:])
        return open_course(parser().parse_args(arguments))
    except Trouble as trouble:
        print(f"autograd-lab: {trouble}", file=sys.stderr)
        return 1


def parser() -> argparse.ArgumentParser:
    """Return the parser of the command's options."""
    made = argparse.ArgumentParser(
        prog="autograd-lab",
        description=(
            "Lay the chapters out in a folder of yours and open them in JupyterLab. Nothing of yours is overwritten."
        ),
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    made.add_argument("--version", action="version", version=f"autograd-lab {autograd_lab.__version__}")
    made.add_argument("--folder", type=Path, default=Path(FOLDER), help=f"where your copies live (default: ./{FOLDER})")
    made.add_argument(
        "--notebook", metavar="NN", default="00", help="the chapter to open first, number or name (default: 00)"
    )
    made.add_argument("--port", type=int, help="the port for JupyterLab (default: 8888, or the next free one)")
    made.add_argument(
        "--no-browser", action="store_true", help="start JupyterLab and print its address; open no browser"
    )
    return made


def open_course(options: argparse.Namespace) -> int:
    """Lay the chapters out and start JupyterLab on one of them."""
    chapter = _chapter(options.notebook)
    if importlib.util.find_spec("jupyterlab") is None:
        raise Trouble("JupyterLab is not installed; run: pip install 'autograd-lab[course]'")
    if options.port is not None:
        _must_be_free(options.port)
    folder = options.folder.expanduser().resolve()
    _lay_out(folder)
    command = [sys.executable, "-m", "jupyterlab", f"--ServerApp.root_dir={folder}"]
    # As the default address, the chapter stands in the printed address too, not only in a browser that opens by itself.
    command.append(f"--LabApp.default_url=/lab/tree/{chapter.name}")
    command += ["--LabApp.news_url=None", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
    # Without a news address JupyterLab would still ask each newcomer whether to fetch news; this setting says no.
    command.append(f"--LabApp.app_settings_dir={Path(shelf.__file__).with_name('jupyterlab')}")
    if options.port is not None:
        command += [f"--ServerApp.port={options.port}", "--ServerApp.port_retries=0"]
    if options.no_browser:
        command.append("--no-browser")
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        # In a container everybody is root, and Jupyter would refuse to start.
        command.append("--allow-root")
    # Whoever stops the command stops JupyterLab too: `call` ends its child when an exception comes.
    before = signal.signal(signal.SIGTERM, _stopped)
    try:
        return subprocess.call(command, cwd=folder)
    except KeyboardInterrupt:
        return 0
    finally:
        signal.signal(signal.SIGTERM, before)


def run_script(arguments: list[str]) -> int:
    """Run a torch script with autograd_lab in torch's place, for this process only."""
    if not arguments or arguments[0] in ("-h", "--help"):
        print("usage: autograd-lab run SCRIPT [ARGUMENTS]\n\nRun an unchanged torch script on autograd_lab.")
        return 0 if arguments else 1
    script = Path(arguments[0])
    if not script.is_file():
        raise Trouble(f"there is no script {arguments[0]!r}; give the path of a Python file.")
    run_as_main(script, arguments[1:])
    return 0


def collect(arguments: list[str]) -> int:
    """Print one table of the progress files that students handed in, or write it as CSV."""
    made = argparse.ArgumentParser(
        prog="autograd-lab collect",
        description="Put the progress files of many students into one table. Students write theirs with "
        'progress(export="their-name.json"); nothing is sent anywhere.',
    )
    made.add_argument("places", metavar="PLACE", nargs="+", type=Path, help="a progress file, or a folder of them")
    made.add_argument("--csv", type=Path, help="write the table, with the exercises of each chapter, to this file")
    options = made.parse_args(arguments)
    from autograd_lab.course import collecting  # only here: `run` should start fast

    try:
        rows, unreadable = collecting.table(collecting.files(options.places))
    except FileNotFoundError as error:
        raise Trouble(f"{error}.") from None
    if options.csv is not None:
        try:
            # With a mark in front: without it a spreadsheet takes names in Chinese for another alphabet.
            options.csv.write_text(collecting.as_csv(rows), encoding="utf-8-sig")
        except OSError as error:
            raise Trouble(f"cannot write {options.csv} ({error.strerror}); choose another file with --csv.") from None
    print(collecting.as_text(rows))
    for path in unreadable:
        print(f"no progress of this course, left out: {path}")
    return 0


def _chapter(wanted: str) -> Path:
    """Return the chapter of a number (4, 04, 004) or a name (04_backward, also with .ipynb or a path before it)."""
    try:
        chapters = shelf.chapters()
    except FileNotFoundError as error:
        raise Trouble(f"{error}.") from None
    name = Path(wanted).name.removesuffix(".ipynb")
    for number, path in chapters.items():
        if name == path.stem or (name.isdecimal() and int(name) == int(number)):
            return path
    raise Trouble(f"there is no chapter {wanted!r}; choose one of {', '.join(chapters)}.")


def _stopped(number: int, _: object) -> None:
    raise SystemExit(128 + number)


def _lay_out(folder: Path) -> None:
    if folder.exists() and not folder.is_dir():
        raise Trouble(f"{folder} is a file, not a folder; choose another folder with --folder.")
    try:
        layout = shelf.lay_out(folder)
    except OSError as error:
        reason = error.strerror or str(error)
        raise Trouble(f"cannot write to {folder} ({reason}); choose another folder with --folder.") from None
    print(f"Your chapters: {folder}")
    if layout.added:
        print(f"  new: {_names(layout.added)}")
    if layout.kept:
        print(f"  left as you have them: {_names(layout.kept)}")
    if layout.newer:
        print(f"  left as you have them, though a newer edition exists: {_names(layout.newer)}")
        print("  (to get a newer edition, rename your copy and start again)")


def _names(names: list[str]) -> str:
    return ", ".join(name.removesuffix(".ipynb") for name in names)


def _must_be_free(port: int) -> None:
    if not 0 < port < 65536:
        raise Trouble(f"{port} is no port; choose a number from 1024 to 65535.")
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        if os.name == "posix":
            # A port that was used a moment ago is free; only one that somebody listens on is taken.
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            raise Trouble(
                f"port {port} cannot be used here; choose another with --port, or leave --port out."
            ) from None


class TorchIsTheLab(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Answer `import torch.x` with the lab's own module x: the same object, never a second copy."""

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """Return where `torch` or `torch.x` comes from; raise ModuleNotFoundError for a part that the lab has not."""
        if name.partition(".")[0] != "torch":
            return None
        own = LAB + name[len("torch") :]
        try:
            module = importlib.import_module(own)
        except ModuleNotFoundError as error:
            if error.name != own:
                raise
            message = f"autograd_lab has no {name!r}: it teaches autograd on the CPU and leaves this part of torch out"
            raise ModuleNotFoundError(message, name=name) from None
        spec = importlib.machinery.ModuleSpec(name, self, is_package=hasattr(module, "__path__"))
        spec.loader_state = (module, module.__spec__)
        return spec

    def create_module(self, spec: importlib.machinery.ModuleSpec) -> ModuleType:
        """Return the lab's module itself."""
        return spec.loader_state[0]

    def exec_module(self, module: ModuleType) -> None:
        """Give the module its own name card back: the import system has just written torch's onto it."""
        spec = module.__spec__
        if spec is not None and spec.loader is self:
            module.__spec__ = spec.loader_state[1]


def run_as_main(script: Path, arguments: Sequence[str]) -> None:
    """Run a script as `__main__`, with its own folder first on the path and its arguments in sys.argv."""
    if "torch" in sys.modules and sys.modules["torch"].__name__ != LAB:
        raise RuntimeError("torch is already imported in this process; start the script in a new one")
    sys.meta_path.insert(0, TorchIsTheLab())
    sys.argv = [str(script), *arguments]
    sys.path[0] = str(script.resolve().parent)
    sys.excepthook = _from_the_script
    runpy.run_path(str(script), run_name="__main__")


def _from_the_script(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """Print an uncaught error as Python does for a script: from its own first line, without the command's frames."""
    first = trace
    while first is not None and first.tb_frame.f_code.co_filename != sys.argv[0]:
        first = first.tb_next
    sys.__excepthook__(kind, error.with_traceback(first or trace), first or trace)
