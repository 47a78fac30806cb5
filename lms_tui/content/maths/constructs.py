"""Build nodes from LaTeX commands that take arguments."""

import re
from collections.abc import Mapping
from typing import Final

from lms_tui.content.maths import arrays
from lms_tui.content.maths.infix import is_drawn
from lms_tui.content.maths.letters import decoded, named, space, written
from lms_tui.content.maths.macros import UnreadableFormula, quantity
from lms_tui.content.maths.reader import Builder, LatexReader
from lms_tui.content.maths.rows import STROKE, row, stacked
from lms_tui.content.maths.symbols import BARS
from lms_tui.content.maths.tokens import character, symbol
from lms_tui.content.maths.tree import (
    EMPTY,
    Accent,
    Atom,
    Enclosed,
    Fence,
    Fraction,
    Node,
    Role,
    Root,
    Row,
    Scripts,
    Space,
    inline,
)

Nodes = tuple[Node, ...]

_OVER: Final[Mapping[str, str]] = {
    "acute": "´", "bar": "¯", "breve": "˘", "check": "ˇ", "dot": "˙", "ddot": "¨", "dddot": "\u20db",
    "ddddot": "\u20dc",
    "grave": "`", "hat": "^", "mathring": "˚", "overbrace": "⏞", "overbracket": "⎴", "overleftarrow": "←",
    "overleftrightarrow": "↔", "overline": "―", "overparen": "⏜", "overrightarrow": "→", "tilde": "∼", "vec": "→",
    "widecheck": "ˇ", "widehat": "^", "widetilde": "∼",
}  # fmt: skip
_UNDER: Final[Mapping[str, str]] = {
    "underbar": "―", "underbrace": "⏟", "underbracket": "⎵", "underleftarrow": "←", "underleftrightarrow": "↔",
    "underline": "―", "underparen": "⏝", "underrightarrow": "→",
}  # fmt: skip
_ARROWS: Final[Mapping[str, str]] = {
    "xleftarrow": "←", "xleftharpoondown": "↽", "xleftharpoonup": "↼", "xleftrightarrow": "↔",
    "xleftrightharpoons": "⇋", "xlongequal": "=", "xmapsto": "↦", "xrightarrow": "→", "xrightharpoondown": "⇁",
    "xrightharpoonup": "⇀", "xrightleftharpoons": "⇌", "xtofrom": "⇄", "xtwoheadleftarrow": "↞",
    "xtwoheadrightarrow": "↠", "xhookleftarrow": "↩", "xhookrightarrow": "↪", "xLeftarrow": "⇐", "xRightarrow": "⇒",
    "xLeftrightarrow": "⇔",
}  # fmt: skip
_PAIRS: Final[Mapping[str, tuple[str, str]]] = {
    "abs": ("|", "|"), "norm": ("‖", "‖"), "set": ("{", "}"), "ceil": ("⌈", "⌉"), "floor": ("⌊", "⌋"),
}  # fmt: skip
_TEXTS: Final = [
    "text", "textbf", "textit", "textmd", "textnormal", "textrm", "textsf", "texttt", "textup", "mbox", "hbox",
    "emph", "fbox", "ce", "pu", "chem", "operatorname", "tag", "llap", "rlap", "clap", "intertext",
]  # fmt: skip
_DROPPED: Final = [
    "textcolor", "color", "require", "label", "vspace", "cssId", "class", "bbox", "href", "style", "leftroot",
    "uproot",
]  # fmt: skip
_WRAPPED: Final = [
    "mathinner", "mathclap", "mathllap", "mathrlap", "shoveleft", "shoveright", "vcenter", "bm", "bold",
    "boldsymbol", "mit", "oldstyle", "pmb", "scr",
]  # fmt: skip
_LEAVES: Final = ["mathop", "mathbin", "mathrel", "mathord", "mathopen", "mathclose", "mathpunct"]
_PHANTOMS: Final = ["phantom", "hphantom", "vphantom"]
_STRUCK: Final = ["cancel", "bcancel", "xcancel", "sout"]
_SPACED: Final = ["hskip", "kern", "mkern", "mskip", "mspace"]
_FONTS: Final[Mapping[str, str]] = {
    "mathbb": "mathbb", "Bbb": "mathbb", "mathbf": "mathbf", "mathcal": "mathcal", "mathfrak": "mathfrak",
    "mathscr": "mathscr",
}  # fmt: skip
_LETTER: Final = re.compile(r"\{[A-Za-z]\}")
_TO_OF: Final = frozenset({r"\of"})
_TO_BRACKET: Final = frozenset("]")


