"""Random small programs, run statement by statement on the lab and on torch, and compared in everything one can see.

A program is a list of small integer tuples, so that hypothesis can shrink it; `write` turns it into source lines.
"""

from __future__ import annotations

import difflib
import math
import re
import warnings
from typing import Any

# Shapes and values are small and exact in float32, so that printed digits cannot differ by rounding.
CREATE = (
    "torch.tensor([1., 2., 3.], requires_grad=True)",
    "torch.tensor([[1., -2., 0.5], [4., 0.25, -1.]], requires_grad=True)",
    "torch.tensor(2., requires_grad=True)",
    "torch.tensor([0.5, -1., 2.])",
    "torch.ones(2, 3)",
    "torch.zeros(3)",
    "torch.tensor([2., 1., -1.], dtype=torch.float64, requires_grad=True)",
    "torch.tensor([1, 2, 3])",
)
UNARY = (
    "{a} * 2", "-{a}", "{a}.exp()", "{a}.tanh()", "{a}.sin()", "{a}.relu()", "{a}.abs()", "{a} ** 2", "{a}.clone()",
    "{a}.sigmoid()", "{a}.sum()", "{a}.sum(0)", "{a}.mean()", "{a} + 1", "1 - {a}", "{a} / 2", "{a}.double()",
    "{a}.detach()", "{a}.data", "{a}.sum(-1, keepdim=True)", "{a}.max()", "{a}.clamp(-1, 1)", "{a}.float()",
    "{a}.mul(3)", "{a}.cos()", "{a}.square()", "{a}.neg()", "{a}.prod()", "{a}.mean(0)", "{a}.cumsum(0)",
    "torch.where({a} > 0, {a}, 0.)", "torch.stack([{a}, {a}])", "torch.cat([{a}.reshape(-1), {a}.reshape(-1)])",
    "torch.zeros_like({a})", "{a}.softmax(0)", "{a}.amax(0)", "{a}.flip(0)", "{a}.repeat(2)",
)  # fmt: skip
BINARY = ("{a} + {b}", "{a} * {b}", "{a} - {b}", "{a} / {b}", "torch.maximum({a}, {b})", "{a}.add({b}, alpha=2)",
          "{a} @ {b}", "torch.where({a} > {b}, {a}, {b})", "torch.stack([{a}, {b}])")  # fmt: skip
VIEWS = (
    "{a}.view(-1)", "{a}[0]", "{a}[1:]", "{a}.t()", "{a}.reshape(-1)", "{a}.unsqueeze(0)", "{a}.squeeze()",
    "{a}.expand(2, 3)", "{a}.transpose(0, -1)", "{a}[..., 0]", "{a}.narrow(0, 0, 1)", "{a}[:, 1]", "{a}[None]",
    "{a}.unbind(0)[0]", "{a}.split(1)[0]", "{a}.chunk(2)[0]", "{a}.diagonal()", "{a}.permute(1, 0)", "{a}.flatten()",
    "{a}.view_as({a})", "{a}[::2]", "{a}.as_strided((2,), (1,))", "{a}.select(0, 0)", "{a}.contiguous()",
)  # fmt: skip
IN_PLACE = (
    "{a}.add_(1)", "{a}.mul_(2)", "{a}.mul_({b})", "{a}.add_({b})", "{a}.zero_()", "{a}[0] = 1.", "{a}[0] = {b}[0]",
    "{a}.exp_()", "{a}.tanh_()", "{a}.copy_({b})", "{a} += 1", "{a} *= {b}", "{a}.sub_({b})", "{a}.detach_()",
    "{a}.fill_(2.)", "{a}[1:] = {b}[:1]", "{a}.data.add_(1)", "{a}.detach().mul_(2)", "{a}.requires_grad_()",
    "{a}.requires_grad_(False)", "{a}.grad = None", "{a}.data = {a}.detach() * 2", "{a}.relu_()", "{a}.neg_()",
    "{a}[{a} > 0] = 0.5", "{a}.clamp_(min=0)", "{a}.div_(2)", "{a}.pow_(2)", "{a}.sin_()", "{a}.unsqueeze_(0)",
    "{a}.t_()", "{a}[...] = {b}", "{a}.masked_fill_({a} > 1, 0.)",
)  # fmt: skip
GRAPH = (
    "{a}.sum().backward()", "{a}.sum().backward(retain_graph=True)", "{a}.backward()", "{a}.retain_grad()",
    "{a}.backward(torch.ones_like({a}))", "torch.autograd.grad({a}.sum(), {b}, allow_unused=True)",
    "torch.autograd.grad({a}.sum(), {b})", "torch.autograd.grad({a}.sum(), {b}, retain_graph=True, create_graph=True)",
    "{a}.register_hook(lambda g: log('hook {a}', g)) and None", "{a}.register_hook(lambda g: g * 2) and None",
    "torch.autograd.grad({a}.sum(), [{a}, {b}], allow_unused=True, retain_graph=True)",
    "(lambda gs: gs[0] is not None and gs[0].sum().backward())(torch.autograd.grad({a}.sum(), {b}, create_graph=True, "
    "allow_unused=True))",
    "{a}.register_post_accumulate_grad_hook(lambda p: log('post {a}', p.grad)) and None",
    "{a}.grad_fn and {a}.grad_fn.register_prehook(lambda gs: log('pre {a}', *gs)) and None",
    "{a}.grad_fn and {a}.grad_fn.register_hook(lambda gi, go: log('post {a}', *gi, *go)) and None",
    "torch.autograd.backward([{a}.sum(), {b}.sum()])", "({a} * {b}).sum().backward(inputs=[{a}])",
    "({a} * {a}.detach()).sum().backward()", "{a}.sum().backward(create_graph=True)",
)  # fmt: skip
KINDS = (
    (CREATE, True), (UNARY, True), (UNARY, True), (BINARY, True), (BINARY, True), (VIEWS, True), (VIEWS, True),
    (IN_PLACE, False), (IN_PLACE, False), (GRAPH, False), (GRAPH, False), (GRAPH, False),
)  # fmt: skip
NAMES = 12


