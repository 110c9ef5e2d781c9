"""What torch asks of complex numbers, answered for real ones: a tensor is its own conjugate and its own real part.

What would make complex numbers is refused with NotImplementedError: the lab computes with real numbers only.
"""

from __future__ import annotations

from typing import Any

from autograd_lab.core import failures as fail
from autograd_lab.core.composed import attribute, composed
from autograd_lab.core.op import tensors
from autograd_lab.core.tensor import Tensor


def _itself(name: str, method: bool = True) -> None:
    def same(input: Tensor) -> Tensor:
        return input

    same.__doc__ = "Return the tensor itself: its numbers are real."
    composed(name=name, method=method, vocabulary=False)(same)


for _name in ("conj", "conj_physical", "resolve_conj", "resolve_neg"):
    _itself(_name)
_itself("real", method=False)


def _never(name: str) -> None:
    def answer(input: Tensor) -> bool:
        return False

    answer.__doc__ = "Return False: the numbers of a tensor are real, and stored as they are."
    composed(name=name, vocabulary=False)(answer)


for _name in ("is_conj", "is_neg"):
    _never(_name)


@composed(vocabulary=False)
def adjoint(input: Tensor) -> Tensor:
    """Exchange the last two dimensions, as a view; raise RuntimeError for fewer than two."""
    ndim = input._array.ndim
    if ndim < 2:
        raise RuntimeError("tensor.adjoint() is only supported on matrices or batches of matrices. "
                           f"Got {ndim}-D tensor.")  # fmt: skip
    return tensors.transpose(input, -2, -1)


def _no_imaginary_part(input: Tensor) -> Any:
    raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")


def _not_complex(input: Tensor) -> Any:
    raise RuntimeError("view_as_real is only supported for complex tensors")


attribute("real", lambda self: self)
attribute("imag", _no_imaginary_part)
composed(name="imag", method=False, vocabulary=False)(_no_imaginary_part)
composed(name="view_as_real", method=False, vocabulary=False)(_not_complex)


def _refused(name: str) -> Any:
    def refuse(*args: Any, **kwargs: Any) -> Any:
        raise fail.complex_number()

    refuse.__name__ = refuse.__qualname__ = name
    refuse.__doc__, refuse.__module__ = "Refuse: complex numbers are outside the lab's scope.", "autograd_lab"
    return refuse


for _name in ("cfloat", "cdouble", "chalf"):
    setattr(Tensor, _name, _refused(_name))
