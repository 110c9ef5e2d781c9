"""The error of gradcheck, and its long texts."""

from __future__ import annotations


class GradcheckError(RuntimeError):
    """What gradcheck and gradgradcheck raise when a gradient is wrong."""


GradcheckError.__module__ = "autograd_lab.autograd.gradcheck"

WORKAROUND = """If you are adding a new operator, please file an issue and then use one of the
workarounds. The workaround depends on how your test invokes gradcheck/gradgradcheck"""
NONDETERMINISTIC = f"""\n
NOTE: If your op relies on non-deterministic operations i.e., it is listed here:
https://pytorch.org/docs/stable/generated/torch.use_deterministic_algorithms.html
this failure might be expected.

{WORKAROUND}.
If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `nondet_tol=<tol>` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_nondet_tol=<tol>`.
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_nondet_tol=<tol>`
"""
FAST_BUT_NOT_SLOW = f"""Fast gradcheck failed but element-wise differences are small. This means that the
test might've passed in slow_mode!

{WORKAROUND}:

If the test
- manually invokes gradcheck/gradgradcheck, then call gradcheck/gradgradcheck
  with `fast_mode=False` as a keyword argument.
- is OpInfo-based (e.g., in test_ops_gradients.py), then modify the OpInfo for the test
  to have `gradcheck_fast_mode=False`
- is a Module test (e.g., in common_nn.py), then modify the corresponding
  module_test entry to have `gradcheck_fast_mode=False`"""
IN_SLOW_MODE = (
    "\nThe above quantities relating the numerical and analytical jacobians are computed \n"
    "in fast mode. See: https://github.com/pytorch/pytorch/issues/53876 for more background \n"
    "about fast mode. Below, we recompute numerical and analytical jacobians in slow mode:\n\n"
    "Numerical:\n {numerical}\nAnalytical:\n{analytical}\n\n"
    "The max per-element difference (slow mode) is: {most}.\n"
)
UNDEFINED_WARNING = (
    "Backwards compatibility: New undefined gradient support checking feature is enabled by default, but it may break "
    'existing callers of this function. If this is true for you, you can call this function with '
    '"check_undefined_grad=False" to disable the feature'
)
UNDEFINED_NOTES = (
    'Please look at "Notes about undefined output gradients" in "tools/autograd/derivatives.yaml"'
)
STRIDE_0 = (
    "The {}th input has a dimension with stride 0. gradcheck only supports inputs that are non-overlapping to be able "
    "to compute the numerical gradients correctly. You should call .contiguous on the input before passing it to "
    "gradcheck."
)
PRIVATE_API = (
    "`{0}` was part of PyTorch's private API and not meant to be exposed. We are deprecating it and it will be removed "
    "in a future version of PyTorch. If you have a specific use for this or feature request for this to be a stable "
    "API, please file us an issue at https://github.com/pytorch/pytorch/issues/new"
)


def mismatch(output: int, position: int, numerical: object, analytical: object) -> str:
    """Return the text about two Jacobians that differ."""
    return (f"Jacobian mismatch for output {output:d} with respect to input {position:d},\n"
            f"numerical:{numerical}\nanalytical:{analytical}\n")  # fmt: skip
