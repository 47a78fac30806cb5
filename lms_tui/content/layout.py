"""Lay out a document as lines of cells, at any width."""

from collections.abc import Iterable, Sequence

from lms_tui.content.cells import pad, width
from lms_tui.content.flow import Setting, paragraph, runs_left, text_lines, together
from lms_tui.content.images.bitmap import now_shown
from lms_tui.content.lines import NO_WORD, Line, Mark, Run
from lms_tui.content.model import (
    Block,
    Document,
    Figure,
    Item,
    Listing,
    MathsStyle,
    Notice,
    Paragraph,
    Preformatted,
    Quote,
    Rule,
    Table,
)
from lms_tui.content.tables import table
from lms_tui.content.tiles import blanks_and_words

_NARROWEST = 8
_BLANK = Line((), 0)


def layout(
    document: Document,
    width: int,
    style: MathsStyle = MathsStyle.TWO_DIMENSIONAL,
    *,
    bidi: bool = True,
) -> tuple[Line, ...]:
    """Lay out a document in `width` cells. Only code, tables and formulas that cannot be broken are wider.

    With `bidi` False, right-to-left text stays in logical order, for terminals that reorder it themselves. Images come
    from the source set by `show_from`. By default only embedded images are shown.
    """
    return tuple(blocks(document.blocks, max(width, 1), Setting(style, bidi, now_shown())))


def blocks(content: Sequence[Block], cells: int, setting: Setting, *, close: bool = False) -> list[Line]:
    """Lay out blocks below each other. With `close`, no blank lines separate them, as in list items."""
    lines: list[Line] = []
    before: Block | None = None
    for block in content:
        laid = _block(block, cells, setting)
        if lines and laid and _apart(before, block, close=close):
            lines.append(_BLANK)
        lines.extend(laid)
        before = block
    return lines


def _apart(before: Block | None, block: Block, *, close: bool) -> bool:
    if isinstance(before, Paragraph) and before.level:
        return False
    if close:
        return isinstance(block, Table | Figure | Preformatted) or isinstance(before, Table | Figure | Preformatted)
    return True


def _block(block: Block, cells: int, setting: Setting) -> list[Line]:  # noqa: PLR0911 - one return for each kind of block
    match block:
        case Paragraph():
            return paragraph(block, cells, setting)
        case Preformatted():
            return together(_code(block), cells)
        case Listing():
            return _listing(block, cells, setting)
        case Quote():
            inner = blocks(block.blocks, max(_NARROWEST, cells - 2), setting)
            return [_led(line, "│ ", Mark.DIM) for line in inner]
        case Table():
            return table(block, cells, setting, blocks)
        case Figure():
            return _figure(block, cells, setting)
        case Rule():
            return [Line((Run("─" * cells, Mark.DIM),), cells)]
        case Notice():
            return text_lines(f"[{block.text}]", cells, Mark.DIM)


def _code(block: Preformatted) -> list[Line]:
    if block.word == NO_WORD:
        return [Line((Run(line, Mark.CODE),) if line else (), width(line)) for line in block.lines]
    lines: list[Line] = []
    word = block.word
    for line in block.lines:
        runs: list[Run] = []
        for text in blanks_and_words(line):
            blank = not text.strip(" ")
            runs.append(Run(text, Mark.CODE, word=NO_WORD if blank else word))
            word += not blank
        lines.append(Line(tuple(runs), width(line)))
    return lines


def _led(line: Line, lead: str, marks: Mark = Mark.NONE) -> Line:
    """Put text before a line."""
    if not line.runs and not lead.strip():
        return line
    taken = width(lead)
    return Line((Run(lead, marks), *line.runs), taken + line.width, line.base, line.span and taken + line.span)


def _listing(block: Listing, cells: int, setting: Setting) -> list[Line]:
    label_cells = max((width(item.label) for item in block.items), default=0)
    indent = label_cells + 1 if label_cells else 2
    room = max(_NARROWEST, cells - indent)
    lines: list[Line] = []
    spacious = any(_spacious(item) for item in block.items)
    for item in block.items:
        if lines and spacious:
            lines.append(_BLANK)
        inner = blocks(item.blocks, room, setting, close=not spacious)
        if setting.bidi and _right_to_left(item):
            lines.extend(_labelled_right(inner, item.label, indent, room))
        else:
            lines.extend(_labelled(inner, item.label, indent))
    return lines


def _spacious(item: Item) -> bool:
    return sum(isinstance(block, Paragraph) for block in item.blocks) > 1


def _right_to_left(item: Item) -> bool:
    first = item.blocks[0] if item.blocks else None
    return isinstance(first, Paragraph) and runs_left(first)


def _labelled(inner: Iterable[Line], label: str, indent: int) -> list[Line]:
    """Put the label before the first row with text."""
    lines: list[Line] = []
    waiting = bool(label)
    for line in inner:
        if waiting and line.base:
            lead = " " * (indent - 1 - width(label)) + label + " "
            lines.append(_led(line, lead))
            waiting = False
        else:
            lines.append(_led(line, " " * indent))
    return lines


def _labelled_right(inner: Iterable[Line], label: str, indent: int, room: int) -> list[Line]:
    """Put the label after the first row, for right-to-left text."""
    lines: list[Line] = []
    waiting = bool(label)
    for line in inner:
        if waiting and line.base:
            tail = " " * max(0, room - line.width) + " " + pad(label, indent - 1).rstrip()
            lines.append(Line((*line.runs, Run(tail)), line.width + width(tail), line.base, line.span))
            waiting = False
        else:
            lines.append(line)
    return lines


def _figure(block: Figure, cells: int, setting: Setting) -> list[Line]:
    lines = blocks(block.blocks, cells, setting)
    if block.caption:
        lines.extend(paragraph(Paragraph(block.caption), cells, setting))
    return lines
