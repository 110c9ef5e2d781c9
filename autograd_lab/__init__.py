"""autograd_lab: PyTorch's autograd in NumPy, made to be watched."""
from autograd_lab.core.tensor import Tensor, fresh, wrap
from autograd_lab.core import op as _op
from autograd_lab.core.entry import backward, grad
import autograd_lab.ops.pointwise
import numpy as np
np.seterr(all="ignore")
globals().update(_op.functions)
def tensor(data, dtype=None, requires_grad=False):
    return fresh(np.array(data, dtype=np.float32)[()], requires_grad)
