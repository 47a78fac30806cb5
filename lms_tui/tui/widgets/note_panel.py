"""The panel of a note or of the scratchpad: a field of many lines in a box."""

from typing import Final

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message
from textual.widgets import TextArea

from lms_tui.tui.widgets.answer_editor import LeftField, TextField

_HINT: Final = "Only on this computer, never sent"


class NotePanel(Vertical):
    """Shows one text at a time. `Typed` says that a person changed it, and `take` returns it."""

    class Typed(Message):
        """The text was changed."""

    class Entered(Message):
        """The field got the focus or lost it."""

    DEFAULT_CSS = """
    NotePanel {
        border: round $border-blurred; border-title-color: $text-muted; background: $background;
        border-subtitle-color: $text-muted; padding: 0 1;
        & TextField { border: none; height: 1fr; padding: 0; background: $background; scrollbar-size-vertical: 1; }
        & TextField:focus { border: none; background-tint: $foreground 0%; }
        & TextField:disabled { opacity: 100%; color: $text-muted; }
        &:focus-within { border: round $primary; border-title-color: $primary; }
        &.-plain { border: ascii $border-blurred; }
        &.-plain:focus-within { border: ascii $primary; }
    }
    """

    def __init__(self, left: LeftField, *, plain: bool = False) -> None:
        super().__init__(id="note")
        self.set_class(plain, "-plain")
        self.display = False
        self._field = TextField(left, id="note-field")
        self.name_shown = ""
        self._taken = ""

    def compose(self) -> ComposeResult:
        self._field.cursor_blink = self.app.animation_level != "none"
        self._field.placeholder = Content(_HINT)
        yield self._field

    @property
    def writing(self) -> bool:
        """Whether the field has the focus."""
        return self.is_attached and self.display and self.screen.focused is self._field

    def show(self, name: str, text: str, *, closed: bool) -> None:
        """Show the text of this name. The cursor stays if it is the same as before."""
        self._field.disabled = closed
        if name == self.name_shown and (text == self._field.text or self._field.text != self._taken):
            return
        self.name_shown, self._taken = name, text
        with self.prevent(TextArea.Changed):
            self._field.load_text(text)
            self._field.move_cursor(self._field.document.end)

    def write(self) -> None:
        """Focus the field."""
        if not self._field.disabled:
            self.screen.set_focus(self._field)  # now: `focus()` would come after keys that are typed ahead

    def take(self) -> str | None:
        """Return the text if it has changed since it was shown or taken, else None."""
        if self._field.text == self._taken:
            return None
        self._taken = self._field.text
        return self._taken

    def say(self, title: str, foot: str) -> None:
        """Set the texts of the border."""
        if str(self.border_title or "") != title:
            self.border_title = Content(title)
        if str(self.border_subtitle or "") != foot:
            self.border_subtitle = Content(foot)

    @on(TextArea.Changed)
    def _tell(self, event: TextArea.Changed) -> None:
        event.stop()
        self._field.refresh()  # TextArea paints only the typed row, and the hint may take more rows
        self.post_message(self.Typed())

    def on_descendant_focus(self) -> None:
        self.post_message(self.Entered())

    def on_descendant_blur(self) -> None:
        self.post_message(self.Entered())

    def on_click(self, event: events.Click) -> None:
        """Write after a click on the border, too."""
        event.stop()
        self.write()
