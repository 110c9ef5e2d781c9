"""Samples of measures of samples and curves, and of the gamma function and its kin."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {
    "lgamma": ["torch.lgamma(pos)", "torch.lgamma(pv)", "torch.lgamma(m)", "torch.lgamma(s)", "torch.lgamma(nt)", "torch.lgamma(dp)", "torch.lgamma(t3)", "!torch.lgamma(i)", "!torch.lgamma(e)", "~torch.lgamma(zeros)", "!torch.lgamma(half.detach())", "!torch.lgamma(b)", "pos.lgamma()", "(pos * 1).lgamma_()"],
    "digamma": ["torch.digamma(pos)", "torch.digamma(pv)", "torch.digamma(m)", "torch.digamma(s)", "torch.digamma(nt)", "torch.digamma(dp)", "torch.digamma(t3)", "!torch.digamma(i.abs())", "!torch.digamma(e)", "!torch.digamma(b)", "pos.digamma()", "(pos * 1).digamma_()"],
    "_polygamma": ["torch.polygamma(1, pos)", "torch.polygamma(1, m)", "torch.polygamma(0, pv)", "torch.polygamma(2, pos)", "torch.polygamma(3, dp)", "torch.polygamma(1, s)", "torch.polygamma(1, nt)", "pos.polygamma(1)", "!torch.polygamma(-1, pos)", "!torch.polygamma(1, i.abs())", "!torch.polygamma(2, e)"],
    "erfinv": ["torch.erfinv(unit)", "torch.erfinv(uv)", "torch.erfinv(us)", "torch.erfinv(prob)", "torch.erfinv(prob.t())", "torch.erfinv(uv.double())", "!torch.erfinv(i)", "!torch.erfinv(e)", "!torch.erfinv(b)", "unit.erfinv()", "(unit * 1).erfinv_()", "!torch.erfinv(torch.tensor([1.0, -1.0, 2.0, nan]))"],
    "ldexp": ["torch.ldexp(m, n)", "torch.ldexp(v, i1)", "torch.ldexp(v, w)", "torch.ldexp(m, v)", "torch.ldexp(s, q)", "torch.ldexp(nt, n)", "torch.ldexp(d, dv)", "!torch.ldexp(v, h)", "!torch.ldexp(v, b)", "torch.ldexp(v, dv)", "v.ldexp(w)", "!torch.ldexp(v, m[:, :2])"],
    "gcd": ["!torch.gcd(i, i1)", "!torch.gcd(i, k)", "!torch.gcd(im, i)", "!torch.gcd(i0, i)", "!torch.gcd(u, i)", "!torch.gcd(v, w)", "!torch.gcd(b, b)", "!torch.gcd(im, i1[:2])", "!i.gcd(i1)", "!i.clone().gcd_(i1)"],
    "lcm": ["!torch.lcm(i, i1)", "!torch.lcm(i, k)", "!torch.lcm(im, i)", "!torch.lcm(i0, i)", "!torch.lcm(u, u)", "!torch.lcm(v, w)", "!torch.lcm(b, b)", "!torch.lcm(im, i1[:2])", "!i.lcm(i1)", "!i.clone().lcm_(i1)"],
    "histc": ["!torch.histc(v, 4)", "!torch.histc(m, 3, -1, 1)", "!torch.histc(t3, 5)", "!torch.histc(tie, 2, 1, 3)", "!torch.histc(e, 4)", "!torch.histc(wild, 4)", "!torch.histc(v, 0)", "!torch.histc(v, 4, 2, 1)", "!torch.histc(d, 4)", "!torch.histc(i, 4)", "!torch.histc(b, 4)", "!v.histc(2)"],
    "bincount": ["!torch.bincount(i.abs())", "!torch.bincount(i1)", "!torch.bincount(u)", "!torch.bincount(i)", "!torch.bincount(im)", "!torch.bincount(v)", "!torch.bincount(b)", "!torch.bincount(i1, v.detach())", "!torch.bincount(i1, v[:2])", "!torch.bincount(i1, minlength=9)", "!torch.bincount(i1, minlength=-1)", "!torch.bincount(i1[:0])", "!i1.bincount()"],
    "block_diag": ["torch.block_diag(m, n)", "torch.block_diag(m, v, s)", "torch.block_diag(sq)", "torch.block_diag(nt, m)", "torch.block_diag(v, w)", "torch.block_diag(m, d)", "torch.block_diag(s, q)", "!torch.block_diag(m, im)", "!torch.block_diag(t3)", "!torch.block_diag(e, m)", "!torch.block_diag(im, bm)", "!torch.block_diag()"],
    "cumsum": ["torch.cumulative_trapezoid(m)", "torch.cumulative_trapezoid(m, v)", "torch.cumulative_trapezoid(m, dx=0.5, dim=0)", "!torch.cumulative_trapezoid(s)", "!torch.cumulative_trapezoid(b)"],
    "_sum_dim": ["torch.trapezoid(v)", "torch.trapezoid(m, v)", "torch.trapezoid(m, n)", "torch.trapezoid(m, dx=0.5, dim=0)", "!torch.trapezoid(s)", "!torch.trapezoid(b)", "!torch.trapezoid(m, v[:2])", "!torch.trapezoid(e)", "!torch.trapezoid(i)"],
    "mm": ["torch.cov(m)", "torch.cov(v)", "torch.cov(t3[0].t(), correction=0)", "!torch.cov(t3)", "!torch.cov(bm)", "!torch.cov(im)", "!torch.corrcoef(m.detach())", "~torch.corrcoef(t3[0].t())", "!torch.corrcoef(v.detach())", "!torch.corrcoef(t3)"],
    "cumprod": ["!torch.vander(v)", "!torch.vander(v, 4, True)", "!torch.vander(i)", "!torch.vander(m)", "!torch.vander(v, -1)"],
    "masked_select": ["torch.combinations(v)", "torch.combinations(v, 3)", "torch.combinations(v, 2, True)", "!torch.combinations(m)", "!torch.combinations(v, -1)", "!torch.combinations(v, 0)"],
    "stack": ["torch.cartesian_prod(v, w)", "torch.cartesian_prod(v)", "!torch.cartesian_prod(v, m)", "!torch.cartesian_prod(v, i)"],
    "_sort": [
        "torch.quantile(v, 0.3)", "torch.quantile(m, 0.3, 1)", "torch.quantile(m, torch.tensor([0.2, 0.7]), 0)", "torch.quantile(m, 0.3, 1, keepdim=True)", "torch.quantile(m, 0.3, interpolation='midpoint')", "torch.quantile(m, 0.3, 0, interpolation='nearest')", "torch.quantile(m, 0.3, keepdim=True)",
        "!torch.quantile(wild, 0.5)", "!torch.nanquantile(wild[:1], 0.5)", "!torch.quantile(i, 0.5)", "!torch.quantile(v, 1.5)", "!torch.quantile(e, 0.5)", "!torch.quantile(v, dv.detach())", "torch.nanquantile(m, 0.6, 1)", "!torch.quantile(v, 0.5, 3)", "!torch.quantile(v, 0.5, interpolation='x')",
    ],
    "as_strided": ["!(m * 1).fill_diagonal_(2.0)", "!(m * 1).t().fill_diagonal_(2.0, wrap=True)", "!(v * 1).fill_diagonal_(1)", "!(t3 * 1).fill_diagonal_(1)", "!(c * 1).repeat(3, 2).fill_diagonal_(0, True)", "!im.clone().fill_diagonal_(7)"],
}  # fmt: skip
