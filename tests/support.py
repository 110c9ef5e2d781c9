"""What a test may ask of the machine: torch, a Chromium, a Node; absent, it skips, and in CI it fails.

On a stranger's machine the test run must pass with Python alone, so a test that needs more skips and says why. CI
sets `AUTOGRAD_LAB_CI=1` and installs everything; there a skip would hide a promise that nobody checked.
"""

import importlib
import os
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parent.parent
PACKAGE = ROOT / "autograd_lab"
IN_CI = os.environ.get("AUTOGRAD_LAB_CI") == "1"
TORCH = "2.13.0"

#: Flags for Debian's Chromium: it runs as root, without a GPU, and may not call home.
CHROMIUM_FLAGS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
)


def absent(what: str) -> None:
    """Skip the running test, or the module being imported, because `what` is not on this machine; in CI fail it."""
    if IN_CI:
        pytest.fail(f"{what}. CI must bring it: see .ci/run", pytrace=False)
    pytest.skip(what, allow_module_level=True)


def require_torch() -> ModuleType:
    """Return the real torch of the pinned version."""
    try:
        torch = importlib.import_module("torch")
    except ImportError:
        absent(f"torch {TORCH} is not installed (pip install torch=={TORCH})")
    if torch.__version__.split("+")[0] != TORCH:
        absent(f"torch is {torch.__version__}, the reference is {TORCH}")
    return torch


def require_chromium() -> str:
    """Return the path of a Chromium that Playwright can drive (`executable_path`)."""
    try:
        importlib.import_module("playwright")
    except ImportError:
        absent('Playwright is not installed (pip install -e ".[course,test]")')
    for name in ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable"):
        path = shutil.which(name)
        if path:
            return path
    absent("no Chromium is installed (Debian: apt-get install chromium)")
    raise AssertionError("unreachable")


def require_node() -> str:
    """Return the path of Node.js 18 or newer."""
    path = shutil.which("node")
    if path is None:
        absent("Node.js is not installed (Debian: apt-get install nodejs)")
    version = subprocess.run([path, "--version"], capture_output=True, text=True, check=True).stdout
    if int(version.lstrip("v").split(".")[0]) < 18:
        absent(f"Node.js is {version.strip()}; 18 or newer is needed")
    return path


def require_jsdom() -> dict[str, str]:
    """Return the environment in which `node` finds jsdom, from `AUTOGRAD_LAB_NODE_MODULES` or a folder of its own."""
    node = require_node()
    folder = os.environ.get("AUTOGRAD_LAB_NODE_MODULES", str(ROOT / "node_modules"))
    environment = dict(os.environ, NODE_PATH=folder)
    found = subprocess.run([node, "-e", "require('jsdom')"], env=environment, capture_output=True, check=False)
    if found.returncode:
        absent("jsdom is not installed (npm install jsdom; AUTOGRAD_LAB_NODE_MODULES names its node_modules)")
    return environment


def clean_environment(**more: str) -> dict[str, str]:
    """Return the environment for a child process: one thread for BLAS, no user settings, the project importable."""
    environment = dict(os.environ, PYTHONPATH=str(ROOT), PYTHONDONTWRITEBYTECODE="1")
    environment.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", MKL_NUM_THREADS="1")
    environment.update(more)
    return environment


def python(*arguments: str, timeout: float = 600, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run this Python in a process of its own, in the project's root."""
    return subprocess.run(
        [sys.executable, *arguments],
        cwd=ROOT,
        env=clean_environment(**environment),
        capture_output=True,
        text=True,
        timeout=timeout,
        check=False,
    )
