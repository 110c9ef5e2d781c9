"""What the inputs of a node are called: as its op declares them, else as torch's derivative table names them."""

from __future__ import annotations

PAIRS = frozenset(["Add", "Sub", "Mul", "Div", "Pow", "Where", "Maximum", "Minimum", "Fmod", "Atan2", "Hypot"])
KNOWN: dict[str, tuple[str, ...]] = {
    "Mm": ("self", "mat2"),
    "Mv": ("self", "vec"),
    "Dot": ("self", "tensor"),
    "Bmm": ("self", "mat2"),
    "Addmm": ("self", "mat1", "mat2"),
    "Addmv": ("self", "mat", "vec"),
    "Linear": ("input", "weight", "bias"),
    "Where": ("self", "other"),
    "NllLoss": ("self", "weight"),
    "MseLoss": ("self", "target"),
    "NativeLayerNorm": ("input", "weight", "bias"),
    "Convolution": ("input", "weight", "bias"),
    "Embedding": ("weight",),
}


def input_names(op: str, count: int, derivatives: tuple[tuple[str, str], ...] = ()) -> tuple[str, ...]:
    """Return a name for each of the `count` inputs of a node."""
    if len(derivatives) == count:
        return tuple(name for name, _ in derivatives)
    stem = op.split("Backward")[0]
    if len(KNOWN.get(stem, ())) == count:
        return KNOWN[stem]
    if count == 1:
        return ("self",)
    if count == 2 and stem in PAIRS:
        return ("self", "other")
    return tuple(f"input {i}" for i in range(count))
