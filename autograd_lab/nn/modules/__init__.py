"""The layers, under torch's path `torch.nn.modules`."""

from autograd_lab.core.missing import answers_for
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
from autograd_lab.nn.modules.activation_rare import (
    CELU,
    GLU,
    Hardshrink,
    Hardsigmoid,
    Hardswish,
    Mish,
    Softmin,
    Softshrink,
    Softsign,
    Tanhshrink,
    Threshold,
)
from autograd_lab.nn.modules.batchnorm import BatchNorm1d, BatchNorm2d
from autograd_lab.nn.modules.container import ModuleDict, ModuleList, Sequential
from autograd_lab.nn.modules.conv import Conv1d, Conv2d, ConvTranspose2d
from autograd_lab.nn.modules.distance import CosineSimilarity, PairwiseDistance
from autograd_lab.nn.modules.dropout import Dropout
from autograd_lab.nn.modules.flatten import Flatten, Unflatten
from autograd_lab.nn.modules.instancenorm import InstanceNorm1d, InstanceNorm2d
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
from autograd_lab.nn.modules.loss_margins import (
    CosineEmbeddingLoss,
    GaussianNLLLoss,
    HingeEmbeddingLoss,
    MarginRankingLoss,
    MultiMarginLoss,
    PoissonNLLLoss,
    SoftMarginLoss,
    TripletMarginLoss,
)
from autograd_lab.nn.modules.module import Module
from autograd_lab.nn.modules.normalization import GroupNorm, LayerNorm
from autograd_lab.nn.modules.parameters import ParameterDict, ParameterList
from autograd_lab.nn.modules.pooling import (
    AdaptiveAvgPool1d,
    AdaptiveAvgPool2d,
    AvgPool1d,
    AvgPool2d,
    MaxPool1d,
    MaxPool2d,
)
from autograd_lab.nn.modules.rnn import GRUCell, LSTMCell, RNNCell
from autograd_lab.nn.modules.rnn_layers import GRU, LSTM, RNN, RNNBase
from autograd_lab.nn.modules.sparse import Embedding

__all__ = [
    "CELU", "ELU", "GELU", "GLU", "GRU", "LSTM", "RNN", "SELU", "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AvgPool1d",
    "AvgPool2d", "BCELoss", "BCEWithLogitsLoss", "BatchNorm1d", "BatchNorm2d", "Bilinear", "Conv1d", "Conv2d",
    "ConvTranspose2d", "CosineEmbeddingLoss", "CosineSimilarity", "CrossEntropyLoss", "Dropout", "Embedding",
    "Flatten", "GRUCell", "GaussianNLLLoss", "GroupNorm", "Hardshrink", "Hardsigmoid", "Hardswish", "Hardtanh",
    "HingeEmbeddingLoss", "HuberLoss", "Identity", "InstanceNorm1d", "InstanceNorm2d", "KLDivLoss", "L1Loss",
    "LSTMCell", "LayerNorm", "LeakyReLU", "Linear", "LogSigmoid", "LogSoftmax", "MSELoss", "MarginRankingLoss",
    "MaxPool1d", "MaxPool2d", "Mish", "Module", "ModuleDict", "ModuleList", "MultiMarginLoss", "NLLLoss", "PReLU",
    "PairwiseDistance", "ParameterDict", "ParameterList", "PoissonNLLLoss", "RNNBase", "RNNCell", "ReLU", "ReLU6",
    "Sequential", "SiLU", "Sigmoid", "SmoothL1Loss", "SoftMarginLoss", "Softmax", "Softmin", "Softplus", "Softshrink",
    "Softsign", "Tanh", "Tanhshrink", "Threshold", "TripletMarginLoss", "Unflatten",
]  # fmt: skip
__getattr__ = answers_for("torch.nn.modules", __all__)
