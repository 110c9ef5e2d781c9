"""The progress file: whole or old, never half; merged, never lost; foreign files are set aside and named."""

import json
import os
import subprocess
import sys
import textwrap
import time

import pytest

from autograd_lab.course import lock, page, predict, progress, recall, reveal, shelf
from autograd_lab.course import record as store

OPTIONS = ["1 and 2", "2 and 1", "None and None", "an error"]


@pytest.fixture(autouse=True)
def own_folder(tmp_path, monkeypatch):
    monkeypatch.setenv(store.PLACE, str(tmp_path))
    store._memory.clear()
    return tmp_path


def test_a_question_without_an_answer_prints_a_fixed_text_and_writes_nothing(own_folder, capsys):
    predict("00.1", "x.grad and y.grad are …", options=OPTIONS)
    first = capsys.readouterr().out
    predict("00.1", "x.grad and y.grad are …", options=OPTIONS)
    assert capsys.readouterr().out == first
    assert first.startswith("Prediction 00.1 · x.grad and y.grad are …\n  a  1 and 2\n")
    assert not list(own_folder.iterdir())


def test_the_first_answer_counts(own_folder, capsys):
    predict("00.1", "?", options=OPTIONS, answer="a", sure=3)
    predict("00.1", "?", options=OPTIONS, answer="b", sure=1)
    entry = json.loads((own_folder / store.NAME).read_text(encoding="utf-8"))["predictions"]["00.1"]
    assert (entry["answer"], entry["sure"], entry["right"]) == ("a", 3, False)
    assert "you said “a” (certain)" in capsys.readouterr().out
    reveal("00.1")
    assert "It is “b”. A certain answer that is wrong" in capsys.readouterr().out.replace("\n", " ")


@pytest.mark.parametrize(
    ("answer", "sure", "words"), [("z", 1, "answer is one of a, b, c, d"), ("a", None, "how sure")]
)
def test_an_answer_that_is_none_says_what_to_write(answer, sure, words):
    with pytest.raises(ValueError, match=words):
        predict("00.1", "?", options=OPTIONS, answer=answer, sure=sure)


@pytest.mark.parametrize(
    "text", ["{half", "[]", '{"format": "other"}', '{"format": "autograd-lab progress 1", "exercises": 3}']
)
def test_a_damaged_or_foreign_file_is_set_aside_and_named(own_folder, capsys, text):
    (own_folder / store.NAME).write_text(text, encoding="utf-8")
    predict("00.1", "?", options=OPTIONS, answer="b", sure=2)
    assert "It is kept as autograd-lab-progress-set-aside-1.json" in capsys.readouterr().out
    assert (own_folder / "autograd-lab-progress-set-aside-1.json").read_text(encoding="utf-8") == text
    assert store.load()["predictions"]["00.1"]["right"] is True


def test_merging_loses_nothing_and_does_not_depend_on_the_order():
    one, other = store.empty(), store.empty()
    one["predictions"]["00.1"] = {"answer": "a", "when": "2026-01-02"}
    other["predictions"]["00.1"] = {"answer": "b", "when": "2026-01-01"}
    one["exercises"]["00.4"] = {"tries": 3}
    other["exercises"]["00.4"] = {"tries": 1, "solved": "2026-01-01"}
    joined = store.merge(one, other)
    assert joined == store.merge(other, one) == store.merge(joined, joined)
    assert joined["predictions"]["00.1"]["answer"] == "b"
    assert joined["exercises"]["00.4"] == {"tries": 3, "solved": "2026-01-01"}


def test_many_writers_at_once_lose_nothing(own_folder):
    program = textwrap.dedent("""
        import sys
        from autograd_lab.course import record
        for n in range(10):
            record.update(lambda kept: kept["exercises"].setdefault(f"{sys.argv[1]}.{n}", {"tries": 1}))
    """)
    writers = [subprocess.Popen([sys.executable, "-c", program, str(number)], env=os.environ) for number in range(3)]
    assert [writer.wait(timeout=120) for writer in writers] == [0, 0, 0]
    assert len(store.load()["exercises"]) == 30
    assert {path.name for path in own_folder.iterdir()} == {store.NAME, f".{store.NAME}.lock"}


