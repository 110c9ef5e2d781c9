"""Samples of activations, losses, convolutions, pooling and normalisation."""

from __future__ import annotations

import re

SAMPLES: dict[str, list[str]] = {}


def activation(row: str, call: str, smooth: bool = True, integers: bool = True) -> None:
    """Add the samples of a function of one tensor; `call` has its argument as {}."""
    mark = "" if smooth else "!"
    inputs = ("m", "v", "s", "nt", "d", "t3", "pos", "m[:, ::2]", "c", "dv[::2]")
    corners = ("e", "e23", "tie", "zeros", "wild", "half", "m[:0]", *(("i",) if integers else ()))
    SAMPLES.setdefault(row, []).extend([mark + call.format(one) for one in inputs] + ["!" + call.format(one) for one in corners])


activation("leaky_relu", "F.leaky_relu({})")
activation("leaky_relu", "F.leaky_relu({}, 0.2)")
activation("leaky_relu_from_result", "F.leaky_relu({} * 1, inplace=True)", integers=False)
activation("elu", "F.elu({})")
activation("elu", "F.elu({}, alpha=0.5)")
activation("elu", "F.selu({})")
activation("elu_from_result", "F.elu({} * 1, 0.5, inplace=True)", integers=False)
activation("elu_from_result", "F.selu({} * 1, inplace=True)", integers=False)
activation("celu", "F.celu({}, alpha=2.0)")
activation("celu", "torch.celu({})")
activation("gelu", "F.gelu({})")
activation("gelu", "F.gelu({}, approximate='tanh')")
activation("silu", "F.silu({})")
activation("mish", "F.mish({})")
activation("softplus", "F.softplus({})")
activation("softplus", "F.softplus({}, beta=2, threshold=1)")
activation("hardtanh", "F.hardtanh({})", integers=False)
activation("hardtanh", "F.relu6({})", integers=False)
activation("hardsigmoid", "F.hardsigmoid({})", integers=False)
activation("hardswish", "F.hardswish({})", integers=False)
activation("log_sigmoid", "F.logsigmoid({})")
activation("hardshrink", "F.hardshrink({})")
activation("softshrink", "F.softshrink({})", integers=False)
activation("threshold", "F.threshold({}, 0.1, 2.0)", integers=False)
activation("threshold_in_place", "F.threshold({} * 1, 0.1, 2.0, inplace=True)", integers=False)
activation("rrelu_with_noise", "F.rrelu({}, 0.1, 0.3)", integers=False)
activation("rrelu_with_noise", "torch.rrelu({}, 0.1, 0.3, False)", integers=False)
activation("rrelu_with_noise_from_result", "F.rrelu_({} * 1, 0.1, 0.3)", integers=False)
activation("_softmax", "F.softmax({}, -1)")
activation("_softmax", "torch.softmax({}, 0)", integers=False)
activation("_log_softmax", "F.log_softmax({}, -1)")
activation("_log_softmax", "{}.log_softmax(0)", integers=False)
SAMPLES["hardsigmoid"] = ["!" + text.lstrip("!") for text in SAMPLES["hardsigmoid"]]     # torch has no second derivative
SAMPLES["_softmax"] += ["!F.softmax(m, 2)", "!torch.softmax(m)", "F.softmin(m, 1)", "F.softmax(m, dim=1, dtype=torch.float64)", "!F.softmax(m)"]
SAMPLES["_log_softmax"] += ["!F.log_softmax(m, -3)", "F.log_softmax(t3, dim=1)", "!F.log_softmax(v)"]
SAMPLES["prelu_kernel"] = [
    "F.prelu(m, torch.tensor([0.2], requires_grad=True))", "F.prelu(m, v)", "F.prelu(v, one)", "F.prelu(s, one)", "F.prelu(t3, w[:2])", "F.prelu(nt, v)", "!F.prelu(m, v[:2])", "F.prelu(d, dv)", "torch.prelu(m, one)",
    "m.prelu(v)", "!F.prelu(tie, one)", "F.prelu(pos, v)",
]  # fmt: skip
SAMPLES["glu"] = [
    "F.glu(m, 0)", "F.glu(m[:, :2])", "F.glu(t3, 1)", "F.glu(t3, 0)", "!F.glu(m)", "!F.glu(s)", "F.glu(nt, 0)", "F.glu(d, 0)", "F.glu(m[:, ::2], -1)", "F.glu(m, dim=0) * 2", "!F.glu(m, 2)", "!F.glu(im, 0)",
]  # fmt: skip


