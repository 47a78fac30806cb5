"""A bare field of many lines: what typing a character costs where nothing else is on the screen."""

from textual.app import App, ComposeResult
from textual.widgets import TextArea


class BareTextArea(App[None]):
    def compose(self) -> ComposeResult:
        yield TextArea(soft_wrap=True, compact=True, placeholder="Type your answer")


if __name__ == "__main__":
    BareTextArea().run()
