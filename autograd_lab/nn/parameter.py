"""Parameters under torch's path, `torch.nn.parameter`."""

from autograd_lab.core.parameter import Parameter

__all__ = ["Parameter"]
