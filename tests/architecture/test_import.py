"""`import autograd_lab` is quick and brings nothing along that a bare engine does not need."""

import json

from tests.support import python

HEAVY = ("matplotlib", "networkx", "ipywidgets", "anywidget", "traitlets", "IPython", "jupyterlab", "torch", "pandas")


def test_import_loads_no_widgets_and_no_pictures():
    child = python("-c", "import autograd_lab, sys, json; print(json.dumps(sorted(sys.modules)))")
    assert child.returncode == 0, child.stderr
    loaded = {name.partition(".")[0] for name in json.loads(child.stdout)}
    assert not loaded & set(HEAVY)


def test_import_takes_little_more_than_numpy(capsys):
    """Print the ratio; a shared machine gives no number that a test could hold anybody to."""
    program = "import time, sys; start = time.process_time(); import {}; print(time.process_time() - start)"
    seconds = {}
    for name in ("numpy", "autograd_lab"):
        children = [python("-c", program.format(name)) for _ in range(3)]
        assert not any(child.returncode for child in children), children[0].stderr
        seconds[name] = min(float(child.stdout) for child in children)
    with capsys.disabled():
        print(f"\nimport autograd_lab takes {seconds['autograd_lab'] / seconds['numpy']:.2f} × import numpy")


def test_the_reference_is_the_pinned_torch():
    from tests.support import TORCH

    child = python("-c", "import autograd_lab; print(autograd_lab.REFERENCE)")
    assert child.stdout.strip() == TORCH, child.stderr
