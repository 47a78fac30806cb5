"""The worker that makes all requests of one attempt.

It does what `outbox.plan` says until the attempt is over, in one task and without threads. The outcome of a request is
an event of the session and a new state of the connection, never an exception.
"""

import functools
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any

import anyio

from lms_tui.attempt import mapping, outbox
from lms_tui.attempt.comparison import events_of
from lms_tui.attempt.deadline import Deadline
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
    SectionBegan,
    ServerForgot,
    SignInExpired,
    TimeRanOut,
)
from lms_tui.attempt.journal_session import JournalSession
from lms_tui.attempt.live_session import LiveSession
from lms_tui.attempt.notices import Notices
from lms_tui.attempt.outbox import SyncState
from lms_tui.attempt.ports import AttemptService, Clock
from lms_tui.attempt.session import Session
from lms_tui.attempt.values import Item, Phase
from lms_tui.wire.attempt_states import AttemptState
from lms_tui.wire.attempts import Attempt, AttemptQuestion, AttemptSection
from lms_tui.wire.errors import ApiError, Refused, SignInNeeded, Unreachable

Job = Callable[[], Coroutine[Any, Any, None]]
Together = Callable[[Sequence[Job]], Awaitable[None]]


async def in_task_group(jobs: Sequence[Job]) -> None:
    """Do all jobs at once and return when the last is done."""
    async with anyio.create_task_group() as group:
        for job in jobs:
            group.start_soon(job)


@dataclass(frozen=True, slots=True)
class World:
    """The dependencies of the sender. `together` runs several jobs at once."""

    service: AttemptService
    clock: Clock
    random: Random
    together: Together = in_task_group


