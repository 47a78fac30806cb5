"""Keeps in the journal which changes the server has acknowledged or refused."""

import contextlib
from collections.abc import Collection, Mapping

from lms_tui.attempt.comparison import Known
from lms_tui.attempt.ports import Entry, Journal, JournalError, Kept


class Acknowledgements:
    """Each `write` records what the disk has refused before. `known` holds the acknowledged numbers of changes."""

    def __init__(self, journal: Journal, known: Known) -> None:
        self._journal = journal
        self._known = known
        self._unwritten = False
        self._lost: set[int] = set()
        """Questions whose changes the server has lost, while the journal still says that they arrived."""

    def settle(self, change: Entry, *, refused: str = "") -> None:
        """Record that the server has acknowledged or refused a change."""
        if not refused:
            self._lost.discard(change.question_id)
        try:
            held = self._journal.newest().get(change.question_id)
            if change.sequence > (held.entry.sequence if held else 0):
                # The disk refused this change. Without it, an older one would be taken for the one that was sent.
                self._journal.record(change)
            elif refused and held is not None and held.acknowledged:
                # The server has lost what it had acknowledged, and does not take it again.
                self._journal.record(held.entry)
            self._journal.settle(change.question_id, max(change.sequence, 0), refused=refused)
        except JournalError:
            self._unwritten = True

    def found(self, changes: Mapping[int, int]) -> None:
        """Record as acknowledged what the server was found to hold. `changes`: a number for each question."""
        self._known.acknowledged |= changes
        self._unwritten = True
        self.write()

    def take_back(self, questions: Collection[int]) -> None:
        """Record that the newest changes of these questions are not on the server any more."""
        for question in questions:
            self._known.acknowledged.pop(question, None)
        self._lost |= set(questions)
        self.write()

    def write(self) -> None:
        """Record what the disk refused before. Otherwise the next start would send answers once more, or never."""
        with contextlib.suppress(JournalError):  # the next call tries again
            self._write_lost()
            self._write_acknowledged()

    def _write_lost(self) -> None:
        if not self._lost:
            return
        entries = [
            kept.entry
            for question, kept in self._journal.newest().items()
            if question in self._lost and kept.acknowledged and kept.entry.sequence
        ]
        if entries:
            self._journal.record(*entries)
        self._lost = set()

    def _write_acknowledged(self) -> None:
        if not self._unwritten:
            return
        newest, missing = self._journal.newest(), False
        for question, sequence in self._known.acknowledged.items():
            kept = newest.get(question)
            missing = missing or kept is None or kept.entry.sequence < sequence
            if kept is not None and kept.entry.sequence == sequence and not kept.acknowledged:
                self._journal.settle(question, sequence)
        self._unwritten = missing


def acknowledged_in(newest: Mapping[int, Kept]) -> dict[int, int]:
    """Return the numbers of the newest changes that the server has acknowledged, by question."""
    return {question: max(0, kept.entry.sequence) for question, kept in newest.items() if kept.acknowledged}
