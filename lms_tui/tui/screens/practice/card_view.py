"""A question of practice, or its key in the same box."""

from collections.abc import Callable, Sequence

from textual.strip import Strip

from lms_tui.content.lines import Line
from lms_tui.tui.widgets.card import Fill
from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.question import QuestionState, QuestionView
from lms_tui.views.glyphs import Glyphs
from lms_tui.views.question_layout import BLANK, QuestionLayout
from lms_tui.views.rows import Row
from lms_tui.views.rows import cells as row_cells


class CardView(QuestionView):
    """With one box for both, the screen is not laid out again between a question and its key."""

    DEFAULT_CSS = "CardView { height: 1fr; }"

    def __init__(self, lay_out: Callable[[], None], *, glyphs: Glyphs) -> None:
        """Call `lay_out` when a picture of the question has been loaded."""
        super().__init__(glyphs=glyphs)
        self._lay_out = lay_out
        self._fill: Fill | None = None
        self._title = ""
        self._rows_shown: Sequence[Row] = ()
        self._filled_for = -1

    def show(self, layout: QuestionLayout, state: QuestionState, *, top: int = 0) -> None:
        self._fill = None
        super().show(layout, state, top=top)

    def show_rows(self, title: str, fill: Fill) -> None:
        """Show rows in place of the question, from the first."""
        self._title, self._fill, self._filled_for = title, fill, -1
        self.top = self.aside = 0
        self.redraw()

    def pictures_changed(self) -> None:
        if self._fill is None:
            self._lay_out()
        else:
            self._filled_for = -1
            self.redraw()

    @property
    def _key(self) -> Sequence[Row] | None:
        """The rows in place of the question, None for the question."""
        if self._fill is not None and self._filled_for != self.inner_width:
            self._rows_shown, self._filled_for = self._fill(self.inner_width), self.inner_width
        return None if self._fill is None else self._rows_shown

    @property
    def length(self) -> int:
        return super().length if self._key is None else len(self._key)

    @property
    def widest(self) -> int:
        return super().widest if self._key is None else max(map(row_cells, self._key), default=0)

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        return super().titles() if self._fill is None else (((f" {self._title} ", self.looks["title"]),), ())

    def feet(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        return super().feet() if self._fill is None else ((), self.more())

    def row_strip(self, number: int, *, thumb: bool) -> Strip:
        if self._key is None:
            return super().row_strip(number, thumb=thumb)
        return self.framed(self.inner_row(number) if number < self.length else (), thumb=thumb)

    def inner_row(self, number: int) -> Sequence[Piece]:
        return super().inner_row(number) if self._key is None else self.row_pieces(self._key[number])

    def text_line(self, number: int) -> Line:
        return super().text_line(number) if self._key is None else BLANK
