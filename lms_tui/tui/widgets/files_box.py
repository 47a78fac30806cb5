"""The files of an answer, in a box below the question."""

from textual import events
from textual.content import Content
from textual.message import Message
from textual.widgets import Static


class FilesBox(Static, can_focus=False):
    """A click opens the dialog of the files."""

    class Clicked(Message):
        """The box was clicked."""

    DEFAULT_CSS = """
    FilesBox {
        border: round $border-blurred; border-title-color: $text-muted; background: $background;
        border-subtitle-color: $text-muted; padding: 0 1; height: 5;
        &.-plain { border: ascii $border-blurred; }
    }
    """

    def __init__(self, *, plain: bool = False) -> None:
        super().__init__(id="files", markup=False)
        self.set_class(plain, "-plain")
        self.display = False
        self._shown = ("", "")

    def say(self, title: str, text: str) -> None:
        """Set the title of the border, and the lines in the box."""
        if (title, text) != self._shown:
            self._shown = (title, text)
            self.border_title = Content(title)
            self.update(Content(text))

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked())
