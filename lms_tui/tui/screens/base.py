"""The base class of the screens: commands, footer, two-key sequences, common actions."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar

from textual.await_complete import AwaitComplete
from textual.await_remove import AwaitRemove
from textual.events import Key
from textual.screen import Screen
from textual.worker import active_worker

from lms_tui.tui.commands import Command, Where, commands_by_id, in_words, sequences_of
from lms_tui.tui.widgets.command_bar import CommandBar
from lms_tui.views.glyphs import ASCII, UNICODE, Glyphs

if TYPE_CHECKING:
    from lms_tui.tui.widgets.pane import Pane

Result = TypeVar("Result")


class CommandScreen(Screen[Result], Generic[Result]):
    """A screen with declared commands.

    A subclass sets `WHERE = …` and `BINDINGS = bindings(WHERE)` and has a method `action_<id>` for each command.
    """

    WHERE: ClassVar[Where] = Where.EVERYWHERE
    HORIZONTAL_BREAKPOINTS = [(0, "-tiny"), (60, "-narrow"), (100, "-wide")]  # noqa: RUF012 - Textual's own type for it
    VERTICAL_BREAKPOINTS = [(0, "-short"), (30, "-tall")]  # noqa: RUF012 - Textual's own type for it

    def __init__(self) -> None:
        super().__init__()
        self._sequences = sequences_of(self.WHERE)
        self._leads = frozenset(sequence[0] for sequence in self._sequences)
        self._lead = ""

    def fit_window(self) -> None:
        """Set the classes for the size of the window when the screen is mounted.

        Textual sets them after the first layout, and the screen is then laid out and drawn again.
        """
        for size, limits in zip(self.app.size, (self.HORIZONTAL_BREAKPOINTS, self.VERTICAL_BREAKPOINTS), strict=True):
            self.add_class(max(limit for limit in limits if limit[0] <= size)[1])

    @property
    def is_on_top(self) -> bool:
        """Whether no other screen stands over this one. `is_current` of Textual holds under one too."""
        return self.app.screen is self

    def dismiss(self, result: Result | None = None) -> AwaitComplete:
        """Close the screen, unless it is closed already. Textual would close the one below."""
        return super().dismiss(result) if self.is_on_top else AwaitComplete()

    @property
    def keymap(self) -> Mapping[str, str]:
        """The keys from the settings by command ID."""
        return getattr(self.app, "keymap", {})

    def _command(self, identity: str) -> Command | None:
        return commands_by_id(self.WHERE).get(identity)

    def key_of(self, identity: str) -> str:
        """The first key of a command, for use in a sentence."""
        command = self._command(identity)
        return self._in_words(command.first_key(self.keymap) if command else identity)

    def key_beside_text(self, identity: str) -> str:
        """The key of a command where letters are text, for use in a sentence."""
        command = self._command(identity)
        return self._in_words(command.key_beside_text(self.keymap) if command else identity)

    def _in_words(self, key: str) -> str:
        return in_words(key) if self.glyphs is ASCII else key

    def keys_of(self, identity: str) -> tuple[str, ...]:
        """All keys of a command, in Textual's names."""
        command = self._command(identity)
        return command.keys_of(self.keymap) if command else ()

    def key_in_field(self, identity: str) -> str:
        """The key of a command in a field: alt with its letter, or "" without one."""
        command = self._command(identity)
        return command.key_in_field(self.keymap) if command else ""

    @property
    def glyphs(self) -> Glyphs:
        """The signs for this terminal, by the settings."""
        settings = getattr(self.app, "settings", None)
        return ASCII if settings is not None and settings.appearance.ascii else UNICODE

    @property
    def scrolled_pane(self) -> "Pane | None":
        """The pane that the scroll keys move."""
        return None

    def show_pictures(self, texts: Sequence[str | None]) -> None:
        """Enlarge the pictures of some HTML, or ask for permission to fetch them."""
        from lms_tui.tui.screens.picture.opening import open_pictures  # noqa: PLC0415 - when first asked for

        open_pictures(self.app, texts, lambda text, _: self.notify(text, timeout=3, markup=False))

    def action_back(self) -> None:
        self.dismiss()

    def action_page_down(self) -> None:
        self._scroll_pages(1)

    def action_page_up(self) -> None:
        self._scroll_pages(-1)

    def _scroll_pages(self, pages: int) -> None:
        if (pane := self.scrolled_pane) is not None:
            pane.scroll_pages(pages)

    def action_aside_right(self) -> None:
        self._scroll_aside(1)

    def action_aside_left(self) -> None:
        self._scroll_aside(-1)

    def _scroll_aside(self, steps: int) -> None:
        if (pane := self.scrolled_pane) is not None:
            pane.scroll_aside(steps)

    def command_bar(self) -> CommandBar:
        return CommandBar(self.WHERE, self.keymap)

    def remove(self) -> AwaitRemove:
        """Cancel the workers of the screen first. They would not find its widgets any more."""
        current = active_worker.get(None)
        for worker in self.workers:
            if worker.node is self and worker is not current:
                worker.cancel()
        return super().remove()

    async def on_key(self, event: Key) -> None:
        """Handle two-key sequences before bindings. No binding uses the first key of a sequence."""
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