def loss(row: str, call: str, pairs: tuple[tuple[str, str], ...], more: tuple[str, ...] = ("", ", reduction='sum'", ", reduction='none'")) -> None:
    """Add the samples of a loss of two tensors."""
    SAMPLES.setdefault(row, []).extend(f"{call}({a}, {b}{extra})" for a, b in pairs for extra in more)


PAIRS = (("m", "n"), ("v", "w"), ("s", "q"), ("nt", "m"), ("d", "d * 2"), ("m", "n.detach()"), ("e", "e * 1"))
loss("mse_loss", "F.mse_loss", PAIRS)
loss("smooth_l1_loss", "F.smooth_l1_loss", PAIRS[:6])
loss("huber_loss", "F.huber_loss", PAIRS[:6])
SAMPLES["mse_loss"] += ["!F.mse_loss(m, v)", "!F.mse_loss(m, n, reduction='foo')", "!F.mse_loss(i, i1)", "!F.mse_loss(m, n, size_average=False)", "!F.mse_loss(m, torch.ones(4))"]
SAMPLES["smooth_l1_loss"] += ["F.smooth_l1_loss(m, n, beta=0.5)", "!F.smooth_l1_loss(m, n, beta=-1)", "!F.smooth_l1_loss(tie, tie * 1)", "F.smooth_l1_loss(m, n, beta=3.0)"]
SAMPLES["huber_loss"] += ["F.huber_loss(m, n, delta=0.5)", "!F.huber_loss(m, n, delta=0)", "!F.huber_loss(tie, tie * 1)", "F.huber_loss(m, n, delta=3.0)"]
T, T2, T4 = "torch.tensor([2, 0])", "torch.tensor([[0, 1, 1], [1, 0, 0]])", "torch.tensor([[[0, 1, 1]], [[1, 0, 0]]])"
KINDS = ("", ", reduction='sum'", ", reduction='none'")
SAMPLES["nll_loss_forward"] = [
    *(f"F.nll_loss(m, {T}{kind})" for kind in KINDS), *(f"F.nll_loss(m, {T}, weight=v.detach().abs(){kind})" for kind in KINDS), *(f"F.nll_loss(m, {T}, ignore_index=0{kind})" for kind in KINDS),
    *(f"F.cross_entropy(m, {T}{kind})" for kind in KINDS), f"F.cross_entropy(m, {T}, label_smoothing=0.1)", f"F.cross_entropy(m, {T}, label_smoothing=0.1, weight=v.detach().abs())",
    "F.cross_entropy(v, torch.tensor(1))", f"!F.nll_loss(m, torch.tensor([3, 0]))", "!F.nll_loss(m, torch.tensor([1]))", "!F.nll_loss(m, m)", "!F.nll_loss(m, torch.tensor([1., 0.]))", f"!F.nll_loss(m, {T}, weight=v)",
    f"!F.nll_loss(m, {T}, weight=torch.ones(2))", "!F.nll_loss(s, torch.tensor(0))", "!F.nll_loss(m, torch.tensor([-100, -100]))", f"F.nll_loss(nt, {T})", f"F.nll_loss(d, {T})", "F.cross_entropy(m, prob)",
    "F.cross_entropy(m, prob, weight=v.detach(), reduction='none')", "F.cross_entropy(m, prob, label_smoothing=0.2, reduction='sum')", f"!F.cross_entropy(m, {T}, label_smoothing=2.0)", "!F.cross_entropy(m, im)",
    f"F.cross_entropy(m, {T}, label_smoothing=0.1, ignore_index=0)", f"F.cross_entropy(m, {T}, label_smoothing=0.1, reduction='none')",
]  # fmt: skip
SAMPLES["nll_loss2d_forward"] = [
    *(f"F.nll_loss(t3, {T2}{kind})" for kind in KINDS), *(f"F.cross_entropy(t3, {T2}{kind})" for kind in KINDS), *(f"F.nll_loss(t3[:, :, None], {T4}{kind})" for kind in KINDS), f"F.nll_loss(t3, {T2}, weight=w[:2].detach())",
    f"F.nll_loss(t3, {T2}, ignore_index=1)", "!F.nll_loss(t3, torch.tensor([0, 1]))", f"!F.nll_loss(t3, {T2} + 5)", f"F.cross_entropy(t3, {T2}, label_smoothing=0.2)",
]  # fmt: skip
SAMPLES["binary_cross_entropy"] = [
    *(f"F.binary_cross_entropy(prob, bm.float(){kind})" for kind in KINDS), *(f"F.binary_cross_entropy(prob, prob.flip(0){kind})" for kind in KINDS), "F.binary_cross_entropy(prob, bm.float(), weight=v.detach())", "F.binary_cross_entropy(us, ps)",
    "!F.binary_cross_entropy(m, bm.float())", "!F.binary_cross_entropy(prob, v)", "!F.binary_cross_entropy(prob, bm.double())", "!F.binary_cross_entropy(bm.float().requires_grad_(), bm.float())", "F.binary_cross_entropy(prob.t(), bm.t().float())",
]  # fmt: skip
SAMPLES["binary_cross_entropy_with_logits"] = [
    *(f"F.binary_cross_entropy_with_logits(m, bm.float(){kind})" for kind in KINDS), *(f"F.binary_cross_entropy_with_logits(m, prob{kind})" for kind in KINDS), "F.binary_cross_entropy_with_logits(m, prob, weight=v.detach())",
    "F.binary_cross_entropy_with_logits(m, prob, pos_weight=pv.detach())", "F.binary_cross_entropy_with_logits(s, us)", "!F.binary_cross_entropy_with_logits(m, v)", "F.binary_cross_entropy_with_logits(nt, bm.float())",
    "!F.binary_cross_entropy_with_logits(wild, torch.ones(6))", "F.binary_cross_entropy_with_logits(d, prob.double())",
]  # fmt: skip

