"""The entries of the command palette: the declared commands of the screen, without those of Textual."""

from collections.abc import Iterator
from functools import partial

from textual.command import DiscoveryHit, Hit, Hits, Provider
from textual.markup import escape

from lms_tui.tui.commands import Command, Where, commands_of, in_words


class CommandsProvider(Provider):
    async def discover(self) -> Hits:
        for command in self._commands():
            yield DiscoveryHit(
                _title(command), partial(self._run, command), text=_title(command), help=self._help(command)
            )

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for command in self._commands():
            score = max(matcher.match(_title(command)), matcher.match(command.help))
            if score > 0:
                yield Hit(
                    score, matcher.highlight(_title(command)), partial(self._run, command), help=self._help(command)
                )

    def _commands(self) -> Iterator[Command]:
        where = getattr(self.screen, "WHERE", Where.EVERYWHERE)
        return (command for command in commands_of(where) if command.palette)

    def _help(self, command: Command) -> str:
        """Return the help as markup, with the brackets of key sequences escaped."""
        keys = command.keys_label(getattr(self.app, "keymap", None))
        if self.app.has_class("-ascii"):
            keys = in_words(keys)
        return escape(f"{command.help}  ({keys})" if keys else command.help)

    async def _run(self, command: Command) -> None:
        """Run the command on the screen, or on the app for a command of every screen."""
        node = self.app if Where.EVERYWHERE in command.where else self.screen
        await self.app.run_action(command.action, node)


def _title(command: Command) -> str:
    return command.label[:1].upper() + command.label[1:]
