"""What every screen shares: its commands, its footer, two-key sequences, and the way to the help."""

from collections.abc import Mapping
from typing import ClassVar, Generic, TypeVar

from textual.await_remove import AwaitRemove
from textual.events import Key
from textual.screen import Screen
from textual.worker import active_worker

from lms_tui.tui.commands import Where, commands_of, in_words, sequences_of
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.views.glyphs import ASCII, UNICODE, Glyphs

Result = TypeVar("Result")


class CommandScreen(Screen[Result], Generic[Result]):
    """A screen whose class says `WHERE = …` and `BINDINGS = bindings(WHERE)` and has `action_<id>` for each command."""

    WHERE: ClassVar[Where] = Where.EVERYWHERE
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual's own type for it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012 - Textual's own type for it

    def __init__(self) -> None:
        super().__init__()
        self._sequences = sequences_of(self.WHERE)
        self._leads = frozenset(sequence[0] for sequence in self._sequences)
        self._lead = ""

    @property
    def keymap(self) -> Mapping[str, str]:
        """Keys that settings replaced, by command id."""
        return getattr(self.app, "keymap", {})

    def key_of(self, identity: str) -> str:
        """The key of a command as a sentence names it, after what settings replaced."""
        key = next((c.first_key(self.keymap) for c in commands_of(self.WHERE) if c.id == identity), identity)
        return in_words(key) if self.glyphs is ASCII else key

    @property
    def glyphs(self) -> Glyphs:
        """The signs that this terminal is to draw, by the settings."""
        settings = getattr(self.app, "settings", None)
        return ASCII if settings is not None and settings.appearance.ascii else UNICODE

    def command_bar(self) -> CommandBar:
        return CommandBar(self.WHERE, self.keymap)

    def remove(self) -> AwaitRemove:
        """Stop what is still being fetched for a screen that goes: it would find none of its widgets."""
        current = active_worker.get(None)
        for worker in self.workers:
            if worker.node is self and worker is not current:
                worker.cancel()
        return super().remove()

    async def on_key(self, event: Key) -> None:
        """Take the second key of a sequence before a binding can; the first is one that no binding has."""
        character = event.character or ""
        if self._lead:
            action = self._sequences.get(self._lead + character)
            self._lead = ""
            if action is not None:
                event.stop()
                event.prevent_default()
                await self.run_action(action)
        elif character and character in self._leads:
            self._lead = character
            event.stop()
            event.prevent_default()
