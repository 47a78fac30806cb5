"""The footer with the commands of the screen in one line. It is not drawn again when the focus moves."""

from collections.abc import Mapping
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.widget import Widget

from lms_tui.tui.commands import Command, Where, commands_of, in_words
from lms_tui.views.to_ascii import to_ascii

_GAP = 2
_BACK = "back"
"""The command that leaves a screen. A person who uses only the mouse has no other way out."""


class CommandBar(Widget):
    """Shows as many commands as fit, and always help and the way back. A click runs a command."""

    DEFAULT_CSS = """
    CommandBar { height: 1; dock: bottom; background: $panel; color: $text-muted; padding: 0 1; }
    """
    COMPONENT_CLASSES: ClassVar[set[str]] = set()
    can_focus = False

    def __init__(self, where: Where, keymap: Mapping[str, str] | None = None) -> None:
        super().__init__()
        commands = [command for command in commands_of(where) if command.footer]
        self._help = [command for command in commands if command.id == "help"]
        self._commands = [command for command in commands if command.id != "help"]
        self._keymap = {} if keymap is None else keymap
        self._hidden: frozenset[str] = frozenset()
        self._labels: dict[str, str] = {}
        self._beside_text = False
        self._places: list[tuple[range, Command]] = []

    def hide(self, *identities: str) -> None:
        """Hide commands that do nothing now."""
        if frozenset(identities) != self._hidden:
            self._hidden = frozenset(identities)
            self.refresh()

    def label(self, identity: str, words: str) -> None:
        """Name a command by what it does now."""
        if self._labels.get(identity) != words:
            self._labels[identity] = words
            self.refresh()

    def show_beside_text(self, *, beside_text: bool) -> None:
        """Show alt with a letter where a letter alone is text, or the letter again."""
        if beside_text != self._beside_text:
            self._beside_text = beside_text
            self.refresh()

    def render(self) -> Content:
        last = [(command, self._entry(command)) for command in self._help]
        room = self.content_size.width - sum(entry.cell_length + _GAP for _, entry in last)
        entries = [(command, self._entry(command)) for command in self._commands if command.id not in self._hidden]
        room -= sum(entry.cell_length + _GAP for command, entry in entries if command.id == _BACK)
        shown: list[tuple[Command, Content]] = []
        for command, entry in entries:
            if command.id != _BACK:
                room -= entry.cell_length + _GAP  # below 0 also for all commands after one that does not fit
            if command.id == _BACK or room + _GAP >= 0:
                shown.append((command, entry))
        shown += last
        at = 0
        self._places = []
        for command, entry in shown:
            self._places.append((range(at, at + entry.cell_length), command))
            at += entry.cell_length + _GAP
        return Content(" " * _GAP).join(entry for _, entry in shown)

    def _entry(self, command: Command) -> Content:
        plain = self.app.has_class("-ascii")
        key = (command.key_beside_text if self._beside_text else command.first_key)(self._keymap)
        label = self._labels.get(command.id, command.label)
        label = to_ascii(label) if plain else label
        return Content.assemble((in_words(key) if plain else key, "bold $primary"), " ", label)

    async def on_click(self, event: events.Click) -> None:
        """Run the command on the screen, or on the app for a command of every screen."""
        at = event.get_content_offset_capture(self).x
        command = next((command for place, command in self._places if at in place), None)
        if command is not None and not command.variants:
            node = self.app if Where.EVERYWHERE in command.where else self.screen
            await self.app.run_action(command.action, node)
