"""Write a graph in other people's languages: DOT, Mermaid, JSON, and one HTML file that plays the film."""

from __future__ import annotations

import dataclasses
import html as escape_html
import json
import os
import re
from pathlib import Path
from types import UnionType
from typing import Any, TypeVar, Union, get_args, get_origin, get_type_hints

from autograd_lab.inspector import shipped
from autograd_lab.inspector.cards import title_of
from autograd_lab.introspect import model
from autograd_lab.introspect.digest import shape_text
from autograd_lab.introspect.model import ACCUMULATOR, CUSTOM, INPLACE, VIEW, BackwardTrace, GraphSnapshot, NodeInfo
from autograd_lab.introspect.problems import describe

Content = TypeVar("Content", str, bytes)


def hand_out(content: Content, path: str | Path | None) -> Any:
    """Return the content, or write it to a path and return the path."""
    if path is None:
        return content
    path = _path(path, "write to")
    data = content if isinstance(content, bytes) else content.encode()
    try:
        target = Path(os.path.realpath(path))  # a link stays one
        if target.exists() and not target.is_file():  # a folder, a device
            target.write_bytes(data)
            return path
        beside = target.with_name(f".{os.getpid()}.part")  # the old file stays whole until the new one is
        try:
            beside.write_bytes(data)
            os.replace(beside, target)
        finally:
            beside.unlink(missing_ok=True)
    except (OSError, ValueError) as problem:
        raise _cannot("written", path, problem) from problem
    return path


def _path(given: Any, aim: str) -> Path:
    """Return what was given as a path, or say what a path may be."""
    if not isinstance(given, (str, os.PathLike)) or not isinstance(os.fspath(given), str):
        raise TypeError(f"A path to {aim} is a str or a pathlib.Path; got {describe(given)}.")
    return Path(given)


def _cannot(done: str, path: Path, problem: Exception) -> Exception:
    """Return the same kind of error, in a sentence that names the file and says what to do."""
    words = (getattr(problem, "strerror", None) or str(problem)).lower()
    name = str(path) if len(str(path)) <= 200 else f"{str(path)[:200]}…"
    can = "write to" if done == "written" else "read"
    told = f"{name!r} could not be {done}: {words}. Pass the name of a file in a folder that you can {can}."
    if not isinstance(problem, OSError):
        return ValueError(told)
    made = type(problem)(told)
    made.errno = problem.errno
    return made


def _lines(node: NodeInfo) -> list[str]:
    second = node.op if node.label else ""
    return [line for line in (title_of(node), second, f"{shape_text(node.shape)} {node.dtype}".strip()) if line]


def dot(graph: GraphSnapshot) -> str:
    """Return the graph in Graphviz' language; edges are the way of the gradient."""
    shapes = {ACCUMULATOR: "ellipse", CUSTOM: "octagon", INPLACE: "note"}

    def quote(words: str) -> str:
        return '"' + words.replace("\\", "\\\\").replace('"', '\\"') + '"'

    lines = [
        "digraph {",
        f'  label={quote("Graph of " + graph.title)}; labelloc=t; node [shape=box, fontname="DejaVu Sans"];',
    ]
    for node in graph.nodes:
        style = ", style=dashed" if node.kind == VIEW else ", style=striped, color=red" if node.stale else ""
        label = quote("\n".join(_lines(node))).replace("\n", "\\n")
        lines.append(f"  {node.id} [label={label}, shape={shapes.get(node.kind, 'box')}{style}];")
    lines += [f"  {edge.source} -> {edge.target} [tooltip={quote(edge.name)}];" for edge in graph.edges]
    return "\n".join([*lines, "}", ""])


def mermaid(graph: GraphSnapshot) -> str:
    """Return the graph as a Mermaid flowchart."""
    marks = {ACCUMULATOR: ("([", "])"), CUSTOM: ("{{", "}}"), VIEW: ("[/", "/]"), INPLACE: ("[[", "]]")}
    lines = ["flowchart TD"]
    for node in graph.nodes:
        words = "<br>".join(escape_html.escape(line).replace("&", "#").replace("##", "#") for line in _lines(node))
        left, right = marks.get(node.kind, ("[", "]"))
        lines.append(f'  {node.id}{left}"{words}"{right}')
    lines += [f"  {edge.source} --> {edge.target}" for edge in graph.edges]
    return "\n".join([*lines, ""])


def to_json(source: GraphSnapshot | BackwardTrace) -> str:
    """Return a snapshot or a trace as JSON."""
    kind = "trace" if isinstance(source, BackwardTrace) else "snapshot"
    content = _plain(source)
    if isinstance(source, BackwardTrace):
        content["error"] = None if source.error is None else f"{type(source.error).__name__}: {source.error}"
    return json.dumps(
        {"autograd_lab": kind, "version": 1, kind: content}, ensure_ascii=False, allow_nan=False, indent=1
    )


def from_json(source: str | Path) -> GraphSnapshot | BackwardTrace:
    """Read what `to_json` wrote."""
    content = str(source)
    if not isinstance(source, str) or not source.lstrip().startswith("{"):
        path = _path(source, "read from")
        try:
            content = path.read_text(encoding="utf-8")
        except (OSError, ValueError) as problem:
            raise _cannot("read", path, problem) from problem
    try:
        data = json.loads(content)
        kind = data["autograd_lab"]
        if data["version"] != 1:
            raise KeyError("version")
        if kind == "snapshot":
            return _build(GraphSnapshot, data[kind])
        trace = data["trace"]
        words, trace["error"] = trace.pop("error"), None
        read = _build(BackwardTrace, trace)
        return dataclasses.replace(read, error=RuntimeError(words) if words else None)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as problem:
        raise ValueError(
            "This JSON was not written by Drawing.to_json of this version; pass its text or the path of its file."
        ) from problem


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {
            f.name: _plain(getattr(value, f.name))
            for f in dataclasses.fields(value)
            if f.name != "error" or isinstance(value, model.Step)
        }
    return [_plain(item) for item in value] if isinstance(value, (tuple, list)) else value


def _build(kind: Any, value: Any) -> Any:
    """Rebuild a dataclass, or a tuple or union of them, from plain data, guided by the type hints."""
    if value is None:
        return None
    origin, args = get_origin(kind), get_args(kind)
    if origin in (Union, UnionType):
        return _build(next(arg for arg in args if arg is not type(None)), value)
    if origin is tuple:
        repeated = len(args) == 2 and args[1] is Ellipsis
        return tuple(
            _build(args[0] if repeated else arg, item)
            for arg, item in zip(args if not repeated else [args[0]] * len(value), value)
        )
    if dataclasses.is_dataclass(kind):
        hints = get_type_hints(kind, vars(model))
        return kind(**{name: _build(hints[name], item) for name, item in value.items() if name in hints})  # type: ignore[operator]
    return value


def html(scene: dict[str, Any], words: str) -> str:
    """Return one HTML file with the inspector inlined: it plays without kernel and network."""
    data = json.dumps(scene, ensure_ascii=False, allow_nan=False).replace("<", "\\u003c").replace("\u2028", "\\u2028")
    parts = {
        "<!--title-->": escape_html.escape(f"Graph of {scene['title']}"),
        "/*css*/": shipped.styles(),
        "<!--words-->": escape_html.escape(words),
        "<!--scene-->": data,
        "/*module*/": shipped.script().replace("</script", "<\\/script"),
    }
    return re.sub("|".join(map(re.escape, parts)), lambda found: parts[found[0]], shipped.page())
