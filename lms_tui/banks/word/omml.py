"""Turn the equations of Word (OMML) into MathML."""

import html
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final

from lms_tui.banks.xml_tree import Node

_OPERATORS: Final = frozenset("+-−±∓×÷·⋅∙=≠<>≤≥≈≡∼→←↔⇒⇐⇔∈∉⊂⊆∪∩∧∨¬∀∃∞|/,;:!()[]{}∂∇")
_OPERATORS_ALONE: Final = _OPERATORS - frozenset("∞∂")
_SUM: Final = "∫"
"""The operator of `nary` without a sign."""
_LIMITS: Final = "undOvr"
ACCENTS: Final = {"\u0302": "^", "\u0303": "~", "\u20d7": "→", "\u0307": "˙", "\u0308": "¨"}
"""Combining signs above a letter, with the signs that formulas have for them."""


def mathml(equation: Node) -> str:
    """Return an `oMath` element as MathML."""
    return f"<math>{_children(equation)}</math>"


def _children(node: Node | None) -> str:
    return "".join(_element(child) for child in node) if node else ""


def _row(node: Node | None) -> str:
    return f"<mrow>{_children(node)}</mrow>"


def _element(node: Node) -> str:
    if node.name in _UNSHOWN:
        return ""
    build = _BUILDERS.get(node.name)
    return build(node) if build else _children(node)


def _value(node: Node, *path: str) -> str | None:
    found = node.find(*path)
    return None if found is None else found.get("val")


def _on(node: Node, *path: str) -> bool:
    value = _value(node, *path)
    return value is not None and value not in {"0", "off", "false"}


def _text(node: Node) -> str:
    text = "".join(part.text for part in node.all("t"))
    if _on(node, "rPr", "nor"):
        return f"<mtext>{html.escape(text, quote=False)}</mtext>"
    upright = ' mathvariant="normal"' if _value(node, "rPr", "sty") in {"p", "b"} else ""
    return "".join(_tokens(text, upright))


def _tokens(text: str, upright: str) -> Iterator[str]:
    """Yield numbers and names as words, and each other sign alone. Only `upright` names have several letters."""
    word = ""
    for char in text:
        if word and _continues(word, char, names=bool(upright)):
            word += char
            continue
        yield from _word(word, upright)
        word = char if char.isdecimal() or char.isalpha() else ""
        if not word:
            yield _sign(char)
    yield from _word(word, upright)


def _continues(word: str, char: str, *, names: bool) -> bool:
    """Return whether a character belongs to a number, or to a name of several letters (`names`)."""
    if word[0].isdecimal():
        return char.isdecimal() or (char in ".," and word.isdecimal())
    return names and char.isalpha()


def _word(word: str, upright: str) -> Iterator[str]:
    number = word.rstrip(".,")
    if number.isalpha():
        yield f"<mi{upright}>{html.escape(word)}</mi>"
    elif number:
        yield f"<mn>{number}</mn>"
        yield from (f"<mo>{mark}</mo>" for mark in word[len(number) :])


def _sign(char: str) -> str:
    if char.isspace():
        return '<mspace width="0.3em"/>'
    tag = "mo" if char in _OPERATORS_ALONE else "mi"
    return f"<{tag}>{html.escape(char)}</{tag}>"


def _fraction(node: Node) -> str:
    kind = _value(node, "fPr", "type")
    if kind in {"lin", "skw"}:
        return f"{_row(node.find('num'))}<mo>/</mo>{_row(node.find('den'))}"
    bar = ' linethickness="0"' if kind == "noBar" else ""
    return f"<mfrac{bar}>{_row(node.find('num'))}{_row(node.find('den'))}</mfrac>"


def _scripts(tag: str, *parts: str) -> Callable[[Node], str]:
    return lambda node: f"<{tag}>{''.join(_row(node.find(part)) for part in parts)}</{tag}>"


def _before(node: Node) -> str:
    scripts = f"{_row(node.find('sub'))}{_row(node.find('sup'))}"
    return f"<mmultiscripts>{_row(node.find('e'))}<mprescripts/>{scripts}</mmultiscripts>"


def _root(node: Node) -> str:
    degree = node.find("deg")
    if _on(node, "radPr", "degHide") or degree is None or not degree.text.strip():
        return f"<msqrt>{_children(node.find('e'))}</msqrt>"
    return f"<mroot>{_row(node.find('e'))}{_row(degree)}</mroot>"