class Sender:
    """`sync` is the state of the connection. `idle_since` is when the last request ended, or None during one."""

    def __init__(self, world: World, live: LiveSession, journal: JournalSession, sync: SyncState) -> None:
        self._service, self._clock = world.service, world.clock
        self._notices = Notices(world.service, live, world.clock)
        self._random = world.random
        self._together = world.together
        self._live = live
        self._journal = journal
        self._wake = anyio.Event()
        self.sync = sync
        self.idle_since: float | None = world.clock.boot()

    @property
    def _session(self) -> Session:
        return self._live.now

    def wake(self) -> None:
        """Look at the plan again now."""
        self._wake.set()

    def hurry(self) -> None:
        """End the wait between two tries."""
        self.sync = replace(self.sync, not_before=self._clock.boot())
        self._wake.set()

    def gap(self) -> None:
        """Send PUT start again, because the computer slept."""
        self.sync = replace(self.sync, started=False)
        self.hurry()

    def time_over(self) -> None:
        """Close the session for changes and send soon, while the server may still accept answers."""
        self.sync = outbox.time_over(self.sync, self._clock.boot(), jitter=self._random.random())
        self._live.apply(TimeRanOut())
        self._wake.set()

    def end_asked(self) -> None:
        """Send a heartbeat before the end. Its reply tells whether the server was restored since the last one."""
        self.sync = outbox.heartbeat_now(self.sync, self._clock.boot())
        self._wake.set()

    async def run(self) -> None:
        """Do what the plan says until the attempt is over. Connection errors are never raised, but retried."""
        while True:
            match outbox.plan(self._session, self.sync, self._clock.boot()):
                case outbox.Stop():
                    return
                case outbox.Wait(until=until):
                    await self._rest(until)
                case outbox.DeclareTimeOver():
                    self.time_over()
                case step:
                    self.idle_since = None
                    await self._perform(step)
                    self.idle_since = self._clock.boot()

    async def _rest(self, until: float | None) -> None:
        await self._clock.wait(self._wake, None if until is None else max(0.0, until - self._clock.boot()))
        if self._wake.is_set():
            self._wake = anyio.Event()

    async def _perform(self, step: outbox.Step) -> None:
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
        """Note the failure of a request that the whole attempt depends on."""
        if isinstance(error, SignInNeeded):
            self._live.apply(SignInExpired())
            return
        if isinstance(error, Refused):
            now, jitter, ends_at = self._clock.boot(), self._random.random(), self._session.deadline.wakes_at
            self.sync = outbox.refused(self.sync, now, jitter=jitter, ends_at=ends_at)
            if self.sync.refusals >= outbox.DENIALS:
                self._close(str(error))
            return
        self._missed(error)

    def _missed(self, error: ApiError) -> None:
        """Note a request that may not have arrived. After this gap, start comes before the queue."""
        sync = outbox.failed(
            self.sync,
            self._clock.boot(),
            retry_after=error.retry_after if isinstance(error, Unreachable) else None,
            jitter=self._random.random(),
            ends_at=self._session.deadline.wakes_at,
        )
        self.sync = replace(sync, started=False, compared=False)
        self._live.apply(NotHeard(str(error)))

    # Time.

    async def _start(self) -> None:
        """Send PUT start. After a long silence, all answers are compared next, because of other devices."""
        asked_at = self._clock.boot()
        silent = asked_at - self._session.contact.since > outbox.HEARTBEAT
        attempt = await self._time(self._service.start)
        self._journal.times.note_server_time(attempt.last_started_time, asked_at, self._clock.boot())
        self.sync = replace(self.sync, begun=attempt.last_started_time, our_start=attempt.last_started_time)
        if silent and self._session.unsent:
            self.sync = replace(self.sync, look=True)

    async def _heartbeat(self) -> None:
        attempt = await self._time(self._service.heartbeat)
        before, self.sync = self.sync, outbox.beaten(self.sync, attempt.last_started_time)
        if self.sync.other_device and not before.other_device:
            self._journal.note_other_device()

    async def _time(self, request: Callable[[int], Awaitable[Attempt]]) -> Attempt:
        """Send a request whose reply tells the time left, and adopt the time."""
        asked_at = self._clock.boot()
        attempt = await request(self._session.attempt_id)
        now = self._clock.boot()
        self.sync = outbox.timed(self.sync, now)
        told = mapping.memory_of(attempt)
        self.sync = outbox.recalled(
            self.sync, told, self._journal.writer, self._journal.acknowledged, now, jitter=self._random.random()
        )
        if not self.sync.restored:
            self._journal.note_epoch(self.sync.remembered.epoch)
        self._journal.note_reply(mapping.told_by(attempt))
        if mapping.still_running(attempt):
            self._live.apply(mapping.time_told(attempt, asked_at, now, self._clock.speed))
            self._journal.keep_time(self._session.deadline)
            await self._notices.follow(attempt)
        else:
            self._completed()
        return attempt

    async def _reread(self) -> None:
        """Read whether the attempt runs. The time left is ignored, because it may be that of the last heartbeat."""
        attempt = await self._service.read(self._session.attempt_id)
        now = self._clock.boot()
        self.sync = outbox.reread(self.sync, now)
        if mapping.still_running(attempt):
            self._live.apply(Heard(now, mapping.sections_of(attempt)))
        else:
            self._completed()

    # Answers.

    async def _save(self, item: Item) -> None:
        try:
            echo = await self._service.save(
                self._session.attempt_id,
                item.question_id,
                mapping.answer_input(item.kind, item.answer),
                self._journal.stamp(item),
                self._journal.times.chosen_at(item),
            )
        except Refused as error:
            await self._not_saved(item, error)
            return
        except ApiError as error:
            self._failed(error)
            return
        now = self._clock.boot()
        if echo.id == item.question_id and mapping.answer_of(echo).same_as(item.answer):
            self.sync = outbox.accepted(outbox.heard(self.sync, now), item.question_id)
            self._journal.settle(item)
            self._journal.known.there[item.question_id] = item.answer
            self._journal.known.acknowledged[item.question_id] = max(0, item.latest)
            self._live.apply(Acknowledged(item.question_id, item.latest, now))
        else:
            self._other_echo(item, echo)

    def _other_echo(self, item: Item, echo: AttemptQuestion) -> None:
        """Handle another answer in the echo. The server may have kept a newer choice of another device."""
        current, theirs = self._session.find(item.question_id), mapping.answer_of(echo)
        known = current is not None and current.other_answer is not None and current.other_answer.same_as(theirs)
        if known and echo.id == item.question_id and current is not None and current.latest == item.latest:
            self.sync = outbox.accepted(outbox.heard(self.sync, self._clock.boot()), item.question_id)
            self._journal.settle(item)
            self._adopt(Foreign(item.question_id, theirs, taken=True))
            return
        if self.sync.other_device or item.visit_only or self.sync.forgot:
            self.sync = replace(self.sync, look=True)
        self._deny(item, "The server shows another answer than the one that was sent.")

    async def _not_saved(self, item: Item, error: Refused) -> None:
        """Read the attempt to find out whether the question was refused or the attempt is over."""
        if isinstance(error, SignInNeeded):
            self._failed(error)
            return
        await self._try(self._reread)
        if not self._session.over:
            self._deny(item, str(error))

    def _deny(self, item: Item, reason: str) -> None:
        """Try again more slowly, and list the answer as refused after several refusals."""
        sync, believed = outbox.denied(self.sync, item.question_id)
        now, jitter, ends_at = self._clock.boot(), self._random.random(), self._session.deadline.wakes_at
        self.sync = outbox.failed(sync, now, retry_after=None, jitter=jitter, ends_at=ends_at)
        current = self._session.find(item.question_id)
        if believed and current is not None and current.latest == item.latest:
            self.sync = outbox.accepted(self.sync, item.question_id)
            self._refuse(item, reason)

    def _refuse(self, item: Item, reason: str) -> None:
        self._journal.settle(item, refused=reason)
        self._live.apply(NotAccepted(item.question_id, item.latest, reason))

    async def _compare(self) -> None:
        """Read every answer back. An answer that differs is sent again, and refused after several comparisons.

        Those of ended sections are read too, where the server may have lost them: before the end and after a restore.
        """
        final = not (self._session.editable or self.sync.look)
        attempt = Attempt(id=self._session.attempt_id)
        if final or self._session.sections:
            attempt = await self._service.read(self._session.attempt_id)
            if not mapping.still_running(attempt):
                self._completed()
                return
        restored = self.sync.restored
        questions, failure = await self._readable(attempt, ended=restored or final)
        now = self._clock.boot()
        events = events_of(
            self._session,
            questions,
            self._journal.known,
            other_device=self.sync.other_device,
            final=final,
            restored=restored,
        )
        if failure is None:
            self.sync = outbox.compared(outbox.heard(self.sync, now), now)
            if final:
                differing = self.sync.comparisons + bool(events)
                self.sync = replace(self.sync, compared=not events, comparisons=differing)
            self._live.apply(Heard(now))
        lost = {event.question_id for event in events if isinstance(event, Differs)}
        ended = self._journal.lost_elsewhere(self._session, questions)
        self._journal.unsettle(lost | ended)
        for event in events:
            self._adopt(event)
        if restored or ended:
            in_ended = self._journal.missing_elsewhere(self._session)
            self._live.apply(ServerForgot(len(lost) if restored else 0, in_ended))
        if failure is not None:
            raise failure
        remembered = self.sync.remembered.compared(self._journal.acknowledged)
        self.sync = replace(self.sync, remembered=remembered)
        self._journal.note_epoch(remembered.epoch)

    async def _readable(self, attempt: Attempt, *, ended: bool) -> tuple[list[AttemptQuestion], ApiError | None]:
        """Read the questions, and the error of the list that could not be read. The lists before it count."""
        questions: list[AttemptQuestion] = []
        try:
            async for _, found in lists(self._service, attempt, ended=ended):
                questions += found
        except ApiError as error:
            return questions, error
        return questions, None

    def _adopt(self, event: Event) -> None:
        """Apply a difference. An answer that the server does not keep after several comparisons is refused."""
        match event:
            case Differs(question_id=question_id) if self.sync.comparisons >= outbox.COMPARISONS:
                item = self._session.find(question_id)
                if item is not None:
                    self._refuse(item, "The server keeps another answer than the one that was sent.")
                return
            case Foreign(taken=True):
                self._live.show(self._journal.take_over(self._session, event))
                return
            case Foreign(question_id=question_id, answer=answer):
                self._journal.known.there[question_id] = answer
            case _:
                pass
        self._live.apply(event)

    # Sections, and the end.

    async def _next_section(self) -> None:
        """End the running section, unless the server has done so, and start the section that follows."""
        attempt = await self._service.read(self._session.attempt_id)
        running = mapping.running_section(attempt)
        if running is not None and running.attempt_section_id == self._section_id():
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
        questions, items = await load(self._service, attempt)
        items = self._journal.laid_over(items)
        self._live.questions |= {question.id: question for question in questions}
        now = self._clock.boot()
        self.sync = replace(outbox.compared(outbox.timed(self.sync, now), now), compared=False, comparisons=0)
        deadline = Deadline().adopt(mapping.reading_of(attempt, asked_at, now, self._clock.speed))
        self._live.apply(SectionBegan(items, mapping.sections_of(attempt), deadline, now))
        self._journal.note_paper(self._session.items)
        self._journal.keep_exam(attempt, tuple(self._live.questions.values()), self._session.items)
        self._journal.keep_time(deadline)

    def _section_id(self) -> int:
        running = self._session.running_section
        return -1 if running is None else self._session.sections[running].section_id

    async def _end(self) -> None:
        """End the attempt. After a lost or refused end, the next step reads the attempt."""
        try:
            attempt = await self._service.end(self._session.attempt_id)
        except ApiError:
            self.sync = replace(self.sync, doubtful=True)
            raise
        if mapping.still_running(attempt):
            self.sync = replace(self.sync, doubtful=True)
            return
        self._completed()

    def _completed(self) -> None:
        """Finish if the server says that the attempt is over, or close it with the answers that were not accepted."""
        unsent = any(not item.visit_only for item in self._session.unsent)
        if self._session.phase not in {Phase.ENDING, Phase.TIME_OVER} or unsent:
            self._close("The attempt has ended on the server.")
            return
        self._journal.finish(self._session)
        self._live.apply(Finished())
        self._journal.keep_receipt()

    def _close(self, reason: str) -> None:
        """Close the attempt here. Unsent answers are listed as refused and stay in the journal."""
        for item in self._session.unsent:
            if not item.visit_only:
                self._refuse(item, "The attempt had already ended on the server.")
        self._live.apply(ClosedElsewhere(reason))
        self._journal.forget_exam()
        self._journal.keep_receipt()


