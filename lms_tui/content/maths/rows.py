"""Combine neighbouring nodes: match delimiters and bars, apply strokes, and tell limits from accents."""

import unicodedata
from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from lms_tui.content.maths.symbols import LIMIT_NAMES
from lms_tui.content.maths.tree import (
    EMPTY,
    Accent,
    Atom,
    Fence,
    Grid,
    Node,
    Role,
    Row,
    Scripts,
    inline,
    role,
)

STROKE: Final = Atom("⧸", Role.PUNCTUATION)
"""A stroke through the next symbol."""
_MATCHED: Final = frozenset({Role.OPEN, Role.CLOSE, Role.BAR})
_ACCENTS: Final = frozenset("^ˆ~˜∼¯―‾_˙¨⃛⃜˘ˇ´`˚→⟶⃗←↔⏞⏟⎴⎵⏜⏝⏠⏡̲⏠⇀↼")


def stacked(base: Node, below: Node | None, above: Node | None) -> Node:
    """Put nodes below and above a base, as an accent or as limits."""
    if below is None and (mark := _accent(above)):
        return Accent(base, mark)
    if above is None and (mark := _accent(below)):
        return Accent(base, mark, over=False)
    return Scripts(base, below, above, limits=True)


def scripted(base: Node, below: Node | None, above: Node | None) -> Node:
    """Add scripts to a base. Some bases take limits instead."""
    return Scripts(base, below, above, limits=_wants_limits(base))


def _accent(node: Node | None) -> str:
    return node.text if isinstance(node, Atom) and node.text in _ACCENTS else ""


def _wants_limits(base: Node) -> bool:
    if isinstance(base, Atom):
        return base.role is Role.FUNCTION and base.text in LIMIT_NAMES
    return isinstance(base, Accent) and base.mark in "⏞⏟"


def row(nodes: Iterable[Node]) -> Node:
    """Combine nodes into one: match delimiters, apply strokes and unwrap groups of one."""
    children = [child for node in nodes for child in inline(node)]
    if len(children) > 1 and any(map(_is_matched, children)):
        children = _fenced(_struck(children))
    if children and isinstance(last := children[-1], Scripts) and last.base == EMPTY:
        children[-1] = replace(
            last, base=Atom("")
        )  # nothing follows, so the scripts belong to the text before, as in N$_3^-$
    return children[0] if len(children) == 1 else Row(tuple(children))


def _is_matched(node: Node) -> bool:
    """Return whether a node is a delimiter, a bar or a stroke."""
    if isinstance(node, Scripts):
        node = node.base
    return isinstance(node, Atom) and (node.role in _MATCHED or node is STROKE)


def _struck(nodes: list[Node]) -> list[Node]:
    result: list[Node] = []
    strike = False
    for node in nodes:
        if node is STROKE:
            strike = True
        elif strike and isinstance(node, Atom):
            result.append(Atom(unicodedata.normalize("NFC", node.text + "\u0338"), node.role))
            strike = False
        else:
            result.append(node)
    return result


def _fenced(nodes: list[Node]) -> list[Node]:
    """Pair delimiters, including half-open intervals such as `[0, 1)`, and then bars."""
    stack: list[tuple[Atom, list[Node]]] = [(Atom(""), [])]
    for node in nodes:
        sign = _sign(node)
        if sign is None or sign.role not in {Role.OPEN, Role.CLOSE} or sign.text == "!":
            stack[-1][1].append(node)
        elif sign.role is Role.OPEN:
            stack.append((sign, []))
        elif sign.text == "⟩" and stack[-1][0].text != "⟨" and (bar := _last_bar(stack[-1][1])) is not None:
            held = stack[-1][1]
            ket = _closed(Atom("|"), held[bar + 1 :], node)
            held[bar:] = [ket]
        elif len(stack) == 1:
            stack[-1][1].append(node)
        else:
            opening, held = stack.pop()
            stack[-1][1].append(_closed(opening, held, node))
    while len(stack) > 1:
        opening, held = stack.pop()
        if held and isinstance(held[0], Grid):  # the brace of cases is never closed
            stack[-1][1].extend([Fence(opening.text, held[0], ""), *held[1:]])
        else:
            stack[-1][1].extend([opening, *held])
    return _barred(stack[0][1])


def _last_bar(nodes: list[Node]) -> int | None:
    """Return the index of the bar that opens a ket."""
    return next((at for at in range(len(nodes) - 1, -1, -1) if _is_bar(nodes[at])), None)


def _sign(node: Node) -> Atom | None:
    """Return the delimiter in a node. A closing delimiter may carry a power, as in (x + 1)²."""
    if isinstance(node, Scripts) and isinstance(node.base, Atom) and node.base.role in {Role.CLOSE, Role.BAR}:
        return node.base
    return node if isinstance(node, Atom) else None


def _closed(opening: Atom, held: list[Node], closing: Node) -> Node:
    sign = _sign(closing)
    fence = Fence(opening.text, row(held), "" if sign is None else sign.text)
    return replace(closing, base=fence) if isinstance(closing, Scripts) else fence


def _barred(nodes: list[Node]) -> list[Node]:
    """Pair the bars of one group, as in |x| and ‖v‖.

    A bar without a partner is a relation, as in {x | x > 0} and P(A|B).
    """
    bars = [at for at, node in enumerate(nodes) if _is_bar(node)]
    if not bars:
        return nodes
    lone = -1 if len(bars) % 2 == 0 else (bars[0] or bars[-1])
    stack: list[tuple[Atom, list[Node]]] = [(Atom(""), [])]
    for at, node in enumerate(nodes):
        held = stack[-1][1]
        sign = _sign(node)
        if sign is None or sign.role is not Role.BAR:
            held.append(node)
        elif at == lone:
            held.append(Atom(sign.text, Role.RELATION) if isinstance(node, Atom) else node)
        elif sign.text == stack[-1][0].text and held and role(held[-1]) not in _WANTING:
            opening, held = stack.pop()
            stack[-1][1].append(_closed(opening, held, node))
        elif isinstance(node, Scripts):
            held.append(node)
        else:
            stack.append((sign, []))
    for opening, held in stack[1:]:
        stack[0][1].extend([Atom(opening.text, Role.RELATION), *held])
    return stack[0][1]


def _is_bar(node: Node) -> bool:
    sign = _sign(node)
    return sign is not None and sign.role is Role.BAR


_WANTING: Final = frozenset({Role.BINARY, Role.RELATION, Role.PUNCTUATION, Role.FUNCTION, Role.LARGE})
