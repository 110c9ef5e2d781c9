"""Samples of the rows that put tensors, or copies of one, together."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {
    "cat": [
        "torch.cat([m, n])", "torch.cat([m, n], 1)", "torch.cat((m, c), -1)", "torch.cat([v, w, v])", "torch.cat([m, m])", "torch.cat([m, d])",
        "torch.cat([v, i])", "torch.cat([e, v])", "torch.cat([m, e])", "!torch.cat([])", "!torch.cat([m, v])", "!torch.cat([m, sq], 1)", "!torch.cat([s, s])",
        "!torch.cat([m, 1])", "!torch.cat(m)", "!torch.cat([m, n], 2)", "torch.cat([nt, m])", "torch.hstack([m, n])", "torch.hstack([v, s])",
        "torch.vstack([v, m])", "torch.dstack([m, n])", "torch.column_stack([v, w])", "torch.concat([m, n], dim=1)", "torch.cat([i, k])", "torch.cat([b, i])",
        "torch.cat(tensors=[m, n], dim=0)", "torch.cat([h, v])", "!torch.cat([m, n], out=torch.zeros(4, 3))",
    ],
    "stack": [
        "torch.stack([m, n])", "torch.stack([m, n], 1)", "torch.stack((v, w), -1)", "torch.stack([s, q])", "torch.stack([m, d])", "torch.stack([i, k])",
        "!torch.stack([])", "!torch.stack([m, v])", "!torch.stack([m, n], 3)", "torch.stack([nt, m], 2)", "torch.stack([e, e])", "torch.stack([m])",
        "torch.stack([m, m], dim=-2)", "torch.stack([s, ds])",
    ],
    "repeat": [
        "m.repeat(2, 1)", "m.repeat((1, 2))", "v.repeat(2, 2)", "s.repeat(3)", "m.repeat(0, 1)", "!m.repeat(2)", "!m.repeat(2, -1)", "nt.repeat(2, 2)",
        "i.repeat(2)", "e.repeat(2)", "m.tile(2)", "torch.tile(m, (2, 1, 2))", "t3.repeat(1, 2, 1)", "d.repeat(1, 2)", "m.tile(())",
    ],
    "flip": [
        "m.flip(0)", "m.flip(0, 1)", "torch.flip(t3, (0, -1))", "v.flip(0)", "!m.flip(2)", "!m.flip(0, 0)", "torch.fliplr(m)", "torch.flipud(v)", "!torch.fliplr(v)",
        "nt.flip(1)", "i.flip(0)", "e.flip(0)", "m.flip(())", "d.flip(-1)", "s.flip(())",
    ],
    "roll": [
        "m.roll(1)", "m.roll(1, 0)", "m.roll(-1, 1)", "torch.roll(t3, (1, 2), (0, 2))", "v.roll(4)", "!m.roll((1, 2))", "!m.roll((1, 2), (0,))", "!m.roll(1, 2)",
        "nt.roll(2)", "i.roll(1)", "e.roll(1)", "d.roll(1, -1)", "m.roll(shifts=1, dims=0)", "s.roll(1)",
    ],
    "rot90": [
        "m.rot90()", "m.rot90(2)", "m.rot90(-1)", "torch.rot90(t3, 1, (1, 2))", "m.rot90(4)", "!v.rot90()", "!m.rot90(1, (0,))", "!m.rot90(1, (0, 0))", "nt.rot90(3)",
        "im.rot90()", "d.rot90(1, [1, 0])", "t3.rot90(k=1, dims=(0, 2))",
    ],
    "diag_embed": [
        "torch.diag_embed(v)", "torch.diag_embed(m)", "m.diag_embed(1)", "m.diag_embed(-1)", "m.diag_embed(0, 0, 2)", "torch.diag(v)", "torch.diag(v, 1)",
        "torch.diagflat(m)", "torch.diagflat(v, -1)", "!m.diag_embed(0, 1, 1)", "nt.diag_embed()", "i.diag_embed()", "d.diag_embed()", "e.diag_embed()",
    ],
    "diagonal_copy": [
        "torch.diag(m)", "m.diag()", "m.diag(1)", "m.diag(-1)", "nt.diag()", "sq.diag()", "m.diag(7)", "!t3.diag()", "im.diag()", "d.diag(2)", "!s.diag()", "pt.diag()",
    ],
    "trace": [
        "torch.trace(m)", "sq.trace()", "nt.trace()", "im.trace()", "!v.trace()", "!t3.trace()", "d.trace()", "torch.trace(m[:0])", "sq.t().trace()", "c.trace()",
        "torch.trace(r) * 2",
    ],
}  # fmt: skip
