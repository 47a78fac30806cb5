"""A list of rows with a cursor. Only visible rows are drawn."""

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip

from lms_tui.common.frozen import frozen
from lms_tui.tui.widgets.drawn import Piece
from lms_tui.tui.widgets.pane import FRAME, Pane, sideways
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.rows import Row
from lms_tui.views.to_ascii import to_ascii


@frozen
class Entry:
    """An entry of a list. `key` identifies it, or is "" for a heading that the cursor skips.

    If `row` is a function, it is called when the entry is visible.
    """

    key: str
    row: Row | Callable[[], Row]

    @property
    def is_heading(self) -> bool:
        return not self.key and any(span.look == "title" for span in self.drawn())

    def drawn(self) -> Row:
        return self.row() if callable(self.row) else self.row


Fill = Callable[[int], Sequence[Entry]]


def _nothing() -> None:
    pass


class RowList(Pane, can_focus=True):
    """Without `pages`, the keys for pages are left to the screen, which scrolls the text beside the list."""

    DEFAULT_CSS = "RowList { height: 1fr; }"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "edge(-1)", show=False),
        Binding("end", "edge(1)", show=False),
    ]

    class Highlighted(Message):
        """The cursor moved to this key."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Selected(Message):
        """The user clicked the entry at the cursor, once for two clicks that follow at once."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class HeadingClicked(Message):
        """The user clicked a heading. `place`: the place of the entry. `x`: the cell of the list."""

        def __init__(self, place: int, x: int) -> None:
            super().__init__()
            self.place = place
            self.x = x

    class EndNear(Message):
        """The last rows are visible. The screen can load more."""

    def __init__(
        self,
        title: str = "",
        *,
        glyphs: Glyphs = UNICODE,
        id: str | None = None,
        pages: bool = True,
    ) -> None:
        super().__init__(glyphs=glyphs, id=id)
        self._title = title
        self._pages = pages
        self._note = ""
        self._fill: Fill = lambda _: ()
        self._follower: Callable[[], None] = _nothing
        self._entries: Sequence[Entry] = ()
        self._filled_for = -1
        self._cursor = -1
        self._click_moved = False
        """Whether the last click moved the cursor. The second click of a pair opens only then."""

    def follow(self, follower: Callable[[], None]) -> None:
        """Call `follower` at once when the cursor moves. It can then repaint together with the list.

        The message `Highlighted` arrives later, after the list is painted.
        """
        self._follower = follower

    def show(self, fill: Fill, *, title: str | None = None, note: str = "", key: str = "") -> None:
        """Show other entries. The cursor moves to `key`, or stays at its key, or moves to the first key."""
        wanted = key or self.key
        self._fill, self._note = fill, note
        self._title = self._title if title is None else title
        self._filled_for = -1
        before = self.key
        self._entries = ()
        self._fill_for_width()
        self._cursor = self._place_of(wanted)
        self._reveal()
        self.redraw()
        if self.key and (self.key != before or key):
            self._tell_cursor()
        self._tell_end()

    def _place_of(self, key: str) -> int:
        found = next((n for n, entry in enumerate(self._entries) if entry.key == key), -1) if key else -1
        return found if found >= 0 else next((n for n, entry in enumerate(self._entries) if entry.key), -1)

    def _fill_for_width(self) -> None:
        if self._filled_for != self.inner_width:
            key = self.key
            self._entries, self._filled_for = self._fill(self.inner_width), self.inner_width
            self._cursor = self._place_of(key)  # another width may have another number of rows

    @property
    def key(self) -> str:
        """The key at the cursor, "" for none."""
        return self._entries[self._cursor].key if 0 <= self._cursor < len(self._entries) else ""

    @property
    def cursor_row(self) -> int:
        """The row of the cursor in this widget. Row 0 is the border."""
        return self._cursor - self.top + 1

    def go_to(self, key: str) -> None:
        self._set_cursor(self._place_of(key))

    @property
    def length(self) -> int:
        self._fill_for_width()
        return len(self._entries)

    @property
    def widest(self) -> int:
        return 0

    def action_move(self, step: int) -> None:
        place = self._cursor + step
        while 0 <= place < len(self._entries) and not self._entries[place].key:
            place += step
        if 0 <= place < len(self._entries):
            self._set_cursor(place)
        elif step < 0:
            self.set_top(0)
        else:
            self._tell_end()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        return self._pages if action == "page" else super().check_action(action, parameters)

    def action_page(self, step: int) -> None:
        rows = step * max(1, self.window - 1)
        place = max(0, min(self._cursor + rows, len(self._entries) - 1))
        self._nearest(place, -1 if step > 0 else 1)

    def action_edge(self, step: int) -> None:
        self._nearest(len(self._entries) - 1 if step > 0 else 0, -step)

    def _nearest(self, place: int, step: int) -> None:
        while 0 <= place < len(self._entries):
            if self._entries[place].key:
                self._set_cursor(place)
                return
            place += step

    def _set_cursor(self, place: int) -> None:
        if place == self._cursor or not 0 <= place < len(self._entries):
            return
        before, self._cursor = self._cursor, place
        if not self._reveal():
            self.redraw(before - self.top + 1, place - self.top + 1)
        self._tell_cursor()
        self._tell_end()

    def _tell_cursor(self) -> None:
        self._follower()
        self.post_message(self.Highlighted(self.key))

    def _reveal(self) -> bool:
        """Scroll to the cursor and to headings directly above it. True if it scrolled."""
        if not self.size.height:
            return False  # not laid out yet
        first = self._cursor
        while first > 0 and not self._entries[first - 1].key:
            first -= 1
        if self._cursor - self.top >= self.window:
            return self.set_top(self._cursor - self.window + 1)
        if first < self.top:
            return self.set_top(first)
        return self.set_top(self.top)

    def _tell_end(self) -> None:
        if self.top + self.window >= len(self._entries) - 2:
            self.post_message(self.EndNear())

    def set_top(self, top: int) -> bool:
        moved = super().set_top(top)
        if moved:
            self._tell_end()
        return moved

    def on_resize(self) -> None:
        self._filled_for = -1
        self._fill_for_width()
        self._reveal()
        super().on_resize()
        self._tell_end()

    def on_focus(self) -> None:
        self.redraw()

    def on_blur(self) -> None:
        self.redraw()

    def on_click(self, event: events.Click) -> None:
        place = self.top + event.y - 1
        if not (0 <= place < len(self._entries) and 1 <= event.y <= self.window):
            return
        if not self._entries[place].key:
            if self._entries[place].is_heading:
                self.post_message(self.HeadingClicked(place, event.x - FRAME // 2))
        else:
            opens = place == self._cursor and (event.chain == 1 or self._click_moved)
            self._click_moved = place != self._cursor
            self._set_cursor(place)
            if opens:
                self.post_message(self.Selected(self.key))

    def titles(self) -> tuple[Sequence[Piece], Sequence[Piece]]:
        looks = self.looks
        right = ((f" {self._note} ", looks["dim"]),) if self._note else ()
        return ((f" {self._title} ", looks["title"]),) if self._title else (), right

    def row_strip(self, number: int, *, thumb: bool) -> Strip:
        base = self._base(number)
        return self.framed(self.inner_row(number) if number < self.length else (), thumb=thumb, base=base)

    def _base(self, number: int) -> str:
        if number != self._cursor:
            return "base"
        return "current" if self.has_focus else "cursor"

    def inner_row(self, number: int) -> Sequence[Piece]:
        looks, base = self.looks, self._base(number)
        say = to_ascii if self.glyphs is not UNICODE else str
        back = looks["cursor"].bgcolor
        pieces: list[Piece] = []
        for span in self._entries[number].drawn():
            style = looks.of("current" if base == "current" else span.look, span.marks)
            pieces.append((say(span.text), style + Style(bgcolor=back) if base == "cursor" else style))
        return sideways(pieces, 0, self.inner_width)
