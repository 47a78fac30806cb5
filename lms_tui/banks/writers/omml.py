"""Write the formula tree as an equation of Word (OMML)."""

from collections.abc import Sequence
from typing import Final

from lms_tui.banks.word.omml import ACCENTS
from lms_tui.banks.writers.xhtml import escape
from lms_tui.content.maths.tree import (
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
    role,
)

_BARS: Final = frozenset("¯―‾_")
_BRACES: Final = frozenset("⏞⏟⎴⎵")
_COMBINING: Final = {mark: sign for sign, mark in ACCENTS.items()}
_ENDS: Final = frozenset({Role.RELATION, Role.BINARY, Role.PUNCTUATION, Role.CLOSE})
"""The terms of a sum or an integral end before a sign of these roles."""
_JUSTIFIED: Final = {"l": "left", "r": "right"}


def equation(node: Node) -> str:
    """Return a formula as an `oMath` element."""
    return f"<m:oMath>{_node(node)}</m:oMath>"


def _node(node: Node) -> str:
    match node:
        case Row():
            return _row(node.children)
        case Atom():
            return _atom(node)
        case Space():
            return '<m:r><m:t xml:space="preserve"> </m:t></m:r>' if node.cells else ""
        case _:
            return _built(node)


def _row(children: Sequence[Node]) -> str:
    """Write nodes in a row. An operator such as a sum holds the terms after it, and a function such as sin the next."""
    for at, child in enumerate(children):
        follower = next((place for place in range(at + 1, len(children)) if children[place] != Space(0)), len(children))
        if role(child) is Role.FUNCTION and follower < len(children) and role(children[follower]) not in _ENDS:
            name, of = _part("fName", child), _part("e", children[follower])
            return "".join(map(_node, children[:at])) + f"<m:func>{name}{of}</m:func>" + _row(children[follower + 1 :])
        if isinstance(child, Scripts) and isinstance(child.base, Atom) and child.base.role is Role.LARGE:
            rest = children[at + 1 :]
            end = next((place for place, each in enumerate(rest) if role(each) in _ENDS), len(rest))
            before = "".join(map(_node, children[:at]))
            return before + _operator(child, child.base.text, _row(rest[:end])) + _row(rest[end:])
    return "".join(map(_node, children))


def _built(node: Fraction | Root | Scripts | Accent | Fence | Grid | Enclosed) -> str:  # noqa: PLR0911 - one for each kind
    match node:
        case Fraction():
            kind = "" if node.bar else _properties("f", type="noBar")
            return f"<m:f>{kind}{_part('num', node.over)}{_part('den', node.under)}</m:f>"
        case Root():
            if node.degree is None:
                return f"<m:rad>{_properties('rad', degHide='1')}<m:deg/>{_part('e', node.body)}</m:rad>"
            return f"<m:rad>{_part('deg', node.degree)}{_part('e', node.body)}</m:rad>"
        case Scripts():
            return _scripts(node)
        case Accent():
            return _accent(node)
        case Fence():
            signs = _properties("d", begChr=node.opening, endChr=node.closing)
            return f"<m:d>{signs}{_part('e', node.body)}</m:d>"
        case Grid():
            return _grid(node)
        case Enclosed():
            hidden = {"hideTop": "1", "hideBot": "1", "hideLeft": "1", "hideRight": "1", "strikeBLTR": "1"}
            kind = _properties("borderBox", **hidden) if node.notation == "strike" else ""
            return f"<m:borderBox>{kind}{_part('e', node.body)}</m:borderBox>"


def _part(name: str, node: Node | None) -> str:
    return f"<m:{name}>{_node(node)}</m:{name}>" if node is not None else f"<m:{name}/>"


def _properties(name: str, **values: str) -> str:
    written = "".join(f'<m:{each} m:val="{escape(value)}"/>' for each, value in values.items())
    return f"<m:{name}Pr>{written}</m:{name}Pr>"


def _atom(atom: Atom) -> str:
    style = ""
    if atom.role is Role.FUNCTION or (not atom.upright and len(atom.text) > 1 and atom.text.isalpha()):
        style = '<m:rPr><m:sty m:val="p"/></m:rPr>'
    elif atom.upright:
        style = "<m:rPr><m:nor/></m:rPr>"
    return f'<m:r>{style}<m:t xml:space="preserve">{escape(atom.text)}</m:t></m:r>'


def _scripts(node: Scripts) -> str:
    base = _part("e", node.base)
    if node.limits:
        if node.below is not None:
            base = f"<m:e><m:limLow>{base}{_part('lim', node.below)}</m:limLow></m:e>"
        if node.above is not None:
            base = f"<m:e><m:limUpp>{base}{_part('lim', node.above)}</m:limUpp></m:e>"
        return base.removeprefix("<m:e>").removesuffix("</m:e>")
    parts = (("sub", node.below), ("sup", node.above))
    name = "".join(part.capitalize() for part, script in parts if script is not None)
    scripts = "".join(_part(part, script) for part, script in parts if script is not None)
    return f"<m:s{name}>{base}{scripts}</m:s{name}>" if name else _node(node.base)


def _operator(node: Scripts, sign: str, body: str) -> str:
    hidden = {"subHide": node.below, "supHide": node.above}
    kind = _properties(
        "nary",
        chr=sign,
        limLoc="undOvr" if node.limits else "subSup",
        **{name: "1" for name, script in hidden.items() if script is None},
    )
    return f"<m:nary>{kind}{_part('sub', node.below)}{_part('sup', node.above)}<m:e>{body}</m:e></m:nary>"


def _accent(node: Accent) -> str:
    place = "top" if node.over else "bot"
    if node.mark in _BARS:
        return f"<m:bar>{_properties('bar', pos=place)}{_part('e', node.base)}</m:bar>"
    if node.mark in _BRACES:
        kind = _properties("groupChr", chr=node.mark, pos=place)
        return f"<m:groupChr>{kind}{_part('e', node.base)}</m:groupChr>"
    if node.over:
        return f"<m:acc>{_properties('acc', chr=_COMBINING.get(node.mark, node.mark))}{_part('e', node.base)}</m:acc>"
    return f"<m:limLow>{_part('e', node.base)}{_part('lim', Atom(node.mark))}</m:limLow>"


def _grid(node: Grid) -> str:
    width = max((len(row) for row in node.rows), default=0)
    columns = "".join(
        f"<m:mc>{_properties('mc', count='1', mcJc=_JUSTIFIED.get(node.aligns[at : at + 1], 'center'))}</m:mc>"
        for at in range(width)
    )
    rows = "".join(f"<m:mr>{''.join(_part('e', cell) for cell in row)}</m:mr>" for row in node.rows)
    return f"<m:m><m:mPr><m:mcs>{columns}</m:mcs></m:mPr>{rows}</m:m>"
