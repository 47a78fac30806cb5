"""Find the attempts that still need the server, from the journals of a user (pure)."""

from collections.abc import Iterable

from lms_tui.attempt.journal.receipt import lacks_signature
from lms_tui.attempt.journal.undelivered import ATTEMPT, FINISHED, undelivered
from lms_tui.attempt.ports import AttemptKey, JournalRecord, Outstanding, Unfinished


def outstanding_of(journals: Iterable[tuple[AttemptKey, JournalRecord]]) -> Outstanding:
    unfinished: list[Unfinished] = []
    unsigned: list[AttemptKey] = []
    for key, journal in journals:
        unsent = 0 if journal.recall(FINISHED) else len(undelivered(journal.history()))
        if unsent or (journal.recall(ATTEMPT) and not journal.recall(FINISHED)):
            unfinished.append(Unfinished(key, journal.recall("title"), unsent))
        if lacks_signature(journal):
            unsigned.append(key)
    return Outstanding(tuple(unfinished), tuple(unsigned))
