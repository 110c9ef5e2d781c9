"""Check gradients against finite differences: `gradcheck` the first derivatives, `gradgradcheck` the second.

Source: https://docs.pytorch.org/docs/stable/autograd.html#numerical-gradient-checking
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from typing import Any

from autograd_lab.autograd._errors import PRIVATE_API, GradcheckError
from autograd_lab.core.missing import answers_for
from autograd_lab.core.tensor import Tensor

__all__ = [  # noqa: RUF022 (torch's order)
    "gradcheck",
    "gradgradcheck",
    "GradcheckError",
    "get_numerical_jacobian",
    "get_analytical_jacobian",
    "get_numerical_jacobian_wrt_specific_input",
]
__getattr__ = answers_for("torch.autograd.gradcheck", __all__)

_TensorOrTensors = Tensor | Sequence[Tensor]
_TensorOrOptionalTensors = Tensor | Sequence[Tensor | None]


def gradcheck(
    func: Callable[..., _TensorOrTensors],
    inputs: _TensorOrTensors,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Compare the Jacobian that backward gives with the one that small steps of `eps` give.

    `inputs` should be float64; those that require grad are moved, element by element, and put back. Returns True, or
    raises GradcheckError (returns False with raise_exception=False). `fast_mode` compares along one random direction
    only. Forward-mode checks are outside the lab.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradcheck.html

    >>> import autograd_lab as torch
    >>> x = torch.tensor([0.5, 1.5], dtype=torch.double, requires_grad=True)
    >>> torch.autograd.gradcheck(torch.sin, x)
    True
    """
    if not (check_forward_ad or check_backward_ad):
        raise AssertionError("Expected at least one of check_forward_ad or check_backward_ad to be True")
    if check_batched_grad and not check_backward_ad:
        raise AssertionError("Setting check_batched_grad=True requires check_backward_ad to be True")
    if check_batched_forward_grad and not check_forward_ad:
        raise AssertionError("Setting check_batched_forward_grad=True requires check_forward_ad to be True")
    if check_forward_ad:
        raise NotImplementedError("autograd_lab has no forward-mode differentiation: check_forward_ad cannot be True.")
    from autograd_lab.autograd import _checks as checks

    limits = checks.Tolerances(eps, atol, rtol, nondet_tol, check_grad_dtypes)
    try:
        given = checks.as_tuple(inputs)
        checks.check_inputs(given)
        result = func(*given)
        outputs = checks.differentiable(result)
        (checks.fast if fast_mode else checks.slow)(func, result, given, outputs, limits)
        checks.scaled_by_weights(outputs, given)
        if check_undefined_grad and outputs:
            checks.survives_undefined(func, outputs, given)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def gradgradcheck(
    func: Callable[..., _TensorOrTensors],
    inputs: _TensorOrTensors,
    grad_outputs: _TensorOrOptionalTensors | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Check the derivative of the gradient, with respect to the inputs and to the weights `grad_outputs`.

    Without `grad_outputs`, random ones between -1 and 1 are drawn.
    Source: https://docs.pytorch.org/docs/stable/generated/torch.autograd.gradcheck.gradgradcheck.html

    >>> import autograd_lab as torch
    >>> x = torch.tensor([0.5, 1.5], dtype=torch.double, requires_grad=True)
    >>> torch.autograd.gradgradcheck(torch.sin, x)
    True
    """
    if not (check_fwd_over_rev or check_rev_over_rev):
        raise AssertionError("Expected at least one of check_fwd_over_rev or check_rev_over_rev to be True")
    if check_undefined_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_undefined_grad=True requires check_rev_over_rev to be True")
    if check_batched_grad and not check_rev_over_rev:
        raise AssertionError("Setting check_batched_grad=True requires check_rev_over_rev to be True")
    from autograd_lab.autograd import _second

    given, weights, gradient = _second.gradient_function(func, inputs, grad_outputs, gen_non_contig_grad_outputs)
    return gradcheck(
        gradient, given + weights, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad, check_grad_dtypes=check_grad_dtypes,
        check_batched_grad=check_batched_grad, fast_mode=fast_mode, check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev, masked=masked,
    )  # fmt: skip


_HINTS = {
    "func": Callable[..., _TensorOrTensors], "inputs": _TensorOrTensors, "eps": float, "atol": float, "rtol": float,
    "raise_exception": bool, "nondet_tol": float, "check_undefined_grad": bool, "check_grad_dtypes": bool,
    "check_batched_grad": bool, "fast_mode": bool, "return": bool,
}  # fmt: skip
gradcheck.__annotations__ = _HINTS | {
    "check_batched_forward_grad": bool, "check_forward_ad": bool, "check_backward_ad": bool, "masked": bool | None,
}  # fmt: skip
gradgradcheck.__annotations__ = _HINTS | {
    "grad_outputs": _TensorOrOptionalTensors | None, "gen_non_contig_grad_outputs": bool, "check_fwd_over_rev": bool,
    "check_rev_over_rev": bool, "masked": bool,
}  # fmt: skip


def get_numerical_jacobian(fn: Callable, inputs: Any, target: Any = None, eps: float = 1e-3,
                           grad_out: float = 1.0) -> tuple:  # fmt: skip
    """Return the numerical Jacobians of the first output; deprecated. `fn` takes its inputs as one tuple."""
    from autograd_lab.autograd import _numerical

    warnings.warn(PRIVATE_API.format("get_numerical_jacobian"), FutureWarning, stacklevel=2)
    if grad_out != 1.0:
        raise ValueError("Expected grad_out to be 1.0. get_numerical_jacobian no longer supports values of grad_out != "
                         "1.0.")  # fmt: skip
    found = _numerical.jacobians(lambda *given: fn(given), inputs, None, target, eps)
    return tuple([blocks[0] for blocks in found])


def get_analytical_jacobian(inputs: Any, output: Tensor, nondet_tol: float = 0.0, grad_out: float = 1.0) -> tuple:
    """Return (Jacobians, whether two runs agreed, sizes right, dtypes right); deprecated."""
    from autograd_lab.autograd import _analytical
    from autograd_lab.core.tensor import wrap

    warnings.warn(PRIVATE_API.format("get_analytical_jacobian"), FutureWarning, stacklevel=2)
    if grad_out != 1.0:
        raise ValueError("Expected grad_out to be 1.0. get_analytical_jacobian no longer supports values of grad_out "
                         "!= 1.0.")  # fmt: skip
    first, second, sizes, types = _analytical.twice(inputs, output)
    return tuple([wrap(one) for one in first]), not _analytical.differ(first, second, nondet_tol), types, sizes


def get_numerical_jacobian_wrt_specific_input(
    fn: Callable, input_idx: int, inputs: tuple, outputs: tuple, eps: float, input: Tensor | None = None,
    is_forward_ad: bool = False,
) -> tuple[Tensor, ...]:  # fmt: skip
    """Return the numerical Jacobians of all float outputs by one input."""
    from autograd_lab.autograd import _numerical

    return _numerical.jacobian_of_one(fn, input_idx, inputs, outputs, eps, input)
