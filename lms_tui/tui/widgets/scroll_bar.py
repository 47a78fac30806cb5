"""The borders of a box scroll it by mouse.

The thumb in the right border is dragged, and a press beside it scrolls a page. So does a press on the number of hidden
rows in the lower border. `<` and `>` there scroll sideways.
"""

from typing import TYPE_CHECKING, Final

from textual import events

if TYPE_CHECKING:
    from lms_tui.tui.widgets.pane import Pane

LEFT_BUTTON: Final = 1


class ScrollBar:
    def __init__(self, box: "Pane") -> None:
        self._box = box
        self._pressed = False
        """Whether the last press was on the bar. The release and the click that follow belong to it."""
        self._grabbed: int | None = None
        """The row of the thumb that is dragged."""

    def thumb(self) -> range:
        """Return the rows of the thumb. Empty if all rows are visible."""
        length, window = self._box.length, self._box.window
        if length <= window:
            return range(0)
        size = max(1, window * window // length)
        start = round(self._box.top * (window - size) / (length - window))
        return range(start + 1, start + size + 1)

    def takes(self, event: events.MouseEvent) -> bool:
        """Scroll for an event of the mouse. Return whether the event belongs to the bar."""
        if isinstance(event, events.MouseDown):
            self._press(event)
        elif isinstance(event, events.MouseMove):
            return self._drag(event)
        elif isinstance(event, events.MouseUp) and self._grabbed is not None:
            self._release()
        elif not isinstance(event, events.MouseUp | events.Click):
            return False  # the wheel
        return self._pressed

    def _press(self, event: events.MouseDown) -> None:
        self._release()
        box, thumb = self._box, self.thumb()
        on_bar = bool(thumb) and event.x == box.size.width - 1 and 1 <= event.y <= box.window
        way = box.way_at(event.x) if event.y == box.size.height - 1 else None
        self._pressed = event.button == LEFT_BUTTON and (on_bar or way is not None)
        if not self._pressed:
            return
        if way is not None:
            way()
        elif event.y in thumb:
            self._grabbed = event.y - thumb.start
            box.capture_mouse()
        else:
            box.scroll_pages(1 if event.y > thumb.start else -1)

    def _drag(self, event: events.MouseMove) -> bool:
        if self._grabbed is None:
            return False
        if event.button != LEFT_BUTTON:  # the button was released outside the window
            self._release()
            return False
        box = self._box
        room = box.window - len(self.thumb())
        box.set_top(round((event.y - self._grabbed - 1) * (box.length - box.window) / max(1, room)))
        return True

    def _release(self) -> None:
        self._grabbed = None
        self._box.release_mouse()
