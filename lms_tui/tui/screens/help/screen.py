"""The help: every key of one screen or dialog."""

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll

from lms_tui.tui.commands import Where, bindings, in_words
from lms_tui.tui.screens.base import CommandScreen
from lms_tui.tui.widgets.card import Card
from lms_tui.tui.widgets.top_line import TopLine
from lms_tui.views.glyphs import ASCII
from lms_tui.views.help import Keys, help_rows


class HelpScreen(CommandScreen[None]):
    """`about`: of what the keys are, such as `this dialog`. `groups`: each heading with its keys."""

    WHERE = Where.HELP
    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [*bindings(WHERE), Binding("q,?,enter", "back", show=False)]

    def __init__(self, about: str, groups: Sequence[tuple[str, Keys]]) -> None:
        super().__init__()
        self._about = about
        self._groups = groups

    def compose(self) -> ComposeResult:
        yield TopLine("Help")
        with VerticalScroll(id="page"):
            say = in_words if self.glyphs is ASCII else str
            named = [(heading, [(say(keys), text) for keys, text in entries]) for heading, entries in self._groups]
            rows = partial(help_rows, named)
            yield Card(f"Keys of {self._about}", rows, glyphs=self.glyphs)
        yield self.command_bar()

    def on_mount(self) -> None:
        self.query_one("#page").focus()
