"""The shipped ES module under `node --test`: no browser, the real file, scenes that Python made."""

import json
import subprocess
from pathlib import Path

import autograd_lab as torch
from autograd_lab.inspector import shipped
from autograd_lab.inspector.film import state_at
from autograd_lab.inspector.view import view_of
from autograd_lab.introspect import record, snapshot
from tests.support import require_jsdom, require_node


def scenes():
    x = torch.tensor([0.5, 1.0, 2.0], requires_grad=True)
    w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
    y = x * w + x.sin()
    loss = y.mean()
    scene = view_of(record(loss))
    a = torch.ones(3, requires_grad=True)
    c = a * w
    d = c.sum()
    with torch.no_grad():
        a.mul_(2)
    stale = view_of(snapshot(d))
    evil = view_of(snapshot(x * 2, names={"<img src=x onerror=alert(1)>": x}))
    states = [state_at(scene["film"], step) for step in range(len(scene["film"]["steps"]))]
    return {"scene": scene, "states": states, "stale": stale, "evil": evil}


def test_the_module_in_node(tmp_path):
    environment = require_jsdom()
    data = tmp_path / "scenes.json"
    data.write_text(json.dumps(scenes()), encoding="utf-8")
    sent = tmp_path / "sent.mjs"
    sent.write_text(shipped.module(), encoding="utf-8")
    test = Path(__file__).with_name("module.test.mjs")
    child = subprocess.run(
        [require_node(), "--test", str(test)],
        env={**environment, "INSPECTOR_MODULE": str(sent), "INSPECTOR_SCENES": str(data)},
        capture_output=True, text=True, timeout=120, check=False,
    )  # fmt: skip
    assert child.returncode == 0, child.stdout + child.stderr


def test_the_module_stays_small():
    assert len(shipped.each().encode()) < 1_500, "every inspector sends it"
    assert len(shipped.library().encode()) < 82_000, "a kernel sends it once"


def test_every_room_is_small_and_says_what_it_is_for():
    rooms = sorted(shipped.ASSETS.glob("*.js"))
    assert {room.stem for room in rooms} == {*shipped.ROOMS, "each", "library", "saved"}
    for room in rooms:
        lines = room.read_text(encoding="utf-8").splitlines()
        assert lines[0].startswith("// "), room.name
        assert lines[0].endswith("."), room.name
        assert len(lines) <= 500, room.name
