"""Samples of the pointwise rows."""

from __future__ import annotations

SAMPLES: dict[str, list[str]] = {}
HELPERS = {
    "tanh_backward": "tanh",
    "sigmoid_backward": "sigmoid",
    "threshold_backward": "relu",
    "copy_of_gradient": "clone",
}

# name -> (matrix, vector, scalar, transposed): inputs on which the function is smooth
REAL, POSITIVE, UNIT = ("m", "v", "s", "nt"), ("pos", "pv", "ps", "pt"), ("unit", "uv", "us", "unit[:, ::2]")


def unary(*names: str, smooth: tuple[str, ...] = REAL, extra: tuple[str, ...] = (), kinks: bool = False) -> None:
    """Add the samples of functions of one tensor."""
    mark = "!" if kinks else ""
    for name in names:
        inputs = [f"{mark}torch.{name}({one})" for one in (*smooth, "d", "d[0, ::2]")]
        corners = [f"!torch.{name}({one})" for one in ("h", "e", "e23", "tie", "zeros", "wild", "big", "i", "u", "b", "i0", "m[:0]")]
        SAMPLES.setdefault(name, []).extend([*inputs, f"{mark}{smooth[0]}.{name}()", *corners, *extra,
                                             f"!torch.{name}([1.0])", f"!torch.{name}(s, out=torch.zeros(()))"])  # fmt: skip


def binary(*names: str, operator: str = "", smooth: tuple[str, ...] = ("m", "n", "v", "w", "c", "r", "s", "q"),
           extra: tuple[str, ...] = (), kinks: bool = False, numbers: bool = True) -> None:  # fmt: skip
    """Add the samples of functions of two tensors that broadcast."""
    a, b, x, y, column, row, p, q = smooth
    mark = "!" if kinks else ""
    pairs = [(a, b), (x, y), (a, x), (column, row), (p, q), (a, p), (q, b), (column, y), ("d", a), ("ds", x), (x, "ds"), (a, a)]
    corners = [("h", "h"), ("h", x), ("e", "e"), ("e", "one"), ("e23", x), ("tie", "tie"), ("zeros", "tie"), ("wild", "wild"),
               ("wild", "half"), ("i", "i1"), ("i", x), (x, "i"), ("i", "i0"), ("u", "i"), ("u", "k"), ("b", "b"), ("b", "i"),
               ("b", x), (a, "i0"), ("i", "s"), (a, "e23"), (x, "torch.ones(4)"), ("im", "i"), ("sh", "u"), ("b0", "i0")]  # fmt: skip
    for name in names:
        found = [f"{mark}torch.{name}({one}, {two})" for one, two in pairs]
        found += [f"!torch.{name}({one}, {two})" for one, two in corners]
        found += [f"{mark}{a}.{name}({b})", f"!torch.{name}({a}, 'x')", f"!torch.{name}({a}, None)"]
        if numbers:
            found += [f"{mark}torch.{name}({one}, {two})" for one, two in ((a, "2"), (x, "1.5"), (p, "3"), (a, "True"))]
            found += [f"!torch.{name}({one}, {two})" for one, two in (("i", "2"), ("i", "1.5"), ("b", "2"), ("b", "True"),
                      ("u", "300"), ("h", "2.5"), ("e", "1"), ("i0", "2.0"), ("d", "0.1"), (x, "0"), (x, "inf"))]  # fmt: skip
        if operator:
            found += [f"{mark}{a} {operator} {b}", f"{mark}{a} {operator} 2", f"{mark}2 {operator} {a}", f"!{a} {operator} 'x'",
                      f"!i {operator} i1", f"!i {operator} 2", f"!2.5 {operator} i", f"!b {operator} b", f"!b {operator} True"]  # fmt: skip
        SAMPLES.setdefault(name, []).extend([*found, *extra])


binary("mul", operator="*", extra=("torch.multiply(m, n)", "torch.mul(input=m, other=n)"))
binary("add", operator="+", extra=("torch.add(m, n, alpha=2)", "torch.add(m, n, alpha=-0.5)", "!torch.add(i, i, alpha=2)",
                                   "!torch.add(i, i, alpha=1.5)", "!torch.add(b, b, alpha=True)", "!torch.add(v, v, alpha=True)"))  # fmt: skip
binary("sub", operator="-", extra=("torch.sub(m, n, alpha=2)", "torch.subtract(m, r)", "!torch.sub(i, i, alpha=0.5)"))
SAMPLES["rsub"] = [
    "2 - m", "1.5 - v", "3 - s", "2 - nt", "2 - d", "torch.rsub(m, 2)", "torch.rsub(m, 2, alpha=3)", "!2 - i", "!2.5 - i",
    "!2 - h", "!2 - b", "!True - b", "!2 - e", "!1 - u", "!inf - wild",
]  # fmt: skip
SAMPLES["_rsub"] = [f"torch.rsub({a}, {b})" for a, b in (("m", "n"), ("v", "w"), ("c", "r"), ("s", "q"), ("m", "v"), ("d", "m"))]
SAMPLES["_rsub"] += ["torch.rsub(m, n, alpha=2)", "!torch.rsub(i, v)", "!torch.rsub(b, b)", "!torch.rsub(e, one)", "!m.rsub(n)"]
binary("div", operator="/", smooth=("m", "pos", "v", "pv", "c", "r", "s", "ps"),
       extra=("torch.divide(m, pos)", "torch.true_divide(m, pos)", "2 / pos", "!2 / i", "!torch.div(m, n, rounding_mode='up')"))  # fmt: skip
