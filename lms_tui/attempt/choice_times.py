"""When each answer was chosen, on the server's clock, also for answers of earlier runs of the program."""

import contextlib
import json
from collections.abc import Iterable
from datetime import datetime
from typing import Final

from lms_tui.attempt.ports import Clock, Entry, Journal, JournalError
from lms_tui.attempt.server_clock import ServerClock, milliseconds
from lms_tui.attempt.values import Item

_FACT: Final = "server clock"
_MOST_RUNS: Final = 20
SAME_START: Final = 1.0
"""Seconds. The wall clock counts from the same start of the computer if it agrees with the boot clock so closely."""


class ChoiceTimes:
    """The times of the newest changes. The changes of this run have numbers above `first`.

    Each run estimates the server's clock anew, because the boot clock starts again when the computer starts. A run that
    starts offline takes over the estimate of the run before, if the computer was not restarted.
    """

    def __init__(self, journal: Journal, clock: Clock, first: int) -> None:
        self._journal = journal
        self._boot_id = clock.boot_id
        self._first = first
        self._started = clock.wall() - clock.boot()
        self._since_start: set[int] = set()
        self._made: dict[int, tuple[int, float]] = {}
        self._clock: ServerClock | None = None
        self._unwritten = False
        self._read_at: float | None = None
        self._copied: frozenset[int] = frozenset()
        kept = json.loads(journal.recall(_FACT) or "{}")
        self._offsets: dict[int, float | None] = {int(run): offset for run, offset in kept.get("runs", {}).items()}
        same_start = bool(clock.boot_id) and kept.get("boot_id") == clock.boot_id
        last = next(reversed(self._offsets.values()), None)
        self._keep(last if same_start else None)

    def note(self, question_id: int, sequence: int, boot: float) -> None:
        """Note the boot-clock time of this change of a question."""
        self._made[question_id] = sequence, boot

    def note_earlier(self, entry: Entry) -> None:
        """Note the time of a change of an earlier run, and whether the computer was started before it."""
        self.note(entry.question_id, entry.sequence, entry.boot)
        if self._boot_id and abs(self._started - (entry.wall - entry.boot)) < SAME_START:
            self._since_start.add(entry.sequence)

    def made_at(self, item: Item) -> float | None:
        """Return when the newest change was made on the boot clock, or None."""
        sequence, boot = self._made.get(item.question_id, (-1, 0.0))
        return boot if sequence == item.latest else None

    def chosen_at(self, item: Item) -> int | None:
        """Return when the newest change was made, in milliseconds since 1970 on the server's clock, or None.

        A question that was only opened returns 0, because that is no choice and must not replace one. An answer that
        was not chosen here was chosen before it was read. If it was read in an earlier run, it gives way to every
        choice.
        """
        if item.visit_only:
            return 0
        if not item.latest:
            read = None if item.question_id in self._copied else self.made_at(item) or self._read_at
            return _milliseconds(self._offsets[self._first], read) or 1
        run = max((first for first in self._offsets if first < item.latest), default=None)
        offset = None if run is None else self._offsets[run]
        if offset is None and item.latest in self._since_start:  # its run could not write its estimate
            offset = self._offsets[self._first]
        return _milliseconds(offset, self.made_at(item))

    def note_read(self, boot: float, copied: Iterable[int]) -> None:
        """Note the boot-clock time at which the answers of the server were read, when the attempt was opened.

        `copied`: the questions whose answers the server has lost. An earlier opening had recorded these answers.
        """
        self._read_at, self._copied = boot, frozenset(copied)

    def note_server_time(self, told: datetime | None, asked_at: float, received_at: float) -> None:
        """Estimate the server's clock from a time that it told in a reply."""
        if told is None:
            return
        newer = ServerClock.from_reply(told, asked_at, received_at)
        self._clock = newer if self._clock is None else self._clock.refined(newer)
        if self._offsets[self._first] != self._clock.offset:
            self._keep(self._clock.offset)

    def _keep(self, offset: float | None) -> None:
        self._offsets[self._first] = offset
        self._offsets = dict(list(self._offsets.items())[-_MOST_RUNS:])
        fact = json.dumps({"boot_id": self._boot_id, "runs": self._offsets})
        self._unwritten = True
        with contextlib.suppress(JournalError):  # the next `write` tries again
            self._journal.remember({_FACT: fact})
            self._unwritten = False

    def write(self) -> None:
        """Write an estimate that could not be written. Without it, the changes of this run have no time in the next."""
        if self._unwritten:
            self._keep(self._offsets[self._first])


def _milliseconds(offset: float | None, boot: float | None) -> int | None:
    return None if offset is None or boot is None else milliseconds(offset, boot)