def _over(reader: LatexReader, lexeme: str) -> Nodes:
    return (Accent(reader.argument(), _OVER[lexeme[1:]]),)


def _under(reader: LatexReader, lexeme: str) -> Nodes:
    return (Accent(reader.argument(), _UNDER[lexeme[1:]], over=False),)


def _overset(reader: LatexReader, _: str) -> Nodes:
    above, base = _two(reader)
    return (stacked(base, None, above),)


def _underset(reader: LatexReader, _: str) -> Nodes:
    below, base = _two(reader)
    return (stacked(base, below, None),)


def _arrow(reader: LatexReader, lexeme: str) -> Nodes:
    """Read an arrow that is as long as the text above and below it."""
    below = row((*reader.sequence(_TO_BRACKET), Space(1))) if _bracketed(reader) else None
    above = row((reader.argument(), Space(1)))
    return (stacked(Atom(_ARROWS[lexeme[1:]], Role.RELATION), below, above),)


def _bracketed(reader: LatexReader) -> bool:
    return reader.tokens.begins("[")


def _frac(reader: LatexReader, _: str) -> Nodes:
    return (Fraction(*_two(reader)),)


def _binom(reader: LatexReader, _: str) -> Nodes:
    return (Fence("(", Fraction(*_two(reader), bar=False), ")"),)


def _two(reader: LatexReader) -> tuple[Node, Node]:
    r"""Read two arguments. Without braces each is one digit, as in `\frac12`."""
    digit = reader.tokens.digit()
    if not digit:
        return reader.argument(), reader.last_argument()
    over = Atom(digit)
    digit = reader.tokens.digit()
    return over, Atom(digit) if digit else reader.last_argument()


def _genfrac(reader: LatexReader, _: str) -> Nodes:
    tokens = reader.tokens
    opening, closing, thickness, _style = tokens.raw(), tokens.raw(), tokens.dimension() or tokens.raw(), tokens.raw()
    fraction = Fraction(reader.argument(), reader.last_argument(), is_drawn(thickness))
    if not opening.strip(" .") and not closing.strip(" ."):
        return (fraction,)
    return (Fence(_sign(opening), fraction, _sign(closing)),)


def _sign(delimiter: str) -> str:
    nodes = symbol(delimiter.strip()) if delimiter.strip() not in {"", "."} else ()
    return nodes[0].text if nodes and isinstance(nodes[0], Atom) else ""


def _sqrt(reader: LatexReader, _: str) -> Nodes:
    degree: Node | None = None
    if _bracketed(reader):
        held = reader.sequence(_TO_BRACKET)
        if not reader.stop:
            raise UnreadableFormula
        degree = row(held) if held else None
    return (Root(reader.argument(), degree),)


def _root(reader: LatexReader, _: str) -> Nodes:
    degree = row(reader.sequence(_TO_OF))
    if not reader.stop:
        raise UnreadableFormula
    return (Root(reader.argument(), degree),)


def _left(reader: LatexReader, _: str) -> Nodes:
    opening = reader.tokens.next()
    held = reader.sequence(frozenset({r"\right"}))
    closing = reader.tokens.next()
    if not reader.stop or not opening or not closing:
        raise UnreadableFormula
    return (Fence(_sign(opening), row(held), _sign(closing)),)


def _right(_: LatexReader, __: str) -> Nodes:
    raise UnreadableFormula


def _big(reader: LatexReader, lexeme: str) -> Nodes:
    """Read a delimiter of an explicit size."""
    sign = reader.tokens.next()
    if not sign:
        raise UnreadableFormula
    nodes = reader.item(sign) if sign == "{" else symbol(sign)
    side = lexeme[-1]
    if sign == ".":
        return (Atom("", Role.OPEN if side == "l" else Role.CLOSE, upright=True),) if side in "lr" else ()
    if side in "lmr" and len(nodes) == 1 and isinstance(nodes[0], Atom) and nodes[0].text in BARS:
        return (Atom(nodes[0].text, {"l": Role.OPEN, "r": Role.CLOSE}.get(side, Role.RELATION)),)
    return nodes


