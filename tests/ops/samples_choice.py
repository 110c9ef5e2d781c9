"""Samples of comparisons, choices, blends and powers."""

from __future__ import annotations

from tests.ops import samples_pointwise as pointwise

SAMPLES: dict[str, list[str]] = {}
HELPERS: dict[str, str] = {}

_ours, pointwise.SAMPLES = pointwise.SAMPLES, SAMPLES
pointwise.binary("eq", operator="==", kinks=True)
pointwise.binary("ne", operator="!=", kinks=True)
pointwise.binary("lt", operator="<", kinks=True)
pointwise.binary("le", operator="<=", kinks=True)
pointwise.binary("gt", operator=">", kinks=True)
pointwise.binary("ge", operator=">=", kinks=True)
pointwise.binary("logical_and", "logical_or", "logical_xor", kinks=True, numbers=False)
pointwise.binary("logaddexp", "logaddexp2", numbers=False, smooth=("m", "n", "v", "w", "c", "r", "s", "q"))
pointwise.binary("xlogy", numbers=False, smooth=("m", "pos", "v", "pv", "c", "prob[:1]", "s", "ps"))
pointwise.SAMPLES = _ours

for _name, _sign in (("bitwise_and", "&"), ("bitwise_or", "|"), ("bitwise_xor", "^")):
    SAMPLES[_name] = [f"!torch.{_name}({a}, {b})" for a, b in (("i", "i1"), ("im", "i1"), ("b", "b"), ("bm", "b"), ("u", "i"),
                      ("i", "3"), ("b", "True"), ("m", "n"), ("i0", "i"), ("b", "i"), ("im", "i0"), ("e", "e"), ("i", "'x'"))]  # fmt: skip
    SAMPLES[_name] += [f"!i {_sign} i1", f"!bm {_sign} b", f"!i {_sign} 3", f"!3 {_sign} i", f"!m {_sign} m"]
for _name, _sign in (("bitwise_left_shift", "<<"), ("bitwise_right_shift", ">>")):
    SAMPLES[_name] = [f"!torch.{_name}({a}, {b})" for a, b in (("i", "i1"), ("im", "i1"), ("u", "i1"), ("i", "2"), ("i0", "i1"),
                      ("k", "i1"), ("im", "i0"), ("im", "1"), ("sh", "sh.abs()"))]  # fmt: skip
    SAMPLES[_name] += [f"!i {_sign} i1", f"!im {_sign} 2"]
SAMPLES["bitwise_not"] = [f"!torch.bitwise_not({one})" for one in ("i", "im", "b", "bm", "u", "k", "i0", "b0", "m", "sh", "e")] + ["!~b", "!~i", "!~m"]
SAMPLES["logical_not"] = [f"!torch.logical_not({one})" for one in ("m", "i", "b", "zeros", "wild", "u", "s", "e", "h", "im", "b0")]
for _name in ("isnan", "isinf", "isfinite", "isposinf", "isneginf", "signbit"):
    SAMPLES[_name] = [f"!torch.{_name}({one})" for one in ("wild", "m", "i", "b", "zeros", "s", "e", "h", "d", "u", "big")]
SAMPLES["isclose"] = [f"!torch.isclose({a}, {b})" for a, b in (("m", "m"), ("m", "n"), ("wild", "wild"), ("i", "i"), ("i", "i1"), ("m", "r"),
                      ("m", "d"), ("e", "e"), ("b", "b"), ("s", "m"))]  # fmt: skip
SAMPLES["isclose"] += ["!torch.isclose(wild, wild, equal_nan=True)", "!m.isclose(m + 1e-6)", "!torch.isclose(m, m + 0.1, rtol=0.1)",
                       "!torch.isclose(m, m, atol=-1)", "!torch.allclose(m, m)", "!torch.allclose(m, n)", "!m.allclose(m * 1.1, 0.2)",
                       "!torch.equal(m, m)", "!torch.equal(m, n)", "!torch.equal(m, v)", "!torch.equal(wild, wild)", "!torch.equal(m, 1)"]  # fmt: skip

