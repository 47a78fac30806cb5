"""The smallest Textual app: what a start costs before a program of one's own begins."""

from textual.app import App, ComposeResult
from textual.widgets import Static


class OneWidget(App[None]):
    def compose(self) -> ComposeResult:
        yield Static("ready")


if __name__ == "__main__":
    OneWidget().run()