def test_a_kernel_that_died_while_it_wrote_holds_nobody_up(own_folder):
    program = (
        "import os; from autograd_lab.course import lock, record; lock.Lock(record.place()).__enter__(); os._exit(1)"
    )
    assert subprocess.run([sys.executable, "-c", program], env=os.environ, check=False).returncode == 1
    old = own_folder / f".{store.NAME}.lock"
    os.utime(old, (0, 0))
    started = time.monotonic()
    store.update(lambda kept: kept["exercises"].setdefault("00.4", {"tries": 1}))
    assert time.monotonic() - started < 5
    assert "00.4" in json.loads((own_folder / store.NAME).read_text(encoding="utf-8"))["exercises"]


def test_whoever_waits_in_vain_keeps_the_answer_and_says_so(own_folder, monkeypatch, capsys):
    monkeypatch.setattr(lock.Lock, "PATIENCE", 0.05)
    with lock.Lock(store.place()):
        store.update(lambda kept: kept["exercises"].setdefault("00.4", {"tries": 1}))
    assert "another notebook has held it" in capsys.readouterr().out
    store.update(lambda kept: kept["exercises"].setdefault("00.5", {"tries": 1}))
    assert sorted(store.load()["exercises"]) == ["00.4", "00.5"]


def test_a_damaged_file_that_another_notebook_has_put_right_stays(own_folder, monkeypatch):
    sound = store.empty() | {"predictions": {"00.1": _entry()}}
    path = own_folder / store.NAME
    path.write_text("{half", encoding="utf-8")
    enter = lock.Lock.__enter__

    def other_was_faster(self):
        enter(self)
        path.write_text(json.dumps(sound), encoding="utf-8")

    monkeypatch.setattr(lock.Lock, "__enter__", other_was_faster)
    assert "00.1" in store.load()["predictions"]
    assert json.loads(path.read_text(encoding="utf-8")) == sound


def test_a_folder_that_cannot_be_written_keeps_the_answer_in_memory(own_folder, monkeypatch, capsys):
    (own_folder / "a file").write_text("", encoding="utf-8")
    monkeypatch.setenv(store.PLACE, str(own_folder / "a file"))
    predict("00.1", "?", options=OPTIONS, answer="b", sure=2)
    assert "kept until this kernel stops" in capsys.readouterr().out
    assert store._memory["predictions"]["00.1"]["answer"] == "b"


def test_the_projects_own_notebooks_stay_without_a_progress_file(monkeypatch):
    monkeypatch.delenv(store.PLACE)
    monkeypatch.chdir(shelf.originals())
    assert store.place() is None
    store.update(lambda kept: kept["exercises"].setdefault("00.4", {"tries": 1}))
    assert not list(shelf.originals().glob("*.json"))


def test_a_kernel_in_a_folder_below_finds_the_file(own_folder, monkeypatch):
    monkeypatch.delenv(store.PLACE)
    (own_folder / "deep").mkdir()
    (own_folder / store.NAME).write_text(json.dumps(store.empty()), encoding="utf-8")
    monkeypatch.chdir(own_folder / "deep")
    assert store.place() == own_folder / store.NAME


def test_progress_counts_and_travels(own_folder, capsys):
    predict("00.1", "?", options=OPTIONS, answer="b", sure=2)
    capsys.readouterr()
    progress(export=own_folder / "mine.json")
    assert "00        1 of 3, 1 right               0 of 3             0 of 1" in capsys.readouterr().out
    (own_folder / store.NAME).unlink()
    progress(merge=own_folder / "mine.json")
    assert "1 of 3, 1 right" in capsys.readouterr().out
    assert store.load()["predictions"]["00.1"]["answer"] == "b"


