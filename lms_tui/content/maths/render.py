"""From a formula of the document to what is drawn, at any rung of the ladder."""

from functools import lru_cache
from typing import Final
from xml.etree.ElementTree import Element

from selectolax.lexbor import LexborHTMLParser, LexborNode

from lms_tui.content.maths.draw import Drawing
from lms_tui.content.maths.latex import LONGEST, read_latex
from lms_tui.content.maths.line import write
from lms_tui.content.maths.mathml import Reader, TooDeep
from lms_tui.content.maths.picture import NOTHING, Picture, beside, line_of, on_row
from lms_tui.content.maths.spacing import spaced
from lms_tui.content.maths.tree import Atom, Fence, Node, Role, Row, inline
from lms_tui.content.maths.words import speak
from lms_tui.content.model import Maths, MathsStyle

_TALLEST: Final = 40
_WIDEST: Final = 400
_DEEPEST: Final = 80
_INDENT: Final = 2

Pieces = tuple[tuple[int, Picture], ...]
"""Each with the blanks before it; a line may end between two."""


def tree_of(maths: Maths) -> Node | None:
    """Return the tree of a formula, None where it can only be shown as its source."""
    return _read_mathml(maths.source) if maths.mathml else read_latex(maths.source)


@lru_cache(maxsize=256)
def _read_mathml(source: str) -> Node | None:
    if len(source) > 10 * LONGEST:
        return None
    node = LexborHTMLParser(source).css_first("math")
    try:
        return None if node is None else Reader({}).read(_element(node, 0))
    except TooDeep:
        return None


def _element(node: LexborNode, depth: int) -> Element:
    """Copy the parser's node to the kind that latex2mathml makes."""
    if depth > _DEEPEST:
        raise TooDeep
    element = Element(node.tag or "mrow", {key: value or "" for key, value in node.attributes.items()})
    child = node.first_child
    last: Element | None = None
    while child is not None:
        if child.is_text_node:
            text = child.text_content or ""
            if last is None:
                element.text = (element.text or "") + text
            else:
                last.tail = (last.tail or "") + text
        elif child.is_element_node:
            last = _element(child, depth + 1)
            element.append(last)
        child = child.next
    return element


@lru_cache(maxsize=1024)
def pieces(maths: Maths, style: MathsStyle) -> Pieces:
    """Draw a formula as pieces that may stand on different lines, broken after relations and signs."""
    tree = None if style is MathsStyle.SOURCE else tree_of(maths)
    if tree is None:
        return tuple((1 if at else 0, line_of(word)) for at, word in enumerate(source_words(maths))) or ((0, NOTHING),)
    if style is MathsStyle.WORDS:
        return tuple((1 if at else 0, line_of(word)) for at, word in enumerate(speak(tree).split()))
    if style is MathsStyle.LINE:
        return tuple(_split(tree, None))
    if not maths.display:
        flat = Drawing(slash=True).draw(tree)
        if flat.height == 1:
            return tuple(_split(tree, Drawing(slash=True)))
    drawn = tuple(_split(tree, Drawing()))
    tall = max((picture.height for _, picture in drawn), default=0) > _TALLEST
    return drawn if not tall and all(picture.width <= _WIDEST for _, picture in drawn) else tuple(_split(tree, None))


def source_words(maths: Maths) -> list[str]:
    """The source, for a formula that cannot be drawn; of MathML its text."""
    if maths.mathml:
        node = LexborHTMLParser(maths.source).css_first("math")
        return (node.text() or "").split() if node is not None else maths.source.split()
    return maths.source.split()


def _split(tree: Node, drawing: Drawing | None) -> list[tuple[int, Picture]]:
    """Cut the outermost row after its relations, signs and commas; `drawing` None: on one line."""
    groups: list[tuple[int, list[Node]]] = [(0, [])]
    previous = ""
    for gap, child, own in spaced(inline(tree)):
        if previous and gap:
            groups.append((gap, []))
        groups[-1][1].append(child)
        previous = child.text if isinstance(child, Atom) and _breaks_after(own) else ""
    result: list[tuple[int, Picture]] = []
    for gap, nodes in groups:
        result.extend(_cut(gap, nodes, drawing, last=nodes is groups[-1][1]))
    return result


def _breaks_after(own: Role) -> bool:
    return own in {Role.RELATION, Role.BINARY, Role.PUNCTUATION}


def _cut(gap: int, nodes: list[Node], drawing: Drawing | None, *, last: bool) -> list[tuple[int, Picture]]:
    """Draw one piece; words and long brackets on one row are cut further."""
    picture = _drawn(nodes, drawing, last=last)
    if picture.height > 1 or picture.width < 30:
        return [(gap, picture)]
    if len(nodes) == 1 and isinstance(nodes[0], Fence):
        fence = nodes[0]
        inner = _split(fence.body, drawing)
        if len(inner) > 1:
            first, end = inner[0], inner[-1]
            opened = (gap, beside([(0, line_of(fence.opening)), (0, first[1])]))
            closed = (end[0], beside([(0, end[1]), (0, line_of(fence.closing))]))
            return [opened, *inner[1:-1], closed]
    words = picture.rows[0].split(" ")
    if any(isinstance(node, Atom) and node.upright and " " in node.text.strip() for node in nodes):
        return [(gap if at == 0 else 1, line_of(word)) for at, word in enumerate(words) if word]
    return [(gap, picture)]


def _drawn(nodes: list[Node], drawing: Drawing | None, *, last: bool) -> Picture:
    """Draw a piece; the sign it ends with stands as in the whole formula, apart from what precedes it."""
    ends = isinstance(nodes[-1], Atom) and len(nodes) > 1 and not last
    if ends:
        body, sign = nodes[:-1], nodes[-1]
        gap = next(gap for gap, child, _ in spaced((*nodes, Atom("x"))) if child is sign)
        first = _plain(body, drawing)
        return beside([(0, first), (gap, _plain([sign], drawing))])
    return _plain(nodes, drawing)


def _plain(nodes: list[Node], drawing: Drawing | None) -> Picture:
    node = nodes[0] if len(nodes) == 1 else Row(tuple(nodes))
    return line_of(write(node)) if drawing is None else drawing.draw(node)


def render_maths(maths: Maths, style: MathsStyle, width: int) -> Picture:
    """Draw a formula as one picture, broken at relations where it is wider than `width` cells."""
    lines: list[list[tuple[int, Picture]]] = [[]]
    used = 0
    for gap, picture in pieces(maths, style):
        if lines[-1] and used + gap + picture.width > width:
            lines.append([])
            used = _INDENT
        lines[-1].append((gap if lines[-1] else (_INDENT if len(lines) > 1 else 0), picture))
        used += gap + picture.width
    return on_row([beside(line) for line in lines], 0, "l")
