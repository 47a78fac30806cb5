"""Keeps the answers that were taken over from the server, for a start without the server."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from lms_tui.attempt.journal.rows import decode_answer, encode_answer
from lms_tui.attempt.ports import Journal, JournalRecord
from lms_tui.attempt.values import Answer, Item

_FACT: Final = "taken over"


@dataclass(frozen=True, slots=True)
class Taken:
    """An answer of the server that replaces the changes up to `sequence`."""

    sequence: int
    answer: Answer


def taken_answers(journal: JournalRecord) -> dict[int, Taken]:
    """Return the answers that replace the newest changes of the journal, by question."""
    newest = journal.newest()
    kept = json.loads(journal.recall(_FACT) or "{}")
    found = {int(number): Taken(each["sequence"], decode_answer(each["answer"])) for number, each in kept.items()}
    return {
        number: taken
        for number, taken in found.items()
        if number not in newest or newest[number].entry.sequence <= taken.sequence
    }


def laid_over_ours(items: Sequence[Item], journal: JournalRecord) -> tuple[Item, ...]:
    """Return the items of the journal with the answers that were taken over."""
    taken = taken_answers(journal)
    return tuple(_under(item, taken[item.question_id]) if item.question_id in taken else item for item in items)


def _under(item: Item, taken: Taken) -> Item:
    other = item.answer if item.latest and not taken.answer.same_as(item.answer) else None
    return replace(item, answer=taken.answer, other_answer=other, theirs=other is not None, there=item.latest)


class TakenOver:
    """The answers that were taken over. Those that could not be written are written by the next `write`."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._taken = taken_answers(journal)
        self._unwritten = False

    def add(self, item: Item, answer: Answer) -> None:
        self._taken[item.question_id] = Taken(item.latest, answer)
        self._unwritten = True

    def write(self) -> None:
        """Raise JournalError where the answers cannot be written. Every change of an answer calls this."""
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
        self._unwritten = False
