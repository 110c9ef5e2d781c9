"""Formulas: the LaTeX of the declarations, read, renamed and filled with numbers."""

import unicodedata

import pytest

import autograd_lab as torch
from autograd_lab.inspector import formula
from autograd_lab.inspector.view import view_of
from autograd_lab.introspect import record


@pytest.mark.parametrize(
    ("latex", "text"),
    [
        (r"y = a \odot b", "y = a ⊙ b"),
        (r"\bar a = \bar y \odot b", "ā = ȳ ⊙ b"),
        (r"\bar x = \bar y \odot \cos(x)", "x̄ = ȳ ⊙ cos(x)"),
        (r"y = \frac{a}{b}", "y = (a/b)"),
        (r"\bar b = -\bar y \odot \frac{a}{b^2}", "b̄ = −ȳ ⊙ (a/b²)"),
        (r"y = a^{b}", "y = a^b"),
        (r"Y = A B^\top", "Y = A Bᵀ"),
        (r"y = \sqrt{a + 1}", "y = √(a + 1)"),
        (r"y = \max(0, a)", "y = max(0, a)"),
        (r"\bar x = \mathrm{sign}(x) \cdot \bar y", "x̄ = sign(x) · ȳ"),
    ],
)
def test_text(latex, text):
    assert formula.text(formula.parse(latex)) == unicodedata.normalize("NFC", text)


@pytest.mark.parametrize("latex", ["", "}", "{", r"\frac", r"\unknown{x}", "^", "a_", r"\mathrm{un\_closed", "é ∂"])
def test_what_is_malformed_stays_readable(latex):
    assert isinstance(formula.text(formula.parse(latex)), str)


def test_renaming_is_done_all_at_once():
    math = formula.parse(r"y = a \odot b")
    assert formula.text(formula.rename(math, {"y": "a", "a": "b", "b": "y"})) == "a = b ⊙ y"


def test_which_input_a_derivative_is_for():
    assert formula.barred(formula.parse(r"\bar a = \bar y \odot b")) == "a"
    assert formula.barred(formula.parse("y = a")) is None


def test_every_declared_formula_can_be_read():
    from autograd_lab import ops
    from autograd_lab.core.op import table

    ops.load_all()
    for declared in table.values():
        for latex in [declared.formula, *dict(declared.derivatives).values()]:
            if latex:
                words = formula.text(formula.parse(latex))
                assert "\\" not in words, f"{declared.name}: {latex} reads {words}"
                assert "{" not in words or r"\{" in latex or "cases" in latex, f"{declared.name}: {words}"


def test_numbers_stand_in_the_formula_as_one_would_write_them():
    x = torch.tensor(2.0, requires_grad=True)
    y = torch.tensor(3.0, requires_grad=True)

    def shown(result):
        panel = view_of(record(result, names={"x": x, "y": y}))["panels"]["n0"]
        return [formula.text(row["numbers"]) for row in panel["formula"]["rows"]]

    assert shown(torch.add(x, y, alpha=2)) == ["x̄ = 1", "ȳ = 2 · 1 = 2"]
    assert shown(x**3) == ["x̄ = 3 · 2^(3 − 1) ⊙ 1 = 12"]
    assert shown(x.exp()) == ["x̄ = 1 ⊙ 7.389 = 7.389"], "the gradient is not the result"
