"""Samples of losses of margins and likelihoods, and of root-mean-square normalisation."""

from __future__ import annotations

KINDS = ("", ", reduction='sum'", ", reduction='none'")
T, SIGNS = "torch.tensor([2, 0])", "torch.tensor([[1., -1., 1.], [-1., 1., 1.]])"

# rows that only derivatives use
HELPERS = {"soft_margin_loss_backward": "soft_margin_loss", "multi_margin_loss_backward": "multi_margin_loss"}
SAMPLES: dict[str, list[str]] = {
    "soft_margin_loss": [
        *(f"F.soft_margin_loss(m, {SIGNS}{kind})" for kind in KINDS), "!F.soft_margin_loss(nt, n.detach())", "F.soft_margin_loss(d, torch.tensor([1, -1, 1]))", "F.soft_margin_loss(v, torch.tensor(-1))", "!F.soft_margin_loss(v, w)", "!F.soft_margin_loss(v, m.detach())",
        "!F.soft_margin_loss(i, i)", "!F.soft_margin_loss(b, b)", "!F.soft_margin_loss(e, e.detach())", "!F.soft_margin_loss(v, dv.detach())", "!F.soft_margin_loss(m, n.detach(), reduction='no')", "!torch.nn.SoftMarginLoss()(v, w.detach())",
    ],
    "multi_margin_loss": [
        *(f"F.multi_margin_loss(m, {T}{kind})" for kind in KINDS), *(f"F.multi_margin_loss(m, {T}, p=2, margin=0.5, weight=v.detach().abs(){kind})" for kind in KINDS), "F.multi_margin_loss(v, torch.tensor(1))", "F.multi_margin_loss(v, torch.tensor([1]), reduction='none')",
        f"F.multi_margin_loss(d, {T})", f"F.multi_margin_loss(nt, {T})", f"!F.multi_margin_loss(im, {T})", f"!F.multi_margin_loss(m, {T} + 5)", "!F.multi_margin_loss(m, torch.tensor([1]))", f"!F.multi_margin_loss(t3, {T})", f"!F.multi_margin_loss(m, {T}, p=3)",
        f"!F.multi_margin_loss(m, {T}, weight=w.detach()[:2])", "!F.multi_margin_loss(m, torch.tensor([1., 0.]))", f"torch.nn.MultiMarginLoss()(m, {T})",
    ],
    "clamp_min": [
        *(f"F.hinge_embedding_loss(m, {SIGNS}{kind})" for kind in KINDS), "F.hinge_embedding_loss(m, n)", "!F.hinge_embedding_loss(i, i1)", "!F.hinge_embedding_loss(b, v)", f"torch.nn.HingeEmbeddingLoss(0.5)(m, {SIGNS})",
        *(f"F.margin_ranking_loss(m, n, {SIGNS}, 0.3{kind})" for kind in KINDS), "!F.margin_ranking_loss(m, v, n)", "!F.margin_ranking_loss(b, b, b)", f"torch.nn.MarginRankingLoss()(m, n, {SIGNS})",
        *(f"F.triplet_margin_loss(m, n, m * 2{kind})" for kind in KINDS), "F.triplet_margin_loss(m, n, m * 2, swap=True, margin=5.0)", "F.triplet_margin_loss(m, n, m * 2, p=1)", "!F.triplet_margin_loss(m, n, v)", "!F.triplet_margin_loss(m, n, m, margin=-1)", "torch.nn.TripletMarginLoss()(m, n, m + 1)",
        *(f"F.cosine_embedding_loss(m, n, torch.tensor([1, -1]){kind})" for kind in KINDS), "F.cosine_embedding_loss(v, w, torch.tensor(-1), margin=-0.9)", "!F.cosine_embedding_loss(v, w, v)", "!F.cosine_embedding_loss(m, n, torch.tensor(1))", "!F.cosine_embedding_loss(m, n, m)",
        "torch.nn.CosineEmbeddingLoss()(m, n, torch.tensor([1, -1]))",
    ],
    "log": [
        *(f"F.poisson_nll_loss(m, pos{kind})" for kind in KINDS), "F.poisson_nll_loss(pos, pos * 2, log_input=False)", "F.poisson_nll_loss(m, pos * 3, full=True)", "!F.poisson_nll_loss(i, i1)", "torch.nn.PoissonNLLLoss()(m, pos)", "!F.poisson_nll_loss(m, n, reduction='no')",
        *(f"!F.gaussian_nll_loss(m, n, pos.detach(){kind})" for kind in KINDS), "!F.gaussian_nll_loss(m, n, pos.detach()[:, 0], full=True)", "F.gaussian_nll_loss(m, n, 0.5)", "!F.gaussian_nll_loss(m, n, pos[0])", "!F.gaussian_nll_loss(m, n, -pos)", "!F.gaussian_nll_loss(m, n, pos, reduction='no')",
        "!torch.nn.GaussianNLLLoss()(m, n, pos.detach())",
    ],
    "rsqrt": [
        "F.rms_norm(m, (3,))", "F.rms_norm(m, (3,), v)", "F.rms_norm(t3, (2, 3), eps=0.1)", "F.rms_norm(d, (3,))", "!F.rms_norm(h, (3,))", "!F.rms_norm(im, (3,))", "!F.rms_norm(m, (2,))", "!F.rms_norm(m, ())", "!F.rms_norm(m, (3,), v[:2])", "F.rms_norm(m, (3,), dv)",
    ],
}  # fmt: skip
SAMPLES["multi_margin_loss"] = ["!" + text.lstrip("!") for text in SAMPLES["multi_margin_loss"]]    # torch has no second derivative
