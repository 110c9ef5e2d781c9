"""A saved notebook opened again, without its kernel: with kept widgets the film plays, else cells can be run."""

import json
import urllib.request
from pathlib import Path

import nbformat
import pytest

from tests.browser.server import jupyter

CELLS = [
    "import autograd_lab as torch\nfrom autograd_lab.inspector import inspect, step_through\n"
    "a = torch.tensor([1., 2.], requires_grad=True)\nloss = (a * a).sum()\ninspect(loss)",
    "step_through(loss)",
]
VIEW = "application/vnd.jupyter.widget-view+json"
KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"


def stop_kernels(url, token):
    """End every session, as closing the laptop does."""
    with urllib.request.urlopen(f"{url}/api/sessions?token={token}") as answer:
        sessions = json.load(answer)
    for session in sessions:
        request = urllib.request.Request(f"{url}/api/sessions/{session['id']}?token={token}", method="DELETE")
        urllib.request.urlopen(request).close()


def run_and_save(page, address):
    url, token = address
    page.goto(f"{url}/lab/tree/film.ipynb?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function("() => document.querySelectorAll('.gi[data-ready]').length === 2", timeout=90_000)
    page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)
    page.wait_for_timeout(300)


@pytest.fixture(params=[True, False], ids=["widgets kept", "widgets not kept"])
def notebook(request, tmp_path):
    """Serve a small notebook with two inspectors on one graph."""
    pytest.importorskip("jupyterlab")
    path = tmp_path / "film.ipynb"
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    with jupyter(tmp_path / "server", path, keep_widgets=request.param) as address:
        yield address, tmp_path / "server" / "work" / path.name, request.param


def test_a_saved_notebook_opened_again(notebook, new_page):
    address, saved, kept = notebook
    with new_page() as page:
        run_and_save(page, address)
        first, second = page.locator(".gi[data-ready]").nth(0), page.locator(".gi[data-ready]").nth(1)
        second.locator(".gi-card", has_text="MulBackward0").click()
        page.keyboard.press("ArrowRight")
        assert second.locator(".gi-count b").inner_text() == "1"
        assert first.locator(".gi-count b").inner_text() == "0", "two inspectors on one graph are independent"
        page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_timeout(1500)
    outputs = [cell["outputs"][0]["data"] for cell in json.loads(Path(saved).read_text())["cells"]]
    assert all({"image/png", "text/plain"} <= set(data) for data in outputs), "what readers without widgets see"
    assert all((VIEW in data) is kept for data in outputs), "no widget is promised that cannot come to life"
    url, token = address
    stop_kernels(url, token)
    with new_page() as page:
        if kept:
            page.goto(f"{url}/lab/tree/film.ipynb?token={token}&reset")
            film = page.locator(".gi[data-ready]").nth(1)
            film.wait_for(state="attached", timeout=60_000)
            film.locator(".gi-scrub").focus()
            page.keyboard.press("End")
            assert "Backward is done" in film.locator(".gi-say").inner_text()
            film.locator(".gi-card", has_text="MulBackward0").click()
            assert "self" in film.locator('[data-part="Saved tensors"]').inner_text()
        else:
            page.goto(f"{url}/lab/tree/film.ipynb?token={token}&reset")
            stills = page.locator(".jp-RenderedImage img")
            stills.nth(1).wait_for(state="attached", timeout=60_000)
            assert stills.count() == 2
            page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)
            words = page.locator(".jp-Notebook").inner_text()
            assert "Loading widget" not in words
            assert "Error displaying widget" not in words
            run_and_save(page, address)
            assert page.locator(".gi[data-ready]").count() == 2


def test_a_page_loaded_again_finds_its_living_inspectors(notebook, new_page):
    address, _, _ = notebook
    url, token = address
    with new_page() as page:
        run_and_save(page, address)
        page.evaluate("() => window.jupyterapp.commands.execute('docmanager:save')")
        page.wait_for_timeout(1500)
        page.goto(f"{url}/lab/tree/film.ipynb?token={token}&reset")
        page.locator(".gi[data-ready]").nth(1).wait_for(state="attached", timeout=60_000)
        page.locator(".gi[data-ready]").nth(1).locator(".gi-scrub").focus()
        page.keyboard.press("End")
        assert "Backward is done" in page.locator(".gi-say").nth(1).inner_text()
