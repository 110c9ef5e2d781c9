"""Time from running a cell to the picture in Chromium: `python -m tests.browser.speed`. It asserts nothing.

    python -m tests.browser.speed                   inspect and watch, ten runs each
    python -m tests.browser.speed --runs 3 --only 50,2000,watch

The clock runs in the page: from the command that runs the cell to the second frame after the picture stands in the
document, so the kernel's work, the message and the drawing are all in it. Measure while the machine is idle: the
load average is printed beside the figures.
"""

import argparse
import os
import statistics
import tempfile
from pathlib import Path

import nbformat

from tests.browser.server import jupyter
from tests.support import CHROMIUM_FLAGS, require_chromium

SETUP = """
import time
import autograd_lab as torch
from autograd_lab.inspector import inspect, step_through, watch
torch.manual_seed(0)
def net(nodes):  # six nodes a block: a matrix product, a bias, tanh, a residual sum, and two leaves
    h = torch.ones(4, 8)
    parameters = []
    for _ in range(max(1, (nodes - 1) // 6)):
        W, b = torch.randn(8, 8, requires_grad=True), torch.randn(8, requires_grad=True)
        parameters += [W, b]
        h = h + torch.tanh(h @ W + b)
    return h.sum(), parameters
def varied(nodes):  # nothing repeats, so little can be folded
    x = torch.ones(4, requires_grad=True)
    h, kinds = x, ("sin", "cos", "exp", "tanh", "sigmoid", "abs")
    for k in range(nodes - 2):
        h = getattr(h, kinds[(k * k + k // 7) % 6])()
    return h.sum(), x
""".strip()
SIZES = {"50": 50, "500": 500, "2000": 2_000, "5000": 5_000}
MADE_1000 = "loss, parameters = net(1_000)"
OWN = """
times = []
for _ in range(15):
    began = time.thread_time()
    loss, parameters = net(1_000)
    times.append(time.thread_time() - began)
spent = sorted(times)[7]
""".strip()  # CPU time of the cell's own code: the clock on the wall also runs for other people's programs
READY = "() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'"
ONE = """cell => new Promise((done, fail) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = cell;
  const area = notebook.widgets[cell].outputArea;
  area.model.clear();
  const began = performance.now();
  let over = false;
  const drawn = () => [...area.node.querySelectorAll('.gi[data-drawn]')].some(node => node.querySelector('.gi-card'));
  const look = new MutationObserver(() => { if (!over && drawn()) { over = true; look.disconnect(); painted(); } });
  const painted = () => requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  look.observe(area.node, {subtree: true, childList: true, attributes: true, attributeFilter: ['data-drawn']});
  setTimeout(() => fail(new Error('no picture within a minute')), 60000);
  window.jupyterapp.commands.execute('notebook:run-cell');
})"""
FOLLOW = """([cell, shown]) => new Promise((done, fail) => {
  const notebook = window.jupyterapp.shell.currentWidget.content;
  notebook.activeCellIndex = cell;
  const area = notebook.widgets[shown].outputArea.node, began = performance.now();
  const look = new MutationObserver(() => {
    look.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => done(performance.now() - began)));
  });
  look.observe(area.querySelector('.gi'), {attributes: true, attributeFilter: ['data-drawn']});
  setTimeout(() => fail(new Error('nothing followed within a minute')), 60000);
  window.jupyterapp.commands.execute('notebook:run-cell');
})"""


def settled(page) -> None:
    """Wait until the kernel is idle and the page has nothing left to do."""
    page.wait_for_function(READY, timeout=60_000)
    page.wait_for_timeout(250)


def run_cell(page, cell: int) -> None:
    """Run one cell and wait for it."""
    page.evaluate(
        "async cell => { window.jupyterapp.shell.currentWidget.content.activeCellIndex = cell;"
        " await window.jupyterapp.commands.execute('notebook:run-cell'); }", cell,
    )  # fmt: skip
    settled(page)


def told(name: str, milliseconds: list[float], more: str = "") -> None:
    """Print the median with the range of the runs."""
    middle, low, high = statistics.median(milliseconds), min(milliseconds), max(milliseconds)
    print(f"{name:<28} {middle:7.0f} ms   ({low:.0f} to {high:.0f}, load {os.getloadavg()[0]:.1f}){more}", flush=True)


def main() -> None:
    """Serve a notebook, run its cells, print what each took."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=10)
    parser.add_argument("--only", default="50,500,2000,5000,film,varied,watch")
    chosen = parser.parse_args()
    from playwright.sync_api import sync_playwright

    cells = [SETUP]
    names = {}
    for part in chosen.only.split(","):
        if part in SIZES:
            names[f"inspect, {part} nodes"] = (f"loss, parameters = net({SIZES[part]})", "inspect(loss)")
        elif part == "film":
            names["step_through, 50 nodes"] = ("pass", "loss, parameters = net(50)\nstep_through(loss)")
            names["step_through, 500 nodes"] = ("pass", "loss, parameters = net(500)\nstep_through(loss)")
        elif part == "varied":
            names["inspect, 2000 unlike nodes"] = ("loss, parameters = varied(2_000)", "inspect(loss)")
    for before, code in names.values():
        cells += [before, code]
    follow = len(cells)
    cells += ["loss = parameters = None\nview = watch()\nview", MADE_1000, OWN, "view.stop()"]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "speed.ipynb"
        kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
        made = [nbformat.v4.new_code_cell(source) for source in cells]
        nbformat.write(nbformat.v4.new_notebook(cells=made, metadata={"kernelspec": kernel}), path)
        with jupyter(Path(folder) / "server", path) as (url, token), sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=require_chromium(), args=list(CHROMIUM_FLAGS))
            page = browser.new_page(viewport={"width": 1300, "height": 1000})
            page.goto(f"{url}/lab/tree/speed.ipynb?token={token}&reset")
            page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
            settled(page)
            run_cell(page, 0)
            for index, name in enumerate(names):
                run_cell(page, 1 + 2 * index)
                times = []
                for _ in range(chosen.runs + 1):  # the first run opens the module and is not counted
                    times.append(page.evaluate(ONE, 2 + 2 * index))
                    settled(page)
                told(name, times[1:], f"   first {times[0]:.0f}")
            if "watch" in chosen.only:
                run_cell(page, follow)
                times, watched, alone = [], [], []
                for _ in range(chosen.runs + 1):
                    times.append(page.evaluate(FOLLOW, [follow + 1, follow]))
                    settled(page)
                told("watch, a cell of 1000 nodes", times[1:], f"   first {times[0]:.0f}")
                for _ in range(chosen.runs):  # in turns, so that a busy minute meets both
                    watched.append(spent(page, follow + 2))
                    run_cell(page, follow + 3)
                    alone.append(spent(page, follow + 2))
                    run_cell(page, follow)
                ratio = statistics.median(watched) / statistics.median(alone)
                print(f"the cell's own code takes {ratio:.3f} times as long while it is watched")
            browser.close()


def spent(page, cell: int) -> float:
    """Run the cell and return the seconds that its own code took, as it measured them itself."""
    run_cell(page, cell)
    return page.evaluate(
        """async () => {
          const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
          const asked = kernel.requestExecute({code: '', silent: true, user_expressions: {it: 'spent'}});
          return Number((await asked.done).content.user_expressions.it.data['text/plain']);
        }"""
    )


if __name__ == "__main__":
    main()
