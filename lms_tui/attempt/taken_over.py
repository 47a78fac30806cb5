"""Keeps the answers that were taken over from the server, for a start without the server."""

import json
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.attempt import mapping
from lms_tui.attempt.journal.rows import decode_answer, encode_answer
from lms_tui.attempt.journal.undelivered import says_something
from lms_tui.attempt.ports import Journal, JournalRecord, Kept
from lms_tui.attempt.values import Answer, Item
from lms_tui.common.frozen import frozen

_FACT: Final = "taken over"


@frozen
class Taken:
    """An answer of the server that replaces the changes up to `sequence`."""

    sequence: int
    answer: Answer

    def replaces(self, kept: Kept | None) -> bool:
        """Whether this answer replaces the newest change of its question."""
        return kept is None or kept.entry.sequence <= self.sequence


def _noted(journal: JournalRecord) -> dict[int, Taken]:
    kept = json.loads(journal.recall(_FACT) or "{}")
    return {int(number): Taken(each["sequence"], decode_answer(each["answer"])) for number, each in kept.items()}


def taken_answers(journal: JournalRecord) -> dict[int, Taken]:
    """Return the answers that replace the newest changes of the journal, by question."""
    newest = journal.newest()
    return {number: taken for number, taken in _noted(journal).items() if taken.replaces(newest.get(number))}


def answered_here(journal: JournalRecord) -> frozenset[int]:
    """Return the questions that were answered here, and not only opened.

    An answer that was taken over from the server and then cleared here leaves a row that looks like an opened question.
    """
    newest = journal.newest()
    return frozenset(kept.entry.question_id for kept in journal.history() if says_something(kept.entry.answer)) | {
        number
        for number, taken in _noted(journal).items()
        if not taken.replaces(newest.get(number)) and says_something(taken.answer)
    }


def with_our_answers(items: Sequence[Item], journal: JournalRecord) -> tuple[Item, ...]:
    """Return the items with the answers of the journal, and with those that were taken over.

    A question that was only opened gives way to another device's choice, as it did before the restart.
    """
    taken = taken_answers(journal)
    answered = answered_here(journal)
    return tuple(
        _under(item, taken[item.question_id], answered=item.question_id in answered)
        if item.question_id in taken
        else replace(item, visit_only=bool(item.latest) and item.question_id not in answered)
        for item in mapping.from_journal(items, journal.newest())
    )


def _under(item: Item, taken: Taken, *, answered: bool) -> Item:
    """`answered`: the question was answered here, and not only opened."""
    other = item.answer if answered and item.latest and not taken.answer.same_as(item.answer) else None
    return replace(item, answer=taken.answer, other_answer=other, theirs=other is not None, there=item.latest)


class TakenOver:
    """The answers that were taken over. Those that could not be written are written by the next `write`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._taken = _noted(journal)  # also those that changes here have replaced: see `answered_here`
        self._unwritten: set[int] = set()

    def add(self, item: Item, answer: Answer) -> None:
        self._taken[item.question_id] = Taken(item.latest, answer)
        self._unwritten.add(item.question_id)

    def drop(self, item: Item) -> None:
        """The answer of the server does not stand any more. One that a later change here replaced is kept."""
        taken = self._taken.get(item.question_id)
        if taken is not None and item.latest <= taken.sequence:
            del self._taken[item.question_id]
            self._unwritten.add(item.question_id)

    @property
    def unwritten(self) -> Collection[int]:
        """The questions whose answers are not written yet."""
        return self._unwritten

    def write(self) -> None:
        """Raise JournalError where the answers cannot be written. Every change of an answer calls this.

        Then the changes under these answers are settled. A start would send them again if the disk had refused that
        before.
        """
        if not self._unwritten:
            return
        text = json.dumps(
            {
                number: {"sequence": taken.sequence, "answer": encode_answer(taken.answer)}
                for number, taken in self._taken.items()
            }
        )
        if self._journal.recall(_FACT) != text:
            self._journal.remember({_FACT: text})
        newest = self._journal.newest()
        for question_id in self._unwritten & newest.keys() & self._taken.keys():
            kept, taken = newest[question_id], self._taken[question_id]
            if taken.replaces(kept) and not kept.acknowledged:
                self._journal.settle(question_id, taken.sequence)
        self._unwritten = set()
