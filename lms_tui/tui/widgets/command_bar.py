"""The footer: one line of the screen's commands, drawn once for each width, at no cost when the focus moves."""

from collections.abc import Mapping
from typing import ClassVar

from textual.content import Content
from textual.style import Style
from textual.widget import Widget

from lms_tui.tui.commands import Command, Where, commands_of


class CommandBar(Widget):
    """Shows as many commands as fit, help always; a click on one runs it."""

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
        self._keymap = keymap or {}
        self._hidden: frozenset[str] = frozenset()

    def hide(self, *identities: str) -> None:
        """Leave out what means nothing now."""
        if frozenset(identities) != self._hidden:
            self._hidden = frozenset(identities)
            self.refresh()

    def render(self) -> Content:
        last = [self._entry(command) for command in self._help]
        room = self.content_size.width - sum(entry.cell_length + 2 for entry in last)
        shown: list[Content] = []
        for command in self._commands:
            if command.id in self._hidden:
                continue
            entry = self._entry(command)
            if entry.cell_length > room:
                break
            shown.append(entry)
            room -= entry.cell_length + 2
        return Content("  ").join(shown + last)

    def _entry(self, command: Command) -> Content:
        target = "app" if Where.EVERYWHERE in command.where else "screen"
        key = Content.styled(command.first_key(self._keymap), "bold $primary")
        entry = Content.assemble(key, " ", command.label)
        if command.variants:
            return entry
        return entry.stylize(Style.from_meta({"@click": f"{target}.{command.action}"}))
