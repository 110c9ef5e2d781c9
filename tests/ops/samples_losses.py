"""Samples of losses and distances beside those of `samples_activation`: mixed dtypes, and what they refuse first."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {}
KINDS = ("", ", reduction='sum'", ", reduction='none'")

SAMPLES["_norm_along"] = [
    "F.pairwise_distance(m, n)", "F.pairwise_distance(v, w)", "F.pairwise_distance(s, q)", "F.pairwise_distance(m, n, p=1)", "F.pairwise_distance(m, n, p=3)", "F.pairwise_distance(m, n, p=inf)", "F.pairwise_distance(m, n, keepdim=True)",
    "!F.pairwise_distance(nt, m)", "F.pairwise_distance(nt, n)", "F.pairwise_distance(d, dv)", "F.pairwise_distance(t3, m)", "F.pairwise_distance(m, n, eps=0)", "!F.pairwise_distance(tie, tie)", "!F.pairwise_distance(i, k)", "!F.pairwise_distance(i, b)", "!F.pairwise_distance(m, v[:2])",
]  # fmt: skip
SAMPLES["huber_loss"] = [
    *(f"!F.huber_loss(d, d.float().detach() * 2{kind})" for kind in KINDS), "!F.huber_loss(h, v)", "!F.huber_loss(v, h)", "!F.huber_loss(v, i)", "!F.huber_loss(i, i1)", "!F.huber_loss(i, k)", "!F.huber_loss(i, v)", "!F.huber_loss(b, v)", "!F.huber_loss(wild, wild)",
    "!F.huber_loss(i, i, delta=-1)",
]  # fmt: skip
SAMPLES["smooth_l1_loss"] = ["!F.smooth_l1_loss(i, i1)", "!F.smooth_l1_loss(b, b)", "!F.smooth_l1_loss(wild, wild)", "!F.smooth_l1_loss(h.float(), v)", "!F.smooth_l1_loss(b, i, beta=0)"]
SAMPLES["nll_loss_forward"] = [
    "!F.nll_loss(v, torch.tensor([0, 1]))", "!F.nll_loss(im, torch.tensor([0, 1]))", "!F.nll_loss(im, torch.tensor([0, 9]))", "!F.nll_loss(m, torch.tensor(1))", "!F.nll_loss(v, w)", "!F.nll_loss(bm, torch.tensor([0, 1]))", "!F.cross_entropy(im, torch.tensor([0, 1]))",
    "!F.nll_loss(m, torch.tensor([0, 1]), weight=dv.detach())", "!F.cross_entropy(i0, i0)", "!F.cross_entropy(s, s)", "!F.cross_entropy(s, torch.tensor([1]))", "!F.cross_entropy(e, e)",
]  # fmt: skip
SAMPLES["nll_loss2d_forward"] = ["!F.nll_loss(t3.long(), torch.tensor([[0, 1, 1], [1, 0, 0]]))", "!F.cross_entropy(t3.long(), torch.tensor([[0, 1, 1], [1, 0, 0]]))"]
SAMPLES["binary_cross_entropy"] = [
    "!F.binary_cross_entropy(i, i)", "!F.binary_cross_entropy(b, b)", "!F.binary_cross_entropy(i, k)", "!F.binary_cross_entropy(m, d)", "!F.binary_cross_entropy(prob, m)", "!F.binary_cross_entropy(m, n)", "!F.binary_cross_entropy(prob, prob, weight=d.detach())",
]  # fmt: skip
SAMPLES["binary_cross_entropy_with_logits"] = [
    "!F.binary_cross_entropy_with_logits(i, v)", "!F.binary_cross_entropy_with_logits(v, i)", "!F.binary_cross_entropy_with_logits(v, b)", "!F.binary_cross_entropy_with_logits(b, b)", "~F.binary_cross_entropy_with_logits(v, dv)", "F.binary_cross_entropy_with_logits(dv, v)",
    "!F.binary_cross_entropy_with_logits(c, c, pos_weight=v.detach())", "!F.binary_cross_entropy_with_logits(c, c, weight=v.detach())", "!F.binary_cross_entropy_with_logits(v, w, weight=c.detach()[:, 0])", "!F.binary_cross_entropy_with_logits(v, w, pos_weight=b)",
]  # fmt: skip
SAMPLES["xlogy"] = ["!F.kl_div(m, im)", "!F.kl_div(im, m, reduction='sum')", "!F.kl_div(b, b, reduction='none')", "!F.kl_div(i, c, reduction='sum')"]
SAMPLES["linalg_vector_norm"] = ["!F.cosine_similarity(i, i1, 0)", "F.cosine_similarity(v, i, 0)", "!F.cosine_similarity(i, b, 0)", "!F.cosine_similarity(v, w)", "!F.cosine_similarity(i, c)", "F.cosine_similarity(im, m)", "!F.cosine_similarity(i, s)"]
SAMPLES["dist"] = ["!torch.dist(i, k)", "!torch.dist(b, v)", "!torch.dist(b, b)"]
