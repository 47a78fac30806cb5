"""The contents of a journal in memory.

They are the changes of each question, small facts, the server's replies about time, and the visits of questions.
"""

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from lms_tui.attempt.journal.rows import Row, decode_answer, encode_answer
from lms_tui.attempt.ports import Entry, Kept, Reply, Visit

MOST_REPLIES: Final = 600
"""Replies that are kept, the newest ones. This is one a minute for ten hours."""


class JournalContents:
    def __init__(self) -> None:
        self._changes: dict[int, dict[int, Kept]] = {}
        """Question id to sequence number to change."""
        self._newest: dict[int, int] = {}
        """Question id to the highest of its sequence numbers."""
        self._facts: dict[str, str] = {}
        self._replies: deque[Reply] = deque(maxlen=MOST_REPLIES)
        self._visits: list[Visit] = []

    # Writing.

    def record(self, *entries: Entry, visits: Sequence[Visit] = ()) -> None:
        self._visits += visits
        for entry in entries:
            self.keep(Kept(entry, acknowledged=False))

    def keep(self, kept: Kept) -> None:
        question, sequence = kept.entry.question_id, kept.entry.sequence
        self._changes.setdefault(question, {})[sequence] = kept
        self._newest[question] = max(sequence, self._newest.get(question, sequence))

    def settle(self, question_id: int, sequence: int, *, refused: str = "") -> None:
        changes = self._changes.get(question_id, {})
        for number, kept in changes.items():
            if number <= sequence and not kept.acknowledged:
                changes[number] = replace(kept, acknowledged=not refused, refused=refused)

    def remember(self, facts: Mapping[str, str]) -> None:
        self._facts.update(facts)

    def forget(self, names: Sequence[str]) -> None:
        for name in names:
            self._facts.pop(name, None)

    def note_reply(self, reply: Reply) -> None:
        self._replies.append(reply)

    # Reading.

    def newest(self) -> dict[int, Kept]:
        """The change with the highest sequence number of each question."""
        return {question: changes[self._newest[question]] for question, changes in self._changes.items()}

    def history(self) -> list[Kept]:
        changes = [kept for of_question in self._changes.values() for kept in of_question.values()]
        return sorted(changes, key=lambda kept: (kept.entry.sequence, kept.entry.question_id))

    def last_sequence(self) -> int:
        return max(self._newest.values(), default=0)

    def recall(self, name: str) -> str:
        return self._facts.get(name, "")

    @property
    def facts(self) -> Mapping[str, str]:
        return self._facts

    def replies(self) -> Sequence[Reply]:
        return self._replies

    def visits(self) -> Sequence[Visit]:
        return self._visits

    # As rows.

    def rows(self) -> Iterator[Row]:
        """Every row that is needed to make these contents again."""
        yield facts_row(self._facts)
        yield from map(reply_row, self._replies)
        yield from map(visit_row, self._visits)
        yield from map(change_row, self.history())

    def apply(self, row: Row) -> None:
        """Take over a row of a journal. A row of an unknown kind, from a later version, changes nothing."""
        match row:
            case {"change": _}:
                self.keep(_kept(row))
            case {"settled": question_id, "sequence": sequence, "refused": refused}:
                self.settle(question_id, sequence, refused=refused)
            case {"facts": facts}:
                self.remember(facts)
            case {"reply": told, "boot": boot}:
                self.note_reply(Reply(boot, told))
            case {"shown": int(question_id), "run": int(run), "boot": float(boot) | int(boot)}:
                self._visits.append(Visit(run, question_id, boot))
            case _:
                pass

    def doubt(self, before: int, rows: Mapping[int, Row]) -> None:
        """Mark the changes of all rows before this number as doubtful, because a newer change may have been lost."""
        for number, row in rows.items():
            if number < before and "change" in row:
                kept = self._changes[row["question_id"]][row["sequence"]]
                self.keep(replace(kept, doubtful=True))


def change_row(kept: Kept) -> Row:
    entry = kept.entry
    return {
        "change": encode_answer(entry.answer),
        "question_id": entry.question_id,
        "sequence": entry.sequence,
        "boot": entry.boot,
        "wall": entry.wall,
        **({"acknowledged": True} if kept.acknowledged else {}),
        **({"refused": kept.refused} if kept.refused else {}),
        **({"doubtful": True} if kept.doubtful else {}),
    }


def _kept(row: Row) -> Kept:
    entry = Entry(row["sequence"], row["question_id"], decode_answer(row["change"]), row["boot"], row["wall"])
    return Kept(
        entry,
        acknowledged=row.get("acknowledged", False),
        refused=row.get("refused", ""),
        doubtful=row.get("doubtful", False),
    )


def settled_row(question_id: int, sequence: int, refused: str) -> Row:
    return {"settled": question_id, "sequence": sequence, "refused": refused}


def facts_row(facts: Mapping[str, str]) -> Row:
    return {"facts": dict(facts)}


def visit_row(visit: Visit) -> Row:
    return {"shown": visit.question_id, "run": visit.run, "boot": visit.boot}


def reply_row(reply: Reply) -> Row:
    return {"reply": dict(reply.told), "boot": reply.boot}
