"""A journal in memory: for tests, and for a computer on which no file can be written."""

from dataclasses import dataclass, field

from lms_tui.attempt.journal.contents import JournalContents
from lms_tui.attempt.journal.files import MemoryFiles
from lms_tui.attempt.journal.outstanding import outstanding_of
from lms_tui.attempt.journal.undelivered import FINISHED
from lms_tui.attempt.ports import (
    AttemptKey,
    FileStore,
    Journal,
    JournalError,
    JournalInUseError,
    JournalRecord,
    Outstanding,
)


@dataclass
class MemoryJournal(JournalContents):
    key: AttemptKey
    title: str
    writer: str = "memory"
    restored: str = ""
    held: bool = True
    receipt: str = ""
    files: FileStore = field(default_factory=MemoryFiles)

    def __post_init__(self) -> None:
        super().__init__()
        key = self.key
        facts = {"origin": key.origin, "user_id": str(key.user_id), "attempt_id": str(key.attempt_id)}
        super().remember(facts | {"title": self.title})

    def check(self) -> str:
        return ""

    def keep_receipt(self, text: str) -> None:
        self.receipt = text

    def finish(self) -> None:
        self.remember({FINISHED: "yes"})

    def close(self) -> None:
        self.held = False


class MemoryJournals:
    def __init__(self) -> None:
        self._journals: dict[AttemptKey, MemoryJournal] = {}

    def open(self, key: AttemptKey, title: str) -> Journal:
        journal = self._journals.get(key)
        if journal is None:
            journal = self._journals[key] = MemoryJournal(key, title)
        elif journal.held:
            raise JournalInUseError(None)
        elif title:
            journal.remember({"title": title})
        journal.held = True
        return journal

    def look(self, key: AttemptKey) -> JournalRecord:
        if key not in self._journals:
            raise JournalError("There is no journal of this attempt.")
        return self._journals[key]

    def outstanding(self, origin: str, user_id: int) -> Outstanding:
        return outstanding_of(
            (key, journal) for key, journal in self._journals.items() if (key.origin, key.user_id) == (origin, user_id)
        )
