"""The worker that keeps an attempt alive: it starts, beats, sends, compares and ends, and never blocks an answer.

A person's event goes through `do`: the session changes, the journal makes it durable, the snapshot is told; the
network is not on that line. `run` does what `outbox.plan` says until the attempt is over. One task, no threads.
"""

import functools
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from dataclasses import replace
from datetime import datetime
from random import Random
from typing import Any

import anyio

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.comparison import events_of
from lms_tui.attempt.deadline import Deadline, Reading
from lms_tui.attempt.events import (
    Acknowledged,
    ClosedElsewhere,
    Differs,
    Event,
    Finished,
    Foreign,
    Heard,
    NotAccepted,
    NotHeard,
    Retried,
    SectionBegan,
    SectionsTold,
    SignInExpired,
    TimeRanOut,
    TimeTold,
    UserEvent,
)
from lms_tui.attempt.journal_session import JournalSession, first_number, forget_exam, laid_over
from lms_tui.attempt.kept_exam import kept_deadline, kept_exam, last_acknowledged
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import AttemptService, Clock, Journal
from lms_tui.attempt.session import Session, apply
from lms_tui.attempt.values import Contact, Item, Phase
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptQuestion
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded, Unreachable
from lms_tui.wire.exams import Exam

Job = Callable[[], Coroutine[Any, Any, None]]
GAP = 5.0
"""Seconds between two ticks of a clock that ticks once a second that mean the computer slept or was stopped."""


async def in_task_group(jobs: Sequence[Job]) -> None:
    """Do all jobs at once and return when the last is done."""
    async with anyio.create_task_group() as group:
        for job in jobs:
            group.start_soon(job)


class AttemptOverError(Exception):
    """The attempt that was to be opened has already ended."""


