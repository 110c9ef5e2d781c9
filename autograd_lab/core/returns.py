"""`torch.return_types`: the named tuples that operations with several results return."""

from __future__ import annotations

from operator import itemgetter
from typing import Any

FIELDS: dict[str, tuple[str, ...]] = {
    "aminmax": ("min", "max"),
    "cummax": ("values", "indices"),
    "cummin": ("values", "indices"),
    "frexp": ("mantissa", "exponent"),
    "kthvalue": ("values", "indices"),
    "max": ("values", "indices"),
    "median": ("values", "indices"),
    "min": ("values", "indices"),
    "mode": ("values", "indices"),
    "nanmedian": ("values", "indices"),
    "sort": ("values", "indices"),
    "topk": ("values", "indices"),
    "slogdet": ("sign", "logabsdet"),
    "svd": ("U", "S", "V"),
    "qr": ("Q", "R"),
    "linalg_eigh": ("eigenvalues", "eigenvectors"),
    "linalg_inv_ex": ("inverse", "info"),
    "linalg_cholesky_ex": ("L", "info"),
    "linalg_qr": ("Q", "R"),
    "linalg_slogdet": ("sign", "logabsdet"),
    "linalg_svd": ("U", "S", "Vh"),
    "linalg_lstsq": ("solution", "residuals", "rank", "singular_values"),
}
_made: dict[str, type] = {}


def _text(self: Any) -> str:
    parts = [f"{name}={value!r}" for name, value in zip(self.__match_args__, self, strict=True)]
    return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(parts) + ")"


def return_type(name: str) -> type:
    """Return the named tuple of torch.return_types with this name, made when first asked for.

    >>> return_type("max")((1, 2)).indices
    2
    """
    found = _made.get(name)
    if found is None:
        fields = FIELDS[name.removesuffix("_out")]
        body: dict[str, Any] = {field: property(itemgetter(k)) for k, field in enumerate(fields)}
        body |= {"__slots__": (), "__module__": "torch.return_types", "__repr__": _text, "__match_args__": fields,
                 "n_fields": len(fields), "n_sequence_fields": len(fields), "n_unnamed_fields": 0}  # fmt: skip
        found = _made[name] = type(name, (tuple,), body)
    return found
