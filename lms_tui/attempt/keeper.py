"""Runs one attempt: takes the student's events, saves the changes in the journal, and has them sent.

An event changes the session, the journal makes the change durable, and then the listener gets the new snapshot. This
never waits for the network. A sender sends the changes in the background.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.acknowledgements import acknowledged_in
from lms_tui.attempt.answer_files import AnswerFiles, files_of
from lms_tui.attempt.deadline import Reading
from lms_tui.attempt.desk import Desk
from lms_tui.attempt.events import Attached, Heard, NotHeard, Retried, ServerForgot, UserEvent
from lms_tui.attempt.forgetting import Remembered
from lms_tui.attempt.journal.receipt import EPOCH
from lms_tui.attempt.journal_session import JournalSession, first_change, forget_exam, laid_over
from lms_tui.attempt.kept_exam import in_ended_sections, kept_deadline, kept_exam, last_acknowledged
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.loading import load
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import AttemptService, Clock, Journal
from lms_tui.attempt.sender import Sender, Together, World, in_task_group
from lms_tui.attempt.session import Session, apply
from lms_tui.attempt.taken_over import taken_answers, with_our_answers
from lms_tui.attempt.values import Contact, Item
from lms_tui.wire.attempts import Attempt, AttemptQuestion
from lms_tui.wire.errors import Refused, SignInNeeded
from lms_tui.wire.exams import Exam

GAP = 5.0
"""Seconds. A longer gap between two ticks means that the computer slept or the program was stopped."""


class AttemptOverError(Exception):
    """The attempt that was to be opened has already ended."""


class Keeper:
    """`exam`: as the attempt embedded it, None where the attempt was not opened from a server."""

    def __init__(
        self, live: LiveSession, journal: JournalSession, sender: Sender, clock: Clock, exam: Exam | None = None
    ) -> None:
        self._live = live
        self._journal = journal
        self._sender = sender
        self._clock = clock
        self._ticked = clock.boot()
        self.exam = exam

    @classmethod
    async def open(
        cls,
        service: AttemptService,
        journal: Journal,
        clock: Clock,
        random: Random,
        attempt_id: int,
        *,
        together: Together = in_task_group,
    ) -> "Keeper":
        """Start the attempt on the server, fetch its questions and merge them with the journal.

        Raises AttemptOverError for an attempt that has ended, and the errors of the service.
        """
        asked_at = clock.boot()
        attempt = await _started(service, journal, attempt_id)
        reading = mapping.reading_of(attempt, asked_at, clock.boot(), clock.speed)
        questions, items = await load(service, attempt)
        earlier = in_ended_sections(journal, attempt)
        ended = with_our_answers(earlier.items, journal)
        items = mapping.numbered_after(ended, items, attempt)
        acknowledged = acknowledged_in(journal.newest())
        remembered, restored = Remembered(journal.recall(EPOCH)).told(
            mapping.memory_of(attempt), journal.writer, sum(acknowledged.values())
        )
        items = laid_over(items, journal, restored=restored)
        lost = {item.question_id for item in items if item.unsent} & acknowledged.keys()
        first = first_change(journal, clock)
        opened = replace(mapping.opened(attempt, items, reading, sequence=first), ended=ended)
        session = apply(opened, Heard(clock.boot()))
        # Another device may have given an answer after a restore, so ours replaces none that a restored server holds.
        there = {} if restored else {question.id: mapping.answer_of(question) for question in questions}
        kept = JournalSession(journal, clock, there, first=first)
        kept.times.note_server_time(mapping.server_time_of(attempt, starts=True), asked_at, reading.received_at)
        kept.times.note_read(clock.boot(), (item.question_id for item in items if item.there < 0))
        session = kept.restore(session)
        if not remembered.told_by_server:  # any other knows which of two answers is older
            kept.settle_found(session)
        kept.unsettle(lost)
        forgot = ServerForgot(len(lost) if restored else 0, kept.missing_elsewhere(session))
        live = LiveSession(apply(session, forgot), [*earlier.questions, *questions])
        kept.keep_exam(attempt, tuple(live.questions.values()), (*ended, *items))
        kept.keep_time(session.deadline)
        # The answers of sections that have ended are not here. The first comparison reads them.
        unread = restored and session.locked
        if not unread:
            remembered = remembered.compared(kept.acknowledged)
            kept.note_epoch(remembered.epoch)
        sync = _opened(attempt, remembered, clock.boot(), other_device=kept.other_device)
        sync = replace(sync, restored=unread, look=unread, forgot=(clock.boot(),) if restored else ())
        sender = Sender(World(service, clock, random, together), live, kept, sync)
        return cls(live, kept, sender, clock, attempt.exam)

    @classmethod
    def resume_offline(
        cls,
        service: AttemptService,
        journal: Journal,
        clock: Clock,
        random: Random,
        *,
        together: Together = in_task_group,
    ) -> "Keeper | None":
        """Resume an attempt from its journal alone. Returns None if the journal does not hold the questions.

        As soon as the server can be reached, `run` starts the attempt there and reads the time left. It compares every
        answer before it sends one.
        """
        exam = kept_exam(journal)
        if exam is None:
            return None
        items = with_our_answers(exam.items, journal)
        first = first_change(journal, clock)
        no_reading = Reading(None, clock.boot(), clock.boot())
        session = mapping.opened(exam.attempt, items, no_reading, sequence=first)
        session = replace(session, deadline=kept_deadline(journal, clock), contact=Contact(since=clock.boot()))
        session = apply(session, NotHeard("The server has not been reached yet."))
        taken = {question: each.answer for question, each in taken_answers(journal).items()}
        kept = JournalSession(journal, clock, last_acknowledged(journal) | taken, first=first)
        live = LiveSession(kept.restore(session), exam.questions)
        sync = SyncState(
            look=True,
            begun=exam.attempt.last_started_time,
            our_start=exam.attempt.last_started_time,
            other_device=kept.other_device,
            remembered=Remembered(journal.recall(EPOCH)),
        )
        sender = Sender(World(service, clock, random, together), live, kept, sync)
        return cls(live, kept, sender, clock, exam.attempt.exam)

    @property
    def session(self) -> Session:
        return self._live.now

    @property
    def idle_since(self) -> float | None:
        """The boot-clock time when the last request ended, or None during a request."""
        return self._sender.idle_since

    @property
    def desk(self) -> Desk:
        """The notes and the scratchpad of this attempt."""
        return self._journal.desk

    @property
    def files(self) -> AnswerFiles:
        """The files in the answers of this attempt."""
        return self._sender.files

    def question(self, question_id: int) -> AttemptQuestion:
        """Return the question as the server sent it."""
        return self._live.questions[question_id]

    def time_left(self) -> float | None:
        """Return the seconds left, or None if the attempt has no time limit."""
        return self.session.deadline.left(self._clock.boot())

    @property
    def second(self) -> float:
        """Seconds between two ticks: 1, and less in a dry run with a faster clock, down to 0.1."""
        return min(1.0, max(0.1, 1 / self._clock.speed))

    def silence(self) -> float:
        """Return the seconds since the last good reply of the server."""
        return max(0.0, self._clock.boot() - self.session.contact.since)

    def listen(self, listener: Callable[[Session], None]) -> None:
        """Hand every new snapshot to the listener, at once and in order."""
        self._live.listen(listener)

    def do(self, event: UserEvent) -> None:
        """Apply an event of the student and make it durable, without the network."""
        before = self.session
        after = apply(before, event)
        if after is not before:
            self._live.show(self._journal.record(before, after))
            if after.phase is not before.phase:
                self._sender.end_asked()
            elif after.current != before.current:
                self._sender.moved()
            else:
                self._sender.wake()

    def attach(self, item: Item, name: str, content: bytes) -> None:
        """Add a file to an answer. Its content is made durable first. Raise JournalError if that fails."""
        added = self.files.keep(name, content)
        self.do(Attached(item.question_id, tuple(file.text for file in (*files_of(item.answer), added))))

    def detach(self, item: Item, place: int) -> None:
        """Remove the file at this place of an answer, from 0. Its content stays until the exam is over, for undo."""
        files = files_of(item.answer)
        self.do(Attached(item.question_id, tuple(file.text for at, file in enumerate(files) if at != place)))

    def tick(self) -> None:
        """Notice the end of the time, a sleep of the computer and a lost journal. Call it once a second."""
        now = self._clock.boot()
        slept = now - self._ticked > GAP * self._clock.speed
        if slept:
            self._journal.visits.leave(self._ticked)
        if slept and not self.session.over:
            self._sender.gap()
        self._ticked = now
        if self.session.editable and self.session.deadline.over(now):
            self._sender.time_over()
        self._live.show(self._journal.check(self.session))
        self._journal.keep_place(self.session)

    def retry(self) -> None:
        """Try again at once. The student asked for it or has signed in again."""
        self._live.apply(Retried())
        self._sender.hurry()

    async def run(self) -> None:
        """Send until the attempt is over."""
        await self._sender.run()

    def receipt(self) -> str:
        """Return the text of the receipt."""
        return self._journal.receipt()

    def close(self) -> None:
        """Save the current question and close the journal. The answers are durable already."""
        self._journal.keep_place(self.session)
        self._journal.close()


def _opened(attempt: Attempt, remembered: Remembered, now: float, *, other_device: bool) -> SyncState:
    """Return the state of the connection after the start. The sender reads the notices that a heartbeat announces."""
    sync = outbox.opened(now, begun=attempt.last_started_time, other_device=other_device, remembered=remembered)
    return outbox.heartbeat_now(sync, now) if mapping.notices_of(attempt).newest else sync


async def _started(service: AttemptService, journal: Journal, attempt_id: int) -> Attempt:
    """Send PUT start. After a refusal, read the attempt to see whether it has ended."""
    try:
        attempt = await service.start(attempt_id)
    except SignInNeeded:
        raise
    except Refused:
        if mapping.still_running(await service.read(attempt_id)):
            raise
        forget_exam(journal)
        raise AttemptOverError from None
    if not mapping.still_running(attempt):
        forget_exam(journal)
        raise AttemptOverError
    return attempt
