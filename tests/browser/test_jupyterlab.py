"""End to end: real JupyterLab in a real Chromium opens chapter 04, its cells run, and the graph is stepped through."""

import os
from pathlib import Path

import pytest

from tests.browser.server import jupyter
from tests.support import ROOT

CHAPTER = next((ROOT / "notebooks").glob("04_*.ipynb"))
contrast = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
CELLS = "() => window.jupyterapp.shell.currentWidget.content.model.cells.length"  # far ones are drawn late, or never
PICTURES = os.environ.get("AUTOGRAD_LAB_PICTURES")


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """Serve chapter 04 in JupyterLab."""
    pytest.importorskip("jupyterlab")
    with jupyter(tmp_path_factory.mktemp("jupyter"), CHAPTER) as address:
        yield address


def picture(page, name):
    """Keep a picture for a human eye, when one asked for it."""
    if PICTURES:
        page.screenshot(path=str(Path(PICTURES) / f"{name}.png"))


def open_chapter(page, address):
    url, token = address
    page.goto(f"{url}/lab/tree/{CHAPTER.name}?token={token}&reset")
    page.wait_for_selector(".jp-Notebook .jp-Cell", timeout=60_000)
    page.wait_for_function(
        "() => window.jupyterapp?.shell?.currentWidget?.sessionContext?.session?.kernel?.status === 'idle'",
        timeout=60_000,
    )
    page.evaluate("() => window.jupyterapp.commands.execute('notebook:run-all-cells')")
    film = page.locator(".gi[data-ready]").filter(has=page.locator(".gi-card", has_text="MulBackward0")).first
    film.wait_for(state="attached", timeout=90_000)
    film.scroll_into_view_if_needed()
    return film


def test_chapter_04_is_stepped_through(lab, new_page):
    with new_page() as page:
        film = open_chapter(page, lab)
        picture(page, "lab_start")
        film.locator(".gi-card", has_text="MulBackward0").first.click()
        panel = film.locator(".gi-panel")
        assert "MulBackward0" in panel.inner_text()
        saved = film.locator('[data-part="Saved tensors"]').inner_text()
        assert "self" in saved
        assert "other" in saved
        cells = page.evaluate(CELLS)
        words, drawn = [film.locator(".gi-say").inner_text()], [film.locator(".gi-sight svg").first.inner_html()]
        for _ in range(3):
            page.keyboard.press("ArrowRight")
            words.append(film.locator(".gi-say").inner_text())
            drawn.append(film.locator(".gi-sight svg").first.inner_html())
        assert len(set(words)) == 4
        assert len(set(drawn)) == 4
        assert film.locator(".gi-count b").inner_text() == "3"
        page.keyboard.press("ArrowLeft")
        assert film.locator(".gi-say").inner_text() == words[2]
        assert film.locator(".gi-count b").inner_text() == "2"
        page.keyboard.press("b")
        assert page.evaluate(CELLS) == cells, "`b` reached the notebook"
        picture(page, "lab_step")


def test_text_is_readable_in_both_themes(lab, new_page):
    with new_page() as page:
        film = open_chapter(page, lab)
        for theme in ("JupyterLab Light", "JupyterLab Dark"):
            page.evaluate("theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme)
            wanted = "true" if theme.endswith("Light") else "false"
            page.wait_for_selector(f'body[data-jp-theme-light="{wanted}"]', state="attached")
            page.wait_for_timeout(500)
            film.scroll_into_view_if_needed()
            film.locator(".gi-card").first.click()
            for _ in range(6):
                page.keyboard.press("ArrowRight")
            lowest = film.evaluate(contrast)
            assert lowest["ratio"] >= 4.5, f"{theme}: {lowest}"
            picture(page, f"lab_{theme.split()[1].lower()}")
