"""Gaps of a document: where they are, what stands in them, and which of them are the rows of a match (pure)."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

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
    Mark,
    Paragraph,
    Quote,
    Table,
    Text,
)

_KEPT_WHOLE = 24
"""Characters up to which what fills a gap is not broken between its words."""
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
    """Put what is written into the gaps, in its place. `texts`: by number; `active`: the one looked at, 0 none."""
    known = dict(texts)

    def fill(gap: Gap) -> Text:
        return _in_gap(gap.number, known.get(gap.number, ""), active=gap.number == active)

    return Document(tuple(_block(block, fill) for block in document.blocks))


def _in_gap(number: int, text: str, *, active: bool) -> Text:
    """`[ 1 dioxide ]`: the number stays, so that a gap is found by its key."""
    shown = " ".join(text.split())
    if len(shown) <= _KEPT_WHOLE:
        shown = shown.replace(" ", "\xa0")
    marks = Mark.HIGHLIGHT if active else Mark.BOLD | Mark.UNDERLINE if shown else Mark.UNDERLINE
    return Text(f"[\xa0{number}\xa0{shown or '______'}\xa0]", marks)


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


@dataclass(frozen=True, slots=True)
class Left:
    """A left side of a match, and the number of the gap that what belongs to it fills."""

    document: Document
    gap: int


def match_of(document: Document) -> tuple[Document, tuple[Left, ...]] | None:
    """Divide the text of a match into what it asks and its left sides; None where it has no table of them."""
    for place, block in enumerate(document.blocks):
        if isinstance(block, Table) and (lefts := [_left(row) for row in block.rows]):
            found = tuple(left for left in lefts if left is not None)
            if len(found) == len(lefts):
                return Document(document.blocks[:place] + document.blocks[place + 1 :]), found
    return None


def _left(row: tuple[Cell, ...]) -> Left | None:
    """A row of two cells whose second one is a gap and nothing else."""
    if len(row) != 2 or len(row[1].blocks) != 1 or list(_gaps_of(row[0].blocks)):
        return None
    second = row[1].blocks[0]
    if not isinstance(second, Paragraph):
        return None
    only = [child for child in second.children if not (isinstance(child, Text) and not child.text.strip())]
    return Left(Document(row[0].blocks), only[0].number) if len(only) == 1 and isinstance(only[0], Gap) else None
