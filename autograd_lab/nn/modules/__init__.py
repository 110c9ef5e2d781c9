"""The layers, under torch's path `torch.nn.modules`."""

from autograd_lab.nn.modules.activation import (
    ELU,
    GELU,
    SELU,
    Hardtanh,
    LeakyReLU,
    LogSigmoid,
    LogSoftmax,
    PReLU,
    ReLU,
    ReLU6,
    Sigmoid,
    SiLU,
    Softmax,
    Softplus,
    Tanh,
)
from autograd_lab.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d
from autograd_lab.nn.modules.container import ModuleDict, ModuleList, Sequential
from autograd_lab.nn.modules.conv import Conv1d, Conv2d, ConvTranspose2d
from autograd_lab.nn.modules.dropout import Dropout
from autograd_lab.nn.modules.flatten import Flatten, Unflatten
from autograd_lab.nn.modules.linear import Bilinear, Identity, Linear
from autograd_lab.nn.modules.loss import (
    BCELoss,
    BCEWithLogitsLoss,
    CrossEntropyLoss,
    HuberLoss,
    KLDivLoss,
    L1Loss,
    MSELoss,
    NLLLoss,
    SmoothL1Loss,
)
from autograd_lab.nn.modules.module import Module
from autograd_lab.nn.modules.normalization import GroupNorm, LayerNorm
from autograd_lab.nn.modules.parameters import ParameterDict, ParameterList
from autograd_lab.nn.modules.pooling import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from autograd_lab.nn.modules.rnn import GRUCell, LSTMCell, RNNCell
from autograd_lab.nn.modules.sparse import Embedding

__all__ = [
    "ELU", "GELU", "SELU", "AdaptiveAvgPool2d", "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d",
    "BatchNorm2d", "Bilinear", "Conv1d", "Conv2d", "ConvTranspose2d", "CrossEntropyLoss", "Dropout", "Embedding",
    "Flatten", "GRUCell", "GroupNorm", "Hardtanh", "HuberLoss", "Identity", "KLDivLoss", "L1Loss", "LSTMCell",
    "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MaxPool2d", "Module", "ModuleDict",
    "ModuleList", "NLLLoss", "PReLU", "ParameterDict", "ParameterList", "RNNCell", "ReLU", "ReLU6", "Sequential",
    "SiLU", "Sigmoid", "SmoothL1Loss", "Softmax", "Softplus", "Tanh", "Unflatten",
]  # fmt: skip