def _not(reader: LatexReader, _: str) -> Nodes:
    """Strike through the next symbol, or use the symbol's negated form if there is one."""
    following = reader.peek()
    negated = rf"\n{following[1:]}" if following.startswith("\\") and following[1:].isalpha() else ""
    if negated and character(negated):
        reader.tokens.next()
        return symbol(negated)
    return (STROKE,)


def _words(reader: LatexReader, lexeme: str) -> Nodes:
    """Read the argument of a text, name or chemistry command."""
    reader.tokens.begins("*")
    if not reader.tokens.opened() and not reader.peek()[:1].isalnum():
        return symbol(lexeme)
    return (reader.words(lexeme[1:].removesuffix("withlimits"), reader.tokens.raw()),)


def _dropped(reader: LatexReader, lexeme: str) -> Nodes:
    reader.tokens.begins("*")
    if not reader.tokens.opened():
        return symbol(lexeme)
    reader.tokens.raw()
    return ()


def _hspace(reader: LatexReader, _: str) -> Nodes:
    reader.tokens.begins("*")
    if reader.peek() == "{":
        reader.tokens.raw()
        return symbol(r"\ ")
    return (space(reader.tokens.dimension()),)


def _kern(reader: LatexReader, _: str) -> Nodes:
    width = reader.tokens.dimension()
    if not width and reader.peek().startswith("\\"):
        reader.tokens.next()
    return (space(width),)


def _phantom(reader: LatexReader, _: str) -> Nodes:
    reader.argument()
    return ()


def _wrapped(reader: LatexReader, _: str) -> Nodes:
    return inline(reader.argument())


def _leaf(reader: LatexReader, _: str) -> Nodes:
    """Read an argument that the source declares to be one symbol."""
    node = reader.argument()
    parts = inline(node)
    if parts and all(isinstance(part, Atom) and not part.upright for part in parts) and len(parts) > 1:
        return (named("".join(part.text for part in parts if isinstance(part, Atom))),)
    return parts


def _shifted(reader: LatexReader, _: str) -> Nodes:
    """Read a raised or moved argument and ignore the shift."""
    reader.tokens.dimension()
    return inline(reader.argument())


def _smash(reader: LatexReader, _: str) -> Nodes:
    if _bracketed(reader):
        reader.sequence(_TO_BRACKET)
    return inline(reader.argument())


def _boxed(reader: LatexReader, _: str) -> Nodes:
    return (Enclosed(reader.argument(), "box"),)


def _crossed(reader: LatexReader, _: str) -> Nodes:
    return (Enclosed(reader.argument(), "strike"),)


def _font(reader: LatexReader, lexeme: str) -> Nodes:
    """Read one letter of a special alphabet. Longer arguments stay plain."""
    name = lexeme[1:]
    font = _FONTS.get(name, name)
    source, at = reader.tokens.source, reader.tokens.at
    if _LETTER.match(source, at) and (found := character(rf"\{font}{source[at : at + 3]}")):
        reader.tokens.at += 3
        return _written(found)
    node = reader.argument()
    if name in _FONTS and isinstance(node, Atom) and (found := character(rf"\{font}{{{node.text}}}")):
        return _written(found)
    return inline(node)


def _written(text: str) -> Nodes:
    shown = written(decoded(text))
    return (named(shown),) if shown else ()


def _pair(reader: LatexReader, lexeme: str) -> Nodes:
    if reader.peek() != "{":
        return symbol(lexeme)
    opening, closing = _PAIRS[lexeme[1:]]
    return (Fence(opening, reader.argument(), closing),)


def _modulo(reader: LatexReader, lexeme: str) -> Nodes:
    name = (*symbol(r"\mod"), Space(1)) if lexeme == r"\pmod" else ()
    return (Space(2), Fence("(", row((*name, *inline(reader.argument()))), ")"))


def _bra(reader: LatexReader, lexeme: str) -> Nodes:
    opening, closing = {r"\bra": ("⟨", "|"), r"\ket": ("|", "⟩")}.get(lexeme, ("⟨", "⟩"))
    return (Fence(opening, reader.argument(), closing),)


def _sideset(reader: LatexReader, _: str) -> Nodes:
    """Read scripts to the left and right of an operator with limits."""
    left, right, base = reader.argument(), reader.argument(), reader.argument()
    if isinstance(right, Scripts):
        base, right = Scripts(base, right.below, right.above), EMPTY
    return (Row((*inline(left), Space(0), base, *inline(right))),)