SAMPLES["_div_true"] = [
    "torch.div(m, pos, rounding_mode=None)", "m.div(pos[0], rounding_mode=None)", "torch.div(m, 2, rounding_mode=None)",
    "m.div(0.5, rounding_mode=None)", "s.div(pos, rounding_mode=None)", "torch.divide(m, pos, rounding_mode=None)",
    "!torch.div(i, 2, rounding_mode=None)", "!torch.div(wild, zeros[0, 0], rounding_mode=None)",
    "!m.div(e, rounding_mode=None)", "nt.div(nt * nt + 1, rounding_mode=None)", "!h.div(2, rounding_mode=None)",
    "!b.div(b, rounding_mode=None)",
]
SAMPLES["_div_mode"] = [
    f"!torch.div({a}, {b}, rounding_mode='{mode}')"
    for mode in ("floor", "trunc")
    for a, b in (("m", "n"), ("v", "w"), ("c", "r"), ("s", "q"), ("m", "2"), ("i", "i1"), ("i", "2"), ("i", "2.5"), ("im", "i1"),
                 ("i", "-2"), ("wild", "half"), ("half", "zeros[0, 0]"), ("i", "0"), ("b", "b"), ("u", "i1"), ("h", "h"), ("e", "e"))
]  # fmt: skip
binary("floor_divide", operator="//", kinks=True, extra=("!im // i1", "!i // 0", "!7 // i1", "!v // 0"))
unary("neg", extra=("-m", "-nt", "torch.negative(m)"))
unary("abs", extra=("abs(m)", "torch.absolute(m)"))
unary("sign", "sgn", kinks=True)
unary("reciprocal", extra=("1 / m",))
unary("exp", "exp2", "expm1", "erf", "erfc", "tanh", "sigmoid", "sinc", "deg2rad", "rad2deg")
unary("log", "log2", "log10", "log1p", "sqrt", "rsqrt", smooth=POSITIVE)
unary("sin", "cos", "tan", "atan", "sinh", "cosh", "asinh")
unary("asin", "acos", "atanh", smooth=UNIT)
unary("acosh", smooth=("(pos + 1)", "(pv + 1)", "(ps + 1)", "(pt + 1)"))
unary("logit", smooth=("prob", "prob[0]", "prob[0, 0]", "prob.t()"), extra=("torch.logit(prob, 0.15)", "!torch.logit(wild, 0.1)", "prob.logit(eps=1e-6)"))
unary("relu", extra=("!torch.relu(-wild)",))
unary("floor", "ceil", "trunc", "round", kinks=True, extra=("!torch.fix(half)", "!torch.round(half)", "!torch.floor(half)", "!torch.ceil(half)"))
unary("frac", kinks=True)
unary("nan_to_num", extra=("!torch.nan_to_num(wild, 1.0, 2.0, 3.0)", "!torch.nan_to_num(wild, nan=5.0)", "!wild.nan_to_num(posinf=1.0)"))
SAMPLES["_round_decimals"] = [
    f"!torch.round({one}, decimals={count})" for one in ("m", "v", "half", "d", "i", "wild", "e") for count in (1, -1, 3)
]  # fmt: skip
binary("atan2", extra=("torch.arctan2(m, n)", "!torch.atan2(zero, zero)", "!torch.atan2(zeros, zeros)"), numbers=False)
binary("hypot", extra=("!torch.hypot(zeros, zeros)",), numbers=False)
binary("maximum", "minimum", "fmax", "fmin", kinks=True, numbers=False)
binary("remainder", operator="%", kinks=True, extra=("!im % i1", "!im % -2", "!7 % i1", "!i % 0", "!v % 0", "!wild % 2"))
binary("fmod", kinks=True, extra=("!torch.fmod(im, i1)", "!torch.fmod(im, -2)", "!torch.fmod(i, 0)", "!torch.fmod(wild, 2)"))
for _row, _call in (("_remainder", "remainder"), ("_fmod", "fmod")):
    SAMPLES[_row] = [f"!torch.{_call}({a}, {b})" for a, b in (("m", "n"), ("v", "w"), ("c", "r"), ("s", "q"), ("m", "v"), ("d", "m"),
                     ("i", "i1"), ("i", "v"), ("half", "wild"), ("e", "one"), ("tie", "tie"))]  # fmt: skip
SAMPLES["_number_remainder"] = [f"!2 % {one}" for one in ("m", "v", "s", "d", "i1", "h", "e", "b", "u", "wild")]

for _name, _inputs in (("asinh", REAL), ("acosh", ("(pos + 1)", "(pv + 1)", "(ps + 1)", "(pt + 1)")), ("atanh", UNIT)):
    SAMPLES[f"{_name}_"] = [f"!{one}.clone().{_name}_()" for one in (*_inputs, "d", "h", "e", "wild", "i", "one", "b")]
SAMPLES["floor_divide_"] = [f"!{a}.clone().floor_divide_({b})" for a, b in (("m", "n"), ("v", "w"), ("m", "2"), ("s", "q"), ("m", "v"), ("i", "i1"), ("i", "2"), ("d", "m"),
                            ("nt", "m"), ("e", "one"), ("i", "0"))]  # fmt: skip
