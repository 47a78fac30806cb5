"""An attempt that another process sits, shown as it stands on the disk: looked at, never changed and never sent."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Final

from lms_tui.attempt import mapping
from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import UserEvent, Visited
from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal_session import laid_over
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.ports import AttemptKey, AttemptService, Clock, JournalError, JournalRecord, Journals
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Contact, Phase
from lms_tui.wire.attempts import AttemptQuestion
from lms_tui.wire.base import parse_duration

EVERY: Final = 2.0
"""Seconds between two looks at the disk."""
READ_ONLY: Final = "Another window sits this exam. Here it is only looked at: nothing can be changed."


class Onlooker(Keeper):
    """A keeper that keeps nothing: it reads the questions once and the other window's journal again and again."""

    def __init__(
        self,
        service: AttemptService,
        journals: Journals,
        clock: Clock,
        key: AttemptKey,
        session: Session,
        questions: Sequence[AttemptQuestion],
    ) -> None:
        # The journal that it has of its own is thrown away with it: nothing done here could be written anywhere.
        super().__init__(service, MemoryJournal(key, session.title), clock, Random(), session, questions)
        self._journals = journals
        self._key = key
        self._bare = session.items
        self._looked_at = clock.boot()

    @classmethod
    async def look(cls, service: AttemptService, journals: Journals, clock: Clock, key: AttemptKey) -> "Onlooker":
        """Read the attempt and lay the journal over it; no start is sent, which would look like another device.

        Raise AttemptOverError where it has ended, JournalError where the journal cannot be read, and the service's own.
        """
        asked_at = clock.boot()
        attempt = await service.read(key.attempt_id)
        if not mapping.still_running(attempt):
            raise AttemptOverError
        reading = mapping.reading_of(attempt, asked_at, clock.boot())
        questions, items = await cls._load(service, attempt)
        session = replace(mapping.opened(attempt, items, reading, sequence=0), read_only=READ_ONLY)
        onlooker = cls(service, journals, clock, key, session, questions)
        onlooker.exam = attempt.exam
        onlooker.look_again(first=True)
        return onlooker

    def look_again(self, *, first: bool = False) -> None:
        """Take over what is on the disk; the first time, also which question the other window shows."""
        record = self._journals.look(self._key)
        session = self._seen_in(record)
        if first:
            question = record.recall("current").partition("@")[0]
            place = session.places.get(int(question) if question.isdigit() else 0, 0)
            session = replace(session, current=place)
        if session != self._session:
            self._session = session
            self._listen(session)

    def _seen_in(self, record: JournalRecord) -> Session:
        items = laid_over(self._bare, record)
        session = replace(self._session, items=items)
        replies = record.replies()
        if replies and not session.locked:
            boot, left = replies[-1].boot, parse_duration(replies[-1].told.get("remaining_time"))
            if left is not None and session.deadline.ends_at is not None:
                session = replace(session, deadline=Deadline().adopt(Reading(left.total_seconds(), boot, boot)))
            session = replace(session, contact=Contact(since=boot))
        if record.recall("finished"):
            session = replace(session, phase=Phase.CLOSED, reason="The exam was ended in the other window.")
        return session

    def do(self, event: UserEvent) -> None:
        """Questions can be looked at; everything else changes nothing."""
        if isinstance(event, Visited):
            super().do(event)

    def tick(self) -> None:
        """Call once a second: looks at the disk again every other time."""
        now = self._clock.boot()
        if now - self._looked_at < EVERY or self._session.over:
            return
        self._looked_at = now
        with suppress(JournalError):  # what was seen last stays on the screen, and the next look may find more
            self.look_again()

    def retry(self) -> None:
        """There is nothing to send."""

    async def run(self) -> None:
        """Nothing is sent from here."""
