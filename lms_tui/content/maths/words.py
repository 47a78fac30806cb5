"""Describe a formula in words, for screen readers and braille displays."""

import unicodedata
from collections.abc import Iterator
from typing import Final

from lms_tui.content.maths.line import case, single
from lms_tui.content.maths.tree import (
    EMPTY,
    Accent,
    Atom,
    Enclosed,
    Fence,
    Fraction,
    Grid,
    Node,
    Role,
    Root,
    Row,
    Scripts,
    Space,
    inline,
)

_SAID: Final = {
    "=": "equals", "+": "plus", "−": "minus", "±": "plus or minus", "∓": "minus or plus", "×": "times", "·": "times",
    "⋅": "times", "÷": "divided by", "/": "over", "<": "is less than", ">": "is greater than",
    "≤": "is less than or equal to", "≥": "is greater than or equal to", "⩽": "is less than or equal to",
    "⩾": "is greater than or equal to", "≠": "is not equal to", "≈": "is approximately equal to",
    "≡": "is identical to", "≅": "is congruent to", "∼": "is similar to", "∝": "is proportional to", "∈": "in",
    "∉": "not in", "⊂": "is a subset of", "⊆": "is a subset of or equal to", "⊃": "is a superset of",
    "∪": "union", "∩": "intersection", "∖": "without", "∅": "the empty set", "→": "to", "⟶": "gives",
    "⇒": "implies", "⟹": "implies", "⇔": "if and only if", "⟺": "if and only if", "⇌": "in equilibrium with",
    "↦": "maps to", "∞": "infinity", "∑": "the sum", "∏": "the product", "∫": "the integral",
    "∬": "the double integral", "∭": "the triple integral", "∮": "the contour integral", "∂": "partial", "∇": "nabla",
    "∀": "for all", "∃": "there exists", "¬": "not", "∧": "and", "∨": "or", "⊥": "is perpendicular to",
    "∥": "is parallel to", "∠": "angle", "△": "triangle", "°": "degrees", "∘": "degrees", "′": "prime",
    "″": "double prime", "…": "dots", "⋯": "dots", "!": "factorial", "%": "percent", "|": "such that", ":": "colon",
    ",": ",", ";": ";", "ℝ": "the real numbers", "ℤ": "the integers", "ℕ": "the natural numbers",
    "ℚ": "the rational numbers", "ℂ": "the complex numbers", "sin": "sine", "cos": "cosine", "tan": "tangent",
    "cot": "cotangent", "sec": "secant", "csc": "cosecant", "cosec": "cosecant", "log": "log", "ln": "natural log",
    "lim": "the limit", "det": "the determinant of", "↑": "gas", "↓": "precipitate",
}  # fmt: skip
_POWERS: Final = {"2": "squared", "3": "cubed", "′": "prime", "″": "double prime", "‴": "triple prime",
                  "∘": "degrees", "°": "degrees", "*": "star", "T": "transposed", "+": "plus",
                  "−": "minus"}  # fmt: skip
_ACCENTS: Final = {"→": "vector", "⟶": "vector", "⃗": "vector", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde",
                   "¯": "bar", "―": "bar", "‾": "bar", "˙": "dot", "¨": "double dot", "_": "underlined"}  # fmt: skip
_FENCES: Final = {("|", "|"): ("the absolute value of", "end absolute value"), ("‖", "‖"): ("the norm of", "end norm"),
                  ("⌊", "⌋"): ("the floor of", "end floor"), ("⌈", "⌉"): ("the ceiling of", "end ceiling"),
                  ("(", ")"): ("open bracket", "close bracket"), ("[", "]"): ("open square bracket",
                  "close square bracket"), ("{", "}"): ("open brace", "close brace")}  # fmt: skip
_DELIMITERS: Final = {"(": "open bracket", ")": "close bracket", "[": "open square bracket",
                      "]": "close square bracket", "{": "open brace", "}": "close brace", "|": "bar"}  # fmt: skip


def speak(node: Node) -> str:
    """Describe a tree in words and name the ends of its parts."""
    return " ".join(_speak(node).split()).replace(" ,", ",").replace(" ;", ";")


