"""The program that is killed: it answers an exam into a real journal and tells on a pipe what is acknowledged.

`python -m tests.crash.writer FOLDER ANSWERS VARIANT`. A line `record N` or `settle N` stands on the pipe after the call
has returned. Half-way the journal is closed and opened again. Every 17th change fails once, and the journal is written
anew after that. A writer that is started again goes on where it was.
"""

import errno
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from lms_tui.attempt.journal import store as engine
from lms_tui.attempt.journal.rows import Row
from lms_tui.attempt.journal.store import FileJournal, FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry, Journal, JournalError, Visit
from lms_tui.attempt.values import Answer

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
QUESTIONS = 25
REAL = "real"
NOT_SYNCED = "rows not synced"
EARLY = "acknowledged before the commit"
UNSYNCED = "new folders not synced"
MARK_FIRST = "the mark is written before the row"


def entry(sequence: int) -> Entry:
    """The change with this number; each is different, and every tenth is an essay of several pages."""
    essay = f"essay {sequence} " * 800 if sequence % 10 == 0 else None
    answer = Answer(selected=(sequence,), essay_text=essay, review=False)
    return Entry(sequence, sequence % QUESTIONS, answer, boot=float(sequence), wall=1e9 + sequence)


def visit(sequence: int) -> Visit:
    """The visit that is written together with this change."""
    return Visit(1, sequence % QUESTIONS, float(sequence))


def say(word: str, sequence: int) -> None:
    os.write(1, f"{word} {sequence}\n".encode())


def plant(variant: str) -> None:
    """Make the journal worse, as the name of the variant says."""
    if variant == UNSYNCED:
        vars(engine)["_sync_names"] = lambda folder: None
    if variant == NOT_SYNCED:
        vars(engine)["_write"] = os.write
    if variant == MARK_FIRST:
        append = FileJournal._append

        def mark_first(journal: FileJournal, number: int, rows: Sequence[Row]) -> int:
            if number:
                journal._mark.write(number + len(rows), journal._journal_id)
            return append(journal, number, rows)

        vars(engine)["FileJournal"]._append = mark_first


def fail_once(journal: Journal, change: Entry) -> None:
    """Record a change while the disk writes half of it and fails; the journal is written anew after that."""
    write = vars(engine)["_write"]

    def failing(file: int, data: bytes) -> None:
        os.write(file, data[: len(data) // 2])
        raise OSError(errno.EIO, "Input/output error")

    vars(engine)["_write"] = failing
    with suppress(JournalError):
        journal.record(change)
    vars(engine)["_write"] = write


def sit(folder: Path, until: int, variant: str) -> None:
    """Record the changes that are missing up to this one."""
    plant(variant)
    journal = FileJournals(folder).open(KEY, "Trial")
    for sequence in range(journal.last_sequence() + 1, until + 1):
        if variant == EARLY:
            say("record", sequence)
        if sequence % 17 == 0:
            fail_once(journal, entry(sequence))
        journal.record(entry(sequence), visits=[visit(sequence)])
        if variant != EARLY:
            say("record", sequence)
        if sequence % 3 == 0:
            journal.settle(sequence % QUESTIONS, sequence)
            say("settle", sequence)
    journal.close()


def main(folder: str, answers: str, variant: str) -> None:
    for until in (int(answers) // 2, int(answers)):
        sit(Path(folder), until, variant)


if __name__ == "__main__":
    main(*sys.argv[1:])
