"""Describe a formula in words, for screen readers and braille displays.

As in MathSpeak, each part has a beginning and an end that can be heard, unless it is one symbol.
"""

import re
import unicodedata
from collections.abc import Iterator
from typing import Final

from lms_tui.content.maths.line import case
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
    "=": "equals", "+": "plus", "−": "minus", "±": "plus or minus", "∓": "minus or plus", "×": "times", "·": "dot",
    "⋅": "dot", "÷": "divided by", "/": "slash", "<": "is less than", ">": "is greater than",
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
    "″": "double prime", "…": "dots", "⋯": "dots", "!": "factorial", "%": "percent", "|": "bar",
    "∣": "divides", ":": "colon",
    ",": ",", ";": ";", "ℝ": "the real numbers", "ℤ": "the integers", "ℕ": "the natural numbers",
    "ℚ": "the rational numbers", "ℂ": "the complex numbers", "sin": "sine", "cos": "cosine", "tan": "tangent",
    "cot": "cotangent", "sec": "secant", "csc": "cosecant", "cosec": "cosecant", "log": "log", "ln": "natural log",
    "lim": "the limit", "det": "the determinant of", "↑": "up arrow", "↓": "down arrow",
}  # fmt: skip
_POWERS: Final = {"2": "squared", "3": "cubed", "′": "prime", "″": "double prime", "‴": "triple prime",
                  "∘": "degrees", "°": "degrees", "*": "star", "T": "transposed", "+": "super plus",
                  "−": "super minus"}  # fmt: skip
_ACCENTS: Final = {"→": "vector", "⟶": "vector", "⃗": "vector", "^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde",
                   "¯": "bar", "―": "bar", "‾": "bar", "˙": "dot", "¨": "double dot", "_": "underlined",
                   "⏞": "brace", "⏟": "brace"}  # fmt: skip
_FENCES: Final = {("|", "|"): ("the absolute value of", "end absolute value"), ("‖", "‖"): ("the norm of", "end norm"),
                  ("⌊", "⌋"): ("the floor of", "end floor"), ("⌈", "⌉"): ("the ceiling of", "end ceiling"),
                  ("(", ")"): ("open bracket", "close bracket"), ("[", "]"): ("open square bracket",
                  "close square bracket"), ("{", "}"): ("open brace", "close brace")}  # fmt: skip
_CONDITIONS: Final = {"{": "such that", "(": "given"}
_STYLE: Final = re.compile(
    r"(?:MATHEMATICAL )?((?:BOLD|ITALIC|SCRIPT|FRAKTUR|BLACK-LETTER|DOUBLE-STRUCK|SANS-SERIF|MONOSPACE)"
    r"(?: (?:BOLD|ITALIC|SCRIPT|FRAKTUR))*) (?:CAPITAL|SMALL|DIGIT)"
)
_DELIMITERS: Final = {"(": "open bracket", ")": "close bracket", "[": "open square bracket",
                      "]": "close square bracket", "{": "open brace", "}": "close brace", "|": "bar"}  # fmt: skip

_CHARGE: Final = re.compile(r"\bsuper (?:plus|minus)(?= (?:plus|minus)\b)")
"""A raised sign before a sign of the line, as in NH₄⁺ + OH⁻, where the end of the first one must be heard."""


def speak(node: Node) -> str:
    """Describe a tree in words and name the ends of its parts."""
    said = " ".join(_speak(node).split()).replace(" ,", ",").replace(" ;", ";")
    return _CHARGE.sub(r"\g<0> end super", said)


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
            return _accent(node)
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
    """Return the name of a symbol: alpha, capital delta, bold x, right arrow."""
    if len(char) != 1:
        return char
    if style := _STYLE.match(unicodedata.name(char, "")):
        return f"{style[1].lower().replace('double-struck', 'blackboard')} {unicodedata.normalize('NFKC', char)}"
    name = unicodedata.name(unicodedata.normalize("NFKC", char)[:1], "").lower()
    for prefix in ("greek small letter ", "latin small letter ", "latin capital letter "):
        name = name.removeprefix(prefix)
    return name.replace("greek capital letter ", "capital ") or char


def _short(node: Node) -> bool:
    return len(inline(node)) == 1 and isinstance(inline(node)[0], Atom)


def _fraction(node: Fraction) -> str:
    over, under = _speak(node.over), _speak(node.under)
    if not node.bar:
        return f"the stack {over} above {under} end stack"
    if _short(node.over) and _short(node.under):
        return f"{over} over {under}"
    return f"the fraction {over} over {under} end fraction"


def _root(node: Root) -> str:
    degree = "" if node.degree is None else _speak(node.degree).strip()
    kind = {"": "square", "2": "square", "3": "cube"}.get(degree, f"{degree}-th")
    return f"the {kind} root of {_speak(node.body)} end root"


