"""The log of visits: which question was on the screen when. The replay of an ended attempt reads it.

A visit waits in memory and is written with the next answer, else by the next tick. No key waits for it.
"""

import contextlib
from typing import Final

from lms_tui.attempt.ports import Clock, Journal, JournalError, Visit
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Phase

PASSING: Final = 1.0
"""Seconds. A question that is shown for less time, and is not answered, is passed and not visited."""
STILL: Final = 60.0
"""Seconds after which an open visit is written again. A killed program loses at most this much time."""
_MOST_STILL: Final = 60
"""How often one visit is written again."""
MOST_VISITS: Final = 5_000
"""Rows that one journal holds. Later visits are not written."""


class VisitLog:
    """The visits of one run of the program. A visit that the disk refused waits until it is written."""

    def __init__(self, journal: Journal, clock: Clock, run: int) -> None:
        self._journal = journal
        self._clock = clock
        self._run = run
        self._room = MOST_VISITS - len(journal.visits())
        self._shown = self._still = 0
        self._last = 0.0
        self._waiting: list[Visit] = []

    @property
    def waiting(self) -> tuple[Visit, ...]:
        """The visits that are not written yet."""
        return tuple(self._waiting)

    def note(self, session: Session) -> None:
        """Note the question that is on the screen. After the end of the time, there is none."""
        shown = session.item.question_id if session.phase is Phase.RUNNING and session.items else 0
        if shown != self._shown:
            self._still = 0
            self._add(shown, self._clock.boot())

    def leave(self, since: float | None = None) -> None:
        """Note that no question is on the screen, now or since a moment of the boot clock."""
        if self._shown:
            self._add(0, self._clock.boot() if since is None else since)

    def _add(self, shown: int, now: float) -> None:
        self._shown, self._last = shown, now
        if self._waiting and now - self._waiting[-1].boot < PASSING:
            self._waiting[-1] = Visit(self._run, shown, self._waiting[-1].boot)
        elif len(self._waiting) < self._room:
            self._waiting.append(Visit(self._run, shown, now))

    def write(self) -> None:
        """Write the visits that wait. Call it once a second."""
        now = self._clock.boot()
        if self._shown and now - self._last >= STILL and self._still < _MOST_STILL:
            self._still += 1
            self._add(self._shown, now)
        if self._waiting:
            with contextlib.suppress(JournalError):  # the next call tries again
                self._journal.record(visits=self._waiting)
                self.written()

    def written(self) -> None:
        self._room -= len(self._waiting)
        self._waiting = []
