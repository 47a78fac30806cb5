"""The choice of a theme: typing filters the names, and the highlighted one is shown at once."""

from typing import Any, ClassVar

from textual import events, on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from lms_tui.tui.modal import KeyedModal
from lms_tui.tui.themes import NAMES


async def choose_theme(app: App[Any]) -> str | None:
    """Return the chosen theme, or None when cancelled. The app has its old theme then."""
    before = app.theme
    chosen = await app.push_screen_wait(_ThemePicker(before))
    if chosen is None:
        app.theme = before
    return chosen


class _ThemePicker(KeyedModal[str | None]):
    """Has no veil, because the screen below shows what a theme looks like."""

    DEFAULT_CSS = """
    _ThemePicker { align: right middle; }
    _ThemePicker #box { width: 36; max-width: 96%; height: 80%; background: $surface; border: round $border; }
    _ThemePicker Input { border: none; height: 1; padding: 0 1; background: $panel; }
    _ThemePicker OptionList { height: 1fr; background: $surface; border: none; padding: 0; }
    """
    NAME = "the themes"
    KEYS = (
        ("letters", "Search a theme by its name"),
        ("↓ · ↑", "Select and show a theme"),
        ("enter", "Keep the selected theme"),
        ("esc", "Close without a change"),
    )
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "cancel", show=False),
        Binding("down", "move(1)", show=False, priority=True),
        Binding("up", "move(-1)", show=False, priority=True),
    ]

    def __init__(self, chosen: str) -> None:
        super().__init__()
        self._chosen = chosen
        self.styles.background = "transparent"  # the app's style sheet dims what is below a dialog

    def compose(self) -> ComposeResult:
        with Vertical(id="box") as box:
            box.border_title = Content("Theme and colours")
            box.border_subtitle = Content("enter keep, esc cancel")
            yield Input(placeholder="Type to search", compact=True)
            names = OptionList()
            names.can_focus = False  # the letters belong to the search, and a border of the focus would move the names
            yield names

    def on_mount(self) -> None:
        self._show("")
        self.query_one(Input).focus()

    def _show(self, wanted: str) -> None:
        others = sorted(set(self.app.available_themes) - set(NAMES))
        names = [name for name in (*NAMES, *others) if wanted.casefold() in name]
        options = self.query_one(OptionList)
        options.clear_options()
        options.add_options(Option(Content(name), id=name) for name in names)
        if names:
            options.highlighted = names.index(self._chosen) if self._chosen in names else 0

    @on(Input.Changed)
    def _search(self, event: Input.Changed) -> None:
        event.stop()
        self._show(event.value.strip())

    @on(OptionList.OptionHighlighted)
    def _preview(self, event: OptionList.OptionHighlighted) -> None:
        if event.option_id:
            self._chosen = self.app.theme = event.option_id

    def action_move(self, step: int) -> None:
        options = self.query_one(OptionList)
        (options.action_cursor_down if step > 0 else options.action_cursor_up)()

    @on(Input.Submitted)
    def _keep(self) -> None:
        if self.query_one(OptionList).highlighted is not None:
            self.dismiss(self._chosen)

    @on(OptionList.OptionSelected)
    def _take(self, event: OptionList.OptionSelected) -> None:
        self.dismiss(event.option_id)

    def on_click(self, event: events.Click) -> None:
        """Close after a click beside the box, as the list of commands does."""
        if event.widget is self:
            self.action_cancel()

    def action_cancel(self) -> None:
        self.dismiss(None)
