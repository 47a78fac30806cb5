"""Typed text is saved at a pause, at the latest after two seconds, and before anything else happens."""

from collections.abc import Callable
from typing import Final, Generic, Protocol, TypeVar

PAUSE: Final = 0.4
"""Seconds without a key after which text is saved."""
LONGEST: Final = 2
"""Ticks, of a second each, after which text is saved without a pause."""
HURRY: Final = 5.0
"""Seconds before the end of the exam from which every key is saved at once."""


class Timer(Protocol):
    def stop(self) -> None: ...


class Text(Protocol):
    """The newest text of a field of a question, as `lms_tui.attempt.events.Wrote` has it."""

    @property
    def question_id(self) -> int: ...
    @property
    def field(self) -> str: ...


TextT = TypeVar("TextT", bound=Text)


class Autosave(Generic[TextT]):
    """`save` makes a text durable. `later` calls back after a number of seconds."""

    def __init__(self, save: Callable[[TextT], None], later: Callable[[float, Callable[[], None]], Timer]) -> None:
        self._save = save
        self._later = later
        self._timer: Timer | None = None
        self._waiting: TextT | None = None
        self._ticks = 0
        self._hurry = False

    @property
    def waiting(self) -> bool:
        """Whether a text is not saved yet."""
        return self._waiting is not None

    def write(self, event: TextT) -> None:
        """Take the newest text of a field. The waiting text of another field is saved first."""
        if (held := self._waiting) is not None and (held.question_id, held.field) != (event.question_id, event.field):
            self.flush()
        self._waiting = event
        if self._hurry:
            self.flush()
            return
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._later(PAUSE, self.flush)

    def tick(self, left: float | None) -> None:
        """Call once a second. `left`: seconds until the exam ends, None without a time limit."""
        self._hurry = left is not None and left < HURRY
        self._ticks = self._ticks + 1 if self._waiting is not None else 0
        if self._ticks >= LONGEST or self._hurry:
            self.flush()

    def flush(self) -> None:
        """Save the waiting text now."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
        event, self._waiting, self._ticks = self._waiting, None, 0
        if event is not None:
            self._save(event)
