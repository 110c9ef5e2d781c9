"""Samples of what operations refuse, and which of several wrongs they name: dtypes, dimensions, sizes, in torch's order.

Found by random programs over the whole table; each line is one mechanism.
"""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {
    # activations and softmax: the dimension before the dtype, the kernel named by where the dimension stands
    "_softmax": ["!torch.softmax(im, 0)", "!torch.softmax(im, 1)", "!torch.softmax(im, 2)", "!torch.softmax(im[:0], 0)", "!torch.softmax(i0, 0)", "!F.softmin(im, 0)"],
    "_log_softmax": ["!torch.log_softmax(im, 0)", "!torch.log_softmax(bm, 1)", "!torch.log_softmax(im, 2)", "!torch.log_softmax(im[:0], 0)", "!torch.log_softmax(i0, 1)"],
    "threshold": ["!F.threshold(b, 0, 0)"],
    "hardsigmoid": ["!F.hardsigmoid(i)"],
    "softshrink": ["!F.softshrink(i)"],
    "hardtanh": ["!F.hardtanh(u)", "!F.hardtanh(u, 0, 1)"],
    "prelu_kernel": ["!F.prelu(b, one)", "!F.prelu(m, dv)", "!F.prelu(im, i1)", "!F.prelu(r, r)", "!F.prelu(s, i)"],
    # convolution and pooling: steps, borders and kernels that no window can take
    "convolution": [
        "!F.conv2d(t3[None, :1], t3[None, :1, :1, :1], stride=0)", "!F.conv2d(t3[None, :1], t3[None, :1, :1, :1], dilation=0)", "!F.conv2d(t3[None, :1], t3[None, :1, :1, :1], padding=-1)", "!F.conv1d(t3, m)",
        "!F.conv2d(t3[None], t3)", "!F.conv1d(t3, t3[:, :, :2].mT, stride=0, groups=0)", "!F.conv_transpose2d(t3[None, :1], t3[None, :1, :1, :1], output_padding=1)", "!F.conv_transpose1d(t3, t3.mT[:2], stride=2, output_padding=3)",
        "!F.conv_transpose2d(t3[None, :1], t3[None, :1, :1, :1], dilation=0)", "!F.conv_transpose2d(t3[None, :1], t3[None, :1, :1, :1], output_padding=-1)", "!F.conv_transpose2d(t3[None, :1], t3[None, :1, :1, :1], padding=-1)",
    ],
    "max_pool2d_with_indices": [
        "!F.max_pool2d(t3, 0)", "!F.max_pool2d(t3, 2, 0)", "!F.max_pool2d(t3, 0, 1)", "!F.max_pool2d(t3, 2, -1)", "!F.max_pool2d(t3, -1)", "!F.max_pool2d(t3, 2, dilation=0)", "!F.max_pool2d(t3, 2, 1, -1)", "!F.max_pool2d(t3, ())", "!F.max_pool2d(t3, 2, (1, 1, 1))",
        "!F.max_pool2d(t3, 2, 2, 1, (1, 1, 1))",
        "!F.max_pool1d(v, 2)", "!F.max_pool1d(s, 2)", "!F.max_pool1d(im, 2)", "!F.max_pool1d(im, 4)", "!F.max_pool1d(m, 2, 0)", "!F.max_pool1d(m, 2, padding=2)", "!F.max_pool1d(m, 2, dilation=0)", "!F.max_pool1d(e23, 2)",
        "!F.max_pool1d(im, 2, return_indices=True)", "!F.max_pool1d(v, 2, return_indices=True)", "!F.max_pool1d(m.detach(), 2)", "!F.max_pool1d(t3.detach(), 2)", "!F.max_pool2d(t3 > 0, 2)", "!F.max_pool2d(e23, 2)",
    ],
    "avg_pool2d": ["!F.avg_pool2d(t3, 0)", "!F.avg_pool2d(t3, 2, 0)", "!F.avg_pool2d(t3, 2, padding=-1)", "!F.avg_pool1d(m, -1)", "!F.avg_pool2d(t3, (2, 2, 2))", "!F.avg_pool2d(t3, 2, padding=(1, 1, 1))",
                   "!F.avg_pool1d(v, 2)", "!F.avg_pool1d(s, 2)", "!F.avg_pool1d(im, 2)", "!F.avg_pool1d(im, 2, 1, 1)", "!F.avg_pool1d(bm, 2)", "!F.avg_pool1d(bm, 4)", "!F.avg_pool1d(e23, 2)", "!F.avg_pool2d(s, 2)", "!F.avg_pool2d(e23, 2)", "!F.avg_pool1d(t3[None], 2)"],
    "_adaptive_avg_pool2d": ["!F.adaptive_avg_pool1d(v, 2)", "!F.adaptive_avg_pool1d(im, 2)", "!F.adaptive_avg_pool1d(im, 1)", "F.adaptive_avg_pool1d(m, 1)", "!F.adaptive_avg_pool1d(e23.transpose(1, 2), 2)", "!F.adaptive_avg_pool1d(m, -1)", "!F.adaptive_avg_pool2d(v, (2, 2))",
                             "!F.adaptive_avg_pool2d(v, 2)", "!F.adaptive_avg_pool2d(t3[None], (2, 2, 2))", "!F.adaptive_avg_pool2d(t3, (0, 0))", "!F.adaptive_avg_pool2d(t3, ())"],
    # normalisation
    "native_layer_norm": ["!F.layer_norm(im, (3,))", "!F.layer_norm(im, (3,), v)", "!F.layer_norm(m, (3,), i)", "!F.layer_norm(d, (3,), v)", "!F.layer_norm(m, (3,), v, h)", "!F.layer_norm(e, (0,))", "!F.layer_norm(im[:0], (3,))", "!F.layer_norm(h, (3,), v)"],
    "native_batch_norm": [
        "!F.batch_norm(im, None, None, training=True)", "!F.batch_norm(v, None, None, training=True)", "!F.batch_norm(s, None, None, training=True)", "!F.batch_norm(m, None, None, i, training=True)", "!F.batch_norm(d, None, None, v, training=True)",
        "!F.batch_norm(e23, None, None, training=True)", "!F.batch_norm(m[:0], None, None, v, w, training=True)", "!F.batch_norm(im[:0], None, None, training=True)", "!F.batch_norm(m[:0], None, None, v[:0], training=True)", "!F.batch_norm(v, None, None, v, training=True)",
    ],
    "native_group_norm": ["!F.group_norm(im, 1)", "!F.group_norm(m, 1, v[:2])", "!F.group_norm(m, 1, v, w[:2])", "!F.group_norm(m, -1)", "!F.group_norm(m[:1, :1], 1)", "!F.group_norm(d, 1, v)", "!F.group_norm(m[:0], 1)"],
    "embedding": ["!F.embedding(b, m)", "!F.embedding(i, i0)", "!F.embedding(i, s)", "!F.embedding(i1, v)", "!F.embedding(i, m[:, :0])", "!F.embedding(u, m)"],
    # products of matrices
    "addmm": ["!torch.addmm(m, m, v.double())", "!torch.addmm(m, d, sq)", "!torch.addmm(m, m, m)", "!torch.addmm(m, m, v)", "F.linear(v, sq, w)", "!F.linear(v, w, one)", "!F.linear(t3, v, w)", "F.linear(t3, sq, r)", "!F.linear(m, v, s)", "!F.linear(t3, sq, v[:2])"],
    "mm": ["!torch.mm(bm[:0], bm.t())", "!torch.mm(bm[:, :0], bm.t()[:0])", "!torch.mm(bm, bm.t())", "!F.linear(s, s)", "!F.linear(s, t3)", "!torch.tensordot(b, h, 1)", "!torch.tensordot(u[None].t(), u[None], 1)", "!torch.tensordot(v, i, 0)", "!torch.inner(v, i)"],
    "mv": ["!torch.mv(s, v)", "!torch.mv(bm[:, :0], b[:0])"],
    "bmm": ["!torch.bmm(t3 > 0, t3.transpose(1, 2))", "!torch.bmm(t3, t3.transpose(1, 2) > 0)", "!torch.bmm(im[None, :, :0], m.t()[None, :0])", "!torch.einsum('...i,...i->...', nt[:, :2], t3[:, :, :2].transpose(1, 2))", "!torch.einsum('i,i->', b, h)"],
    "baddbmm": ["!torch.baddbmm(m, m, v)", "!torch.baddbmm(m, s, s)", "!torch.baddbmm(m, t3, s)", "!torch.baddbmm(t3, m, t3)", "!torch.baddbmm(v, t3, t3.transpose(1, 2).double())", "!torch.baddbmm(i, t3, t3.transpose(1, 2))"],
    "addbmm": ["!torch.addbmm(m, m, v)", "!torch.addbmm(s, t3, t3.transpose(1, 2).double())", "!torch.addbmm(m, t3, s)"],
    "linalg_cross": ["!torch.cross(b, b, 0)", "!torch.cross(b, v, 0)", "!torch.cross(v, dv, 0)", "!torch.cross(i, k, 0)", "!torch.cross(m[:, :2], v)", "torch.cross(m, m * 1.5, 1)", "!torch.cross(v, m)"],
    "_unsafe_view": ["torch.chain_matmul(m, sq)", "torch.chain_matmul(m, sq, n.t())", "!torch.chain_matmul(v, w)", "!torch.chain_matmul(m, n)", "!torch.chain_matmul(m, d.t())", "!torch.linalg.multi_dot([v, v[:2]])", "!torch.linalg.multi_dot([m, d.t()])", "!torch.linalg.multi_dot([t3, im])"],
    "linalg_solve_ex": ["!torch.linalg.solve(im, m)", "!torch.linalg.solve(sq, i)", "!torch.linalg.solve(v, v)", "!torch.linalg.solve(m, v)", "!torch.linalg.solve(sq, s)", "!torch.linalg.solve(h.diag(), h)", "!torch.linalg.solve(torch.tensor([[nan, 1.0], [1.0, 3.0]]), torch.ones(2))", "!torch.linalg.solve(torch.tensor([[nan, 1.0], [1.0, 3.0]]), torch.ones(2, 2), left=False)"],
    "linalg_qr": ["!torch.linalg.qr(h[None])"],
    "linalg_svd": ["!torch.linalg.svd(h[None])", "!torch.linalg.svd(torch.tensor([[nan, 1.0]]))", "!torch.linalg.svd(torch.tensor([[[1.0, 1.0]], [[nan, 1.0]]]))"],
    "linalg_cholesky_ex": ["!torch.linalg.cholesky(h.diag())", "!torch.linalg.cholesky(torch.full((3, 3), nan))", "!torch.linalg.cholesky(torch.tensor([[[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.0], [nan, 1.0]]]))", "!torch.linalg.cholesky(torch.tensor([[1.0, 2.0], [0.0, nan]]), upper=True)"],
    "linalg_eigh": ["!torch.linalg.eigh(torch.full((3, 3), nan))", "!torch.linalg.eigvalsh(torch.full((4, 4), nan))", "!torch.linalg.eigh(torch.stack([torch.eye(4), torch.full((4, 4), nan)]))", "!torch.linalg.eigh(sq, 'Q')", "!torch.linalg.eigvalsh(sq, '')"],
    "linalg_inv_ex": ["!torch.linalg.inv(torch.tensor([[nan, 1.0], [1.0, 3.0]]))", "!torch.linalg.inv(torch.tensor([[[3.0, 1.0], [1.0, nan]], [[2.0, 0.0], [0.0, 4.0]]]))"],
    "linalg_det": ["!torch.linalg.det(h.diag())"],
    # reductions
    "_mean_dim": ["!torch.mean(im, 5)", "!torch.mean(i, (0, 0))", "!torch.mean(im, 5, dtype=torch.float32)"],
    "_nansum": ["!torch.nanmean(i)", "!torch.nanmean(bm, 5)", "!torch.nanmean(i, dtype=torch.float32)"],
    "topk": ["!torch.topk(b, 1)", "!torch.topk(b, 7)"],
    "kthvalue": ["!torch.kthvalue(b, 1)", "!torch.kthvalue(b0, 1)", "!torch.kthvalue(b, 7)"],
    "_median": ["!torch.median(b)", "!torch.median(u[:0])", "!torch.median(k[:0])", "!torch.median(sh[:0])"],
    "_median_dim": ["!torch.median(b, 0)", "!torch.median(b0, 0)", "!torch.median(bm, 5)"],
    "_nanmedian": ["!torch.nanmedian(b)"],
    "_nanmedian_dim": ["!torch.nanmedian(bm, 1)"],
    "mode": ["!torch.mode(e)", "!torch.mode(wild)", "!torch.mode(torch.tensor([nan, 1.0, nan]))", "!torch.mode(torch.tensor([3.0, 2.0, nan, 1.0, 1.0, nan]))", "!torch.mode(torch.tensor([2.0, nan, 1.0, nan]))"],
    "amax": ["!torch.amax(e23, -2)", "!torch.amax(e23, (0, -2))"],
    "amin": ["!torch.amin(e23, (-2, 7))"],
    "aminmax": ["!torch.aminmax(s, dim=2)", "!torch.aminmax(e23, dim=0)", "!torch.aminmax(e23, dim=1)"],
    "cumsum": ["!(bm * bm).cumsum_(0)", "!(b & b).cumsum(0, dtype=torch.bool)", "!(b0 & b0).cumsum_(0)", "!(bm & bm)[:0].cumsum_(0)", "!(k * 1).cumsum_(0)"],
    "cumprod": ["!(bm & bm).cumprod_(0)"],
    "cummax": ["!torch.cummax(e23, 7)", "!torch.cummax(s, 1)", "!torch.cummax(v, 1)"],
    "cummin": ["!torch.cummin(s, -2)"],
    "logcumsumexp": ["!torch.logcumsumexp(i, 0)", "!torch.logcumsumexp(i, 4)", "!torch.logcumsumexp(i0, 0)"],
    "_var_mean": ["!torch.var_mean(torch.tensor([1.0, inf]))", "!torch.var_mean(torch.tensor([inf, 1.0]))", "!torch.var_mean(torch.tensor([[1.0, inf], [-inf, 2.0]]), 0)"],
}  # fmt: skip
