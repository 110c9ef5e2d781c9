"""Samples of the rows that read or write elements by index."""

from __future__ import annotations

I = "torch.tensor([[0, 1, 0]])"
J = "torch.tensor([[0], [2]])"
P = "torch.tensor([1, 0])"
D = "torch.tensor([0, 0, 1])"

SAMPLES: dict[str, list[str]] = {
    "index": [
        f"m[{P}]", f"m[:, {D}]", f"m[{P}, {P}]", "m[m > 0]", "m[[0, 1]]", "m[[True, False]]", f"t3[{P}, :, {P}]", f"t3[0, {P}]", f"m[{P}, None]", "m[True]", "m[False]", "v[[0, 0, 2]]",
        f"m[..., {D}]", f"m[1:, {D}]", "!m[torch.tensor([0, 2])]", "!m[torch.tensor([0.5])]", f"!m[{P}, torch.tensor([0, 1, 2])]", "!m[torch.tensor([True, False, True])]", "!m['a']", "!m[{}]",
        f"nt[{P}]", f"im[{P}]", "m[torch.tensor([-1])]", "m[[]]", "s[True]", "m[torch.tensor([[0, 1], [1, 0]])]", "!m[1.5]", f"m[{P}.int()]", "d[d > 0]", f"!m[0, 0, {P}]", "m[range(2)]",
    ],
    "gather": [
        f"m.gather(0, {I})", f"torch.gather(m, 1, {J})", f"m.gather(-1, {J})", "s.gather(0, torch.tensor(0))", "s.gather(0, torch.tensor([0, 0]))", f"!m.gather(0, torch.tensor([[0, 2]]))", "!m.gather(0, torch.tensor([0]))",
        f"!m.gather(1, torch.zeros(3, 1, dtype=torch.long))", f"!m.gather(0, {I}.float())", f"m.gather(0, {I}.int())", f"im.gather(1, {J})", f"nt.gather(0, {I})", "torch.take_along_dim(m, torch.tensor([[0], [1]]), 1)",
        "torch.take_along_dim(m, torch.tensor([5, 0]))", "torch.take_along_dim(m, m.argsort(1), dim=1)", "!torch.take_along_dim(m, m, 1)", "m.gather(1, torch.zeros(2, 0, dtype=torch.long))", f"d.gather(1, {J})",
    ],
    "index_select": [
        f"m.index_select(0, {P})", f"m.index_select(1, {D})", f"torch.index_select(t3, -1, {D})", "m.index_select(0, torch.tensor(1))", "s.index_select(0, torch.tensor([0]))", f"!m.index_select(0, {I})", "!m.index_select(0, torch.tensor([5]))",
        "!m.index_select(0, torch.tensor([0.]))", f"nt.index_select(1, {D})", f"im.index_select(0, {P})", f"m.index_select(0, {P}.int())", "v.repeat_interleave(torch.tensor([1, 0, 2]))", f"d.index_select(0, {P})",
        "m.repeat_interleave(torch.tensor([2, 1]), 0)",
    ],
    "take": [
        f"m.take({P})", "torch.take(m, torch.tensor([0, 5, -1]))", f"m.take({I})", "s.take(torch.tensor(0))", "!m.take(torch.tensor([6]))", "!m.take(torch.tensor([0.]))", f"nt.take({D})", f"im.take({P})", f"m.take({D})",
        "m.take(torch.tensor([], dtype=torch.long))", f"d.take({D})", f"t3.take({I}) * 2",
    ],
    "masked_select": [
        "m.masked_select(m > 0)", "torch.masked_select(m, bm)", "m.masked_select(b)", "v.masked_select(bm)", "c.masked_select(bm)", "!m.masked_select(im)", "!m.masked_select(torch.tensor([True, False]))", "s.masked_select(b0)",
        "nt.masked_select(bm)", "im.masked_select(bm)", "d.masked_select(bm)", "m.masked_select(bm) * 2", "e.masked_select(e > 0)",
    ],
    "scatter": [
        f"m.scatter(0, {I}, r)", f"torch.scatter(m, 1, {J}, c)", "m.scatter(1, m.argsort(1), n)", "s.scatter(0, torch.tensor(0), q)", f"!m.scatter(0, {I}, m)", f"!m.scatter(0, torch.tensor([[2, 0, 0]]), r)", f"!m.scatter(0, {I}, d[:1])",
        f"!m.scatter(0, {I}.float(), r)", f"!m.scatter(0, {I}, v)", "!m.scatter(0, torch.zeros(1, 4, dtype=torch.long), torch.ones(1, 4))", f"nt.scatter(0, {I}, r)", f"d.scatter(0, {I}, d[:1])", f"im.scatter(0, {I}, im[:1])",
        f"(m * 1).scatter_(0, {I}, r)", f"!m.scatter_(0, {I}, r)",
    ],
    "scatter_value": [
        f"m.scatter(0, {I}, 2.5)", f"torch.scatter(m, 1, {J}, 0)", f"m.scatter(-1, {J}, value=1.0)", "s.scatter(0, torch.tensor(0), 4.0)", f"!m.scatter(0, torch.tensor([[2]]), 1.0)", f"!m.scatter(0, {I}.float(), 1.0)", f"nt.scatter(0, {I}, 1.0)",
        f"im.scatter(0, {I}, 7)", f"d.scatter(1, {J}, 0.1)", f"(m * 1).scatter_(0, {I}, 3.0)", "!m.scatter(0, torch.zeros(1, 4, dtype=torch.long), 1.0)", "m.scatter(0, torch.zeros(0, 3, dtype=torch.long), 1.0)",
    ],
    "scatter_add": [
        f"m.scatter_add(0, {I}, r)", f"torch.scatter_add(m, 1, {J}, c)", "m.scatter_add(1, torch.zeros(2, 3, dtype=torch.long), n)", "s.scatter_add(0, torch.tensor(0), q)", f"!m.scatter_add(0, {I}, d[:1])", f"!m.scatter_add(0, torch.tensor([[2, 0, 0]]), r)",
        f"!m.scatter_add(0, {I}, v)", f"nt.scatter_add(0, {I}, r)", f"im.scatter_add(0, {I}, im[:1])", f"d.scatter_add(0, {I}, d[:1])", f"!m.scatter_add(0, {I}, m)", f"m.scatter_add(0, {I}.int(), r)",
    ],
    "scatter_reduce": [
        f"m.scatter_reduce(0, {I}, r, '{how}'{more})" for how in ("sum", "mean", "prod", "amax", "amin") for more in ("", ", include_self=False")
    ] + [
        f"!m.scatter_reduce(0, {I}, r, 'foo')", f"!m.scatter_reduce(0, {I}, d[:1], 'sum')", "m.scatter_reduce(1, torch.zeros(2, 3, dtype=torch.long), n, 'prod')", "m.scatter_reduce(1, torch.zeros(2, 3, dtype=torch.long), n, 'mean')",
        "!tie.scatter_reduce(1, torch.zeros(2, 3, dtype=torch.long), tie * 1, 'amax')", f"nt.scatter_reduce(0, {I}, r, 'amax')", f"d.scatter_reduce(0, {I}, d[:1] * 2, 'sum')", f"im.scatter_reduce(0, {I}, im[:1], 'amax')",
        f"im.scatter_reduce(0, {I}, im[:1], 'mean')",
    ],
    "index_add": [
        f"m.index_add(0, {P}, n)", f"torch.index_add(m, 1, {D}, n)", f"m.index_add(0, {P}, n, alpha=2)", "s.index_add(0, torch.tensor([0]), one)", f"!m.index_add(0, {D}, n)", "!m.index_add(0, torch.tensor([5, 0]), n)", f"!m.index_add(0, {P}, d)",
        f"nt.index_add(0, {P}, m)", f"im.index_add(0, {P}, im)", f"d.index_add(1, {D}, d)", f"v.index_add(0, {D}, w)", f"m.index_add(0, {P}.int(), n)",
    ],
    "index_copy": [
        f"m.index_copy(0, {P}, n)", "torch.index_copy(m, 1, torch.tensor([2, 0]), n[:, :2])", "m.index_copy(0, torch.tensor([1]), r)", f"!m.index_copy(0, {D}, n)", "!m.index_copy(0, torch.tensor([5, 0]), n)", f"!m.index_copy(0, {P}, d)",
        f"nt.index_copy(0, {P}, m)", f"im.index_copy(0, {P}, im)", "v.index_copy(0, torch.tensor([2]), one)", f"d.index_copy(0, {P}, d * 2)", f"t3.index_copy(0, {P}, t3 * 1)", f"!m.index_copy(0, {P}.int(), n)",
    ],
    "index_fill_value": [
        f"m.index_fill(0, {P}, 2.5)", f"torch.index_fill(m, 1, {D}, 0)", "m.index_fill(-1, torch.tensor([2]), -1.0)", "!m.index_fill(0, torch.tensor([5]), 1.0)", f"nt.index_fill(0, {P}, 1.0)", f"im.index_fill(0, {P}, 3)", f"v.index_fill(0, {D}, 1.0)",
        f"d.index_fill(1, {D}, 0.5)", f"(m * 1).index_fill_(1, {D}, 0.5)", f"!m.index_fill_(0, {P}, 1.0)", f"s.index_fill(0, torch.tensor([0]), 1.0)", f"t3.index_fill(1, {P}, 0.0)",
    ],
    "index_fill_tensor": [
        f"m.index_fill(0, {P}, s)", f"torch.index_fill(m, 1, {D}, q)", "m.index_fill(-1, torch.tensor([2]), s)", f"!m.index_fill(0, {P}, v)", f"nt.index_fill(0, {P}, s)", f"v.index_fill(0, {D}, s)", f"(m * 1).index_fill_(1, {D}, s)",
        f"t3.index_fill(1, {P}, q)", f"d.index_fill(1, {D}, ds)", f"m.index_fill(0, {D}, s) * 2", "s.index_fill(0, torch.tensor([0]), q)",
    ],
    "index_put": [
        f"m.index_put(({P},), n)", f"torch.index_put(m, ({P}, {P}), v[:2])", f"m.index_put(({P},), s)", f"!m.index_put((None, {D}), s, accumulate=True)", f"m.index_put(({P}, {P}), v[:2], True)", "m.index_put((bm,), s)", "m.index_put((bm,), v)",
        f"!m.index_put(({P},), v[:2])", "!m.index_put((torch.tensor([5]),), s)", f"!m.index_put(({P},), ds)", f"nt.index_put(({P},), m)", f"im.index_put(({P},), im)", f"(m * 1).index_put_(({P},), n)", f"v.index_put(({D},), w, True)", f"d.index_put(({P},), d * 2)",
    ],
    "masked_scatter": [
        "m.masked_scatter(bm, v)", "torch.masked_scatter(m, bm, n)", "m.masked_scatter(b, n)", "!m.masked_scatter(bm, v[:2])", "!m.masked_scatter(bm, d)", "!m.masked_scatter(m, n)", "nt.masked_scatter(bm, v)", "im.masked_scatter(bm, im)",
        "d.masked_scatter(bm, d * 2)", "v.masked_scatter(b, w)", "t3.masked_scatter(b, t3 * 1)", "m.masked_scatter(m > 9, v)",
    ],
    "put": [
        f"m.put({P}, v[:2])", f"torch.Tensor.put(m, {D}, v, accumulate=True)", "m.put(torch.tensor([5, -1]), v[:2], True)", "m.put(torch.tensor([0]), one)", f"nt.put({P}, v[:2])", f"im.put({P}, i[:2])", f"d.put({P}, dv[:2])", f"v.put({P}, w[:2])",
        f"t3.put({P}, v[:2])", f"m.put({P}, v[:2]) * 2", f"m.put(torch.tensor([[3], [2]]), c)",
    ],
}  # fmt: skip

HELPERS = {
    "index_backward": "index", "gather_backward": "gather", "index_select_backward": "index_select", "take_backward": "take", "masked_select_backward": "masked_select",
    "cast_like": "scatter_reduce", "index_clear": "index_put", "masked_scatter_backward": "masked_scatter", "put_zero": "put",
}  # fmt: skip
