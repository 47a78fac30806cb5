"""The chart of the time for each question, with a cursor."""

from collections.abc import Sequence

from textual import events
from textual.message import Message

from lms_tui.tui.widgets.card import Card, Fill
from lms_tui.views import times as present
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import Row
from lms_tui.views.times import Frame, Times
from lms_tui.wire.attempts import ReviewQuestion

_BORDER = 2
"""Cells of the border and the padding at the left."""


class TimeChart(Card):
    """`chosen`: the question at the cursor, None before questions are loaded."""

    class Opened(Message):
        """The user double-clicked a column."""

    def __init__(self, title: str, fill: Fill, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(title, fill, glyphs=glyphs, id=id)
        self._times = Times.of(())
        self._cursor = 0

    @property
    def chosen(self) -> ReviewQuestion | None:
        return self._times.questions[self._cursor] if self._times.known else None

    def show_questions(self, questions: Sequence[ReviewQuestion], total: int, *, on_screen: bool = False) -> None:
        """Show the loaded times. The cursor keeps its place. `on_screen`: as in `Times`."""
        self._times = Times.of(questions, on_screen=on_screen)
        self.show(self.title, self._chart, note=f"{len(questions)} of {total}" if len(questions) < total else "")

    def _chart(self, room: int) -> Sequence[Row]:
        return present.chart_rows(self._times, self._cursor, room)

    def move(self, step: int) -> None:
        self._set_cursor(self._cursor + step)

    def _set_cursor(self, place: int) -> None:
        place = max(0, min(place, len(self._times.questions) - 1))
        if self._times.known and place != self._cursor:
            self._cursor = place
            self.replace_rows()

    def on_click(self, event: events.Click) -> None:
        frame = Frame.of(len(self._times.questions), self._cursor, self.inner_width)
        place = frame.place_at(event.x - _BORDER) if self._times.known else -1
        if place >= 0 and 1 <= event.y <= present.levels(self.inner_width) + 1:
            again = place == self._cursor and event.chain > 1
            self._set_cursor(place)
            if again:
                self.post_message(self.Opened())
