"""Exam content as sentences for screen readers and braille displays (pure). Lines are not wrapped.

Formulas are spoken. Tables are read row by row, with the heading before each cell. Pictures are replaced by their
descriptions.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from lms_tui.common.cleaning import clean_line
from lms_tui.content.html import parse
from lms_tui.content.lines import Mark
from lms_tui.content.maths.render import tree_of
from lms_tui.content.maths.words import speak
from lms_tui.content.model import (
    Block,
    Break,
    Cell,
    Document,
    Figure,
    Gap,
    Image,
    Inline,
    Link,
    Listing,
    Maths,
    Notice,
    Paragraph,
    Preformatted,
    Quote,
    Rule,
    Table,
    Text,
)
from lms_tui.views.format import counted

_BULLET: Final = "•"
_LOOSE: Final = re.compile(r"(?<=\() | (?=[.,;:?!)])")
"""Spaces left by a spoken formula before a sign or after a bracket."""


def to_speech(html: str) -> tuple[str, ...]:
    """Convert untrusted HTML to cleaned lines. Empty for HTML without content."""
    return document_to_speech(parse(html))


def document_to_speech(document: Document) -> tuple[str, ...]:
    return tuple(line for line in _blocks(document.blocks) if line)


def _blocks(blocks: Sequence[Block]) -> Iterator[str]:
    for block in blocks:
        yield from _block(block)


def _block(block: Block) -> Iterator[str]:
    match block:
        case Paragraph():
            said = _inlines(block.children)
            yield from (f"Heading: {line}" if block.level else line for line in said)
        case Preformatted():
            yield "Text as it is typed:"
            yield from block.lines
        case Listing():
            yield from _listing(block)
        case Quote():
            yield "Quotation:"
            yield from _blocks(block.blocks)
            yield "End of the quotation."
        case Table():
            yield from _table(block)
        case Figure():
            yield from _blocks(block.blocks)
            yield from (f"Caption: {line}" for line in _inlines(block.caption))
        case Rule():
            yield ""
        case Notice():
            yield block.text


def _listing(block: Listing) -> Iterator[str]:
    for item in block.items:
        label = "-" if item.label.strip() == _BULLET else item.label.strip()
        lines = list(_blocks(item.blocks))
        yield f"{label} {lines[0]}" if lines else label
        yield from lines[1:]


def _table(block: Table) -> Iterator[str]:
    """Read a table. If the first row has headings, each cell follows the heading of its column."""
    rows = [row for row in block.rows if row]
    if not rows:
        return
    columns = max(sum(cell.columns for cell in row) for row in rows)
    headed = len(rows) > 1 and all(cell.header for cell in rows[0])
    headings = _spread(rows[0]) if headed else []
    name = f" {clean_line(block.caption)}:" if block.caption else ""
    yield f"Table,{name} {counted(len(rows) - headed, 'row')}, {counted(columns, 'column')}."
    for number, row in enumerate(rows[headed:], 1):
        yield f"Row {number}: {'; '.join(_cells(row, headings))}."
    yield "End of the table."


def _cells(row: Sequence[Cell], headings: Sequence[str]) -> Iterator[str]:
    at = 0
    for cell in row:
        text = _cell(cell) or "empty"
        heading = headings[at] if at < len(headings) else ""
        yield f"{heading}: {text}" if heading and not cell.header else text
        at += cell.columns


def _spread(row: Sequence[Cell]) -> list[str]:
    return [text for cell in row for text in [_cell(cell)] * min(cell.columns, 100)]


def _cell(cell: Cell) -> str:
    return " ".join(_blocks(cell.blocks)).strip()


def _inlines(children: Sequence[Inline]) -> list[str]:
    lines = [""]
    for child in children:
        if isinstance(child, Break):
            lines.append("")
        else:
            lines[-1] += _inline(child)
    return [_LOOSE.sub("", " ".join(line.split())) for line in lines if line.strip()]


def _inline(child: Inline) -> str:
    match child:
        case Text():
            return _text(child)
        case Maths():
            tree = tree_of(child)
            return f" {clean_line(child.source) if tree is None else speak(tree)} "
        case Image():
            alt = clean_line(child.alt)
            return f" (picture: {alt}) " if alt else " (a picture without a description) "
        case Link():
            return "".join(_inline(each) for each in child.children)
        case Gap():
            return f" (gap {child.number}) "
        case Break():
            return " "


def _text(text: Text) -> str:
    if Mark.SUP in text.marks and text.text.strip():
        return f" to the {text.text.strip()} " if text.text.strip().lstrip("-−+").isalnum() else f" {text.text} "
    if Mark.SUB in text.marks and text.text.strip():
        return f" sub {text.text.strip()} "
    if Mark.STRIKE in text.marks and text.text.strip():
        return f" (struck out: {text.text.strip()}) "
    return text.text
