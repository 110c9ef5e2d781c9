"""The exported HTML file plays with no kernel and no network; keys, contrast, overlaps and motion are checked."""

from pathlib import Path

import pytest

import autograd_lab as torch
from autograd_lab.inspector import Drawing
from autograd_lab.introspect import record, snapshot

contrast = Path(__file__).with_name("contrast.js").read_text(encoding="utf-8")
OVERLAPS = Path(__file__).with_name("overlaps.js").read_text(encoding="utf-8")


def small():
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    loss = y.mean()
    return record(loss)


def stale():
    a = torch.ones(3, 4, requires_grad=True)
    b = torch.full((3, 4), 0.5, requires_grad=True)
    c = a * b
    d = c.sum()
    a.detach().sigmoid_()
    return record(d)


def deep():
    W = (torch.eye(4) * 0.5).requires_grad_()
    biases = [torch.zeros(4, requires_grad=True) for _ in range(120)]
    h = torch.ones(2, 4)
    for b in biases:
        h = torch.relu(h @ W + b)
    return record(h.sum(), names={"W": W, "biases": biases})


@pytest.fixture
def open_film(tmp_path, new_page):
    """Return a function that opens a trace's exported file in a page that refuses every request."""

    def opened(page, trace):
        path = Drawing(trace).to_html(tmp_path / "film.html")
        asked = []
        page.on("request", lambda request: asked.append(request.url))
        page.goto(path.as_uri())
        page.wait_for_selector(".gi[data-ready]")
        assert asked == [path.as_uri()]
        return page.locator(".gi")

    return opened


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1040, 640])
@pytest.mark.parametrize("trace", [small, stale, deep])
def test_every_step_is_readable(trace, width, scheme, new_page, open_film):
    with new_page(width=width, height=900, color_scheme=scheme) as page:
        film = open_film(page, trace())
        film.locator(".gi-scrub").focus()
        for key in ("End", "Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowRight", "End"):
            page.keyboard.press(key)
        lowest = film.evaluate(contrast)
        assert lowest["ratio"] >= 4.5, lowest
        assert film.evaluate(OVERLAPS) == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth"), "no sideways scrolling"


def test_the_keyboard_alone_is_enough(new_page, open_film):
    with new_page() as page:
        film = open_film(page, small())
        focused = []
        for _ in range(24):
            page.keyboard.press("Tab")
            focused.append(
                page.evaluate(
                    "() => document.activeElement.getAttribute('aria-label') || document.activeElement.className"
                )
            )
        assert any("Find a name" in name for name in focused)
        assert any(name == "Step" for name in focused)
        nodes = [name.split(",")[0] for name in focused if "accumulator" in name or "operation" in name]
        assert nodes == ["loss", "y", "x * w", "x.sin()", "w", "x"], "Tab walks the nodes in reading order, then leaves"
        film.locator('.gi-card[aria-label^="w,"]').focus()
        page.keyboard.press("Shift+Tab")
        assert film.locator(".gi-top b").inner_text() == "x.sin()"
        film.locator(".gi-card").first.focus()
        page.keyboard.press("ArrowDown")
        page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
        assert film.locator(".gi-count b").inner_text() != "0"
        page.keyboard.press("Space")
        page.wait_for_timeout(900)
        page.keyboard.press("Space")


@pytest.mark.parametrize("width", [320, 400, 480, 600, 760])
@pytest.mark.parametrize("trace", [small, stale, deep])
def test_a_narrow_window_has_every_control(trace, width, new_page, open_film):
    with new_page(width=width, height=900) as page:
        film = open_film(page, trace())
        outside = film.evaluate(
            """root => { const whole = root.getBoundingClientRect();
              const controls = 'button:not(.gi-code *), input, .gi-count, .gi-scrub, .gi-say';
              return [...root.querySelectorAll(controls)].filter(node => {
                const box = node.getBoundingClientRect();
                return box.width < 1 || box.left < whole.left - 1 || box.right > whole.right + 1;
              }).map(node => node.getAttribute('aria-label') || node.textContent); }"""
        )
        assert outside == []
        assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")


def test_a_search_marks_what_matches_and_wears_one_ring(new_page, open_film):
    with new_page() as page:
        film = open_film(page, small())
        film.locator("input").fill("mean")
        assert film.locator(".gi-card.hit.in-op").count() == 1
        assert film.locator(".gi-card.in-name").count() == 0, "the name `loss` does not contain it"
        film.locator("input").fill("loss")
        assert film.locator(".gi-card.hit.in-name").count() == 1
        assert film.locator("input").evaluate("node => getComputedStyle(node).outlineStyle") == "none"
        assert film.locator(".gi-search").evaluate("node => getComputedStyle(node).outlineStyle") == "solid"


def test_a_wide_graph_is_fitted_no_smaller_than_it_can_be_read(new_page, open_film):
    weights = [torch.ones(2, requires_grad=True) for _ in range(6)]
    graph = snapshot(*[w.exp().sin().sum() for w in weights], names={"weights": weights})
    with new_page() as page:
        film = open_film(page, graph)
        assert film.locator(".gi-zoom").inner_text() == "70%"
        assert film.locator(".gi-overview").count() == 1


def test_a_break_stops_the_play(new_page, open_film):
    with new_page() as page:
        film = open_film(page, small())
        film.locator(".gi-card", has_text="MulBackward0").click()
        page.keyboard.press("b")
        page.keyboard.press("Space")
        page.wait_for_function("() => document.querySelector('.gi-play').getAttribute('aria-label') === 'Pause'")
        page.wait_for_function(
            "() => document.querySelector('.gi-play').getAttribute('aria-label') === 'Play'", timeout=20_000
        )
        assert "MulBackward0 received" in film.locator(".gi-say").inner_text()


def test_reduced_motion_is_honoured(new_page, open_film):
    with new_page(reduced_motion="reduce") as page:
        film = open_film(page, small())
        assert film.locator(".gi-head-mark").evaluate("node => getComputedStyle(node).transitionDuration") == "0s"


def test_a_stack_opens_without_a_kernel(new_page, open_film):
    with new_page() as page:
        film = open_film(page, deep())
        cards = film.locator(".gi-card").count()
        assert cards < 20
        stack = film.locator(".gi-card", has_text="Expand 1").first
        stack.focus()
        stack.dblclick()
        assert "nodes" in film.locator(".gi-title").inner_text()
        assert film.locator(".gi-card", has_text="ReluBackward0").count() > 2
        film.locator("input").fill("biases[0]")
        assert film.locator(".gi-card.hit", has_text="biases[0]").count() == 1, "drawn when it is looked for"
        film.locator("button", has_text="Fold all").click()
        assert film.locator(".gi-card").count() == cards