def _accent(node: Accent) -> str:
    word = _ACCENTS.get(node.mark, _name(node.mark))
    if _short(node.base):
        return f"{_speak(node.base)} {word}"
    place = "over" if node.over else "under"
    return f"{word} {place} {_speak(node.base)} end {word}"


def _scripts(node: Scripts) -> str:
    if node.base == EMPTY:
        return _before(node)
    base = _speak(node.base)
    if node.limits and isinstance(node.base, (Accent, Atom)) and not _takes_limits(node.base):
        return _labelled(node)
    if node.below is not None and node.above is not None and _is_end(node.base):
        return f"{base} evaluated from {_speak(node.below)} to {_speak(node.above)} end evaluated"
    large = isinstance(node.base, Atom) and (node.base.role is Role.LARGE or node.base.text in {"∫", "∬", "∭", "∮"})
    if large or node.limits:
        return " ".join([base, *_limits(node.base, node.below, node.above), "of"])
    power = _POWERS.get(node.above.text) if isinstance(node.above, Atom) else None
    said = (base, _script("sub", "sub", node.below), power or _script("to the power", "power", node.above))
    return " ".join(filter(None, said))


def _script(label: str, end: str, script: Node | None) -> str:
    if script is None or script == EMPTY:
        return ""
    return f"{label} {_speak(script)}{'' if _short(script) else f' end {end}'}"


def _before(node: Scripts) -> str:
    """Say scripts that stand before their base, as in ⁿCᵣ."""
    above = node.above.text if isinstance(node.above, Atom) else ""
    if not node.below and above in _POWERS and above in "°∘′″‴":
        return _POWERS[above]
    said = [
        f"pre {word} {_speak(script)} end {word}"
        for word, script in (("sub", node.below), ("super", node.above))
        if script is not None and script != EMPTY
    ]
    return " ".join(said)


def _takes_limits(base: Node) -> bool:
    return isinstance(base, Atom) and (base.role is Role.LARGE or len(base.text) > 1)


def _labelled(node: Scripts) -> str:
    """Say a sign with texts above and below, such as an arrow with its conditions."""
    labels = [
        f"with {_speak(label)} {place}"
        for place, label in (("below", node.below), ("above", node.above))
        if label is not None and label != EMPTY
    ]
    return f"{_speak(node.base)} {' and '.join(labels)} end label"


def _is_end(base: Node) -> bool:
    """Return whether scripts after this node are the limits of an evaluation: ]₀², |₀²."""
    return (isinstance(base, Fence) and base.closing in {"]", "|"} and base.opening in {"", "[", "."}) or (
        isinstance(base, Atom) and base.text in {"]", "|"}
    )


def _limits(base: Node, below: Node | None, above: Node | None) -> Iterator[str]:
    if below is not None:
        word = "as" if isinstance(base, Atom) and base.text == "lim" else "from" if above else "over"
        yield f"{word} {_speak(below)}"
    if above is not None:
        yield f"to {_speak(above)}"


def _fence(node: Fence) -> str:
    if isinstance(node.body, Fraction) and not node.body.bar:
        over, under = node.body.over, node.body.under
        if _short(over) and _short(under):
            return f"{_speak(over)} choose {_speak(under)}"
        return f"the binomial {_speak(over)} choose {_speak(under)} end binomial"
    if isinstance(node.body, Grid) and node.opening:
        return _grid(node.body, "determinant" if node.opening == "|" else "cases" if not node.closing else "matrix")
    pair = _FENCES.get((node.opening, node.closing))
    if pair is None:
        pair = _DELIMITERS.get(node.opening, node.opening), _DELIMITERS.get(node.closing, node.closing)
    said = " ".join(_condition(child, node.opening) for child in inline(node.body))
    return f"{pair[0]} {said} {pair[1]}"


def _condition(node: Node, opening: str) -> str:
    """Say a bar inside brackets: such that in a set, given in a probability."""
    if isinstance(node, Atom) and node.text in {"|", "∣"} and opening in _CONDITIONS:
        return _CONDITIONS[opening]
    return _speak(node)


def _grid(node: Grid, word: str = "table") -> str:
    rows = [f"row {at}: " + ", ".join(_speak(cell) for cell in row) for at, row in enumerate(node.rows, 1)]
    columns = max((len(row) for row in node.rows), default=0)
    if word == "cases":
        return "; ".join(case(row, _speak) for row in node.rows) + "; end"
    if not node.gap:
        return "; ".join(" ".join(_speak(cell) for cell in row) for row in node.rows) + "; end"
    return f"{word} of {len(node.rows)} by {columns}; " + "; ".join(rows) + f"; end {word}"
