"""The base of every dialog: a box with a title, a text, fields and buttons."""

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from rich.table import Table
from rich.text import Text
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Label

from lms_tui.tui.modal import KeyedModal, Keys

Result = TypeVar("Result")

_LOW = 18
"""Rows below which a dialog has no padding."""
_CSS = """
DialogBox { align: center middle; }
DialogBox #box {
    width: 64; max-width: 96%; height: auto; max-height: 96%; background: $surface; border: round $border;
    border-title-color: $primary; border-title-style: bold; border-subtitle-color: $primary; padding: 1 2 0 2;
}
DialogBox.-danger #box { border: round $error; border-title-color: $error; }
DialogBox #body { height: auto; max-height: 100%; color: $text; scrollbar-size-vertical: 1; }
DialogBox #body Label { width: 100%; }
DialogBox #body .counts { margin-bottom: 1; }
DialogBox #error { width: 100%; height: auto; color: $text-error; margin-top: 1; display: none; }
DialogBox #error.-shown { display: block; }
DialogBox OptionList { height: auto; max-height: 16; background: $surface; border: none; padding: 0; }
DialogBox Input { margin-top: 1; border: none; height: 1; padding: 0 1; background: $panel; }
DialogBox Input:focus { border: none; background: $block-cursor-blurred-background; }
DialogBox #buttons { height: auto; align-horizontal: right; margin: 1 0; }
DialogBox.-low #box { padding: 0 1; max-height: 100%; }
DialogBox.-low #buttons { margin: 0; }
DialogBox.-low Input, DialogBox.-low #error { margin-top: 0; }
DialogBox Button { margin-left: 2; min-width: 12; }
DialogBox #buttons Button:focus { background: $foreground; color: $background; text-style: bold; }
DialogBox.-slim Button { min-width: 0; margin-left: 0; }
DialogBox.-no-buttons #buttons { display: none; }
"""


def _table(counts: Sequence[tuple[int, str]]) -> Table:
    """Return numbers and labels in two columns. A long label is wrapped in its own."""
    table = Table.grid(padding=(0, 2, 0, 0))
    table.add_column(justify="right", min_width=5)
    table.add_column()
    for count, label in counts:
        table.add_row(str(count), Text(label))
    return table


class _Body(VerticalScroll, can_focus=False):
    """The text of a dialog. The border of its box says how many rows are hidden above and below."""

    def on_mount(self) -> None:
        self.watch(self, "scroll_y", self._tell_hidden, init=False)

    def on_resize(self) -> None:
        self.call_after_refresh(self._tell_hidden)

    def _tell_hidden(self) -> None:
        if isinstance(box := self.parent, Vertical):
            above, below = round(self.scroll_y), round(self.max_scroll_y - self.scroll_y)
            parts = [f"▲ {above} above"] * bool(above) + [f"▼ {below} more"] * bool(below)
            box.border_subtitle = Content("  ".join(parts))


class DialogBox(KeyedModal[Result | None], Generic[Result]):
    """A box with a title, a text, fields and buttons."""

    DEFAULT_CSS = _CSS
    KEYS: ClassVar[Keys] = (
        ("enter", "Press the selected button, or take the text"),
        ("tab · ← · →", "Select the next or previous button"),
        ("↓ · ↑", "Scroll the text"),
        ("esc", "Close without a change"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
        Binding("down,pagedown", "read(1)", show=False),
        Binding("up,pageup", "read(-1)", show=False),
    ]

    YIELDS: ClassVar[str] = "#body"
    """The part that scrolls where the window is too low."""

    def __init__(self, title: str, body: str, counts: Sequence[tuple[int, str]] = ()) -> None:
        super().__init__()
        self._title = title
        self._body = body
        self._counts = counts

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = Content(self._title)
            with _Body(id="body"):
                if self._counts:
                    yield Label(_table(self._counts), classes="counts")
                yield Label(Content(self._body))
            yield from self.fields()
            yield Label("", id="error", markup=False)
            with Horizontal(id="buttons"):
                yield from self.buttons()

    def fields(self) -> ComposeResult:
        yield from ()

    def buttons(self) -> ComposeResult:
        yield from ()

    def on_resize(self) -> None:
        """Fit the dialog to the window, so fields and buttons stay visible."""
        self.set_class(self.size.height < _LOW, "-low")
        self.call_after_refresh(self.fit)

    def fit(self) -> None:
        """Give the part that yields the rows that all others leave."""
        parts, boxes = self.query(self.YIELDS), self.query("#box")
        if not parts or not boxes:  # the dialog is being closed
            return
        part, box = parts.first(), boxes.first()
        rest = box.outer_size.height - box.scrollable_content_region.height
        rest += sum(child.outer_size.height + child.styles.margin.height for child in box.children if child is not part)
        part.styles.max_height = max(1, self.size.height - rest)

    def action_read(self, rows: int) -> None:
        for body in self.query(_Body):  # there is none while the dialog is being closed
            body.scroll_relative(y=rows * 3, animate=False)

    def show_error(self, text: str) -> None:
        label = self.query_one("#error", Label)
        label.update(Content(text))
        label.set_class(bool(text), "-shown")

    def action_cancel(self) -> None:
        self.dismiss(None)
