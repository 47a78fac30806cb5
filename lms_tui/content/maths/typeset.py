"""Write the formula tree in the notation of Typst."""

from typing import Final

from lms_tui.content.maths.strings import quoted
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
)

_PLAIN: Final = frozenset("+-=<>!*?")
_SPACES: Final = ("thin", "thin", "quad")
_OVER: Final = {"¯": "overline", "―": "overline", "‾": "overline", "⏞": "overbrace", "⎴": "overbracket"}
_UNDER: Final = {
    "_": "underline",
    "¯": "underline",
    "―": "underline",
    "‾": "underline",
    "⏟": "underbrace",
    "⎵": "underbracket",
}
_ACCENTS: Final = {"^": "hat", "ˆ": "hat", "~": "tilde", "˜": "tilde", "˙": "dot", "¨": "dot.double", "→": "arrow"}
_NOTHING: Final = '""'


def formula(node: Node, *, display: bool) -> str:
    """Write a formula with dollar signs. `display` puts it on a separate line."""
    return f"$ {_node(node)} $" if display else f"${_node(node)}$"


def in_line(node: Node, *, display: bool) -> str:
    """Write a formula for a line of text. `display` keeps the large signs of a display formula."""
    return f"$display({_node(node)})$" if display else f"${_node(node)}$"


def _node(node: Node) -> str:
    match node:
        case Atom():
            return _atom(node)
        case Space():
            return _SPACES[min(node.cells, len(_SPACES) - 1)]
        case Row():
            return _joined([_node(child) for child in node.children]) or _NOTHING
        case _:
            return _built(node)


def _joined(parts: list[str]) -> str:
    """Join parts with spaces, except beside a string, where Typst would show the space."""
    row = ""
    for part in parts:
        row += part if not row or row.endswith('"') or part.startswith('"') else f" {part}"
    return row


def _built(node: Fraction | Root | Scripts | Accent | Fence | Grid | Enclosed) -> str:  # noqa: PLR0911  # one for each kind
    match node:
        case Fraction():
            over, under = _node(node.over), _node(node.under)
            return f"frac({over}, {under})" if node.bar else f"vec(delim: #none, {over}, {under})"
        case Root():
            body = _node(node.body)
            return f"sqrt({body})" if node.degree is None else f"root({_node(node.degree)}, {body})"
        case Scripts():
            return _scripts(node)
        case Accent():
            return _accent(node)
        case Fence():
            return f"lr({_signs(node.opening)} {_node(node.body)} {_signs(node.closing)})"
        case Grid():
            return _grid(node)
        case Enclosed():
            body = _node(node.body)
            strike = node.notation == "strike"
            return f"cancel({body})" if strike else f"#box(stroke: 0.5pt, inset: 3pt, ${body}$)"


def _atom(atom: Atom) -> str:
    text = atom.text
    if atom.role is Role.FUNCTION:
        return f"op({quoted(text)})"
    if len(text) == 1:
        return quoted(text) if atom.upright else _sign(text)
    number = text.isascii() and text.replace(".", "", 1).isdigit() and text[0] != "." and text[-1] != "."
    return text if number else quoted(text)


def _sign(char: str) -> str:
    """Write one symbol and escape it if it has a meaning in Typst."""
    if char.isspace():
        return "med"
    return char if char.isalnum() or char in _PLAIN or not char.isascii() else f"\\{char}"


def _signs(text: str) -> str:
    return " ".join(_sign(char) for char in text)


def _scripts(node: Scripts) -> str:
    base = _NOTHING if node.base == EMPTY else _node(node.base)
    held = f"{'limits' if node.limits else 'scripts'}({base})"
    below = f", b: {_node(node.below)}" if node.below is not None else ""
    above = f", t: {_node(node.above)}" if node.above is not None else ""
    return f"attach({held}{below}{above})"


def _accent(node: Accent) -> str:
    base = _node(node.base)
    known = (_OVER if node.over else _UNDER).get(node.mark)
    if known is not None:
        return f"{known}({base})"
    if node.over:
        return f"accent({base}, {_ACCENTS.get(node.mark, _signs(node.mark))})"
    return f"attach(limits({base}), b: {_signs(node.mark)})"


def _grid(node: Grid) -> str:
    rows = "; ".join(
        ", ".join(_cell(cell, node.aligns[at : at + 1]) for at, cell in enumerate(row)) or _NOTHING for row in node.rows
    )
    gap = "0.28em" if not node.gap else "0.5em"
    return f"mat(delim: #none, column-gap: #{gap}{_lines(node)}, {rows})"


def _cell(cell: Node, align: str) -> str:
    """Write a cell with an alignment point, because a Typst matrix has one alignment for all columns."""
    inner = _node(cell)
    return f"{inner} &" if align == "r" else f"& {inner}" if align == "l" else inner


def _lines(node: Grid) -> str:
    """Return the bars and rules, counted from 1. Typst has no lines at the outer edges."""
    wide, tall = max((len(row) for row in node.rows), default=0), len(node.rows)
    bars = "".join(f"{at + 1}, " for at in sorted(node.bars) if at + 1 < wide)
    rules = "".join(f"{at + 1}, " for at in sorted(node.rules) if at + 1 < tall)
    kept = [f"{name}: ({places})" for name, places in (("vline", bars), ("hline", rules)) if places]
    return f", augment: #({', '.join(kept)})" if kept else ""
