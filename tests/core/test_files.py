"""torch.save and torch.load in the lab's own format."""

import io
import json
import os
import pickle
import zipfile
from collections import OrderedDict

import numpy as np
import pytest

import autograd_lab as torch
from autograd_lab import nn


def through_a_file(obj):
    file = io.BytesIO()
    torch.save(obj, file)
    file.seek(0)
    return torch.load(file)


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool"])
@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 0, 3), (2, 3)])
def test_tensors_of_every_kind(dtype, shape):
    tensor = torch.ones(shape, dtype=getattr(torch, dtype))
    again = through_a_file(tensor)
    assert again.dtype is tensor.dtype
    assert again.shape == tensor.shape
    assert again.tolist() == tensor.tolist()


def test_containers_and_plain_values():
    value = OrderedDict(
        a=[1, 2.5, None, True, "text", b"bytes", float("inf")], b=(1, (2, {3}), frozenset([4])), c={1: torch.float32},
        d=torch.ones(2).shape, e=torch.device("cpu"), f=np.arange(3), g=np.float64(2.5), h=[], i=2**70,
    )  # fmt: skip
    again = through_a_file(value)
    assert list(again) == list(value)
    assert type(again) is OrderedDict
    assert again["f"].tolist() == [0, 1, 2]
    for name in "abcdeghi":
        assert again[name] == value[name]
        assert type(again[name]) is type(value[name])


def test_flags_and_classes():
    weight = nn.Parameter(torch.ones(2), requires_grad=False)
    leaf = torch.ones(2, requires_grad=True)
    again, other = through_a_file([weight, leaf])
    assert type(again) is nn.Parameter
    assert not again.requires_grad
    assert other.requires_grad
    assert other.is_leaf


def test_shared_memory_is_shared_again():
    base = torch.arange(6.0).view(2, 3)
    loaded, row, column, same = through_a_file([base, base[1], base.t()[0], base])
    assert same is loaded
    loaded[1, 0] = 9
    assert row.tolist() == [9, 4, 5]
    assert column.tolist() == [0, 9]
    assert loaded.t().is_contiguous() is False


def test_cycles_and_depth():
    cycle = [1]
    cycle.append(cycle)
    again = through_a_file(cycle)
    assert again[1] is again
    deep = ()
    for _ in range(20_000):
        deep = (deep,)
    assert len(through_a_file([deep])[0]) == 1


def test_state_dicts():
    torch.manual_seed(0)
    net = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    optimizer = torch.optim.Adam(net.parameters())
    net(torch.ones(4, 3)).sum().backward()
    optimizer.step()
    saved = through_a_file({"net": net.state_dict(), "optimizer": optimizer.state_dict()})
    other = nn.Sequential(nn.Linear(3, 2), nn.BatchNorm1d(2))
    other.load_state_dict(saved["net"])
    second = torch.optim.Adam(other.parameters())
    second.load_state_dict(saved["optimizer"])
    for mine, theirs in zip(net.parameters(), other.parameters(), strict=True):
        assert torch.equal(mine, theirs)
    assert repr(second.state_dict()) == repr(optimizer.state_dict())
    assert saved["net"]._metadata == net.state_dict()._metadata


def test_what_cannot_be_saved():
    with pytest.raises(TypeError, match=r"^torch.save cannot write an object of type autograd_lab\.nn") as caught:
        torch.save(nn.Linear(1, 1), io.BytesIO())
    assert any("state_dict()" in note for note in caught.value.__notes__)


def test_a_failed_save_leaves_the_old_file(tmp_path):
    path = tmp_path / "checkpoint.pt"
    torch.save(torch.ones(2), path)
    with pytest.raises(TypeError):
        torch.save([torch.zeros(2), object()], path)
    assert torch.load(path).tolist() == [1, 1]
    assert os.listdir(tmp_path) == ["checkpoint.pt"]
    torch.save(torch.zeros(2), str(path))
    assert torch.load(str(path), weights_only=True, map_location="cpu").tolist() == [0, 0]
    with pytest.raises(RuntimeError, match=r"^Parent directory .* does not exist\.$"):
        torch.save(1, tmp_path / "nowhere" / "x.pt")
    with pytest.raises(FileNotFoundError):
        torch.load(tmp_path / "nothing.pt")


def member(name, text):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, text)
    file.seek(0)
    return file


def table(*objects, **changes):
    return json.dumps({"format": "autograd_lab", "version": 1, "root": 0, "objects": objects} | changes)


@pytest.mark.parametrize(("file", "why"), [
    (io.BytesIO(b"nothing like it"), "damaged, or was not written by torch.save"),
    (io.BytesIO(pickle.dumps([1])), "damaged, or was not written by torch.save"),
    (io.BytesIO(b""), "damaged, or was not written by torch.save"),
    (member("archive/data.pkl", b""), "written by the real torch"),
    (member("other", b""), "was not written by torch.save"),
    (member("structure.json", "{"), "its contents are damaged"),
    (member("structure.json", table(version=9)), "its format is 'autograd_lab', version 9"),
    (member("structure.json", table(["unheard of", 1])), "its contents are damaged"),
    (member("structure.json", table(["Tensor", 0, [2], [1], 0, False])), "its contents are damaged"),
    (member("structure.json", table(["tuple", [0]])), "its contents are damaged"),
    (member("structure.json", table(["dtype", "torch.from_numpy"])), "its contents are damaged"),
])  # fmt: skip
def test_bad_files_are_explained(file, why):
    with pytest.raises(RuntimeError, match=r"^autograd_lab cannot load the given file: ") as caught:
        torch.load(file)
    assert why in str(caught.value)


def test_a_tensor_cannot_reach_beyond_its_memory():
    file = io.BytesIO()
    torch.save(torch.ones(4), file)
    with zipfile.ZipFile(file) as archive:
        text = archive.read("structure.json").decode()
        memory = archive.read("memory/0.npy")
    assert "[4], [1], 0" in text
    for place in ("[5], [1], 0", "[4], [-1], 3", "[4], [1], -1"):
        bad = io.BytesIO()
        with zipfile.ZipFile(bad, "w") as archive:
            archive.writestr("structure.json", text.replace("[4], [1], 0", place))
            archive.writestr("memory/0.npy", memory)
        bad.seek(0)
        with pytest.raises(RuntimeError, match="reaches beyond its memory"):
            torch.load(bad)


def test_no_pickle_hides_in_a_memory():
    hidden = io.BytesIO()
    np.save(hidden, np.array([object()], dtype=object), allow_pickle=True)
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("structure.json", table(["Tensor", 0, [1], [1], 0, False]))
        archive.writestr("memory/0.npy", hidden.getvalue())
    file.seek(0)
    with pytest.raises(RuntimeError, match="its contents are damaged"):
        torch.load(file)


@pytest.mark.parametrize("kind", ["e", "f", "d", "B", "b", "h", "i", "l", "q", "?"])
def test_pickled_arrays_and_tensors_meet_fresh_ones(kind):
    array = pickle.loads(pickle.dumps(np.ones(2, kind)))
    again = lambda one: pickle.loads(pickle.dumps(torch.tensor(one)))
    for make in (torch.from_numpy, torch.tensor, torch.as_tensor, again):
        tensor = make(array)
        assert tensor._array.dtype is torch.ones(2, dtype=tensor.dtype)._array.dtype
    shared = torch.from_numpy(array)
    array[0] = 0
    assert shared[0] == 0
