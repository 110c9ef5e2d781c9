"""Debian's Chromium under Playwright, and what every page may not do: write errors to the console."""

from contextlib import contextmanager

import pytest

from tests.support import CHROMIUM_FLAGS, require_chromium

#: Complaints of JupyterLab about itself, a machine without a network, a saved widget without its state; none is ours.
NOT_OURS = (
    "favicon", "Failed to load resource", "webpack", "preload", "Fetching license", "sourceMappingURL", "WebGL",
    "reading 'schema'", "widget model not found",
)  # fmt: skip


@pytest.fixture(scope="session")
def chromium():
    """Return a running browser."""
    path = require_chromium()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(CHROMIUM_FLAGS), headless=True)
        yield browser
        browser.close()


@pytest.fixture
def new_page(chromium):
    """Return a context manager that opens a page and checks its console at the end."""

    @contextmanager
    def page_of(width=1300, height=1000, **options):
        context = chromium.new_context(viewport={"width": width, "height": height}, **options)
        page = context.new_page()
        errors = []
        page.on("console", lambda m: errors.append(m.text) if m.type == "error" else None)
        page.on("pageerror", lambda problem: errors.append(str(problem)))
        try:
            yield page
            assert [text for text in errors if not any(word in text for word in NOT_OURS)] == []
        finally:
            context.close()

    return page_of