def _fenced(node: Node) -> str:
    opening, closing = _value(node, "dPr", "begChr"), _value(node, "dPr", "endChr")
    between = _value(node, "dPr", "sepChr")
    signs = [("(" if opening is None else opening), (")" if closing is None else closing)]
    before, after = (html.escape(sign) for sign in signs)
    mark = f"<mo>{html.escape('|' if between is None else between)}</mo>"
    body = mark.join(_row(part) for part in node.all("e"))
    return (
        f'<mrow><mo fence="true" form="prefix">{before}</mo>{body}<mo fence="true" form="postfix">{after}</mo></mrow>'
    )


def _sum(node: Node) -> str:
    sign = _value(node, "naryPr", "chr")
    operator = f"<mo>{html.escape(_SUM if sign is None else sign)}</mo>"
    body = _row(node.find("e"))
    names = ("under", "over") if _value(node, "naryPr", "limLoc") == _LIMITS else ("sub", "sup")
    scripts = [
        (name, script)
        for name, called in zip(names, ("sub", "sup"), strict=True)
        if not _on(node, "naryPr", f"{called}Hide") and (script := node.find(called)) is not None
    ]
    if not scripts:
        return operator + body
    tag = f"m{''.join(name for name, _ in scripts)}"
    return f"<{tag}>{operator}{''.join(_row(script) for _, script in scripts)}</{tag}>{body}"


def _accent(node: Node) -> str:
    sign = _value(node, "accPr", "chr")
    mark = html.escape("^" if sign is None else ACCENTS.get(sign, sign))
    return f'<mover accent="true">{_row(node.find("e"))}<mo>{mark}</mo></mover>'


def _bar(node: Node) -> str:
    tag = "mover" if _value(node, "barPr", "pos") == "top" else "munder"
    return f"<{tag}>{_row(node.find('e'))}<mo>¯</mo></{tag}>"


def _grouped(node: Node) -> str:
    sign = _value(node, "groupChrPr", "chr")
    tag = "mover" if _value(node, "groupChrPr", "pos") == "top" else "munder"
    return f"<{tag}>{_row(node.find('e'))}<mo>{html.escape('⏟' if sign is None else sign)}</mo></{tag}>"


def _boxed(node: Node) -> str:
    struck = any(_on(node, "borderBoxPr", name) for name in ("strikeBLTR", "strikeTLBR", "strikeH"))
    notation = "updiagonalstrike" if struck else "box"
    return f'<menclose notation="{notation}">{_children(node.find("e"))}</menclose>'


def _matrix(node: Node) -> str:
    rows = (row.all("e") for row in node.all("mr"))
    return _table(rows)


def _lines(node: Node) -> str:
    return _table([part] for part in node.all("e"))


def _table(rows: Iterable[Iterable[Node]]) -> str:
    written = "".join(f"<mtr>{''.join(f'<mtd>{_children(cell)}</mtd>' for cell in row)}</mtr>" for row in rows)
    return f"<mtable>{written}</mtable>"


def _function(node: Node) -> str:
    return f"{_row(node.find('fName'))}{_row(node.find('e'))}"


_UNSHOWN: Final = frozenset(
    {"rPr", "ctrlPr", "fPr", "sSupPr", "sSubPr", "sSubSupPr", "sPrePr", "radPr", "dPr", "naryPr", "accPr", "barPr",
     "groupChrPr", "boxPr", "borderBoxPr", "mPr", "eqArrPr", "funcPr", "limLowPr", "limUppPr", "argPr", "phantPr",
     "oMathParaPr", "del"}
)  # fmt: skip
_BUILDERS: Final[Mapping[str, Callable[[Node], str]]] = {
    "r": _text,
    "f": _fraction,
    "sSup": _scripts("msup", "e", "sup"),
    "sSub": _scripts("msub", "e", "sub"),
    "sSubSup": _scripts("msubsup", "e", "sub", "sup"),
    "sPre": _before,
    "rad": _root,
    "d": _fenced,
    "nary": _sum,
    "func": _function,
    "limLow": _scripts("munder", "e", "lim"),
    "limUpp": _scripts("mover", "e", "lim"),
    "acc": _accent,
    "bar": _bar,
    "groupChr": _grouped,
    "borderBox": _boxed,
    "m": _matrix,
    "eqArr": _lines,
}