def _skew(reader: LatexReader, _: str) -> Nodes:
    if not reader.tokens.raw().strip().isdigit():
        raise UnreadableFormula
    return inline(reader.argument())


def _choice(reader: LatexReader, _: str) -> Nodes:
    choices = [reader.argument() for _ in range(4)]
    return inline(choices[1])


def _unicode(reader: LatexReader, _: str) -> Nodes:
    return _written(f"&#x{reader.tokens.raw().strip().lstrip('x')};")


def _rule(reader: LatexReader, lexeme: str) -> Nodes:
    """Read a rule to write on."""
    for _ in range(2):
        if not reader.tokens.opened():
            return symbol(lexeme)
        reader.tokens.raw()
    return symbol(r"\_") * 4


def _coloured(reader: LatexReader, lexeme: str) -> Nodes:
    for _ in range(2 if lexeme == r"\fcolorbox" else 1):
        if not reader.tokens.opened():
            return symbol(lexeme)
        reader.tokens.raw()
    return (reader.words("text", reader.tokens.raw()),)


def _verbatim(reader: LatexReader, _: str) -> Nodes:
    tokens = reader.tokens
    mark = tokens.source[tokens.at : tokens.at + 1]
    end = tokens.source.find(mark, tokens.at + 1) if mark else -1
    if end < 0:
        raise UnreadableFormula
    text, tokens.at = tokens.source[tokens.at + 1 : end], end + 1
    return (Atom(decoded(text), upright=True),)


def _quantity(reader: LatexReader, lexeme: str) -> Nodes:
    """Read a number with its unit."""
    if not reader.tokens.opened():
        return symbol(lexeme)
    first = reader.tokens.raw()
    source = reader.tokens.source
    paired = lexeme in {r"\SI", r"\qty"} and source[reader.tokens.at : reader.tokens.at + 1] == "{"
    return inline(reader.reread(quantity(lexeme[1:], first, reader.tokens.raw() if paired else "")))


def _dots(_: LatexReader, __: str) -> Nodes:
    return (*symbol(r"\int"), *symbol(r"\cdots"), *symbol(r"\int"))


def _logo(_: LatexReader, lexeme: str) -> Nodes:
    return (Atom(lexeme[1:], upright=True),)


def _each(names: "Mapping[str, object] | list[str] | tuple[str, ...]", build: Builder) -> dict[str, Builder]:
    return {f"\\{name}": build for name in names}


BUILDERS: Final[Mapping[str, Builder]] = {
    **arrays.ENVIRONMENTS,
    **dict.fromkeys(arrays.COMMANDS, arrays.lines),
    **_each(_OVER, _over), **_each(_UNDER, _under), **_each(_ARROWS, _arrow), **_each(_PAIRS, _pair),
    **_each(_TEXTS, _words), **_each(_DROPPED, _dropped), **_each(_WRAPPED, _wrapped), **_each(_LEAVES, _leaf),
    **_each(_PHANTOMS, _phantom), **_each(_STRUCK, _crossed), **_each(_SPACED, _kern), **_each(_FONTS, _font),
    **_each(("mathrm", "mathit", "mathsf", "mathtt", "mathnormal", "mathsfit"), _font),
    **_each(("raise", "lower", "moveleft", "moveright"), _shifted),
    **_each(("binom", "dbinom", "tbinom"), _binom),
    **_each(("SI", "qty", "num", "si", "unit", "ang"), _quantity),
    **_each(("pmod", "pod"), _modulo), **_each(("bra", "ket", "braket"), _bra),
    **_each([f"{size}{side}" for size in ("big", "Big", "bigg", "Bigg") for side in ("", "l", "m", "r")], _big),
    r"\overset": _overset, r"\stackrel": _overset, r"\underset": _underset, r"\frac": _frac, r"\genfrac": _genfrac,
    r"\sqrt": _sqrt, r"\root": _root, r"\left": _left, r"\right": _right, r"\not": _not, r"\hspace": _hspace,
    r"\operatornamewithlimits": _words, r"\smash": _smash, r"\boxed": _boxed, r"\sideset": _sideset, r"\skew": _skew,
    r"\mathchoice": _choice, r"\unicode": _unicode, r"\rule": _rule, r"\colorbox": _coloured,
    r"\fcolorbox": _coloured, r"\verb": _verbatim, r"\idotsint": _dots, r"\LaTeX": _logo, r"\TeX": _logo,
}  # fmt: skip
