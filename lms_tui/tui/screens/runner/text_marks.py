"""The words of the question that are highlighted or chosen, and where they stand on the screen."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from lms_tui.attempt.values import Item
from lms_tui.content.lines import NO_WORD, Mark
from lms_tui.content.words import Span, columns_of, word_at
from lms_tui.views.highlights import Range, WordText, spans_of, texts_of

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper
    from lms_tui.tui.widgets.marked_pane import MarkedPane

Spot = tuple["MarkedPane", int, int]
"""A pane, a row of it, and a column in the row."""


class TextMarks:
    """`panes`: the passage and the question. The passage is read first, if it stands beside the question."""

    def __init__(self, keeper: "Keeper", *panes: "MarkedPane") -> None:
        self._keeper = keeper
        self._panes = panes
        self._question = 0
        """The question in whose text words are being chosen, 0 for none."""
        self._unfolded = False
        self.chosen: Range | None = None

    def texts(self, item: Item) -> tuple[WordText, ...]:
        body = self._keeper.question(item.question_id).question
        return texts_of(item.question_id, body.direction, body.question_html)

    def highlighted(self, item: Item) -> tuple[Span, ...]:
        return spans_of(self.texts(item), self._keeper.desk.text)

    def numbered(self, item: Item) -> bool:
        """Whether the words of a question need numbers."""
        return self.choosing(item) or bool(self.highlighted(item))

    def unfolded(self, item: Item) -> bool:
        """Whether the passage is shown whole, because words are chosen in it."""
        return self._unfolded and self.choosing(item)

    # Choosing.

    def begin(self, item: Item, *, unfolded: bool) -> None:
        """Number the words of a question. Its widgets must be shown again."""
        self._question, self._unfolded = item.question_id, unfolded

    def end(self) -> None:
        self._question, self.chosen = 0, None

    def choosing(self, item: Item) -> bool:
        return item.question_id == self._question

    def choose(self, chosen: Range) -> None:
        self.chosen = chosen
        self.paint()

    def paint(self) -> None:
        """Mark the words of the question on the screen."""
        item = self._keeper.session.item
        spans = self.highlighted(item)
        if self.chosen is not None and self.choosing(item):
            spans = (*spans, (*self.chosen, Mark.SELECTED))
        for pane in self._panes:
            pane.mark(spans)

    def toggle(self, chosen: Range) -> bool:
        """Highlight words, or remove their highlights. Return whether they are highlighted now."""
        desk, lit = self._keeper.desk, False
        for text in self.texts(self._keeper.session.item):
            if part := text.part(chosen):
                desk.keep(text.name, text.toggled(desk.text(text.name), [part]))
                lit |= text.covers(desk.text(text.name), part)
        self.paint()
        return lit

    # Places on the screen.

    def word(self, spot: Spot) -> int:
        """Return the number of the word at a place, or of the nearest in its row, or NO_WORD."""
        pane, row, column = spot
        return word_at(pane.text_line(row), column) if 0 <= row < pane.length else NO_WORD

    def first_visible(self) -> int:
        """Return the first word in the window, or NO_WORD in a question without words."""
        rows = ((pane, row, 0) for pane in self._shown for row in range(pane.top, pane.length))
        return next((word for word in map(self.word, rows) if word != NO_WORD), NO_WORD)

    def spot(self, word: int) -> Spot | None:
        """Return where a word begins."""
        for pane, row in self._rows():
            if columns := columns_of(pane.text_line(row), word):
                return pane, row, columns.start
        return None

    def beside(self, word: int, rows: int) -> int:
        """Return the word so many rows with words below, or above, in the same column."""
        spot = self.spot(word)
        if spot is None:
            return word
        pane, row, column = spot
        places = list(self._rows())
        at = places.index((pane, row))
        found = word
        while rows and 0 <= (at := at + (1 if rows > 0 else -1)) < len(places):
            there = self.word((*places[at], column))
            if there not in {NO_WORD, found}:
                found, rows = there, rows - (1 if rows > 0 else -1)
        return found

    def edge(self, word: int, *, last: bool) -> int:
        """Return the first or the last word of the row of a word."""
        spot = self.spot(word)
        return word if spot is None else self.word((*spot[:2], 10_000 if last else 0))

    def reveal(self, word: int) -> None:
        """Scroll to a word."""
        if (spot := self.spot(word)) is not None:
            pane, row, _ = spot
            if not pane.top <= row < pane.top + pane.window:
                pane.set_top(row - pane.window // 2)

    @property
    def _shown(self) -> "Iterator[MarkedPane]":
        return (pane for pane in self._panes if pane.display)

    def _rows(self) -> "Iterator[tuple[MarkedPane, int]]":
        return ((pane, row) for pane in self._shown for row in range(pane.length))