X4, X3 = "t3.repeat(1, 2, 2).reshape(2, 2, 4, 3)", "t3.repeat(1, 1, 2)"
K4, K3 = "(torch.arange(16.).reshape(2, 2, 2, 2) / 10 * s)", "(torch.arange(12.).reshape(3, 2, 2) / 10 * q)"
SAMPLES["convolution"] = [
    f"F.conv2d({X4}, {K4})", f"F.conv2d({X4}, {K4}, w[:2])", f"F.conv2d({X4}, {K4}, stride=2, padding=1)", f"F.conv2d({X4}, {K4}, stride=(1, 2), padding=(1, 0), dilation=(2, 1))", f"F.conv2d({X4}, {K4}[:, :1], groups=2)",
    f"F.conv2d({X4}[0], {K4})", f"F.conv1d({X3}, {K3}, v)", f"F.conv1d({X3}, {K3}, padding='valid')", f"F.conv1d({X3}, {K3}, stride=2, padding=1)", f"F.conv_transpose2d({X4}, {K4}, stride=2)",
    f"F.conv_transpose2d({X4}, {K4}, w[:2], stride=2, padding=1, output_padding=1)", f"F.conv_transpose2d({X4}, {K4}[:, :1], groups=2, dilation=2)", f"F.conv2d({X4}.transpose(2, 3), {K4})", f"!F.conv2d({X4}, torch.ones(2, 3, 2, 2))",
    f"!F.conv2d({X4}, torch.ones(2, 2, 9, 2))", f"!F.conv2d(m, {K4})", f"!F.conv2d({X4}, {K4}, v)", f"!F.conv1d({X3}, {K3}, padding='same', stride=2)", f"F.conv2d({X4}.double(), {K4}.double())",
]  # fmt: skip
SAMPLES["max_pool2d_with_indices"] = [
    f"F.max_pool2d({X4}, 2)", f"F.max_pool2d({X4}, (2, 1), stride=1)", f"F.max_pool2d({X4}, 2, padding=1)", f"F.max_pool2d({X4}, 2, ceil_mode=True)", f"F.max_pool2d({X4}, 2, dilation=2, stride=1)", f"F.max_pool2d({X4}[0], 2)", f"F.max_pool2d({X4}, 2, return_indices=True)",
    f"!F.max_pool2d({X4}, 9)", f"!F.max_pool2d({X4}, 2, padding=2)", "!F.max_pool2d(torch.ones(1, 1, 4, 4, requires_grad=True), 2)", f"F.max_pool2d({X4}.transpose(2, 3), 2)", f"F.max_pool2d({X4}.double(), 2)", f"F.max_pool1d({X3}, 2)",
]  # fmt: skip
SAMPLES["avg_pool2d"] = [
    f"F.avg_pool2d({X4}, 2)", f"F.avg_pool2d({X4}, (2, 1), stride=1)", f"F.avg_pool2d({X4}, 2, padding=1)", f"F.avg_pool2d({X4}, 2, ceil_mode=True)", f"F.avg_pool2d({X4}, 2, padding=1, count_include_pad=False)", f"F.avg_pool2d({X4}[0], 2)",
    f"F.avg_pool2d({X4}, 2, divisor_override=3)", f"!F.avg_pool2d({X4}, 9)", f"F.avg_pool2d({X4}.transpose(2, 3), 2)", f"F.avg_pool2d({X4}.double(), 2)", f"F.avg_pool1d({X3}, 2)", f"!F.avg_pool2d({X4}, 2, divisor_override=0)",
]  # fmt: skip
SAMPLES["_adaptive_avg_pool2d"] = [
    f"F.adaptive_avg_pool2d({X4}, 2)", f"F.adaptive_avg_pool2d({X4}, (3, None))", f"F.adaptive_avg_pool2d({X4}[0], (2, 3))", f"F.adaptive_avg_pool2d({X4}, 1)", f"F.adaptive_avg_pool2d({X4}.double(), (3, 2))", f"F.adaptive_avg_pool2d({X4}.transpose(2, 3), 2)",
    f"F.adaptive_avg_pool2d({X4}, (5, 4))", f"F.adaptive_avg_pool1d({X3}, 2)", f"F.adaptive_avg_pool1d({X3}, 4)", f"F.adaptive_avg_pool2d({X4}, (1, 2))", f"F.adaptive_avg_pool2d({X4}, 3) * 2",
]  # fmt: skip
SAMPLES["constant_pad_nd"] = [
    "F.pad(m, (1, 1))", "F.pad(m, (1, 0, 2, 1), value=2.5)", "F.pad(m, (-1, 1))", "F.pad(t3, (0, 1, 1, 0, 0, 1))", "!F.pad(m, (1,))", "!F.pad(m, (1, 1, 1, 1, 1, 1))", "!F.pad(m, (-3, -3))", "F.pad(nt, (1, 1))", "F.pad(i, (1, 1), value=3)",
    "F.pad(d, (0, 2))", "F.pad(v, (2, -1)) * 2", "F.pad(m, (0, 0))",
]  # fmt: skip
SAMPLES["native_layer_norm"] = [
    "F.layer_norm(m, (3,))", "F.layer_norm(m, (3,), v)", "F.layer_norm(m, (3,), v, w)", "F.layer_norm(t3, (2, 3))", "F.layer_norm(t3, (3,), v, bias=w)", "F.layer_norm(m, (3,), eps=0.1)", "!F.layer_norm(m, (2,))", "!F.layer_norm(m, (3,), v[:2])",
    "F.layer_norm(d, (3,), dv)", "F.layer_norm(nt, (3,))", "F.layer_norm(m, [3], v) * 2", "!F.layer_norm(m, ())",
]  # fmt: skip
SAMPLES["native_batch_norm"] = [
    "F.batch_norm(sq, None, None, training=True)", "F.batch_norm(sq, None, None, v, w, training=True)", "F.batch_norm(sq, w.detach(), pv.detach(), v)", "F.batch_norm(t3, None, None, w[:2], training=True)",
    "F.batch_norm(sq, torch.zeros(3), torch.ones(3), training=True)", "F.batch_norm(t3, w[:2].detach(), pv[:2].detach(), v[:2], w[:2])", "!F.batch_norm(r, None, None, training=True)", "!F.batch_norm(m, None, None)",
    "!F.batch_norm(m, torch.zeros(3), torch.ones(3), v[:2])", "F.batch_norm(d, None, None, training=True, eps=0.1)", "F.batch_norm(sq.t(), None, None, training=True, eps=0.1)", "F.batch_norm(t3[:, :, None], None, None, training=True)",
]  # fmt: skip
SAMPLES["native_group_norm"] = [
    f"F.group_norm({X3}, 1)", f"F.group_norm({X3}, 2)", f"F.group_norm({X3}, 2, w[:2], v[:2])", f"F.group_norm({X4}, 1, w[:2])", f"F.group_norm({X4}, 2, v[:2], w[:2])", f"!F.group_norm({X3}, 3)", "!F.group_norm(v, 1)", f"F.group_norm({X4}.double(), 1)",
    f"F.group_norm({X3}, 1, eps=0.1)", f"F.group_norm({X4}.transpose(2, 3), 2, eps=0.1)", "F.group_norm(m, 1, v, w)",
]  # fmt: skip
SAMPLES["embedding"] = [
    "F.embedding(torch.tensor([0, 1, 1]), m)", "F.embedding(torch.tensor([[0, 2], [1, 1]]), sq)", "F.embedding(torch.tensor(1), m)", "F.embedding(torch.tensor([0, 1]), m, padding_idx=0)", "F.embedding(torch.tensor([0, 1, 0]), m, padding_idx=-1)",
    "F.embedding(torch.tensor([0, 1, 0]), m, scale_grad_by_freq=True)", "!F.embedding(torch.tensor([5]), m)", "!F.embedding(torch.tensor([0.]), m)", "!F.embedding(torch.tensor([0]), v)", "F.embedding(torch.tensor([], dtype=torch.long), m)",
    "F.embedding(torch.tensor([1]), nt)", "F.embedding(torch.tensor([1, 0], dtype=torch.int32), d)", "!F.embedding(torch.tensor([0]), m, padding_idx=5)",
]  # fmt: skip
# What is detached, padding or counted has no derivative to compare with finite differences.
for _row, _samples in SAMPLES.items():
    SAMPLES[_row] = ["!" + text if re.match("[^!~].*(detach|padding_idx|by_freq|[.]double[(][)], [(]torch)", text) else text for text in _samples]

