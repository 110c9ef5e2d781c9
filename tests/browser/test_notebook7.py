"""Notebook 7 opens the same inspector; a kernel that restarts or is gone leaves a film that still plays."""

import nbformat
import pytest

from tests.browser.server import jupyter

KERNEL = "window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel"
CELLS = [
    "import autograd_lab as torch\nfrom autograd_lab.inspector import inspect, step_through",
    "a = torch.tensor([1., 2.], requires_grad=True)\nb = torch.tensor([3., 4.], requires_grad=True)\n"
    "loss = (a * b).sum()\nstep_through(loss)",
]


@pytest.fixture(scope="module")
def notebook(tmp_path_factory):
    """Serve a small notebook of our own."""
    pytest.importorskip("notebook")
    folder = tmp_path_factory.mktemp("notebook7")
    path = folder / "film.ipynb"
    cells = [nbformat.v4.new_code_cell(source) for source in CELLS]
    kernel = {"name": "python3", "display_name": "Python 3", "language": "python"}
    nbformat.write(nbformat.v4.new_notebook(cells=cells, metadata={"kernelspec": kernel}), path)
    with jupyter(folder / "server", path, app="notebook") as address:
        yield address


def test_the_film_plays_and_outlives_its_kernel(notebook, new_page):
    url, token = notebook
    with new_page() as page:
        page.goto(f"{url}/notebooks/film.ipynb?token={token}")
        page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
        page.wait_for_function(f"() => {KERNEL}?.status === 'idle'", timeout=60_000)
        page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
        film = page.locator(".gi[data-ready]").first
        film.wait_for(state="attached", timeout=60_000)
        film.locator(".gi-card", has_text="MulBackward0").click()
        assert "fresh" in film.locator('[data-part="Saved tensors"]').inner_text()
        said = set()
        for _ in range(5):
            page.keyboard.press("ArrowRight")
            said.add(film.locator(".gi-say").inner_text())
        assert len(said) == 5
        page.evaluate(f"() => {KERNEL}.restart()")
        page.wait_for_timeout(2500)
        film.locator(".gi-card", has_text="MulBackward0").click()
        page.keyboard.press("End")
        assert "Backward is done" in film.locator(".gi-say").inner_text()
