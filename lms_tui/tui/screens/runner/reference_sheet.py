"""The reference sheet of an exam, over the question."""

from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType

from lms_tui.content.html import parse
from lms_tui.content.model import MathsStyle
from lms_tui.tui.modal import KeyedModal
from lms_tui.tui.widgets.document import DocumentView
from lms_tui.views.glyphs import Glyphs


class ReferenceSheet(KeyedModal[int]):
    """`html`: the sheet. Dismisses with the first row that was shown, which is `top` of the next time."""

    NAME = "the reference sheet"
    KEYS = (
        ("↓ · ↑", "Scroll by a row (also j and k)"),
        ("pgdn · pgup", "Scroll by a window"),
        ("home · end", "Go to the start or the end"),
        ("→ · ←", "Scroll a wide table or formula"),
        ("esc · F", "Close the reference sheet"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,F,q,backspace,enter", "close", show=False),
        Binding("space,pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("down,j", "row(1)", show=False),
        Binding("up,k", "row(-1)", show=False),
        Binding("home", "row(-100000)", show=False),
        Binding("end", "row(100000)", show=False),
        Binding("greater_than_sign,right", "aside(1)", show=False),
        Binding("less_than_sign,left", "aside(-1)", show=False),
    ]

    def __init__(self, html: str, *, top: int, style: MathsStyle, glyphs: Glyphs) -> None:
        super().__init__()
        title = f"Reference sheet {glyphs.dot} esc back"
        self._view = DocumentView(parse(html), title=title, style=style, glyphs=glyphs, id="sheet")
        self._top = top

    def compose(self) -> ComposeResult:
        yield self._view

    def on_mount(self) -> None:
        self.call_after_refresh(self._view.set_top, self._top)

    def on_click(self, event: events.Click) -> None:
        """Close after a click beside the sheet, or on its title."""
        if event.widget is not self._view or not event.y:
            self.action_close()

    def action_page(self, pages: int) -> None:
        self._view.scroll_pages(pages)

    def action_row(self, rows: int) -> None:
        self._view.scroll_rows(rows)

    def action_aside(self, steps: int) -> None:
        self._view.scroll_aside(steps)

    def action_close(self) -> None:
        self.dismiss(self._view.top)
