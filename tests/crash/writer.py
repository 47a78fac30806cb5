"""The program that is killed: sits an exam into a real journal and tells on a pipe what the journal has acknowledged.

`python -m tests.crash.writer FOLDER ANSWERS VARIANT`. A line `record N` or `settle N` stands on the pipe after the call
has returned, as the save light of the screen would. Half-way the journal is closed and opened again, so that the
check-point and the removal of its log are among what is interrupted. Started again, it goes on where it was.
"""

import os
import sys
from pathlib import Path

from lms_tui.attempt.journal import store as engine
from lms_tui.attempt.journal.store import FileJournal, FileJournals
from lms_tui.attempt.ports import AttemptKey, Entry
from lms_tui.attempt.values import Answer

KEY = AttemptKey("http://127.0.0.1:8000", 4, 7)
QUESTIONS = 25
REAL = "real"
NORMAL = "synchronous=NORMAL"
EARLY = "acknowledged before the commit"
UNSYNCED = "new folders not synced"


def entry(sequence: int) -> Entry:
    """The change with this number; each is different, and every tenth is an essay of several pages."""
    essay = f"essay {sequence} " * 800 if sequence % 10 == 0 else None
    answer = Answer(selected=(sequence,), essay_text=essay, review=False)
    return Entry(sequence, sequence % QUESTIONS, answer, boot=float(sequence), wall=1e9 + sequence)


def say(word: str, sequence: int) -> None:
    os.write(1, f"{word} {sequence}\n".encode())


def sit(folder: Path, until: int, variant: str) -> None:
    """Record the changes that are missing up to this one."""
    if variant == UNSYNCED:
        vars(engine)["_sync_names"] = lambda folder: None
    journal = FileJournals(folder).open(KEY, "Trial")
    if variant == NORMAL and isinstance(journal, FileJournal):
        journal._db.execute("PRAGMA synchronous=NORMAL")
    for sequence in range(journal.last_sequence() + 1, until + 1):
        if variant == EARLY:
            say("record", sequence)
        journal.record(entry(sequence))
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
