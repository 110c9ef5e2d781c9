"""The command: it opens the course, runs torch scripts, and says in one sentence what to do when it cannot."""

import csv
import io
import json
import os
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import autograd_lab
from autograd_lab import cli
from autograd_lab.course import record as store
from autograd_lab.course import shelf


@pytest.fixture
def jupyter(monkeypatch):
    """Catch the call that would start JupyterLab."""
    calls = []
    monkeypatch.setattr(cli.subprocess, "call", lambda command, cwd: calls.append((command, cwd)) or 0)
    return calls


def one_sentence(capsys):
    text = capsys.readouterr().err
    assert text.startswith("autograd-lab: ")
    assert text.count("\n") == 1
    return text


def test_it_lays_the_chapters_out_and_opens_chapter_00(tmp_path, jupyter, capsys):
    assert cli.main(["--folder", str(tmp_path / "mine"), "--no-browser"]) == 0
    ((command, folder),) = jupyter
    assert folder == tmp_path / "mine"
    assert f"--ServerApp.root_dir={folder}" in command
    assert any(part.endswith(f"/lab/tree/{shelf.chapters()['00'].name}") for part in command)
    assert "--no-browser" in command
    assert {path.name for path in folder.glob("*.ipynb")} == {path.name for path in shelf.chapters().values()}
    assert "new: 00_start_here" in capsys.readouterr().out
    cli.main(["--folder", str(folder)])
    assert "left as you have them: 00_start_here" in capsys.readouterr().out


def test_it_opens_the_wanted_chapter_on_the_wanted_port(tmp_path, jupyter):
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    assert cli.main(["--folder", str(tmp_path), "--notebook", "4", "--port", str(port)]) == 0
    assert any("04_backward.ipynb" in part for part in jupyter[0][0])
    assert f"--ServerApp.port={port}" in jupyter[0][0]


def test_a_taken_port(tmp_path, jupyter, capsys):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        assert cli.main(["--folder", str(tmp_path), "--port", str(port)]) == 1
    assert f"port {port} cannot be used here; choose another with --port" in one_sentence(capsys)
    assert not jupyter
    assert not list(tmp_path.iterdir())


def test_a_number_that_is_no_port(tmp_path, jupyter, capsys):
    assert cli.main(["--folder", str(tmp_path), "--port", "99999"]) == 1
    assert "99999 is no port" in one_sentence(capsys)


def test_an_unknown_chapter(tmp_path, jupyter, capsys):
    assert cli.main(["--folder", str(tmp_path), "--notebook", "99"]) == 1
    assert "there is no chapter '99'; choose one of 00, " in one_sentence(capsys)


@pytest.mark.parametrize("name", ["4", "04", "004", "04_backward", "04_backward.ipynb", "mine/04_backward.ipynb"])
def test_a_chapter_has_a_number_and_a_name(tmp_path, jupyter, name):
    assert cli.main(["--folder", str(tmp_path), "--notebook", name]) == 0
    assert any(part.endswith("/lab/tree/04_backward.ipynb") for part in jupyter[0][0])


@pytest.mark.parametrize("name", ["", " ", "-1", "4.5", "four", "04_forward", "²"])
def test_what_is_no_chapter(tmp_path, jupyter, capsys, name):
    assert cli.main(["--folder", str(tmp_path), f"--notebook={name}"]) == 1
    assert f"there is no chapter {name!r}; choose one of 00, " in one_sentence(capsys)
    assert not list(tmp_path.iterdir())


def test_a_file_where_the_folder_should_be(tmp_path, jupyter, capsys):
    (tmp_path / "a file").write_text("mine", encoding="utf-8")
    assert cli.main(["--folder", str(tmp_path / "a file")]) == 1
    assert "a file is a file, not a folder; choose another folder with --folder" in one_sentence(capsys)
    assert (tmp_path / "a file").read_text(encoding="utf-8") == "mine"
    assert not jupyter


@pytest.mark.skipif(os.name != "posix", reason="Windows has no such signal")
def test_who_stops_the_command_stops_jupyterlab(tmp_path):
    program = (
        "import subprocess, sys; from autograd_lab import cli; call = subprocess.call; "
        "cli.subprocess.call = lambda command, cwd: call([sys.executable, '-c', "
        "'import os, time; print(os.getpid(), flush=True); time.sleep(60)']); "
        f"cli.main(['--folder', {str(tmp_path)!r}])"
    )
    started = [sys.executable, "-c", program]
    with subprocess.Popen(started, stdout=subprocess.PIPE, text=True, env=os.environ) as command:
        child = next(int(line) for line in command.stdout if line.strip().isdecimal())
        command.terminate()
        assert command.wait(timeout=30) == 143
    with pytest.raises(ProcessLookupError):
        os.kill(child, 0)


def test_the_version(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--version"])
    assert stopped.value.code == 0
    assert capsys.readouterr().out == f"autograd-lab {autograd_lab.__version__}\n"


def test_jupyterlab_opens_without_its_question_about_news(tmp_path, jupyter):
    cli.main(["--folder", str(tmp_path)])
    command = jupyter[0][0]
    assert "--LabApp.news_url=None" in command
    (folder,) = [part.partition("=")[2] for part in command if part.startswith("--LabApp.app_settings_dir=")]
    settings = json.loads((Path(folder) / "overrides.json").read_text(encoding="utf-8"))
    assert settings["@jupyterlab/apputils-extension:notification"]["fetchNews"] == "false"


def handed_in(folder, name, key="00.1"):
    record = store.empty()
    record["predictions"][key] = {"answer": "b", "sure": 3, "right": True, "when": "2026-01-01"}
    record["exercises"] = {"00.4": {"tries": 1, "solved": "2026-01-01"}, "mutant assigns": {"tries": 0, "solved": "x"}}
    folder.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(record), encoding="utf-8")


