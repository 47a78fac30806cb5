"""The list of commands that is searched by name."""

from typing import ClassVar

from textual import on
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.command import CommandPalette
from textual.events import Event
from textual.widgets import Input, OptionList


class CommandSearch(CommandPalette):
    """Textual's palette, which runs one command only.

    A second key or click would run it again, and close the screen below. A page key would fail where the found commands
    are not drawn yet.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("pageup", "page('up')", show=False),
        Binding("pagedown", "page('down')", show=False),
    ]
    _chosen = False

    async def action_page(self, direction: str) -> None:
        """Move by a page through the found commands, where they are on the screen."""
        found = self.query_one(OptionList)
        if found.scrollable_content_region:
            found.scroll_to_highlight()  # counts the lines of new commands, which a page needs
            await self.app.run_action(f"page_{direction}", found)

    @on(OptionList.OptionSelected)
    def _choose_once(self, event: Event) -> None:
        self._drop_second(event)
        self._chosen = True

    @on(Input.Submitted)
    def _drop_second(self, event: Event) -> None:
        if self._chosen:
            event.prevent_default()
            event.stop()

    def dismiss(self, result: None = None) -> AwaitComplete:
        """Close the palette, unless it is closed already."""
        return super().dismiss(result) if self.app.screen is self else AwaitComplete()
