"""The line of the pace, and the time spent on each question."""

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from lms_tui.tui.widgets.drawn import Drawn, Piece
from lms_tui.views.pace import Pace, pace, seconds_of
from lms_tui.views.rows import fitted
from lms_tui.views.runner import Severity

if TYPE_CHECKING:
    from lms_tui.attempt.keeper import Keeper

_BAR_CELLS: Final = 20
_BAR: Final = {(True, True): "█", (True, False): "▀", (False, True): "▄", (False, False): "·"}
"""The cell of the two bars, by whether it is used time and whether it is done questions."""


class PaceLine(Drawn):
    """Two bars of half blocks, for the time used and the questions done. It counts the time on each question."""

    def __init__(self, keeper: "Keeper", *, plain: bool, wanted: bool) -> None:
        super().__init__(id="pace")
        self._keeper = keeper
        self._pace: Pace | None = None
        self._plain = plain
        self._seconds: Counter[int] = Counter()
        self.wanted = wanted

    @property
    def now(self) -> Pace | None:
        """The pace, or None where there is none."""
        session = self._keeper.session
        on_this = self._seconds[session.item.question_id] if session.items else 0
        return pace(session, seconds_of(self._keeper.exam, session), self._keeper.time_left(), on_this)

    def tick(self) -> None:
        """Count a second for the question on the screen, and show the pace."""
        if self._keeper.session.items:
            self._seconds[self._keeper.session.item.question_id] += 1
        self.paint()

    def paint(self) -> None:
        if self.display and (now := self.now) != self._pace:
            self._pace = now
            self.redraw(0)

    def draw(self, y: int) -> Sequence[Piece]:
        shown, looks, width = self._pace, self.looks, self.size.width
        if y or shown is None:
            return ()
        look = looks["warning" if shown.severity is Severity.WARNING else "base"]
        text = shown.text(width - 2)
        if self._plain or width - len(text) < _BAR_CELLS + 5:
            return ((f" {fitted(text, width - 2)}", look),)
        used, done = round(shown.used * _BAR_CELLS), round(shown.done * _BAR_CELLS)
        bar = "".join(_BAR[cell < used, cell < done] for cell in range(_BAR_CELLS))
        return ((f" {bar} ", looks["accent"]), (f" {text}", look))
