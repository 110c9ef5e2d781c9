"""The text view: words that a screen reader can read and nbval can compare."""

import re

from autograd_lab.inspector.text import graph_text, trace_text
from autograd_lab.introspect import record, snapshot


def test_an_outline_of_a_small_graph(torch):
    a = torch.ones(3, 4, requires_grad=True)
    b = torch.ones(4, requires_grad=True)
    c = a * b
    d = c.sum()
    lines = graph_text(snapshot(d, names={"a": a, "b": b, "c": c, "d": d})).splitlines()
    assert lines[0] == "Graph of d: 4 nodes, 3 edges. Gradients go from 1 downwards."
    assert re.match(r"1 +d +SumBackward0 +\(\) +float32", lines[2])
    assert re.match(r"1\.1 +  c +MulBackward0 +\(3, 4\) +float32", lines[3])
    assert lines[-1].split()[:3] == ["1.1.2", "b", "AccumulateGrad"]
    assert lines[-1].endswith(".grad None")


def test_a_node_met_again_is_one_line(torch):
    x = torch.tensor(3.0, requires_grad=True)
    y = x * x
    lines = graph_text(snapshot(y)).splitlines()
    assert re.match(r"1\.2 +x  see 1\.1$", lines[-1])


def test_no_drawn_lines_and_no_addresses(torch):
    x = torch.ones(2, requires_grad=True)
    words = trace_text(record((x * x).sum()))
    assert not re.search(r"[│├└─]|0x[0-9a-f]{6}", words)


def test_a_finding_says_what_then_fix_read(torch):
    a = torch.ones(3, requires_grad=True)
    c = a * a
    with torch.no_grad():
        a.mul_(2)
    words = graph_text(snapshot(c))
    assert "STALE" in words
    assert "Finding 1 of" in words
    for head in ("  What  MulBackward0 saved", "  Then  Backward will raise.", "  Fix   ", "  Read  chapter 06"):
        assert head in words
    assert "for example a = a + 1;\n        only for a write outside the graph copy first, a.detach().clone()" in words


def test_the_words_of_a_film_tell_where_the_first_nan_was_born(torch):
    x = torch.tensor([0.0, 1.0], requires_grad=True)
    told = [line for line in trace_text(record((x.sqrt() * 2).sum())).splitlines() if "was born" in line]
    assert len(told) == 1
    assert told[0].endswith("Here the first nan or inf was born at [0].")


def test_steps_are_sentences_and_the_current_one_is_marked(torch):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    loss = (x * x).sum()
    words = trace_text(record(loss), 2)
    assert " 2  enter       SumBackward0 received the gradient of loss, shape ().  (now)" in words
    assert words.splitlines()[-1].split(maxsplit=2)[2].startswith("Backward is done: 1 leaf received a gradient")


def test_a_long_graph_is_cut_and_says_so(torch):
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(1000):
        y = y + 1
    words = graph_text(snapshot(y))
    assert len(words.splitlines()) < 420
    assert "more nodes, not listed" in words
    assert max(map(len, words.splitlines())) < 130


def test_a_deep_graph_that_branches_has_numbers_of_its_own(torch):
    w = torch.ones(2, 2, requires_grad=True)
    h = torch.ones(2, 2)
    for _ in range(15):
        h = ((h @ w).exp() + 1).sin()
    numbers = [line.split()[0] for line in graph_text(snapshot(h.sum())).splitlines()[2:] if line[:1].isdigit()]
    assert len(set(numbers)) == len(numbers)


def test_html_in_a_name_stays_text(torch):
    x = torch.ones(1, requires_grad=True)
    words = graph_text(snapshot(x * 2, names={"<b>x</b>": x}))
    assert "<b>x</b>" in words
