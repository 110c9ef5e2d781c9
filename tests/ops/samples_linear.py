"""Samples of the products of vectors and matrices."""

from __future__ import annotations

EMPTY = "torch.ones(0, 3, requires_grad=True)"
LARGE = "torch.ones(2, 4, 3, requires_grad=True)"

SAMPLES: dict[str, list[str]] = {
    "mm": [
        "m @ sq", "m @ nt.t()", "torch.mm(m, sq)", "m.mm(m.t())", "m.t() @ m", "sq @ sq", f"{EMPTY} @ sq", f"m @ {EMPTY}.t()", "d @ d.t()", "!m @ m", "!m @ d.t()",
        "!im @ im.t()", "!torch.mm(m, v)", "!torch.mm(v, m)", "!torch.mm(m, 2)", "!m @ 2", "!m @ im.t()", "!bm @ bm.t()", "!h[None] @ h[:, None]", "m.matmul(sq)",
        "torch.matmul(m, other=sq)", "v @ sq", "t3 @ sq", "m @ t3.transpose(1, 2)", "sq.t() @ sq.t()", "torch.inner(m, n)", "torch.tensordot(m, n, ([0], [0]))",
        "torch.tensordot(v, w, 0)", "!torch.tensordot(m, n, 1)", "torch.linalg.multi_dot([m, sq, sq])", "torch.linalg.matrix_power(sq, 3)", "F.linear(m, n)", "m @ c.new_ones(3, 1)",
        "!torch.mm(m, sq, out=torch.zeros(2, 3))", "nt @ sq", "s * m @ sq",
    ],
    "mv": [
        "m @ v", "sq @ w", "torch.mv(m, v)", "m.mv(v)", "nt @ w", "d @ dv", f"{EMPTY} @ v", "!m @ torch.ones(2)", "!torch.mv(m, m)", "!torch.mv(v, v)", "!m @ dv", "!im @ i",
        "t3 @ v", "v @ t3.transpose(1, 2)", "F.linear(m, v)", "m[:, ::2] @ v[::2]", "torch.einsum('i,ij,j', v, sq, w)",
    ],
    "dot": [
        "v @ w", "torch.dot(v, w)", "v.dot(w)", "dv @ dv", "!v @ torch.ones(2)", "!torch.dot(m, m)", "!torch.dot(v, dv)", "!i @ i1", "!e @ e", "v[::2].dot(w[1:])", "!b @ b",
        "torch.inner(v, w)", "torch.tensordot(v, w, 1)", "torch.tensordot(m, n, 2)", "v.dot(v)", "!torch.dot(v, 1)", "one @ one",
    ],
    "vdot": [
        "torch.vdot(v, w)", "v.vdot(w)", "torch.vdot(dv, dp)", "!torch.vdot(m, m)", "!torch.vdot(v, torch.ones(2))", "!torch.vdot(i, i1)", "torch.vdot(v[::2], w[:2])",
        "torch.vdot(one, one)", "!torch.vdot(e, e)", "torch.vdot(v, v)", "!torch.vdot(v, dv)", "torch.vdot(pv, dp.float())",
    ],
    "bmm": [
        "torch.bmm(t3, t3.transpose(1, 2))", "t3.bmm(t3.mT)", "t3 @ t3.mT", "t3[:1] @ t3.mT", "t3 @ t3[:1].mT", "t3[:, None] @ t3.mT", f"t3.mT @ {LARGE}[:, :2]",
        "!torch.bmm(t3, t3)", "!torch.bmm(m, m)", "!torch.bmm(t3, t3.double().mT)", "!im[None] @ im.t()[None]", "torch.einsum('bij,bkj->bik', t3, t3)",
        "torch.einsum('bij,bij->b', t3, t3)", "torch.einsum('ij,jk', m, sq)", "torch.einsum('ij,ij->', m, n)", "torch.einsum('...i,i->...', t3, v)",
        "torch.einsum('bij,jk,kl->bil', t3, sq, sq)", "!torch.einsum('ij,jk', m)", "!torch.einsum('ij,kj->ii', m, m)", "!torch.einsum('i', m)", "d[None] @ d.t()[None]",
        "t3 @ t3.mT @ t3",
    ],
    "addmm": [
        "torch.addmm(v, m, sq)", "torch.addmm(m, m, sq, beta=2, alpha=3)", "m.addmm(m, sq)", "torch.addmm(s, m, sq)", "torch.addmm(c, m, sq, alpha=0.5)", "torch.addmm(v, m, nt.t()[:, :1] @ r, beta=0)",
        "F.linear(m, n, torch.ones(2))", "F.linear(t3, sq, v)", "F.linear(v, sq, w)", "!torch.addmm(m, v, sq)", "!torch.addmm(m, m, m)", "!torch.addmm(torch.ones(4), m, sq)",
        "!torch.addmm(d, m, sq)", "!torch.addmm(m, m, sq.double())", "torch.addmm(d, d, d.t() @ d)", "!torch.addmm(t3, m, sq)", "!torch.addmm(i, im, im.t() @ im)", "torch.addmm(v, m.t().t(), sq.t())",
    ],
    "addmv": [
        "torch.addmv(v, sq, w)", "torch.addmv(s, m, v)", "v.addmv(sq, w, alpha=2, beta=0.5)", "torch.addmv(v, sq.t(), w)",
        "!torch.addmv(v, v, v)", "!torch.addmv(v, sq, torch.ones(4))", "!torch.addmv(torch.ones(2), sq, v)", "torch.addmv(dv, d.t() @ d, dv)", "!torch.addmv(v, sq, dv)",
        "torch.addmv(v, sq, w, beta=0)", "!torch.addmv(i, im.t() @ im, i1)", "torch.addmv(one, sq, v)",
    ],
    "addr": [
        "torch.addr(sq, v, w)", "torch.addr(v, v, w)", "m.addr(v[:2], w, beta=2, alpha=0.5)", "torch.addr(s, v, w)", "!torch.addr(m, v, w)", "!torch.addr(sq, m, v)", "torch.addr(c, v[:2], w)",
        "torch.addr(d, dv[:2], dp)", "!torch.addr(im, i[:2], i1)", "torch.addr(sq, v, w, beta=0)", "torch.addr(sq.t(), v, v)", "torch.addr(sq, v, w, alpha=-1)",
    ],
    "addbmm": [
        "torch.addbmm(m[:, :2], t3, t3.mT)", "torch.addbmm(s, t3, t3.mT)", "sq.addbmm(t3.mT, t3, beta=2, alpha=0.5)", "torch.addbmm(v, t3.mT, t3)", "torch.addbmm(dv, d.t()[None], d[None])",
        "!torch.addbmm(m, m, m)", "!torch.addbmm(m, t3, t3[:1].mT)", "!torch.addbmm(m, t3, t3)", "torch.addbmm(sq, t3.mT, t3, beta=0)", "torch.addbmm(sq, t3.mT, t3, alpha=2)", "torch.addbmm(r, t3.mT, t3)", "!torch.addbmm(torch.ones(4), t3.mT, t3)",
    ],
    "baddbmm": [
        "torch.baddbmm(t3[:, :, :2], t3, t3.mT)", "torch.baddbmm(s, t3, t3.mT)", "t3.baddbmm(t3 @ t3.mT, t3, beta=2, alpha=0.5)", "torch.baddbmm(v, t3.mT, t3)", "torch.baddbmm(d, d[None] @ d.t(), d[None])",
        "!torch.baddbmm(m, m, m)", "!torch.baddbmm(t3, t3, t3)", "torch.baddbmm(sq, t3.mT, t3, beta=0)", "torch.baddbmm(sq, t3.mT, t3, alpha=2)", "torch.baddbmm(r, t3.mT, t3)", "!torch.baddbmm(torch.ones(4), t3.mT, t3)", "torch.baddbmm(c, t3, t3.mT)",
    ],
    "linalg_cross": [
        "torch.linalg.cross(v, w)", "torch.linalg.cross(m, n)", "torch.cross(m, n, dim=1)", "torch.linalg.cross(m, r)", "torch.linalg.cross(sq, sq.t(), dim=0)", "!torch.linalg.cross(m, n, dim=0)", "!torch.linalg.cross(v, m)",
        "m.cross(n, dim=-1)", "torch.linalg.cross(t3, t3.flip(0))", "torch.linalg.cross(dv, dp)", "!torch.linalg.cross(i, i1)", "torch.linalg.cross(d, d.flip(0))",
    ],
}  # fmt: skip
SIZES = ("m", "sq", "n", "t3")
SAMPLES["linalg_inv_ex"] = [
    "torch.linalg.inv(sq)", "sq.inverse()", "torch.inverse(sq.t())", "torch.linalg.inv(torch.stack([sq, sq.t()]))", "!torch.linalg.inv(m)", "!torch.linalg.inv(torch.ones(2, 2))", "!torch.linalg.inv(v)",
    "!torch.linalg.inv(im[:, :2])", "torch.linalg.inv(d[:, :2])", "torch.linalg.matrix_power(sq, -2)", "torch.linalg.inv_ex(sq)[0]", "!torch.linalg.inv(torch.ones(2, 2, 2))", "torch.linalg.inv(sq) @ v",
]  # fmt: skip
SAMPLES["linalg_det"] = [
    "torch.det(sq)", "sq.det()", "torch.linalg.det(torch.stack([sq, sq.t()]))", "torch.linalg.det(sq.t())", "!torch.linalg.det(torch.ones(2, 2, requires_grad=True))", "!torch.linalg.det(m)", "!torch.linalg.det(v)", "!torch.linalg.det(im[:, :2])",
    "torch.linalg.det(d[:, :2])", "torch.linalg.det(sq) * 2", "torch.linalg.det(m[:, :2])", "torch.linalg.det(torch.zeros(0, 0))",
]  # fmt: skip
SAMPLES["linalg_slogdet"] = [
    "torch.linalg.slogdet(sq)", "torch.slogdet(sq)", "torch.linalg.slogdet(torch.stack([sq, sq.t()]))", "torch.linalg.slogdet(sq)[1]", "sq.slogdet()[1] * 2", "!torch.slogdet(torch.ones(2, 2))", "!torch.linalg.slogdet(m)", "!torch.linalg.slogdet(v)",
    "torch.linalg.slogdet(d[:, :2])", "torch.linalg.slogdet(m[:, :2])[1]", "torch.linalg.slogdet(-sq)", "torch.linalg.slogdet(sq.t())[1]",
]  # fmt: skip
SAMPLES["linalg_solve_ex"] = [
    "torch.linalg.solve(sq, v)", "torch.linalg.solve(sq, sq.t())", "torch.linalg.solve(sq, m.t())", "torch.linalg.solve(sq, m, left=False)", "torch.linalg.solve(torch.stack([sq, sq.t()]), m)", "torch.linalg.solve(torch.stack([sq, sq.t()]), t3.mT)",
    "!torch.linalg.solve(torch.ones(2, 2), v[:2])", "!torch.linalg.solve(sq, v[:2])", "!torch.linalg.solve(m, v)", "torch.linalg.solve(d[:, :2], d)", "!torch.linalg.solve(sq, dv)", "torch.linalg.solve(sq.t(), w)",
]  # fmt: skip
SAMPLES["linalg_cholesky_ex"] = [
    "torch.linalg.cholesky(sq @ sq.t())", "torch.linalg.cholesky(sq @ sq.t(), upper=True)", "torch.linalg.cholesky(m @ m.t())", "torch.linalg.cholesky(torch.stack([sq, sq.t()]) @ torch.stack([sq.t(), sq]))", "!torch.linalg.cholesky(-sq @ sq.t())",
    "!torch.linalg.cholesky(m)", "!torch.linalg.cholesky(v)", "torch.linalg.cholesky(d @ d.t())", "torch.linalg.cholesky_ex(sq @ sq.t())[0]", "torch.linalg.cholesky(sq @ sq.t()) @ v", "torch.linalg.cholesky(s.reshape(1, 1))", "!torch.linalg.cholesky(im)",
]  # fmt: skip
SAMPLES["linalg_svd"] = [
    "torch.linalg.svdvals(m)", "torch.linalg.svdvals(sq)", "torch.linalg.svd(sq)[1]", "torch.linalg.svd(m, full_matrices=False)[1]", "torch.svd(m)[1]", "torch.linalg.svdvals(t3)", "!torch.linalg.svd(v)", "!torch.linalg.svd(im)", "torch.linalg.norm(m, 'nuc')", "torch.norm(m, 'nuc')", "m.norm('nuc', (0, 1), True)", "torch.norm(t3, 'nuc', dim=(0, 2))", "!torch.norm(t3, 'nuc')", "!torch.norm(v, 'nuc')", "!torch.norm(m, 'nuc', dim=0)",
    "torch.linalg.norm(sq, 2)", "torch.linalg.norm(m, -2)", "torch.linalg.svdvals(d)", "torch.linalg.cond(sq)", "torch.linalg.svdvals(nt)", "~torch.linalg.svd(m, full_matrices=False)", "torch.linalg.matrix_norm(t3, 2)",
]  # fmt: skip
SAMPLES["linalg_eigh"] = [
    "torch.linalg.eigvalsh(sq + sq.t())", "torch.linalg.eigh(sq @ sq.t())[0]", "torch.linalg.eigvalsh(m @ m.t())", "!torch.linalg.eigh(m)", "!torch.linalg.eigh(v)", "!torch.linalg.eigh(im[:, :2])", "torch.linalg.eigvalsh(d @ d.t())",
    "torch.linalg.eigvalsh(t3 @ t3.mT)", "torch.linalg.eigvalsh(sq + sq.t(), UPLO='U')", "~torch.linalg.eigh(sq + sq.t())", "torch.linalg.eigh(sq + sq.t())[0] * 2", "torch.linalg.eigvalsh(s.reshape(1, 1))",
]  # fmt: skip
SAMPLES["linalg_qr"] = [
    "torch.linalg.qr(sq)", "torch.linalg.qr(m)", "torch.linalg.qr(nt.t())", "torch.linalg.qr(m.t())", "torch.linalg.qr(t3)", "torch.linalg.qr(sq)[1]", "!torch.linalg.qr(v)", "!torch.linalg.qr(m, mode='foo')", "!torch.linalg.qr(im)", "torch.linalg.qr(d)",
    "torch.linalg.qr(m, mode='complete')", "torch.linalg.qr(sq)[0]", "!torch.linalg.qr(m, mode='r')[1]",
]  # fmt: skip
SAMPLES["linalg_pinv"] = [
    "torch.linalg.pinv(m)", "torch.linalg.pinv(m.t())", "torch.linalg.pinv(sq)", "torch.linalg.pinv(t3)", "torch.linalg.pinv(d)", "!torch.linalg.pinv(v)", "torch.linalg.pinv(nt)", "torch.linalg.pinv(c)", "torch.linalg.pinv(r)", "torch.linalg.pinv(m) @ m",
    "torch.linalg.pinv(pos)",
]  # fmt: skip

HELPERS = {"cofactors": "linalg_det"}
