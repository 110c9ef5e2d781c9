"""Samples of the rows that give the same elements another shape, or view a part of them."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {
    "view": [
        "m.view(6)", "m.view(3, 2)", "m.view((2, 3, 1))", "s.view(1, 1)", "t3.view(-1)", "t3.view(2, -1)", "e.view(0, 4)",
        "e23.view(-1, 3)", "!nt.view(6)", "!m.view(4)", "!m.view(-1, -1)", "!m.view(-2, 3)", "i.view(3, 1)", "nt.view(2, 3, 1)",
        "m[:, :2].view(2, 2, 1)", "m.flatten()", "t3.flatten(1)", "t3.flatten(0, 1)", "s.flatten()", "!t3.flatten(2, 1)",
        "m.unflatten(1, (3, 1))", "!m.unflatten(1, (2, 2))", "m.view_as(torch.zeros(6))", "m.reshape(6)", "torch.reshape(m, (3, -1))",
        "m.ravel()", "!h.view(torch.int16)", "!m.view(torch.int32)", "torch.atleast_2d(s)", "torch.atleast_1d(s, v)[0]",
        "!e.view(0, -1)", "e.ravel()", "d.reshape_as(v.expand(2, 3).t())",
    ],
    "_reshape_alias": [
        "m[:, :2].reshape(2, 1, 2)", "nt.reshape(2, 3, 1)", "t3[:, 0].reshape(2, 3, 1)", "t3[:, :, :2].reshape(4, 2)",
        "nt.t().reshape(6)", "m.t().reshape(3, 2, 1)", "d[:, 1:].reshape(2, 1, 2)", "t3[:, :, 1].reshape(4)", "r.expand(2, 3).reshape(1, 2, 3)",
        "c.expand(2, 3).reshape(2, 3, 1)", "t3.transpose(0, 1).reshape(2, 2, 3, 1)", "m[:, ::2].reshape(2, 2, 1)",
    ],
    "_unsafe_view": [
        "nt.reshape(6)", "m.t().reshape(-1)", "t3.transpose(1, 2).reshape(2, 6)", "t3.permute(2, 0, 1).reshape(3, 4)", "c.expand(2, 3).reshape(6)",
        "r.expand(2, 3).reshape(3, 2)", "t3 @ t3.transpose(1, 2)", "t3 @ v", "torch.kron(m, n)", "t3[:, :, ::2].transpose(1, 2).reshape(4, 2)",
        "d.t().reshape(6)", "torch.kron(s, m)", "nt.flatten()", "!nt.reshape(5)", "torch.kron(v, m)", "t3[:1] @ t3.transpose(1, 2)",
    ],
    "clone_in_order": [
        "nt.contiguous()", "m.t().contiguous()", "t3.transpose(0, 2).contiguous()", "c.expand(2, 3).contiguous()", "v.repeat_interleave(2)",
        "m.repeat_interleave(2, 1)", "m[:, ::2].contiguous()", "d.t().contiguous()", "s.repeat_interleave(3)", "t3.repeat_interleave(2, -1)",
        "m.contiguous()", "i.repeat_interleave(2)", "!m.repeat_interleave(-1)", "pt.contiguous()",
    ],
    "expand": [
        "r.expand(4, 3)", "c.expand(2, 3)", "c.expand(-1, 4)", "s.expand(2, 2)", "v.expand(2, 3)", "m.expand(2, 2, 3)", "r.expand_as(m)",
        "torch.broadcast_to(v, (2, 3))", "torch.broadcast_tensors(c, r)", "torch.broadcast_tensors(m, m)", "!m.expand(3)", "!m.expand(2, 4)",
        "!v.expand(-1, 3)", "!v.expand(2, -3)", "one.expand(0)", "d.expand(1, 2, 3)", "nt.expand(2, 2, 3)", "i.expand(2, 3)",
        "!torch.broadcast_tensors(m, torch.ones(4))", "h.expand(2, 3)", "torch.broadcast_shapes((2, 1), (3,))",
    ],
    "unsqueeze": [
        "m.unsqueeze(0)", "m.unsqueeze(-1)", "torch.unsqueeze(m, 1)", "s.unsqueeze(0)", "s.unsqueeze(-1)", "nt.unsqueeze(2)", "e.unsqueeze(0)",
        "!m.unsqueeze(3)", "!m.unsqueeze(-4)", "i.unsqueeze(1)", "d.unsqueeze(-2)", "torch.atleast_3d(m)", "m[None]", "m[:, None]",
        "v.unsqueeze(dim=1)",
    ],
    "squeeze_all": [
        "c.squeeze()", "r.squeeze()", "torch.squeeze(r)", "s.squeeze()", "m.squeeze()", "one.squeeze()", "r.unsqueeze(0).squeeze()", "e23.squeeze()",
        "i.unsqueeze(0).squeeze()", "d[:1].squeeze()", "nt[:, :1].squeeze()", "h.unsqueeze(1).squeeze()",
    ],
    "squeeze_dim": [
        "c.squeeze(1)", "r.squeeze(0)", "c.squeeze(-1)", "torch.squeeze(r, 0)", "m.squeeze(0)", "s.squeeze(0)", "one.squeeze(-1)", "!m.squeeze(2)",
        "!m.squeeze(-3)", "r.squeeze(dim=0)", "d[:1].squeeze(0)", "nt[:, :1].squeeze(1)", "e.squeeze(0)",
    ],
    "squeeze_dims": [
        "c.squeeze((0, 1))", "r.squeeze((0,))", "m.squeeze((0, 1))", "r.unsqueeze(0).squeeze((0, 1))", "r.unsqueeze(0).squeeze((-3, 1))",
        "torch.squeeze(c, (1,))", "s.squeeze(())", "!m.squeeze((0, 0))", "!m.squeeze((3,))", "d[:1].squeeze((0, 1))", "one.squeeze((0,))",
        "nt[:, :1].squeeze((1,))",
    ],
    "t": [
        "m.t()", "torch.t(m)", "v.t()", "s.t()", "nt.t()", "!t3.t()", "i.t()", "im.t()", "d.t()", "e.t()", "m.t() * 2", "c.t()", "h.t()",
    ],
    "transpose": [
        "m.transpose(0, 1)", "m.transpose(-1, 0)", "t3.transpose(0, 2)", "torch.transpose(t3, 1, 2)", "s.transpose(0, -1)", "!m.transpose(0, 2)",
        "m.swapaxes(0, 1)", "torch.swapdims(t3, 0, 1)", "m.mT", "t3.mT", "!v.mT", "!v.H", "m.H", "im.transpose(0, 1)", "e23.transpose(0, 2)",
        "nt.transpose(0, 1)", "v.transpose(0, 0)", "d.transpose(1, 0)", "m.mH",
    ],
    "permute": [
        "m.permute(1, 0)", "t3.permute(2, 0, 1)", "torch.permute(t3, (0, -1, 1))", "v.permute(0)", "s.permute(())", "!m.permute(0)",
        "!m.permute(0, 0)", "!m.permute(0, 2)", "m.T", "t3.movedim(0, 2)", "torch.movedim(t3, (0, 1), (1, 0))", "!t3.movedim((0, 1), (1, 1))",
        "!t3.movedim(0, 3)", "torch.moveaxis(t3, -1, 0)", "im.permute(1, 0)", "e23.permute(1, 2, 0)", "nt.permute(-1, -2)", "d.T",
    ],
    "select": [
        "m.select(0, 1)", "m.select(1, -1)", "torch.select(t3, 2, 0)", "m[0]", "m[-1]", "m[0, 1]", "m[..., 1]", "v[2]", "!s.select(0, 0)",
        "!m.select(0, 2)", "!m.select(2, 0)", "!m[2]", "!m[0, 3]", "!s[0]", "nt[1]", "im[0]", "d[1, 2]", "m[torch.tensor(1)]", "!m[0, 0, 0]",
        "m[1][2]", "t3[:, 1, ::2]",
    ],
    "slice": [
        "m[1:]", "m[:, 1:]", "m[::2]", "v[-2:]", "v[:10]", "v[5:]", "m[:]", "m[:, ::2]", "nt[:, 1:]", "!v[::-1]", "!v[::0]", "!s[:]", "t3[0:1, 1:]",
        "m.narrow(1, 0, 2)", "torch.narrow(v, 0, -2, 2)", "!v.narrow(0, 2, 3)", "!v.narrow(0, 0, -1)", "!s.narrow(0, 0, 1)", "!v.narrow(0, 5, 1)",
        "im[:, 1:]", "e[0:]", "m.tensor_split(2, 1)", "m.tensor_split((1,), dim=1)[1]", "torch.hsplit(m, 3)", "!torch.hsplit(m, 2)",
        "torch.vsplit(m, 2)", "!m[0:'a']", "m[None, 1:]",
    ],
    "alias": [
        "m[...]", "m[()]", "m[:, :]", "v[...]", "s[...]", "s[()]", "t3[..., :]", "nt[...]", "i[...]", "d[:, :]", "e[...]", "m[..., :, :]",
    ],
    "diagonal": [
        "m.diagonal()", "torch.diagonal(m, 1)", "m.diagonal(-1)", "t3.diagonal(0, 1, 2)", "t3.diagonal(0, -1, 0)", "sq.diagonal()", "!v.diagonal()",
        "!m.diagonal(0, 1, 1)", "m.diagonal(5)", "nt.diagonal()", "im.diagonal()", "d.diagonal(1)", "sq.diagonal(offset=-1) * 2",
    ],
    "unfold": [
        "v.unfold(0, 2, 1)", "v.unfold(0, 1, 2)", "m.unfold(1, 2, 1)", "t3.unfold(2, 2, 1)", "t3.unfold(-1, 3, 1)", "s.unfold(0, 1, 1)",
        "!v.unfold(0, 4, 1)", "!v.unfold(0, 1, 0)", "nt.unfold(0, 2, 1)", "i.unfold(0, 2, 1)", "d.unfold(1, 1, 1)", "m.unfold(1, 2, 1) * 2",
    ],
    "unbind": [
        "m.unbind()", "m.unbind(1)", "torch.unbind(t3, -1)", "v.unbind()", "!s.unbind()", "!m.unbind(2)", "nt.unbind()", "im.unbind(1)", "e.unbind()",
        "list(m)", "m.unbind()[1]", "d.unbind(0)", "one.unbind()", "e23.unbind()",
    ],
    "_split": [
        "m.split(1)", "m.split(2, 1)", "torch.split(v, 2)", "t3.split(2, -1)", "m.split(5)", "!m.split(0)", "!m.split(-1)", "!s.split(1)", "m.chunk(2)",
        "v.chunk(2)", "torch.chunk(t3, 4, 2)", "!m.chunk(0)", "!s.chunk(1)", "e.split(0)", "nt.split(2, 1)", "im.split(1)", "m.split(2, 1)[1]", "e.chunk(2)",
    ],
    "unsafe_split": [
        "m.unsafe_split(1)", "m.unsafe_split(2, 1)", "torch.unsafe_split(v, 2)", "t3.unsafe_split(2, -1)", "m.unsafe_split(5)",
        "!m.unsafe_split(0)", "!m.unsafe_split(-1)", "!s.unsafe_split(1)", "m.unsafe_chunk(2)", "v.unsafe_chunk(2)",
        "torch.unsafe_chunk(t3, 4, 2)", "!m.unsafe_chunk(0)", "!s.unsafe_chunk(1)", "nt.unsafe_split(2, 1)", "im.unsafe_split(1)",
    ],
    "unsafe_split_with_sizes": [
        "m.unsafe_split_with_sizes([1, 1])", "m.unsafe_split_with_sizes((2, 1), 1)", "torch.unsafe_split_with_sizes(v, [1, 0, 2])",
        "t3.unsafe_split_with_sizes([1, 2], -1)", "!m.unsafe_split_with_sizes([1, 2])", "!m.unsafe_split_with_sizes([3, -1])",
        "v.unsafe_split_with_sizes([1, 2])[1]", "nt.unsafe_split_with_sizes([1, 2], dim=1)", "im.unsafe_split_with_sizes([1, 2], 1)",
        "d.unsafe_split_with_sizes([2])", "v.unsafe_split_with_sizes([3])",
    ],
    "split_with_sizes": [
        "m.split([1, 1])", "m.split((2, 1), 1)", "torch.split(v, [1, 0, 2])", "t3.split([1, 2], -1)", "!m.split([1, 2])", "!m.split([3, -1])",
        "m.split_with_sizes([1, 1])", "v.split([1, 2])[1]", "nt.split([1, 2], dim=1)", "im.split([1, 2], 1)", "d.split([2])", "v.split([3])",
    ],
    "as_strided_inplace": [
        "m.clone().as_strided_((2,), (1,))", "m.clone().as_strided_((2, 2), (3, 1), 1)", "(m * 2).as_strided_((3, 2), (1, 3))",
        "m.clone().as_strided_((), ())", "s.clone().as_strided_((1, 1), (0, 0))", "!m.clone().as_strided_((2,), (1,), 30)",
        "!m.clone().as_strided_((2, 2), (1,))", "nt.clone().as_strided_((2, 2), (1, 2))", "d.clone().as_strided_((4,), (1,), 2)",
        "i.clone().as_strided_((2,), (2,))", "!v.clone().as_strided_((2,), (-1,))", "m.clone().as_strided_(size=(2,), stride=(1,))",
    ],
    "as_strided": [
        "m.as_strided((2,), (1,))", "m.as_strided((2, 2), (3, 1), 1)", "v.as_strided((2, 2), (1, 1))", "torch.as_strided(m, (3, 2), (1, 3))",
        "m.as_strided((), ())", "s.as_strided((2, 2), (0, 0))", "!m.as_strided((2,), (1,), 30)", "!m.as_strided((2, 2), (1,))",
        "m[1].as_strided((2,), (1,))", "nt.as_strided((2, 2), (1, 2))", "d.as_strided((4,), (1,), 2)", "i.as_strided((2,), (2,))",
        "!v.as_strided((2,), (-1,))", "v.as_strided((3, 2), (1, 0))",
    ],
    "squeeze_inplace": [f"({one} * 1).squeeze_()" for one in ("c", "r", "one", "s", "m", "nt", "d", "r.unsqueeze(0)", "c.t()", "h", "v")],
    "squeeze_dim_inplace": [
        *(f"({one} * 1).squeeze_({dim})" for one, dim in (("c", 1), ("r", 0), ("c", -1), ("m", 0), ("s", 0), ("one", 0), ("d", 1), ("nt", 0))),
        "v @ m.t()", "w @ sq", "!(m * 1).squeeze_(2)", "!r.squeeze_(0)",
    ],
    "squeeze_dims_inplace": [
        f"({one} * 1).squeeze_({dim})" for one, dim in (("c", (0, 1)), ("r", (0,)), ("c", (-1,)), ("m", (0, 1)), ("s", ()), ("one", (0,)),
        ("d", (1,)), ("nt", (0,)), ("r", (0, 1)), ("c.t()", (0,)))],
    "t_inplace": [f"({one} * 1).t_()" for one in ("m", "v", "s", "c", "r", "nt", "d", "sq", "pos", "h")] + ["!m.t_()", "(nt * 1).t_() * 2"],
    "transpose_inplace": [
        *(f"({one} * 1).transpose_({dims})" for one, dims in (("m", "0, 1"), ("t3", "0, 2"), ("t3", "-1, 1"), ("s", "0, 0"), ("v", "0, 0"),
          ("c", "0, 1"), ("d", "1, 0"), ("nt", "0, 1"))), "!(m * 1).transpose_(0, 2)", "(m * 1).swapaxes_(0, 1)", "(t3 * 1).swapdims_(1, 2)",
    ],
    "unsqueeze_inplace": [f"({one} * 1).unsqueeze_({dim})" for one, dim in (("m", 0), ("m", -1), ("v", 1), ("s", 0), ("t3", 2), ("d", 1), ("nt", 0),
                          ("c", 2), ("h", 0), ("q", -1))] + ["!(m * 1).unsqueeze_(4)"],
}  # fmt: skip

HELPERS = {
    "select_backward": "select", "slice_backward": "slice", "diagonal_backward": "diagonal", "unfold_backward": "unfold",
    "unview": "as_strided", "strided_view": "as_strided", "strided_write": "as_strided", "strided_clear": "as_strided",
}  # fmt: skip