def test_a_file_that_is_no_record_is_not_taken_in(own_folder):
    (own_folder / "other.json").write_text("[1]", encoding="utf-8")
    with pytest.raises(ValueError, match=r"other\.json is no progress file"):
        progress(merge=own_folder / "other.json")


def test_the_picture_of_progress_is_a_png():
    pytest.importorskip("matplotlib")
    assert page.picture(page.rows(store.empty()))[:8] == b"\x89PNG\r\n\x1a\n"


def _entry(**changed):
    entry = {"answer": "a", "sure": 3, "right": False, "when": "2026-01-01", "question": "?", "options": OPTIONS}
    return entry | changed


@pytest.mark.parametrize(
    ("section", "key", "damaged"),
    [
        ("predictions", "00.2", {}),
        ("predictions", "00.2", _entry(sure="3")),
        ("predictions", "00.2", _entry(sure=[3])),
        ("predictions", "00.2", _entry(options=5)),
        ("predictions", "abc", _entry()),
        ("recall", "00.1 06", {}),
        ("exercises", "00.5", {"tries": None}),
        ("exercises", "00.5", {"tries": 1, "solved": 5}),
        ("engine", "add", 5),
    ],
)
def test_a_damaged_entry_costs_no_other_and_is_kept(own_folder, capsys, section, key, damaged):
    record = store.empty()
    record["predictions"]["00.1"] = _entry()
    record[section][key] = damaged
    text = json.dumps(record)
    (own_folder / store.NAME).write_text(text, encoding="utf-8")
    progress()
    assert "the sound entries go on in a new one" in capsys.readouterr().out
    recall("06")
    reveal("00.1")
    assert "You said “a” (certain)" in capsys.readouterr().out
    assert (own_folder / "autograd-lab-progress-set-aside-1.json").read_text(encoding="utf-8") == text
    assert store.load()["predictions"] == {"00.1": _entry()}


def test_a_file_nested_without_end_is_set_aside(own_folder, capsys):
    (own_folder / store.NAME).write_text("[" * 200_000, encoding="utf-8")
    progress()
    assert "It is kept as autograd-lab-progress-set-aside-1.json" in capsys.readouterr().out
    with pytest.raises(ValueError, match="is no progress file of this course; pass one that"):
        progress(merge=own_folder / "autograd-lab-progress-set-aside-1.json")


def test_a_file_that_cannot_be_read_is_never_overwritten(own_folder, capsys, monkeypatch):
    update_one = {"tries": 1}
    store.update(lambda kept: kept["exercises"].setdefault("00.4", update_one))
    before = (own_folder / store.NAME).read_bytes()

    def refuse(self, **_):
        raise PermissionError(13, "Permission denied", str(self))

    with monkeypatch.context() as patch:
        patch.setattr("pathlib.Path.read_text", refuse)
        store.update(lambda kept: kept["exercises"].setdefault("00.5", {"tries": 1}))
        assert "(Permission denied). It is kept until this kernel stops" in capsys.readouterr().out
        assert "00.5" in store.load()["exercises"]
    assert (own_folder / store.NAME).read_bytes() == before
    store.update(lambda kept: None)
    assert sorted(store.load()["exercises"]) == ["00.4", "00.5"]


def test_half_a_character_in_a_question_is_written_too(own_folder):
    predict("00.1", "\ud800?", options=OPTIONS, answer="b", sure=2)
    progress(export=own_folder / "mine.json")
    assert store.load()["predictions"]["00.1"]["question"] == "\ud800?"


@pytest.mark.parametrize("options", [5, None, "abcd"])
def test_options_that_are_no_list_are_named(options):
    with pytest.raises(TypeError, match="options is a list of possible answers, not"):
        predict("00.1", "?", options=options)
