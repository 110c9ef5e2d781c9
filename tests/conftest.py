"""Settings of every test: no test leaves a changed grad mode, seed or learner's folder behind."""

import atexit
import os
import shutil
import sys
import tempfile

import pytest
from hypothesis import HealthCheck, settings

# Set before anything imports NumPy: the machine is shared, and sums must not depend on the number of threads.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")
# Jupyter's own switch; without it each kernel warns about a change of folders that concerns nobody here.
os.environ.setdefault("JUPYTER_PLATFORM_DIRS", "1")
# Notebooks that tests run keep their progress here, never in the learner's own file.
if "AUTOGRAD_LAB_PROGRESS" not in os.environ:
    os.environ["AUTOGRAD_LAB_PROGRESS"] = tempfile.mkdtemp(prefix="autograd-lab-progress-")
    atexit.register(shutil.rmtree, os.environ["AUTOGRAD_LAB_PROGRESS"], ignore_errors=True)

settings.register_profile("lab", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("lab")


@pytest.fixture(autouse=True)
def plain_modes():
    """Put torch's global switches back, so that a test that failed half-way does not fail the next one."""
    yield
    for name in ("autograd_lab", "torch"):
        module = sys.modules.get(name)
        if hasattr(module, "set_grad_enabled"):
            module.set_grad_enabled(True)
