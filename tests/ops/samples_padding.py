"""Samples of borders, and of the rows that only torch's own functions call."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {}
HELPERS: dict[str, str] = {}

_SHAPES = {1: ("m", "nt", "t3", "m[:, ::2].repeat(1, 2)"), 2: ("t3", "t3[None]", "t3.transpose(1, 2)"), 3: ("t3[None]", "t3[None, None]")}
_PADS = {1: ("(1, 1)", "(0, 1)", "(1, 0)", "(-1, 1)"), 2: ("(1, 1, 1, 1)", "(0, 1, 1, 0)", "(1, -1, 0, 1)", "(1, 0, 0, 0)"),
         3: ("(1, 1, 1, 1, 1, 1)", "(0, 1, 1, 0, 0, 1)", "(1, 0, -1, 1, 0, 0)", "(0, 0, 0, 0, 1, 0)", "(1, 1, 0, 0, 0, 0)")}  # fmt: skip
_ERRORS = ("F.pad(m, (3, 1), {})", "F.pad(v, (1, 1), {})", "F.pad(t3, (1, 1, 2, 1), {})", "F.pad(m, (-2, -2), {})", "F.pad(e23, (1, 1), {})",
           "F.pad(t3, (1, 1), {}, 1.0)", "F.pad(bm, (1, 1), {})", "F.pad(im, (1, 1), {})", "F.pad(t3[None], (1, 1), {})", "F.pad(m, (1,), {})")  # fmt: skip
for _count in (1, 2, 3):
    for _mode, _name in (("reflect", "reflection"), ("replicate", "replication")):
        SAMPLES[f"{_name}_pad{_count}d"] = [f"F.pad({one}, {pad}, '{_mode}')" for one in _SHAPES[_count] for pad in _PADS[_count]]
        SAMPLES[f"{_name}_pad{_count}d"] += [f"F.pad({_SHAPES[_count][0]}.double(), {_PADS[_count][0]}, mode='{_mode}')"]
        HELPERS[f"{_name}_pad{_count}d_backward"] = f"{_name}_pad{_count}d"
    SAMPLES[f"reflection_pad{_count}d"] += ["!" + one.format("'reflect'") for one in _ERRORS]
    SAMPLES[f"replication_pad{_count}d"] += ["!" + one.format("'replicate'") for one in _ERRORS]
SAMPLES["strided_write"] = [f"F.pad({one}, {pad}, 'circular')" for count in (1, 2, 3) for one in _SHAPES[count] for pad in _PADS[count]]
SAMPLES["strided_write"] += ["!" + one.format("'circular'") for one in _ERRORS] + ["!F.pad(m, (1, 1), 'bogus')"]

_INDEX = "torch.tensor([[0], [2]])"
SAMPLES["scatter_combined"] = [
    f"!{one}.scatter(1, {_INDEX}, {src}, reduce='{way}')" for one, src in (("m", "n"), ("nt", "n"), ("d", "d"), ("m.detach()", "n"), ("im", "im"), ("m", "d"))
    for way in ("add", "multiply")
] + [f"!m.clone().scatter_(1, {_INDEX}, n.detach(), reduce='add').detach()", f"!m.scatter(1, {_INDEX}, n, reduce='up')",
     f"!m.scatter(2, {_INDEX}, n, reduce='add')", "!m.scatter(1, torch.tensor([[5]]), n, reduce='add')"]  # fmt: skip
SAMPLES["scatter_value_combined"] = [
    f"!{one}.scatter(1, {_INDEX}, {value}, reduce='{way}')" for one, value in (("m", "2.0"), ("nt", "0.5"), ("d", "3"), ("im", "2"), ("h[None].repeat(2, 1)", "2"))
    for way in ("add", "multiply")
] + [f"!m.clone().detach().scatter_(1, {_INDEX}, 2.0, reduce='add')", f"!m.scatter(1, {_INDEX}, 2.0, reduce='up')"]  # fmt: skip
SAMPLES["_norm_along"] = [
    f"F.pairwise_distance({a}, {b}{more})" for a, b in (("m", "n"), ("v", "w"), ("m", "v"), ("nt", "n"), ("d", "n"))
    for more in ("", ", p=1", ", keepdim=True", ", p=3, eps=1e-3")
] + ["!F.pairwise_distance(m, m, eps=0)", "!F.pairwise_distance(e23, e23)"]  # fmt: skip
SAMPLES["celu_from_result"] = [
    f"{mark}F.celu({one} * 1, {alpha}, inplace=True)" for mark, one in (("", "m"), ("", "v"), ("", "s"), ("", "nt"), ("", "d"), ("!", "e"), ("!", "zeros"), ("!", "wild"))
    for alpha in ("1.0", "2.0")
] + ["torch.celu_(m * 1)"]  # fmt: skip
