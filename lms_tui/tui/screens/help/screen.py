"""The help: every key of one screen."""

from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from lms_tui.tui.commands import Where, bindings, help_of, in_words
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.glyphs import ASCII
from lms_tui.views.help import help_rows


class HelpScreen(CommandScreen[None]):
    """`about` is the screen whose commands are shown."""

    WHERE = Where.HELP
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("q,?,enter", "back", show=False)]

    def __init__(self, about: Where) -> None:
        super().__init__()
        self._about = about

    def compose(self) -> ComposeResult:
        yield TopLine("Help")
        with VerticalScroll(id="page"):
            say = in_words if self.glyphs is ASCII else str
            groups = help_of(self._about, self.keymap)
            named = [(group.value, [(say(keys), text) for keys, text in entries]) for group, entries in groups]
            rows = partial(help_rows, named)
            yield Card(f"Keys of this screen: {self._about.value}", rows, glyphs=self.glyphs)
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
