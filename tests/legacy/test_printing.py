"""Tensors as they were printed before 0.4: facts from programs and pages of that time."""

import pytest

import autograd_lab as torch
from autograd_lab.legacy import Variable

FACTS = [
    ([1.0, 1.0, 1.0], " 1\n 1\n 1\n[torch.FloatTensor of size 3]\n"),
    ([6.4, 64.0, 0.0064], "  6.4000\n 64.0000\n  0.0064\n[torch.FloatTensor of size 3]\n"),
    ([1.0480, -2.3405, -1.1138], " 1.0480\n-2.3405\n-1.1138\n[torch.FloatTensor of size 3]\n"),
    ([[3.0, 3.0], [3.0, 3.0]], " 3  3\n 3  3\n[torch.FloatTensor of size 2x2]\n"),
    ([[1.0, 20.0], [-300.0, 4.0]], "   1   20\n-300    4\n[torch.FloatTensor of size 2x2]\n"),
    ([1, 2, 3], " 1\n 2\n 3\n[torch.LongTensor of size 3]\n"),
    ([1e-3, 5e4], " 1.0000e-03\n 5.0000e+04\n[torch.FloatTensor of size 2]\n"),
    ([1e-3, 2.5e-3], "1.00000e-03 *\n  1.0000\n  2.5000\n[torch.FloatTensor of size 2]\n"),
    ([[[[1.0, 2.0], [3.0, 4.0]]]], "(0 ,0 ,.,.) = \n  1  2\n  3  4\n[torch.FloatTensor of size 1x1x2x2]\n"),
    ([[[1.0, 2.0]], [[3.0, 4.0]]], "(0 ,.,.) = \n  1  2\n\n(1 ,.,.) = \n  3  4\n[torch.FloatTensor of size 2x1x2]\n"),
]


@pytest.mark.parametrize(("values", "text"), FACTS)
def test_printed(values, text):
    assert repr(Variable(torch.tensor(values))) == "Variable containing:\n" + text


def test_infinity_and_nan():
    text = repr(Variable(torch.tensor([1.0, float("inf"), float("nan")])))
    assert text == "Variable containing:\n  1\ninf\nnan\n[torch.FloatTensor of size 3]\n"


def test_empty():
    assert repr(Variable(torch.empty(0))) == "Variable containing:[torch.FloatTensor with no dimension]\n"


def test_large_tensors_are_cut():
    text = repr(Variable(torch.zeros(1000)))
    assert text.count("\n") < 12
    assert text.endswith("[torch.FloatTensor of size 1000]\n")
    text = repr(Variable(torch.zeros(100, 100)))
    assert len(text.splitlines()) < 12
    assert repr(Variable(torch.zeros(20, 20, 20))).count("(") < 10


def test_wide_matrices_are_split():
    text = repr(Variable(torch.ones(1, 40)))
    assert "Columns 0 to 25 \n" in text
    assert "Columns 26 to 39 \n" in text


def test_comparisons_gave_bytes():
    text = repr(Variable(torch.tensor([1.0, 3.0])) > 2)
    assert text == "Variable containing:\n 0\n 1\n[torch.ByteTensor of size 2]\n"
