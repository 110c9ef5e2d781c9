"""Parameters under torch's path, `torch.nn.parameter`."""

from autograd_lab.core.missing import answers_for
from autograd_lab.core.parameter import Parameter

__all__ = ["Parameter"]
__getattr__ = answers_for("torch.nn.parameter", __all__)
