"""Text on its way from a field into the journal: at a pause of the writer, and before anything else may happen."""

from collections.abc import Callable
from typing import Final, Protocol

from lms_tui.attempt.events import Wrote

PAUSE: Final = 0.4
"""Seconds without a key after which what was written is kept."""
LONGEST: Final = 2
"""Ticks, of a second each, after which it is kept though the writer has not paused."""
HURRY: Final = 5.0
"""Seconds left from which every key is kept at once: the last one before the end counts."""


class Timer(Protocol):
    def stop(self) -> None: ...


class Autosave:
    """`keep` makes a text durable; `later` calls back after so many seconds."""

    def __init__(self, keep: Callable[[Wrote], None], later: Callable[[float, Callable[[], None]], Timer]) -> None:
        self._keep = keep
        self._later = later
        self._timer: Timer | None = None
        self._waiting: Wrote | None = None
        self._ticks = 0
        self._hurry = False

    @property
    def waiting(self) -> Wrote | None:
        """What is written and not kept yet."""
        return self._waiting

    def write(self, event: Wrote) -> None:
        """Take the newest text of a field; that of another field is kept first."""
        if (held := self._waiting) is not None and (held.question_id, held.field) != (event.question_id, event.field):
            self.settle()
        self._waiting = event
        if self._hurry:
            self.settle()
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._later(PAUSE, self.settle)

    def tick(self, left: float | None) -> None:
        """Call once a second, before time is looked at. `left`: seconds of the exam, None for no end."""
        self._hurry = left is not None and left < HURRY
        self._ticks = self._ticks + 1 if self._waiting is not None else 0
        if self._ticks >= LONGEST or self._hurry:
            self.settle()

    def settle(self) -> None:
        """Keep what waits, now."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        event, self._waiting, self._ticks = self._waiting, None, 0
        if event is not None:
            self._keep(event)
