"""The footer with the commands of the screen in one line. It is not drawn again when the focus moves."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.content import Content
from textual.widget import Widget

from lms_tui.tui.commands import Command, Where, commands_of, in_words
from lms_tui.views.to_ascii import to_ascii

Entry = tuple[Command, Content]
_GAP = 2
_NARROW = 60
"""Cells from which the list of commands has its full name."""
_PALETTE = "command_palette"
_BACK = "back"
"""The command that leaves a screen. A person who uses only the mouse has no other way out."""


def _fitting(entries: Sequence[Entry], room: int, kept: frozenset[str]) -> list[Entry]:
    """Return the first entries, as many as fit beside those with an identity of `kept`."""
    room -= sum(entry.cell_length + _GAP for command, entry in entries if command.id in kept)
    shown: list[Entry] = []
    for command, entry in entries:
        if command.id not in kept:
            room -= entry.cell_length + _GAP  # below 0 also for all commands after one that does not fit
        if command.id in kept or room + _GAP >= 0:
            shown.append((command, entry))
    return shown


class CommandBar(Widget):
    """Shows as many commands as fit, and always help, the way back and the list of commands. A click runs a command.

    The list of commands gives way where there is no room for the first command beside it.
    """

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
        shown = _fitting(entries, room, frozenset({_BACK}))
        if all(command.id != _PALETTE for command, _ in shown):
            brief = [self._brief(command) if command.id == _PALETTE else (command, entry) for command, entry in entries]
            shorter = _fitting(brief, room, frozenset({_BACK, _PALETTE}))
            shown = shorter if shorter[:1] == shown[:1] else shown
        shown += last
        at = 0
        self._places = []
        for command, entry in shown:
            self._places.append((range(at, at + entry.cell_length), command))
            at += entry.cell_length + _GAP
        return Content(" " * _GAP).join(entry for _, entry in shown)

    def _brief(self, command: Command) -> Entry:
        label = "more" if self.content_size.width < _NARROW else command.label
        return command, self._drawn(command.shortest_key(self._keymap), label)

    def _entry(self, command: Command) -> Content:
        key = (command.key_beside_text if self._beside_text else command.first_key)(self._keymap)
        return self._drawn(key, self._labels.get(command.id, command.label))

    def _drawn(self, key: str, label: str) -> Content:
        plain = self.app.has_class("-ascii")
        label = to_ascii(label) if plain else label
        return Content.assemble((in_words(key) if plain else key, "bold $primary"), " ", label)

    async def on_click(self, event: events.Click) -> None:
        """Run the command on the screen, or on the app for a command of every screen."""
        at = event.get_content_offset_capture(self).x
        command = next((command for place, command in self._places if at in place), None)
        if command is not None and not command.variants:
            node = self.app if Where.EVERYWHERE in command.where else self.screen
            await self.app.run_action(command.action, node)
