"""Anomaly mode: backward says which line of the forward made the node that failed or returned NaN."""

import warnings
from typing import Any

from autograd_lab.core.missing import answers_for
from autograd_lab.core.state import mode as modes
from autograd_lab.core.state import set_anomaly

__all__ = ["detect_anomaly", "set_detect_anomaly"]
__getattr__ = answers_for("torch.autograd.anomaly_mode", __all__)


def _set(enabled: Any, check_nan: Any) -> None:
    if type(enabled) is not bool:
        given = type(enabled).__name__
        raise TypeError(f"set_anomaly_enabled(): argument 'enabled' (position 1) must be bool, not {given}")
    set_anomaly(enabled, check_nan)


class detect_anomaly:
    """Watch for errors and NaN inside the block: graphs made there remember their lines.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.detect_anomaly

    Args:
        check_nan: whether a NaN that backward computes raises RuntimeError.

    >>> import warnings
    >>> import autograd_lab as torch
    >>> with warnings.catch_warnings(action="ignore"):  # doctest: +SKIP
    ...     with torch.autograd.detect_anomaly():
    ...         torch.tensor(0., requires_grad=True).sqrt().mul(0).backward()
    Traceback (most recent call last):
    RuntimeError: Function 'SqrtBackward0' returned nan values in its 0th output.
    """

    def __init__(self, check_nan=True) -> None:
        self.prev = modes.anomaly
        self.check_nan = check_nan
        self.prev_check_nan = modes.check_nan
        warnings.warn(
            "Anomaly Detection has been enabled. This mode will increase the runtime and should only be enabled for "
            "debugging.",
            stacklevel=2,
        )

    def __enter__(self) -> None:
        self.prev, self.prev_check_nan = modes.anomaly, modes.check_nan
        _set(True, self.check_nan)

    def __exit__(self, *args: object) -> None:
        _set(self.prev, self.prev_check_nan)


class set_detect_anomaly:
    """Switch anomaly mode on or off: at once, or for a block when used as a context.

    Source: https://docs.pytorch.org/docs/stable/autograd.html#torch.autograd.set_detect_anomaly

    >>> import autograd_lab as torch
    >>> with torch.autograd.set_detect_anomaly(True):
    ...     torch.is_anomaly_enabled()
    True
    """

    def __init__(self, mode: bool, check_nan: bool = True) -> None:
        self.prev = modes.anomaly
        self.prev_check_nan = modes.check_nan
        _set(mode, check_nan)

    def __enter__(self) -> None:
        pass

    def __exit__(self, *args: object) -> None:
        _set(self.prev, self.prev_check_nan)
