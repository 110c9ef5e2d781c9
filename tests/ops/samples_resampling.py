"""Samples of the rows that resample signals and images, measure distances and reduce by index."""

from __future__ import annotations

X3, X4 = "t3", "t3[None]"
K = "torch.tensor([0, 1, 0])"
P = "torch.tensor([1, 0])"
W = "torch.cat([m, n, r])"
BAG = "torch.tensor([1, 2, 4, 0, 4, 3, 2])"
STARTS = "torch.tensor([0, 3])"


def sizes(mode: str, images: bool, corners: bool) -> list[str]:
    """Return samples of one mode: sizes and factors, up and down, other dtypes, refusals."""
    x, how = (X4, f"mode={mode!r}") if images else (X3, f"mode={mode!r}")
    flag = f", {how}"
    found = [
        f"F.interpolate({x}, 5{flag})", f"F.interpolate({x}, 2{flag})", f"F.interpolate({x}, scale_factor=2{flag})",
        f"F.interpolate({x}, scale_factor=1.7{flag})", f"F.interpolate({x}, scale_factor=0.7{flag})",
        f"F.interpolate({x}.double(), 4{flag}) * 2", f"F.interpolate({x}, 3{flag})", f"F.interpolate({x}, 1{flag})",
        f"F.interpolate({x}, scale_factor=1.7, recompute_scale_factor=True{flag})",
        f"!F.interpolate({x}, 0{flag})", f"!F.interpolate(v, 2{flag})", f"!F.interpolate(im[None], 2{flag})",
        f"!F.interpolate({x}{flag})", f"!F.interpolate({x}, 2, 2{flag})", f"!F.interpolate({x}, (2, 2, 2){flag})",
        f"!F.interpolate({x}, 7{flag}, align_corners=True)", f"!F.interpolate({x}[:, :0], 7{flag})",
        f"!F.interpolate({x}.detach().half(), 5{flag})", f"F.interpolate({x}.transpose(-1, -2), 4{flag})",
        f"!F.interpolate({x}, scale_factor=(2, 2, 2){flag})", f"!F.interpolate({x}, 2, recompute_scale_factor=True{flag})",
        f"!F.interpolate({x}, 2.5{flag})",
    ]
    if images:
        found += [f"F.interpolate({x}, (3, 4){flag})", f"F.interpolate({x}, scale_factor=(1.5, 2){flag})"]
    if corners:
        found += [f"F.interpolate({x}, 1, align_corners=True{flag})", f"F.interpolate({x}, 6, align_corners=True{flag})"]
    return ["!" + text if ".double()" in text else text for text in found]


