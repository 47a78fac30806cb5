"""The journal's twin in memory: for tests, and for a computer whose disk takes no answers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from lms_tui.attempt.journal.undelivered import undelivered
from lms_tui.attempt.ports import (
    AttemptKey,
    Entry,
    Journal,
    JournalError,
    JournalInUseError,
    JournalRecord,
    Kept,
    Unfinished,
)


@dataclass
class MemoryJournal:
    key: AttemptKey
    title: str
    writer: str = "memory"
    restored: str = ""
    changes: list[Kept] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)
    held: bool = True
    receipt: str = ""

    def __post_init__(self) -> None:
        key = self.key
        self.facts |= {"origin": key.origin, "user_id": str(key.user_id), "attempt_id": str(key.attempt_id)}
        self.facts["title"] = self.title

    def record(self, *entries: Entry) -> None:
        known = {(entry.sequence, entry.question_id) for entry in entries}
        self.changes = [k for k in self.changes if (k.entry.sequence, k.entry.question_id) not in known]
        self.changes += [Kept(entry, acknowledged=False) for entry in entries]

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        self.changes = [
            replace(kept, acknowledged=not refused, refused=refused)
            if kept.entry.question_id == question_id and kept.entry.sequence <= sequence and not kept.acknowledged
            else kept
            for kept in self.changes
        ]

    def newest(self) -> Mapping[int, Kept]:
        ordered = sorted(self.changes, key=lambda kept: kept.entry.sequence)
        return {kept.entry.question_id: kept for kept in ordered}

    def history(self) -> Sequence[Kept]:
        return sorted(self.changes, key=lambda kept: (kept.entry.sequence, kept.entry.question_id))

    def last_sequence(self) -> int:
        return max((kept.entry.sequence for kept in self.changes), default=0)

    def remember(self, name: str, value: str) -> None:
        self.facts[name] = value

    def recall(self, name: str) -> str:
        return self.facts.get(name, "")

    def keep_receipt(self, text: str) -> None:
        self.receipt = text

    def finish(self) -> None:
        self.remember("finished", "yes")

    def close(self) -> None:
        self.held = False


class MemoryJournals:
    def __init__(self) -> None:
        self._journals: dict[AttemptKey, MemoryJournal] = {}

    def open(self, key: AttemptKey, title: str) -> Journal:
        journal = self._journals.setdefault(key, MemoryJournal(key, title, held=False))
        if journal.held:
            raise JournalInUseError(None)
        journal.held, journal.title = True, title or journal.title
        return journal

    def look(self, key: AttemptKey) -> JournalRecord:
        if key not in self._journals:
            raise JournalError("There is no journal of this attempt.")
        return self._journals[key]

    def unfinished(self, origin: str, user_id: int) -> tuple[Unfinished, ...]:
        return tuple(
            Unfinished(key, journal.title, unsent)
            for key, journal in self._journals.items()
            if (key.origin, key.user_id) == (origin, user_id)
            and not journal.recall("finished")
            and (unsent := len(undelivered(journal.history())))
        )
