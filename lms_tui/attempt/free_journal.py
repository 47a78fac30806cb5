"""Opens a journal that another window may be about to close."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from lms_tui.attempt.ports import Clock, Journal, JournalInUseError

if TYPE_CHECKING:
    import anyio

_PATIENCE: Final = 6.0
"""Seconds. A host notices within four that the line of a session is cut, and the session then saves and ends."""
_PAUSE: Final = 0.1


async def open_when_free(open_journal: Callable[[], Journal], clock: Clock, enough: "anyio.Event") -> Journal:
    """Try to open a journal until it is free, for seconds at most or until `enough` is set.

    A window that was closed, or whose line was cut, holds the journal until it has saved and ended. Raises what
    `open_journal` raises, JournalInUseError where the journal does not become free.
    """
    ends = clock.boot() + _PATIENCE * clock.speed
    while True:
        try:
            return open_journal()
        except JournalInUseError:
            if enough.is_set() or clock.boot() >= ends:
                raise
        await clock.wait(enough, _PAUSE * clock.speed)
