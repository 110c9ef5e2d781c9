"""Out of the notebook: every format says the same, and a foreign name is never markup."""

import json
import re

import numpy as np
import pytest

from autograd_lab.inspector import Drawing, draw
from autograd_lab.introspect import record, snapshot


@pytest.fixture
def loss(torch):
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    return (x * w + x.sin()).mean()


def test_png_svg_and_figure(loss, tmp_path):
    drawing = draw(loss)
    assert drawing.to_png().startswith(b"\x89PNG")
    assert drawing.to_png() == drawing.to_png()
    assert "MulBackward0" in drawing.to_svg()
    assert drawing.to_svg() == drawing.to_svg()
    drawing.figure.savefig(tmp_path / "paper.pdf")
    assert (tmp_path / "paper.pdf").read_bytes().startswith(b"%PDF")


def test_a_path_is_written_and_returned(loss, tmp_path):
    drawing = draw(loss)
    for name in ("png", "svg", "dot", "mermaid", "json", "html"):
        path = getattr(drawing, f"to_{name}")(tmp_path / f"graph.{name}")
        assert path.read_bytes()


def test_dot_and_mermaid_have_every_node_and_edge(loss):
    drawing = draw(loss)
    assert drawing.to_dot().count("->") == 6
    assert drawing.to_mermaid().count("-->") == 6
    assert drawing.to_mermaid().splitlines()[0] == "flowchart TD"


def test_json_goes_round(loss):
    trace = record(loss)
    read = Drawing.from_json(Drawing(trace).to_json())
    assert read.trace == trace
    assert read.scene == Drawing(trace).scene
    graph = snapshot(loss)
    assert Drawing.from_json(Drawing(graph).to_json()).snapshot == graph


def test_json_with_nan_goes_round(torch):
    x = torch.tensor([np.nan, 1.0], requires_grad=True)
    trace = record((x * x).sum())
    json.loads(Drawing(trace).to_json())
    assert Drawing.from_json(Drawing(trace).to_json()).trace.steps == trace.steps


def test_foreign_json_gets_a_sentence(tmp_path):
    for words in ("{}", '{"autograd_lab": "graph"}'):
        with pytest.raises(ValueError, match=r"was not written by Drawing\.to_json"):
            Drawing.from_json(words)


def test_html_is_one_file_without_network(loss):
    page = Drawing(record(loss)).to_html()
    assert "default-src 'none'" in page
    assert not re.search(r"(src|href)=[\"']?(https?:)?//", page)
    assert (
        "import "
        not in re.sub(r"//.*|/\*.*?\*/|@typedef.*", "", page.split('<script type="module">')[1]).split("\n")[0]
    )


def test_markup_in_a_name_is_text_everywhere(torch):
    x = torch.ones(2, requires_grad=True)
    evil = '</script><img src=x onerror="alert(1)">'
    drawing = Drawing(snapshot(x * 2, names={evil: x}))
    assert "<img" not in drawing.to_html().replace(json.dumps("<img"), "")
    assert "<img" not in drawing.to_mermaid()
    assert "<img" not in drawing.to_svg()
    assert '\\"alert(1)\\"' in drawing.to_dot()


def test_the_drawing_shows_itself_as_picture_and_text(loss):
    data, _ = draw(loss)._repr_mimebundle_()
    assert set(data) == {"image/png", "text/plain"}
    assert data["text/plain"] == str(draw(loss))
    assert repr(draw(loss)).startswith("<Drawing of ")
    assert repr(draw(loss)).endswith(": 6 nodes, 6 edges>")


def test_networkx(loss):
    assert draw(loss).to_networkx().number_of_nodes() == 6


def test_a_file_that_cannot_be_written_is_named_and_the_old_one_stays_whole(loss, tmp_path, monkeypatch):
    drawing = draw(loss)
    with pytest.raises(FileNotFoundError, match="could not be written: no such file or directory"):
        drawing.to_png(tmp_path / "nowhere" / "graph.png")
    with pytest.raises(IsADirectoryError, match="could not be written"):
        drawing.to_json(tmp_path)
    for path in (5, b"graph.svg"):
        with pytest.raises(TypeError, match="A path to write to is a str"):
            drawing.to_svg(path)
    kept = drawing.to_html(tmp_path / "graph.html")
    before = kept.read_bytes()

    def full(self, data):
        with open(self, "wb") as file:
            file.write(data[:10])
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("pathlib.Path.write_bytes", full)
    with pytest.raises(OSError, match="could not be written: no space left on device"):
        drawing.to_html(kept)
    monkeypatch.undo()
    assert kept.read_bytes() == before
    assert list(tmp_path.iterdir()) == [kept]


@pytest.mark.parametrize("change", [lambda text: text[:-40], lambda text: text.replace('"nodes"', '"n"')])
def test_damaged_json_gets_the_same_sentence(loss, change):
    with pytest.raises(ValueError, match="was not written by"):
        Drawing.from_json(change(draw(loss).to_json()))


@pytest.mark.parametrize("source", [None, 5, "nowhere.json", "x" * 5000])
def test_json_that_cannot_be_read_is_named(source):
    with pytest.raises((TypeError, OSError), match=r"A path to read from is|could not be read"):
        Drawing.from_json(source)
