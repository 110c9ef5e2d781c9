"""Layers on the lab and on live torch: recorded pages, then values and gradients of every layer on random inputs."""

import numpy as np
import pytest

import autograd_lab
from tests.golden.pages import programs, recorded, shown
from tests.support import require_torch

PAGES = [(name, title) for name in ("nn", "optim", "utils") for title in programs(name)]


@pytest.mark.parametrize(("name", "title"), PAGES)
def test_torch_shows_what_was_recorded(name, title):
    require_torch()
    assert shown(programs(name)[title], "torch") == recorded(name)[title]


LAYERS = {
    "Linear(4, 3)": (2, 4), "Linear(4, 3, bias=False)": (2, 5, 4), "Linear(4, 1)": (4,), "Identity()": (2, 3),
    "Bilinear(3, 3, 2)": None, "Conv1d(3, 4, 3)": (2, 3, 8), "Conv1d(4, 4, 3, padding='same', groups=2)": (2, 4, 7),
    "Conv2d(2, 3, 3)": (2, 2, 6, 5), "Conv2d(2, 4, (2, 3), stride=2, padding=1, dilation=2, groups=2)": (1, 2, 9, 8),
    "Conv2d(2, 3, 3, bias=False)": (2, 5, 5),
    "ConvTranspose2d(2, 3, 3, stride=2, output_padding=1)": (2, 2, 3, 4), "BatchNorm1d(3)": (5, 3),
    "BatchNorm1d(3, momentum=None)": (4, 3, 2), "BatchNorm2d(2, affine=False)": (3, 2, 4, 4), "LayerNorm(5)": (3, 5),
    "LayerNorm([2, 3], bias=False)": (4, 2, 3), "GroupNorm(2, 4)": (3, 4, 5), "ReLU()": (3, 4), "Tanh()": (3, 4),
    "Sigmoid()": (3, 4), "GELU()": (3, 4), "GELU(approximate='tanh')": (3, 4), "SiLU()": (3, 4), "ELU(0.7)": (3, 4),
    "LeakyReLU(0.2)": (3, 4), "Softplus(2.0)": (3, 4), "Softmax(dim=1)": (3, 4), "LogSoftmax(dim=0)": (3, 4),
    "SELU()": (3, 4), "ReLU6()": (3, 4), "Hardtanh(-0.5, 0.5)": (3, 4), "PReLU(4)": (3, 4), "LogSigmoid()": (3, 4),
    "Flatten()": (2, 3, 4), "Unflatten(1, (2, 2))": (3, 4), "Dropout(0.4)": (5, 6), "MaxPool2d(2)": (2, 3, 6, 5),
    "MaxPool2d(3, stride=2, padding=1)": (2, 6, 6), "AvgPool2d(2, padding=1)": (1, 2, 5, 6),
    "CELU(0.7)": (3, 4), "GLU()": (3, 4), "Hardshrink(0.3)": (3, 4), "Softshrink(0.3)": (3, 4), "Hardsigmoid()": (3, 4),
    "Hardswish()": (3, 4), "Mish()": (3, 4), "Softmin(1)": (3, 4), "Softsign()": (3, 4), "Tanhshrink()": (3, 4),
    "Threshold(0.1, 20.0)": (3, 4), "CosineSimilarity()": None, "MaxPool1d(2)": (2, 3, 7),
    "AvgPool1d(3, stride=2, padding=1)": (2, 3, 7), "AdaptiveAvgPool1d(3)": (2, 3, 7),
    "AdaptiveAvgPool2d((2, 3))": (2, 2, 5, 7), "RNNCell(3, 2)": (4, 3), "GRUCell(3, 2)": (4, 3),
}  # fmt: skip


def compared(torch, source, shape):
    """Return the outputs and gradients of a layer, twice in training and once in evaluation mode, as arrays."""
    torch.manual_seed(3)
    layer = eval(source, vars(torch.nn))
    found = []
    for training in (True, True, False):
        layer.train(training)
        shapes = [shape] if shape is not None else [(4, 3), (4, 3)]
        inputs = [torch.randn(*one).requires_grad_() for one in shapes]
        output = layer(*inputs)
        (output * torch.randn(*output.shape)).sum().backward()
        found += [output.detach(), *(one.grad for one in inputs)]
    found += [parameter.grad for parameter in layer.parameters()] + [buffer.clone() for buffer in layer.buffers()]
    return [np.array(one.numpy()) for one in found], type(output.grad_fn).__name__


@pytest.mark.parametrize("source", LAYERS)
def test_layer(source):
    ours, our_node = compared(autograd_lab, source, LAYERS[source])
    theirs, their_node = compared(require_torch(), source, LAYERS[source])
    assert our_node == their_node
    assert [one.shape for one in ours] == [one.shape for one in theirs]
    assert [one.dtype for one in ours] == [one.dtype for one in theirs]
    for mine, real in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, real, rtol=2e-5, atol=2e-6)


LOSSES = ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCEWithLogitsLoss", "KLDivLoss", "BCELoss")


def loss_values(torch, name, reduction):
    torch.manual_seed(5)
    x, y = torch.randn(4, 3), torch.rand(4, 3)
    x = (x.sigmoid() if name == "BCELoss" else x).detach().requires_grad_()
    loss = getattr(torch.nn, name)(reduction=reduction)(x, y)
    loss.sum().backward()
    return [loss.detach().numpy(), x.grad.numpy()], type(loss.grad_fn).__name__


@pytest.mark.filterwarnings("ignore:reduction")
@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize("name", LOSSES)
def test_loss(name, reduction):
    ours, our_node = loss_values(autograd_lab, name, reduction)
    theirs, their_node = loss_values(require_torch(), name, reduction)
    assert our_node == their_node
    for mine, real in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, real, rtol=1e-5, atol=1e-7)


def class_loss(torch, name, options, shape):
    torch.manual_seed(7)
    weight = torch.rand(shape[1]) if options.pop("weighted", False) else None
    x = torch.randn(*shape).requires_grad_()
    target = torch.randint(0, shape[1], (shape[0], *shape[2:]))
    loss = getattr(torch.nn, name)(weight=weight, **options)(x, target)
    loss.sum().backward()
    return [loss.detach().numpy(), x.grad.numpy()], type(loss.grad_fn).__name__


@pytest.mark.parametrize("name", ["NLLLoss", "CrossEntropyLoss"])
@pytest.mark.parametrize("shape", [(5, 3), (2, 3, 4)])
@pytest.mark.parametrize("options", [
    {}, {"weighted": True}, {"ignore_index": 1}, {"reduction": "sum"}, {"reduction": "none", "weighted": True},
    {"label_smoothing": 0.2}, {"label_smoothing": 0.2, "weighted": True},
])  # fmt: skip
def test_class_loss(name, shape, options):
    if name == "NLLLoss" and "label_smoothing" in options:
        return
    ours, our_node = class_loss(autograd_lab, name, dict(options), shape)
    theirs, their_node = class_loss(require_torch(), name, dict(options), shape)
    assert our_node == their_node
    for mine, real in zip(ours, theirs, strict=True):
        np.testing.assert_allclose(mine, real, rtol=1e-5, atol=1e-6)