def _speak(node: Node) -> str:  # noqa: C901, PLR0911 - one return for each kind of node
    match node:
        case Atom():
            return _atom(node)
        case Space():
            return " "
        case Row(children):
            return " ".join(_speak(child) for child in children)
        case Fraction():
            return _fraction(node)
        case Root():
            return _root(node)
        case Scripts():
            return _scripts(node)
        case Accent():
            return f"{_speak(node.base)} {_ACCENTS.get(node.mark, 'with ' + _name(node.mark))}"
        case Fence():
            return _fence(node)
        case Grid():
            return _grid(node)
        case Enclosed():
            word = "boxed" if node.notation == "box" else "crossed out"
            return f"{word} {_speak(node.body)} end {word}"


def _atom(node: Atom) -> str:
    text = node.text
    if text in _SAID:
        return _SAID[text]
    if node.upright or text.isascii() or len(text) > 1:
        return text
    return _name(text)


def _name(char: str) -> str:
    """Return the name of a symbol: alpha, capital delta, right arrow."""
    if len(char) != 1:
        return char
    name = unicodedata.name(unicodedata.normalize("NFKC", char)[:1], "").lower()
    for prefix in ("greek small letter ", "latin small letter ", "latin capital letter "):
        name = name.removeprefix(prefix)
    return name.replace("greek capital letter ", "capital ") or char


def _short(node: Node) -> bool:
    return len(inline(node)) == 1 and isinstance(inline(node)[0], Atom)


def _fraction(node: Fraction) -> str:
    over, under = _speak(node.over), _speak(node.under)
    if not node.bar:
        return f"{over} above {under}"
    if _short(node.over) and _short(node.under):
        return f"{over} over {under}"
    return f"the fraction {over} over {under} end fraction"


def _root(node: Root) -> str:
    degree = "" if node.degree is None else _speak(node.degree).strip()
    kind = {"": "square", "2": "square", "3": "cube"}.get(degree, f"{degree}-th")
    end = "" if _short(node.body) else " end root"
    return f"the {kind} root of {_speak(node.body)}{end}"


def _scripts(node: Scripts) -> str:
    parts = [_speak(node.base)] if node.base != EMPTY else []
    large = isinstance(node.base, Atom) and (node.base.role is Role.LARGE or node.base.text in {"∫", "∬", "∭", "∮"})
    below, above = node.below or None, node.above or None
    if large or node.limits:
        return " ".join([*parts, *_limits(node.base, below, above), "of"])
    if below is not None and below != EMPTY:
        parts.append(f"sub {_speak(below)}{'' if single(below) else ' end sub'}")
    if above is not None and above != EMPTY:
        power = _POWERS.get(above.text) if isinstance(above, Atom) else None
        end = "" if single(above) else " end power"
        parts.append(power or f"to the power {_speak(above)}{end}")
    return " ".join(parts)


def _limits(base: Node, below: Node | None, above: Node | None) -> Iterator[str]:
    if below is not None:
        word = "as" if isinstance(base, Atom) and base.text == "lim" else "from" if above else "over"
        yield f"{word} {_speak(below)}"
    if above is not None:
        yield f"to {_speak(above)}"


def _fence(node: Fence) -> str:
    if isinstance(node.body, Fraction) and not node.body.bar:
        return f"{_speak(node.body.over)} choose {_speak(node.body.under)}"
    if isinstance(node.body, Grid) and node.opening:
        return _grid(node.body, "determinant" if node.opening == "|" else "cases" if not node.closing else "matrix")
    pair = _FENCES.get((node.opening, node.closing))
    if pair is None:
        pair = _DELIMITERS.get(node.opening, node.opening), _DELIMITERS.get(node.closing, node.closing)
    return f"{pair[0]} {_speak(node.body)} {pair[1]}"


def _grid(node: Grid, word: str = "table") -> str:
    rows = [f"row {at}: " + ", ".join(_speak(cell) for cell in row) for at, row in enumerate(node.rows, 1)]
    columns = max((len(row) for row in node.rows), default=0)
    if word == "cases":
        return "; ".join(case(row, _speak) for row in node.rows) + "; end"
    if not node.gap:
        return "; ".join(" ".join(_speak(cell) for cell in row) for row in node.rows) + "; end"
    return f"{word} of {len(node.rows)} by {columns}; " + "; ".join(rows) + f"; end {word}"
