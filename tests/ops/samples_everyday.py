"""Samples of copies, casts, overwriting and random fills."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {}
HELPERS: dict[str, str] = {}

SAMPLES["clone"] = [f"torch.clone({one})" for one in ("m", "v", "s", "nt", "t3", "d", "r.expand(3, 3)", "m[:, ::2]")] + [
    f"!torch.clone({one})" for one in ("h", "e", "e23", "i", "b", "wild", "u")
] + ["m.clone()", "nt.clone().stride()", "!torch.clone([1.0])", "!r.expand(3, 3).clone().stride()"]  # fmt: skip
SAMPLES["_to_copy"] = [
    "m.double()", "d.float()", "m.to(torch.float64)", "v.half()", "s.double()", "nt.to(torch.float64)", "m.to(d)", "m.type(torch.float64)",
    "m.type_as(d)", "d.to(dtype=torch.float32)", "m.to('cpu', torch.float64)", "!m.long()", "!m.int()", "!m.bool()", "!i.float()", "!b.float()",
    "!wild.bool()", "!e.double()", "!i.byte()", "!i.char()", "!i.short()", "!m.to(torch.float32)", "m.to(torch.float32, copy=True)", "!m.to(torch.int64)",
    "!m.type()", "!i.type()", "!m.type('torch.DoubleTensor')", "!m.type('bad')", "!i.to(m)", "!h.float()", "!u.half()", "!m.to(3.5)" if False else "!m.cpu()",
]  # fmt: skip
SAMPLES["zero"] = [f"{one}.clone().zero_()" for one in ("m", "v", "s", "nt", "t3", "d", "m[:, ::2]")] + [
    f"!{one}.clone().zero_()" for one in ("h", "e", "i", "b", "wild")
] + ["!m.zero_()", "!i.zero_()", "!m.detach().zero_()"]  # fmt: skip
SAMPLES["_fill_number"] = [f"{one}.clone().fill_(2.5)" for one in ("m", "v", "s", "nt", "t3", "d")] + [
    f"!{one}.clone().fill_(2)" for one in ("h", "e", "i", "b", "wild", "u")
] + ["!m.fill_(1)", "!i.fill_(2.7)", "!i.fill_('a')", "!m.clone().fill_(nan)", "!torch.full_like(i, 2.7)"]  # fmt: skip
SAMPLES["_fill_tensor"] = [f"{one}.clone().fill_({value})" for one in ("m", "v", "s", "nt", "d") for value in ("q", "ds")] + [
    "!i.fill_(i0)", "!m.clone().fill_(v)", "!e.clone().fill_(s)", "!m.clone().fill_(torch.tensor(1))",
]  # fmt: skip
SAMPLES["copy_into"] = [
    f"{a}.clone().copy_({b})" for a, b in (("m", "n"), ("m", "v"), ("v", "w"), ("s", "q"), ("m", "s"), ("nt", "m"), ("d", "m"), ("m", "d"), ("m", "c"))
] + [
    "!m.clone().copy_(im)", "!i.clone().copy_(v)", "!m.clone().copy_(torch.ones(4))", "!v.clone().copy_(m)", "!m.clone().copy_([1])", "!e.clone().copy_(one)",
    "!b.clone().copy_(v)", "!m.copy_(n)", "!h.clone().copy_(v)",
]  # fmt: skip
_FILLS = {
    "normal": ("", "1.0, 2.0", "mean=-1", "std=-1"), "uniform": ("", "-1, 1", "to=3", "2, 1"), "exponential": ("", "2.0", "lambd=0.5", "-1"),
    "log_normal": ("", "0.0, 0.5", "std=0.1", "0, -1"), "cauchy": ("", "1.0, 2.0", "sigma=0.1", "0, -1"), "geometric": ("0.5", "0.1", "p=0.9", "1.5"),
    "random": ("2, 9", "0, 4", "-3, 7", "5, 2"),
}  # fmt: skip
for _name, _forms in _FILLS.items():
    SAMPLES[f"{_name}_fill"] = [f"!{one}.clone().{_name}_({_forms[k % 3]})" for k, one in enumerate(("m", "v", "s", "nt", "t3", "d", "e", "m[:, ::2]", "torch.zeros(20)"))]
    SAMPLES[f"{_name}_fill"] += [f"!m.clone().{_name}_({_forms[3]})", f"!m.{_name}_({_forms[0]})", f"!i.clone().{_name}_({_forms[0]})",
                                 f"!m.clone().{_name}_({_forms[0]}{', ' * bool(_forms[0])}generator=torch.Generator().manual_seed(3))"]  # fmt: skip
SAMPLES["bernoulli_number_fill"] = [f"!{one}.clone().bernoulli_({p})" for one, p in (("m", ""), ("v", "0.3"), ("s", "p=0.9"), ("nt", ""), ("t3", "0.2"), ("d", ""),
                                    ("i", ""), ("b", ""), ("e", ""), ("m", "1.5"), ("u", "0.7"))]  # fmt: skip
SAMPLES["bernoulli_tensor_fill"] = [f"!{one}.clone().bernoulli_({p})" for one, p in (("m", "prob.detach()"), ("v", "torch.tensor([0.2, 0.5, 0.9])"), ("s", "torch.tensor(0.4)"),
                                    ("m", "torch.tensor(0.5)"), ("d", "prob.detach().double()"), ("nt", "prob.detach()"), ("i", "torch.tensor([0.2, 0.5, 0.9])"),
                                    ("m", "m.detach()"), ("e", "torch.tensor(0.5)"), ("h", "torch.tensor(0.5)"))]  # fmt: skip
SAMPLES["_bernoulli"] = [f"!torch.bernoulli({one})" for one in ("prob", "prob[0]", "us", "prob.t()", "prob.double()", "m", "i", "e", "prob.half()", "prob[:, ::2]")]
SAMPLES["_bernoulli_number"] = [f"!torch.bernoulli({one}, {p})" for one, p in (("m", "0.5"), ("v", "0.2"), ("s", "0.9"), ("nt", "0.5"), ("d", "0.1"), ("i", "0.5"), ("m", "2"),
                                ("e", "0.5"), ("h", "0.5"), ("t3", "0.7"))]  # fmt: skip
SAMPLES["_normal_mean"] = [f"!torch.normal({rest})" for rest in ("m", "v, 2.0", "s, 0.5", "nt", "d", "m, std=0.1", "v, -1.0", "i", "e", "torch.zeros(20, requires_grad=True)")]
SAMPLES["_normal_std"] = [f"!torch.normal({rest})" for rest in ("0.0, pos", "1.0, pv", "-1.0, ps", "0.0, pt", "2.0, dp", "0.0, m", "0.0, i1", "0, e", "0.5, pos[:, ::2]",
                          "0.0, torch.ones(20, requires_grad=True)")]  # fmt: skip
SAMPLES["_normal_both"] = [f"!torch.normal({rest})" for rest in ("m, pos", "v, pv", "s, ps", "m, pv", "c, pos[:1]", "nt, pos", "d, pos.double()", "m, n", "e, e", "v, torch.ones(4)",
                           "torch.zeros(20, requires_grad=True), torch.ones(20)")]  # fmt: skip

SAMPLES["random_to_fill"] = [f"!{one}.clone().random_(5)" for one in ("m", "v", "s", "nt", "t3", "d", "e", "i", "u", "h")] + ["!b.clone().random_(2)", "!m.clone().random_(to=7)"]
SAMPLES["random_any_fill"] = [f"!{one}.clone().random_()" for one in ("m", "v", "s", "nt", "t3", "d", "e", "i", "u", "h", "b", "k")]