async def load(service: AttemptService, attempt: Attempt) -> tuple[list[AttemptQuestion], tuple[Item, ...]]:
    """Return all questions that may be seen now, and their items."""
    questions: list[AttemptQuestion] = []
    items: list[Item] = []
    async for place, found in lists(service, attempt):
        questions += found
        items += mapping.items_of(found, place)
    return questions, tuple(replace(item, number=number) for number, item in enumerate(items, 1))


async def lists(
    service: AttemptService, attempt: Attempt, *, ended: bool = False
) -> AsyncIterator[tuple[int | None, list[AttemptQuestion]]]:
    """Yield the questions that may be seen now by section, or all at once if the exam has no sections.

    `ended`: also those of locked sections that have ended, where the server still shows them.
    """
    sections = mapping.in_order(attempt)
    running = mapping.running_section(attempt)
    if not sections:
        yield None, await service.questions(attempt.id)
    for place, section in enumerate(sections):
        if running is None or section is running:
            yield place, await service.section_questions(section)
        elif ended and section.state == AttemptState.COMPLETED:
            yield place, await _still_shown(service, section)


async def _still_shown(service: AttemptService, section: AttemptSection) -> list[AttemptQuestion]:
    try:
        return await service.section_questions(section)
    except SignInNeeded:
        raise
    except Refused:
        return []
