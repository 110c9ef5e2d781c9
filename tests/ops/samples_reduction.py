"""Samples of reductions, of what ranks and of what runs along a dimension."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {}
HELPERS = {
    "value_selecting_reduction_backward": "_max_dim",
    "pick_along": "_max_dim",
    "count_along": "amax",
    "cummaxmin_backward": "cummax",
}


def whole(row: str, call: str, more: tuple[str, ...] = (), mark: str = "", inputs: tuple[str, ...] = ("m", "v", "s", "nt", "t3", "d")) -> None:
    """Add samples of a reduction of everything."""
    corners = ("h", "e", "e23", "tie", "zeros", "wild", "i", "b", "u", "im", "i0", "m[:, ::2]")
    SAMPLES.setdefault(row, []).extend([f"{mark}torch.{call}({one})" for one in inputs] + [f"!torch.{call}({one})" for one in corners]
                                       + [f"{mark}{inputs[0]}.{call}()", *more])  # fmt: skip


def along(row: str, call: str, more: tuple[str, ...] = (), mark: str = "", several: bool = True, keep: bool = True,
          inputs: tuple[str, ...] = ("m", "v", "s", "nt", "t3", "d")) -> None:  # fmt: skip
    """Add samples of a reduction along dims."""
    a, x, p, t, cube, double = inputs
    found = [f"{mark}torch.{call}({a}, 0)", f"{mark}{a}.{call}(1)", f"{mark}{a}.{call}(-1)", f"{mark}{x}.{call}(0)", f"{mark}{p}.{call}(0)", f"{mark}{t}.{call}(dim=1)",
             f"{mark}{cube}.{call}(1)", f"{mark}{double}.{call}(0)", f"{mark}{a}.{call}(axis=0)"]  # fmt: skip
    if keep:
        found += [f"{mark}{a}.{call}(0, keepdim=True)", f"{mark}{cube}.{call}(-2, True)", f"{mark}{a}.{call}(axis=1, keepdims=True)"]
    if several:
        found += [f"{mark}{a}.{call}((0, 1))", f"{mark}{cube}.{call}([0, -1])", f"{mark}{cube}.{call}((1, 2), keepdim=True)", f"!{a}.{call}((0, 0))"]
    found += [f"!{one}.{call}(0)" for one in ("h", "e", "tie", "wild", "i", "im", "b", "u", "bm", "zeros")]
    found += [f"!e23.{call}(1)", f"!e23.{call}(0)", f"!{a}.{call}(2)", f"!{a}.{call}(-3)", f"!{a}.{call}('x')"]
    SAMPLES.setdefault(row, []).extend([*found, *more])


whole("sum", "sum")
whole("_sum_as", "sum", tuple(f"{mark}{one}.sum(dtype={kind})" for one, mark in (("m", ""), ("v", ""), ("s", ""), ("i", "!"), ("b", "!"), ("h", "!"))
                              for kind in ("torch.float64", "torch.float32")) + ("!i.sum(dtype=torch.int32)", "!m.sum(dtype=torch.int64)"))  # fmt: skip
along("_sum_dim", "sum", ("m.sum(1, dtype=torch.float64)", "m.sum(())", "m.sum(None)", "m.sum(None, True)", "!torch.sum(m, [])", "!torch.sum([1.0])", "!i.sum(0, dtype=torch.float32)"))
whole("_nansum", "nansum", ("!wild.nansum(0)", "m.nansum(1)", "m.nansum((0, 1), True)", "!torch.nansum(wild, dtype=torch.float64)"))
whole("mean", "mean")
whole("_mean_as", "mean", tuple(f"{mark}{one}.mean(dtype={kind})" for one, mark in (("m", ""), ("v", ""), ("s", ""), ("i", "!"), ("h", "!"))
                                for kind in ("torch.float64", "torch.float32")) + ("!m.mean(dtype=torch.int64)",))  # fmt: skip
along("_mean_dim", "mean", ("m.mean(1, dtype=torch.float64)", "m.mean(())", "m.mean(dim=None)"))
whole("any", "any", ("!m.any(0)", "!bm.any(1, True)", "!bm.any((0, 1))", "!t3.any(dim=(0, 2))", "!bm.any(2)", "!e23.any(1)"), "!")
whole("all", "all", ("!m.all(0)", "!bm.all(1, True)", "!bm.all((0, 1))", "!t3.all(dim=(0, 2))", "!bm.all(2)", "!e23.all(1)"), "!")
whole("count_nonzero", "count_nonzero", ("!zeros.count_nonzero(0)", "!zeros.count_nonzero((0, 1))", "!im.count_nonzero(dim=-1)"), "!")
for _name in ("max", "min"):
    whole(_name, _name)
    along(f"_{_name}_dim", _name, (f"torch.{_name}(m, n)", f"m.{_name}(other=n)" if False else f"m.{_name}(n)"), several=False)
    whole(f"a{_name}", f"a{_name}")
    along(f"a{_name}", f"a{_name}")
    whole(f"arg{_name}", f"arg{_name}", mark="!")
    along(f"arg{_name}", f"arg{_name}", mark="!", several=False)
whole("aminmax", "aminmax", ("m.aminmax(dim=0)", "m.aminmax(dim=1, keepdim=True)", "!tie.aminmax(dim=1)", "!e23.aminmax(dim=1)", "s.aminmax(dim=0)"))
for _name in ("var", "std"):
    whole(f"_{_name}", _name, (f"m.{_name}(False)", f"m.{_name}(unbiased=False)", f"!one.{_name}()", f"!m.{_name}(correction=6)", f"m.{_name}(correction=0)",
                               f"!m.{_name}(correction=9)", f"!ones.{_name}()" if False else f"!(m * 0).{_name}()"))  # fmt: skip
    along(f"_{_name}", _name, (f"m.{_name}(0, False)", f"m.{_name}(1, True, True)", f"m.{_name}(dim=1, correction=0, keepdim=True)", f"!r.{_name}(0)",
                               f"!m.{_name}(0, correction=2)"), keep=False)  # fmt: skip
    SAMPLES[f"_{_name}_mean"] = [f"torch.{_name}_mean({rest})" for rest in ("m", "v", "m, 0", "m, 1, False", "m, (0, 1), True, True", "t3, -1", "d", "nt, 0",
                                 "m, dim=1, correction=0", "t3, (0, 2), keepdim=True")]  # fmt: skip
    SAMPLES[f"_{_name}_mean"] += [f"!torch.{_name}_mean({one})" for one in ("s", "one", "i", "wild", "e", "h")]
along("_logsumexp", "logsumexp", ("!torch.logsumexp(torch.tensor([-inf, -inf], requires_grad=True), 0)", "!torch.logsumexp(big, 0)"))
whole("_prod", "prod", ("!torch.tensor([0.0, 2.0, 3.0], requires_grad=True).prod()", "m.prod(dtype=torch.float64)", "!i.prod(dtype=torch.float32)"))
along("_prod_dim", "prod", ("m.prod(1, dtype=torch.float64)",), several=False)
SAMPLES["linalg_vector_norm"] = [
    "m.norm()", "v.norm()", "s.norm()", "nt.norm()", "d.norm()", "m.norm(1)", "m.norm(3)", "m.norm(inf)", "m.norm(-inf)", "m.norm(0.5)", "m.norm(1.5)",
    "m.norm(2, 0)", "m.norm(1, 1, True)", "t3.norm(2, (0, 2))", "torch.norm(m, p='fro')", "m.norm('fro', dim=(0, 1))", "m.norm(dtype=torch.float64)",
    "torch.norm(m, 3, dim=1)", "m.norm(p=inf, dim=1)", "!m.norm(0)", "!zeros.norm()", "!(m * 0).norm()", "!zeros.norm(1)", "!zeros.norm(3)", "!(m * 0).norm(3)",
    "!zeros.norm(inf)", "!tie.norm(inf, 1)", "!wild.norm()", "!wild.norm(1)", "!e.norm()", "!i.norm()", "!h.norm()", "!zeros.norm(0.5)", "!(m * 0).norm(1.5)",
    "!zeros.norm(2, 0)", "!m.norm('bad')", "!e23.norm(2, 1)",
]  # fmt: skip
SAMPLES["dist"] = [
    "torch.dist(m, n)", "m.dist(n)", "v.dist(w, 1)", "m.dist(v, 3)", "s.dist(q)", "!m.dist(n, inf)", "!nt.dist(m)", "c.dist(r)", "d.dist(d * 2)",
    "!m.dist(m)", "!m.dist(m, 1)", "!tie.dist(zeros, inf)", "!wild.dist(half)", "!e.dist(e)", "m.dist(n, 1.5)",
]  # fmt: skip

# ------------------------------------------------------------------ ranks
SAMPLES["_sort"] = [
    "torch.sort(m)", "m.sort(0)", "m.sort(1, True)", "v.sort(descending=True)", "s.sort()", "nt.sort()", "t3.sort(1)", "d.sort(-2)", "!tie.sort()",
    "!tie.sort(descending=True)", "!wild.sort()", "!wild.sort(descending=True)", "!i.sort()", "!b.sort()", "!e.sort()", "!e23.sort(1)", "!m.sort(2)", "m.msort()",
]  # fmt: skip
SAMPLES["_sort_stable"] = [
    "torch.sort(m, stable=True)", "m.sort(dim=0, stable=True)", "m.sort(stable=True, descending=True)", "v.sort(stable=False)", "s.sort(stable=True)",
    "nt.sort(stable=True)", "t3.sort(stable=True, dim=1)", "!tie.sort(stable=True)", "!wild.sort(stable=True)", "!i.sort(stable=True)", "!e.sort(stable=True)",
]  # fmt: skip
SAMPLES["argsort"] = [f"!{one}.argsort()" for one in ("m", "v", "s", "nt", "t3", "tie", "wild", "i", "b", "e")] + [
    "!m.argsort(0)", "!torch.argsort(m, dim=1, descending=True)", "!tie.argsort(stable=True)", "!m.argsort(3)",
]  # fmt: skip
SAMPLES["topk"] = [
    "torch.topk(m, 2)", "m.topk(1, 0)", "m.topk(2, largest=False)", "v.topk(3)", "s.topk(1)", "nt.topk(2, 1)", "t3.topk(1, -2)", "d.topk(2)", "!wild[3:].topk(0)",
    "!m.topk(4)", "!i.topk(2)", "!e.topk(0)", "!wild[[0, 1, 2, 5]].topk(2)", "!m.topk(1, 2)", "m.topk(k=2, dim=1)",
]  # fmt: skip
SAMPLES["kthvalue"] = [
    "torch.kthvalue(m, 2)", "m.kthvalue(1, 0)", "m.kthvalue(3, keepdim=True)", "v.kthvalue(2)", "s.kthvalue(1)", "nt.kthvalue(1, 1)", "t3.kthvalue(2, 1)",
    "d.kthvalue(2)", "!m.kthvalue(4)", "!m.kthvalue(0)", "!i.kthvalue(2)", "!wild[[0, 1, 5]].kthvalue(3)", "!e.kthvalue(1)",
]  # fmt: skip
for _name in ("median", "nanmedian"):
    SAMPLES[f"_{_name}"] = [f"torch.{_name}({one})" for one in ("m", "v", "s", "nt", "t3", "d")]
    SAMPLES[f"_{_name}"] += [f"!torch.{_name}({one})" for one in ("tie", "wild", "i", "e", "h", "zeros + 0", "im")]
    SAMPLES[f"_{_name}_dim"] = [f"m.{_name}(0)", f"m.{_name}(1)", f"v.{_name}(0)", f"s.{_name}(0)", f"nt.{_name}(1, True)", f"t3.{_name}(-1)", f"d.{_name}(0)",
                                f"!wild.{_name}(0)", f"!i.{_name}(0)", f"!e.{_name}(0)", f"!m.{_name}(2)", f"m.{_name}(dim=1, keepdim=True)"]  # fmt: skip
SAMPLES["mode"] = [
    "m.mode()", "v.mode()", "s.mode()", "m.mode(0)", "t3.mode(1, True)", "nt.mode()", "!tie.mode()", "!i.mode()", "!tie.mode(0)", "!im.mode(1)", "d.mode(-1)",
]  # fmt: skip
SAMPLES["_unique2"] = [
    "!torch.unique(i)", "!torch.unique(tie)", "!tie.unique(return_inverse=True)", "!tie.unique(return_counts=True)", "!im.unique(return_inverse=True, return_counts=True)",
    "!b.unique()", "!s.unique()", "!e.unique()", "!wild.unique()", "!u.unique()", "!m.unique()",
]  # fmt: skip
SAMPLES["_unique_dim"] = [
    "!torch.unique(tie, dim=0)", "!tie.unique(dim=1)", "!im.unique(dim=0, return_inverse=True)", "!im.unique(dim=1, return_counts=True)", "!m.unique(dim=0)",
    "!t3.unique(dim=1)", "!i.unique(dim=0)", "!b.unique(dim=0)", "!tie.unique(dim=-1, return_inverse=True, return_counts=True)", "!m.unique(dim=2)",
]  # fmt: skip
SAMPLES["_unique_consecutive"] = [
    "!torch.unique_consecutive(torch.tensor([1, 1, 2, 1]))", "!tie.unique_consecutive()", "!tie.unique_consecutive(return_inverse=True)",
    "!tie.unique_consecutive(return_counts=True)", "!i.unique_consecutive()", "!b.unique_consecutive()", "!tie.unique_consecutive(dim=1)", "!im.unique_consecutive(dim=0)",
    "!m.unique_consecutive()", "!tie.unique_consecutive(True, True)",
]  # fmt: skip

# ------------------------------------------------------------------ running results
for _name in ("cumsum", "cumprod", "logcumsumexp"):
    SAMPLES[_name] = [f"torch.{_name}(m, 0)", f"m.{_name}(1)", f"v.{_name}(-1)", f"s.{_name}(0)", f"nt.{_name}(0)", f"t3.{_name}(1)", f"d.{_name}(0)",
                      f"!e.{_name}(0)", f"!e23.{_name}(1)", f"!wild.{_name}(0)", f"!m.{_name}(2)", f"!~h.{_name}(0)"]  # fmt: skip
for _name in ("cumsum", "cumprod"):
    SAMPLES[_name] += [f"!i.{_name}(0)", f"!b.{_name}(0)", f"!u.{_name}(0)", f"m.{_name}(0, dtype=torch.float64)", f"!i.{_name}(0, dtype=torch.float32)",
                       f"!zeros.{_name}(1)", f"m.{_name}(axis=1)", f"!torch.{_name}(zeros, 0)"]  # fmt: skip
for _name in ("cummax", "cummin"):
    SAMPLES[_name] = [f"torch.{_name}(m, 0)", f"m.{_name}(1)", f"v.{_name}(-1)", f"s.{_name}(0)", f"nt.{_name}(0)", f"t3.{_name}(1)", f"d.{_name}(0)",
                      f"!tie.{_name}(1)", f"!wild.{_name}(0)", f"!i.{_name}(0)", f"!e.{_name}(0)", f"!m.{_name}(2)"]  # fmt: skip
SAMPLES["tril"] = [f"torch.tril({one})" for one in ("m", "sq", "nt", "t3", "d", "m, 1", "m, -1", "sq, diagonal=5", "sq, -3")] + [
    "!torch.tril(v)", "!torch.tril(im)", "!torch.tril(bm)", "!torch.tril(e23)", "m.tril()", "!torch.tril(s)",
]  # fmt: skip
SAMPLES["triu"] = [sample.replace("tril", "triu") for sample in SAMPLES["tril"]]
