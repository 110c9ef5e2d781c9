"""Functions of `nn.functional` that resample: interpolate, and the windows of images as columns and back."""

from __future__ import annotations

import math
from typing import Any

from autograd_lab.core.dims import wrap_dim
from autograd_lab.core.invalid import combination_text
from autograd_lab.core.op import tensors
from autograd_lab.core.tensor import Tensor
from autograd_lab.nn._layers import adaptive_avg_pool1d, adaptive_avg_pool2d

PLAIN = ("nearest", "area", "nearest-exact")
SMOOTH = {"linear": 3, "bilinear": 4, "bicubic": 4, "trilinear": 5, "lanczos": 4}


def interpolate(input: Tensor, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
                align_corners: bool | None = None, recompute_scale_factor: bool | None = None,
                antialias: bool = False) -> Tensor:  # fmt: skip
    """Return signals or images in another size.

    Args:
        input: (N, C, L) or (N, C, H, W), floating-point (uint8 too for "nearest").
        size: the length, or (height, width), of the result; or instead of it
        scale_factor: by how much the sizes grow.
        mode: "nearest", "nearest-exact", "area", "linear" for signals, "bilinear" for images.
        align_corners: whether the corner elements, not the corners of the corner elements, keep their places.
        recompute_scale_factor: whether the factor is taken from the rounded sizes.
        antialias: outside the lab's scope, as "bicubic", "trilinear", "lanczos" and volumes.

    Raises ValueError for arguments that contradict each other, NotImplementedError for a mode and a number of
    dimensions that do not go together.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.interpolate.html

    >>> import autograd_lab as torch
    >>> torch.nn.functional.interpolate(torch.tensor([[[0.0, 2.0]]]), size=4, mode="linear")
    tensor([[[0.0000, 0.5000, 1.5000, 2.0000]]])
    """
    if mode in PLAIN and align_corners is not None:
        raise ValueError("align_corners option can only be set with the interpolating modes: linear | bilinear | bicubic | "  # noqa: E501
                         "trilinear")  # fmt: skip
    sizes = input._array.shape[2:]
    rank = input._array.ndim - 2
    output_size, factors = _wanted(sizes, rank, size, scale_factor)
    if recompute_scale_factor and size is not None:
        raise ValueError("recompute_scale_factor is not meaningful with an explicit size.")
    if antialias and not (mode in ("bilinear", "bicubic", "lanczos") and rank == 2):
        raise ValueError("Anti-alias option is restricted to bilinear, bicubic, and lanczos modes and requires a 4-D tensor as "  # noqa: E501
                         "input")  # fmt: skip
    if output_size is None:
        output_size = tuple(math.floor(float(n) * factor) for n, factor in zip(sizes, factors, strict=True))
    if recompute_scale_factor:
        factors = (None,) * rank
    if rank not in (1, 2, 3) or (mode not in PLAIN and mode not in SMOOTH):
        raise NotImplementedError(
            f"Input Error: Only 3D, 4D and 5D input Tensors supported (got {rank + 2}D) for the modes: nearest | linear | bilinear | "  # noqa: E501
            f"bicubic | trilinear | lanczos | area | nearest-exact (got {mode})"
        )
    if mode in SMOOTH and SMOOTH[mode] != rank + 2:
        raise NotImplementedError(f"Got {rank + 2}D input, but {mode} mode needs {SMOOTH[mode]}D input")
    return _resampled(input, mode, rank, output_size, factors, bool(align_corners), antialias)


def _wanted(sizes: Any, rank: int, size: Any, scale_factor: Any) -> tuple[Any, Any]:
    """Return the output sizes, or None, and the factors, each None where it was not given."""
    shown = "Please provide input tensor in (N, C, d1, d2, ...,dK) format and "
    if size is not None and scale_factor is not None:
        raise ValueError("only one of size or scale_factor should be defined")
    if size is not None:
        if not isinstance(size, (list, tuple)):
            size = (size,) * rank
        elif len(size) != rank:
            raise ValueError("Input and output must have the same number of spatial dimensions, but got input with spatial dimensions "  # noqa: E501
                             f"of {list(sizes)} and output size of {size}. {shown}output size in (o1, o2, ...,oK) format.")  # fmt: skip  # noqa: E501
        return tuple(size), (None,) * rank
    if scale_factor is None:
        raise ValueError("either size or scale_factor should be defined")
    if not isinstance(scale_factor, (list, tuple)):
        scale_factor = (scale_factor,) * rank
    elif len(scale_factor) != rank:
        raise ValueError("Input and scale_factor must have the same number of spatial dimensions, but got input with spatial dimensions "  # noqa: E501
                         f"of {list(sizes)} and scale_factor of shape {scale_factor}. {shown}scale_factor in (s1, s2, ...,sK) "  # noqa: E501
                         "format.")  # fmt: skip
    return None, tuple(map(float, scale_factor))


