"""What decompositions ask of their matrices: dimensions, squareness and dtype, with torch's words for what fails."""

from __future__ import annotations

from autograd_lab.core.dtypes import from_numpy
from autograd_lab.ops.refusals import not_implemented

# The kernels of torch that stop at float16; the other functions refuse it themselves.
HALF = {"det": "lu_cpu", "solve": "lu_cpu", "cholesky": "cholesky_cpu", "qr": "geqrf_cpu", "svd": "linalg_svd_cpu",
        "eigh": "linalg_eigh_cpu"}  # fmt: skip


def check(name, array, square=False):
    """Raise unless the array is a (square) floating-point matrix or a batch of them."""
    check_shape(name, array, square)
    check_dtype(name, array)


def check_shape(name, array, square):
    """Raise unless the array is a (square) matrix or a batch of them."""
    if array.ndim < 2:
        raise RuntimeError(f"{called(name)}: The input tensor A must have at least 2 dimensions.")
    if square and array.shape[-1] != array.shape[-2]:
        raise RuntimeError(f"{called(name)}: A must be batches of square matrices, but they are {array.shape[-2]} by "
                           f"{array.shape[-1]} matrices")  # fmt: skip


def check_dtype(name, array):
    """Raise unless the array has a floating-point dtype that torch decomposes."""
    if array.dtype.kind != "f":
        raise RuntimeError(f"{called(name)}: Expected a floating point or complex tensor as input. Got "
                           f"{from_numpy(array.dtype).scalar_name}")  # fmt: skip
    if array.dtype.itemsize == 2:
        if name in HALF:
            if array.size or name == "qr":
                raise not_implemented(HALF[name], array)
            return
        raise RuntimeError(f"{called(name)}: Low precision dtypes not supported. Got Half")


def called(name):
    """Return a function's name as messages give it."""
    return name if name.startswith("logdet") else f"linalg.{name}"
