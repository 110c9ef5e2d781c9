"""torch.nn.functional: activations, losses and layers as functions without parameters of their own.

Source: https://docs.pytorch.org/docs/stable/nn.functional.html
"""

from __future__ import annotations

from autograd_lab.core.missing import answers_for
from autograd_lab.core.public import publish_inner, publish_module
from autograd_lab.nn._activations import *  # noqa: F403
from autograd_lab.nn._activations import __all__ as _activations
from autograd_lab.nn._bags import *  # noqa: F403
from autograd_lab.nn._bags import __all__ as _bags
from autograd_lab.nn._layers import *  # noqa: F403
from autograd_lab.nn._layers import __all__ as _layers
from autograd_lab.nn._losses import *  # noqa: F403
from autograd_lab.nn._losses import __all__ as _losses
from autograd_lab.nn._margins import *  # noqa: F403
from autograd_lab.nn._margins import __all__ as _margins
from autograd_lab.nn._resampling import *  # noqa: F403
from autograd_lab.nn._resampling import __all__ as _resampling

__all__ = sorted([*_activations, *_bags, *_layers, *_losses, *_margins, *_resampling])


# What in torch too is no Python function, and refuses wrong arguments in its parser's words.
_PARSED = (
    "adaptive_avg_pool1d", "avg_pool1d", "avg_pool2d", "conv1d", "conv2d", "conv_transpose1d", "conv_transpose2d",
    "cosine_similarity", "gelu", "hardshrink", "linear", "logsigmoid", "one_hot", "pairwise_distance", "pdist", "prelu",
    "softplus", "softshrink", *[name for name in __all__ if name.endswith("_")],
)  # fmt: skip
publish_module("nn", _PARSED, globals())
# What is a Python function in torch, and hands its arguments on to one whose parser refuses them.
publish_inner(globals(), {
    "cross_entropy": ("cross_entropy_loss", "input", "target", "weight"),
    "nll_loss": ("nll_loss_nd", "input", "target", "weight"),
    "kl_div": ("kl_div", "input", "target"),
    "batch_norm": ("batch_norm", "input", "weight", "bias", "running_mean", "running_var", "training", "momentum",
                   "eps", True),
    "layer_norm": ("layer_norm", "input", "normalized_shape"),
    "leaky_relu": ("leaky_relu", "input", "negative_slope"),
    "elu": ("elu", "input", "alpha"),
    "celu": ("celu", "input", "alpha"),
    "hardtanh": ("hardtanh", "input", "min_val", "max_val"),
    "threshold": ("threshold", "input", "threshold", "value"),
    "rms_norm": ("rms_norm", "input", "normalized_shape"),
    "unfold": ("im2col", "input", ["kernel_size"], ["dilation"], ["padding"], ["stride"]),
    "glu": ("glu", "input", "dim"),
    "embedding": ("embedding", "weight", "input"),
    "pad": ("pad", "input", "pad", "mode", "value"),
    "max_pool2d": ("max_pool2d", "input", "kernel_size", "stride", "padding", "dilation", "ceil_mode"),
})  # fmt: skip
__getattr__ = answers_for("torch.nn.functional", __all__)

for _name in __all__:
    globals()[_name].__module__ = "autograd_lab.nn.functional"
