"""Draw a formula of a document in any style."""

from typing import Final

from selectolax.lexbor import LexborHTMLParser

from lms_tui.content.cells import counted
from lms_tui.content.maths.draw import Drawing, Part, may_be_flat
from lms_tui.content.maths.latex import read_latex
from lms_tui.content.maths.line import row_parts
from lms_tui.content.maths.picture import NOTHING, Picture, beside, line_of, on_row
from lms_tui.content.maths.tree import DEEPEST, Atom, Fence, Node, Role, inline, is_deep
from lms_tui.content.maths.words import speak
from lms_tui.content.model import Maths, MathsStyle
from lms_tui.content.text import safe_text

_TALLEST: Final = 40
_WIDEST: Final = 400
_LONG: Final = 30
"""Width above which a set, a tuple or text inside a formula may be broken."""
_INDENT: Final = 2
_SHORT: Final = 12
"""Width below which a formula is never broken."""

_BREAKING: Final = frozenset({Role.RELATION, Role.BINARY, Role.PUNCTUATION})

Pieces = tuple[tuple[int, Picture], ...]
"""Pictures, each with the blanks before it. A line may break between two of them."""


def tree_of(maths: Maths) -> Node | None:
    """Return the tree of a formula, or None if it can only be shown as its source."""
    tree = _read_mathml(maths.source) if maths.mathml else read_latex(maths.source)
    return None if tree is None or (len(maths.source) > DEEPEST and is_deep(tree)) else tree


def _read_mathml(source: str) -> Node | None:
    from lms_tui.content.maths.mathml import read_mathml  # noqa: PLC0415 - few exams have MathML, and XML is 700 KiB

    return read_mathml(source)


@counted(maxsize=1024)
def pieces(maths: Maths, style: MathsStyle) -> Pieces:
    """Draw a formula as pieces. A line may break between them, after relations and signs."""
    tree = None if style is MathsStyle.SOURCE else tree_of(maths)
    if tree is None:
        return tuple((1 if at else 0, line_of(word)) for at, word in enumerate(source_words(maths))) or ((0, NOTHING),)
    if style is MathsStyle.WORDS:
        return tuple((1 if at else 0, line_of(word)) for at, word in enumerate(speak(tree).split()))
    return _drawn(tree, maths, style)


def _drawn(tree: Node, maths: Maths, style: MathsStyle) -> Pieces:
    if style is MathsStyle.TWO_DIMENSIONAL:
        if not maths.display and may_be_flat(tree):
            flat = _joined(Drawing(slash=True).parts(inline(tree)))
            if all(picture.height == 1 for _, picture in flat):
                return flat
        drawn = _joined(Drawing().parts(inline(tree)))
        if all(picture.height <= _TALLEST and picture.width <= _WIDEST for _, picture in drawn):
            return drawn
    return _joined([Part(gap, line_of(text), child, own) for gap, text, child, own in row_parts(inline(tree))])


def source_words(maths: Maths) -> list[str]:
    """Return the source of a formula that cannot be drawn, or the text of MathML, in words."""
    if maths.mathml:
        node = LexborHTMLParser(maths.source).css_first("math")
        return safe_text(maths.source if node is None else node.text() or "").split()
    return maths.source.split()


def _joined(parts: list[Part]) -> Pieces:
    """Join the children of the outermost row up to each relation, sign or comma."""
    if sum(part.gap + part.picture.width for part in parts) < _SHORT:
        return ((0, beside((part.gap, part.picture) for part in parts)),)
    groups: list[list[Part]] = [[]]
    for part in parts:
        before = groups[-1][-1] if groups[-1] else None
        if before is not None and part.gap and isinstance(before.node, Atom) and before.role in _BREAKING:
            groups.append([])
        groups[-1].append(part)
    return tuple(piece for group in groups for piece in _cut(group))


def _cut(group: list[Part]) -> list[tuple[int, Picture]]:
    """Yield one piece. A long set, tuple or text on one row is split further."""
    if not group:
        return []
    gap = group[0].gap
    picture = beside((part.gap if at else 0, part.picture) for at, part in enumerate(group))
    if picture.height > 1 or picture.width < _LONG:
        return [(gap, picture)]
    text = picture.rows[0]
    if any(isinstance(part.node, Fence) for part in group) or any(
        isinstance(part.node, Atom) and part.node.upright for part in group
    ):
        return [(1 if at else gap, line_of(word)) for at, word in enumerate(_clauses(text))]
    return [(gap, picture)]


def _clauses(text: str) -> list[str]:
    """Split a one-row formula or text after commas, relations and words."""
    return [part for part in text.split(" ") if part]


def render_maths(maths: Maths, style: MathsStyle, width: int) -> Picture:
    """Draw a formula as one picture. It is broken at relations if it is wider than `width` cells."""
    lines: list[list[tuple[int, Picture]]] = [[]]
    used = 0
    for gap, picture in pieces(maths, style):
        if lines[-1] and used + gap + picture.width > width:
            lines.append([])
            used = _INDENT
        lines[-1].append((gap if lines[-1] else (_INDENT if len(lines) > 1 else 0), picture))
        used += gap + picture.width
    return on_row([beside(line) for line in lines], 0, "l")