SAMPLES: dict[str, list[str]] = {
    "upsample_nearest1d": sizes("nearest", False, False),
    "upsample_nearest2d": [*sizes("nearest", True, False), "!F.interpolate(u[None, None, None], (2, 5))"],
    "_upsample_nearest_exact1d": sizes("nearest-exact", False, False),
    "_upsample_nearest_exact2d": sizes("nearest-exact", True, False),
    "upsample_linear1d": [*sizes("linear", False, True), "!F.interpolate(t3[None], 2, mode='linear')"],
    "upsample_bilinear2d": [*sizes("bilinear", True, True), "!F.interpolate(t3, 2, mode='bilinear')",
                            "!F.interpolate(t3, 2, mode='cubic')", "!F.interpolate(t3, 2, antialias=True)"],
    "_adaptive_avg_pool2d": [f"F.interpolate({X3}, 2, mode='area')", f"F.interpolate({X4}, (1, 2), mode='area')"],
    "im2col": [
        f"F.unfold({X4}, 2)", f"F.unfold({X4}, (1, 2))", f"F.unfold({X4}, 2, padding=1)", f"F.unfold({X4}, 2, 1, 1, 2)", f"F.unfold({X3}, (2, 1), stride=(1, 2))", f"F.unfold({X4}, 2, dilation=(1, 2))",
        f"!F.unfold({X4}.double(), 2)", f"F.unfold({X4}.transpose(2, 3), 2) * 2", f"!F.unfold({X4}, 5)", f"!F.unfold({X4}, 0)", f"!F.unfold({X4}, 2, stride=0)", f"!F.unfold({X4}, 2, dilation=0)",
        f"!F.unfold({X4}, 2, padding=-1)", "!F.unfold(m, 2)", f"!F.unfold({X4}, (1, 2, 3))", "!F.unfold(im[None, None], 2)", f"!F.unfold({X4}[:, :0], 2)", f"!F.unfold({X4}[:0], 2)", "!F.unfold(bm[None, None], 2)",
    ],
    "col2im": [
        "F.fold(sq[:2, :][None], (1, 4), (1, 2))", "F.fold(t3, (2, 3), (2, 1))", "F.fold(t3, (1, 4), (1, 2)) * 2", "F.fold(m, (2, 3), (2, 1))", "F.fold(t3, (2, 3), (2, 1), stride=(2, 1))", "F.fold(t3[:, :, :1], (1, 2), (1, 2))",
        "F.fold(t3, (1, 6), (1, 2), stride=2)", "F.fold(t3, (1, 4), (1, 2), padding=(0, 0))", "F.fold(t3, (1, 5), (1, 2), dilation=(1, 2))", "F.fold(t3[:, :, :2], (1, 1), (1, 2), padding=(0, 1))", "!F.fold(t3.double(), (2, 3), (2, 1))",
        "!F.fold(t3, (3, 4), 2)", "!F.fold(t3, (9, 4), (2, 1))", "!F.fold(v, (2, 3), (2, 1))", "!F.fold(t3, 1, 2)", "!F.fold(im, (2, 3), (2, 1))", "!F.fold(t3, (2, 3), (2, 1), stride=0)", "!F.fold(t3, (2, 3), (2, 1, 1))",
    ],
    "_pdist_forward": [
        "torch.pdist(m)", "torch.pdist(sq)", "torch.pdist(sq, 1)", "torch.pdist(sq, p=3)", "torch.pdist(sq, 1.5)", "torch.pdist(sq, float('inf'))", "!torch.pdist(sq, 0)", "!torch.pdist(sq, 0.5)", "F.pdist(sq)", "!torch.pdist(d)",
        "!torch.pdist(torch.cat([sq, sq]))", "!torch.pdist(v)", "!torch.pdist(im)", "!torch.pdist(sq, -1)", "!torch.pdist(r)", "torch.pdist(nt)", "torch.pdist(sq) * 2", "!torch.pdist(torch.cat([sq, sq]), 1)", "!torch.pdist(tie, 3)", "!torch.pdist(sq[:, :0])",
    ],
    "_cdist_forward": [
        "torch.cdist(m, sq)", "torch.cdist(m, n, 1)", "torch.cdist(m, n, p=3)", "torch.cdist(m, n, 1.5)", "torch.cdist(m, n, float('inf'))", "!torch.cdist(m, n, 0)", "!torch.cdist(m, n, 0.5)", "torch.cdist(t3, m)", "torch.cdist(m[None], t3, 1)",
        "torch.cdist(m, m + 1)", "!torch.cdist(m, m)", "!torch.cdist(d, d * 2)", "!torch.cdist(m, d)", "!torch.cdist(v, w)", "!torch.cdist(m, c)", "!torch.cdist(m, n, -1)", "!torch.cdist(im, im)", "!torch.cdist(m, n, compute_mode='fast')",
        "!torch.cdist(t3, torch.cat([t3, t3[:1]]))", "torch.cdist(m, n, compute_mode='donot_use_mm_for_euclid_dist')", "!torch.cdist(m[:0], n)", "!torch.cdist(m[:, :0], n[:, :0])", "torch.cdist(nt, m) * 2",
    ],
    "_euclidean_dist": [
        *[f"torch.cdist({pair}, compute_mode='use_mm_for_euclid_dist')" for pair in (
            "m, n", "m, sq", "sq, m", "t3, t3 * 2", "t3, m", "m, t3", "nt, sq", "m * 2, n + 1", "t3[:1], t3 - 1", "t3[None], m")],
        "!torch.cdist(d, d * 2, compute_mode='use_mm_for_euclid_dist')", "torch.cdist(torch.cat([m] * 13), n)", "torch.cdist(n, torch.cat([m] * 13), 2.0)", "torch.cdist(m, n, compute_mode='use_mm_for_euclid_dist') * 2",
    ],
    "_embedding_bag": [
        f"F.embedding_bag({BAG}, {W}, {STARTS}, mode='sum')", f"F.embedding_bag({BAG}, {W}, {STARTS})", f"!F.embedding_bag({BAG}, {W}, {STARTS}, mode='max')", f"F.embedding_bag({BAG}[:6].reshape(2, 3), {W})", f"F.embedding_bag({BAG}, {W}, torch.tensor([0, 0, 7]))",
        f"F.embedding_bag({BAG}[:3], {W}, torch.tensor([0, 1]), mode='sum', per_sample_weights=v)", f"!F.embedding_bag({BAG}, {W}, {STARTS}, padding_idx=2)", f"!F.embedding_bag({BAG}, {W}, {STARTS}, padding_idx=-1, mode='sum')",
        f"!F.embedding_bag({BAG}, {W}, {STARTS}, scale_grad_by_freq=True, mode='sum')", f"F.embedding_bag({BAG}, {W}, torch.tensor([0, 3, 7]), include_last_offset=True)", f"!F.embedding_bag({BAG}.int(), d, torch.tensor([0]).int())",
        f"!F.embedding_bag({BAG}, {W})", f"!F.embedding_bag({BAG}.reshape(1, 7), {W}, {STARTS})", f"!F.embedding_bag({BAG}.reshape(1, 1, 7), {W})", f"!F.embedding_bag({BAG}, {W}, {STARTS}, mode='min')", f"!F.embedding_bag({BAG}, m, {STARTS})",
        f"!F.embedding_bag({BAG}, {W}, {STARTS}, per_sample_weights=torch.ones(7))", f"!F.embedding_bag({BAG}, {W}, {STARTS}, mode='sum', per_sample_weights=v)", f"!F.embedding_bag({BAG}, {W}, {STARTS}[:1] + 1)", f"!F.embedding_bag({BAG}, {W}, {STARTS} * 9)",
        f"!F.embedding_bag({BAG}, {W}, {STARTS}, padding_idx=12)", f"!F.embedding_bag({BAG}, {W}, {STARTS}, mode='max', scale_grad_by_freq=True)", f"!F.embedding_bag({BAG} / 1, {W}, {STARTS})", f"!F.embedding_bag({BAG}, {W}, {STARTS}[None])",
        f"F.embedding_bag(torch.tensor([], dtype=torch.long), {W}, torch.tensor([0, 0]))", f"!F.embedding_bag({BAG}[:6].reshape(2, 3), {W}, padding_idx=4)",
    ],
    "index_reduce": [
        *[f"m.index_reduce(0, {K}, sq, {how!r})" for how in ("prod", "mean", "amax", "amin")], *[f"m.index_reduce(0, {K}, sq, {how!r}, include_self=False)" for how in ("prod", "mean", "amax", "amin")],
        f"torch.index_reduce(m, 1, {K}, n, 'prod')", f"!d.index_reduce(1, {K}, d * 2, 'mean')", f"nt.index_reduce(0, {P}, m, 'amax')", f"t3.index_reduce(-1, {K}, t3 * 2, 'mean')", f"v.index_reduce(0, {P}, w[:2], 'prod')",
        f"!m.index_reduce(0, {P}, m, 'amax')", f"!m.index_reduce(0, {P}, zeros, 'prod')", f"!torch.zeros(1, 3).index_reduce(0, {P} * 0, zeros, 'prod')", f"!r.index_reduce(0, {P} * 0, zeros * 0 + m * 0, 'prod')", f"im.index_reduce(0, {P}, im, 'mean')", f"im.index_reduce(1, {K}, im * 2, 'amin', include_self=False)",
        f"!m.index_reduce(0, {K}, sq, 'sum')", f"!m.index_reduce(0, {P}, sq, 'prod')", f"!m.index_reduce(0, {K}.float(), sq, 'prod')", f"!m.index_reduce(0, {K}, sq.double(), 'prod')", f"!m.index_reduce(2, {K}, sq, 'prod')", f"!m.index_reduce(0, {K} + 5, sq, 'prod')",
        f"!m.index_reduce(0, {K} - 1, sq, 'prod')", f"!m.index_reduce(0, {K}, sq[:, :2], 'prod')", f"!m.index_reduce(0, {K}[None], sq, 'prod')", "s.index_reduce(0, torch.tensor(0), q, 'prod')", "!s.index_reduce(0, torch.tensor([0]), one, 'prod')",
        "!b.index_reduce(0, torch.tensor([0]), b[:1], 'amax')", f"(m * 1).index_reduce_(0, {K}, sq, 'mean')", f"!m.index_reduce_(0, {K}, sq, 'mean')", f"m.index_reduce(0, {K}.int(), sq, 'amin')",
    ],
}  # fmt: skip
# torch has no second derivative of these.
for _row in ("_pdist_forward", "_cdist_forward", "_embedding_bag"):
    SAMPLES[_row] = ["!" + sample.lstrip("!") for sample in SAMPLES[_row]]

HELPERS = {
    **{f"{row}_backward": row for row in ("upsample_nearest1d", "upsample_nearest2d", "_upsample_nearest_exact1d",
                                          "_upsample_nearest_exact2d", "upsample_linear1d", "upsample_bilinear2d")},
    "_pdist_backward": "_pdist_forward", "_cdist_backward": "_cdist_forward", "_embedding_bag_backward": "_embedding_bag",
    "_embedding_bag_per_sample_weights_backward": "_embedding_bag", "no_further": "index_reduce",
}  # fmt: skip
