"""Read the small part of LaTeX in which ops declare their formulas, name its symbols, and put numbers in their place.

A formula becomes nested lists that JSON can carry and every renderer can draw: `["sym", "a"]`, `["op", "⊙"]`,
`["bar", x]`, `["sup", base, exponent]`, `["sub", base, index]`, `["frac", above, below]`, `["sqrt", x]`,
`["row", …]`, `["mat", rows]`.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping
from functools import lru_cache
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
    {
        "textstyle",
        ",",
        ";",
        ":",
        "!",
        " ",
        "quad",
        "qquad",
        "left",
        "right",
        "big",
        "Big",
        "bigl",
        "bigr",
        "displaystyle",
    }
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
_TOKEN = re.compile(
    r"\\(?P<command>[a-zA-Z]+|.)|(?P<mark>[{}^_&])|(?P<number>\d+(?:\.\d+)?)|(?P<space>\s+)|(?P<sign>.)", re.S
)


@lru_cache(maxsize=2048)
def parse(source: str) -> Math:
    """Turn LaTeX into nested lists, which nobody may change; what is not understood stays readable text."""
    return _Reader(source).row()


class _Reader:
    """Read from left to right; `tokens` are (kind, text): command, mark, number or sign."""

    def __init__(self, source: str) -> None:
        self.tokens: list[tuple[str, str]] = []
        for match in _TOKEN.finditer(source):
            self.tokens.append((str(match.lastgroup), match[str(match.lastgroup)]))
        self.at = 0

    def peek(self) -> tuple[str, str]:
        """Return the next token that is no space."""
        while self.at < len(self.tokens) and self.tokens[self.at][0] == "space":
            self.at += 1
        return self.tokens[self.at] if self.at < len(self.tokens) else ("end", "")

    def row(self, *stops: tuple[str, str]) -> Math:
        """Read until one of the stops, which stays unread, or until the end."""
        items: list[Any] = []
        while (token := self.peek()) != ("end", "") and token not in stops:
            if token == ("mark", "}"):
                self.at += 1
            elif token in (("mark", "^"), ("mark", "_")):
                self.at += 1
                base = items.pop() if items else ["op", ""]
                items.append(["sup" if token[1] == "^" else "sub", base, self.argument()])
            else:
                item = self.atom()
                if item == ["op", "="] and items and items[-1] == ["op", "+"]:
                    items[-1] = ["op", "+="]
                elif item is not None:
                    items.append(item)
        return ["row", *items]

    def argument(self) -> Any:
        """Read what belongs to a command: a group, or one letter or digit."""
        kind, text = self.peek()
        if kind == "number" and len(text) > 1:
            self.tokens[self.at] = ("number", text[1:])
            return ["num", text[0]]
        return self.atom()

    def atom(self) -> Any:
        """Read one thing; None for a space."""
        kind, text = self.peek()
        self.at += 1
        if (kind, text) == ("mark", "{"):
            inner = self.row(("mark", "}"))
            self.at += 1
            return inner[1] if len(inner) == 2 else inner
        if kind == "command":
            return self.command(text)
        if kind == "number":
            return ["num", text]
        if text.isalpha():
            return ["sym", text]
        return ["op", {"-": "−", "*": "·", "'": "′", "~": " "}.get(text, text)]

    def command(self, name: str) -> Any:
        """Read what a command makes; None when it makes nothing."""
        if name in ("bar", "overline"):
            return ["bar", self.argument()]
        if name in ("hat", "tilde", "vec", "dot", "mathrel", "mathbin"):
            return self.argument()
        if name in ("frac", "dfrac", "tfrac"):
            return ["frac", self.argument(), self.argument()]
        if name == "sqrt":
            return ["sqrt", self.argument()]
        if name in WORDS:
            return ["fn", self.words()]
        if name == "begin":
            return self.cases() if self.words() == "cases" else None
        if name in SPACES:
            return None
        if name in SIGNS:
            letter = SIGNS[name].isalpha() and name not in ("top", "sum", "prod")
            return ["sym" if letter else "op", SIGNS[name]]
        return ["fn", name] if name.isalpha() else ["op", name]

    def cases(self) -> Any:
        """Read the rows of a distinction of cases: value, condition."""
        ends = (("mark", "&"), ("command", "\\"), ("command", "end"))
        rows: list[list[Any]] = [[]]
        while True:
            rows[-1].append(self.row(*ends))
            token = self.peek()
            self.at += 1
            if token == ("command", "\\"):
                rows.append([])
            elif token != ("mark", "&"):
                break
        self.words()
        return ["cases", *(row for row in rows if row)]

    def words(self) -> str:
        """Read a group as it is written."""
        if self.peek() != ("mark", "{"):
            return text(self.argument())
        self.at += 1
        depth, found = 1, ""
        while self.at < len(self.tokens):
            token = self.tokens[self.at]
            self.at += 1
            depth += {("mark", "{"): 1, ("mark", "}"): -1}.get(token, 0)
            if not depth:
                break
            found += token[1]
        return found


def walk(math: Math, change: Callable[[Math], Any]) -> Any:
    """Rebuild a formula bottom-up; `change` returns a replacement or None to keep what stands there."""
    if math[0] == "cases":
        rows = [[walk(cell, change) for cell in row] for row in math[1:]]
        return ["cases", *rows]
    rebuilt = [math[0], *(walk(item, change) if isinstance(item, list) else item for item in math[1:])]
    replacement = change(rebuilt)
    return rebuilt if replacement is None else replacement


def rename(math: Math, names: Mapping[str, str]) -> Math:
    """Replace symbols by names, all at once."""
    return walk(math, lambda part: ["name", names[part[1]]] if part[0] == "sym" and part[1] in names else None)


def multiplied(math: Math) -> Math:
    """Put a dot between neighbours of which one has become a number: `α ȳ` is readable, `α1` is not."""
    operands = ("sym", "name", "bar", "value", "mat", "num")

    def kind(item: Math) -> Any:
        return item[1][0] if item[0] in ("sup", "sub") else item[0]

    def change(part: Math) -> Any:
        if part[0] != "row":
            return None
        items: list[Any] = []
        for item in part[1:]:
            pair = (kind(items[-1]), kind(item)) if items else ()
            if pair and all(one in operands for one in pair) and "value" in pair:
                items.append(["op", "·"])
            items.append(item)
        return ["row", *items]

    return walk(math, change)


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
    left: Any = halves[0][1] if halves is not None and len(halves[0]) > 1 else ["op", ""]
    while left[0] in ("sub", "sup"):
        left = left[1]
    if left[0] != "bar":
        return None
    inner = left[1]
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
        return f"({_wrap(math[1])}/{_wrap(math[2])})"
    if kind == "sqrt":
        return f"√{_wrap(math[1])}"
    if kind == "cases":
        return "; ".join(" if ".join(_flat(cell) for cell in row) for row in math[1:])
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
    if words.startswith("(") and words.endswith(")"):
        return mark + words
    if mark == "^" and words in "0123456789" and len(words) == 1:
        return "⁰¹²³⁴⁵⁶⁷⁸⁹"[int(words)]
    return f"{mark}{_wrap(math)}"
