"""Read the files that go to the browser. The inspector proper goes there once; each inspector sends a few lines."""

from __future__ import annotations

import hashlib
import json
import re
from functools import cache
from pathlib import Path

ASSETS = Path(__file__).parent / "assets"
#: The rooms of the module, each building on those before it: put one after the other they are one script.
ROOMS = ("signs", "film", "words", "model", "canvas", "timeline", "panel", "bar", "inspector")
# Types in JSDoc, comments on lines of their own and behind code, indentation: a sixth of the module.
_COMMENTS = re.compile(r"/\*\*.*?\*/ ?|^\s*//[^\n]*\n|\s{2,}// [^\n]*$|^[ \t]+", re.DOTALL | re.MULTILINE)
_JOINTS = re.compile(r"^import [^\n]*\n|^export ", re.MULTILINE)


def _read(name: str) -> str:
    return (ASSETS / name).read_text(encoding="utf-8")


def _plain(room: str) -> str:
    return _JOINTS.sub("", _COMMENTS.sub("", _read(f"{room}.js")))


@cache
def script() -> str:
    """Return the inspector proper as one script without imports and exports; it declares `render`."""
    return "".join(map(_plain, ROOMS))


def module() -> str:
    """Return the same as an ES module, for whoever renders it directly."""
    return f"{script()}export {{ isBreak, runTo, spoken, stateAt }};\nexport default {{ render }};\n"


@cache
def key() -> str:
    """Return the name of the page's shelf: another version of the package stands on another one."""
    return f"autograd_lab inspector {hashlib.sha256((script() + styles()).encode()).hexdigest()[:12]}"


def library() -> str:
    """Return the module that a kernel sends once: the inspector proper with its style sheet."""
    last = _COMMENTS.sub("", _read("library.js")).replace("KEY", key())
    return f"{script()}{_plain('saved')}const STYLES = {json.dumps(styles(), ensure_ascii=False)};\n{last}"


def each() -> str:
    """Return the module that every inspector sends."""
    return _COMMENTS.sub("", _read("each.js")).replace("KEY", key())


@cache
def styles() -> str:
    """Return the style sheet."""
    return _read("inspector.css")


def page() -> str:
    """Return the frame of the page that plays without a notebook."""
    return _read("page.html")