SAMPLES["where"] = [
    "torch.where(bm, m, n)", "torch.where(m > 0, m, 2.0)", "torch.where(b, 1.0, m)", "torch.where(b, v, m)", "torch.where(bm, r, c)",
    "torch.where(b0, s, q)", "torch.where(b0, m, n)", "m.where(bm, n)", "torch.where(bm, d, m)", "torch.where(b, nt, 0)",
    "torch.where(bm, s, 1)", "!torch.where(b, 1, 0)", "!torch.where(b, 1.5, 0)", "!torch.where(b, i, v)", "!torch.where(i, v, w)",
    "!torch.where(b, True, 2)", "!torch.where(bm)", "!torch.where(wild > 0, wild, 0.0)", "!torch.where(bm, m, torch.ones(4))",
    "!torch.where(b, i, 2.5)", "torch.where(bm, input=m, other=n)", "torch.where(bm.unsqueeze(0), v, 0.)",
]  # fmt: skip
SAMPLES["masked_fill"] = [
    "torch.masked_fill(m, bm, 0.5)", "!m.masked_fill(b, -inf)", "v.masked_fill(b, 2)", "v.masked_fill(bm, 1.0)", "s.masked_fill(b0, 3.0)",
    "nt.masked_fill(bm, 0)", "d.masked_fill(bm, 1.5)", "!i.masked_fill(b, 2.5)", "!i.masked_fill(b, 7)", "!m.masked_fill(i, 0)",
    "!e.masked_fill(e > 0, 1)", "!wild.masked_fill(wild != wild, 0.0)", "m.masked_fill(mask=bm, value=2)", "!b.masked_fill(b, False)",
]  # fmt: skip
SAMPLES["_masked_fill"] = [
    "torch.masked_fill(m, bm, s)", "m.masked_fill(b, q)", "v.masked_fill(b, s)", "v.masked_fill(bm, s)", "s.masked_fill(b0, q)",
    "nt.masked_fill(bm, s)", "d.masked_fill(bm, s)", "!i.masked_fill(b, i0)", "!m.masked_fill(bm, v)", "m.masked_fill(bm, ds)",
    "m.masked_fill(~bm, torch.tensor(2.0))",
]  # fmt: skip
SAMPLES["clamp"] = [
    "torch.clamp(m, -0.5, 1.0)", "m.clamp(min=0.1)", "m.clamp(max=0.4)", "v.clamp(-1, 1)", "s.clamp(0, 1)", "nt.clamp(0.05)",
    "d.clamp(-0.25, 0.75)", "torch.clip(m, -0.5, 1.0)", "m.clamp(1.0, -1.0)", "!tie.clamp(2, 3)", "!zeros.clamp(0, 1)", "!wild.clamp(-1, 1)",
    "!i.clamp(0, 3)", "!i.clamp(0.5)", "!i.clamp(0, 2.5)", "!u.clamp(4)", "!m.clamp()", "!e.clamp(0)", "!h.clamp(0, 1)", "!b.clamp(0)",
    "!m.clamp(nan, 1)", "!m.clamp(0, v)", "m.clamp(max=inf)",
]  # fmt: skip
SAMPLES["_clamp"] = [
    "torch.clamp(m, -pos, pos)", "m.clamp(min=n)", "m.clamp(max=v)", "m.clamp(r, c)", "!v.clamp(q, s)", "s.clamp(q, q + 3)", "m.clamp(n, -n)",
    "!tie.clamp(tie, tie)", "!wild.clamp(zero, zero + 1)", "!i.clamp(i1, i1)", "!i.clamp(v, w)", "!e.clamp(e)", "!m.clamp(min=d)",
]  # fmt: skip
for _name, _row in (("clamp_min", "min"), ("clamp_max", "max")):
    SAMPLES[_name] = [f"torch.{_name}(m, 0.2)", f"v.{_name}(1)", f"s.{_name}(2.0)", f"nt.{_name}(0.1)", f"d.{_name}(0.25)", f"!tie.{_name}(2)",
                      f"!wild.{_name}(0.0)", f"!i.{_name}(1)", f"!i.{_name}(1.5)", f"!e.{_name}(0)", f"!h.{_name}(1)", f"!zeros.{_name}(0)"]  # fmt: skip
    SAMPLES[f"_{_name}"] = [f"torch.{_name}(m, n)", f"m.{_name}(v)", f"v.{_name}(m)", f"s.{_name}(q)", f"m.{_name}(s)", f"!tie.{_name}(tie)",
                            f"!wild.{_name}(zero)", f"!i.{_name}(i1)", f"!d.{_name}(m)", f"!e.{_name}(one)", f"c.{_name}(r)"]  # fmt: skip

SAMPLES["lerp"] = [
    "torch.lerp(m, n, 0.25)", "torch.lerp(m, n, 0.75)", "m.lerp(r, 2)", "v.lerp(w, -0.5)", "s.lerp(q, 0.5)", "m.lerp(v, 0)", "m.lerp(n, 1)",
    "c.lerp(r, 0.1)", "nt.lerp(m, 0.3)", "!m.lerp(d, 0.5)", "!e.lerp(e, 0.5)", "!wild.lerp(half, 0.5)", "!h.lerp(h, 0.5)", "!i.lerp(i1, 0.5)",
]  # fmt: skip
SAMPLES["_lerp"] = [
    "torch.lerp(m, n, prob)", "m.lerp(n, v)", "v.lerp(w, s)", "s.lerp(q, us)", "m.lerp(r, c)", "c.lerp(r, prob)", "nt.lerp(m, prob)",
    "!e.lerp(e, e)", "!m.lerp(n, dv)", "!wild.lerp(half, half)", "d.lerp(d, d)",
]  # fmt: skip
SAMPLES["addcmul"] = [
    "torch.addcmul(m, n, pos)", "torch.addcmul(m, n, r, value=0.5)", "m.addcmul(c, r, value=2)", "v.addcmul(m, w)", "s.addcmul(q, q)",
    "nt.addcmul(m, n)", "m.addcmul(d, n)", "!i.addcmul(i1, i1)", "!i.addcmul(i1, i1, value=1.5)", "!e.addcmul(e, one)", "!wild.addcmul(half, half)",
    "!h.addcmul(h, h)", "!m.addcmul(n, torch.ones(4))",
]  # fmt: skip
SAMPLES["addcdiv"] = [
    "torch.addcdiv(m, n, pos)", "torch.addcdiv(m, n, r, value=0.5)", "m.addcdiv(c, r, value=2)", "v.addcdiv(m, w)", "s.addcdiv(q, q)",
    "nt.addcdiv(m, n)", "m.addcdiv(d, n)", "!i.addcdiv(i1, i1)", "!e.addcdiv(e, one)", "!wild.addcdiv(half, zeros[0, 0])", "!h.addcdiv(h, h)",
]  # fmt: skip