def _resampled(input: Tensor, mode: str, rank: int, size: tuple, factors: tuple, corners: bool, antialias: bool) -> Tensor:  # noqa: E501
    """Run the operation of a mode and a number of dimensions."""
    if rank == 3 or antialias or mode in ("bicubic", "lanczos"):
        raise NotImplementedError("interpolate: volumes, antialias, bicubic and lanczos are outside the lab's scope.")
    if mode == "area":
        return adaptive_avg_pool1d(input, size) if rank == 1 else adaptive_avg_pool2d(input, size)
    whole = all(isinstance(one, int) for one in size)
    if mode == "nearest":
        name = "upsample_nearest1d" if rank == 1 else "upsample_nearest2d"
    elif mode == "nearest-exact":
        name = "_upsample_nearest_exact1d" if rank == 1 else "_upsample_nearest_exact2d"
    else:
        name = "upsample_linear1d" if rank == 1 else "upsample_bilinear2d"
        if not whole:
            raise _no_sizes(name, rank, (input, list(size), corners, None), "bool align_corners, ")
        return getattr(tensors, name)(input, size, corners, *factors)
    if not whole:
        raise _no_sizes(name, rank, (input, list(size), None), "")
    return getattr(tensors, name)(input, size, *factors)


def _no_sizes(name: str, rank: int, given: tuple, flag: str) -> TypeError:
    """Return torch's error for sizes that are no integers."""
    scales = "float scales = None" if rank == 1 else "float scales_h = None, float scales_w = None"
    start = f"(Tensor input, tuple of ints output_size, {flag}"
    options = [f"{start}tuple of floats scale_factors)", f"{start}{scales}, *, Tensor out = None)"]
    return TypeError(combination_text(f"{name}()", given, {}, options))


def _two(value: Any, name: str) -> tuple[int, int]:
    """Return one number twice, or two numbers."""
    value = (value, value) if isinstance(value, int) else tuple(value)
    if len(value) == 1:
        value *= 2
    if len(value) != 2:
        raise RuntimeError(f"It is expected {name} equals to 2, but got size {len(value)}")
    return value


def unfold(input: Tensor, kernel_size: Any, dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> Tensor:
    """Return the windows of images as columns: (N, C, H, W) becomes (N, C * kernel elements, windows).

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.unfold.html

    >>> import autograd_lab as torch
    >>> torch.nn.functional.unfold(torch.arange(4.0).reshape(1, 1, 2, 2), (1, 2))
    tensor([[[0., 2.],
             [1., 3.]]])
    """
    steps = (_two(kernel_size, "kernel_size"), _two(dilation, "dilation"), _two(padding, "padding"),
             _two(stride, "stride"))  # fmt: skip
    if input._array.ndim < 3:
        wrap_dim(2, input._array.ndim)
    return tensors.im2col(input, *steps)


def fold(input: Tensor, output_size: Any, kernel_size: Any, dilation: Any = 1, padding: Any = 0,
         stride: Any = 1) -> Tensor:  # fmt: skip
    """Return images of a size whose windows are the columns; where windows overlap, they are added.

    Source: https://docs.pytorch.org/docs/stable/generated/torch.nn.functional.fold.html
    """
    return tensors.col2im(input, _two(output_size, "output_size"), _two(kernel_size, "kernel_size"),
                          _two(dilation, "dilation"), _two(padding, "padding"), _two(stride, "stride"))  # fmt: skip


def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Return the p-norm distances between all rows of a matrix, each pair once: `torch.pdist`."""
    return tensors.pdist(input, p)


__all__ = ["fold", "interpolate", "pdist", "unfold"]
