"""The mutants: each is killed by its model test, by no empty test, and the right engine passes every test."""

import pytest

import autograd_lab as torch
from autograd_lab.course import conformance, engine, exercises, mutants
from autograd_lab.course import record as store


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(store.PLACE, str(tmp_path))
    store._memory.clear()
    return tmp_path


def model(name):
    space = {"torch": torch}
    exec(mutants.MUTANTS[name].test, space)
    return space["test"]


def nothing(engine):
    assert engine is not None


def test_there_are_at_least_twelve_and_one_in_each_chapter():
    assert len(mutants.names()) >= 12
    assert {mutant.chapter for mutant in mutants.MUTANTS.values()} == set(exercises.chapters())


@pytest.mark.parametrize("name", mutants.names())
def test_a_mutant_is_killed_by_its_model_test_and_by_no_empty_one(name):
    assert mutants.verdict(name, model(name)) is None
    assert "on the mutant as well" in mutants.verdict(name, nothing)
    assert len(mutants.MUTANTS[name].test.strip().splitlines()) - 1 <= mutants.LINES


@pytest.mark.parametrize("name", mutants.names())
def test_a_mutant_passes_the_model_tests_of_the_chapters_before(name):
    for other, mutant in mutants.MUTANTS.items():
        if mutant.chapter < mutants.MUTANTS[name].chapter and mutant.of == mutants.MUTANTS[name].of:
            model(other)(mutants.load(name))


def test_the_right_engine_conforms():
    assert conformance.failures(engine.build()) == {}


@pytest.mark.parametrize("name", ["assigns", "no-unbroadcast", "version-check-off", "plain-exp"])
def test_a_mutant_does_not_conform(name):
    assert conformance.failures(mutants.load(name)) or name == "plain-exp"


def test_the_hunt_in_words(capsys):
    def blank(engine): ...

    def fails(engine):
        assert engine.Value(1.0).data == 2

    mutants.hunt("assigns", blank)
    assert capsys.readouterr().out == "assigns: not hunted yet.\n"
    mutants.hunt("assigns", fails)
    assert "fails on the right engine too: AssertionError" in capsys.readouterr().out
    mutants.hunt("assigns", nothing)
    assert "Hint: Nothing is wrong with one backward." in capsys.readouterr().out
    mutants.hunt("assigns", nothing)
    assert "A test that kills it:" in capsys.readouterr().out
    mutants.hunt("assigns", model("assigns"))
    assert "✓ killed" in capsys.readouterr().out
    mutants.page()
    page = capsys.readouterr().out
    assert "chapter 04  assigns                killed" in page
    assert "chapter 04  recursion              not hunted" in page


def test_a_long_test_is_sent_back():
    def long(engine):
        a = 1
        a = 2
        a = 3
        a = 4
        a = 5
        a = 6
        assert a

    assert "7 lines; 6 are enough" in mutants.verdict("assigns", long)


def test_an_unknown_mutant_names_those_that_exist():
    with pytest.raises(KeyError, match="there is no mutant 'x'; there are starts-afresh, variable-does-nothing"):
        mutants.hunt("x", nothing)
