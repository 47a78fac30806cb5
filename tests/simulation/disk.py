"""A disk that dies with its computer, is full for a while, or says no and keeps the answer all the same."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.ports import Entry, JournalError
from lms_tui.attempt.values import Answer
from tests.simulation.trace import Trace


class Killed(Exception):
    """The process was killed at this very step."""


@dataclass
class DyingJournal(MemoryJournal):
    """Durable when `record` returns, as the real one; may kill its process just before or just after the write."""

    random: Random = field(default_factory=Random)
    trace: Trace = field(default_factory=Trace)
    deadly: float = 0.0
    full: bool = False
    possible: dict[int, list[Answer]] = field(default_factory=dict)
    """What each question may hold: what was shown as saved, or became durable after that and was never shown."""

    def _strikes(self, share: float, what: str) -> bool:
        return self.random.random() < share and self.trace.happens("death", 0.0, what)

    def record(self, *entries: Entry) -> None:
        if self._strikes(self.deadly, "killed before a write"):
            raise Killed
        if self.full:
            if self.random.random() < 0.2:
                self._keep(entries)
            raise JournalError("The disk is full.")
        self._keep(entries)
        if self._strikes(self.deadly, "killed after a write"):
            raise Killed

    def crashed(self) -> None:
        """The computer died: this disk has kept everything."""

    def _keep(self, entries: tuple[Entry, ...]) -> None:
        super().record(*entries)
        for entry in entries:
            self.possible.setdefault(entry.question_id, []).append(entry.answer)

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        if self.full:
            raise JournalError("The disk is full.")
        super().settle(question_id, sequence, refused=refused)
        if self._strikes(self.deadly / 4, "killed after a mark"):
            raise Killed

    def remember(self, facts: Mapping[str, str]) -> None:
        if self.full:
            raise JournalError("The disk is full.")
        super().remember(facts)