SAMPLES["pow"] = [
    "m ** 2", "torch.pow(m, 3)", "m ** 0", "m ** 1", "pos ** 0.5", "pos ** -1", "pos ** 2.5", "pos ** -0.5", "v ** 2.0", "s ** 3", "nt ** 2", "d ** 2",
    "d ** 4", "m.square()", "torch.square(v)", "m ** True", "!i ** 2", "!i ** 0.5", "!i ** -1", "!b ** 2", "!u ** 3", "!e ** 2", "!h ** 2",
    "!zeros ** 2", "!zeros ** 0.5", "!zeros ** 0", "!zeros ** 1", "!zeros ** -1", "!wild ** 2", "!wild ** 0.5", "!m ** 'x'", "!torch.pow(m, 'x')",
    "!m.clone().pow_(2)", "!m.clone().square_()", "pos.float_power(2)", "torch.pow(pos, exponent=1.5)", "!m.clone().__ipow__(2)", "pos ** np.float64(2.0)",
    "!h ** 3", "!big ** 2",
]  # fmt: skip
SAMPLES["_pow_tensors"] = [
    "pos ** m", "torch.pow(pos, v)", "pv ** pos", "ps ** s", "pos ** s", "ps ** m", "torch.pow(pos, torch.tensor(2.0))", "m ** i1", "pt ** m",
    "d.abs() ** m", "!i ** i1", "!i ** v", "!im ** i0", "!zeros ** zeros", "!zeros ** torch.tensor(0.5)", "!wild ** wild[0:1]", "!e ** e", "!b ** b",
    "!m ** torch.ones(4)", "pos.clone().pow_(m)", "!i1 ** i", "pos.float_power(m)", "!h ** h", "pos.pow(exponent=m)", "!u ** u",
]  # fmt: skip
SAMPLES["_pow_number"] = [
    "2 ** m", "torch.pow(2, v)", "0.5 ** s", "1.5 ** nt", "3 ** d", "!0 ** zeros", "!0 ** m", "!(-2) ** i1", "!2 ** i1", "!2.5 ** i", "!2 ** i", "!2 ** b",
    "!2 ** e", "!2 ** h", "!1 ** m", "!2 ** wild", "!(-1.5) ** m", "torch.float_power(2, m)",
]  # fmt: skip

for _name in ("eq", "ne", "lt", "le", "gt", "ge"):
    SAMPLES[f"_{_name}_tensor_"] = [f"!{a}.clone().{_name}_({b})" for a, b in (("m", "n"), ("m", "r"), ("v", "w"), ("s", "q"), ("i", "i1"), ("nt", "m"), ("d", "m"),
                                    ("tie", "tie"), ("wild", "wild"), ("e", "e"), ("v", "m"))]  # fmt: skip
    SAMPLES[f"_{_name}_number_"] = [f"!{one}.clone().{_name}_(2)" for one in ("m", "v", "s", "i", "nt", "d", "tie", "wild", "e", "b")] + [f"!m.clone().{_name}_('x')"]
SAMPLES["_xlogy_number"] = ["torch.xlogy(m, 2)", "v.xlogy(1.5)", "s.xlogy(3)", "nt.xlogy(2)", "d.xlogy(0.5)", "!zeros.xlogy(0)", "!zeros.xlogy(2)", "!wild.xlogy(2)",
                            "!i.xlogy(2)", "!e.xlogy(2)", "!m.xlogy(-1)"]  # fmt: skip
SAMPLES["_number_xlogy"] = ["torch.xlogy(2, pos)", "torch.xlogy(1.5, pv)", "torch.xlogy(3, ps)", "torch.xlogy(2, pt)", "torch.xlogy(0.5, dp)", "!torch.xlogy(0, zeros)",
                            "!torch.xlogy(2, zeros)", "!torch.xlogy(2, wild)", "!torch.xlogy(2, i)", "!torch.xlogy(2, e)", "!torch.xlogy(-1, pos)"]  # fmt: skip

for _name in ("heaviside", "nextafter", "copysign"):
    SAMPLES[_name] = [f"!torch.{_name}({a}, {b})" for a, b in (("m", "n"), ("v", "w"), ("m", "v"), ("s", "q"), ("c", "r"), ("zeros", "tie"), ("wild", "half"), ("e", "e"), ("m", "m"),
                      ("d", "d"), ("h", "h"), ("i", "i1"), ("nt", "m"))]  # fmt: skip
