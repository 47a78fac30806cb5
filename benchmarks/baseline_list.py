"""A bare list of 1,000 rows: what moving one row costs where nothing else is on the screen."""

from textual.app import App, ComposeResult
from textual.widgets import OptionList


class BareList(App[None]):
    def compose(self) -> ComposeResult:
        yield OptionList(*(f"Row {number}" for number in range(1, 1001)))


if __name__ == "__main__":
    BareList().run()
