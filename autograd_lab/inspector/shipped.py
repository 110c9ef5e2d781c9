"""Read the files that go to the browser; every inspector sends its module along, so it goes without its comments."""

from __future__ import annotations

import re
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"
# Types in JSDoc, comments on lines of their own and behind code, indentation: a sixth of the module.
_COMMENTS = re.compile(r"/\*\*.*?\*/ ?|^\s*//[^\n]*\n|\s{2,}// [^\n]*$|^[ \t]+", re.DOTALL | re.MULTILINE)


def module() -> str:
    """Return the ES module."""
    return _COMMENTS.sub("", (ASSETS / "inspector.js").read_text(encoding="utf-8"))


def styles() -> str:
    """Return the style sheet."""
    return (ASSETS / "inspector.css").read_text(encoding="utf-8")


def page() -> str:
    """Return the frame of the page that plays without a notebook."""
    return (ASSETS / "page.html").read_text(encoding="utf-8")
