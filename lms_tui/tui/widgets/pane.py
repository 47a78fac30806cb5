"""A box of rows that draws its own border, with a scroll bar in it.

Unlike a scroll view with bars, it does not lay out the screen again when it scrolls.
"""

from abc import abstractmethod
from collections.abc import Sequence

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.message import Message
from textual.strip import Strip

from lms_tui.tui.widgets.drawn import Piece, cells
from lms_tui.tui.widgets.scrolled import Scrolled
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import Row, fitted
from lms_tui.views.rows import cells as row_cells
from lms_tui.views.to_ascii import to_ascii

FRAME = 4
"""Cells of the border and the blank beside it in a row."""
_BLANKS = 8
"""Most empty rows in the cache."""


class Pane(Scrolled):
    """A scrollable box. Subclasses return the rows."""

    class Pointed(Message):
        """The mouse is over a row while some rows stand out."""

        def __init__(self, pane: "Pane", row: int) -> None:
            super().__init__()
            self.pane = pane
            self.row = row

    def __init__(self, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(glyphs=glyphs, id=id)
        self._standing_out: range | None = None
        self._thumb: range | None = None
        self._blanks: dict[tuple[int, int, bool, bool, str], Strip] = {}

    # Rows.

    @abstractmethod
    def inner_row(self, number: int) -> Sequence[Piece]:
        """Return the pieces of one row, at most `inner_width` cells."""

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        """Return the texts of the upper border, left and right."""
        return (), ()

    def feet(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        """Return the texts of the lower border, left and right."""
        return (), self.more()

    @property
    def inner_width(self) -> int:
        return max(1, self.size.width - FRAME)

    def more(self) -> Sequence[Piece]:
        """Return how many rows are hidden above and below."""
        return [(text, self.looks["accent"]) for text, _ in self.ways()]

    def lay_out(self) -> None:
        """Lay out for another number of rows. Textual may keep the old height if the rows change during a layout."""
        self.refresh(layout=True)
        self.call_after_refresh(self._lay_out_again)

    def _lay_out_again(self) -> None:
        if self.is_attached and self.size.width and self.size.height != self.length + 2:
            self.refresh(layout=True)

    def begin_drawing(self) -> None:
        self._thumb = None

    def strip(self, y: int) -> Strip:
        if y == 0:
            return self._horizontal(*self.titles(), self.glyphs.border[:2])
        if y == self.drawn_size.height - 1:
            return self._horizontal(*self.feet(), self.glyphs.border[3] + self.glyphs.border[2])
        number = self.top + y - 1
        row = self.row_strip(number, thumb=self.has_thumb(y))
        return row if self._standing_out is None else self._faded(row, number in self._standing_out)

    def row_pieces(self, spans: Row) -> list[Piece]:
        """Return the visible part of a row of spans."""
        looks, say = self.looks, to_ascii if self.glyphs is not UNICODE else str
        skipped = min(self.aside, max(0, row_cells(spans) - self.inner_width))
        pieces = [(say(span.text), looks.drawn(span.look, span.marks, span.colours, span.part)) for span in spans]
        return sideways(pieces, skipped, self.inner_width)

    # Rows that stand out.

    def has_text(self, number: int) -> bool:
        return any(text.strip() for text, _ in self.inner_row(number))

    def stand_out(self, rows: range | None) -> None:
        """Fade all other rows. With None, no row is faded."""
        if rows != self._standing_out:
            self._standing_out = rows
            self.redraw()

    def _faded(self, row: Strip, standing_out: bool) -> Strip:
        """Return a row that is faded, or has a sign in place of its left border. Pictures stay."""
        if standing_out:
            return Strip.join([Strip([Segment(self.glyphs.cursor, self.looks["accent"])]), row.crop(1)])
        colour = Style(color=self.looks["faded"].color, bgcolor=self.looks["base"].bgcolor)
        faded = Strip([_restyled(segment, colour) for segment in row], row.cell_length)
        for line_filter in self.looks.filters:
            faded = faded.apply_filter(line_filter, self.looks.background)
        return faded

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._standing_out is not None and 1 <= event.y < self.size.height - 1:
            self.post_message(self.Pointed(self, self.top + event.y - 1))

    def row_strip(self, number: int, *, thumb: bool) -> Strip:
        """Return a row with its border. A subclass may cache it."""
        pieces = self.inner_row(number) if number < self.length else ()
        return self.framed(pieces, thumb=thumb)

    def framed(self, pieces: Sequence[Piece], *, thumb: bool, base: str = "base") -> Strip:
        """Return a row in its border. `base` is the look of the blanks to the right."""
        if pieces:
            return self._framed(pieces, thumb=thumb, base=base)
        key = (self.drawn_size.width, self.generation, thumb, self.has_focus, base)
        if (blank := self._blanks.get(key)) is None:
            if len(self._blanks) >= _BLANKS:
                self._blanks.clear()
            blank = self._blanks[key] = self._framed((), thumb=thumb, base=base)
        return blank

    def _framed(self, pieces: Sequence[Piece], *, thumb: bool, base: str) -> Strip:
        looks = self.looks
        border, fill = self._border, looks[base]
        missing = max(0, self.inner_width - cells(pieces))
        right = (self.glyphs.thumb, looks["accent"]) if thumb else (self.glyphs.border[5], border)
        row = [(self.glyphs.border[5], border), (" ", looks["base"]), *pieces]
        return self.finished([*row, (" " * missing, fill), (" ", looks["base"]), right])

    @property
    def _border(self) -> Style:
        return self.looks["border-focused" if self.has_focus else "border"]

    def has_thumb(self, y: int) -> bool:
        """Return whether the scroll thumb is in this row."""
        if self._thumb is None:
            self._thumb = self.thumb()
        return y in self._thumb

    def _horizontal(self, left: Sequence[Piece], right: Sequence[Piece], corners: str) -> Strip:
        border, width = self._border, self.drawn_size.width
        room = width - 4
        if cells(left) + cells(right) > room:
            right = () if cells(left) > room - 8 else _shortened(right, room - cells(left))
            left = _shortened(left, room - cells(right))
        line = self.glyphs.border[4]
        fill = line * max(0, room - cells(left) - cells(right))
        return self.finished([(corners[0] + line, border), *left, (fill, border), *right, (line + corners[1], border)])


def _restyled(segment: Segment, colour: Style) -> Segment:
    style = segment.style or Style.null()
    return segment if style.meta else Segment(segment.text, style + colour)


def _shortened(pieces: Sequence[Piece], width: int) -> Sequence[Piece]:
    kept: list[Piece] = []
    for text, style in pieces:
        room = width - cells(kept)
        if room <= 0:
            break
        kept.append((text if cells([(text, style)]) <= room else fitted(text.rstrip(), room), style))
    return kept


def sideways(pieces: Sequence[Piece], skipped: int, width: int) -> list[Piece]:
    """Return the visible part of a row, after `skipped` cells."""
    if skipped <= 0 and cells(pieces) <= width:
        return list(pieces)
    strip = Strip([Segment(text, style) for text, style in pieces]).crop(skipped, skipped + width)
    return [(text, style or Style.null()) for text, style, _ in strip]
