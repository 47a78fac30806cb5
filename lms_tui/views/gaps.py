"""The gaps of a document, and the table of a match question (pure)."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from lms_tui.common.frozen import frozen
from lms_tui.content.cells import width
from lms_tui.content.lines import Line, Mark, Run
from lms_tui.content.model import (
    Block,
    Cell,
    Document,
    Figure,
    Gap,
    Inline,
    Item,
    Link,
    Listing,
    Paragraph,
    Quote,
    Table,
    Text,
)

_KEPT_WHOLE = 24
"""Characters of an answer up to which a gap is not wrapped."""
_BEGINS = re.compile(r"\[[ \xa0](\d+)[ \xa0]")
_MARKS = Mark.UNDERLINE | Mark.HIGHLIGHT
"""One of them is a mark of every gap."""
Fill = Callable[[Gap], Text]


def gaps_in(document: Document) -> tuple[int, ...]:
    """The numbers of the gaps, each once, in reading order."""
    return tuple(dict.fromkeys(gap.number for gap in _gaps_of(document.blocks)))


def _gaps_of(blocks: Sequence[Block]) -> Iterator[Gap]:
    for block in blocks:
        match block:
            case Paragraph(children=children):
                yield from _inline_gaps(children)
            case Listing(items=items):
                for item in items:
                    yield from _gaps_of(item.blocks)
            case Quote(blocks=inner):
                yield from _gaps_of(inner)
            case Figure(blocks=inner, caption=caption):
                yield from _gaps_of(inner)
                yield from _inline_gaps(caption)
            case Table(rows=rows):
                for row in rows:
                    for cell in row:
                        yield from _gaps_of(cell.blocks)
            case _:
                pass


def _inline_gaps(children: Sequence[Inline]) -> Iterator[Gap]:
    for child in children:
        if isinstance(child, Gap):
            yield child
        elif isinstance(child, Link):
            yield from _inline_gaps(child.children)


def filled(document: Document, texts: Sequence[tuple[int, str]], active: int) -> Document:
    """Put answers into the gaps. `texts`: gap numbers with answers. `active`: the highlighted gap, 0 for none."""
    known = dict(texts)

    def fill(gap: Gap) -> Text:
        return _in_gap(gap.number, known.get(gap.number, ""), active=gap.number == active)

    return Document(tuple(_block(block, fill) for block in document.blocks))


def _in_gap(number: int, text: str, *, active: bool) -> Text:
    """For example `[ 1 dioxide ]`. The number is also the key that opens the gap."""
    shown = " ".join(text.split())
    if len(shown) <= _KEPT_WHOLE:
        shown = shown.replace(" ", "\xa0")
    marks = Mark.HIGHLIGHT if active else Mark.BOLD | Mark.UNDERLINE if shown else Mark.UNDERLINE
    return Text(f"[\xa0{number}\xa0{shown or '______'}\xa0]", marks)


def gap_at(lines: Sequence[Line], row: int, column: int) -> int:
    """Return the number of the filled gap at a cell, 0 for none. An answer may begin in a line above."""
    before: list[Run] = [run for line in lines[:row] for run in line.runs]
    for run in lines[row].runs:
        column -= width(run.text)
        before.append(run)
        if column < 0:
            break
    if column >= 0:
        return 0
    for run in reversed(before):
        if not run.marks & _MARKS:
            return 0
        if begins := _BEGINS.match(run.text):
            return int(begins[1])
    return 0


def _block(block: Block, fill: Fill) -> Block:
    match block:
        case Paragraph():
            return replace(block, children=_inlines(block.children, fill))
        case Listing():
            return Listing(tuple(Item(item.label, _blocks(item.blocks, fill)) for item in block.items))
        case Quote():
            return Quote(_blocks(block.blocks, fill))
        case Figure():
            return Figure(_blocks(block.blocks, fill), _inlines(block.caption, fill))
        case Table():
            rows = tuple(tuple(_cell(cell, fill) for cell in row) for row in block.rows)
            return replace(block, rows=rows)
        case _:
            return block


def _blocks(blocks: Sequence[Block], fill: Fill) -> tuple[Block, ...]:
    return tuple(_block(block, fill) for block in blocks)


def _cell(cell: Cell, fill: Fill) -> Cell:
    return replace(cell, blocks=_blocks(cell.blocks, fill))


def _inlines(children: Sequence[Inline], fill: Fill) -> tuple[Inline, ...]:
    return tuple(
        fill(child)
        if isinstance(child, Gap)
        else Link(child.href, _inlines(child.children, fill))
        if isinstance(child, Link)
        else child
        for child in children
    )


@frozen
class LeftSide:
    """A left side of a match, and the number of the gap that takes its answer."""

    document: Document
    gap: int


def split_match(document: Document) -> tuple[Document, tuple[LeftSide, ...]] | None:
    """Split a match into its stem and its left sides. Return None without a table of left sides."""
    for place, block in enumerate(document.blocks):
        if isinstance(block, Table) and (lefts := [_left(row) for row in block.rows]):
            found = tuple(left for left in lefts if left is not None)
            if len(found) == len(lefts):
                return Document(document.blocks[:place] + document.blocks[place + 1 :]), found
    return None


def _left(row: tuple[Cell, ...]) -> LeftSide | None:
    """Read a row of two cells, of which the second holds only a gap."""
    if len(row) != 2 or len(row[1].blocks) != 1 or list(_gaps_of(row[0].blocks)):
        return None
    second = row[1].blocks[0]
    if not isinstance(second, Paragraph):
        return None
    only = [child for child in second.children if not (isinstance(child, Text) and not child.text.strip())]
    return LeftSide(Document(row[0].blocks), only[0].number) if len(only) == 1 and isinstance(only[0], Gap) else None
