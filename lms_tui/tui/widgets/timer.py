"""The time left. It is painted every second, so it lays out nothing."""

from collections.abc import Sequence

from lms_tui.tui.widgets.drawn import Drawn, Piece
from lms_tui.views.glyphs import UNICODE, Glyphs
from lms_tui.views.runner import Severity
from lms_tui.views.time_left import clock_severity, clock_text

_LOOK = {Severity.PLAIN: "base", Severity.GOOD: "base", Severity.WARNING: "warning", Severity.BAD: "bad"}

_KEY_CELLS = 2
"""Cells of a key that has room beside a word."""


class TimerView(Drawn):
    """Shows the seconds left, or the key that shows a hidden clock."""

    def __init__(self, *, glyphs: Glyphs = UNICODE, hidden: bool = False) -> None:
        super().__init__(id="timer")
        self._glyphs = glyphs
        self._hidden = hidden
        self._shown: tuple[str, Severity] = ("", Severity.PLAIN)
        self._added = ""

    @property
    def hidden(self) -> bool:
        return self._hidden

    def show(self, left: float | None, *, hidden: bool, key: str, added: str = "") -> None:
        """`key` shows a hidden clock again. `added`: the time that the server has added."""
        self._hidden = hidden
        if added != self._added:
            self._added = added
            self.set_class(bool(added), "-added")
            self.redraw(0)
        label = f"hidden ({key})" if len(key) <= _KEY_CELLS else f"({key})"
        shown = (label, Severity.PLAIN) if hidden else (clock_text(left), clock_severity(left))
        if shown != self._shown:
            self._shown = shown
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        text, severity = self._shown
        if y or not text:
            return ()
        look = self.looks["dim" if self._hidden else _LOOK[severity]]
        added = () if self._hidden or not self._added else ((f" {self._added}", self.looks["good"]),)
        return ((f"{self._glyphs.clock} ", self.looks["dim"]), (text, look), *added)
