"""A bare clock: what a program costs that paints one changed second after the other and is left alone."""

from itertools import count

from textual.app import App, ComposeResult
from textual.widgets import Static


class BareClock(App[None]):
    def compose(self) -> ComposeResult:
        self._clock = Static("Second 0")
        yield self._clock

    def on_mount(self) -> None:
        self._seconds = count(1)
        self.set_interval(1, lambda: self._clock.update(f"Second {next(self._seconds)}", layout=False))


if __name__ == "__main__":
    BareClock().run()
