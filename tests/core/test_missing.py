"""What is not there answers clearly: the nearest name that exists, or why it is left out, and where the list stands."""

import importlib
import math
import subprocess
import sys

import pytest

import autograd_lab as torch


def answer(owner, name: str) -> tuple[str, str]:
    """Return the message of the AttributeError and its notes."""
    with pytest.raises(AttributeError) as caught:
        getattr(owner, name)
    return str(caught.value), "\n".join(getattr(caught.value, "__notes__", []))


@pytest.mark.parametrize("name", ["jit", "sparse", "complex", "distributed", "vmap"])
def test_what_is_out_of_scope_says_so(name):
    message, notes = answer(torch, name)
    assert message == f"module 'torch' has no attribute {name!r}"
    assert f"torch.{name} is outside the scope of autograd_lab: " in notes
    assert "dir(autograd_lab) lists everything" in notes


@pytest.mark.parametrize(("room", "name", "near"), [
    ("", "matmull", "matmul"), (".nn", "Liner", "Linear"), (".nn.functional", "softmx", "softmax"),
    (".nn.utils", "clip_grad_nrm_", "clip_grad_norm_"), (".optim", "Adamm", "Adam"), (".linalg", "slve", "solve"),
    (".autograd", "gradchek", "gradcheck"), (".autograd.functional", "jacobean", "jacobian"),
    (".autograd.graph", "GradientEdg", "GradientEdge"), (".utils", "dta", "data"),
])  # fmt: skip
def test_a_misspelt_name_brings_the_nearest(room, name, near):
    message, notes = answer(importlib.import_module("autograd_lab" + room), name)
    assert message == f"module 'torch{room}' has no attribute {name!r}"
    assert f"The nearest name that exists is {near!r}." in notes
    assert f"dir(autograd_lab{room}) lists everything" in notes


def test_a_name_like_none_brings_no_far_fetched_one():
    assert answer(torch, "version")[1] == "dir(autograd_lab) lists everything that there is."


def test_tensors_answer_too():
    message, notes = answer(torch.ones(1), "cuda")
    assert message == "'Tensor' object has no attribute 'cuda'"
    assert "Tensor.cuda is outside the scope of autograd_lab: it computes on the CPU only." in notes
    assert "The nearest name that exists is 'requires_grad_'." in answer(torch.ones(1), "require_grad_")[1]
    assert not hasattr(torch.ones(1), "__no_such_protocol__")


@pytest.mark.parametrize("name", ["cuda", "cuda:0", "meta", "mps"])
def test_other_devices_are_refused(name):
    with pytest.raises(NotImplementedError, match=r"computes on the CPU only"):
        torch.ones(2, device=name)


def test_what_is_promised_is_there():
    for name in dir(torch):
        assert hasattr(torch, name), name


FIRST_USE = """
import sys, threading
import autograd_lab as torch
sys.setswitchinterval(1e-6)
x, wrong, start = torch.ones(2, 2), [], threading.Barrier(6)
def first_use(name):
    start.wait()
    try:
        getattr(x, name)
    except AttributeError as error:
        wrong.append(str(error))
names = ("logcumsumexp", "kthvalue", "median", "cross", "baddbmm", "logaddexp")
threads = [threading.Thread(target=first_use, args=(name,)) for name in names]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit("; ".join(wrong) or 0)
"""


def test_threads_may_use_the_rest_of_the_op_table_first_at_once():
    done = subprocess.run([sys.executable, "-c", FIRST_USE], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_the_constants_of_torch():
    assert (torch.pi, torch.e, torch.inf) == (math.pi, math.e, math.inf)
    assert math.isnan(torch.nan)
    assert torch.ones(2)[:, torch.newaxis].shape == (2, 1)
    assert {"pi", "e", "inf", "nan", "newaxis"} <= set(torch.__all__)


@pytest.mark.parametrize(("package", "name", "note"), [
    ("", "jit", "torch.jit is outside the scope"), ("", "vmap", "torch.vmap is outside the scope"),
    ("", "matmull", "The nearest name that exists is 'matmul'."), (".nn", "Liner", "'Linear'"),
    (".autograd", "profiler", "torch.autograd.profiler is outside the scope"),
])  # fmt: skip
def test_an_import_line_says_so_too(package, name, note):
    with pytest.raises(ImportError, match=f"cannot import name {name!r} from 'autograd_lab{package}'") as caught:
        exec(f"from autograd_lab{package} import {name}")
    assert note in "\n".join(caught.value.__notes__)


def test_a_script_that_looks_for_a_gpu_runs():
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    assert torch.ones(2, device=device).device == device
    torch.cuda.manual_seed_all(0)
    torch.cuda.empty_cache()
    assert torch.cuda.device_count() == 0
    with pytest.raises(AssertionError, match="Torch not compiled with CUDA enabled"):
        torch.cuda.synchronize()
    assert "computes on the CPU only" in answer(torch.cuda, "Stream")[1]
    code = "import sys, autograd_lab; autograd_lab.ones(2); print('autograd_lab.cuda' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout == "False\n"


def test_forward_mode_is_out_of_scope():
    from autograd_lab.autograd import forward_ad

    message, notes = answer(forward_ad, "make_dual")
    assert message == "module 'torch.autograd.forward_ad' has no attribute 'make_dual'"
    assert "outside the scope of autograd_lab: it goes backward only" in notes