class Keeper:
    """Owns the session of one attempt. `listen` gets every new snapshot, at once and in order."""

    def __init__(
        self,
        service: AttemptService,
        journal: Journal,
        clock: Clock,
        random: Random,
        session: Session,
        questions: Sequence[AttemptQuestion],
        *,
        together: Callable[[Sequence[Job]], Awaitable[None]] = in_task_group,
    ) -> None:
        self._service = service
        self._clock = clock
        self._random = random
        self._together = together
        self._session = session
        self._sync = SyncState(started=True, heartbeat_due=clock.boot() + outbox.HEARTBEAT)
        self._questions = {question.id: question for question in questions}
        self._listen: Callable[[Session], None] = lambda _: None
        self._wake = anyio.Event()
        self._ticked = clock.boot()
        self.idle_since: float | None = clock.boot()
        """Boot-clock time when the last request ended; None while one is under way."""
        self.exam: Exam | None = None
        """The exam as the attempt embedded it when it was opened; None where it was not opened from a server."""
        self._begun: datetime | None = None
        there = {question.id: mapping.answer_of(question) for question in questions}
        self._ledger = JournalSession(journal, clock, there)

    @classmethod
    async def open(
        cls,
        service: AttemptService,
        journal: Journal,
        clock: Clock,
        random: Random,
        attempt_id: int,
        *,
        together: Callable[[Sequence[Job]], Awaitable[None]] = in_task_group,
    ) -> "Keeper":
        """Tell the server that the person is here, fetch the questions and lay the journal over them.

        Raise AttemptOverError where there is nothing left to sit, and the service's own errors.
        """
        asked_at = clock.boot()
        try:
            attempt = await service.start(attempt_id)
        except SignInNeeded:
            raise
        except Refused:
            # Refused because it has ended, or for a reason of the moment: reading the attempt tells which.
            if mapping.still_running(await service.read(attempt_id)):
                raise
            forget_exam(journal)
            raise AttemptOverError from None
        if not mapping.still_running(attempt):
            forget_exam(journal)
            raise AttemptOverError
        reading = mapping.reading_of(attempt, asked_at, clock.boot(), clock.speed)
        questions, items = await cls._load(service, attempt)
        items = laid_over(items, journal)
        session = mapping.opened(attempt, items, reading, sequence=first_number(journal))
        session = apply(session, Heard(clock.boot()))
        keeper = cls(service, journal, clock, random, session, questions, together=together)
        keeper._begun = attempt.last_started_time
        keeper._sync = replace(keeper._sync, company=keeper._ledger.company)
        keeper.exam = attempt.exam
        keeper._session = keeper._ledger.restore(session)
        keeper._ledger.note_paper(items)
        keeper._ledger.keep_exam(attempt, questions, items)
        keeper._ledger.keep_time(session.deadline)
        return keeper

    @classmethod
    def resume_offline(
        cls,
        service: AttemptService,
        journal: Journal,
        clock: Clock,
        random: Random,
        *,
        together: Callable[[Sequence[Job]], Awaitable[None]] = in_task_group,
    ) -> "Keeper | None":
        """Go on from the journal alone; None where it does not keep the questions.

        `run` says start to the server as soon as it can be reached, takes its time, and compares every answer before
        anything is sent.
        """
        exam = kept_exam(journal)
        if exam is None:
            return None
        items = mapping.from_journal(exam.items, journal.newest())
        no_reading = Reading(None, clock.boot(), clock.boot())
        session = mapping.opened(exam.attempt, items, no_reading, sequence=first_number(journal))
        session = replace(session, deadline=kept_deadline(journal, clock), contact=Contact(since=clock.boot()))
        session = apply(session, NotHeard("The server has not been reached yet."))
        keeper = cls(service, journal, clock, random, session, exam.questions, together=together)
        keeper._begun = exam.attempt.last_started_time
        keeper._ledger.known.there = last_acknowledged(journal)
        keeper._sync = SyncState(look=True, company=keeper._ledger.company)
        keeper.exam = exam.attempt.exam
        keeper._session = keeper._ledger.restore(session)
        return keeper

    @staticmethod
    async def _load(service: AttemptService, attempt: Attempt) -> tuple[list[AttemptQuestion], tuple[Item, ...]]:
        """All questions; by section where there are sections, so that each knows its own."""
        sections = mapping.in_order(attempt)
        running = mapping.running_section(attempt)
        questions: list[AttemptQuestion] = []
        items: list[Item] = []
        if not sections:
            questions = await service.questions(attempt.id)
            return questions, mapping.items_of(questions)
        for place, section in enumerate(sections):
            if running is not None and section is not running:
                continue
            found = await service.section_questions(section)
            questions += found
            items += mapping.items_of(found, place)
        return questions, tuple(replace(item, number=number) for number, item in enumerate(items, 1))

    # What the screen uses.

    @property
    def session(self) -> Session:
        return self._session

    def question(self, question_id: int) -> AttemptQuestion:
        """The question as the server sent it, with its text."""
        return self._questions[question_id]

    def time_left(self) -> float | None:
        """Seconds; None where no clock ends this attempt."""
        return self._session.deadline.left(self._clock.boot())

    @property
    def second(self) -> float:
        """Seconds between two ticks: one, and in a dry run that is sped up one of its own, down to a tenth."""
        return min(1.0, max(0.1, 1 / self._clock.speed))

    def silence(self) -> float:
        """Seconds since the server was last heard."""
        return max(0.0, self._clock.boot() - self._session.contact.since)

    def listen(self, listener: Callable[[Session], None]) -> None:
        self._listen = listener

    def do(self, event: UserEvent) -> None:
        """Apply what a person did and make it durable; returns when it is, without asking the network."""
        before = self._session
        after = apply(before, event)
        if after is before:
            return
        self._session = self._ledger.record(before, after)
        self._listen(self._session)
        self._wake.set()

    def tick(self) -> None:
        """Call once a second: notice the end of the time, a computer that slept and a lost journal; keep the place."""
        now = self._clock.boot()
        slept = now - self._ticked > GAP * self._clock.speed
        self._ticked = now
        if slept and not self._session.over:
            self._sync = replace(self._sync, started=False, not_before=now)
            self._wake.set()
        if self._session.editable and self._session.deadline.over(now):
            self._happened(TimeRanOut())
            self._wake.set()
        checked = self._ledger.check(self._session)
        if checked is not self._session:
            self._session = checked
            self._listen(checked)
        self._ledger.keep_place(self._session)

    def retry(self) -> None:
        """Try again at once: the person asked for it, or has signed in again."""
        self._sync = replace(self._sync, not_before=self._clock.boot())
        self._happened(Retried())
        self._wake.set()

    def receipt(self) -> str:
        """Everything that was answered and what became of it, to hand in."""
        return self._ledger.receipt()

    def close(self) -> None:
        """Keep the place and let the journal go; answers are durable already."""
        self._ledger.keep_place(self._session)
        self._ledger.close()

    # The line to the server.

    async def run(self) -> None:
        """Do what the plan says until the attempt is over; a lost connection is waited out, never raised."""
        while True:
            step = outbox.plan(self._session, self._sync, self._clock.boot())
            if isinstance(step, outbox.Stop):
                return
            if isinstance(step, outbox.Wait):
                await self._rest(step.until)
                continue
            if isinstance(step, outbox.DeclareTimeOver):
                self._happened(TimeRanOut())
                continue
            self.idle_since = None
            await self._perform(step)
            self.idle_since = self._clock.boot()

    async def _rest(self, until: float | None) -> None:
        await self._clock.wait(self._wake, None if until is None else max(0.0, until - self._clock.boot()))
        if self._wake.is_set():
            self._wake = anyio.Event()

    async def _perform(self, step: outbox.Step) -> None:
        """One request, or one round of saves; every outcome is an event, none an exception."""
        match step:
            case outbox.Start():
                await self._try(self._start)
            case outbox.Heartbeat():
                await self._try(self._heartbeat)
            case outbox.Save(items=items):
                await self._together([functools.partial(self._save, item) for item in items])
            case outbox.Compare():
                await self._try(self._compare)
            case outbox.Reread():
                await self._try(self._reread)
            case outbox.NextSection():
                await self._try(self._next_section)
            case outbox.End():
                await self._try(self._end)
            case _:
                return

    async def _try(self, request: Callable[[], Awaitable[None]]) -> None:
        try:
            await request()
        except ApiError as error:
            self._failed(error)

    def _failed(self, error: ApiError) -> None:
        """A request that the whole attempt depends on did not go through."""
        now = self._clock.boot()
        if isinstance(error, SignInNeeded):
            self._happened(SignInExpired())
            return
        if isinstance(error, Refused):
            self._sync = outbox.refused(self._sync, now, jitter=self._random.random())
            if self._sync.refusals >= outbox.DENIALS:
                self._close(str(error))
            return
        self._missed(error, now)

    def _missed(self, error: ApiError, now: float) -> None:
        """Nobody knows whether it arrived. A gap in contact means: start, then heartbeat, before the queue goes on."""
        retry_after = error.retry_after if isinstance(error, Unreachable) else None
        ends_at = self._session.deadline.ends_at if self._session.editable else None
        jitter = self._random.random()
        sync = outbox.failed(self._sync, now, retry_after=retry_after, jitter=jitter, ends_at=ends_at)
        self._sync = replace(sync, started=False, compared=False)
        self._happened(NotHeard(str(error)))

    async def _start(self) -> None:
        """After a silence someone may have gone on elsewhere: look before anything is sent over it."""
        silent = self._clock.boot() - self._session.contact.since > outbox.HEARTBEAT
        attempt = await self._time(self._service.start)
        self._begun = attempt.last_started_time
        if silent and self._session.unsent:
            self._sync = replace(self._sync, look=True)

    async def _heartbeat(self) -> None:
        attempt = await self._time(self._service.heartbeat)
        began = attempt.last_started_time
        company = self._sync.company or (None not in {began, self._begun} and began != self._begun)
        if company and not self._sync.company:
            self._ledger.note_company()
        self._sync = replace(self._sync, company=company, look=company)

    async def _reread(self) -> None:
        """Learn whether it still runs. The time left in this reply may be that of the last heartbeat: not adopted."""
        attempt = await self._service.read(self._session.attempt_id)
        now = self._clock.boot()
        self._sync = outbox.reread(self._sync, now)
        self._happened(Heard(now))
        self._learn(attempt)

    async def _time(self, request: Callable[[int], Awaitable[Attempt]]) -> Attempt:
        """A request that answers the attempt: adopt its time, or learn that it has ended."""
        asked_at = self._clock.boot()
        attempt = await request(self._session.attempt_id)
        now = self._clock.boot()
        self._sync = outbox.beaten(self._sync, now)
        self._happened(Heard(now))
        self._ledger.note_reply(mapping.told_by(attempt))
        if self._learn(attempt):
            self._happened(TimeTold(mapping.reading_of(attempt, asked_at, now, self._clock.speed)))
            self._ledger.keep_time(self._session.deadline)
        return attempt

    def _learn(self, attempt: Attempt) -> bool:
        """Take over how attempt and sections stand on the server; return whether the attempt still runs."""
        if not mapping.still_running(attempt):
            self._completed()
            return False
        if sections := mapping.sections_of(attempt):
            self._happened(SectionsTold(sections))
            if self._session.locked and self._session.running_section is None:
                self._happened(TimeRanOut())  # the server has ended the section that ran here
        return True

    def _completed(self) -> None:
        """The server says that it is over. After our own end everything is said; else what is unsent was not taken."""
        unsent = any(not item.visit_only for item in self._session.unsent)
        if self._session.phase in {Phase.ENDING, Phase.TIME_OVER} and not unsent:
            self._finish()
            return
        self._close("The attempt has ended on the server.")

    def _close(self, reason: str) -> None:
        """It is over without us: what was not sent any more is listed as refused, and stays in the journal."""
        for item in self._session.unsent:
            if not item.visit_only:  # having seen a question is nothing that anyone would miss
                self._refuse(item, "The attempt had already ended on the server.")
        self._happened(ClosedElsewhere(reason))
        self._ledger.forget_exam()
        self._ledger.keep_receipt()

    def _finish(self) -> None:
        self._ledger.finish()
        self._happened(Finished())
        self._ledger.keep_receipt()

    def _refuse(self, item: Item, reason: str) -> None:
        self._ledger.settle(item, refused=reason)
        self._happened(NotAccepted(item.question_id, item.latest, reason))

    async def _save(self, item: Item) -> None:
        try:
            echo = await self._service.save(
                self._session.attempt_id,
                item.question_id,
                mapping.answer_input(item.kind, item.answer),
                self._ledger.stamp(item),
            )
        except Refused as error:
            await self._not_saved(item, error)
            return
        except ApiError as error:
            self._failed(error)
            return
        now = self._clock.boot()
        if mapping.answer_of(echo).same_as(item.answer):
            self._sync = outbox.accepted(outbox.heard(self._sync, now), item.question_id)
            self._ledger.settle(item)
            self._ledger.known.there[item.question_id] = item.answer
            self._happened(Heard(now))
            self._happened(Acknowledged(item.question_id, item.latest))
            return
        self._deny(item, "The server shows another answer than the one that was sent.")

    async def _not_saved(self, item: Item, error: Refused) -> None:
        """Refused for this question, or because the attempt is over: only reading the attempt can tell."""
        if isinstance(error, SignInNeeded):
            self._failed(error)
            return
        await self._try(self._reread)
        if not self._session.over:
            self._deny(item, str(error))

    def _deny(self, item: Item, reason: str) -> None:
        """Try again, with a pause that grows; when it goes on, the refusal is believed and listed."""
        sync, believed = outbox.denied(self._sync, item.question_id)
        jitter, now = self._random.random(), self._clock.boot()
        self._sync = outbox.failed(sync, now, retry_after=None, jitter=jitter, ends_at=None)
        current = self._session.find(item.question_id)
        if believed and current is not None and current.latest == item.latest:
            self._sync = outbox.accepted(self._sync, item.question_id)
            self._refuse(item, reason)

    async def _compare(self) -> None:
        """Read every answer back; what differs is sent again, and at last given up as refused."""
        attempt = await self._service.read(self._session.attempt_id)
        if not mapping.still_running(attempt):
            self._completed()
            return
        questions, _ = await self._load(self._service, attempt)
        self._happened(Heard(self._clock.boot()))
        final = not (self._session.editable or self._sync.look)
        events = events_of(self._session, questions, self._ledger.known, company=self._sync.company, final=final)
        self._sync = replace(self._sync, look=False)
        if final:
            done = self._sync.comparisons + bool(events)
            self._sync = replace(self._sync, compared=not events, comparisons=done)
        for event in events:
            self._adopt(event)

    def _adopt(self, event: Event) -> None:
        """What a re-read taught; an answer that the server still does not keep after several is given up as refused."""
        match event:
            case Differs(question_id=question_id) if self._sync.comparisons >= outbox.COMPARISONS:
                item = self._session.find(question_id)
                if item is not None:
                    self._refuse(item, "The server keeps another answer than the one that was sent.")
                return
            case Foreign(question_id=question_id, answer=answer):
                self._ledger.known.there[question_id] = answer
            case _:
                pass
        self._happened(event)

    async def _next_section(self) -> None:
        """End the running section, if the server has not done it, and begin the one that follows."""
        attempt = await self._service.read(self._session.attempt_id)
        if (
            running := mapping.running_section(attempt)
        ) is not None and running.attempt_section_id == self._section_id():
            await self._service.end_section(running)
            attempt = await self._service.read(self._session.attempt_id)
        if not mapping.still_running(attempt):
            self._completed()
            return
        waiting = (s for s in mapping.in_order(attempt) if s.state == AttemptState.NOT_STARTED)
        if mapping.running_section(attempt) is None and (following := next(waiting, None)) is not None:
            await self._service.start_section(following)
        asked_at = self._clock.boot()
        attempt = await self._service.read(self._session.attempt_id)
        questions, items = await self._load(self._service, attempt)
        self._questions |= {question.id: question for question in questions}
        now = self._clock.boot()
        self._sync = replace(outbox.beaten(self._sync, now), compared=False, comparisons=0)
        deadline = Deadline().adopt(mapping.reading_of(attempt, asked_at, now, self._clock.speed))
        self._happened(Heard(now))
        self._happened(SectionBegan(items, mapping.sections_of(attempt), deadline))
        self._ledger.note_paper(self._session.items)
        self._ledger.keep_exam(attempt, tuple(self._questions.values()), self._session.items)
        self._ledger.keep_time(deadline)

    def _section_id(self) -> int:
        running = self._session.running_section
        return -1 if running is None else self._session.sections[running].section_id

    async def _end(self) -> None:
        try:
            attempt = await self._service.end(self._session.attempt_id)
        except ApiError:
            # Lost, or refused because an earlier try went through: the next step reads the attempt.
            self._sync = replace(self._sync, doubtful=True)
            raise
        if mapping.still_running(attempt):
            self._sync = replace(self._sync, doubtful=True)
            return
        self._happened(Heard(self._clock.boot()))
        self._completed()

    def _happened(self, event: Event) -> None:
        before = self._session
        self._session = apply(before, event)
        if self._session is not before:
            self._listen(self._session)
