"""The learner's copies: complete, without the answers, and never overwritten."""

import json

from autograd_lab.course import shelf


def test_a_copy_has_no_output_after_the_first_question(tmp_path):
    shelf.lay_out(tmp_path)
    for number, original in shelf.chapters().items():
        cells = json.loads((tmp_path / original.name).read_text(encoding="utf-8"))["cells"]
        asked = next(
            i
            for i, cell in enumerate(cells)
            if "predict(" in "".join(cell["source"]) and "import" not in "".join(cell["source"])
        )
        assert not any(cell.get("outputs") for cell in cells[asked:]), number
        assert [cell["source"] for cell in cells] == [
            cell["source"] for cell in json.loads(original.read_text(encoding="utf-8"))["cells"]
        ]


def test_what_exists_is_never_touched(tmp_path):
    first = shelf.lay_out(tmp_path)
    assert len(first.added) == len(shelf.chapters())
    mine = tmp_path / first.added[0]
    notebook = json.loads(mine.read_text(encoding="utf-8"))
    notebook["cells"][0]["source"] = ["my notes"]
    mine.write_text(json.dumps(notebook), encoding="utf-8")
    foreign = tmp_path / first.added[1]
    foreign.write_text("not a notebook", encoding="utf-8")
    (tmp_path / first.added[2]).unlink()
    again = shelf.lay_out(tmp_path)
    assert again.added == [first.added[2]]
    assert set(again.kept) == set(first.added) - {first.added[2]}
    assert json.loads(mine.read_text(encoding="utf-8"))["cells"][0]["source"] == ["my notes"]
    assert foreign.read_text(encoding="utf-8") == "not a notebook"


def test_a_newer_edition_is_told(tmp_path):
    first = shelf.lay_out(tmp_path)
    copy = tmp_path / first.added[0]
    notebook = json.loads(copy.read_text(encoding="utf-8"))
    notebook["metadata"]["autograd_lab"]["edition"] = "older"
    copy.write_text(json.dumps(notebook), encoding="utf-8")
    assert shelf.lay_out(tmp_path).newer == [first.added[0]]


def test_no_solution_is_laid_out(tmp_path):
    shelf.lay_out(tmp_path)
    assert not [path for path in tmp_path.rglob("*") if "solution" in path.name]