HELPERS = {
    "elu_backward": "elu", "gelu_backward": "gelu", "softplus_backward": "softplus", "hardswish_backward": "hardswish",
    "log_sigmoid_backward": "log_sigmoid", "softshrink_backward": "softshrink", "prelu_backward": "prelu_kernel", "prelu_weight_backward": "prelu_kernel",
    "glu_backward": "glu", "_softmax_backward_data": "_softmax", "_log_softmax_backward_data": "_log_softmax", "mse_loss_backward": "mse_loss",
    "smooth_l1_loss_backward": "smooth_l1_loss", "huber_loss_backward": "huber_loss", "binary_cross_entropy_backward": "binary_cross_entropy",
    "native_layer_norm_backward": "native_layer_norm", "native_batch_norm_backward": "native_batch_norm",
    "hardsigmoid_backward": "hardsigmoid",
    "embedding_backward": "embedding", "embedding_rows": "embedding", "conv_forward": "convolution", "conv_input": "convolution", "conv_weight": "convolution", "pool_scatter": "max_pool2d_with_indices", "pool_gather": "max_pool2d_with_indices",
    "avg_pool2d_backward": "avg_pool2d", "adaptive_avg_pool2d_backward": "_adaptive_avg_pool2d", "nll_loss_backward": "nll_loss_forward", "nll_loss_gather": "nll_loss_forward", "mul_number": "nll_loss_forward", "div_number": "nll_loss_forward",
    "add_number": "nll_loss_forward", "leaky_relu_backward": "leaky_relu", "rrelu_with_noise_backward": "rrelu_with_noise", "hardtanh_backward": "hardtanh", "hardshrink_backward": "hardshrink",
}  # fmt: skip
