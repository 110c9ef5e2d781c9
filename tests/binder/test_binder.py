"""Follow binder/ step by step as Binder's builder does, and run chapter 00 in what comes out.

The builder (repo2docker) reads the Python version from runtime.txt, installs requirements.txt from the root of the
repository with pip, runs postBuild, and starts Jupyter as a user who is not root. Docker aside, this does the same.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support import ROOT, absent

SECONDS = 900


def read(name: str) -> str:
    return (ROOT / "binder" / name).read_text(encoding="utf-8")


def test_runtime_names_a_python_that_the_package_supports():
    language, _, version = read("runtime.txt").strip().partition("-")
    assert language == "python"
    assert version in {"3.11", "3.12", "3.13", "3.14"}


def test_requirements_are_the_course_from_this_checkout():
    # A leading dot makes the builder copy the whole repository before it installs.
    rows = [row for row in read("requirements.txt").splitlines() if row and not row.startswith("#")]
    assert rows == [".[course]"]


def checkout(folder: Path) -> Path:
    """Copy what git knows of this checkout, as a fresh clone would have it."""
    if not (ROOT / ".git").exists() or shutil.which("git") is None:
        absent("this is no git checkout, and Binder builds from one")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if (ROOT / name).is_file():  # a file may be deleted and not committed yet
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target)
    return folder


def interpreter() -> str:
    """Return the Python that runtime.txt asks for, or this one where that is missing."""
    wanted = "python" + read("runtime.txt").strip().partition("-")[2]
    path = shutil.which(wanted)
    if path and subprocess.run([path, "-c", ""], capture_output=True, check=False).returncode == 0:
        return path
    return sys.executable


@pytest.fixture(scope="module")
def image(tmp_path_factory):
    """Return a function that runs a command in the built environment, in the repository's root."""
    repository = checkout(tmp_path_factory.mktemp("binder") / "repository")
    environment_folder = repository.parent / "environment"
    home = repository.parent / "home"
    home.mkdir()
    subprocess.run([interpreter(), "-m", "venv", str(environment_folder)], check=True, timeout=SECONDS)
    programs = environment_folder / ("Scripts" if os.name == "nt" else "bin")
    # Nothing of the surrounding environment may help, except what pip needs to reach its index.
    kept = {
        key: value
        for key, value in os.environ.items()
        if key.startswith("PIP_") or key.lower().endswith("_proxy") or key in {"SSL_CERT_FILE", "LANG", "SYSTEMROOT"}
    }
    variables = {**kept, "HOME": str(home), "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}"}

    def run(*command: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            command, cwd=repository, env=variables, capture_output=True, text=True, timeout=SECONDS, check=False
        )

    installed = run("python", "-m", "pip", "install", "--quiet", "--no-cache-dir", "-r", "binder/requirements.txt")
    if installed.returncode:
        if "No matching distribution" in installed.stderr or "Could not fetch" in installed.stderr:
            absent(f"pip cannot reach its index: {installed.stderr.splitlines()[-1]}")
        pytest.fail(installed.stderr)
    built = run("bash", "binder/postBuild")
    assert built.returncode == 0, built.stderr
    return run


def test_chapter_00_runs(image):
    chapter = next((ROOT / "notebooks").glob("00_*.ipynb")).name
    for folder in ("notebooks", "autograd-lab-course"):
        done = image("jupyter", "execute", f"{folder}/{chapter}", "--timeout=300")
        assert done.returncode == 0, done.stderr


def test_jupyterlab_asks_nobody_about_news(image):
    program = (
        "import json, sys; from pathlib import Path; from jupyterlab.commands import get_app_dir; "
        "print(json.loads((Path(get_app_dir()) / 'settings' / 'overrides.json').read_text())"
        "['@jupyterlab/apputils-extension:notification']['fetchNews'])"
    )
    done = image("python", "-I", "-c", program)
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip() == "false"


def test_the_package_is_the_installed_one_and_brings_its_chapters(image):
    # -I: the current folder, which holds a package of that name too, is not searched.
    done = image("python", "-I", "-c", "from autograd_lab.course.shelf import originals; print(originals())")
    assert done.returncode == 0, done.stderr
    assert "site-packages" in done.stdout
