"""Read the small part of LaTeX in which ops declare their formulas, name its symbols, and put numbers in their place.

A formula becomes nested lists that JSON can carry and every renderer can draw: `["sym", "a"]`, `["op", "⊙"]`,
`["bar", x]`, `["sup", base, exponent]`, `["sub", base, index]`, `["frac", above, below]`, `["sqrt", x]`,
`["row", …]`, `["mat", rows]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from typing import Any

Math = list[Any]

SIGNS = {
    "odot": "⊙",
    "cdot": "·",
    "times": "×",
    "top": "ᵀ",
    "le": "≤",
    "leq": "≤",
    "ge": "≥",
    "geq": "≥",
    "ne": "≠",
    "neq": "≠",
    "infty": "∞",
    "partial": "∂",
    "in": "∈",
    "to": "→",
    "rightarrow": "→",
    "mapsto": "↦",
    "sum": "Σ",
    "prod": "Π",
    "sigma": "σ",
    "alpha": "α",
    "beta": "β",
    "gamma": "γ",
    "delta": "δ",
    "epsilon": "ε",
    "lambda": "λ",
    "mu": "μ",
    "pi": "π",
    "theta": "θ",
    "phi": "φ",
    "Phi": "Φ",
    "tau": "τ",
    "ldots": "…",
    "dots": "…",
    "cdots": "…",
    "pm": "±",
    "div": "÷",
    "circ": "∘",
    "ast": "∗",
    "star": "⋆",
    "otimes": "⊗",
    "oplus": "⊕",
    "oslash": "⊘",
    "langle": "⟨",
    "rangle": "⟩",
    "lvert": "|",
    "rvert": "|",
    "lVert": "‖",
    "rVert": "‖",
    "Vert": "‖",
    "mid": "|",
    "colon": ":",
    "approx": "≈",
    "neg": "¬",
    "wedge": "∧",
    "vee": "∨",
    "forall": "∀",
    "sim": "∼",
    "prime": "′",
    "lfloor": "⌊",
    "rfloor": "⌋",
    "lceil": "⌈",
    "rceil": "⌉",
    "{": "{",
    "}": "}",
    "%": "%",
    "&": "&",
    "_": "_",
    "#": "#",
}
SPACES = frozenset(
    {",", ";", ":", "!", " ", "quad", "qquad", "left", "right", "big", "Big", "bigl", "bigr", "displaystyle"}
)
WORDS = frozenset(
    {
        "mathrm",
        "operatorname",
        "text",
        "mathbf",
        "mathbb",
        "mathit",
        "mathsf",
        "texttt",
        "mathcal",
        "boldsymbol",
        "mathtt",
    }
)
_TOKEN = re.compile(r"\\([a-zA-Z]+|.)|([{}^_&])|(\d+(?:\.\d+)?)|(\s+)|(.)", re.S)


def parse(source: str) -> Math:
    """Turn LaTeX into nested lists; what is not understood stays readable text."""
    tokens = [match for match in _TOKEN.finditer(source) if match[4] is None]
    return _Reader(tokens, source).row(None)


class _Reader:
    def __init__(self, tokens: list[re.Match[str]], source: str) -> None:
        self.tokens, self.source, self.at = tokens, source, 0

    def row(self, stop: str | None) -> Math:
        items: list[Any] = []
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            if token[2] == "}":
                self.at += 1
                if stop == "}":
                    break
                continue
            if token[2] in ("^", "_"):
                self.at += 1
                kind = "sup" if token[2] == "^" else "sub"
                base = items.pop() if items else ["op", ""]
                items.append([kind, base, self.atom()])
                continue
            item = self.atom()
            if item is not None:
                items.append(item)
        return ["row", *items]

    def atom(self) -> Any:
        if self.at >= len(self.tokens):
            return ["op", ""]
        token = self.tokens[self.at]
        self.at += 1
        if token[2] == "{":
            inner = self.row("}")
            return inner[1] if len(inner) == 2 else inner
        if token[1] is not None:
            return self.command(token[1])
        if token[3] is not None:
            return ["num", token[3]]
        sign = token[5] or token[2] or ""
        if sign.isalpha():
            return ["sym", sign]
        return ["op", {"-": "−", "*": "·", "'": "′", "~": " "}.get(sign, sign)]

    def command(self, name: str) -> Any:
        if name in ("bar", "overline"):
            return ["bar", self.atom()]
        if name in ("hat", "tilde", "vec", "dot"):
            return [name, self.atom()]
        if name in ("frac", "dfrac", "tfrac"):
            return ["frac", self.atom(), self.atom()]
        if name == "sqrt":
            return ["sqrt", self.atom()]
        if name in WORDS:
            return ["fn", self.words()]
        if name in SPACES:
            return None
        if name in SIGNS:
            return (
                ["sym", SIGNS[name]]
                if SIGNS[name].isalpha() and name not in ("top", "sum", "prod")
                else ["op", SIGNS[name]]
            )
        return ["fn", name] if name.isalpha() else ["op", name]

    def words(self) -> str:
        if self.at < len(self.tokens) and self.tokens[self.at][2] == "{":
            start = self.tokens[self.at].end()
            depth, self.at = 1, self.at + 1
            while self.at < len(self.tokens) and depth:
                depth += {"{": 1, "}": -1}.get(self.tokens[self.at][2] or "", 0)
                self.at += 1
            return self.source[start : self.tokens[self.at - 1].start()].replace("\\", "")
        return _flat(self.atom())


def walk(math: Math, change: Callable[[Math], Any]) -> Any:
    """Rebuild a formula bottom-up; `change` returns a replacement or None to keep what stands there."""
    rebuilt = [math[0], *(walk(item, change) if isinstance(item, list) else item for item in math[1:])]
    replacement = change(rebuilt)
    return rebuilt if replacement is None else replacement


def rename(math: Math, names: Mapping[str, str]) -> Math:
    """Replace symbols by names, all at once."""
    return walk(math, lambda part: ["name", names[part[1]]] if part[0] == "sym" and part[1] in names else None)


def symbols(math: Math) -> set[str]:
    """Return the symbols of a formula; of `ā` the `a`."""
    found: set[str] = set()
    walk(math, lambda part: found.add(part[1]) if part[0] == "sym" else None)
    return found


def plain_symbols(math: Math) -> set[str]:
    """Return the symbols whose value a formula uses: of `ā = ȳ ⊙ b` only `b`."""
    return symbols(walk(math, lambda part: ["op", ""] if part[0] == "bar" else None))


def sides(math: Math) -> tuple[Math, Math] | None:
    """Split a formula at its first equals sign."""
    for i, item in enumerate(math[1:], 1):
        if item == ["op", "="]:
            return ["row", *math[1:i]], ["row", *math[i + 1 :]]
    return None


def barred(math: Math) -> str | None:
    """Return the symbol whose gradient a derivative formula gives: of `ā = …` the `a`."""
    halves = sides(math)
    if halves is None or len(halves[0]) < 2 or halves[0][1][0] != "bar":
        return None
    inner = halves[0][1][1]
    return inner[1] if inner[0] == "sym" else None


def text(math: Math) -> str:
    """Write a formula as one line of text."""
    return unicodedata.normalize("NFC", re.sub(r"\s+", " ", _flat(math)).strip())


_SPACED = frozenset(["=", "+=", "⊙", "+", "−", "·", "×", "≤", "≥", ">", "<", "≠", "→", "∈", "⊘", "≈"])


def _flat(math: Any) -> str:
    if not isinstance(math, list):
        return str(math)
    kind = math[0]
    if kind == "row":
        return _row([_flat(item) for item in math[1:]], math[1:])
    if kind in ("sym", "op", "num", "fn", "name", "value"):
        return str(math[1])
    if kind == "bar":
        inner = _flat(math[1])
        return inner + "\u0304" if len(inner) == 1 else f"grad({inner})"
    if kind == "sup":
        return f"{_flat(math[1])}{_small(math[2], 'ᵀ', '^')}"
    if kind == "sub":
        return f"{_flat(math[1])}{_small(math[2], '', '_')}"
    if kind == "frac":
        return f"{_wrap(math[1])} / {_wrap(math[2])}"
    if kind == "sqrt":
        return f"√{_wrap(math[1])}"
    if kind == "mat":
        return "[" + "; ".join(", ".join(row) for row in math[1]) + "]"
    return _flat(math[1]) if len(math) > 1 else ""


def _row(texts: list[str], items: list[Any]) -> str:
    line = ""
    for i, (word, item) in enumerate(zip(texts, items)):
        unary = word == "−" and (i == 0 or (items[i - 1][0] == "op" and texts[i - 1] not in (")", "]")))
        if item[0] == "op" and word in _SPACED and not unary:
            line += f" {word} "
        elif item[0] == "op" and word == ",":
            line += ", "
        elif line and _ends_word(line) and (word[:1].isalnum() or word[:1] in "√[") and item[0] != "op":
            line += " " + word
        else:
            line += word
    return line


def _ends_word(line: str) -> bool:
    return line[-1].isalnum() or line[-1] in "\u0304]⁰¹²³⁴⁵⁶⁷⁸⁹ᵀ"


def _wrap(math: Any) -> str:
    words = _flat(math)
    return words if len(words) == 1 or re.fullmatch(r"[\w\u0304.]+", words) else f"({words})"


def _small(math: Any, transposed: str, mark: str) -> str:
    words = _flat(math)
    if words == "ᵀ":
        return transposed
    if mark == "^" and words in "0123456789" and len(words) == 1:
        return "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(words)]
    return f"{mark}{_wrap(math)}"
