"""The line focus: one row or three rows of the question stand out, and the rest is faded."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from lms_tui.attempt.desk import Desk
    from lms_tui.tui.widgets.pane import Pane

NAME: Final = "line focus"
"""The name of the number of rows on the desk."""
_SIZES: Final = (0, 1, 3)


class LineFocus:
    """The passage is read before the question, if it stands beside it."""

    def __init__(self, passage: "Pane", question: "Pane", desk: "Desk") -> None:
        self._passage = passage
        self._question = question
        self._desk = desk
        kept = desk.text(NAME)
        self.rows = int(kept) if kept in map(str, _SIZES) else 0
        """How many rows stand out, 0 while the focus is off."""
        self._pane = 0
        self._row = 0

    def _panes(self) -> "Sequence[Pane]":
        return (self._passage, self._question) if self._passage.display else (self._question,)

    def next_size(self) -> int:
        """Switch between off, one row and three rows. Return the number of rows."""
        self.rows = _SIZES[(_SIZES.index(self.rows) + 1) % len(_SIZES)]
        self._desk.keep(NAME, str(self.rows) if self.rows else "")
        if self.rows == 1:
            self._pane, self._row = 0, -1
            self.move(1)
        self.apply()
        return self.rows

    def arrive(self) -> None:
        """Another question is on the screen: begin at its first row."""
        self._pane, self._row = 0, -1
        if not self.move(1):
            self.apply()

    def move(self, steps: int) -> bool:
        """Move over rows with text, and from the passage into the question. Return False while the focus is off."""
        if not self.rows:
            return False
        panes = self._panes()
        at, row = min(self._pane, len(panes) - 1), self._row + steps
        while True:
            if 0 <= row < panes[at].length:
                if panes[at].has_text(row):
                    self._pane, self._row = at, row
                    break
                row += steps
            elif 0 <= at + steps < len(panes):
                at += steps
                row = 0 if steps > 0 else panes[at].length - 1
            else:
                break
        self.apply()
        return True

    def point(self, pane: "Pane", row: int) -> None:
        """Move to a row under the mouse."""
        panes = self._panes()
        if self.rows and pane in panes and 0 <= row < pane.length and pane.has_text(row):
            self._pane, self._row = panes.index(pane), row
            self.apply(reveal=False)

    def apply(self, *, reveal: bool = True) -> None:
        """Fade all other rows, and scroll to the row."""
        if not self.rows:
            self._passage.stand_out(None)  # also where it is not shown now
            self._question.stand_out(None)
            return
        panes = self._panes()
        for number, pane in enumerate(panes):
            if number != min(self._pane, len(panes) - 1):
                pane.stand_out(range(0))
            else:
                row = min(self._row, pane.length - 1)
                pane.stand_out(range(row - self.rows // 2, row + self.rows // 2 + 1))
                if reveal and not pane.top < row < pane.top + pane.window - 1:
                    pane.set_top(row - pane.window // 2)
