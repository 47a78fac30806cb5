"""Show an attempt that is open in another process. Nothing can be changed, and nothing is sent."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from random import Random
from typing import Final

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import UserEvent, Visited
from lms_tui.attempt.journal.memory import MemoryJournal
from lms_tui.attempt.journal_session import JournalSession, laid_over
from lms_tui.attempt.keeper import AttemptOverError, Keeper
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.loading import load
from lms_tui.attempt.ports import AttemptKey, AttemptService, Clock, JournalError, JournalRecord, Journals
from lms_tui.attempt.sender import Sender, World
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Contact, Phase
from lms_tui.wire.attempts import Attempt, AttemptQuestion
from lms_tui.wire.base import parse_duration

EVERY: Final = 2.0
"""Seconds between two reads of the journal."""
READ_ONLY: Final = "This exam is open in another window. You can view everything here but not change it."


class ReadOnlyKeeper(Keeper):
    """Reads the questions once, and the journal of the other window every two seconds."""

    def __init__(
        self,
        world: World,
        journals: Journals,
        key: AttemptKey,
        session: Session,
        questions: Sequence[AttemptQuestion],
        attempt: Attempt,
    ) -> None:
        # This journal is in memory, so nothing can be written to the disk.
        journal = JournalSession(MemoryJournal(key, session.title), world.clock, {})
        live = LiveSession(session, questions)
        sender = Sender(world, live, journal, outbox.SyncState())
        super().__init__(live, journal, sender, world.clock, attempt.exam)
        self._journals = journals
        self._key = key
        self._without_journal = session.items
        self._read_at = world.clock.boot()

    @classmethod
    async def look(cls, service: AttemptService, journals: Journals, clock: Clock, key: AttemptKey) -> "ReadOnlyKeeper":
        """Read the attempt and merge it with the journal. No start is sent, because a start means another device.

        Raises AttemptOverError for an attempt that has ended, JournalError, and the errors of the service.
        """
        asked_at = clock.boot()
        attempt = await service.read(key.attempt_id)
        if not mapping.still_running(attempt):
            raise AttemptOverError
        reading = mapping.reading_of(attempt, asked_at, clock.boot())
        questions, items = await load(service, attempt)
        session = replace(mapping.opened(attempt, items, reading, sequence=0), read_only=READ_ONLY)
        keeper = cls(World(service, clock, Random()), journals, key, session, questions, attempt)
        keeper.read_again(first=True)
        return keeper

    def read_again(self, *, first: bool = False) -> None:
        """Read the journal. The first time, show the question that the other window shows."""
        record = self._journals.look(self._key)
        self.desk.follow(record)
        session = self._as_in(record)
        if first:
            question = record.recall("current").partition("@")[0]
            place = session.places.get(int(question) if question.isdigit() else 0, 0)
            session = replace(session, current=place)
        if session != self.session:
            self._live.show(session)

    def _as_in(self, record: JournalRecord) -> Session:
        session = replace(self.session, items=laid_over(self._without_journal, record))
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
        """Show another question. Other events change nothing."""
        if isinstance(event, Visited):
            super().do(event)

    def tick(self) -> None:
        """Read the journal again after two seconds. Call it once a second."""
        now = self._clock.boot()
        if now - self._read_at < EVERY or self.session.over:
            return
        self._read_at = now
        with suppress(JournalError):  # the last state stays on the screen
            self.read_again()

    def retry(self) -> None:
        """Do nothing: there is nothing to send."""

    async def run(self) -> None:
        """Do nothing: nothing is sent from here."""
