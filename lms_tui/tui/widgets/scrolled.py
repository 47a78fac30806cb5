"""Scrolling in both directions, by the wheel and by the borders of a box.

The thumb in the right border is dragged, and a press beside it scrolls a page. So does a press on the number of hidden
rows in the lower border. `<` and `>` there scroll sideways.
"""

from abc import abstractmethod
from collections.abc import Callable
from functools import partial
from typing import Final

from rich.style import Style
from textual import events

from lms_tui.tui.widgets.drawn import Drawn, cells
from lms_tui.views.glyphs import UNICODE, Glyphs

LEFT_BUTTON: Final = 1
_STEP: Final = 3
"""Rows for one step of the mouse wheel."""
_ASIDE: Final = 8
"""Columns for one step sideways."""

Way = Callable[[], bool]
"""Scrolls. Returns False at the end."""


class Scrolled(Drawn):
    """`top` and `aside` are the first row and column shown.

    A subclass draws the borders, with `thumb` in the right one and `ways` in the lower one.
    """

    def __init__(self, *, glyphs: Glyphs = UNICODE, id: str | None = None) -> None:
        super().__init__(id=id)
        self.glyphs = glyphs
        self.top = 0
        self.aside = 0
        self._on_bar = False
        """Whether the last press scrolled by a border. The release and the click that follow belong to it."""
        self._grabbed: int | None = None
        """The row of the thumb that is dragged."""

    @property
    @abstractmethod
    def length(self) -> int:
        """The number of rows."""

    @property
    @abstractmethod
    def widest(self) -> int:
        """Cells of the widest row."""

    @property
    @abstractmethod
    def inner_width(self) -> int:
        """Cells of a row between the borders."""

    @property
    def window(self) -> int:
        """The number of visible rows."""
        return max(1, self.size.height - 2)

    @property
    def hidden_below(self) -> int:
        return max(0, self.length - self.top - self.window)

    def scroll_rows(self, rows: int) -> bool:
        """Scroll by a number of rows. Return False at the end."""
        return self.set_top(self.top + rows)

    def scroll_pages(self, pages: int) -> bool:
        return self.scroll_rows(pages * max(1, self.window - 2))

    def set_top(self, top: int) -> bool:
        top = max(0, min(top, self.length - self.window))
        if top == self.top:
            return False
        self.top = top
        self.redraw()
        return True

    def scroll_aside(self, steps: int) -> bool:
        aside = max(0, min(self.aside + steps * _ASIDE, self.widest - self.inner_width))
        if aside == self.aside:
            return False
        self.aside = aside
        self.redraw()
        return True

    def thumb(self) -> range:
        """Return the rows of the scroll thumb. Empty if all rows are visible."""
        length, window = self.length, self.window
        if length <= window:
            return range(0)
        size = max(1, window * window // length)
        start = round(self.top * (window - size) / (length - window))
        return range(start + 1, start + size + 1)

    def ways(self) -> list[tuple[str, Way]]:
        """Return the texts that tell what is hidden, each with what a press on it does."""
        ways: list[tuple[str, Way]] = []
        if self.top:
            ways.append((f" {self.glyphs.above} {self.top} above ", partial(self.scroll_pages, -1)))
        if self.hidden_below:
            ways.append((f" {self.glyphs.below} {self.hidden_below} more ", partial(self.scroll_pages, 1)))
        if self.widest > self.inner_width:
            ways.append((f" {self.glyphs.aside} <", partial(self.scroll_aside, -1)))
            ways.append((" > ", partial(self.scroll_aside, 1)))
        return ways

    def _way_at(self, x: int) -> Way | None:
        """Return what a press in a column of the lower border does. None also where the texts of `ways` are cut."""
        end = self.size.width - 2
        border = self.strip(self.drawn_size.height - 1).crop(0, end).text
        for text, way in reversed(self.ways()):
            start = end - cells([(text, Style.null())])
            if x >= end or not border.endswith(text):
                return None
            if x >= start:
                return way
            border, end = border.removesuffix(text), start
        return None

    # Mouse.

    async def on_event(self, event: events.Event) -> None:
        """Scroll by what the mouse does on the borders. Handlers of subclasses do not see it."""
        if isinstance(event, events.MouseEvent) and self._scrolls(event):
            event.stop()
        else:
            await super().on_event(event)

    def _scrolls(self, event: events.MouseEvent) -> bool:
        if isinstance(event, events.MouseDown):
            self._press(event)
        elif isinstance(event, events.MouseMove):
            return self._drag(event)
        elif isinstance(event, events.MouseUp) and self._grabbed is not None:
            self._let_go()
        elif not isinstance(event, events.MouseUp | events.Click):
            return False  # the wheel
        return self._on_bar

    def _press(self, event: events.MouseDown) -> None:
        self._let_go()
        thumb = self.thumb()
        on_right = bool(thumb) and event.x == self.size.width - 1 and 1 <= event.y <= self.window
        way = self._way_at(event.x) if event.y == self.size.height - 1 else None
        self._on_bar = event.button == LEFT_BUTTON and (on_right or way is not None)
        if not self._on_bar:
            return
        if way is not None:
            way()
        elif event.y in thumb:
            self._grabbed = event.y - thumb.start
            self.capture_mouse()
        else:
            self.scroll_pages(1 if event.y > thumb.start else -1)

    def _drag(self, event: events.MouseMove) -> bool:
        if self._grabbed is None:
            return False
        if event.button != LEFT_BUTTON:  # the button was released outside the window
            self._let_go()
            return False
        room = self.window - len(self.thumb())
        self.set_top(round((event.y - self._grabbed - 1) * (self.length - self.window) / max(1, room)))
        return True

    def _let_go(self) -> None:
        if self._grabbed is not None:
            self._grabbed = None
            self.release_mouse()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        if event.shift or event.ctrl:
            self.scroll_aside(1)
        else:
            self.scroll_rows(_STEP)
        event.stop()

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        if event.shift or event.ctrl:
            self.scroll_aside(-1)
        else:
            self.scroll_rows(-_STEP)
        event.stop()

    def on_mouse_scroll_right(self, event: events.MouseScrollRight) -> None:
        self.scroll_aside(1)
        event.stop()

    def on_mouse_scroll_left(self, event: events.MouseScrollLeft) -> None:
        self.scroll_aside(-1)
        event.stop()
