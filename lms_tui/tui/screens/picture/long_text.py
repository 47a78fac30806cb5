"""Shows a text of any length in parts. Only the shown part is laid out."""

from collections.abc import Iterator
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from lms_tui.content.html import parts_of
from lms_tui.content.model import Document
from lms_tui.tui.modal import KeyedModal
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.tui.widgets.drawn import entry_at
from lms_tui.views.glyphs import ASCII, UNICODE

_KEPT = 64
"""Parts kept in memory. Going back beyond them parses the text again from its start."""


class LongTextScreen(KeyedModal[None]):
    """`html`: a text that `content.long.is_long` accepts."""

    DEFAULT_CSS = "LongTextScreen { background: $background; }"
    NAME = "the long text"
    KEYS = (
        ("↓ · ↑", "Scroll by a row (also j and k)"),
        ("pgdn · pgup", "Scroll by a window"),
        ("n · p", "Next or previous part"),
        ("→ · ←", "Scroll a wide table or formula"),
        ("esc · z", "Close the text"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,z,q,backspace", "close", show=False),
        Binding("space,pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("down,j", "row(1)", show=False),
        Binding("up,k", "row(-1)", show=False),
        Binding("n", "part(1)", show=False),
        Binding("p", "part(-1)", show=False),
        Binding("greater_than_sign,right", "aside(1)", show=False),
        Binding("less_than_sign,left", "aside(-1)", show=False),
    ]

    def __init__(self, html: str) -> None:
        super().__init__()
        self._html = html
        self._coming: Iterator[Document] = iter(())
        self._parts: dict[int, Document] = {}
        self._read = 0
        self._at = 0

    def compose(self) -> ComposeResult:
        plain = self.app.has_class("-ascii")
        yield DocumentView(title="", glyphs=ASCII if plain else UNICODE)

    def on_mount(self) -> None:
        self.action_part(0)

    @property
    def _view(self) -> DocumentView:
        return self.query_one(DocumentView)

    def _part(self, number: int) -> Document | None:
        """Return a part, counted from 0, or None after the last one."""
        if number not in self._parts and number < self._read:
            self._read = 0
        if not self._read:
            self._coming = parts_of(self._html)
        while self._read <= number and number not in self._parts:
            document = next(self._coming, None)
            if document is None:
                return None
            self._parts[self._read] = document
            self._read += 1
            while len(self._parts) > _KEPT:
                del self._parts[min(self._parts)]
        return self._parts[number]

    def on_click(self, event: events.Click) -> None:
        """Press the entry of the title that was clicked."""
        row = self._view.strip(0).text if not event.screen_y else ""
        match entry_at(row, event.screen_x, ("n next", "p previous", "esc back")):
            case "n next":
                self.action_part(1)
            case "p previous":
                self.action_part(-1)
            case "esc back":
                self.action_close()

    def action_part(self, steps: int) -> bool:
        """Move by `steps` parts. Returns False if there is no such part."""
        number = self._at + steps
        if number < 0 or (document := self._part(number)) is None:
            return False
        self._at = number
        self._view.show(document, title=f"Part {number + 1}   n next   p previous   esc back")
        return True

    def action_page(self, pages: int) -> None:
        """Scroll by a page, and on into the next part."""
        if not self._view.scroll_pages(pages):
            self.action_part(pages)

    def action_row(self, rows: int) -> None:
        if not self._view.scroll_rows(rows):
            self.action_part(rows)

    def action_aside(self, steps: int) -> None:
        self._view.scroll_aside(steps)

    def action_close(self) -> None:
        self.dismiss(None)