def write(program: list[tuple[int, int, int, int, int]]) -> list[str]:
    """Turn integer tuples into source lines; names are a0, a1, … in order of creation."""
    lines = ["a0 = torch.tensor([1., 2., 3.], requires_grad=True)",
             "a1 = torch.tensor([[1., -2., 0.5], [4., 0.25, -1.]], requires_grad=True)"]  # fmt: skip
    count = 2
    for kind, choice, a, b, mode in program:
        templates, creates = KINDS[kind % len(KINDS)]
        # Late names are likelier: chains grow.
        text = templates[choice % len(templates)].format(a=f"a{count - 1 - a % count}", b=f"a{count - 1 - b % count}")
        if creates and count < NAMES:
            text = f"a{count} = {text}"
            count += 1
        if mode == 0 and "lambda" not in text:
            text = f"with torch.no_grad(): {text}"
        lines.append(text)
    return lines


def clean(text: str) -> str:
    """Fold together what may differ: addresses, the package's name, C++ places."""
    text = re.sub(r"0x[0-9a-f]+", "0x...", text)
    text = re.sub(r" \(Triggered internally at [^)]*\)", "", text)
    return text.replace("autograd_lab", "torch")


def read(value: Any, what: Any) -> Any:
    """Read something of a tensor; an error is something to see, too."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            return what(value)
        except RuntimeError as error:
            return f"raises {error}"


def edges(value: Any) -> list[str]:
    """Return the names of the node and of what it leads to."""
    node = value.grad_fn
    return [] if node is None else [type(node).__name__, *(f"{type(f).__name__}:{k}" for f, k in node.next_functions)]


def look(value: Any) -> str:
    """Say everything visible about a tensor."""
    base = None if value._base is None else tuple(value._base.shape)
    flags = read(value, lambda t: t.is_leaf), value.requires_grad
    grad = read(value, lambda t: t.grad)
    return f"{value!r} | {read(value, edges)} | v{value._version} | {flags} | {base} | {grad!r}"


def run(lines: list[str], torch: Any) -> list[str]:
    """Run a program; return what could be seen after each statement."""
    seen: list[str] = []
    events: list[str] = []

    def log(*what: Any) -> None:
        events.append(" ".join(repr(one) for one in what))

    space: dict[str, Any] = {"torch": torch, "log": log}
    torch.set_grad_enabled(True)
    for line in lines:
        error = ""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                exec(line, space)
            except Exception as raised:
                error = f"{type(raised).__name__}: {raised}"
        said = [str(one.message) for one in caught]
        state = [f"{name}: {look(value)}" for name, value in space.items()
                 if re.fullmatch(r"a\d+", name) and isinstance(value, torch.Tensor)]  # fmt: skip
        seen.append(clean("\n".join([line, error, *said, *events, *state])))
        events.clear()
    return seen


NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?")


def alike(mine: str, real: str) -> bool:
    """Say whether two texts differ only in the last digits of float32 numbers (their kernels' exp, sin … do)."""
    if NUMBER.sub("#", mine) != NUMBER.sub("#", real):
        return False
    pairs = zip(NUMBER.findall(mine), NUMBER.findall(real), strict=True)
    return all(math.isclose(float(a), float(b), rel_tol=1e-6, abs_tol=1.01e-4) for a, b in pairs)


def compare(lines: list[str], lab: Any, torch: Any) -> None:
    """Raise AssertionError at the first statement after which the two can be told apart."""
    ours, theirs = run(lines, lab), run(lines, torch)
    for k, (mine, real) in enumerate(zip(ours, theirs, strict=True)):
        if mine != real and not alike(mine, real):
            told = difflib.unified_diff(mine.split("\n"), real.split("\n"), "lab", "torch", lineterm="", n=0)
            raise AssertionError("\n".join(["program:", *lines[: k + 1], "differs:", *told]))
