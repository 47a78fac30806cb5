"""A box of text whose words can be marked, and chosen with the mouse."""

from abc import abstractmethod
from collections.abc import Sequence

from textual import events
from textual.message import Message

from lms_tui.content.lines import Line
from lms_tui.content.words import Span, marked
from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.pane import FRAME, Pane, sideways
from lms_tui.tui.widgets.scrolled import LEFT_BUTTON

Place = tuple[int, int]
"""A row of the text, and a column in it."""


class MarkedPane(Pane):
    """`spans`: the marks of the words of a numbered document."""

    spans: tuple[Span, ...] = ()
    _pressed: Place | None = None
    _dragging = _dragged = False

    class Dragged(Message):
        """The mouse went from one place of the text to another. `done`: its button was released."""

        def __init__(self, pane: "MarkedPane", start: Place, end: Place, *, done: bool) -> None:
            super().__init__()
            self.pane = pane
            self.start = start
            self.end = end
            self.done = done

    @abstractmethod
    def text_line(self, number: int) -> Line:
        """Return the words of a row, without marks. A row with other things has none."""

    def mark(self, spans: tuple[Span, ...]) -> None:
        """Mark words, and no others."""
        if spans != self.spans:
            self.spans = spans
            self.redraw()

    def text_row(self, line: Line, width: int) -> Sequence[Piece]:
        """Return the visible part of a line with its marks."""
        return sideways(self.paint_runs(marked(line, self.spans).runs, "base"), self._skipped(line), width)

    def _skipped(self, line: Line) -> int:
        return min(self.aside, max(0, (line.span or line.width) - self.inner_width))

    # Mouse.

    @property
    def dragged(self) -> bool:
        """Whether the click that comes now ends a drag."""
        dragged, self._dragged = self._dragged, False
        return dragged

    def _place(self, event: events.MouseEvent) -> Place:
        row = self.top + max(0, min(event.y - 1, self.window - 1))
        line = self.text_line(row) if row < self.length else Line((), 0)
        return row, event.x - FRAME // 2 + self._skipped(line)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        self._dragged = False
        inside = 1 <= event.y < self.size.height - 1
        self._pressed = self._place(event) if event.button == LEFT_BUTTON and inside else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        if self._pressed is None:
            return
        if event.button != LEFT_BUTTON:  # the button was released outside the window
            self._pressed = None
        elif self._dragging or self._place(event) != self._pressed:
            if not self._dragging:
                self._dragging = True
                self.capture_mouse()
            self.post_message(self.Dragged(self, self._pressed, self._place(event), done=False))

    def on_mouse_up(self, event: events.MouseUp) -> None:
        pressed, self._pressed = self._pressed, None
        if self._dragging and pressed is not None:
            self.release_mouse()
            self._dragging, self._dragged = False, True
            self.post_message(self.Dragged(self, pressed, self._place(event), done=True))