def test_a_teacher_collects_what_students_handed_in(tmp_path, capsys):
    handed_in(tmp_path, "王小明.json")
    handed_in(tmp_path / "ada", store.NAME)
    (tmp_path / "essay.json").write_text("{}", encoding="utf-8")
    assert cli.main(["collect", str(tmp_path), "--csv", str(tmp_path / "all.csv")]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [line.split() for line in lines[1:3]] == [["ada", "1", "1", "1", "1"], ["王小明", "1", "1", "1", "1"]]
    assert lines[3] == f"no progress of this course, left out: {tmp_path / 'essay.json'}"
    rows = list(csv.DictReader(io.StringIO((tmp_path / "all.csv").read_text(encoding="utf-8-sig"))))
    assert [row["student"] for row in rows] == ["ada", "王小明"]
    assert rows[0]["exercises of 00"] == "1 of 3"


def test_two_hundred_students_are_no_wait(tmp_path, capsys):
    for number in range(200):
        handed_in(tmp_path, f"student-{number:03}.json")
    started = time.monotonic()
    assert cli.main(["collect", str(tmp_path)]) == 0
    assert len(capsys.readouterr().out.splitlines()) == 201
    assert time.monotonic() - started < 20


def test_collecting_from_nowhere_and_into_nowhere(tmp_path, capsys):
    assert cli.main(["collect", str(tmp_path / "none")]) == 1
    assert "there is no file or folder" in one_sentence(capsys)
    assert cli.main(["collect", str(tmp_path), "--csv", str(tmp_path / "none" / "all.csv")]) == 1
    assert "choose another file with --csv" in one_sentence(capsys)


def test_without_jupyter(tmp_path, monkeypatch, capsys):
    find = cli.importlib.util.find_spec
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None if name == "jupyterlab" else find(name))
    assert cli.main(["--folder", str(tmp_path)]) == 1
    assert "pip install 'autograd-lab[course]'" in one_sentence(capsys)


def test_an_unwritable_folder(tmp_path, jupyter, capsys):
    (tmp_path / "a file").write_text("", encoding="utf-8")
    assert cli.main(["--folder", str(tmp_path / "a file" / "below")]) == 1
    assert "choose another folder with --folder" in one_sentence(capsys)


def test_missing_chapters(monkeypatch, jupyter, capsys):
    monkeypatch.setattr(shelf, "originals", lambda: None)
    assert cli.main([]) == 1
    assert "install autograd_lab again" in one_sentence(capsys)


def test_help(capsys):
    with pytest.raises(SystemExit) as stopped:
        cli.main(["--help"])
    assert stopped.value.code == 0
    text = capsys.readouterr().out
    options = ("--folder", "--notebook", "--port", "--no-browser", "--version", "autograd-lab run", "-lab collect")
    assert all(option in text for option in options)


def run_script(tmp_path, source, *arguments):
    script = tmp_path / "script.py"
    script.write_text(textwrap.dedent(source), encoding="utf-8")
    command = [sys.executable, "-m", "autograd_lab", "run", str(script), *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, env=os.environ, check=False)


def test_an_unchanged_torch_script_runs_on_the_lab(tmp_path):
    (tmp_path / "neighbour.py").write_text("word = 'beside'\n", encoding="utf-8")
    done = run_script(
        tmp_path,
        """
        import sys
        import torch
        import torch.autograd
        from torch.autograd import grad
        import autograd_lab, autograd_lab.autograd
        import neighbour
        x = torch.tensor(3., requires_grad=True)
        print(grad(x * x, x), sys.argv[1:], __name__, neighbour.word)
        print(torch is autograd_lab, torch.autograd is autograd_lab.autograd)
        print(torch.autograd.__name__, torch.autograd.__spec__.name)
        """,
        "--steps",
        "3",
    )
    assert done.stderr == ""
    assert done.stdout.splitlines() == [
        "(tensor(6.),) ['--steps', '3'] __main__ beside",
        "True True",
        "autograd_lab.autograd autograd_lab.autograd",
    ]


def test_an_error_and_an_anomaly_are_told_as_python_tells_them(tmp_path):
    done = run_script(
        tmp_path,
        """
        import torch
        with torch.autograd.detect_anomaly():
            x = torch.zeros(1, requires_grad=True)
            (x / x).backward()
        """,
    )
    assert done.returncode == 1
    assert "runpy" not in done.stderr
    assert "cli.py" not in done.stderr
    for head in ("Traceback of forward call that caused the error:", "Traceback (most recent call last):"):
        line = done.stderr.split(head)[1].splitlines()[1]
        assert line.endswith('script.py", line 5, in <module>')


def test_a_part_of_torch_that_the_lab_lacks(tmp_path):
    done = run_script(tmp_path, "import torch.distributed\n")
    assert done.returncode == 1
    assert "ModuleNotFoundError: autograd_lab has no 'torch.distributed'" in done.stderr


def test_a_script_that_is_not_there(capsys):
    assert cli.main(["run", "nowhere.py"]) == 1
    assert "there is no script 'nowhere.py'" in one_sentence(capsys)
