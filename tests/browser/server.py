"""A fresh Jupyter server for one test: its own folder, settings and port; nothing of the machine's is read or left."""

import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import contextmanager
from pathlib import Path

from tests.support import ROOT, clean_environment

names = {"jupyterlab": "LabApp", "notebook": "JupyterNotebookApp"}  # how each application is called in its settings


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def jupyter(folder: Path, *notebooks: Path, app: str = "jupyterlab", keep_widgets: bool = False):
    """Serve copies of the notebooks; yields (url, token). With `keep_widgets`, saving keeps the widgets' state."""
    home = folder / "home"
    work = folder / "work"
    work.mkdir(parents=True)
    for notebook in notebooks:
        shutil.copy(notebook, work)
    token, port = secrets.token_hex(8), free_port()
    environment = clean_environment(
        HOME=str(home), JUPYTER_CONFIG_DIR=str(home / "config"), JUPYTER_DATA_DIR=str(home / "data"),
        JUPYTER_RUNTIME_DIR=str(home / "run"), IPYTHONDIR=str(home / "ipython"), PYTHONPATH=str(ROOT),
        JUPYTERLAB_SETTINGS_DIR=str(home / "settings"), JUPYTERLAB_WORKSPACES_DIR=str(home / "workspaces"),
        AUTOGRAD_LAB_PROGRESS=str(home / "progress"), JUPYTER_PLATFORM_DIRS="1",
    )  # fmt: skip
    for name in ("config", "data", "run", "ipython", "settings", "workspaces", "progress"):
        (home / name).mkdir(parents=True, exist_ok=True)
    quiet = home / "settings" / "@jupyterlab" / "apputils-extension"
    quiet.mkdir(parents=True)
    (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false", "checkForUpdates": false}')
    if keep_widgets:
        state = home / "settings" / "@jupyter-widgets" / "jupyterlab-manager"
        state.mkdir(parents=True)
        (state / "plugin.jupyterlab-settings").write_text('{"saveState": true}')
    log = open(folder / "server.log", "w", encoding="utf-8")  # noqa: SIM115
    child = subprocess.Popen(
        [sys.executable, "-m", app, "--no-browser", "--allow-root", f"--port={port}", "--ServerApp.port_retries=0",
         f"--IdentityProvider.token={token}", f"--ServerApp.root_dir={work}", "--ServerApp.ip=127.0.0.1",
         f"--{names[app]}.expose_app_in_browser=True", "--LabApp.news_url="],
        cwd=work, env=environment, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip
    try:
        url = f"http://127.0.0.1:{port}"
        for _ in range(300):
            try:
                with urllib.request.urlopen(f"{url}/api?token={token}", timeout=2):
                    break
            except OSError:
                if child.poll() is not None:
                    raise RuntimeError((folder / "server.log").read_text(encoding="utf-8")) from None
                time.sleep(0.2)
        else:
            raise RuntimeError("Jupyter did not answer within a minute")
        yield url, token
    finally:
        child.terminate()
        try:
            child.wait(20)
        except subprocess.TimeoutExpired:   # a busy machine; nothing of it is needed any more
            child.kill()
            child.wait()
        log.close()
