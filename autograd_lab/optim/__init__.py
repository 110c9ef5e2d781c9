"""Optimizers that change parameters by their gradients, and schedulers of their learning rate, under torch's names.

Source: https://docs.pytorch.org/docs/stable/optim.html
"""

from autograd_lab.core.missing import answers_for
from autograd_lab.optim import lr_scheduler
from autograd_lab.optim.adagrad import Adagrad
from autograd_lab.optim.adam import Adam, AdamW
from autograd_lab.optim.lbfgs import LBFGS
from autograd_lab.optim.optimizer import Optimizer
from autograd_lab.optim.rmsprop import RMSprop
from autograd_lab.optim.sgd import SGD

__all__ = ["LBFGS", "SGD", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop", "lr_scheduler"]
__getattr__ = answers_for("torch.optim", __all__)
