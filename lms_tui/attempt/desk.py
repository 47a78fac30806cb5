"""The desk of an attempt: texts of the student's own, kept in the journal and never sent.

A text has a name, such as `note 17` or `scratchpad`. Each is a fact of the journal: as durable as an answer, and kept
until the journal is removed.
"""

import contextlib
from typing import Final

from lms_tui.attempt.ports import Journal, JournalError, JournalRecord

SCRATCHPAD: Final = "scratchpad"
"""The name of the scratchpad of the exam."""


AIDS: Final = "aids"
"""The name of the aids that the exam allows, which the server told."""
FILES: Final = "files"
"""The name of what the server accepts as files, which it told."""


def note_of(question_id: int) -> str:
    """Return the name of the note of a question."""
    return f"note {question_id}"


def highlights_of(digest: str, question_id: int = 0) -> str:
    """Return the name of the highlights of a text: of a question, or of a passage, which questions share.

    `digest` is of the words of the text. A text that the server changed has no highlights.
    """
    return f"highlights {question_id} {digest}" if question_id else f"highlights {digest}"


def desk_text(journal: JournalRecord, name: str) -> str:
    """Return the text of this name in a journal, or ""."""
    return journal.recall(fact_of(name))


def fact_of(name: str) -> str:
    """Return the name of the fact that holds a text in the journal."""
    return f"desk {name}"


class Desk:
    """The texts of one attempt. A text that the disk refused is held in memory until `write` succeeds."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal
        self._read: JournalRecord = journal
        self._waiting: dict[str, str] = {}

    def text(self, name: str) -> str:
        """Return the text of this name, or ""."""
        waiting = self._waiting.get(name)
        return desk_text(self._read, name) if waiting is None else waiting

    def keep(self, name: str, text: str) -> None:
        """Make a text durable. An empty text removes it."""
        if text != self.text(name):
            self._waiting[name] = text
            self.write()

    def kept(self, name: str) -> bool:
        """Return whether the newest text of this name is durable."""
        return name not in self._waiting

    def write(self) -> None:
        """Write the texts that the disk refused before. Call it once a second."""
        if self._waiting:
            with contextlib.suppress(JournalError):  # the screen shows the text as not saved yet
                self._journal.remember({fact_of(name): text for name, text in self._waiting.items()})
                self._waiting = {}

    def follow(self, journal: JournalRecord) -> None:
        """Show the texts of the journal of another window."""
        self._read = journal
