"""The words of a document, numbered in reading order, and the marks on them (pure).

A number names the same word in every layout of the document: at every width, in tables and beside formulas.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from lms_tui.content.cells import width
from lms_tui.content.lines import NO_WORD, Line, Mark, Run
from lms_tui.content.model import (
    Block,
    Document,
    Figure,
    Inline,
    Item,
    Link,
    Listing,
    Maths,
    Paragraph,
    Preformatted,
    Quote,
    Table,
    Text,
)
from lms_tui.content.tiles import blanks_and_words, pieces_of

_BLANKS: Final = " \n\t"

_NOWHERE: Final = (1 << 30, 1 << 30, NO_WORD)

Span = tuple[int, int, Mark]
"""The first word, the word behind the last one, and the mark of the words between them."""


def numbered(document: Document, first: int = 0) -> Document:
    """Number the words of a document from `first` on. Its layout stays the same."""
    return Document(_Numbering(first).blocks(document.blocks))


def words_in(document: Document) -> tuple[str, ...]:
    """Return the words of a document, in the order of their numbers. A formula is its source."""
    numbering = _Numbering(0)
    numbering.blocks(document.blocks)
    return tuple(numbering.words)


def digest_of(words: Sequence[str]) -> str:
    """Return a short digest, which differs for texts of other words."""
    return hashlib.sha256("\n".join(words).encode(errors="surrogatepass")).hexdigest()[:16]


@dataclass(slots=True)
class _Numbering:
    """Text and formulas without blanks between them are one word. `open`: what follows belongs to the last word."""

    first: int
    words: list[str] = field(default_factory=list)
    open: bool = False

    def blocks(self, blocks: Sequence[Block]) -> tuple[Block, ...]:
        return tuple(map(self._block, blocks))

    def _block(self, block: Block) -> Block:  # noqa: PLR0911 - one return for each kind of block
        self.open = False
        match block:
            case Paragraph():
                return replace(block, children=self._inlines(block.children))
            case Preformatted():
                words = [part for line in block.lines for part in blanks_and_words(line) if part.strip(" ")]
                return replace(block, word=self._number(words))
            case Listing():
                return Listing(tuple(Item(item.label, self.blocks(item.blocks)) for item in block.items))
            case Quote():
                return Quote(self.blocks(block.blocks))
            case Figure():
                blocks = self.blocks(block.blocks)
                self.open = False
                return Figure(blocks, self._inlines(block.caption))
            case Table():
                rows = (tuple(replace(cell, blocks=self.blocks(cell.blocks)) for cell in row) for row in block.rows)
                return replace(block, rows=tuple(rows))
            case _:
                return block

    def _inlines(self, children: Sequence[Inline]) -> tuple[Inline, ...]:
        return tuple(map(self._inline, children))

    def _inline(self, child: Inline) -> Inline:
        match child:
            case Text():
                return self._text(child)
            case Maths():
                self.open &= not child.display
                child = replace(child, word=self._number([child.source]))
                self.open = not child.display
                return child
            case Link():
                return Link(child.href, self._inlines(child.children))
            case _:
                self.open = False
                return child

    def _text(self, text: Text) -> Text:
        if not text.text:
            return text
        self.open &= text.text[0] not in _BLANKS
        text = replace(text, word=self._number(pieces_of(text)))
        self.open &= text.text[-1] not in _BLANKS
        return text

    def _number(self, words: Sequence[str]) -> int:
        """Return the number of the first of these words."""
        begun = self.open and bool(words)
        number = self.first + len(self.words) - begun
        if begun:
            self.words[-1] += words[0]
        self.words += words[begun:]
        self.open |= bool(words)
        return number


def marked(line: Line, spans: Sequence[Span]) -> Line:
    """Add marks to the words of a line of a numbered document, and to the blanks between two marked words."""
    runs = line.runs
    if not spans or all(run.word == NO_WORD for run in runs):
        return line
    return replace(line, runs=tuple(_marked_run(runs, at, spans) for at in range(len(runs))))


def _marked_run(runs: Sequence[Run], at: int, spans: Sequence[Span]) -> Run:
    run = runs[at]
    first = last = run.word
    if first == NO_WORD:
        if run.text.strip(" ") or not 0 < at < len(runs) - 1:
            return run
        first, last = sorted((runs[at - 1].word, runs[at + 1].word))
        if first == NO_WORD or last - first > 1:
            return run
    marks = run.marks
    for start, stop, mark in spans:
        if start <= first and last < stop:
            marks |= mark
    return run if marks is run.marks else replace(run, marks=marks)


def word_at(line: Line, column: int) -> int:
    """Return the number of the word in this column of a line, or else of the nearest word, or NO_WORD."""
    return min((max(start - column, column - stop + 1, 0), word) for start, stop, word in [*_places(line), _NOWHERE])[1]


def columns_of(line: Line, word: int) -> range:
    """Return the columns of a word in a line, empty if it is not there."""
    found = [(start, stop) for start, stop, each in _places(line) if each == word]
    return range(found[0][0], found[-1][1]) if found else range(0)


def _places(line: Line) -> Iterator[tuple[int, int, int]]:
    """Yield the first column, the column behind the last one, and the number of each word."""
    at = 0
    for run in line.runs:
        end = at + width(run.text)
        if run.word != NO_WORD:
            yield at, end, run.word
        at = end
