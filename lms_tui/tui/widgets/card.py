"""Boxes of rows: a pane that scrolls, and a card that is as high as its rows."""

from collections.abc import Callable, Sequence

from textual import events
from textual.geometry import Size

from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.pane import FRAME, Pane
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import Row, wrapped
from lms_tui.views.rows import cells as row_cells

Fill = Callable[[int], Sequence[Row]]
"""Returns the rows for a width in cells. Called again when the width changes."""


def _nothing(_: int) -> Sequence[Row]:
    return ()


class RowsPane(Pane):
    """A box of rows that scrolls."""

    DEFAULT_CSS = "RowsPane { height: 1fr; }"

    def __init__(
        self,
        title: str = "",
        fill: Fill = _nothing,
        *,
        note: str = "",
        glyphs: Glyphs = UNICODE,
        id: str | None = None,
    ) -> None:
        super().__init__(glyphs=glyphs, id=id)
        self._title = title
        self._note = note
        self._fill = fill
        self._rows_shown: Sequence[Row] | None = None
        self._filled_for = self._widest = -1

    @property
    def title(self) -> str:
        return self._title

    def show(self, title: str, fill: Fill, *, note: str = "") -> None:
        """Show other rows, from the first."""
        self._title, self._fill, self._note = title, fill, note
        self.top = self.aside = 0
        self.fill_again()

    def say(self, text: str, look: str = "dim", *, title: str = "") -> None:
        """Show a text in place of rows, under the same title or another one."""
        self.show(title or self._title, lambda room: wrapped(text, room, look))

    def pictures_changed(self) -> None:
        """Fill the box again, because a picture has been loaded."""
        self.fill_again()

    def fill_again(self) -> None:
        self.replace_rows()

    def replace_rows(self) -> None:
        """Draw other rows, of the same number as before."""
        self._rows_shown = None
        self.redraw()

    def rows_for(self, inner: int) -> Sequence[Row]:
        if self._rows_shown is None or self._filled_for != inner:
            self._rows_shown, self._filled_for, self._widest = self._fill(inner), inner, -1
        return self._rows_shown

    @property
    def length(self) -> int:
        return len(self.rows_for(self.inner_width))

    @property
    def widest(self) -> int:
        rows = self.rows_for(self.inner_width)
        if self._widest < 0:
            self._widest = max(map(row_cells, rows), default=0)
        return self._widest

    def on_resize(self) -> None:
        self.top = max(0, min(self.top, self.length - self.window))
        super().on_resize()

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        looks = self.looks
        left = ((f" {self._title} ", looks["title"]),) if self._title else ()
        right = ((f" {self._note} ", looks["dim"]),) if self._note else ()
        return left, right

    def inner_row(self, number: int) -> Sequence[Piece]:
        return self.row_pieces(self.rows_for(self.inner_width)[number])


class Card(RowsPane):
    DEFAULT_CSS = "Card { height: auto; }"

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Leave the wheel to the page that holds the card."""
        event.prevent_default()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        event.prevent_default()

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:  # noqa: ARG002 - Textual calls it
        return len(self.rows_for(max(1, width - FRAME))) + 2

    def fill_again(self) -> None:
        super().fill_again()
        self.lay_out()
