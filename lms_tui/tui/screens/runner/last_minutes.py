"""The banner of the last five minutes, with large digits in the last one."""

from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Digits, Static

from lms_tui.common.settings import TimeSignal
from lms_tui.tui.terminal.escapes import write_escape
from lms_tui.views.format import clock
from lms_tui.views.time_left import THRESHOLDS, banner

_LARGE_FROM: Final = 24
"""Rows from which the last minute has large digits."""
_DIGIT_ROWS: Final = 3


class LastMinutes(Vertical):
    """`show` returns whether the height has changed. The colours change each second, except with reduced motion."""

    DEFAULT_CSS = """
    LastMinutes {
        height: auto; display: none; background: $warning; color: $background;
        & Static { height: 1; padding: 0 1; text-style: bold; }
        & Digits { height: 3; width: 100%; text-align: center; background: $background; color: $error; display: none; }
        &.-last { background: $error; }
        &.-dim { background: $error 70%; }
        &.-dim Digits { color: $error 70%; }
    }
    """

    def __init__(self, signal: TimeSignal) -> None:
        super().__init__(id="last-minutes")
        self._signal = signal
        self._line = Static(markup=False)
        self._digits = Digits()

    def compose(self) -> ComposeResult:
        yield self._line
        yield self._digits

    @property
    def rows(self) -> int:
        return (1 + _DIGIT_ROWS * self._digits.display) if self.display else 0

    def show(self, left: float | None, *, section: bool, room: bool) -> bool:
        """`left`: None where there is nothing to show. `section`: it is the time of a section. `room`: for a banner."""
        before = self.rows
        text = banner(left, section=section) if room else ""
        self.display = bool(text)
        if left is not None and text:
            last = left <= THRESHOLDS[0]
            large = last and self.app.size.height >= _LARGE_FROM and not self.app.has_class("-ascii")
            self._line.update(Content(text))
            self._digits.display = large
            if large:
                self._digits.update(clock(left))
            self.set_class(last, "-last")
            self.set_class(last and int(left) % 2 == 0 and self.app.animation_level != "none", "-dim")
        return self.rows != before

    def signal(self, text: str) -> None:
        """Ring the bell or send a notice to the desktop, where the settings ask for it."""
        if self._signal is TimeSignal.BELL:
            self.app.bell()
        elif self._signal is TimeSignal.NOTICE:
            write_escape(self.app, f"\x1b]9;lms-tui: {text}\x07")
