"""The answers of a journal that the server has not taken (pure)."""

from collections.abc import Iterable
from typing import Final

from lms_tui.attempt.ports import AttemptKey, JournalRecord, Kept, Unfinished
from lms_tui.attempt.values import Answer


def undelivered(history: Iterable[Kept]) -> list[Kept]:
    """Return the newest change of each question that waits for the server; `history`: oldest first.

    Having merely seen a question is nothing that anyone would miss. An emptied answer is: it was something before.
    """
    newest: dict[int, Kept] = {}
    worth: set[int] = set()
    for kept in history:
        newest[kept.entry.question_id] = kept
        if says_something(kept.entry.answer):
            worth.add(kept.entry.question_id)
    return [kept for question, kept in newest.items() if question in worth and not kept.acknowledged]


FINISHED: Final = "finished"
"""Name of the fact that the attempt is over and every answer was compared."""
ATTEMPT: Final = "attempt"
"""Name of the fact that holds the attempt, while its questions are kept."""


def unfinished_of(key: AttemptKey, journal: JournalRecord) -> Unfinished | None:
    """What there is to do for an attempt; None where nothing waits for the server and no questions are kept."""
    unsent = len(undelivered(journal.history()))
    if journal.recall(FINISHED) or not (unsent or journal.recall(ATTEMPT)):
        return None
    return Unfinished(key, journal.recall("title"), unsent)


def says_something(answer: Answer) -> bool:
    return answer.given or answer.marked or bool(answer.essay_topic)
